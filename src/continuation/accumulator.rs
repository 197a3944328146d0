//! Accumulates several replies into one document.
//!
//! The text only grows: if a reply repeats something, the old spelling is kept, and only the new
//! part is parsed. So the cost of a join depends on the reply, not on the document, and every view
//! of the document stays valid.
//!
//! # For maintainers
//!
//! | candidates before | reply | text | candidates after |
//! | --- | --- | --- | --- |
//! | none | joined | grows by the reply | none |
//! | none | ambiguous | unchanged | those of the reply |
//! | any | failed | unchanged | unchanged |
//! | some | decides | grows by the branch and the reply | none |
//! | some | ambiguous on several | unchanged | those of the branches |
//!
//! Invariants: the parser and the grammar have read the same text (asserted in [`Trunk::grow`]);
//! the document is not complete while there are candidates.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use super::join::branches::{Readings, kept};
use super::join::grammar::{Grammar, Probe, Stop};
use super::join::rank::{Verdict, judge};
use super::join::search::{Base, HypothesisSearch};
use super::join::split_char::{DecodedReply, Held};
use super::join::{Candidate, Confidence, Join, JoinFailure, JoinKind, JoinOutcome};
use crate::document::Value;
use crate::error::{Error, Reason};
use crate::limits::Limits;
use crate::parser::Parser;

/// Joins the successive truncated replies of a model into one JSON document.
///
/// The JSON text of the first reply is used, without the fences, reasoning and prose around it.
/// Every further reply is joined to that. Models continue at the exact byte or some bytes before
/// it; they start again with the truncated element, or with the entire document, with different
/// white space; they omit a comma, put a new wrapper around the rest, repeat existing text, and
/// surround all of it with fences, apologies and echoes of the request. [`JoinKind`] lists these
/// ways. After every join the text is a prefix of JSON (RFC 8259).
///
/// ```
/// use json_chunks::join::{Accumulator, Confidence, JoinKind, JoinOutcome};
///
/// let mut accumulator = Accumulator::new();
/// let reply = "```json\n{\"days\": [{\"title\": \"Arrival\"}, {\"title\": \"Saf";
/// assert!(accumulator.push(reply).is_joined());
///
/// // The model starts again with the truncated element, in another spelling.
/// let reply = "```json\n{\"title\":\"Safari\"}]}\n```";
/// let JoinOutcome::Joined(join) = accumulator.push(reply) else {
///     panic!("it is the only join that leaves the text JSON");
/// };
/// assert_eq!((join.kind(), join.confidence()), (JoinKind::ElementAgain, Confidence::Certain));
/// assert_eq!(accumulator.text(), r#"{"days": [{"title": "Arrival"}, {"title": "Safari"}]}"#);
/// assert!(accumulator.is_complete());
/// ```
///
/// The [text](Self::text) of a complete document is JSON for any reader, such as
/// `serde_json::from_str`. While it is incomplete, [`root`](Self::root) has the values so far.
///
/// # Confidence
///
/// The grammar decides which joins leave the text JSON. If there is only one, and its new text
/// contains more than the content of a string, where any text fits, it is
/// [`Certain`](Confidence::Certain). With less evidence it is [`Likely`](Confidence::Likely). If
/// there are several, one of them is likely if all others would give an object two members with the
/// same name, or if its overlap cannot be accidental. The latter depends on how often the
/// overlapping text occurs: eight bytes are enough if the document never repeats a word directly,
/// about twenty if the text occurs only once. Repetitive text needs more, or is never enough.
///
#[doc = include_str!("join/kinds.md")]
///
/// # Ambiguous replies
///
/// Otherwise the reply is [`Ambiguous`](JoinOutcome::Ambiguous), and the document is unchanged. The
/// reply is not lost: its [candidates](Self::candidates) are kept, and the next reply is judged on
/// each of them. Until a reply or [`accept`](Self::accept) decides on one, the document is not
/// complete, and nothing is joined across the gap.
///
/// ```
/// # use json_chunks::join::{Accumulator, JoinOutcome};
/// let mut accumulator = Accumulator::new();
/// let _ = accumulator.push(r#"{"t":"one two thr"#);
/// // Either the model repeats three bytes, or the next word starts like the previous one.
/// let outcome = accumulator.push("three four fi");
/// let growths: Vec<_> = outcome.candidates().iter().map(|candidate| candidate.growth()).collect();
/// assert_eq!(growths, ["three four fi", "ee four fi"]);
/// assert_eq!(accumulator.text(), r#"{"t":"one two thr"#);
///
/// // Asked again, it repeats the string from its start. Only one candidate fits that.
/// assert!(accumulator.push(r#""one two three four five six"}"#).is_joined());
/// assert_eq!(accumulator.text(), r#"{"t":"one two three four five six"}"#);
/// ```
///
/// # Limitations
///
/// A reply that skips content, or that changes what it repeats, cannot be detected: it fails, or
/// looks like any other. Prose directly after a truncated string cannot be distinguished from its
/// content (`["the", " ... (to be continued)`).
///
/// # Cost
///
/// Time and memory of a join are linear in the reply, plus a search of the last 64 KiB of the text.
/// If the text is longer than both 64 KiB and twice the reply, the reply may repeat a part that is
/// not searched, so only long overlaps are certain. After an ambiguous reply, each of its
/// candidates (at most eight) costs the same again, and a copy of the document while the next reply
/// is judged. The accumulator takes the memory of a [`Parser`], and one byte for each level of
/// nesting.
///
/// # Saving
///
/// An accumulator can be serialized with its candidates. Restoring it parses the text once, and
/// gives an accumulator that behaves in the same way.
#[derive(Clone, Default)]
pub struct Accumulator {
    limits: Limits,
    trunk: Trunk,
    /// Whether a reply before the text was refused or ambiguous.
    refused: bool,
    candidates: Vec<Candidate>,
    /// Whether there were more candidates than are kept.
    is_partial: bool,
    /// The length of the last overlap. If the next reply may have the same overlap, it most likely
    /// does.
    habit: usize,
}

