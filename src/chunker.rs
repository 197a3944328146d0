//! Snapshots → chunks.
//!
//! A push has two steps. [`matching`] holds the snapshot against the document and brings it in,
//! or fails and is undone; [`emit`] then walks down the frontier and puts out what has become
//! certain. In between, the marks on the nodes ([`state::Mark`]) say what is new and what has
//! changed.
//!
//! # What is known to be complete
//!
//! The model writes depth first. So an array element is complete once the next one exists, a
//! member is complete once a sibling appeared or changed after it, and everything in a complete
//! container is complete. The order of members in a snapshot means nothing, and neither does a
//! snapshot that equals the one before.
//!
//! # What a push puts out
//!
//! From the root down, along what changed. In an open array: the open element is ended if there
//! is a later one, all elements but the last go out whole, the last is opened. In an open object
//! with new members, held members and an open one:
//!
//! 1. If there are new members, everything older is complete. The open member is ended; the held
//!    ones go out whole, the unchanged first. Of the new ones, literals go out whole, then
//!    numbers. If exactly one string, array or object is new, it is opened, and the same happens
//!    inside; two or more are all held. If none is opened, the last number stays open.
//! 2. If only the open member changed, the same happens inside it.
//! 3. If it did not change but held ones did, it is ended and the unchanged held ones go out
//!    whole. If exactly one changed, that one is opened; else these stay held.
//! 4. If nothing changed, nothing goes out.
//!
//! An opened container that was held before has the members that it had then as held ones.

mod emit;
mod matching;
mod revise;
mod state;
mod text;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, Reason};
use crate::json::skip_whitespace;
use crate::limits::Limits;
use crate::revision::{OnRevision, Revision};
use matching::{Frame, Matcher, Resume};
use state::State;
pub use text::TextChunker;

/// Turns complete JSON snapshots of a growing value into chunks of one JSON text.
///
/// Each snapshot is a whole JSON text: everything the model has written so far, the members of
/// objects in any order. The chunks, put together, are one JSON text: at the end it equals the
/// last snapshot, and at every moment it is a beginning of it. It has no white space between
/// tokens; strings and numbers keep the spelling of the snapshots.
///
/// Everything goes out as soon as it is certain. What has to wait is *held*: when two or more
/// strings, arrays or objects appear in one object at once, the next change shows which of them
/// the model is writing.
///
/// ```
/// use json_chunks::Chunker;
///
/// let mut chunker = Chunker::new();
/// assert_eq!(chunker.push(r#"{"name": "Mat"}"#)?, r#"{"name":"Mat"#);
/// assert_eq!(chunker.push(r#"{"name": "Matthew"}"#)?, "thew");
/// assert_eq!(chunker.push(r#"{"age": 32, "name": "Matthew"}"#)?, r#"","age":32"#);
/// // Two at once: which one will grow?
/// assert_eq!(chunker.push(r#"{"age": 32, "city": "", "bio": "", "name": "Matthew"}"#)?, "");
/// assert_eq!(
///     chunker.push(r#"{"bio": "Born in", "age": 32, "name": "Matthew", "city": ""}"#)?,
///     r#","city":"","bio":"Born in"#
/// );
/// assert_eq!(chunker.finish(), r#""}"#);
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// A pure state machine: no I/O, no clock, no async. For streams there is
/// [`.json_chunks()`](crate::JsonStreamExt::json_chunks).
///
/// # Producers that break the rules
///
/// A snapshot that is not JSON, too deep or too large gives an [`Error`] and changes nothing. One
/// that contradicts text already put out is a [`Revision`]; [`OnRevision`] says what is done
/// about it. The text that goes out is valid JSON in every case. If a name comes twice in one
/// object of a snapshot, the last one counts.
///
/// The options are for the whole text: set them before the first push.
///
/// # Cost
///
/// Memory: the document, that is about the text of the last snapshot and some 70 bytes a value. Time
/// per push: if the snapshot starts with the same bytes as the one before, up to where that one
/// had only closing quotes and brackets left, one `memcmp` of these bytes and the lexing of the
/// rest; otherwise one pass over the snapshot in which only what is new or has grown is lexed and
/// the rest compared.
#[derive(Clone, Default)]
pub struct Chunker {
    on_revision: OnRevision,
    limits: Limits,
    state: State,
    /// Where the last pass ended, and the containers that it was in there.
    resume: Option<Resume>,
    frames: Vec<Frame>,
    frames_before: Vec<Frame>,
    revisions: Vec<Revision>,
}

