//! What all readers of fragments have in common.
//!
//! A reader is a parser and a [`Tracker`]. The parser has the text, the options, the end and the
//! error; the tracker has the rest, and reads the updates.

use super::{Parser, Update};
use crate::error::Error;
use crate::json::Phase;

/// Follows the updates of a parser.
pub(crate) trait Tracker {
    /// Called once for each push, and for the end, with what that has changed and how it failed.
    /// Returns an error of its own if what the parser accepts can't be used; it precedes `error` in
    /// the text.
    fn follow(&mut self, update: Update<'_>, error: Option<&Error>) -> Result<(), Error>;
}

impl Parser {
    /// Reads the next fragment as [`push`](Self::push) does, for a tracker. The first error is
    /// returned by every further call, and nothing is followed after it.
    pub(crate) fn push_to(
        &mut self,
        fragment: &[u8],
        tracker: &mut impl Tracker,
    ) -> Result<(), Error> {
        self.phase.check()?;
        let pushed = self.push(fragment).map(drop);
        self.follow_by(tracker, pushed)
    }

    /// Ends the input as [`finish`](Self::finish) does, for a tracker.
    pub(crate) fn finish_to(&mut self, tracker: &mut impl Tracker) -> Result<(), Error> {
        self.phase.check()?;
        let finished = self.finish().map(drop);
        self.follow_by(tracker, finished)
    }

    fn follow_by(
        &mut self,
        tracker: &mut impl Tracker,
        read: Result<(), Error>,
    ) -> Result<(), Error> {
        let followed = tracker.follow(self.last_update(), read.as_ref().err());
        if let Err(error) = &followed {
            self.fail(error.clone());
        }
        followed.and(read)
    }

    /// Fails for a reason that is not in the text, or that only its reader knows.
    pub(crate) fn fail(&mut self, error: Error) {
        self.phase = Phase::Failed(error);
    }

    /// Returns the error that has ended the input, if there is one.
    pub(crate) const fn error(&self) -> Option<&Error> {
        match &self.phase {
            Phase::Failed(error) => Some(error),
            Phase::Reading | Phase::Finished => None,
        }
    }

    /// Whether the input has ended or failed.
    pub(crate) const fn is_over(&self) -> bool {
        !matches!(self.phase, Phase::Reading)
    }
}
