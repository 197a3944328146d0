//! The last snapshot: what is the same as in there says nothing new.
//!
//! Each container of the tree remembers where its text was in the last snapshot, from the start of
//! its parent. If the same bytes are in the snapshot, at any place, one `memcmp` shows it, and all
//! of the container can be skipped: an unchanged value carries no information, and what was
//! contradicted in it was reported then.
//!
//! # For maintainers
//!
//! - A place counts from that of the parent, so it stays true while the parent is skipped. It must
//!   be written, or invalidated (`raw_len` 0), by every pass that does not skip the parent.
//! - A container that a snapshot does not have, or that it contradicts entirely, gets no place.
//! - After a pass that was undone no place counts (`State::is_placed`): the next one starts from
//!   [`NOWHERE`](super::NOWHERE) and writes all of them.
//! - The commonest snapshot of all is the last one with a longer open string. It needs no pass, in
//!   any order of members: [`LastSnapshot::growth`].
//!
//!   ```text
//!   last      {"days":[…],"bio":"Born in","age":32}      [`OpenEnd`] is the quote after `in`
//!   snapshot  {"days":[…],"bio":"Born in Rome","age":32} the growth is ` Rome`
//!             |same             |same   |new |same     |
//!   ```
//!
//!   `OpenEnd` is set by a pass that saw the open string and had no contradictions; what follows
//!   the string there has no containers, whose places would be wrong afterwards. Without it, or
//!   with anything else that is new, there is a pass.
//! - Comparing is cheap where it fails early and where it succeeds. Where it fails late, because
//!   the end of a large container has changed, what was found equal before that need not be
//!   compared again for the containers in it: [`Equal`].

use alloc::string::String;
use core::ops::Range;

use crate::chunker::tree::make_room_for_text;
use crate::chunker::value::count_marks;
use crate::json::{floor_char_boundary, skip_plain};

/// The last snapshot that was accepted.
#[derive(Clone, Debug)]
pub(in crate::chunker) struct LastSnapshot {
    text: String,
    /// How well skipping works: 0 where containers differ nearly each time.
    score: u8,
    tries: u8,
    open_end: Option<OpenEnd>,
    /// How many quotes and backslashes are in it, once that has been counted.
    marks: Option<usize>,
}

/// Where the content of the open string ends in the last snapshot: at its closing quote. No
/// container starts after it, so that no place changes when the string grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OpenEnd(usize);

/// How long what follows the open string may be. It is searched for containers.
const SHORT: usize = 1024;

/// A part of a snapshot that is equal to a part of the last one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Equal {
    start: usize,
    end: usize,
    /// Where that part starts in the last snapshot.
    old: usize,
}

/// What a pass has found out so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Skipping {
    /// How many bytes both snapshots have in common at the start.
    prefix: usize,
    /// What was compared last.
    equal: Equal,
}

impl Skipping {
    pub(super) fn new(prefix: usize) -> Self {
        Self {
            prefix,
            equal: Equal::default(),
        }
    }
}

/// The score before anything is known.
const FIRST: u8 = 8;

/// The highest score. With any but 0, each container is compared.
const BEST: u8 = 32;

/// How much a container that is skipped adds; one that has changed takes 1.
const GAIN: u8 = 2;

/// Where the score is 0, one container in this many is compared nevertheless.
const RETRY: u8 = 64;

impl Default for LastSnapshot {
    fn default() -> Self {
        Self {
            text: String::new(),
            score: FIRST,
            tries: 0,
            open_end: None,
            marks: None,
        }
    }
}

impl LastSnapshot {
    pub(in crate::chunker) fn clear(&mut self) {
        self.text.clear();
        self.score = FIRST;
        self.open_end = None;
        self.marks = None;
    }

    /// Returns its text.
    pub(in crate::chunker) fn text(&self) -> &str {
        &self.text
    }

    /// Returns how many quotes and backslashes are in it.
    pub(in crate::chunker) fn marks(&mut self) -> usize {
        let text = self.text.as_bytes();
        let marks = *self.marks.get_or_insert_with(|| count_marks(text));
        debug_assert_eq!(marks, count_marks(text), "growth is plain text");
        marks
    }

    /// Returns how many bytes at the start the snapshot has in common with this one; none if it is
    /// this one.
    pub(in crate::chunker) fn compare(&self, snapshot: &[u8]) -> Option<usize> {
        let prefix = common_prefix(snapshot, self.text.as_bytes());
        (prefix < snapshot.len() || prefix < self.text.len()).then_some(prefix)
    }

