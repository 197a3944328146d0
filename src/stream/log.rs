//! Events for `tracing`; without that feature, nothing.
//!
//! Only sizes, offsets and kinds are recorded. A JSON Pointer consists of member names, which are
//! payload as well. So only the kind of a revision is logged, and the text of an error that reports
//! a revision is left out, because it contains the pointer.

use crate::error::Error;
use crate::parser::Update;
use crate::revision::Revision;

macro_rules! event {
    ($level:ident, $($fields_and_message:tt)+) => {
        // The target is the crate, not the module.
        #[cfg(feature = "tracing")]
        tracing::$level!(target: "json_chunks", $($fields_and_message)+);
    };
}

pub(super) fn pushed(bytes_in: usize, bytes_out: usize) {
    event!(trace, bytes_in, bytes_out, "snapshot accepted");
}

pub(super) fn grown(fragment: &[u8], update: Update<'_>) {
    let (bytes_in, events) = (fragment.len(), update.events().len());
    event!(trace, bytes_in, events, "fragment accepted");
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

/// Logs the likely fix for the mistake that was logged before: at `error`, because the stream will
/// not yield what its user expects.
pub(super) fn hint(hint: &'static str) {
    event!(error, hint, "the stream is not what this adapter reads");
}

/// Logs a piece of a reply that its writer refused, which ends the reply.
pub(super) fn refused(error: &crate::wire::WriteError) {
    event!(warn, %error, "reply failed");
}

/// Logs the end of a stream.
pub(super) fn ended(error: &Error) {
    let (kind, offset) = (error.kind(), error.offset());
    event!(warn, ?kind, offset, %error, "stream ended early");
}

/// Logs a complete value of another type, without the error of serde, which may quote the value.
pub(super) fn mismatched() {
    event!(warn, "complete value is not of the type asked for");
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
    let (kind, restated) = (revision.kind(), revision.is_restated());
    event!(warn, ?kind, restated, "snapshot contradicts emitted text");
}
