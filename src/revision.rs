//! Snapshots that contradict text already emitted.

use alloc::string::String;
use core::fmt;

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::json::floor_char_boundary;

/// What a chunker does with a snapshot that contradicts text already emitted.
///
/// The emitted text is valid JSON with every policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RevisionPolicy {
    /// The emitted text stays, everything else continues, and the revision is reported once by
    /// [`Chunker::take_revisions`](crate::chunker::Chunker::take_revisions).
    #[default]
    Keep,
    /// The snapshot is rejected with an error of kind
    /// [`ErrorKind::Revision`](crate::error::ErrorKind::Revision); the chunker is unchanged.
    Reject,
    /// The nearest value around the contradiction that is a member of an object that is still open
    /// is closed and emitted again under the same name. Like a new member, it may be held first.
    /// If there is no such member, this behaves like [`Keep`](Self::Keep).
    ///
    /// The text then has two members with one name: `{"city":"Tokio","city":"Tokyo"}`. RFC 8259
    /// (section 4) leaves the meaning to the reader:
    ///
    /// | reader | `city` |
    /// | --- | --- |
    /// | this crate: [`Value`](crate::document::Value), typed partials, entities | the last one |
    /// | `serde_json::Value`, maps | the last one |
    /// | `JSON.parse`, Python's `json` | the last one |
    /// | Go's `encoding/json` | the last one; objects are merged |
    /// | `serde_json`: a struct with `#[derive(Deserialize)]` | error "duplicate field" |
    /// | strict validators (I-JSON, RFC 7493) | error |
    ///
    /// Plain text ([`TextChunker`](crate::chunker::TextChunker)) starts over: the new text is
    /// emitted in full, after the text emitted before.
    Restate,
}

/// How a snapshot contradicts the emitted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RevisionKind {
    /// A closed value has a different text, or more members or elements.
    Changed,
    /// An open string or number no longer starts with the emitted text.
    Rewritten,
    /// A value has a different kind: a string became an object, for example.
    Retyped,
    /// An emitted member is missing.
    Removed,
    /// An array has fewer elements than were emitted.
    Shrunk,
}

/// A snapshot that contradicts text already emitted: where, how, and both texts.
///
/// The `Display` text contains no payload except for the names in the pointer;
/// [`emitted`](Self::emitted) and [`received`](Self::received) are payload.
#[derive(Clone, PartialEq, Eq)]
pub struct Revision {
    pointer: String,
    kind: RevisionKind,
    emitted: String,
    received: Option<String>,
    restated: bool,
}

/// The maximum length of a text that a report quotes, in bytes.
const MAX_QUOTE: usize = 16 << 10;

impl Revision {
    /// Creates a report that has no received text yet. Long texts are cut.
    pub(crate) fn new(
        pointer: String,
        kind: RevisionKind,
        emitted: &str,
        is_restated: bool,
    ) -> Self {
        Self {
            pointer,
            kind,
            emitted: cut(emitted).into(),
            received: None,
            restated: is_restated,
        }
    }

    /// Sets what the snapshot has in place of the emitted text.
    pub(crate) fn with_received(mut self, received: Option<&str>) -> Self {
        self.received = received.map(|text| cut(text).into());
        self
    }

    /// Returns the JSON Pointer (RFC 6901) of the value; empty for the entire document.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Returns how the snapshot contradicts the emitted text.
    #[must_use]
    pub const fn kind(&self) -> RevisionKind {
        self.kind
    }

    /// Returns the text emitted for that value so far: JSON text for a
    /// [`Chunker`](crate::chunker::Chunker), plain text for a
    /// [`TextChunker`](crate::chunker::TextChunker).
    ///
    /// The text of an open value has no end yet (`"Tok`, for example). It is empty if the value was
    /// held for its restatement. A long text is cut to its first 16 KiB.
    #[must_use]
    pub fn emitted(&self) -> &str {
        &self.emitted
    }

    /// Returns the text that the snapshot has there, cut to its first 16 KiB; `None` if the member
    /// is missing.
    #[must_use]
    pub fn received(&self) -> Option<&str> {
        self.received.as_deref()
    }

    /// Returns whether the value is emitted again ([`RevisionPolicy::Restate`], where possible).
    #[must_use]
    pub const fn is_restated(&self) -> bool {
        self.restated
    }
}

/// Returns the start of a text, for a report. Reports are bounded because one push may contradict
/// every level of a deep document, and each would quote all of its text.
fn cut(text: &str) -> &str {
    let end = floor_char_boundary(text, MAX_QUOTE);
    text.get(..end).unwrap_or_default()
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            RevisionKind::Changed => "a value that was emitted completely has changed",
            RevisionKind::Rewritten => "the text no longer starts with the emitted text",
            RevisionKind::Retyped => "the value has a different kind than the emitted one",
            RevisionKind::Removed => "an emitted member is missing",
            RevisionKind::Shrunk => "the array has fewer elements than were emitted",
        };
        match self.pointer.as_str() {
            "" => write!(f, "revision of the entire document: {what}"),
            pointer => write!(f, "revision at {pointer}: {what}"),
        }
    }
}

/// Serializes as a map of `pointer`, `kind`, `emitted`, `received` and `restated`. Unlike the
/// `Display` text it contains payload; `received` is left out if the member is missing.
impl Serialize for Revision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut revision = serializer.serialize_struct("Revision", 5)?;
        revision.serialize_field("pointer", &self.pointer)?;
        revision.serialize_field("kind", &self.kind)?;
        revision.serialize_field("emitted", &self.emitted)?;
        match &self.received {
            Some(received) => revision.serialize_field("received", received)?,
            None => revision.skip_field("received")?,
        }
        revision.serialize_field("restated", &self.restated)?;
        revision.end()
    }
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Revision")
            .field("pointer", &self.pointer)
            .field("kind", &self.kind)
            .field("emitted_bytes", &self.emitted.len())
            .field("received_bytes", &self.received.as_ref().map(String::len))
            .field("restated", &self.restated)
            .finish()
    }
}
