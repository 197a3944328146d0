//! Snapshots of plain text → chunks.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, Reason};
use crate::limits::Limits;
use crate::revision::{OnRevision, Revision, RevisionKind};

/// Turns snapshots of a growing plain text into chunks: what each adds to the one before.
///
/// For models that hand out plain replies the way others hand out JSON. U+FFFD at the very end of
/// a snapshot is held back until more follows: a decoder may have put it for half a character.
///
/// ```
/// use json_chunks::TextChunker;
///
/// let mut chunker = TextChunker::new();
/// assert_eq!(chunker.push("Sure! \u{FFFD}")?, "Sure! ");
/// assert_eq!(chunker.push("Sure! 😀 Here")?, "😀 Here");
/// assert_eq!(chunker.finish(), "");
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// A snapshot that does not start with what was put out is a [`Revision`] of kind
/// [`RevisionKind::Rewritten`] with an empty pointer; its texts are plain text, not JSON. It costs
/// one `memcmp` of what was put out to push a snapshot.
#[derive(Clone, Default)]
pub struct TextChunker {
    on_revision: OnRevision,
    limits: Limits,
    said: String,
    /// The end of the last snapshot that is held back: a character may still come of it.
    tail: String,
    revised: bool,
    revisions: Vec<Revision>,
}

impl TextChunker {
    /// A chunker with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What to do with a snapshot that does not start with what was put out. Text can't be stated
    /// anew, so [`OnRevision::Restate`] does what [`OnRevision::Keep`] does.
    #[must_use]
    pub fn on_revision(mut self, on_revision: OnRevision) -> Self {
        self.on_revision = on_revision;
        self
    }

    /// Bounds on a snapshot.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How long a stream may take: for the adapters, which have a clock.
    #[cfg(feature = "stream")]
    pub(crate) const fn time_limit(&self) -> Option<core::time::Duration> {
        self.limits.duration
    }

    /// Takes the next snapshot and gives what it adds, which may be nothing.
    ///
    /// # Errors
    ///
    /// If the snapshot is larger than [`Limits::max_document_bytes`], or does not start with what
    /// was put out and that is [rejected](OnRevision::Reject). The chunker is then as it was.
    pub fn push(&mut self, snapshot: &str) -> Result<String, Error> {
        let mut out = String::new();
        self.push_into(snapshot, &mut out)?;
        Ok(out)
    }

    /// Like [`push`](Self::push), but appends to `out`.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push); then `out` is as it was.
    pub fn push_into(&mut self, snapshot: &str, out: &mut String) -> Result<(), Error> {
        let limit = self.limits.document_bytes;
        if snapshot.len() > limit as usize {
            return Err(Error::new(Reason::DocumentTooLarge(limit), limit as usize));
        }
        let Some(rest) = snapshot.strip_prefix(self.said.as_str()) else {
            return self.contradict(snapshot);
        };
        let stable = rest.trim_end_matches(char::REPLACEMENT_CHARACTER);
        self.said.push_str(stable);
        self.tail.clear();
        self.tail.extend(rest.get(stable.len()..));
        out.push_str(stable);
        Ok(())
    }

    fn contradict(&mut self, snapshot: &str) -> Result<(), Error> {
        let same = (self.said.bytes().zip(snapshot.bytes()))
            .take_while(|(said, came)| said == came)
            .count();
        let revision = Revision {
            pointer: String::new(),
            kind: RevisionKind::Rewritten,
            put_out: self.said.clone(),
            came: Some(snapshot.into()),
            mended: false,
        };
        match self.on_revision {
            OnRevision::Reject => Err(Error::new(Reason::Revision(Box::new(revision)), same)),
            OnRevision::Keep | OnRevision::Restate => {
                self.tail.clear();
                if !core::mem::replace(&mut self.revised, true) {
                    self.revisions.push(revision);
                }
                Ok(())
            }
        }
    }

    /// Ends the text: what was held back goes out.
    pub fn finish(&mut self) -> String {
        let tail = core::mem::take(&mut self.tail);
        self.said.push_str(&tail);
        tail
    }

    /// Like [`finish`](Self::finish), but appends to `out`.
    pub fn finish_into(&mut self, out: &mut String) {
        out.push_str(&self.finish());
    }

    /// Makes a chunker for the next text of this one, with the same options.
    pub fn reset(&mut self) {
        self.said.clear();
        self.tail.clear();
        self.revised = false;
        self.revisions.clear();
    }

    /// The revisions that have come up since the last call: one at the most.
    pub fn take_revisions(&mut self) -> Vec<Revision> {
        core::mem::take(&mut self.revisions)
    }
}

impl fmt::Debug for TextChunker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextChunker")
            .field("on_revision", &self.on_revision)
            .field("limits", &self.limits)
            .field("said_bytes", &self.said.len())
            .field("revised", &self.revised)
            .finish_non_exhaustive()
    }
}
