//! The text of a value, compared with the last snapshot while it is written.
//!
//! # For maintainers
//!
//! The new text is the last snapshot up to the first difference, what has been written since, and
//! what has been compared since the cursor resumed:
//!
//! ```text
//! last   ...first..............copied....at...
//! new    ...first|written......|compared.|
//! ```
//!
//! A token that is equal only moves the cursor. One that differs is written, and the cursor is lost
//! until the next place where both texts meet again:
//!
//! | where it is lost | last | new | resumes |
//! | --- | --- | --- | --- |
//! | at a value | `"x"`, `[]` | `"xy"`, `null` | after the value |
//! | in a container, at a name, a comma or the closing bracket | `…]` | `…,3]` | after it |
//!
//! So one longer string costs one string, and one more member or element what follows it in its
//! container. The cursor never moves back: all comparisons together are linear in both texts.
//!
//! Wherever the cursor resumes, the text is right, because each byte that is copied was compared
//! with what would have been written. Two things are not compared byte by byte:
//!
//! - A string is compared as if it needed no escapes. So one that has a quote or backslash can be
//!   mistaken for other raw text: `a","b` is in `["a","b"]`. To notice that at the end is cheaper
//!   than to search each string for them: the quotes and backslashes of the last snapshot are
//!   counted once, and the strings that were found must have as many, two each. If not, the text is
//!   not exact, and the value is written again, with a cursor that is lost from the start.
//! - A number ends where its text ends in both: `1` is no part of `12`. (Were it taken for one, the
//!   comma after it would differ, and the container would be written to its end.)

use alloc::string::String;
use core::fmt::{self, Display, Write as _};
use core::ops::Range;

use super::compare::{count_marks, is_same, short_integer};
use super::escape::{Escaping, SameContent, strip_content, write_string};
use super::number::NumberText;
use crate::json::{ends_scalar, skip_plain, value_end};

/// How the text of a value differs from the last snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    None,
    /// What was written is in place of these bytes.
    Replaced(Range<usize>),
}

/// How a container was entered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entered {
    /// Where both texts have the bracket.
    Same,
    /// Where the last snapshot has another value, which starts there.
    InPlaceOf(usize),
    /// Where the cursor was lost before.
    Lost,
}

pub(super) struct DiffText<'a> {
    /// The last snapshot.
    last: &'a str,
    /// What of it has not been compared. Empty while the cursor is lost, so that no comparison
    /// succeeds.
    rest: &'a [u8],
    /// Where the first difference is, once there is one.
    first: Option<usize>,
    /// Up to where `last` has been copied or passed over.
    copied: usize,
    /// Where the cursor is lost, if it is.
    lost: Option<usize>,
    /// How many quotes and backslashes are in what of `last` has been neither compared nor passed
    /// over, if no string has been mistaken. It may have wrapped around.
    marks: usize,
    /// What has been written, from the first difference on.
    text: &'a mut String,
}

impl<'a> DiffText<'a> {
    /// Compares with `last`, which has that many quotes and backslashes.
    pub(super) fn new(last: &'a str, marks: usize, text: &'a mut String) -> Self {
        debug_assert!(text.is_empty(), "the text starts here");
        Self {
            last,
            rest: last.as_bytes(),
            first: None,
            copied: 0,
            lost: None,
            marks,
            text,
        }
    }

    /// Compares with nothing: all of the text is written, in place of all of `last`.
    pub(super) fn lost(last: &'a str, text: &'a mut String) -> Self {
        let mut diff = Self::new(last, count_marks(last.as_bytes()), text);
        diff.lose();
        diff
    }

    /// Returns how long the text is.
    pub(super) fn len(&self) -> usize {
        let compared = match self.lost {
            None => self.at() - self.copied,
            Some(_) => 0,
        };
        self.first.unwrap_or_default() + self.text.len() + compared
    }

    /// Ends the text.
    pub(super) fn finish(mut self) -> Difference {
        let is_at_end = self.lost.is_none() && self.rest.is_empty() && !self.last.is_empty();
        match self.first {
            None if is_at_end => Difference::None,
            Some(first) if is_at_end => Difference::Replaced(first..self.copied),
            Some(_) | None => {
                self.lose();
                Difference::Replaced(self.first.unwrap_or_default()..self.last.len())
            }
        }
    }

    /// Whether no string was mistaken for other raw text so far.
    pub(super) fn is_exact(&self) -> bool {
        let from = self.lost.unwrap_or(self.at());
        count_marks(self.last.as_bytes().get(from..).unwrap_or_default()) == self.marks
    }

    /// Where the cursor is, unless it is lost.
    fn at(&self) -> usize {
        self.last.len() - self.rest.len()
    }

