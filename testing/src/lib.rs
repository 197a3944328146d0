//! Generators and oracles for the tests: a separate model of JSON with a naive reader and writer,
//! random documents, the snapshots in which a model writes them, and a naive chunker.
//!
//! No oracle uses the code of the crate, and all of them are simple rather than fast.
//!
//! | module | content |
//! | --- | --- |
//! | [`json`], [`read`], [`write`](mod@write) | the model, its reader and its writer |
//! | [`tokens`] | the tokens of a document, for mistakes in it |
//! | [`modes`] | the modes of entities |
//! | [`byte_source`], [`writing`], [`breaking`] | random choices, documents, snapshots, mistakes |
//! | [`reference`](mod@reference) | the oracle of the chunker |
//! | [`outline`], [`feed`] | the oracle of the parser, and transcripts to compare with it |
//! | [`patch`] | JSON Patch and deltas, applied to the model |
//! | [`table`] | assertions on tables of snapshots and chunks |

#![allow(
    missing_docs,
    missing_debug_implementations,
    clippy::exhaustive_enums,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::unwrap_used,
    reason = "only tests use it, and they fail by panicking"
)]

use proptest::prelude::ProptestConfig;

pub mod breaking;
pub mod byte_source;
pub mod feed;
pub mod json;
pub mod modes;
pub mod outline;
pub mod patch;
pub mod read;
pub mod reference;
pub mod table;
pub mod tokens;
pub mod write;
pub mod writing;

/// The number of random cases of a cheap property, unless `PROPTEST_CASES` is set.
pub const CASES: u32 = 2000;

/// Returns a configuration with this number of random cases, scaled by the ratio of
/// `PROPTEST_CASES` to [`CASES`]. Failures are not saved to files of seeds, because a minimal
/// failing case becomes a test.
pub fn config(cases: u32) -> ProptestConfig {
    let asked_for = std::env::var("PROPTEST_CASES").ok();
    let asked_for = asked_for.map_or(CASES, |cases| cases.parse().expect("a number of cases"));
    let cases = u64::from(cases) * u64::from(asked_for) / u64::from(CASES);
    ProptestConfig {
        cases: u32::try_from(cases).unwrap().max(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
