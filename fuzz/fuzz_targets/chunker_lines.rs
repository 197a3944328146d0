//! Any lines as snapshots: see `json_chunks_fuzz::lines`.
#![no_main]

use json_chunks_fuzz::lines::{Lines, check};

libfuzzer_sys::fuzz_target!(|lines: Lines| check(&lines));
