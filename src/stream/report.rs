//! The account an adapter keeps.

/// What became of the snapshots so far: plain counts.
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
}

impl Report {
    /// Snapshots taken, those included that said nothing new.
    #[must_use]
    pub const fn taken(&self) -> u64 {
        self.taken
    }

    /// Snapshots skipped because they were unusable, or were rejected for a revision
    /// ([`OnRevision::Reject`](crate::OnRevision::Reject)).
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

    /// Whether every snapshot was taken and none contradicted what was put out.
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.skipped == 0 && self.revisions == 0
    }

    pub(super) const fn count_snapshot(&mut self, taken: bool) {
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