impl Chunker {
    /// A chunker with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What to do with a snapshot that contradicts text already put out; [`OnRevision::Keep`] by
    /// default.
    #[must_use]
    pub fn on_revision(mut self, on_revision: OnRevision) -> Self {
        self.on_revision = on_revision;
        self
    }

    /// Whether the model writes numbers digit by digit, so that they have to be held like strings
    /// when several members appear at once; `false` by default.
    ///
    /// Either way the last number put out stays open, so that `3` may become `32` next.
    #[must_use]
    pub fn growing_numbers(mut self, growing: bool) -> Self {
        self.state.growing_numbers = growing;
        self
    }

    /// Whether the producer fills members that are not written yet with null, as a serde `Option`
    /// does; `false` by default.
    ///
    /// If so, a null member, or a null in place of the whole document, counts as absent until it
    /// changes; what is null when its object ends goes out as null. Elements of arrays are taken
    /// as they are.
    ///
    /// ```
    /// use json_chunks::Chunker;
    ///
    /// let mut chunker = Chunker::new().null_is_absent(true);
    /// assert_eq!(chunker.push(r#"{"a":"x","b":null,"c":null}"#)?, r#"{"a":"x"#);
    /// assert_eq!(chunker.push(r#"{"a":"xy","b":1,"c":null}"#)?, r#"y","b":1"#);
    /// assert_eq!(chunker.finish(), r#","c":null}"#);
    /// # Ok::<(), json_chunks::Error>(())
    /// ```
    #[must_use]
    pub fn null_is_absent(mut self, absent: bool) -> Self {
        self.state.null_is_absent = absent;
        self
    }

    /// Bounds on a snapshot, and on the document that the snapshots make.
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

    /// Takes the next snapshot and gives the text that it makes certain, which may be empty.
    ///
    /// Blank text is no snapshot and is ignored; so is a byte order mark at the start. After
    /// [`finish`](Self::finish) nothing can go out any more: what differs is a revision.
    ///
    /// # Errors
    ///
    /// If the snapshot is not JSON or exceeds the [`Limits`], or if it contradicts what was put
    /// out and that is [rejected](OnRevision::Reject). The chunker is then as it was before, and
    /// the next snapshot supersedes this one, so nothing is lost.
    pub fn push(&mut self, snapshot: &str) -> Result<String, Error> {
        let mut out = String::new();
        self.push_into(snapshot, &mut out)?;
        Ok(out)
    }

    /// Like [`push`](Self::push), but appends to `out`: with capacity to spare there, and the
    /// document grown to its size, a push does not allocate.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push); then `out` is as it was.
    pub fn push_into(&mut self, snapshot: &str, out: &mut String) -> Result<(), Error> {
        let start = if snapshot.starts_with('\u{FEFF}') {
            3
        } else {
            0
        };
        if skip_whitespace(snapshot.as_bytes(), start) == snapshot.len() {
            return Ok(());
        }
        let limit = self.limits.document_bytes;
        if snapshot.len() > limit as usize {
            return Err(Error::new(Reason::DocumentTooLarge(limit), limit as usize));
        }
        if self.state.renew_marks() {
            self.resume = None;
        }
        let doc = &self.state.doc;
        let resume = self.resume.filter(|_| doc.text.is_continued_by(snapshot));
        self.state.begin(resume.is_some());
        self.frames_before.clear();
        if let Some(resume) = &self.resume {
            self.frames_before
                .extend_from_slice(&self.frames[..resume.depth()]);
        }
        let doc = &mut self.state.doc;
        if resume.is_some() {
            let behind = snapshot.get(doc.text.len()..).unwrap_or_default();
            doc.text.append_input(behind);
        } else if doc.root().is_none() {
            doc.text.append_input(snapshot);
        } else {
            doc.text.leave_verbatim();
        }
        let before = out.len();
        match self.take(snapshot, resume, out) {
            Ok(next) => {
                self.state.advance(out);
                self.resume = next.settle(&self.state);
                match &self.resume {
                    Some(resume) => self.state.doc.text.truncate_input(resume.at()),
                    None => self.state.doc.text.leave_verbatim(),
                }
                self.state.compact();
                Ok(())
            }
            Err(error) => {
                out.truncate(before);
                self.state.rollback();
                core::mem::swap(&mut self.frames, &mut self.frames_before);
                if resume.is_none() {
                    // This pass has left its traces on the members that the last one met. Without
                    // them, the next one can go on only where none was missing.
                    let frames = &self.frames;
                    let state = &self.state;
                    self.resume = self
                        .resume
                        .filter(|resume| frames[..resume.depth()].iter().all(|f| f.met_all(state)));
                }
                Err(error)
            }
        }
    }

