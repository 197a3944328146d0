//! The parser: the texts that it accepts, the document after each byte, split invariance, and
//! limits.

mod accepted;
mod duplicates;
mod grammar;
mod limits;
mod mutations;
mod partials;
mod raw;
mod rejected;
mod round_trip;
mod several;
mod splits;
mod strip;
mod update;
mod views;

/// The default maximum depth.
const DEPTH: usize = 128;
