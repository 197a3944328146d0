//! Truncated and malformed replies: joined, repaired and continued.
//!
//! Imports go one way: `request` ← `join` ← `accumulator` ← `persist`, `prompt`. `progress` and
//! `repair` stand alone.

mod accumulator;
mod join;
mod persist;
mod progress;
mod prompt;
mod repair;
mod request;

pub use accumulator::Accumulator;
pub use join::{Candidate, Confidence, Join, JoinFailure, JoinKind, JoinOutcome};
pub use progress::{Progress, ProgressChange};
pub use prompt::{ContinuationPrompt, Section};
pub use repair::{
    FinishReason, RepairEdit, RepairOptions, RepairRule, Repaired, repair, repair_with,
};
