//! Searches for the ways in which a reply may continue the text.
//!
//! Each way is a place in the reply where new text starts. Such places are found by matching, in
//! linear time and ignoring white space between tokens: the reply is new from its start, or its
//! start is the end of the text, or all of it occurs in the text. The [grammar](super::check) then
//! decides whether the text stays JSON, and [rank](super::rank) how certain that join is.

use alloc::vec::Vec;

use super::evidence::is_evident;
use super::grammar::Grammar;
use super::hypothesis::{GrammarEvidence, Hypothesis, Joint, Match, Old};
use super::normalize::{Pattern, QuoteState, Tail, starts_with};
use super::overlap::Overlaps;
use super::segment::{Segment, after_dots, after_lead, after_lines, documents, pieces};
use super::split_char::{CharFix, DecodedReply, Held, LOST};
use super::{Candidate, JoinFailure, JoinKind};
use crate::document::Value;
use crate::error::Error;
use crate::json::TokenPlace;
use crate::limits::Limits;
use crate::wrapping::{BLANK, is_blank, leading_blank};

/// The number of bytes at the end of the text that are searched, if that is more than twice the
/// length of the reply.
pub(crate) const WINDOW: usize = 64 * 1024;
/// The maximum number of overlaps of one segment, or possible starts of a document, that are
/// checked.
const MOST_CHECKS: usize = 16;
/// The number of the longest overlaps of one segment that may be evidence. Each one is searched for
/// in the text again.
pub(crate) const MOST_EVIDENCE: usize = 2;

/// The text that a reply is joined to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base<'a> {
    pub(crate) text: &'a str,
    pub(crate) grammar: &'a Grammar,
    pub(crate) limits: Limits,
    pub(crate) held: &'a Held,
    pub(crate) root: Option<Value<'a>>,
    /// Whether a reply before the text was refused, so that the text may not be the first document.
    pub(crate) refused: bool,
}

impl Base<'_> {
    pub(crate) fn ends_in_string(&self) -> bool {
        self.grammar.token().is_string()
    }
}

/// The search for hypotheses about one reply.
#[derive(Debug)]
pub(crate) struct HypothesisSearch<'a> {
    pub(crate) base: Base<'a>,
    pub(crate) reply: &'a DecodedReply<'a>,
    pub(crate) tail: Tail,
    pub(crate) found: Vec<Hypothesis>,
    /// Whether a limit of the search was reached, so that a join may have been missed.
    pub(crate) truncated: bool,
    /// Whether the comma between the last element of the text and the reply may be missing.
    pub(crate) may_lack_comma: bool,
    pub(crate) limit: Option<Error>,
}

impl<'a> HypothesisSearch<'a> {
    fn new(base: Base<'a>, reply: &'a DecodedReply<'a>) -> Self {
        let window = WINDOW + 2 * reply.text.len();
        Self {
            base,
            reply,
            tail: Tail::of(base.text, base.grammar.token(), window),
            found: Vec::new(),
            truncated: false,
            may_lack_comma: false,
            limit: None,
        }
    }

    /// Returns the candidate of a reply that is known to continue at the exact byte.
    pub(crate) fn exact(
        base: Base<'a>,
        reply: &'a DecodedReply<'a>,
    ) -> Result<Candidate, JoinFailure> {
        let mut search = Self::new(base, reply);
        let candidate = search.continued();
        candidate.ok_or_else(|| search.failure())
    }

    /// Searches for all hypotheses about a reply.
    pub(crate) fn of(base: Base<'a>, reply: &'a DecodedReply<'a>) -> Self {
        let mut search = Self::new(base, reply);
        let (pieces, all) = pieces(&reply.text, base.ends_in_string());
        search.truncated |= !all;
        if search.is_first() {
            search.first(&pieces);
        } else {
            search.next(&pieces);
        }
        search
    }

    pub(crate) fn is_first(&self) -> bool {
        self.base.text.is_empty()
    }

