//! Snapshots of plain text → chunks.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, Reason};
use crate::limits::Limits;
use crate::revision::{Revision, RevisionKind, RevisionPolicy};

/// Turns snapshots of a growing plain text into chunks: what each snapshot adds to the one before.
///
/// For models that return plain replies as snapshots. U+FFFD at the very end of a snapshot is held
/// back until more text follows, because a decoder may have put it in place of an incomplete
/// character.
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
/// # Text that starts over
///
/// A snapshot that does not start with the emitted text is a [`Revision`] of kind
/// [`RevisionKind::Rewritten`] with an empty pointer; its texts are plain text, not JSON. With
/// [`RevisionPolicy::Keep`] nothing more is emitted until a snapshot agrees with the emitted text
/// again. [`RevisionPolicy::Restate`] starts over:
///
/// ```
/// use json_chunks::{RevisionPolicy, TextChunker};
///
/// let mut chunker = TextChunker::new().revision_policy(RevisionPolicy::Restate);
/// assert_eq!(chunker.push("null")?, "null");
/// assert_eq!(chunker.push("Here")?, "Here");
/// assert_eq!(chunker.push("Here are some")?, " are some");
/// let revision = &chunker.take_revisions()[0];
/// assert_eq!((revision.emitted(), revision.received()), ("null", Some("Here")));
/// assert!(revision.is_restated());
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// # Cost
///
/// Memory: the emitted text. Time per push: one `memcmp` of the emitted text.
#[derive(Clone, Default)]
pub struct TextChunker {
    revision_policy: RevisionPolicy,
    limits: Limits,
    /// The text that the next snapshot has to start with.
    emitted: String,
    /// The end of the last snapshot that may still become another character.
    held_back: String,
    /// Whether a contradiction has been reported: with `Keep`, one report is enough.
    reported: bool,
    revisions: Vec<Revision>,
}

impl TextChunker {
    /// Creates a chunker with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what to do with a snapshot that does not start with the emitted text;
    /// [`RevisionPolicy::Keep`] by default. With [`RevisionPolicy::Restate`] the new text is
    /// emitted in full.
    #[must_use]
    pub fn revision_policy(mut self, policy: RevisionPolicy) -> Self {
        self.revision_policy = policy;
        self
    }

    /// Sets the maximum size of a snapshot ([`Limits::max_document_bytes`]).
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns how long a stream may take: for the adapters, which have a clock.
    #[cfg(feature = "stream")]
    pub(crate) const fn time_limit(&self) -> Option<core::time::Duration> {
        self.limits.duration
    }

    /// Pushes the next snapshot and returns what it adds, which may be empty. An empty snapshot is
    /// ignored.
    ///
    /// # Errors
    ///
    /// If the snapshot is larger than [`Limits::max_document_bytes`], or if it does not start with
    /// the emitted text and the policy is [`RevisionPolicy::Reject`]. The chunker is unchanged.
    pub fn push(&mut self, snapshot: &str) -> Result<String, Error> {
        let mut out = String::new();
        self.push_into(snapshot, &mut out)?;
        Ok(out)
    }

    /// Like [`push`](Self::push), but appends to `out`.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push); `out` is unchanged.
    pub fn push_into(&mut self, snapshot: &str, out: &mut String) -> Result<(), Error> {
        if snapshot.is_empty() && !self.emitted.is_empty() {
            return Ok(());
        }
        let limit = self.limits.document_bytes;
        if snapshot.len() > limit as usize {
            return Err(Error::new(Reason::DocumentTooLarge(limit), limit as usize));
        }
        let added = match snapshot.strip_prefix(self.emitted.as_str()) {
            Some(added) => added,
            None => match self.contradict(snapshot)? {
                Some(restated) => restated,
                None => return Ok(()),
            },
        };
        let stable = added.trim_end_matches(char::REPLACEMENT_CHARACTER);
        self.emitted.push_str(stable);
        self.held_back.clear();
        self.held_back.extend(added.get(stable.len()..));
        out.push_str(stable);
        Ok(())
    }

    /// Reports a snapshot that contradicts the emitted text. Returns the text to emit again, if the
    /// policy says so.
    fn contradict<'a>(&mut self, snapshot: &'a str) -> Result<Option<&'a str>, Error> {
        let restates = self.revision_policy == RevisionPolicy::Restate;
        if restates || !self.reported {
            let revision = Revision::new(
                String::new(),
                RevisionKind::Rewritten,
                &self.emitted,
                restates,
            )
            .with_received(Some(snapshot));
            if self.revision_policy == RevisionPolicy::Reject {
                let common = (self.emitted.bytes().zip(snapshot.bytes()))
                    .take_while(|(emitted, received)| emitted == received)
                    .count();
                return Err(Error::new(Reason::Revision(Box::new(revision)), common));
            }
            self.revisions.push(revision);
        }
        self.held_back.clear();
        if restates {
            self.emitted.clear();
            return Ok(Some(snapshot));
        }
        self.reported = true;
        Ok(None)
    }

    /// Ends the text and returns what was held back.
    pub fn finish(&mut self) -> String {
        let held_back = core::mem::take(&mut self.held_back);
        self.emitted.push_str(&held_back);
        held_back
    }

    /// Like [`finish`](Self::finish), but appends to `out`.
    pub fn finish_into(&mut self, out: &mut String) {
        out.push_str(&self.finish());
    }

    /// Resets the chunker for the next text, keeping its options and allocations.
    pub fn reset(&mut self) {
        self.emitted.clear();
        self.held_back.clear();
        self.reported = false;
        self.revisions.clear();
    }

    /// Returns the revisions since the last call.
    ///
    /// With [`RevisionPolicy::Keep`] there is at most one for a text; with
    /// [`RevisionPolicy::Restate`], one for each time that the text starts over.
    pub fn take_revisions(&mut self) -> Vec<Revision> {
        core::mem::take(&mut self.revisions)
    }
}

impl fmt::Debug for TextChunker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextChunker")
            .field("revision_policy", &self.revision_policy)
            .field("limits", &self.limits)
            .field("emitted_bytes", &self.emitted.len())
            .field("reported", &self.reported)
            .finish_non_exhaustive()
    }
}
