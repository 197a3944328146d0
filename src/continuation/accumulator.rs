//! The text of several replies, as one document.
//!
//! The text only grows: where a reply has something again, it is the old spelling that stays, and
//! only what is new goes to the parser. So a join costs what the reply costs, and every view of
//! the document stays true.

use alloc::sync::Arc;
use core::fmt;

use super::grammar::{Grammar, Probe, Stop};
use super::join::{Candidate, Certainty, Join, JoinFailure};
use super::seam::{Decoded, Held};
use super::search::{Ground, Search};
use super::serial::State;
use super::verdict::{Verdict, judge};
use crate::document::Value;
use crate::error::{Error, Reason};
use crate::limits::Limits;
use crate::parser::Parser;

/// Joins the replies of a model that was cut off, and asked to go on, into one JSON document.
///
/// Of the first reply the JSON text is taken, without fences and prose around it. Each further one
/// is joined to that: models go on at the very byte or some bytes before it, start the element
/// that was cut off again or the whole document, with other white space, repeat what is there, and
/// put fences and prose around all of it. [`JoinKind`](crate::JoinKind) names these ways. The text
/// goes on being JSON (RFC 8259) after every join, whatever was pushed.
///
/// ```
/// use json_chunks::{Accumulator, Certainty, JoinKind};
///
/// let mut accumulator = Accumulator::new();
/// let join = accumulator.push("```json\n{\"days\": [{\"title\": \"Arrival\"}, {\"title\": \"Saf");
/// assert_eq!((join.kind(), join.certainty()), (JoinKind::First, Certainty::Certain));
///
/// // The model starts again with the element that it was cut off in, and spells it otherwise.
/// let join = accumulator.push("```json\n{\"title\":\"Safari\"}]}\n```");
/// assert_eq!((join.kind(), join.certainty()), (JoinKind::ElementAgain, Certainty::Certain));
/// assert_eq!(accumulator.text(), r#"{"days": [{"title": "Arrival"}, {"title": "Safari"}]}"#);
/// assert!(accumulator.is_complete());
/// ```
///
/// # How sure a join is
///
/// The grammar is asked which ways go on being JSON. If there is only one, and it is more than
/// text in a string, where everything goes, it is [`Certain`](Certainty::Certain). With less
/// evidence it is [`Likely`](Certainty::Likely), also if there are others, but they would give an
/// object two members of one name, or are a chance of less than 32 bytes that match. Otherwise it
/// is [`Ambiguous`](Certainty::Ambiguous), and nothing is joined:
///
/// ```
/// # use json_chunks::{Accumulator, Certainty};
/// let mut accumulator = Accumulator::new();
/// let _ = accumulator.push("[1,1");
/// let join = accumulator.push(",1,2]");
/// assert_eq!(join.certainty(), Certainty::Ambiguous);
/// let growths: Vec<_> = join.candidates().iter().map(|candidate| candidate.growth()).collect();
/// assert_eq!(growths, [",1,2]", ",2]"]);
/// assert_eq!(accumulator.text(), "[1,1");
///
/// accumulator.accept(0);
/// assert_eq!(accumulator.text(), "[1,1,1,2]");
/// ```
///
/// What cannot be told is a reply that leaves something out, or that changes what it repeats: it
/// fails, or looks like one that does not. Nor can words be told from text right behind a string
/// that was cut off, on the same line (`["the", " ... (to be continued)`).
///
/// # Cost
///
/// Time and memory of a join: linear in the reply, plus a look at the last 64 KiB of the text,
/// however long that is. Where the text is longer than these and twice the reply, what is not
/// looked at may be what the reply repeats: then only long overlaps are certain. Memory of the
/// accumulator: that of a [`Parser`], and a byte for each level.
///
/// # Putting it away
///
/// It can be serialized, and goes on the same when it is restored, which reads the text once.
#[derive(Clone, Default)]
pub struct Accumulator {
    limits: Limits,
    parser: Parser,
    grammar: Grammar,
    /// What of a character waits behind the text.
    held: Held,
    /// Whether there was a reply before the text that nothing could be made of.
    refused: bool,
    candidates: Arc<[Candidate]>,
}