    /// Returns what was added to the open string, if that is all that is new in a snapshot that
    /// starts with the same `prefix` bytes: `{"a":"x"}` and then `{"a":"xy"}`. Text with escapes is
    /// left to a pass.
    pub(in crate::chunker) fn growth<'a>(
        &self,
        snapshot: &'a str,
        prefix: usize,
    ) -> Option<&'a str> {
        let OpenEnd(start) = self.open_end.filter(|end| end.0 <= prefix)?;
        let rest = self.text.get(start..)?;
        let end = snapshot.len().checked_sub(rest.len())?;
        let growth = snapshot.get(start..end)?;
        let is_plain = skip_plain(snapshot.as_bytes(), start) == end;
        (is_plain && snapshot.ends_with(rest)).then_some(growth)
    }

    /// Returns what was added to the open string, if that is all that is new in a snapshot that has
    /// `text` in place of these bytes of this one.
    pub(in crate::chunker) fn growth_of_string<'a>(
        &self,
        replaced: &Range<usize>,
        text: &'a str,
    ) -> Option<&'a str> {
        let OpenEnd(end) = self.open_end.filter(|end| end.0 + 1 == replaced.end)?;
        let before = self.text.get(replaced.start..end)?;
        let growth = text.strip_prefix(before)?.strip_suffix('"')?;
        let is_plain = skip_plain(growth.as_bytes(), 0) == growth.len();
        (is_plain && !growth.is_empty()).then_some(growth)
    }

    /// Whether the container that starts at `start`, and was at `old` with `len` bytes, can be
    /// skipped.
    #[inline]
    pub(super) fn is_same(
        &mut self,
        skipping: &mut Skipping,
        snapshot: &[u8],
        (start, old, len): (usize, usize, usize),
    ) -> bool {
        let end = start + len;
        if start == old && end <= skipping.prefix {
            return true;
        }
        if self.score == 0 {
            self.tries = (self.tries + 1) % RETRY;
            if self.tries != 0 {
                return false;
            }
        }
        self.compare_container(skipping, snapshot, (start, old, len))
    }

    #[inline(never)]
    fn compare_container(
        &mut self,
        skipping: &mut Skipping,
        snapshot: &[u8],
        (start, old, len): (usize, usize, usize),
    ) -> bool {
        let end = start + len;
        let Equal { start: from, .. } = skipping.equal;
        if start >= from && start - from + skipping.equal.old == old && end <= skipping.equal.end {
            return true;
        }
        let rest = snapshot.get(start..).unwrap_or_default();
        let before = self.text.as_bytes().get(old..old + len);
        let before = before.unwrap_or_default();
        let same = common_prefix(rest, before);
        skipping.equal = Equal {
            start,
            end: start + same,
            old,
        };
        if same == len {
            self.score = (self.score + GAIN).min(BEST);
        } else {
            self.score = self.score.saturating_sub(1);
        }
        same == len
    }

    /// Accepts a snapshot as the last one, `prefix` bytes of which are the same. `string_end` is
    /// where the open string ends, if the pass saw it.
    pub(in crate::chunker) fn accept(
        &mut self,
        snapshot: &str,
        prefix: usize,
        string_end: Option<usize>,
    ) {
        // What is before the prefix is the same in both, so it ends a character in both or none.
        let same = floor_char_boundary(snapshot, prefix);
        let more = snapshot.get(same..).unwrap_or_default();
        let replaced = self.text.get(same..).unwrap_or_default();
        self.marks = (self.marks)
            .map(|marks| marks - count_marks(replaced.as_bytes()) + count_marks(more.as_bytes()));
        self.text.truncate(same);
        make_room_for_text(&mut self.text, more.len());
        self.text.push_str(more);
        let is_flat = |end: &usize| {
            let rest = snapshot.as_bytes().get(*end..).unwrap_or_default();
            rest.len() <= SHORT && !has_brackets(rest)
        };
        debug_assert!(
            string_end.is_none_or(|end| self.text.as_bytes().get(end) == Some(&b'"')),
            "an open string ends with a quote"
        );
        self.open_end = string_end.filter(is_flat).map(OpenEnd);
    }

    /// Accepts a snapshot in which nothing but the open string has grown, by plain text.
    pub(in crate::chunker) fn accept_growth(&mut self, growth: &str) {
        if let Some(OpenEnd(end)) = &mut self.open_end {
            make_room_for_text(&mut self.text, growth.len());
            self.text.insert_str(*end, growth);
            *end += growth.len();
        }
    }
}

/// Whether there is a `[` or `{`, which differ in one bit.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "a loop without an early end compiles to vector instructions"
)]
fn has_brackets(text: &[u8]) -> bool {
    let or_bracket = |found, byte: &u8| found | (byte | 0x20 == b'{');
    text.iter().fold(false, or_bracket)
}

/// Returns how many bytes at the start are the same.
#[inline]
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    // Most containers that were moved differ at once.
    match (a.first_chunk::<16>(), b.first_chunk::<16>()) {
        (Some(a), Some(b)) if a != b => {
            let differ = u128::from_le_bytes(*a) ^ u128::from_le_bytes(*b);
            differ.trailing_zeros() as usize / 8
        }
        _ => long_common_prefix(a, b),
    }
}

/// The same in blocks, large ones first.
fn long_common_prefix(a: &[u8], b: &[u8]) -> usize {
    let len = a.len().min(b.len());
    let (a, b) = (&a[..len], &b[..len]);
    let mut same = 0;
    for block in [4096, 256, 32] {
        while len - same >= block && a[same..][..block] == b[same..][..block] {
            same += block;
        }
    }
    while let (Some(a), Some(b)) = (a[same..].first_chunk(), b[same..].first_chunk()) {
        let differ = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differ != 0 {
            return same + differ.trailing_zeros() as usize / 8;
        }
        same += 8;
    }
    while same < len && a[same] == b[same] {
        same += 1;
    }
    same
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn common_prefix_is_that_of_a_loop_over_bytes() {
        for len in [0, 1, 15, 16, 17, 33, 300, 5000, 9000] {
            let a: Vec<u8> = (0..len).map(|n| (n % 251) as u8).collect();
            assert_eq!(common_prefix(&a, &a), len);
            for differs in [0, 1, 7, 15, 16, 31, 32, 255, 256, 4095, 4096, 4097, 8500] {
                let mut b = a.clone();
                if let Some(byte) = b.get_mut(differs) {
                    *byte ^= 1;
                    assert_eq!(common_prefix(&a, &b), differs);
                    assert_eq!(common_prefix(&a[..len - 1], &b), differs.min(len - 1));
                }
            }
        }
    }
}
