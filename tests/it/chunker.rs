//! The chunker: snapshots to chunks.

mod broken;
mod captured;
mod errors;
mod fast_paths;
mod growth;
mod held;
mod laws;
mod machine;
mod plain_text;
mod producers;
mod reject_restate;
mod restate_corners;
mod restated;
mod revisions;
mod rules;
mod text;
mod values;
