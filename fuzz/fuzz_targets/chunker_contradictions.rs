//! A document that grows and breaks the rules: see `json_chunks_fuzz::contradictions`.
#![no_main]

use json_chunks_fuzz::contradictions::{Contradictions, check};

libfuzzer_sys::fuzz_target!(|contradictions: Contradictions| check(&contradictions));
