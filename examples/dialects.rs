//! A reply of one API, served to the clients of all others.
//!
//! In front of a real API, the body is that of an HTTP response, and the frames are the body of
//! another one: see `server`.
//!
//! Run it with `cargo run --example dialects`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use futures::executor::block_on;
use futures::{TryStreamExt as _, stream};
use json_chunks::stream::{MachineStreamExt as _, WireStreamExt as _};
use json_chunks::wire::{Aborted, Dialect, Reader, ReplyHead, Writer};

/// What Anthropic's API streams, in pieces as the network delivers them.
const BODY: &str = r#"event: message_start
data: {"type":"message_start","message":{"usage":{"input_tokens":12,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"One moment."}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"plan","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"city\":\"Kana"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"zawa\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":30}}

event: message_stop
data: {"type":"message_stop"}

"#;

fn main() -> Result<(), Aborted> {
    for dialect in Dialect::ALL {
        // The text stream has no calls.
        if dialect == Dialect::PlainText {
            continue;
        }
        let body = stream::iter(BODY.as_bytes().chunks(40));
        let writer = Writer::new(dialect, ReplyHead::new("reply-1", "kanazawa-1"));

        // One dialect as another one.
        let frames = body.through(Reader::new(Dialect::Anthropic)).wire(writer);

        let body: String = block_on(frames.map_ok(String::from).try_collect())?;
        println!("--- {dialect}\n{body}");
    }
    Ok(())
}
