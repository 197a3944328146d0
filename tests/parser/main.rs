//! What the parser promises: which texts it takes, what it shows of them at each byte, that it
//! does not matter how they are split, and where it stops.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod accepted;
mod grammar;
mod growth;
mod limits;
mod mutations;
mod partials;
mod rejected;
mod round_trip;
mod several;
mod splits;
mod strip;
mod views;

#[path = "../support/mod.rs"]
mod support;

/// The levels that the default limits allow.
const DEPTH: usize = 128;
