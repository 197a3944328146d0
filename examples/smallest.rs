//! The smallest program: growing snapshots to text chunks.
//!
//! Run it with `cargo run --example smallest`.

#![allow(clippy::print_stdout, reason = "showing the chunks is what it is for")]

use futures::executor::block_on;
use futures::{StreamExt as _, stream};
use json_chunks::stream::SnapshotStreamExt as _;

fn main() {
    // Each is a complete JSON value, with members in any order.
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
