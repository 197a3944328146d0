//! Replies that are a new wrapper, or a bare array, around only the rest.
//!
//! `{"sections":[1, 2` and `{"sections":[2, 3]}`, or `[2, 3]`: the model repeats the brackets and
//! names that lead to the cut, but not the elements before it. The wrapper is dropped up to its
//! first element, if that continues the truncated element or follows the last one; the closing
//! brackets of the wrapper then close the open containers of the text.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;

use super::JoinKind;
use super::evidence::is_evident;
use super::hypothesis::{Hypothesis, Joint, Match, Old};
use super::normalize::{Pattern, QuoteState};
use super::overlap::Overlaps;
use super::search::{HypothesisSearch, MOST_EVIDENCE};
use super::segment::Segment;
use crate::document::{Kind, PartialPolicy, Value};
use crate::json::{TokenPlace, decode, skip_whitespace, string_end, value_end};

/// How many open containers are considered, from the root.
const MOST_LEVELS: usize = 32;
/// How many elements of wrappers are matched with the text.
const MOST_ELEMENTS: usize = 12;
/// How many existing members a wrapper may repeat, and how many siblings are compared.
const MOST_MEMBERS: usize = 32;

impl<'a> HypothesisSearch<'a> {
    /// Searches for the rest in a wrapper. If the wrapper may represent any of several open
    /// containers, each of them is a hypothesis.
    pub(crate) fn rest(&mut self, tried: &[Segment]) {
        let levels = self.open_containers();
        let mut budget = MOST_ELEMENTS;
        for segment in tried {
            let before = self.found.len();
            let text = self.reply.text.as_bytes().get(..segment.range.end);
            let at = skip_whitespace(text.unwrap_or_default(), segment.range.start);
            for level in 0..levels.len() {
                self.wrapper(&levels, level, segment, at, &mut budget);
            }
            if self.found.len() > before {
                return;
            }
        }
    }

    /// Returns whether the innermost open array has another number that is at least as long as the
    /// last one would be with `more` digits: `[11,1` and `2]`.
    pub(crate) fn has_longer_number(&self, more: usize) -> bool {
        let Some(array) = self.open_containers().pop() else {
            return false;
        };
        let digits = |value: Value<'_>| value.as_number().map_or(0, str::len);
        let len = array.last().map_or(0, digits) + more;
        let others = array
            .elements()
            .take(array.len().saturating_sub(1).min(MOST_MEMBERS));
        others.map(digits).any(|other| other >= len)
    }

    /// Returns whether the innermost open container is an array of two or more elements of one
    /// kind.
    pub(crate) fn ends_in_uniform_array(&self) -> bool {
        self.open_containers().pop().is_some_and(is_uniform)
    }

