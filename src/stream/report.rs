//! The counts of an adapter.

use core::fmt;

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::StreamError;
use super::fault::Fault;
use crate::error::{ErrorKind, Hint};

/// Counts of the snapshots or fragments so far, and the error that ended the stream early.
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::stream::SnapshotStreamExt;
///
/// let mut chunks = stream::iter(["[1]", "oops", "[1,2]"]).json_chunks();
/// while block_on(chunks.next()).is_some() {}
/// assert_eq!((chunks.report().accepted(), chunks.report().skipped()), (2, 1));
/// assert!(!chunks.report().is_clean());
/// assert_eq!(chunks.report().to_string(), "2 accepted, 1 skipped");
/// ```
///
/// `Display` writes one line with all counts that are not 0, and the likely fix for the last fault:
/// `1 accepted, 1 skipped (if the stream yields pieces of one text, use json_snapshots)`. It
/// contains no payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StreamReport {
    accepted: u64,
    skipped: u64,
    superseded: u64,
    revisions: u64,
    restated: u64,
    mismatches: u64,
    ended_by: Option<ErrorKind>,
    hint: Option<&'static str>,
}

impl StreamReport {
    /// Returns how many snapshots or fragments were accepted, including those that added nothing.
    #[must_use]
    pub const fn accepted(&self) -> u64 {
        self.accepted
    }

    /// Returns how many snapshots were skipped because they were unusable, or rejected for a
    /// revision ([`RevisionPolicy::Reject`](crate::revision::RevisionPolicy::Reject)). At most one
    /// fragment is counted: the one that could not be read to its end.
    #[must_use]
    pub const fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Returns how many snapshots were not used because later ones were ready
    /// ([`latest_only`](super::Adapter::latest_only)).
    #[must_use]
    pub const fn superseded(&self) -> u64 {
        self.superseded
    }

    /// Returns how many contradictions the accepted snapshots had; one snapshot may have several.
    #[must_use]
    pub const fn revisions(&self) -> u64 {
        self.revisions
    }

    /// Returns how many of the [`revisions`](Self::revisions) were corrected by emitting the value
    /// again ([`RevisionPolicy::Restate`](crate::revision::RevisionPolicy::Restate)).
    #[must_use]
    pub const fn restated(&self) -> u64 {
        self.restated
    }

    /// Returns how many complete values were not of the requested type
    /// ([`json_partials`](crate::stream::FragmentStreamExt::json_partials)), and entities that were
    /// not, or that do not conform to their schema
    /// ([`json_entities`](crate::stream::FragmentStreamExt::json_entities)).
    #[must_use]
    pub const fn mismatches(&self) -> u64 {
        self.mismatches
    }

    /// Returns the error that ended the stream: the text of fragments is not JSON, is truncated or
    /// exceeds a limit, or the stream timed out.
    #[must_use]
    pub const fn ended_by(&self) -> Option<ErrorKind> {
        self.ended_by
    }

    /// Returns the likely fix for the last fault that looks like a common mistake; see
    /// [`Error::hint`](crate::error::Error::hint).
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::SnapshotStreamExt;
    ///
    /// // Pieces of one text, where snapshots are expected.
    /// let mut chunks = stream::iter([r#"{"a": "#, "12}"]).json_chunks();
    /// while block_on(chunks.next()).is_some() {}
    /// let hint = "if the stream yields pieces of one text, use `json_snapshots`";
    /// assert_eq!(chunks.report().hint(), Some(hint));
    /// ```
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        self.hint
    }

    /// Returns whether everything was accepted, nothing contradicted the emitted text or had
    /// another type, and the stream has had no error.
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.skipped == 0 && self.revisions == 0 && self.mismatches == 0 && self.ended_by.is_none()
    }

    pub(super) const fn count_mismatch(&mut self) {
        self.mismatches += 1;
    }

    pub(super) const fn end_by(&mut self, kind: ErrorKind) {
        self.ended_by = Some(kind);
    }

    pub(super) const fn count_input(&mut self, is_accepted: bool) {
        if is_accepted {
            self.accepted += 1;
        } else {
            self.skipped += 1;
        }
    }

    pub(super) const fn count_revision(&mut self, restated: bool) {
        self.revisions += 1;
        if restated {
            self.restated += 1;
        }
    }

    pub(super) const fn count_superseded(&mut self, inputs: usize) {
        self.superseded += inputs as u64;
    }

    /// Keeps the hint of a fault.
    pub(super) fn note(&mut self, fault: &Fault) {
        match fault {
            StreamError::Upstream(never) => match *never {},
            StreamError::Json(error) => self.note_hint(error.hint()),
            StreamError::Revision(_) | StreamError::Value(_) => {}
        }
    }

    /// Keeps a hint. The hint that the text is wrapped in prose does not replace another one,
    /// because pieces of a text look like prose: after `{"title": "Thr`, the second may be
    /// `Slow Days"`.
    pub(super) fn note_hint(&mut self, hint: Option<&'static str>) {
        if self.hint.is_none() || hint != Some(Hint::Wrapped.as_str()) {
            self.hint = hint.or(self.hint);
        }
    }
}

impl fmt::Display for StreamReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} accepted", self.accepted)?;
        let counts = [
            (self.skipped, "skipped"),
            (self.superseded, "superseded"),
            (self.revisions, "revisions"),
            (self.restated, "restated"),
            (self.mismatches, "of another type"),
        ];
        for (count, what) in counts {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        if let Some(kind) = self.ended_by {
            write!(f, ", ended by {}", kind.as_str())?;
        }
        match self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

/// Serializes as a map of all counts, with `ended_by` and `hint` if there are any.
impl Serialize for StreamReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_struct("StreamReport", 8)?;
        report.serialize_field("accepted", &self.accepted)?;
        report.serialize_field("skipped", &self.skipped)?;
        report.serialize_field("superseded", &self.superseded)?;
        report.serialize_field("revisions", &self.revisions)?;
        report.serialize_field("restated", &self.restated)?;
        report.serialize_field("mismatches", &self.mismatches)?;
        match self.ended_by {
            Some(kind) => report.serialize_field("ended_by", kind.as_str())?,
            None => report.skip_field("ended_by")?,
        }
        match self.hint {
            Some(hint) => report.serialize_field("hint", hint)?,
            None => report.skip_field("hint")?,
        }
        report.end()
    }
}