impl Accumulator {
    /// An accumulator with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Bounds on the document. To be set before the first reply.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.parser = self.parser.limits(limits);
        self
    }

    /// Takes a reply, the whole of it, and tells what came of it.
    ///
    /// If that is ambiguous or failed, the text is as before.
    pub fn push(&mut self, reply: &str) -> Join {
        self.join(&Decoded::of_str(reply))
    }

    /// Takes a reply, the whole of it, which may begin or end inside of a character.
    ///
    /// The end of a character at the start of a reply completes what the one before ended in. If
    /// there is no such, or half of it was replaced by U+FFFD before, the character is U+FFFD in
    /// the text and the join [is damaged](Join::is_damaged). Until then it waits behind the text:
    /// the next reply may have it whole.
    pub fn push_bytes(&mut self, reply: &[u8]) -> Join {
        self.join(&Decoded::of_bytes(reply))
    }

    /// The joins that were possible, if the last one was ambiguous; the most plausible first, not
    /// more than eight.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Takes one of the [`candidates`](Self::candidates) after all; `None` if there is no such.
    pub fn accept(&mut self, index: usize) -> Option<Join> {
        let candidate = self.candidates.get(index)?.clone();
        Some(self.take(&candidate, Certainty::Likely))
    }

    /// The JSON text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        self.parser.text()
    }

    /// The document so far, once its first byte has come.
    #[must_use]
    pub fn root(&self) -> Option<Value<'_>> {
        self.parser.root()
    }

    /// The parser of the text.
    #[must_use]
    pub fn parser(&self) -> &Parser {
        &self.parser
    }

    /// Whether the document has ended. A number that is all of it may go on until white space
    /// follows.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.grammar.is_complete()
    }

    /// Makes an accumulator for another document of this one, with the same limits.
    pub fn reset(&mut self) {
        self.parser.reset();
        self.grammar = Grammar::default();
        self.held = Held::default();
        self.refused = false;
        self.candidates = Arc::default();
    }

    fn join(&mut self, reply: &Decoded<'_>) -> Join {
        self.candidates = Arc::default();
        let ground = Ground {
            text: self.parser.text(),
            grammar: &self.grammar,
            limits: self.limits,
            held: &self.held,
            root: self.parser.root(),
            refused: self.refused,
        };
        match judge(Search::of(ground, reply)) {
            Verdict::Take(candidate, certainty) => self.take(&candidate, certainty),
            Verdict::Choose(candidates) => {
                self.refused |= self.text().is_empty();
                self.candidates = candidates.into();
                Join::ambiguous(Arc::clone(&self.candidates))
            }
            Verdict::Fail(failure) => {
                self.refused |= self.text().is_empty();
                Join::failed(failure)
            }
        }
    }

    fn take(&mut self, candidate: &Candidate, certainty: Certainty) -> Join {
        match self.grow(&candidate.growth) {
            Ok(()) => {
                self.candidates = Arc::default();
                self.held = candidate.held.clone();
                Join::taken(candidate, certainty)
            }
            Err(failure) => Join::failed(failure),
        }
    }

    /// Adds text, if that goes on with what there is; then the parser takes it, too.
    fn grow(&mut self, growth: &str) -> Result<(), JoinFailure> {
        let limit = self.limits.document_bytes;
        if self.text().len() + growth.len() > limit as usize {
            let error = Error::new(Reason::DocumentTooLarge(limit), limit as usize);
            return Err(JoinFailure::Limit(error));
        }
        let mut probe = Probe::new(&self.grammar, self.limits);
        if let Err(Stop { at, limit }) = probe.run(growth.as_bytes(), 0) {
            let error = |reason| Error::new(reason, self.text().len() + at);
            return Err(limit.map_or(JoinFailure::DoesNotContinue, |reason| {
                JoinFailure::Limit(error(reason))
            }));
        }
        let step = probe.into_step();
        self.grammar.apply(step);
        let pushed = self.parser.push_str(growth).map(drop);
        debug_assert!(pushed.is_ok(), "the parser takes what the grammar does");
        pushed.map_err(JoinFailure::Limit)
    }

    pub(super) fn restore(state: State) -> Result<Self, JoinFailure> {
        let mut accumulator = Self::new().limits(state.limits);
        accumulator.grow(&state.text)?;
        accumulator.held = state.held;
        accumulator.refused = state.refused;
        accumulator.candidates = state.candidates.into();
        Ok(accumulator)
    }

    pub(super) fn bounds(&self) -> Limits {
        self.limits
    }

    pub(super) fn held(&self) -> &Held {
        &self.held
    }

    pub(super) fn refused(&self) -> bool {
        self.refused
    }
}

/// Shows no payload.
impl fmt::Debug for Accumulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accumulator")
            .field("bytes", &self.text().len())
            .field("complete", &self.is_complete())
            .field("candidates", &self.candidates.len())
            .finish_non_exhaustive()
    }
}
