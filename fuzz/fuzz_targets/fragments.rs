//! Any bytes as the fragments of one text: see `json_chunks_fuzz::fragments`.
#![no_main]

use json_chunks_fuzz::fragments::{Fragments, check};

libfuzzer_sys::fuzz_target!(|fragments: Fragments| check(&fragments));
