//! Replays deltas on a JSON model that is independent of the crate.

use json_chunks::delta::Delta;

use json_chunks_testing::json::Json;
use json_chunks_testing::patch::apply_deltas;
pub(crate) use json_chunks_testing::patch::{decoded, value};

/// Returns the data after these steps.
pub(crate) fn apply(mut data: Option<Json>, delta: &[Delta]) -> Option<Json> {
    let delta: Vec<String> = delta.iter().map(Delta::to_json).collect();
    apply_deltas(&mut data, &format!("[{}]", delta.join(","))).unwrap();
    data
}
