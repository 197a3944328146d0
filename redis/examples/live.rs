//! The live page of json-chunks on several processes: `cargo run --example live -- --redis URL`.
//!
//! Start it several times, with the same Redis, and one address for all. A page that loses its
//! process connects to another one, which resumes the run and continues where the page was.

#![allow(clippy::print_stdout, reason = "the first line tells where it listens")]

#[path = "../../examples/live/server.rs"]
mod server;

use std::error::Error;
use std::time::Duration;

use json_chunks_redis::RedisLog;

const USAGE: &str = "usage: live [--redis URL] [--port N] [--delay MS], port 0 for any";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut url = "redis://127.0.0.1/".to_owned();
    let (mut port, mut delay) = (8788, 160);
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        match (flag.as_str(), arguments.next()) {
            ("--redis", Some(server)) => url = server,
            ("--port", Some(number)) => port = number.parse()?,
            ("--delay", Some(milliseconds)) => delay = milliseconds.parse()?,
            _ => return Err(USAGE.into()),
        }
    }
    let pace = server::Pace {
        delay: Duration::from_millis(delay),
        pause_at: None,
    };
    server::serve(RedisLog::open(url)?, port, pace).await
}
