//! The tests of the library, one module per room of `src`. Tests that count allocations are in
//! `tests/allocations`, those of the command in `cli/tests`; generators and oracles are in
//! `testing/`.
//!
//! One law, one room: `cargo test --all-features --test it chunker::laws`.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod chunker;
#[cfg(feature = "continuation")]
mod continuation;
mod delta;
mod entity;
#[cfg(feature = "tokio")]
mod event_log;
mod extract;
mod field;
mod parser;
mod partial;
#[cfg(feature = "continuation")]
mod repair;
mod serde_impls;
#[cfg(feature = "stream")]
mod stream;
mod tokenizer;
mod tool_call;
mod typed;
mod wire;
