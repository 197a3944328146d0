//! Lookahead: the meaning of a quote, closer or word depends on the text after it.
//!
//! Each function reads white space, and then at most a word or one string, up to its next quote. It
//! is called once for each quote, closer or word and stops before the one after the next, so every
//! byte is read a bounded number of times.

use super::cost::{Credit, count};
use super::quote::Quote;
use super::token::{Container, TokenKind};
use super::word::is_scalar;
use crate::json::{byte_order_mark_len, closing_quote, skip_whitespace};

/// A view of the text for lookahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookahead<'a> {
    pub(super) bytes: &'a [u8],
    /// The text is an escaped document, whose line feeds may be escaped: `{\n\"a\": 1}`.
    pub(super) escaped: bool,
}

impl<'a> Lookahead<'a> {
    pub(super) const fn new(bytes: &'a [u8], escaped: bool) -> Self {
        Self { bytes, escaped }
    }

    /// Returns the token that starts with this byte at `at`.
    pub(super) fn token(self, at: usize, byte: u8) -> TokenKind {
        match byte {
            b'{' => TokenKind::OpenBrace,
            b'[' => TokenKind::OpenBracket,
            b'(' if self.is_tuple(at) => TokenKind::OpenParenthesis,
            b'}' | b']' | b')' => TokenKind::Close,
            b',' => TokenKind::Comma,
            b';' => TokenKind::Semicolon,
            b':' => TokenKind::Colon,
            b'=' => TokenKind::Equals,
            b'+' => TokenKind::Plus,
            _ => match self.quote(at) {
                Some(quote) => TokenKind::Quote(quote),
                None => TokenKind::Word,
            },
        }
    }

    /// Returns the length of the character at `at` if it is white space that JSON does not allow.
    pub(super) fn other_space(self, at: usize) -> Option<usize> {
        match self.bytes.get(at..)? {
            // A no-break space.
            [0xC2, 0xA0, ..] => Some(2),
            // U+2000 to U+200B, line and paragraph separators, a narrow no-break space; an
            // ideographic space.
            [0xE2, 0x80, 0x80..=0x8B | 0xA8 | 0xA9 | 0xAF, ..] | [0xE3, 0x80, 0x80, ..] => Some(3),
            rest if byte_order_mark_len(rest) > 0 => Some(byte_order_mark_len(rest)),
            _ => self.escaped_space(at).map(|_| 2),
        }
    }

