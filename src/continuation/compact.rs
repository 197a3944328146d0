//! Text without the white space between its tokens, so that white space makes no difference to
//! what matches.
//!
//! The end of a document is made compact from a place in the middle of it. Whether that is inside
//! of a string is told from how the text ends, backwards by the quotes: outside of strings JSON
//! has no backslash, so a quote is escaped exactly if there is an odd number of them before it.

use alloc::vec::Vec;

use super::grammar::Token;
use crate::json::skip_whitespace;

/// What there is before a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Outside,
    InString,
    /// In a string, behind the backslash of an escape.
    Escaped,
}

impl Place {
    pub(super) const ALL: [Self; 3] = [Self::Outside, Self::InString, Self::Escaped];

    const fn after(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::InString, b'\\') => Self::Escaped,
            (Self::Outside, b'"') | (Self::Escaped, _) => Self::InString,
            (Self::InString, b'"') => Self::Outside,
            (place, _) => place,
        }
    }
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Whether two of these would be another token without white space in between.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.') || byte >= 0x80
}

/// Gives every byte that is no white space between tokens, with its place and its offset. White
/// space between what must not touch is one space.
fn compact(bytes: &[u8], mut place: Place, mut give: impl FnMut(u8, Place, usize)) {
    let mut word = false;
    let mut blank = false;
    for (offset, &byte) in bytes.iter().enumerate() {
        if place == Place::Outside && is_blank(byte) {
            blank = true;
            continue;
        }
        if blank && word && is_word(byte) {
            give(b' ', place, offset - 1);
        }
        give(byte, place, offset);
        word = place == Place::Outside && is_word(byte);
        blank = false;
        place = place.after(byte);
    }
}

/// The end of the text so far, compact.
#[derive(Debug)]
pub(super) struct Tail {
    pub(super) bytes: Vec<u8>,
    /// The place of each, and whether a value or member starts there that has not ended.
    marks: Vec<(Place, bool)>,
    /// Whether it is all of the text.
    pub(super) is_whole: bool,
}

impl Tail {
    /// The last `most` bytes of a text that ends in `token`, compact.
    pub(super) fn of(text: &str, token: Token, most: usize) -> Self {
        let text = text.as_bytes();
        let mut start = text.len().saturating_sub(most);
        // So that the start is behind no half escape.
        while start > 0 && start < text.len() && text[start - 1] == b'\\' {
            start += 1;
        }
        let window = &text[start..];
        let (in_string, mut open) = look_back(window, start == 0, token);
        let place = if in_string {
            Place::InString
        } else {
            Place::Outside
        };
        let mut tail = Self {
            bytes: Vec::with_capacity(window.len()),
            marks: Vec::with_capacity(window.len()),
            is_whole: start == 0,
        };
        compact(window, place, |byte, place, offset| {
            let mut starts = false;
            while open.last().is_some_and(|open| *open <= offset) {
                open.pop();
                starts = true;
            }
            tail.bytes.push(byte);
            tail.marks.push((place, starts));
        });
        tail
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// How many bytes before the last `len` are as those that stand `period` behind them.
    pub(super) fn repeats(&self, len: usize, period: usize) -> usize {
        let before = self.len().saturating_sub(len);
        let shifted = self.bytes.get(..before + period).unwrap_or_default();
        let pairs = self.bytes[..before].iter().rev().zip(shifted.iter().rev());
        pairs.take_while(|(one, other)| one == other).count()
    }

    pub(super) fn place(&self, at: usize) -> Option<Place> {
        self.marks.get(at).map(|(place, _)| *place)
    }

    pub(super) fn has(&self, place: Place) -> bool {
        self.marks.iter().any(|(own, _)| *own == place)
    }

    /// Whether what has been cut off starts there: a value, or a member, that is open.
    pub(super) fn starts_open_element(&self, at: usize) -> bool {
        self.marks.get(at).is_some_and(|(_, starts)| *starts)
    }

    /// The string that the text ends in, as far as it is here.
    pub(super) fn open_string(&self) -> Option<&[u8]> {
        let start = (self.bytes.iter().zip(&self.marks))
            .rposition(|(byte, (place, _))| *byte == b'"' && *place == Place::Outside)?;
        self.bytes.get(start + 1..)
    }
}

/// Whether a window on the end of a text (or all of it) starts in a string, and behind which
/// offsets there is an element or a member, or its value, that has not ended, the last first.
fn look_back(window: &[u8], whole: bool, token: Token) -> (bool, Vec<usize>) {
    let mut in_string = token.is_string();
    // How many containers behind here are closed and have not begun.
    let mut closed = 0_usize;
    // Whether the start of what is open in the container at hand has been passed.
    let mut passed = false;
    let mut open = Vec::new();
    let mut at = window.len();
    while let Some(before) = at.checked_sub(1) {
        at = before;
        let byte = window[at];
        if byte == b'"' {
            let run = window[..at].iter().rev().take_while(|b| **b == b'\\');
            let escaped = run.count() % 2 == 1;
            in_string ^= !escaped;
            continue;
        }
        if in_string {
            continue;
        }
        match byte {
            b'}' | b']' => closed += 1,
            b'{' | b'[' if closed > 0 => closed -= 1,
            b'{' | b'[' => {
                if !passed {
                    open.push(at + 1);
                }
                passed = false;
            }
            b',' | b':' if closed == 0 && !passed => {
                open.push(at + 1);
                passed = byte == b',';
            }
            _ => {}
        }
    }
    if whole && !passed {
        open.push(0);
    }
    (in_string, open)
}

/// A reply, compact, if it starts in that place.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) bytes: Vec<u8>,
    offsets: Vec<u32>,
}

