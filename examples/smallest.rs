//! The smallest program: growing snapshots go in, text chunks come out.
//!
//! Run it with `cargo run --example smallest`.

#![allow(clippy::print_stdout, reason = "showing the chunks is what it is for")]

use futures::executor::block_on;
use futures::{StreamExt as _, stream};
use json_chunks::JsonStreamExt as _;

fn main() {
    // Each is a whole JSON value, and the members come in any order.
    let snapshots = stream::iter([
        r#"{"title": "Three"}"#,
        r#"{"title": "Three Slow Days in"}"#,
        r#"{"days": [], "title": "Three Slow Days in Kanazawa"}"#,
        r#"{"days": ["Gardens"], "title": "Three Slow Days in Kanazawa"}"#,
        r#"{"title": "Three Slow Days in Kanazawa", "days": ["Gardens and gold leaf", "Tea"]}"#,
    ]);

    block_on(async {
        let mut chunks = snapshots.json_chunks();
        let mut text = String::new();
        while let Some(chunk) = chunks.next().await {
            println!("chunk:    {chunk}");
            text += &chunk;
        }
        println!("together: {text}");
    });
}
