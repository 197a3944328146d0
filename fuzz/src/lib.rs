//! The cases and laws of the fuzz targets, one module per target.
//!
//! A case is generated from the fuzzer's bytes. Its `Debug` text, which is printed if a law is
//! violated, contains everything needed to reproduce it.

pub mod contradictions;
pub mod fragments;
pub mod growth;
pub mod lines;
pub mod replies;
mod writing;