/// A text that replies are joined to.
#[derive(Clone, Default)]
struct Trunk {
    parser: Parser,
    grammar: Grammar,
    /// The part of a split character that is held after the text.
    held: Held,
}

/// The serialized state of an accumulator.
#[derive(Clone, Debug, Default)]
pub(super) struct Saved<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) held: Held,
    pub(super) refused: bool,
    pub(super) limits: Limits,
    pub(super) candidates: Vec<Candidate>,
    pub(super) is_partial: bool,
    pub(super) habit: usize,
}

impl Accumulator {
    /// Returns an accumulator with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the limits of the document. Call it before the first reply.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.trunk.parser = self.trunk.parser.limits(limits);
        self
    }

    /// Joins a complete reply.
    ///
    /// Unless it is [`Joined`](JoinOutcome::Joined), the text is unchanged.
    pub fn push(&mut self, reply: &str) -> JoinOutcome {
        self.join(&DecodedReply::of_str(reply))
    }

    /// Joins a complete reply, which may start or end inside of a character.
    ///
    /// Half a character at the end of a reply is held until the next reply. If the start of the
    /// next reply completes the character, no other join is considered. If the next reply has the
    /// entire character again, that is used. Otherwise, or if a half was replaced by U+FFFD before,
    /// the text gets U+FFFD and the join [is damaged](Join::is_damaged).
    ///
    /// Other bytes that are not UTF-8 are replaced with U+FFFD as well, which is not reported.
    pub fn push_bytes(&mut self, reply: &[u8]) -> JoinOutcome {
        self.join(&DecodedReply::of_bytes(reply))
    }

    /// Joins a reply that continues at the exact byte where the [text](Self::text) ends, because
    /// the model received the text as the start of its reply (prefill).
    ///
    /// No overlap is searched for, and nothing is left out except for a fence or prose after the
    /// end of the document. The reply is only validated: the outcome is
    /// [`Joined`](JoinOutcome::Joined) and [`Certain`](Confidence::Certain), or
    /// [`Failed`](JoinOutcome::Failed) and nothing changes. Joining drops the candidates of an
    /// ambiguous reply, because the model did not receive them.
    ///
    /// ```
    /// use json_chunks::join::Accumulator;
    ///
    /// let mut accumulator = Accumulator::new();
    /// assert!(accumulator.push_continued(r#"{"laugh": "ha ha "#).is_joined());
    /// // This is content, although it looks like an overlap.
    /// assert!(accumulator.push_continued(r#"ha ha "}"#).is_joined());
    /// assert_eq!(accumulator.text(), r#"{"laugh": "ha ha ha ha "}"#);
    /// ```
    pub fn push_continued(&mut self, reply: &str) -> JoinOutcome {
        let decoded = DecodedReply::of_str(reply);
        match HypothesisSearch::exact(self.trunk.base(self.limits, self.refused), &decoded) {
            Ok(mut candidate) => {
                if self.text().is_empty() && !candidate.growth.is_empty() {
                    candidate.kind = JoinKind::First;
                }
                self.take(&candidate, Confidence::Certain)
            }
            Err(failure) => JoinOutcome::Failed(failure),
        }
    }

    /// Returns the possible joins of an ambiguous reply that no later reply has decided, at most
    /// eight, the most plausible first.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Joins one of the [`candidates`](Self::candidates). Returns `None` if the index is out of
    /// bounds.
    pub fn accept(&mut self, index: usize) -> Option<JoinOutcome> {
        let candidate = self.candidates.get(index)?.clone();
        Some(self.take(&candidate, Confidence::Likely))
    }

    /// Returns the JSON text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        self.trunk.parser.text()
    }

    /// Returns the root of the document so far; `None` before its first byte.
    #[must_use]
    pub fn root(&self) -> Option<Value<'_>> {
        self.trunk.parser.root()
    }

    /// Returns whether the document is complete and no reply is ambiguous. A root number is
    /// complete only when white space follows it, because more digits may arrive.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.trunk.grammar.is_complete() && self.candidates.is_empty()
    }

    /// Returns whether the document is complete if no further reply follows: like
    /// [`is_complete`](Self::is_complete), but true for a root number.
    #[must_use]
    pub fn is_complete_at_end(&self) -> bool {
        self.candidates.is_empty() && self.trunk.grammar.is_complete_at_end()
    }

    /// Resets the accumulator for another document, keeping its limits.
    pub fn reset(&mut self) {
        self.trunk.parser.reset();
        self.trunk.grammar = Grammar::default();
        self.trunk.held = Held::default();
        self.refused = false;
        self.candidates.clear();
        self.is_partial = false;
        self.habit = 0;
    }

    fn join(&mut self, reply: &DecodedReply<'_>) -> JoinOutcome {
        let verdict = if self.candidates.is_empty() {
            self.trunk.judge(reply, self.limits, self.refused)
        } else {
            self.judge_branches(reply)
        };
        match verdict.by_habit(self.habit) {
            Verdict::Take(ranked, confidence) => {
                if ranked.candidate.kind == JoinKind::Overlapped {
                    self.habit = ranked.candidate.overlap;
                }
                self.take(&ranked.candidate, confidence)
            }
            Verdict::Choose(several) => {
                self.refused |= self.text().is_empty();
                let (candidates, is_partial) = kept(several);
                self.is_partial |= is_partial;
                self.candidates = candidates;
                JoinOutcome::Ambiguous(self.candidates.clone())
            }
            Verdict::Fail(failure) => {
                self.refused |= self.text().is_empty();
                JoinOutcome::Failed(failure)
            }
        }
    }

    fn judge_branches(&self, reply: &DecodedReply<'_>) -> Verdict {
        let mut readings = Readings::new(self.is_partial);
        for candidate in &self.candidates {
            let mut branch = self.trunk.clone();
            branch.held = candidate.held.clone();
            let verdict = match branch.grow(&candidate.growth, self.limits) {
                Ok(()) => branch.judge(reply, self.limits, self.refused),
                Err(failure) => Verdict::Fail(failure),
            };
            readings.add(candidate, verdict);
        }
        let verdict = self.trunk.judge(reply, self.limits, self.refused);
        readings.add_base(&self.candidates, self.text().is_empty(), verdict);
        readings.decide()
    }

    fn take(&mut self, candidate: &Candidate, confidence: Confidence) -> JoinOutcome {
        match self.trunk.grow(&candidate.growth, self.limits) {
            Ok(()) => {
                self.candidates.clear();
                self.is_partial = false;
                self.trunk.held = candidate.held.clone();
                JoinOutcome::Joined(Join::of(candidate, confidence))
            }
            Err(failure) => JoinOutcome::Failed(failure),
        }
    }

    pub(super) fn save(&self) -> Saved<'_> {
        Saved {
            text: Cow::Borrowed(self.text()),
            held: self.trunk.held.clone(),
            refused: self.refused,
            limits: self.limits,
            candidates: self.candidates.clone(),
            is_partial: self.is_partial,
            habit: self.habit,
        }
    }

    pub(super) fn restore(saved: Saved<'_>) -> Result<Self, JoinFailure> {
        let mut accumulator = Self::new().limits(saved.limits);
        accumulator.trunk.grow(&saved.text, saved.limits)?;
        accumulator.trunk.held = saved.held;
        accumulator.refused = saved.refused;
        accumulator.candidates = saved.candidates;
        accumulator.is_partial = saved.is_partial;
        accumulator.habit = saved.habit;
        Ok(accumulator)
    }
}