    /// Leaves the last snapshot: the token that is next differs. Returns where, unless it was left
    /// before.
    #[cold]
    #[inline(never)]
    fn lose(&mut self) -> Option<usize> {
        if self.lost.is_some() {
            return None;
        }
        let at = self.at();
        if self.first.is_none() {
            self.first = Some(at);
        } else {
            let compared = self.last.get(self.copied..at);
            debug_assert!(compared.is_some(), "what was compared are complete tokens");
            self.text.push_str(compared.unwrap_or_default());
        }
        self.rest = &[];
        self.lost = Some(at);
        self.lost
    }

    /// Continues to compare at that place of the last snapshot.
    fn resume(&mut self, at: usize) {
        let passed = self.last.as_bytes().get(self.lost.unwrap_or(at)..at);
        self.pass_marks(passed.unwrap_or_default());
        self.rest = self.last.as_bytes().get(at..).unwrap_or_default();
        self.copied = self.at();
        self.lost = None;
    }

    /// Takes the quotes and backslashes of what was compared or passed over.
    fn pass_marks(&mut self, passed: &[u8]) {
        self.marks = self.marks.wrapping_sub(count_marks(passed));
    }

    /// Moves the cursor after a string without escapes.
    #[inline]
    fn pass_plain(&mut self, rest: &'a [u8]) {
        self.rest = rest;
        self.marks = self.marks.wrapping_sub(2);
    }

    /// Moves the cursor after strings that may have escapes.
    fn pass_strings(&mut self, rest: &'a [u8]) {
        let before = core::mem::replace(&mut self.rest, rest);
        self.pass_marks(before.get(..before.len() - rest.len()).unwrap_or_default());
    }

    /// Writes a value other than that of the last snapshot, which is passed over.
    #[cold]
    #[inline(never)]
    fn replace(&mut self, write: impl FnOnce(&mut String)) {
        let at = self.lose();
        write(self.text);
        if let Some(at) = at {
            self.resume(value_end(self.last.as_bytes(), at));
        }
    }