    /// Returns the open arrays and objects, from the root.
    fn open_containers(&self) -> Vec<Value<'a>> {
        let is_open = |value: &Value<'a>| value.kind().is_container() && !value.is_complete();
        let root = self.base.root.filter(is_open);
        core::iter::successors(root, |value| value.last().filter(is_open))
            .take(MOST_LEVELS)
            .collect()
    }

    /// Descends into the wrapper at `at`, which represents the open container at `level`, until an
    /// element continues the text.
    fn wrapper(
        &mut self,
        levels: &[Value<'a>],
        level: usize,
        segment: &Segment,
        at: usize,
        budget: &mut usize,
    ) {
        let reply = self.reply;
        let text = reply.text.as_bytes().get(..segment.range.end);
        let text = text.unwrap_or_default();
        let mut at = at;
        for (index, container) in levels.iter().enumerate().skip(level) {
            match (container.kind(), text.get(at)) {
                (Kind::Array, Some(b'[')) => {
                    at = skip_whitespace(text, at + 1);
                    let Some(left) = budget.checked_sub(1) else {
                        return;
                    };
                    *budget = left;
                    let element = Segment {
                        range: at..segment.range.end,
                        ..segment.clone()
                    };
                    let depth = levels.len() - (index + 1);
                    if self.element(&element, *container, depth) {
                        return;
                    }
                }
                (Kind::Object, Some(b'{')) => {
                    let child = levels.get(index + 1);
                    let value = child.and_then(|child| member(text, at + 1, *container, *child));
                    let Some(value) = value else { return };
                    at = value;
                }
                _ => return,
            }
        }
    }

    /// Adds the hypotheses that the text continues with this element of a wrapper around `array`,
    /// in which `depth` containers are open: it is the truncated element, or repeats the last ones,
    /// or, in the innermost array, follows them. Returns whether there is such a hypothesis.
    fn element(&mut self, element: &Segment, array: Value<'a>, depth: usize) -> bool {
        let before = self.found.len();
        let start = element.range.start;
        let text = self.reply.text.get(element.range.clone());
        let text = text.unwrap_or_default();
        if text.is_empty() || text.starts_with(']') {
            return false;
        }
        let pattern = Pattern::of(text.as_bytes(), QuoteState::Outside);
        let tail = &self.tail;
        let overlaps = Overlaps::of(&pattern.bytes, &tail.bytes, |_| false);
        let lengths: Vec<usize> = overlaps.lengths().take(16).collect();
        let starts_element = |at: usize| {
            let before = at.checked_sub(1).and_then(|before| tail.bytes.get(before));
            let is_start = matches!(before, Some(b'[' | b','));
            is_start
                && tail.place(at) == Some(QuoteState::Outside)
                && tail.depth_from(at) == Some(depth)
        };
        let matching = lengths.iter().enumerate().find_map(|(index, &len)| {
            let at = tail.len() - len;
            let is_evident =
                index < MOST_EVIDENCE && is_evident(tail, &pattern, len, &lengths[index + 1..]);
            let counts = is_evident || tail.starts_open_element(at);
            (starts_element(at) && counts).then_some(Match {
                at,
                len,
                is_evident,
            })
        });
        if let Some(matching) = matching {
            let joint = Joint {
                is_rest: true,
                ..Joint::after(matching)
            };
            self.check(element, start + pattern.end_of(matching.len), joint);
        }
        // `[true` and `[true]`: the same element again, or another one that is equal. A truncated
        // number is the same element.
        let is_complete = self.base.grammar.token() == TokenPlace::Between;
        let may_follow = matching.is_none_or(|matching| !matching.is_evident && is_complete);
        if depth == 0 && may_follow && (is_like(array, text) || !is_uniform(array)) {
            let comma = match self.base.grammar.token() {
                TokenPlace::Between => Some(!self.base.grammar.expects_value()),
                TokenPlace::Number { .. } => Some(true),
                TokenPlace::String | TokenPlace::Escape | TokenPlace::Literal => None,
            };
            if let Some(comma) = comma {
                let joint = Joint {
                    comma,
                    is_rest: true,
                    ..Joint::exact()
                };
                self.check(element, start, joint);
            }
        }
        // A document that starts again with its members in another order is not the rest.
        if self
            .found
            .get(before)
            .is_some_and(|found| found.duplicates_name)
        {
            self.found.truncate(before);
        }
        self.found.len() > before
    }

    /// Returns whether the value at the start of `text` may be a sibling of the last element or
    /// member, by its kind and first name: `{"error":"quota exceeded"}` is not a sibling of
    /// `{"x":"one"}`.
    pub(crate) fn is_like_siblings(&self, text: &str) -> bool {
        let innermost = self.open_containers().pop();
        innermost.is_some_and(|container| match container.kind() {
            Kind::Array => is_like(container, text),
            _ => text.starts_with('"'),
        })
    }

    /// Drops the hypothesis that the reply is an element, or that it is a wrapper around the rest,
    /// if its kind does not fit the existing elements.
    ///
    /// | text | reply | element? | wrapper? |
    /// | --- | --- | --- | --- |
    /// | `[1,` | `[2, 3]` | no, because the elements are numbers | yes |
    /// | `[[1],` | `[[2], [3]]` | possible | possible |
    /// | `[[1],` | `[2, 3]` | yes | no, because the elements are arrays |
    /// | `{"days":[{"d` | `{"days":[{"date":1}]}` | no, its names lead to the cut | yes |
    pub(crate) fn drop_unlike(&mut self) {
        let is_rest = |found: &Hypothesis| found.kind == JoinKind::RestOnly;
        let is_other = |found: &Hypothesis| !is_rest(found) && !found.adds_nothing();
        let rests = self.found.iter().filter(|found| is_rest(found)).count();
        if rests == 0 || !self.found.iter().any(is_other) {
            return;
        }
        let reply = &self.reply.text;
        let text_of = |found: &Hypothesis| {
            let start = found.segment.range.start;
            reply
                .get(start..found.segment.range.end)
                .unwrap_or_default()
        };
        // The wrapper contains a name that leads to the cut if all other hypotheses are objects
        // without evidence.
        let has_name = rests == 1
            && self
                .found
                .iter()
                .filter(|found| is_other(found))
                .all(|found| {
                    text_of(found).trim_start().starts_with('{') && found.evidence_bytes() == 0
                });
        let may_be_element = self.base.grammar.expects_value();
        let array = self.open_containers().pop();
        let Some(array) = array.filter(|array| array.kind() == Kind::Array) else {
            if has_name && !may_be_element {
                self.found.retain(|found| !is_other(found));
            }
            return;
        };
        let like = |found: &Hypothesis| {
            let text = reply.get(found.new.clone()).unwrap_or_default();
            !array.is_empty() && is_like(array, text.trim_start())
        };
        let is_exact =
            |found: &Hypothesis| is_other(found) && found.old == Old::Nothing && !found.added_comma;
        if !self.found.iter().any(is_exact) || !is_uniform(array) {
            return;
        }
        let is_like_element = self.found.iter().filter(|found| is_exact(found)).all(like);
        let is_like_rest = self.found.iter().filter(|found| is_rest(found)).all(like);
        match (is_like_element, is_like_rest) {
            (true, false) => self.found.retain(|found| !is_rest(found)),
            (false, true) => self.found.retain(|found| !is_exact(found)),
            (true, true) | (false, false) => {}
        }
    }
}

