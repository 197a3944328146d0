//! The fuzz targets' cases and laws, one module a target.
//!
//! A case is made from the fuzzer's bytes; its `Debug` text, which is printed when a law does not
//! hold, has the options and the snapshots that it takes to see it again.

pub mod contradictions;
pub mod fragments;
pub mod growth;
pub mod lines;
pub mod replies;
mod support;
mod writing;
