//! The account an adapter keeps.

use crate::ErrorKind;

/// What became of the snapshots or fragments so far.
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::stream::JsonStreamExt;
///
/// let mut chunks = stream::iter(["[1]", "oops", "[1,2]"]).json_chunks();
/// while block_on(chunks.next()).is_some() {}
/// assert_eq!((chunks.report().taken(), chunks.report().skipped()), (2, 1));
/// assert!(!chunks.report().is_clean());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Report {
    taken: u64,
    skipped: u64,
    revisions: u64,
    mended: u64,
    mismatches: u64,
    ended_by: Option<ErrorKind>,
}

impl Report {
    /// Snapshots or fragments taken, those included that said nothing new.
    #[must_use]
    pub const fn taken(&self) -> u64 {
        self.taken
    }

    /// Snapshots skipped because they were unusable, or were rejected for a revision
    /// ([`OnRevision::Reject`](crate::OnRevision::Reject)). Of fragments, one that could not be used
    /// to its end: there is never a second.
    #[must_use]
    pub const fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Contradictions in the snapshots taken; one snapshot may have several.
    #[must_use]
    pub const fn revisions(&self) -> u64 {
        self.revisions
    }

    /// Those of the [`revisions`](Self::revisions) that were put right by putting the value out
    /// again ([`OnRevision::Restate`](crate::OnRevision::Restate)).
    #[must_use]
    pub const fn mended(&self) -> u64 {
        self.mended
    }

    /// Whole values that were not of the type asked for
    /// ([`json_partials`](crate::stream::FragmentStreamExt::json_partials)), and entities that were
    /// not, or that their schema refused
    /// ([`json_entities`](crate::stream::FragmentStreamExt::json_entities)).
    #[must_use]
    pub const fn mismatches(&self) -> u64 {
        self.mismatches
    }

    /// What ended the stream before its time, or was still amiss at its end: the text of fragments
    /// is not JSON, is cut off or exceeds a limit, or the time was up.
    #[must_use]
    pub const fn ended_by(&self) -> Option<ErrorKind> {
        self.ended_by
    }

    /// Whether everything was taken, nothing contradicted what was put out or was of another type,
    /// and the end was one.
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

    pub(super) const fn count_input(&mut self, taken: bool) {
        if taken {
            self.taken += 1;
        } else {
            self.skipped += 1;
        }
    }

    pub(super) const fn count_revision(&mut self, mended: bool) {
        self.revisions += 1;
        if mended {
            self.mended += 1;
        }
    }
}