    /// Brings the snapshot into the document.
    fn take(
        &mut self,
        snapshot: &str,
        resume: Option<Resume>,
        out: &mut String,
    ) -> Result<Resume, Error> {
        let mut matcher = Matcher::new(
            &mut self.state,
            &mut self.frames,
            snapshot,
            self.on_revision,
            self.limits,
            out,
        );
        let next = matcher.run(resume)?;
        let (contradictions, tail) = (matcher.contradictions, matcher.tail);
        let doc = &mut self.state.doc;
        doc.count_text();
        let limit = self.limits.document_bytes;
        if doc.text.is_full() || doc.text.live_len() > limit as usize {
            return Err(Error::new(Reason::DocumentTooLarge(limit), snapshot.len()));
        }
        let mut revisions = contradictions
            .into_iter()
            .map(|contradiction| contradiction.into_revision(snapshot));
        if self.on_revision == OnRevision::Reject
            && let Some((revision, offset)) = revisions.next()
        {
            return Err(Error::new(Reason::Revision(Box::new(revision)), offset));
        }
        self.revisions
            .extend(revisions.map(|(revision, _)| revision));
        if let Some(tail) = tail.and_then(|tail| snapshot.get(tail)) {
            self.state.tail.clear();
            self.state.tail.push_str(tail);
        }
        Ok(next)
    }

    /// Ends the text: what is held goes out, everything open is closed. Empty if there was no
    /// snapshot, or if it has ended before. [`reset`](Self::reset) comes before the next text.
    #[must_use = "without its end, the text is not JSON"]
    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        self.finish_into(&mut out);
        out
    }

    /// Like [`finish`](Self::finish), but appends to `out`.
    pub fn finish_into(&mut self, out: &mut String) {
        self.state.finish(out);
        self.resume = None;
        self.state.doc.text.leave_verbatim();
    }

    /// Makes a chunker for the next text of this one, with the same options.
    pub fn reset(&mut self) {
        self.state.clear();
        self.resume = None;
        self.revisions.clear();
    }

    /// How many values are known and wait to be put out, because it is not clear yet which of
    /// them the model is writing. Those inside of them don't count.
    #[must_use]
    pub fn held(&self) -> usize {
        self.state.held()
    }

    /// The revisions that have come up since the last call.
    ///
    /// Each value is reported once, unless it was [restated](OnRevision::Restate) in between: then
    /// it may be contradicted anew. The reports pile up until they are taken. With [`OnRevision::Keep`], a value that is still open goes on
    /// growing as soon as a snapshot agrees again with what was put out.
    ///
    /// ```
    /// use json_chunks::{Chunker, RevisionKind};
    ///
    /// let mut chunker = Chunker::new();
    /// chunker.push(r#"{"city":"Tokio"}"#)?;
    /// assert_eq!(chunker.push(r#"{"city":"Tokyo","days":3}"#)?, r#"","days":3"#);
    /// let revisions = chunker.take_revisions();
    /// assert_eq!(revisions[0].pointer(), "/city");
    /// assert_eq!(revisions[0].kind(), RevisionKind::Rewritten);
    /// assert_eq!(revisions[0].put_out(), r#""Tokio"#);
    /// assert_eq!(revisions[0].came(), Some(r#""Tokyo""#));
    /// # Ok::<(), json_chunks::Error>(())
    /// ```
    pub fn take_revisions(&mut self) -> Vec<Revision> {
        core::mem::take(&mut self.revisions)
    }
}

impl fmt::Debug for Chunker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunker")
            .field("on_revision", &self.on_revision)
            .field("limits", &self.limits)
            .field("open", &self.state.open.len())
            .field("revisions", &self.revisions.len())
            .finish_non_exhaustive()
    }
}
