//! Looking ahead: what a quote, a closer or a word means is told by what follows it.
//!
//! Each of these reads white space, and then a word or one string at the most, up to its next quote.
//! They are asked once at each quote, closer or word, and stop short of the next but one, so no byte
//! is read more than a constant number of times.

use super::count;
use super::scalar::is_scalar;
use crate::document::Kind;
use crate::json::skip_whitespace;

/// A quote that some text has around its strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    /// `"`
    Double,
    /// `'`
    Single,
    /// A single backtick.
    Backtick,
    /// One of “ ” „ ‟.
    CurlyDouble,
    /// One of ‘ ’ ‚ ‛.
    CurlySingle,
}

impl Quote {
    /// The quote at `at`.
    pub(super) fn at(bytes: &[u8], at: usize) -> Option<Self> {
        match bytes.get(at..)? {
            [b'"', ..] => Some(Self::Double),
            [b'\'', ..] => Some(Self::Single),
            [b'`', b'`', b'`', ..] => None,
            [b'`', ..] => Some(Self::Backtick),
            [0xE2, 0x80, 0x9C..=0x9F, ..] => Some(Self::CurlyDouble),
            [0xE2, 0x80, 0x98..=0x9B, ..] => Some(Self::CurlySingle),
            _ => None,
        }
    }

    /// In bytes.
    pub(super) const fn len(self) -> usize {
        match self {
            Self::Double | Self::Single | Self::Backtick => 1,
            Self::CurlyDouble | Self::CurlySingle => 3,
        }
    }

    /// Whether `other` can end what this begins.
    pub(super) fn is_ended_by(self, other: Self) -> bool {
        self == other
            || matches!(
                (self, other),
                (Self::CurlyDouble, Self::Double) | (Self::CurlySingle, Self::Single)
            )
    }

    /// Whether two of these in a string are likely a pair around a word: not so apostrophes.
    pub(super) const fn comes_in_pairs(self) -> bool {
        matches!(self, Self::Double | Self::CurlyDouble)
    }
}

/// The text, to look ahead in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead<'a>(pub(super) &'a [u8]);

impl Ahead<'_> {
    /// The first byte at or after `at` that is no white space, and where it is.
    pub(super) fn next(self, at: usize) -> (usize, Option<u8>) {
        let start = at;
        let at = skip_whitespace(self.0, at);
        count(at - start);
        (at, self.0.get(at).copied())
    }

    pub(super) fn starts_with(self, at: usize, start: &[u8]) -> bool {
        self.0.get(at..).is_some_and(|rest| rest.starts_with(start))
    }

    pub(super) fn is_fence(self, at: usize) -> bool {
        self.starts_with(at, b"```")
    }

    /// Whether a comment starts there; a number sign could be one of a text.
    pub(super) fn is_comment(self, at: usize) -> bool {
        self.starts_with(at, b"//") || self.starts_with(at, b"/*")
    }

    /// Whether one of these bytes comes next, or nothing that counts.
    pub(super) fn is_before(self, at: usize, then: &[u8]) -> bool {
        let (at, next) = self.next(at);
        next.is_none_or(|next| then.contains(&next)) || self.is_comment(at) || self.is_fence(at)
    }

    /// Whether a string starts there, and then one of these bytes comes, or the text ends.
    pub(super) fn is_string_before(self, at: usize, then: &[u8]) -> bool {
        let Some(open) = Quote::at(self.0, at) else {
            return false;
        };
        let mut end = at + open.len();
        loop {
            count(1);
            match self.0.get(end) {
                None => return true,
                Some(b'\\') => end += 2,
                Some(_) => match Quote::at(self.0, end) {
                    Some(quote) if open.is_ended_by(quote) => {
                        return self.is_before(end + quote.len(), then);
                    }
                    Some(_) | None => end += 1,
                },
            }
        }
    }

    /// The end of the word at `at`: letters, digits and what else is in names and numbers.
    pub(super) fn word_end(self, at: usize) -> usize {
        let rest = self.0.iter().enumerate().skip(at);
        let is_inside = |(at, byte): &(usize, &u8)| match byte {
            b'_' | b'$' | b'-' | b'+' | b'.' => true,
            _ if byte.is_ascii() => byte.is_ascii_alphanumeric(),
            _ => Quote::at(self.0, *at).is_none(),
        };
        let len = rest.take_while(is_inside).count();
        count(len);
        at + len
    }

    /// Whether a word starts there, and then one of these bytes comes, or the text ends.
    pub(super) fn is_word_before(self, at: usize, then: &[u8]) -> bool {
        let end = self.word_end(at);
        end > at && self.is_before(end, then)
    }

    /// Whether a name without quotes, or without the first, is there, and a colon behind it.
    fn is_bare_name(self, at: usize) -> bool {
        let end = self.word_end(at);
        let quote = usize::from(self.starts_with(end, b"\""));
        end > at && self.is_before(end + quote, b":")
    }

    /// Whether words without a quote among them are there, up to a comma, the end of
    /// the line or of the array.
    fn is_bare_string(self, at: usize) -> bool {
        let rest = self.0.get(at..).unwrap_or_default();
        let end = rest.iter().position(|byte| b",]\"\n".contains(byte));
        count(end.unwrap_or(rest.len()));
        end.is_some_and(|end| rest.get(end) != Some(&b'"'))
    }

    /// Whether a number or literal is there, or the start of one that the text ends in.
    pub(super) fn is_scalar(self, at: usize) -> bool {
        let end = self.word_end(at);
        let word = self.0.get(at..end).unwrap_or_default();
        is_scalar(word, end == self.0.len())
    }

    /// Whether a `+` is there and then a string, or nothing yet.
    pub(super) fn is_concatenation(self, at: usize) -> bool {
        let (next, byte) = self.next(at + 1);
        self.starts_with(at, b"+") && (byte.is_none() || Quote::at(self.0, next).is_some())
    }

    /// Whether behind a comma, at `at`, an object or array goes on. Where that is `doubtful`, what
    /// comes has to be beyond doubt itself.
    pub(super) fn continues(self, container: Kind, at: usize, doubtful: bool) -> bool {
        let (at, next) = self.next(at);
        let Some(next) = next else { return true };
        if matches!(next, b'}' | b']' | b',') || self.is_comment(at) || self.starts_with(at, b"...")
        {
            return true;
        }
        let is_quote = Quote::at(self.0, at).is_some();
        match container {
            Kind::Object if is_quote => !doubtful || self.is_string_before(at, b":"),
            Kind::Object => self.is_bare_name(at) || (next == b'{' && !doubtful),
            _ if is_quote => !doubtful || self.is_string_before(at, b",]"),
            _ => {
                matches!(next, b'{' | b'[')
                    || self.is_word_before(at, b",]")
                    || (!doubtful && (self.is_scalar(at) || self.is_bare_string(at)))
            }
        }
    }

    /// Whether what is at `at` can come behind a closer, in that container or at the end.
    pub(super) fn may_follow(self, container: Option<Kind>, at: usize) -> bool {
        let (at, next) = self.next(at);
        match (container, next) {
            (_, None) => true,
            (None, Some(next)) => !matches!(next, b',' | b'}' | b']'),
            (Some(Kind::Object), Some(b',')) => {
                let (at, next) = self.next(at + 1);
                Quote::at(self.0, at).is_some()
                    || next.is_none_or(|next| matches!(next, b'}' | b']'))
                    || self.is_word_before(at, b":")
            }
            (Some(Kind::Object), Some(next)) => !matches!(next, b'{' | b'['),
            (Some(_), Some(next)) => next != b':',
        }
    }
}
