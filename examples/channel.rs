//! Wraps an SDK that delivers its snapshots by callback, from a thread of its own.
//!
//! Run it with `cargo run --example channel`.

#![allow(clippy::print_stdout, reason = "showing the chunks is what it is for")]

use std::io::{self, Write as _};

use json_chunks::stream::SnapshotStreamExt as _;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt as _};

/// A stand-in for the SDK of a model that runs on the device.
mod sdk {
    use std::{thread, time::Duration};

    pub(super) struct Snapshot {
        pub(super) content_json: String,
        pub(super) is_complete: bool,
    }

    /// Returns immediately. `on_snapshot` is called until it breaks, or the reply is complete.
    pub(super) fn generate(
        _prompt: &str,
        mut on_snapshot: impl FnMut(Snapshot) -> bool + Send + 'static,
    ) {
        thread::spawn(move || {
            let mut lines = include_str!("data/itinerary.jsonl").lines().peekable();
            while let Some(line) = lines.next() {
                thread::sleep(Duration::from_millis(10));
                let snapshot = Snapshot {
                    content_json: line.to_owned(),
                    is_complete: lines.peek().is_none(),
                };
                if !on_snapshot(snapshot) {
                    break;
                }
            }
        });
    }
}

/// The bridge: the callback sends each snapshot to a channel whose receiver is a stream.
///
/// The stream ends when the SDK drops the callback. When the stream is dropped first, the channel
/// is closed, and the next call of the callback stops the SDK.
fn generate(prompt: &str) -> impl Stream<Item = String> + use<> {
    let (sender, receiver) = mpsc::channel(16);
    sdk::generate(prompt, move |snapshot| {
        let goes_on = !snapshot.is_complete;
        // This thread may block: a slow reader makes the SDK wait.
        sender.blocking_send(snapshot.content_json).is_ok() && goes_on
    });
    ReceiverStream::new(receiver)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let mut chunks = generate("Plan three slow days in Kanazawa.").json_chunks();
    while let Some(chunk) = chunks.next().await {
        let mut out = io::stdout().lock();
        write!(out, "{chunk}")?;
        out.flush()?;
    }
    println!();

    let report = chunks.report();
    println!(
        "{} snapshots, {} skipped",
        report.accepted(),
        report.skipped()
    );
    Ok(())
}
