//! What the tests hold against the crate: a JSON model of their own, a naive reader and writer,
//! random documents and the streams in which a model would write them, and a naive chunker.
//!
//! Nothing here uses the crate's code, and everything prefers being obvious to being fast.

#![allow(
    dead_code,
    reason = "every test binary compiles this module and uses its own part of it"
)]

use proptest::prelude::ProptestConfig;

pub(crate) mod breaking;
pub(crate) mod json;
pub(crate) mod read;
pub(crate) mod reference;
pub(crate) mod table;
pub(crate) mod tape;
pub(crate) mod write;
pub(crate) mod writing;

/// So many random cases, or as many as `PROPTEST_CASES` says. A failure shows its smallest case;
/// such cases become tests of their own rather than files of seeds.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let asked_for = std::env::var("PROPTEST_CASES").ok();
    ProptestConfig {
        cases: asked_for.map_or(cases, |cases| cases.parse().expect("a number of cases")),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