    /// Returns the white space that the escape at `at` represents in an escaped document.
    pub(super) fn escaped_space(self, at: usize) -> Option<&'static str> {
        if !self.escaped {
            return None;
        }
        match self.bytes.get(at..)? {
            [b'\\', b'n', ..] => Some("\n"),
            [b'\\', b'r', ..] => Some("\r"),
            [b'\\', b't', ..] => Some("\t"),
            _ => None,
        }
    }

    /// Returns the quote that starts a string at `at`.
    pub(super) fn quote(self, at: usize) -> Option<Quote> {
        Quote::opening(self.bytes, at)
    }

    /// Returns the first byte at or after `at` that is not white space, with its offset.
    pub(super) fn next(self, at: usize) -> (usize, Option<u8>) {
        let start = at;
        let mut at = skip_whitespace(self.bytes, at);
        while let Some(len) = self.other_space(at) {
            at = skip_whitespace(self.bytes, at + len);
        }
        count(at - start);
        (at, self.bytes.get(at).copied())
    }

    pub(super) fn starts_with(self, at: usize, start: &[u8]) -> bool {
        self.bytes
            .get(at..)
            .is_some_and(|rest| rest.starts_with(start))
    }

    /// Returns whether a fence starts at `at`.
    pub(super) fn is_fence(self, at: usize) -> bool {
        self.starts_with(at, b"```")
    }

    /// Returns whether a comment starts at `at`. `#` is left to the caller, because it occurs in
    /// text.
    pub(super) fn is_comment(self, at: usize) -> bool {
        self.starts_with(at, b"//") || self.starts_with(at, b"/*")
    }

    /// Returns whether one of the bytes `then` is next, or a comment, a fence or the end of the
    /// text.
    pub(super) fn is_before(self, at: usize, then: &[u8]) -> bool {
        let (at, next) = self.next(at);
        next.is_none_or(|next| then.contains(&next)) || self.is_comment(at) || self.is_fence(at)
    }

    /// Returns the end of the string at `at`, if there is one: after the first quote that may end
    /// it, or the end of the text.
    pub(super) fn string_end(self, at: usize) -> Option<usize> {
        let open = self.quote(at)?;
        let mut end = at + open.len();
        while let Some(byte) = self.bytes.get(end) {
            count(1);
            match (open.end_at(self.bytes, end), byte) {
                (Some(len), _) => return Some(end + len),
                (None, b'\\') => end += 2,
                (None, _) => end += 1,
            }
        }
        Some(self.bytes.len())
    }

    /// Returns whether a string starts at `at` and one of the bytes `then`, or the end of the text,
    /// follows it.
    pub(super) fn is_string_before(self, at: usize, then: &[u8]) -> bool {
        let end = self.string_end(at);
        end.is_some_and(|end| self.is_before(end, then))
    }

    /// Returns the end of the word at `at`: letters, digits, and `_`, `$`, `-`, `+` and `.`.
    pub(super) fn word_end(self, at: usize) -> usize {
        let rest = self.bytes.iter().enumerate().skip(at);
        let is_inside = |(at, byte): &(usize, &u8)| match byte {
            b'_' | b'$' | b'-' | b'+' | b'.' => true,
            _ if byte.is_ascii() => byte.is_ascii_alphanumeric(),
            _ => Quote::at(self.bytes, *at).is_none(),
        };
        let len = rest.take_while(is_inside).count();
        count(len);
        at + len
    }

    /// Returns whether a word starts at `at` and one of the bytes `then`, or the end of the text,
    /// follows it.
    pub(super) fn is_word_before(self, at: usize, then: &[u8]) -> bool {
        let end = self.word_end(at);
        end > at && self.is_before(end, then)
    }

    /// Returns whether a name without quotes, or without the first one, starts at `at` and a colon
    /// follows it.
    fn is_bare_name(self, at: usize) -> bool {
        let end = self.word_end(at);
        let quote = usize::from(self.starts_with(end, b"\""));
        end > at && self.is_before(end + quote, b":")
    }

    /// Returns whether the text at `at`, up to a comma or the end of the line or array, contains no
    /// quote.
    fn is_bare_string(self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let end = rest.iter().position(|byte| b",]\"\n".contains(byte));
        count(end.unwrap_or(rest.len()));
        end.is_some_and(|end| rest.get(end) != Some(&b'"'))
    }

    /// Returns whether a number or literal starts at `at`, or a prefix of one at the end of the
    /// text.
    pub(super) fn is_scalar(self, at: usize) -> bool {
        let end = self.word_end(at);
        let word = self.bytes.get(at..end).unwrap_or_default();
        is_scalar(word, end == self.bytes.len())
    }

    /// Returns whether a `+` is at `at` and a string, or the end of the text, follows it.
    pub(super) fn is_concatenation(self, at: usize) -> bool {
        let (next, byte) = self.next(at + 1);
        self.starts_with(at, b"+") && (byte.is_none() || self.quote(next).is_some())
    }

    /// Returns whether an object or array may continue at `at`, after a comma. If the comma may be
    /// content of a string, more evidence is required: it is not enough that `"b"` starts with a
    /// quote, a colon has to follow it.
    pub(super) fn continues(self, container: Container, at: usize, may_be_content: bool) -> bool {
        let (at, next) = self.next(at);
        let Some(next) = next else { return true };
        // The most common: the next name or string.
        if next == b'"' && !may_be_content {
            return true;
        }
        if matches!(next, b'}' | b']' | b',') || self.is_comment(at) || self.starts_with(at, b"...")
        {
            return true;
        }
        let is_quote = self.quote(at).is_some();
        match container {
            Container::Object if is_quote => !may_be_content || self.is_string_before(at, b":"),
            Container::Object => self.is_bare_name(at) || (next == b'{' && !may_be_content),
            Container::Array if is_quote => !may_be_content || self.is_string_before(at, b",]"),
            Container::Array => {
                matches!(next, b'{' | b'[')
                    || self.is_word_before(at, b",]")
                    || (!may_be_content && (self.is_scalar(at) || self.is_bare_string(at)))
            }
        }
    }

    /// Returns whether the token at `at` can follow a closer in that container, or at the root.
    pub(super) fn may_follow(self, container: Option<Container>, at: usize) -> bool {
        let (at, next) = self.next(at);
        match (container, next) {
            (_, None) => true,
            (None, Some(next)) => !matches!(next, b',' | b'}' | b']'),
            (Some(Container::Object), Some(b',')) => {
                let (at, next) = self.next(at + 1);
                self.quote(at).is_some()
                    || next.is_none_or(|next| matches!(next, b'}' | b']'))
                    || self.is_word_before(at, b":")
            }
            (Some(Container::Object), Some(next)) => !matches!(next, b'{' | b'['),
            (Some(_), Some(next)) => next != b':',
        }
    }

    /// Returns whether the parenthesis at `at` is a bracket rather than text: `(1, 2)`, but not
    /// `(see below)`.
    pub(super) fn is_tuple(self, at: usize) -> bool {
        let (at, next) = self.next(at + 1);
        match next {
            Some(b'{' | b'[' | b'(' | b')') => true,
            _ => self.quote(at).is_some() || (self.is_scalar(at) && self.is_word_before(at, b",)")),
        }
    }

    /// Returns whether the brace at `at` starts a set: elements without colons.
    ///
    /// `{1, 2}`, `{"a"}` and `{(1, 2)}`, but not `{"a", "b": 1}`, where a value is missing.
    pub(super) fn is_set(self, at: usize) -> bool {
        let (first, next) = self.next(at + 1);
        if next == Some(b'(') {
            return self.is_tuple(first);
        }
        let item_end = |at: usize| match self.string_end(at) {
            Some(end) => end,
            None => self.word_end(at),
        };
        let end = item_end(first);
        if end == first || end == self.bytes.len() {
            return false;
        }
        match self.next(end) {
            (_, Some(b'}')) => true,
            (comma, Some(b',')) => {
                let (second, next) = self.next(comma + 1);
                let end = item_end(second);
                next == Some(b'}')
                    || (end > second && matches!(self.next(end), (_, Some(b',' | b'}'))))
            }
            _ => false,
        }
    }

    /// Returns the end of the name of the call at `at`, which is before its parenthesis:
    /// `ObjectId(`, `new Date(`.
    pub(super) fn call(self, at: usize) -> Option<usize> {
        let new = if self.starts_with(at, b"new ") { 4 } else { 0 };
        let rest = self.bytes.get(at + new..)?;
        let is_inside = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let name = rest.iter().take_while(is_inside).count();
        count(name);
        let end = at + new + name;
        let is_name = rest.first().is_some_and(u8::is_ascii_alphabetic);
        (is_name && self.starts_with(end, b"(") && self.is_tuple(end)).then_some(end)
    }

    /// Returns the indentation of the token at `at` as a number of spaces and tabs; `None` if it is
    /// not the first token of a line.
    pub(super) fn indentation(self, at: usize) -> Option<usize> {
        let before = self.bytes.get(..at)?;
        let blank = before.iter().rev();
        let blank = blank
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        count(blank);
        let line = before.len() - blank;
        let starts = line > 0 && before.get(line - 1) == Some(&b'\n');
        starts.then_some(blank)
    }

    /// Returns the end of the JSON that starts with the bracket at `at`, after the matching closer.
    /// `None` if that is not before `limit`, if a closer does not match, or if the credit is used
    /// up.
    pub(super) fn balanced_end(
        self,
        at: usize,
        limit: usize,
        credit: &mut Credit,
    ) -> Option<usize> {
        let limit = limit.min(at.saturating_add(credit.left()));
        let mut here = at;
        let end = closing_bracket(self.bytes.get(..limit)?, &mut here);
        credit.take(here - at);
        end
    }
}

/// Returns the end of the container that starts at `here`, and moves `here` to the end of what was
/// read.
fn closing_bracket(bytes: &[u8], here: &mut usize) -> Option<usize> {
    const DEEPEST: usize = 128;
    let mut open = [0_u8; DEEPEST];
    let mut depth = 0;
    loop {
        match bytes.get(*here)? {
            byte @ (b'{' | b'[') => {
                *open.get_mut(depth)? = byte + 2;
                depth += 1;
            }
            byte @ (b'}' | b']') => {
                depth = depth.checked_sub(1)?;
                if open.get(depth) != Some(byte) {
                    return None;
                }
                if depth == 0 {
                    return Some(*here + 1);
                }
            }
            b'"' => {
                let end = closing_quote(bytes, *here + 1);
                *here = end.unwrap_or(bytes.len());
            }
            _ => {}
        }
        *here += 1;
    }
}
