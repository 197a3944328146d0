//! A document that grows and keeps the rules: see `json_chunks_fuzz::growth`.
#![no_main]

use json_chunks_fuzz::growth::{Growth, check};

libfuzzer_sys::fuzz_target!(|growth: Growth| check(&growth));
