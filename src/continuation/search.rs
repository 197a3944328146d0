//! In which ways a reply may go on with the text.
//!
//! Every way is a place in the reply from where on it is new. Such a place is found by matching,
//! in linear time: nothing of the reply is old, its start is the end of the text, all of it is in
//! the text. Whether white space stands between tokens makes no difference to that. Then the
//! [grammar](super::check) says whether the text goes on being JSON that way; how sure that is,
//! says the [verdict](super::verdict).

use alloc::vec::Vec;

use super::compact::{Pattern, Place, Tail, starts_with};
use super::found::{Found, Old, Spoken};
use super::grammar::Grammar;
use super::join::{JoinFailure, JoinKind};
use super::overlap::Overlaps;
use super::seam::{Decoded, Held, LOST, Mend};
use super::wrapping::{
    Body, behind_dots, behind_lead, behind_lines, documents, is_blank, leading_blank, pieces,
};
use crate::document::Value;
use crate::error::Error;
use crate::limits::Limits;

/// How much of the text is searched, besides twice the length of the reply.
pub(super) const WINDOW: usize = 64 * 1024;
/// How many overlaps of one body, or places where a document may start, are checked.
const MOST_CHECKS: usize = 16;

/// What a reply is to go on with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'a> {
    pub(super) text: &'a str,
    pub(super) grammar: &'a Grammar,
    pub(super) limits: Limits,
    pub(super) held: &'a Held,
    pub(super) root: Option<Value<'a>>,
    /// Whether the text is not the start of what was replied.
    pub(super) refused: bool,
}

impl Ground<'_> {
    pub(super) fn ends_in_string(&self) -> bool {
        self.grammar.token().is_string()
    }
}

/// What starts a reply and ends the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    /// Where in the tail it starts.
    pub(super) at: usize,
    pub(super) len: usize,
    pub(super) is_periodic: bool,
}

#[derive(Debug)]
pub(super) struct Search<'a> {
    pub(super) ground: Ground<'a>,
    pub(super) reply: &'a Decoded<'a>,
    pub(super) tail: Tail,
    pub(super) found: Vec<Found>,
    /// Whether there are ways that were not looked at.
    pub(super) is_cut_short: bool,
    pub(super) limit: Option<Error>,
}

impl<'a> Search<'a> {
    pub(super) fn of(ground: Ground<'a>, reply: &'a Decoded<'a>) -> Self {
        let window = WINDOW + 2 * reply.text.len();
        let mut search = Self {
            ground,
            reply,
            tail: Tail::of(ground.text, ground.grammar.token(), window),
            found: Vec::new(),
            is_cut_short: false,
            limit: None,
        };
        let (pieces, all) = pieces(&reply.text, ground.ends_in_string());
        search.is_cut_short |= !all;
        if search.is_first() {
            search.first(&pieces);
        } else {
            search.next(&pieces);
        }
        search
    }

    pub(super) fn is_first(&self) -> bool {
        self.ground.text.is_empty()
    }

    /// Why nothing was found.
    pub(super) fn failure(&self) -> JoinFailure {
        if let Some(error) = &self.limit {
            JoinFailure::Limit(error.clone())
        } else if self.is_first() {
            JoinFailure::NoJson
        } else if self.ground.grammar.is_complete() {
            JoinFailure::AlreadyComplete
        } else {
            JoinFailure::DoesNotContinue
        }
    }