/// Returns the offset of the value of the wrapper's member that leads to `child`. `at` is the first
/// member; all members before `child` have to equal those of `object`.
fn member(text: &[u8], at: usize, object: Value<'_>, child: Value<'_>) -> Option<usize> {
    let name_of_child = child.name();
    let mut at = skip_whitespace(text, at);
    for _ in 0..MOST_MEMBERS {
        if text.get(at) != Some(&b'"') {
            return None;
        }
        let (end, _) = string_end(text, at + 1).ok()?;
        let name = core::str::from_utf8(text.get(at + 1..end)?).ok()?;
        let colon = skip_whitespace(text, end + 1);
        if text.get(colon) != Some(&b':') {
            return None;
        }
        let value = skip_whitespace(text, colon + 1);
        let name = decode(name);
        if name == name_of_child {
            return Some(value);
        }
        let own = object.get(&*name).filter(|own| own.is_complete())?;
        let end = value_end(text, value);
        let own = own.to_json(PartialPolicy::default());
        let compact = |text: &[u8]| Pattern::of(text, QuoteState::Outside).bytes;
        if compact(text.get(value..end)?) != compact(own.as_bytes()) {
            return None;
        }
        at = skip_whitespace(text, end);
        if text.get(at) != Some(&b',') {
            return None;
        }
        at = skip_whitespace(text, at + 1);
    }
    None
}

/// Returns whether the value at the start of `text` has the kind of the last complete element of an
/// array, if there is one, and whether an object starts with one of the names of that element.
fn is_like(array: Value<'_>, text: &str) -> bool {
    let Some(sibling) = array.last().filter(|last| is_ended(*last)) else {
        return true;
    };
    let is_string_like = |name: &str| text.starts_with(name);
    match sibling.kind() {
        Kind::Null | Kind::True | Kind::False => {
            ["null", "true", "false"].into_iter().any(is_string_like)
        }
        Kind::Number => text.starts_with(|c: char| c.is_ascii_digit() || c == '-'),
        Kind::String => text.starts_with('"'),
        Kind::Array => text.starts_with('['),
        Kind::Object => first_name(text).is_some_and(|name| {
            sibling.is_empty()
                || sibling
                    .members()
                    .take(MOST_MEMBERS)
                    .any(|(own, _)| own == name)
        }),
    }
}

/// Returns whether an array has two or more elements and the first [`MOST_MEMBERS`] are of one
/// kind.
fn is_uniform(array: Value<'_>) -> bool {
    let mut kinds = array.elements().take(MOST_MEMBERS).map(Value::kind);
    let first = kinds.next();
    array.len() >= 2 && kinds.all(|kind| Some(kind) == first)
}

/// Returns whether a value is complete, or a number, which may be complete at the end of the text.
fn is_ended(value: Value<'_>) -> bool {
    value.is_complete() || value.kind() == Kind::Number
}

/// Returns the name that an object starts with.
pub(crate) fn first_name(text: &str) -> Option<String> {
    let text = text.as_bytes();
    let at = skip_whitespace(text, 1);
    if text.first() != Some(&b'{') || text.get(at) != Some(&b'"') {
        return None;
    }
    let (end, _) = string_end(text, at + 1).ok()?;
    let name = core::str::from_utf8(text.get(at + 1..end)?).ok()?;
    Some((*decode(name)).to_owned())
}
