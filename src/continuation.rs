//! Replies that were cut off: joined, mended, and continued.

mod accumulator;
mod check;
mod compact;
mod doubled;
mod found;
mod grammar;
mod join;
mod overlap;
mod seam;
mod search;
mod serial;
mod verdict;
mod wrapping;

pub use accumulator::Accumulator;
pub use join::{Candidate, Certainty, Join, JoinFailure, JoinKind};
