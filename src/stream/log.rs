//! Events for `tracing`; without that feature, nothing.
//!
//! Only sizes, offsets and kinds are recorded. A JSON Pointer consists of member names, which are
//! payload too: of a revision nothing but its kind is told, and the text of an error that stands
//! for a revision, which has the pointer in it, stays out.

use crate::{Error, Revision};

macro_rules! event {
    ($level:ident, $($fields_and_message:tt)+) => {
        // The target is the crate, whatever file an event comes from.
        #[cfg(feature = "tracing")]
        tracing::$level!(target: "json_chunks", $($fields_and_message)+);
    };
}

pub(super) fn pushed(bytes_in: usize, bytes_out: usize) {
    event!(trace, bytes_in, bytes_out, "snapshot taken");
}

pub(super) fn grown(bytes_in: usize, events: usize) {
    event!(trace, bytes_in, events, "fragment taken");
}

pub(super) fn finished(bytes_out: usize) {
    event!(trace, bytes_out, "stream finished");
}

pub(super) fn skipped(error: &Error) {
    let (kind, offset) = (error.kind(), error.offset());
    if let Some(revision) = error.revision().map(Revision::kind) {
        event!(warn, ?kind, offset, ?revision, "snapshot rejected");
    } else {
        event!(warn, ?kind, offset, %error, "snapshot skipped");
    }
}

/// Behind this nothing more comes.
pub(super) fn ended(error: &Error) {
    let (kind, offset) = (error.kind(), error.offset());
    event!(warn, ?kind, offset, %error, "stream ended before its time");
}

/// What serde says of the value may quote it.
pub(super) fn mismatched() {
    event!(warn, "whole value is not of its type");
}

#[cfg(feature = "tokio")]
pub(super) fn no_clock(limit: core::time::Duration) {
    event!(
        warn,
        ?limit,
        "time limit not checked outside of a tokio runtime"
    );
}

pub(super) fn revised(revision: &Revision) {
    let (kind, mended) = (revision.kind(), revision.is_mended());
    event!(warn, ?kind, mended, "snapshot contradicts what was put out");
}
