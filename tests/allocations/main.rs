//! The allocations of the machines. These tests are in a separate binary, because the counter is
//! its global allocator.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod chunker;
#[cfg(feature = "schema")]
mod entity;
#[cfg(feature = "continuation")]
mod join;
mod parser;
mod wire;
