//! What the tests hold against the crate: a JSON model of their own, a naive reader and writer,
//! random documents and the streams in which a model would write them, and a naive chunker.
//!
//! Nothing here uses the crate's code, and everything prefers being obvious to being fast.

#![allow(
    dead_code,
    reason = "every test binary compiles this module and uses its own part of it"
)]
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use proptest::prelude::ProptestConfig;

pub(crate) mod breaking;
pub(crate) mod feed;
pub(crate) mod json;
pub(crate) mod outline;
pub(crate) mod read;
pub(crate) mod reference;
pub(crate) mod table;
pub(crate) mod tape;
pub(crate) mod write;
pub(crate) mod writing;

/// The random cases of a cheap property, unless `PROPTEST_CASES` says otherwise.
pub(crate) const CASES: u32 = 2000;

/// So many random cases, or as many more or fewer as `PROPTEST_CASES` is more or less than
/// [`CASES`]. A failure shows its smallest case; such cases become tests of their own rather than
/// files of seeds.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let asked_for = std::env::var("PROPTEST_CASES").ok();
    let asked_for = asked_for.map_or(CASES, |cases| cases.parse().expect("a number of cases"));
    let cases = u64::from(cases) * u64::from(asked_for) / u64::from(CASES);
    ProptestConfig {
        cases: u32::try_from(cases).unwrap().max(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
