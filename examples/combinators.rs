//! Composes the adapters with combinators before and after them, with and without errors.
//!
//! Run it with `cargo run --example combinators`.

#![allow(clippy::print_stdout, reason = "showing the chunks is what it is for")]

use std::time::Duration;

use json_chunks::stream::{SnapshotStreamExt as _, StreamError, TrySnapshotStreamExt as _};
use serde_json::Value;
use tokio::time::sleep;
use tokio_stream::{Stream, StreamExt as _};

const SNAPSHOTS: &str = include_str!("data/walkthrough.jsonl");

#[tokio::main(flavor = "current_thread")]
async fn main() {
    to_server_sent_events().await;
    with_a_timeout().await;
}

/// Snapshots supersede each other, so some may be skipped; chunks may only be joined.
async fn to_server_sent_events() {
    println!("# Server-sent events, no more than one every 20 ms\n");

    let mut last = "";
    let frames = tokio_stream::iter(SNAPSHOTS.lines())
        .filter(|snapshot| !snapshot.trim().is_empty())
        .filter(move |snapshot| std::mem::replace(&mut last, snapshot) != *snapshot)
        .throttle(Duration::from_millis(5))
        .json_chunks()
        .chunks_timeout(16, Duration::from_millis(20))
        .map(|chunks| format!("data: {}\n\n", Value::from(chunks.concat())));

    tokio::pin!(frames);
    while let Some(frame) = frames.next().await {
        print!("{frame}");
    }
}

/// A timeout makes the items `Result`s, so `try_json_chunks` follows.
async fn with_a_timeout() {
    println!("# A model that hangs for a while, and stutters\n");

    let chunks = hanging_model()
        .timeout(Duration::from_millis(50))
        .try_json_chunks();

    tokio::pin!(chunks);
    while let Some(next) = chunks.next().await {
        match next {
            Ok(chunk) => println!("chunk:   {chunk}"),
            // It would be safe to stop here: the text so far is a valid prefix.
            Err(StreamError::Upstream(error)) => println!("waiting: {error}"),
            Err(skipped) => println!("skipped: {skipped}"),
        }
    }
}

fn hanging_model() -> impl Stream<Item = &'static str> {
    let snapshots = [
        r#"{"city": "Kana"}"#,
        r#"{"city": "Kanaz"#,
        r#"{"city": "Kanazawa", "tags": ["garden"]}"#,
        r#"{"tags": ["gardens", "gold"], "city": "Kanazawa"}"#,
    ];
    tokio_stream::iter(snapshots.into_iter().enumerate()).then(async |(number, snapshot)| {
        if number == 2 {
            sleep(Duration::from_millis(80)).await;
        }
        snapshot
    })
}