    /// Returns why no hypothesis was found.
    pub(crate) fn failure(&self) -> JoinFailure {
        if let Some(error) = &self.limit {
            JoinFailure::Limit(error.clone())
        } else if self.is_first() {
            JoinFailure::NoJson
        } else if self.base.grammar.is_complete() {
            JoinFailure::AlreadyComplete
        } else {
            JoinFailure::DoesNotContinue
        }
    }

    fn first(&mut self, pieces: &[Segment]) {
        for piece in pieces {
            self.check(piece, piece.range.start, Joint::exact());
        }
        if !self.found.is_empty() {
            return;
        }
        let mut checks = 0;
        let mut from = 0;
        let reply = &self.reply.text;
        for document in pieces.iter().flat_map(|piece| documents(reply, piece)) {
            if document.range.start < from {
                continue;
            }
            if checks == MOST_CHECKS {
                self.truncated = true;
                return;
            }
            checks += 1;
            self.check(&document, document.range.start, Joint::exact());
            from = self.found.last().map_or(from, |found| found.new.end);
        }
    }

    fn next(&mut self, pieces: &[Segment]) {
        let reply = &self.reply.text;
        let mut tried = Vec::new();
        for piece in pieces {
            let before = self.found.len();
            self.try_segment(piece);
            tried.push(piece.clone());
            for segment in after_lead(reply, piece) {
                if self.base.ends_in_string() || !self.adds_since(before) {
                    self.try_segment(&segment);
                    tried.push(segment);
                }
            }
            if let Some(segment) = after_dots(reply, piece) {
                self.try_segment(&segment);
            }
            for segment in after_lines(reply, piece) {
                let skipped = reply.get(piece.range.start..segment.range.start);
                if !skipped.is_some_and(is_blank) && self.adds_since(before) {
                    break;
                }
                self.try_segment(&segment);
                tried.push(segment);
            }
        }
        // `{"a":[1` and `{"a":[1,2]}`: a reply that starts again does not contain only the rest. A
        // bare array in an array may be either.
        let is_array = reply.trim_start().starts_with('[');
        let starts_again = |found: &Hypothesis| {
            let restarts = [JoinKind::RestartedFurther, JoinKind::RestartedShorter];
            restarts.contains(&found.kind) || (found.evidence_bytes() > 0 && !is_array)
        };
        if !self.found.iter().any(starts_again) {
            self.rest(&tried);
        }
        self.commas(&tried);
    }

    /// Adds the hypotheses with a comma that both the text and the reply lack, because the model
    /// stopped after an element: `{"a":[{"x":"one"}` and `{"x":"two"}]}`.
    fn commas(&mut self, tried: &[Segment]) {
        let is_number = match self.base.grammar.token() {
            TokenPlace::Between => false,
            TokenPlace::Number { is_whole: true } => true,
            TokenPlace::Number { .. }
            | TokenPlace::String
            | TokenPlace::Escape
            | TokenPlace::Literal => return,
        };
        for segment in tried {
            let text = self.reply.text.get(segment.range.clone());
            let text = text.unwrap_or_default().trim_start_matches(BLANK);
            // `{"error":"quota exceeded"}` does not follow `{"x":"one"}`, but `1]}` follows
            // anything, because it is not a document by itself.
            if !self.is_like_siblings(text) && self.is_a_document(segment) {
                continue;
            }
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            if is_number && digits > 0 {
                self.may_lack_comma = true;
                // `[11,1` and `2]` are `[11,12]`, because another number is as long as `12`.
                if self.has_longer_number(digits) {
                    continue;
                }
            }
            let joint = Joint {
                comma: true,
                ..Joint::exact()
            };
            self.check(segment, segment.range.start, joint);
            if self.found.iter().any(|found| found.added_comma) {
                self.found
                    .retain(|found| !(found.added_comma && found.duplicates_name));
                self.may_lack_comma = true;
                return;
            }
        }
    }

    fn adds_since(&self, before: usize) -> bool {
        let since = self.found.get(before..).unwrap_or_default();
        since.iter().any(|found| !found.adds_nothing())
    }

