//! What the crate's tests hold against it serves here, too: a JSON model, a naive reader and
//! writer, and a naive chunker. Nothing of it uses the crate's code.

#![allow(
    dead_code,
    clippy::pedantic,
    clippy::unwrap_used,
    reason = "made for the tests, which use more of it and by their own rules"
)]

#[path = "../../tests/support/breaking.rs"]
pub(crate) mod breaking;
#[path = "../../tests/support/json.rs"]
pub(crate) mod json;
#[path = "../../tests/support/read.rs"]
pub(crate) mod read;
#[path = "../../tests/support/reference.rs"]
pub(crate) mod reference;
#[path = "../../tests/support/tape.rs"]
pub(crate) mod tape;
#[path = "../../tests/support/write.rs"]
pub(crate) mod write;
