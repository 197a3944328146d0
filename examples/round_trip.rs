//! A round trip: snapshots become text chunks, and these become snapshots again.
//!
//! Run it with `cargo run --example round_trip`.

#![allow(clippy::print_stdout, reason = "showing the values is what it is for")]

use json_chunks::stream::{FragmentStreamExt as _, SnapshotStreamExt as _};
use serde_json::Value;
use tokio_stream::StreamExt as _;

#[tokio::main(flavor = "current_thread")]
async fn main() -> serde_json::Result<()> {
    // Complete values, whose member order changes every time.
    let snapshots = include_str!("data/walkthrough.jsonl").lines();

    // On one side of the wire,
    let chunks = tokio_stream::iter(snapshots.clone())
        .json_chunks()
        .map(|chunk| {
            println!("chunk:    {chunk}");
            chunk
        });

    // and on the other. The text may be split anywhere between them, even inside of a character.
    let packets = chunks.map(String::into_bytes);
    let mut received = packets.json_snapshots();
    let mut last = String::new();
    while let Some(snapshot) = received.next().await {
        println!("snapshot: {}", snapshot.value);
        last = snapshot.value;
    }

    let sent: Value = serde_json::from_str(snapshots.last().unwrap_or_default())?;
    let received: Value = serde_json::from_str(&last)?;
    assert_eq!(received, sent);
    println!("\nWhat arrived is what was sent.");
    Ok(())
}
