//! The log on a real `redis-server`, which each test starts for itself.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod event_log;
mod load;
mod processes;
mod restart;
mod server;
