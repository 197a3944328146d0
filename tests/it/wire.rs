//! Replies on the wire: what is written in each dialect, and what a reader of it finds.

mod cut;
mod errors;
mod frames;
mod laws;
mod naive;
mod reader;
mod round_trip;
mod steps;