    fn try_segment(&mut self, segment: &Segment) {
        let start = segment.range.start;
        self.check(segment, start, Joint::exact());
        let text = self
            .reply
            .text
            .get(segment.range.clone())
            .unwrap_or_default();
        self.matches(segment, start);
        // The match may start after half a character, which is U+FFFD in the reply.
        let lost = text.len() - text.trim_start_matches(LOST).len();
        if lost > 0 {
            self.matches(segment, start + lost);
        }
    }

    /// Searches for the start of a segment at the end of the text, and for all of it in the text.
    fn matches(&mut self, segment: &Segment, start: usize) {
        let bytes = self.reply.text.as_bytes();
        let bytes = bytes.get(start..segment.range.end).unwrap_or_default();
        for place in QuoteState::ALL {
            if !self.tail.has(place) {
                continue;
            }
            let pattern = Pattern::of(bytes, place);
            if pattern.bytes.is_empty() {
                continue;
            }
            let tail = &self.tail;
            let is_place = |at| tail.place(at) == Some(place);
            let overlaps = Overlaps::of(&pattern.bytes, &tail.bytes, is_place);
            let mut lengths: Vec<usize> = (overlaps.lengths())
                .filter(|len| is_place(tail.len() - len))
                .take(MOST_CHECKS + 1)
                .collect();
            self.truncated |= lengths.len() > MOST_CHECKS;
            lengths.truncate(MOST_CHECKS);
            let matches: Vec<Match> = (lengths.iter().enumerate())
                .map(|(index, &len)| Match {
                    at: tail.len() - len,
                    len,
                    is_evident: index < MOST_EVIDENCE
                        && is_evident(tail, &pattern, len, &lengths[index + 1..]),
                })
                .collect();
            for matching in matches {
                let new = start + pattern.end_of(matching.len);
                self.check(segment, new, Joint::after(matching));
            }
            let far = place == QuoteState::Outside && !self.tail.is_entire;
            if let Some(at) = overlaps.inside {
                let from_start = self.tail.is_entire && at == 0;
                self.nothing_new(segment, pattern.bytes.len(), from_start);
            } else if far && starts_with(self.base.text, &pattern) {
                self.nothing_new(segment, pattern.bytes.len(), true);
            }
        }
    }

    /// Adds the hypothesis that all of the segment is in the text already.
    fn nothing_new(&mut self, segment: &Segment, len: usize, from_start: bool) {
        let end = segment.range.end;
        self.push(Hypothesis {
            kind: if from_start {
                JoinKind::RestartedShorter
            } else {
                JoinKind::Repeated
            },
            new: end..end,
            fix: CharFix::default(),
            segment: segment.clone(),
            old: Old::Inside { len },
            evidence: GrammarEvidence::Nothing,
            completes: self.base.grammar.is_complete(),
            before_prose: false,
            duplicates_name: false,
            added_comma: false,
        });
    }

    /// Adds a hypothesis, unless another one appends the same text: then the one with the longer
    /// match is kept, because it explains more of the reply.
    pub(crate) fn push(&mut self, found: Hypothesis) {
        let same = (self.found.iter()).position(|other| self.is_same(&found, other));
        match same.and_then(|at| self.found.get_mut(at)) {
            None => self.found.push(found),
            Some(other) if found.matched() > other.matched() => *other = found,
            Some(_) => {}
        }
    }

    fn is_same(&self, one: &Hypothesis, other: &Hypothesis) -> bool {
        if one.adds_nothing() || other.adds_nothing() {
            return one.adds_nothing() && other.adds_nothing();
        }
        let start = |found: &Hypothesis| {
            let new = self.reply.text.get(found.new.clone()).unwrap_or_default();
            let blank = if self.base.ends_in_string() {
                0
            } else {
                leading_blank(new)
            };
            found.new.start + blank
        };
        (one.fix, one.added_comma) == (other.fix, other.added_comma)
            && one.new.end == other.new.end
            && start(one) == start(other)
    }
}