    /// Passes over a comma, colon or bracket, if it is next in the last snapshot.
    #[inline]
    pub(super) fn is_next(&mut self, mark: u8) -> bool {
        match self.rest.split_first() {
            Some((&byte, rest)) if byte == mark => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Writes a comma, colon or bracket.
    #[inline]
    pub(super) fn punctuation(&mut self, mark: u8) {
        if !self.is_next(mark) {
            self.other_punctuation(mark);
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn other_punctuation(&mut self, mark: u8) {
        self.lose();
        self.text.push(mark.into());
    }

    /// Opens an array or object.
    #[inline]
    pub(super) fn open(&mut self, bracket: u8) -> Entered {
        if self.is_next(bracket) {
            Entered::Same
        } else {
            self.open_other(bracket)
        }
    }

    #[cold]
    #[inline(never)]
    fn open_other(&mut self, bracket: u8) -> Entered {
        let at = self.lose();
        self.text.push(bracket.into());
        at.map_or(Entered::Lost, Entered::InPlaceOf)
    }

    /// Closes an array or object that was entered like that.
    #[inline]
    pub(super) fn close(&mut self, bracket: u8, entered: Entered) {
        if !self.is_next(bracket) {
            self.close_other(bracket, entered);
        }
    }

    #[cold]
    #[inline(never)]
    fn close_other(&mut self, bracket: u8, entered: Entered) {
        self.other_punctuation(bracket);
        match (entered, self.lost) {
            (Entered::Same, Some(at)) => self.resume(container_end(self.last.as_bytes(), at)),
            (Entered::InPlaceOf(at), _) => self.resume(value_end(self.last.as_bytes(), at)),
            (Entered::Same, None) | (Entered::Lost, _) => {}
        }
    }

    /// Passes over the name of a member with its colon, and the comma before all but the first, if
    /// they are next in the last snapshot.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "names of fields are constants")]
    pub(super) fn is_member_next(&mut self, name: &str, is_first: bool) -> bool {
        let is_start = if is_first {
            self.rest.first() == Some(&b'"')
        } else {
            self.rest.first_chunk() == Some(b",\"")
        };
        let start = if is_first { 1 } else { 2 };
        if is_start
            && let Some((raw, rest)) = self.rest[start..].split_at_checked(name.len())
            && rest.first_chunk() == Some(b"\":")
            && is_same(raw, name.as_bytes())
        {
            self.pass_plain(&rest[2..]);
            return true;
        }
        false
    }

    /// Writes the name of a member.
    pub(super) fn name(&mut self, name: &str) {
        match self.after_escaped_string(name) {
            Some(rest) => self.pass_strings(rest),
            None => self.other_name(|text| write_string(name, text)),
        }
    }

    #[cold]
    #[inline(never)]
    fn other_name(&mut self, write: impl FnOnce(&mut String)) {
        self.lose();
        write(self.text);
    }

    /// Writes a string.
    #[inline]
    pub(super) fn string(&mut self, text: &str) {
        match self.after_plain_string(text) {
            Some(rest) => self.pass_plain(rest),
            None => self.other_string(text),
        }
    }

    #[cold]
    #[inline(never)]
    fn other_string(&mut self, text: &str) {
        // Without escapes it would have been found before.
        if skip_plain(text.as_bytes(), 0) == text.len() {
            self.replace(|out| out.extend(["\"", text, "\""]));
        } else if let Some(rest) = self.after_escaped_string(text) {
            self.pass_strings(rest);
        } else {
            self.replace(|out| write_string(text, out));
        }
    }

    /// Returns what follows the string in the last snapshot, if it is next there and needs no
    /// escapes.
    #[inline]
    fn after_plain_string(&self, text: &str) -> Option<&'a [u8]> {
        let [b'"', content @ ..] = self.rest else {
            return None;
        };
        let (raw, [b'"', rest @ ..]) = content.split_at_checked(text.len())? else {
            return None;
        };
        is_same(raw, text.as_bytes()).then_some(rest)
    }

    /// Returns what follows the string in the last snapshot, if it is next there.
    fn after_escaped_string(&self, text: &str) -> Option<&'a [u8]> {
        strip_content(self.rest.strip_prefix(b"\"")?, text)?.strip_prefix(b"\"")
    }

    /// Writes an integer, of which `magnitude` is the absolute value.
    #[inline]
    pub(super) fn integer(&mut self, magnitude: u64, is_negative: bool) {
        match self.after_integer(magnitude, is_negative) {
            Some(rest) => self.rest = rest,
            None => self.other_integer(magnitude, is_negative),
        }
    }

    #[cold]
    #[inline(never)]
    fn other_integer(&mut self, magnitude: u64, is_negative: bool) {
        self.scalar(NumberText::integer(magnitude, is_negative).as_str());
    }

    /// Returns what follows the integer in the last snapshot, if it is next there. To read it is
    /// cheaper than to write the other one; it has one spelling only, since there are no zeros
    /// before the first digit. Long ones, and those at the end, are left to `other_integer`.
    #[inline]
    fn after_integer(&self, magnitude: u64, is_negative: bool) -> Option<&'a [u8]> {
        let digits = if is_negative {
            self.rest.strip_prefix(b"-")?
        } else {
            self.rest
        };
        let (integer, len) = short_integer(digits)?;
        let rest = digits.get(len..)?;
        let is_integer = !matches!(rest.first(), Some(b'.' | b'e' | b'E'));
        (integer == magnitude && is_integer).then_some(rest)
    }

    /// Writes a number or literal.
    #[inline]
    pub(super) fn scalar(&mut self, scalar: &str) {
        match self.after_scalar(scalar) {
            Some(rest) => self.rest = rest,
            None => self.replace(|out| out.push_str(scalar)),
        }
    }

    /// Writes a value that is JSON text already.
    pub(super) fn raw(&mut self, text: &str) {
        match self.after_scalar(text) {
            Some(rest) => self.pass_strings(rest),
            None => self.replace(|out| out.push_str(text)),
        }
    }

    #[inline]
    fn after_scalar(&self, scalar: &str) -> Option<&'a [u8]> {
        let rest = self.rest.strip_prefix(scalar.as_bytes())?;
        (rest.first().is_none_or(|byte| ends_scalar(*byte))).then_some(rest)
    }

    /// Writes a string that is formatted, as a name or as a value.
    pub(super) fn display(
        &mut self,
        value: &(impl Display + ?Sized),
        is_name: bool,
    ) -> fmt::Result {
        if let Some((b'"', rest)) = self.rest.split_first() {
            let mut same = SameContent(rest);
            if write!(same, "{value}").is_ok()
                && let Some(rest) = same.0.strip_prefix(b"\"")
            {
                self.pass_strings(rest);
                return Ok(());
            }
        }
        let mut result = Ok(());
        let write = |out: &mut String| {
            out.push('"');
            result = write!(Escaping(out), "{value}");
            out.push('"');
        };
        if is_name {
            self.other_name(write);
        } else {
            self.replace(write);
        }
        result
    }
}

/// Returns the index after the container that `at` is in, at the start of a token. The end of the
/// text if that is first.
fn container_end(text: &[u8], mut at: usize) -> usize {
    while let Some(byte) = text.get(at) {
        match byte {
            b'}' | b']' => return at + 1,
            _ => at = value_end(text, at).max(at + 1),
        }
    }
    at
}
