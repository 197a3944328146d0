//! Snapshots → chunks.

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

/// Complete JSON snapshots in, chunks of one JSON text out.
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

    /// Whether numbers are written digit by digit.
    #[must_use]
    pub fn growing_numbers(mut self, growing: bool) -> Self {
        self.state.growing_numbers = growing;
        self
    }

    /// Whether a null member stands for one that is not written yet.
    #[must_use]
    pub fn null_is_absent(mut self, absent: bool) -> Self {
        self.state.null_is_absent = absent;
        self
    }

    /// Bounds on a snapshot.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Takes the next snapshot and gives the text that it makes certain, which may be empty.
    ///
    /// # Errors
    ///
    /// If the snapshot can't be used.
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
        if skip_whitespace(snapshot.as_bytes(), 0) == snapshot.len() {
            return Ok(());
        }
        self.check_size(snapshot.len())?;
        let doc = &mut self.state.doc;
        let resume = self.resume.filter(|_| doc.text.is_continued_by(snapshot));
        let resume = if self.state.renew_marks() {
            None
        } else {
            resume
        };
        self.state.begin(resume.is_some());
        let doc = &mut self.state.doc;
        if let Some(resume) = &resume {
            doc.text
                .append_input(snapshot.get(doc.text.len()..).unwrap_or_default());
            self.frames_before.clear();
            self.frames_before
                .extend_from_slice(&self.frames[..resume.depth()]);
        } else if doc.root().is_none() {
            doc.text.append_input(snapshot);
        } else {
            doc.text.leave_verbatim();
        }
        let start = out.len();
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
                out.truncate(start);
                self.state.rollback();
                self.resume = resume;
                core::mem::swap(&mut self.frames, &mut self.frames_before);
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
        self.check_size(self.state.doc.text.live_len())?;
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

    fn check_size(&self, bytes: usize) -> Result<(), Error> {
        let limit = self.limits.document_bytes;
        if bytes > limit as usize {
            return Err(Error::new(Reason::DocumentTooLarge(limit), limit as usize));
        }
        Ok(())
    }

    /// Ends the text: what is held goes out, everything open is closed.
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

    /// The revisions that have come up since the last call.
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
