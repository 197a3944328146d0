//! Replies that were cut off: joined, mended, and continued.

mod accumulator;
mod check;
mod compact;
mod doubled;
mod found;
mod grammar;
mod join;
mod overlap;
mod progress;
mod prompt;
mod repair;
mod seam;
mod search;
mod serial;
mod verdict;
mod wrapping;

pub use accumulator::Accumulator;
pub use join::{Candidate, Certainty, Join, JoinFailure, JoinKind};
pub use progress::{Advance, Progress};
pub use prompt::{Continuation, Section};
pub use repair::{Repair, RepairRule, Repaired, repair, repair_with};
