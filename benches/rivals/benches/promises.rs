//! What streaming saves, in bytes: no clock, so the figures are the same on every machine.
//!
//! `cargo bench --manifest-path benches/rivals/Cargo.toml --bench promises`

#![allow(clippy::print_stdout, reason = "the figures are the result")]

use json_chunks::tool_call::{ToolCallDetector, ToolCallEvent, ToolCallShape};
use json_chunks::{Chunker, Parser, PartialPolicy};
use json_chunks_rivals::{pieces, reply};

/// A tool call as Anthropic's models write them, its arguments as long as those of an edit are.
fn tool_call() -> String {
    let text = "fn main() {\\n    println!(\\\"Hello\\\");\\n}\\n".repeat(12);
    format!(
        r#"{{"type":"tool_use","id":"toolu_1","name":"edit_file","input":{{"path":"src/main.rs","text":"{text}"}}}}"#
    )
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole as f64
}

fn main() {
    let call = tool_call();
    let mut detector = ToolCallDetector::new(ToolCallShape::anthropic());
    let named = (1..=call.len()).find(|&end| {
        let events = detector
            .push(&call.as_bytes()[end - 1..end])
            .expect("it is JSON");
        events
            .into_iter()
            .any(|event| matches!(event, ToolCallEvent::Started { .. }))
    });
    let named = named.expect("the call has a name");
    println!(
        "tool call: its name is known after {named} of {} bytes, {:.1} %",
        call.len(),
        percent(named, call.len()),
    );

    let reply = reply();
    for count in [100, 1000] {
        let mut parser = Parser::new();
        let (mut deltas, mut snapshots) = (0, 0);
        for piece in pieces(&reply, count) {
            deltas += parser.push(piece).expect("it is JSON").text().len();
            snapshots += parser
                .root()
                .map_or(0, |root| root.to_json(PartialPolicy::default()).len());
        }
        println!(
            "reply of {} bytes in {count} fragments: deltas are {:.2} % of the snapshots",
            reply.len(),
            percent(deltas, snapshots),
        );
    }

    let itinerary = include_str!("../../../examples/data/itinerary.jsonl");
    let mut chunker = Chunker::new();
    let mut chunks = String::new();
    for snapshot in itinerary.lines() {
        chunker
            .push_into(snapshot, &mut chunks)
            .expect("it is JSON");
    }
    chunker.finish_into(&mut chunks);
    println!(
        "examples/data/itinerary.jsonl: chunks are {:.2} % of the snapshots",
        percent(chunks.len(), itinerary.len()),
    );
}
