//! Logs of events: the contract of a log, the streams over one, and what clients see.

pub(crate) mod contract;
mod follow;
mod laws;
mod logged;
mod memory;
