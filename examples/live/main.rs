//! A page that updates while a model writes: snapshots, chunks and entities side by side.
//!
//! Run it with `cargo run --example live --features axum,tokio`, and open the URL that it prints.
//! Drop the connection or reload the page at any time: the run continues, and the page resumes
//! where it was.
//!
//! The events of a run are in a log. Here it is in the memory of this process;
//! `redis/examples/live.rs` is the same server with a log that several processes share, so that a
//! run survives the loss of its process.

#![allow(clippy::print_stdout, reason = "the first line tells where it listens")]

mod server;

use std::error::Error;
use std::time::Duration;

use json_chunks::event_log::MemoryLog;

const USAGE: &str = "usage: live [--port N] [--delay MS] [--pause-at SNAPSHOT], port 0 for any";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (mut port, mut delay, mut pause_at) = (8788, 160, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        match (flag.as_str(), arguments.next()) {
            ("--port", Some(number)) => port = number.parse()?,
            ("--delay", Some(milliseconds)) => delay = milliseconds.parse()?,
            ("--pause-at", Some(snapshots)) => pause_at = Some(snapshots.parse()?),
            _ => return Err(USAGE.into()),
        }
    }
    let delay = Duration::from_millis(delay);
    server::serve(MemoryLog::new(), port, server::Pace { delay, pause_at }).await
}
