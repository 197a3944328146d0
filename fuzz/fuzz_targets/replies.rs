//! Any bytes as the replies of a model: see `json_chunks_fuzz::replies`.
#![no_main]

use json_chunks_fuzz::replies::{Replies, check};

libfuzzer_sys::fuzz_target!(|replies: Replies| check(&replies));