impl Pattern {
    pub(super) fn of(reply: &[u8], place: Place) -> Self {
        let mut pattern = Self {
            bytes: Vec::with_capacity(reply.len()),
            offsets: Vec::with_capacity(reply.len()),
        };
        compact(reply, place, |byte, _, offset| {
            pattern.bytes.push(byte);
            pattern.offsets.push(offset as u32);
        });
        pattern
    }

    /// How many bytes behind the first `len` are as those that stand `period` before them.
    pub(super) fn repeats(&self, len: usize, period: usize) -> usize {
        let behind = self.bytes.get(len..).unwrap_or_default();
        let shifted = self.bytes.get(len.saturating_sub(period)..);
        let pairs = behind.iter().zip(shifted.unwrap_or_default());
        pairs.take_while(|(one, other)| one == other).count()
    }

    /// The offset behind the first `len` bytes.
    pub(super) fn end_of(&self, len: usize) -> usize {
        let last = len.checked_sub(1).and_then(|last| self.offsets.get(last));
        last.map_or(0, |offset| *offset as usize + 1)
    }
}

/// Whether the text starts with all of `pattern`, white space apart. Linear in the length of the
/// pattern, but for white space.
pub(super) fn starts_with(text: &str, pattern: &Pattern) -> bool {
    let text = text.as_bytes();
    let mut place = Place::Outside;
    let mut at = 0;
    for &byte in &pattern.bytes {
        if place == Place::Outside {
            at = skip_whitespace(text, at);
        }
        if text.get(at) != Some(&byte) {
            return false;
        }
        place = place.after(byte);
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn tail_of(text: &str, token: Token, most: usize) -> (String, Vec<usize>) {
        let tail = Tail::of(text, token, most);
        let open = (0..tail.len()).filter(|at| tail.starts_open_element(*at));
        let open = open.collect();
        (String::from_utf8_lossy(&tail.bytes).into_owned(), open)
    }

    #[test]
    fn white_space_between_tokens_goes() {
        let (bytes, _) = tail_of("{ \"a b\" :\n[1, 2 ,\t\"x \\\" y", Token::String, 99);
        assert_eq!(bytes, r#"{"a b":[1,2,"x \" y"#);
    }

    #[test]
    fn it_is_known_where_the_window_starts() {
        let text = r#"{"a \\": "b \" c", "d": "e"#;
        let whole = Tail::of(text, Token::String, 99);
        for most in 1..text.len() {
            let tail = Tail::of(text, Token::String, most);
            let from = whole.len() - tail.len();
            assert_eq!(tail.bytes, whole.bytes[from..], "{most}");
            for at in 0..tail.len() {
                assert_eq!(tail.place(at), whole.place(from + at), "{most} {at}");
            }
        }
    }

    #[test]
    fn what_is_open_is_marked_where_it_starts() {
        for (text, token, starts) in [
            (
                r#"[1,{"a":[2,3],"b":{"c":4"#,
                Token::Between,
                &[0, 3, 14, 18, 19, 23][..],
            ),
            (r#"[1,{"a":[2,3],"#, Token::Between, &[0, 3]),
            (r#"[1,{"a":[2,3]"#, Token::Between, &[0, 3, 4, 8]),
            ("[[1],[2", Token::Between, &[0, 5, 6]),
            (r#""ab"#, Token::String, &[0]),
        ] {
            assert_eq!(tail_of(text, token, 99).1, starts, "{text}");
        }
    }
}
