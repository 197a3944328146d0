//! There and back again: snapshots become text chunks, and the chunks snapshots.
//!
//! Run it with `cargo run --example round_trip`.

#![allow(clippy::print_stdout, reason = "showing the values is what it is for")]

use json_chunks::{FragmentStreamExt as _, JsonStreamExt as _};
use serde_json::Value;
use tokio_stream::StreamExt as _;

#[tokio::main(flavor = "current_thread")]
async fn main() -> serde_json::Result<()> {
    // Whole values, their members in another order each time.
    let snapshots = include_str!("data/walkthrough.jsonl").lines();

    // On one side of the wire,
    let chunks = tokio_stream::iter(snapshots.clone())
        .json_chunks()
        .map(|chunk| {
            println!("chunk:    {chunk}");
            chunk
        });

    // and on the other. In between the text may be cut anywhere, inside of a character too.
    let packets = chunks.map(String::into_bytes);
    let mut received = packets.json_snapshots();
    let mut last = String::new();
    while let Some(snapshot) = received.next().await {
        println!("snapshot: {snapshot}");
        last = snapshot;
    }

    let sent: Value = serde_json::from_str(snapshots.last().unwrap_or_default())?;
    let received: Value = serde_json::from_str(&last)?;
    assert_eq!(received, sent);
    println!("\nWhat arrived is what was sent.");
    Ok(())
}