    fn first(&mut self, pieces: &[Body]) {
        for piece in pieces {
            self.check(piece, piece.range.start, None);
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
                self.is_cut_short = true;
                return;
            }
            checks += 1;
            self.check(&document, document.range.start, None);
            from = self.found.last().map_or(from, |found| found.new.end);
        }
    }

    fn next(&mut self, pieces: &[Body]) {
        let reply = &self.reply.text;
        for piece in pieces {
            let before = self.found.len();
            self.body(piece);
            if (self.ground.ends_in_string() || !self.adds_since(before))
                && let Some(body) = behind_lead(reply, piece)
            {
                self.body(&body);
            }
            if let Some(body) = behind_dots(reply, piece) {
                self.body(&body);
            }
            for body in behind_lines(reply, piece) {
                let skipped = reply.get(piece.range.start..body.range.start);
                if !skipped.is_some_and(is_blank) && self.adds_since(before) {
                    break;
                }
                self.body(&body);
            }
        }
    }

    fn adds_since(&self, before: usize) -> bool {
        let since = self.found.get(before..).unwrap_or_default();
        since.iter().any(|found| !found.adds_nothing())
    }

    fn body(&mut self, body: &Body) {
        let start = body.range.start;
        self.check(body, start, None);
        let text = self.reply.text.get(body.range.clone()).unwrap_or_default();
        self.matches(body, start);
        // Half a character before what matches.
        let lost = text.len() - text.trim_start_matches(LOST).len();
        if lost > 0 {
            self.matches(body, start + lost);
        }
    }

    /// Looks for the start of a body at the end of the text, and for all of it in the text.
    fn matches(&mut self, body: &Body, start: usize) {
        let bytes = self.reply.text.as_bytes();
        let bytes = bytes.get(start..body.range.end).unwrap_or_default();
        for place in Place::ALL {
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
            self.is_cut_short |= lengths.len() > MOST_CHECKS;
            lengths.truncate(MOST_CHECKS);
            let matches: Vec<Match> = (lengths.iter().enumerate())
                .map(|(index, &len)| Match {
                    at: tail.len() - len,
                    len,
                    is_periodic: is_periodic(tail, &pattern, len, &lengths[index + 1..]),
                })
                .collect();
            for matching in matches {
                let new = start + pattern.end_of(matching.len);
                self.check(body, new, Some(matching));
            }
            let far = place == Place::Outside && !self.tail.is_whole;
            if let Some(at) = overlaps.inside {
                let from_start = self.tail.is_whole && at == 0;
                self.nothing_new(body, pattern.bytes.len(), from_start);
            } else if far && starts_with(self.ground.text, &pattern) {
                self.nothing_new(body, pattern.bytes.len(), true);
            }
        }
    }

    fn nothing_new(&mut self, body: &Body, len: usize, from_start: bool) {
        let end = body.range.end;
        self.push(Found {
            kind: if from_start {
                JoinKind::RestartedShorter
            } else {
                JoinKind::Repeated
            },
            new: end..end,
            mend: Mend::default(),
            body: body.clone(),
            old: Old::Inside { len },
            spoken: Spoken::Nothing,
            completes: self.ground.grammar.is_complete(),
            before_prose: false,
            doubles: false,
        });
    }

    /// Adds a way, unless it comes to the same as one that there is: then the one that explains
    /// more of the reply stays.
    pub(super) fn push(&mut self, found: Found) {
        let same = (self.found.iter()).position(|other| self.is_same(&found, other));
        match same.and_then(|at| self.found.get_mut(at)) {
            None => self.found.push(found),
            Some(other) if found.matched() > other.matched() => *other = found,
            Some(_) => {}
        }
    }

    fn is_same(&self, one: &Found, other: &Found) -> bool {
        if one.adds_nothing() || other.adds_nothing() {
            return one.adds_nothing() && other.adds_nothing();
        }
        let start = |found: &Found| {
            let new = self.reply.text.get(found.new.clone()).unwrap_or_default();
            let blank = if self.ground.ends_in_string() {
                0
            } else {
                leading_blank(new)
            };
            found.new.start + blank
        };
        one.mend == other.mend && one.new.end == other.new.end && start(one) == start(other)
    }
}

/// Whether what matches goes on repeating itself, before it or behind it, by what it is longer than
/// the shorter matches: then chance may have made it longer.
fn is_periodic(tail: &Tail, pattern: &Pattern, len: usize, shorter: &[usize]) -> bool {
    shorter.iter().chain(&[0]).any(|shorter| {
        let period = len - shorter;
        shorter + tail.repeats(len, period) + pattern.repeats(len, period) > period / 2
    })
}
