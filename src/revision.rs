//! Snapshots that contradict what was already said.

use alloc::string::String;
use core::fmt;

/// What a chunker does with a snapshot that contradicts text already put out.
///
/// In every case the text that goes out is valid JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnRevision {
    /// What was put out stays, everything else goes on, and the contradiction is reported once
    /// through [`Chunker::take_revisions`](crate::Chunker::take_revisions).
    #[default]
    Keep,
    /// The snapshot is refused as a whole with an error of kind
    /// [`ErrorKind::Revision`](crate::ErrorKind::Revision); nothing changes.
    Reject,
    /// The nearest value around the contradiction that is a member of an object still open is
    /// ended and put out once more under the same name, for readers to whom the last of two
    /// members with one name counts (nearly all: `serde_json`, `JSON.parse`, Python's `json`). It waits
    /// for its turn like anything new. Where there is no such member, as `Keep`.
    Restate,
}

/// How a snapshot contradicts what was put out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RevisionKind {
    /// A value that was already ended has another text, or more members or elements.
    Changed,
    /// A string or number still open no longer starts with what was put out.
    Rewritten,
    /// A value became one of another kind: a string an object, say.
    Retyped,
    /// A member that was put out is gone.
    Removed,
    /// An array has fewer elements than were put out.
    Shrunk,
}

/// A snapshot contradicted text already put out: where, how, and both sides.
///
/// The `Display` text has no payload but the names in the pointer; [`put_out`](Self::put_out) and
/// [`came`](Self::came) are payload.
#[derive(Clone, PartialEq, Eq)]
pub struct Revision {
    pub(crate) pointer: String,
    pub(crate) kind: RevisionKind,
    pub(crate) put_out: String,
    pub(crate) came: Option<String>,
    pub(crate) mended: bool,
}

impl Revision {
    /// Where, as a JSON Pointer (RFC 6901); empty for the whole document.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// How.
    #[must_use]
    pub const fn kind(&self) -> RevisionKind {
        self.kind
    }

    /// The JSON text put out for that value so far. A value that is still open has no end yet:
    /// `"Tok`, say. Empty if the value was only waiting to be restated. Of a long text, the first
    /// 16 KiB.
    #[must_use]
    pub fn put_out(&self) -> &str {
        &self.put_out
    }

    /// The JSON text that the snapshot has there, or the first 16 KiB of it; none where the member
    /// is gone.
    #[must_use]
    pub fn came(&self) -> Option<&str> {
        self.came.as_deref()
    }

    /// Whether the value is put out again ([`OnRevision::Restate`], where it could be done).
    #[must_use]
    pub const fn is_mended(&self) -> bool {
        self.mended
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            RevisionKind::Changed => "a value already put out whole has changed",
            RevisionKind::Rewritten => "the text no longer starts with what was put out",
            RevisionKind::Retyped => "the value is of another kind than what was put out",
            RevisionKind::Removed => "a member that was put out is gone",
            RevisionKind::Shrunk => "the array has fewer elements than were put out",
        };
        match self.pointer.as_str() {
            "" => write!(f, "revision of the whole document: {what}"),
            pointer => write!(f, "revision at {pointer}: {what}"),
        }
    }
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Revision")
            .field("pointer", &self.pointer)
            .field("kind", &self.kind)
            .field("put_out_bytes", &self.put_out.len())
            .field("came_bytes", &self.came.as_ref().map(String::len))
            .field("mended", &self.mended)
            .finish()
    }
}
