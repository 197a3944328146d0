//! Wraps an SDK that delivers its snapshots by callback, from a thread of its own.
//!
//! Run it with `cargo run --example channel`.

#![allow(clippy::print_stdout, reason = "showing the chunks is what it is for")]

use std::io::{self, Write as _};

use json_chunks::JsonStreamExt as _;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt as _};

/// Stands for the SDK of a model that runs on the device.
mod sdk {
    use std::{thread, time::Duration};

    pub(super) struct Snapshot {
        pub(super) content_json: String,
        pub(super) is_complete: bool,
    }

    /// Returns at once; `on_snapshot` is called until it says that it has had enough.
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

/// The bridge: what the callback is given goes through a channel, whose other end is a stream.
///
/// The stream ends when the SDK drops the callback. When the stream is dropped first, the channel
/// is closed, and the next call of the callback stops the SDK.
fn generate(prompt: &str) -> impl Stream<Item = String> + use<> {
    let (sender, receiver) = mpsc::channel(16);
    sdk::generate(prompt, move |snapshot| {
        let goes_on = !snapshot.is_complete;
        // A thread may block: where the reader is slow, the SDK is made to wait.
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
    println!("{} snapshots, {} skipped", report.taken(), report.skipped());
    Ok(())
}
