//! Nothing: see `tests/listing.rs`.
