//! Missing closing quotes.
//!
//! A quote that does not end its string may start the next one. Then the first string ended before
//! it, at a token that is due there: `{"a":"b,"c":1}` ended at the comma.

use super::Content;
use crate::continuation::repair::options::FinishReason;
use crate::continuation::repair::repairer::Repairer;
use crate::continuation::repair::state::Frame;
use crate::continuation::repair::token::{Container, Role};

/// The most white space between a colon and its value after a name without its closing quote, in
/// bytes. More of it is not searched.
const LONGEST_GAP: usize = 80;

/// The most closers after a string without its closing quote, in bytes, white space included. More
/// of it is not searched.
const LONGEST_TAIL: usize = 128;

impl Repairer<'_> {
    /// Goes back to where the string should have ended, if the quote at this place starts the next
    /// string. Returns whether it does.
    pub(super) fn reopen(&mut self, content: &mut Content) -> bool {
        let end = match content.role {
            Role::Name => self.name_end(content),
            Role::Value => self.value_end(content),
        };
        let Some(end) = end else { return false };
        self.reopen_at(end);
        true
    }

    fn reopen_at(&mut self, end: usize) {
        self.at = end;
        self.edits.undo_from(end);
    }

    /// Returns the end of a name without its closing quote: before its first colon, if a value
    /// follows that.
    ///
    /// `{"a: 1, "b": 2}`, `{"a: "b"}`
    fn name_end(&self, content: &mut Content) -> Option<usize> {
        let bytes = self.bytes();
        if content.colon.is_none() {
            let unread = bytes.get(content.searched_to..self.at)?;
            let colon = unread.iter().position(|byte| *byte == b':');
            content.colon = colon.map(|colon| content.searched_to + colon);
            content.searched_to = self.at;
        }
        let colon = content.colon.filter(|colon| *colon > content.start)?;
        let rest = bytes.get(colon + 1..self.at)?;
        // After a colon there usually is one space or a line end.
        let blank = rest.iter().take(LONGEST_GAP);
        let blank = blank.take_while(|byte| byte.is_ascii_whitespace()).count();
        let value = rest.get(blank..)?;
        let starts_value = match value {
            [] | [b'{' | b'[' | b'-' | b'"' | b'0'..=b'9', ..] => true,
            _ => [b"true".as_slice(), b"false", b"null"]
                .iter()
                .any(|word| value.starts_with(word)),
        };
        let name = self.text.get(..colon)?.trim_ascii_end();
        (starts_value && name.len() > content.start).then_some(name.len())
    }

    /// Returns the end of a value without its closing quote: before the closers that are due and a
    /// comma or line end, if the quote at this place starts the next item.
    ///
    /// `{"a":"b,"c":1}`, `{"x":{"a":"b},"c":1}`, `[{"a":"b},{"a":"c"}]`
    fn value_end(&self, content: &Content) -> Option<usize> {
        let read = self.text.get(content.start..self.at)?;
        let opens = |text: &str| text.ends_with(['{', '[']);
        let trimmed = read.trim_ascii_end();
        let without_openers = trimmed.trim_end_matches(['{', '[', ' ', '\n', '\t', '\r']);
        let (before, opened) = if opens(trimmed) {
            (without_openers, trimmed.as_bytes().last())
        } else {
            (trimmed, None)
        };
        let gap = read.get(before.len()..)?;
        let (before, has_comma) = match before.strip_suffix(',') {
            Some(before) => (before, true),
            None => (before, false),
        };
        let (text, around) = self.without_due_closers(before);
        let has_line = gap.contains('\n') || before.get(text.len()..)?.contains('\n');
        if !has_comma && !has_line {
            return None;
        }
        let ahead = self.ahead();
        let container = match opened {
            Some(b'{') => Container::Object,
            Some(_) => Container::Array,
            None => around?.bracket.container(),
        };
        let fits = match container {
            Container::Object => ahead.is_string_before(self.at, b":"),
            // `["a","b,"c"]`, but not `["so "a", "b" or c"]`, where the comma is content, because
            // the text after the quote is not a list.
            Container::Array => {
                let is_tight = gap.is_empty() || gap.contains('\n');
                ahead.is_string_before(self.at, b",]")
                    && content.inner_quotes.is_multiple_of(2)
                    && (is_tight || self.is_listed(self.at))
            }
        };
        fits.then(|| content.start + text.trim_ascii_end().len())
    }

    /// Returns whether the string at `at` is followed by the end of the array or another element.
    fn is_listed(&self, at: usize) -> bool {
        let ahead = self.ahead();
        let Some(end) = ahead.string_end(at) else {
            return false;
        };
        match ahead.next(end) {
            (_, Some(b']')) => true,
            (comma, Some(b',')) => ahead.continues(Container::Array, comma + 1, true),
            _ => false,
        }
    }

    /// Returns the text without the due closers at its end, and the container that is open then.
    ///
    /// `b]},` in `{"a":["b]},` is `b`, because `]` closes the array and `}` the object.
    fn without_due_closers<'t>(&self, text: &'t str) -> (&'t str, Option<&Frame>) {
        let is_closer = |byte: &u8| b"}])".contains(byte);
        let trimmed = text.trim_ascii_end();
        let tail = trimmed.bytes().rev().take(LONGEST_TAIL);
        let tail = tail.take_while(|byte| is_closer(byte) || byte.is_ascii_whitespace());
        let mut start = trimmed.len() - tail.count();
        // Finds the longest run of closers each of which closes the container that is innermost by
        // then.
        loop {
            let closers = trimmed.bytes().skip(start).filter(is_closer);
            let mut frames = self.stack.iter().rev();
            let mut are_due = closers.map(|closer| {
                let frame = frames.next();
                frame.is_some_and(|frame| frame.bracket.closes_with() == closer)
            });
            if are_due.all(|is_due| is_due) {
                drop(are_due);
                let left = trimmed.get(..start).unwrap_or(trimmed);
                return (left.trim_ascii_end(), frames.next());
            }
            start += 1;
        }
    }

    /// Goes back to where the string at the end of the text should have ended: at the due closers,
    /// or at the colon after a name. Returns whether there is such a place.
    pub(super) fn reopen_at_the_end(&mut self, content: &mut Content) -> bool {
        let is_cut = match self.mode.finish_reason {
            Some(FinishReason::Truncated) => true,
            Some(FinishReason::Stopped) => false,
            None => self.mode.is_sound,
        };
        if is_cut || content.open.is_none() {
            return false;
        }
        let is_stopped = self.mode.finish_reason.is_some();
        let end = match content.role {
            Role::Name => self.name_end(content),
            Role::Value => {
                let read = self.text.get(content.start..self.at).unwrap_or_default();
                let (text, around) = self.without_due_closers(read);
                let some = text.len() < read.trim_ascii_end().len();
                let all = around.is_none();
                (some && (all || is_stopped)).then(|| content.start + text.len())
            }
        };
        let Some(end) = end else { return false };
        self.reopen_at(end);
        true
    }
}