impl Trunk {
    fn base(&self, limits: Limits, refused: bool) -> Base<'_> {
        Base {
            text: self.parser.text(),
            grammar: &self.grammar,
            limits,
            held: &self.held,
            root: self.parser.root(),
            refused,
        }
    }

    fn judge(&self, reply: &DecodedReply<'_>, limits: Limits, refused: bool) -> Verdict {
        judge(HypothesisSearch::of(self.base(limits, refused), reply))
    }

    /// Appends text, if it continues the text so far. What the grammar accepts, the parser accepts
    /// as well.
    fn grow(&mut self, growth: &str, limits: Limits) -> Result<(), JoinFailure> {
        let len = self.parser.text().len();
        let limit = limits.document_bytes;
        if len + growth.len() > limit as usize {
            let error = Error::new(Reason::DocumentTooLarge(limit), limit as usize);
            return Err(JoinFailure::Limit(error));
        }
        let mut probe = Probe::new(&self.grammar, limits);
        if let Err(Stop { at, limit }) = probe.run(growth.as_bytes(), 0) {
            let error = |reason| Error::new(reason, len + at);
            return Err(limit.map_or(JoinFailure::DoesNotContinue, |reason| {
                JoinFailure::Limit(error(reason))
            }));
        }
        self.grammar = probe.into_grammar();
        let pushed = self.parser.push(growth).map(drop);
        debug_assert!(pushed.is_ok(), "the parser accepts what the grammar does");
        pushed.map_err(JoinFailure::Limit)
    }
}

/// Omits the payload.
impl fmt::Debug for Accumulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accumulator")
            .field("bytes", &self.text().len())
            .field("complete", &self.is_complete())
            .field("candidates", &self.candidates.len())
            .finish_non_exhaustive()
    }
}
