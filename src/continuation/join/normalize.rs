//! Removes the white space between tokens, so that it makes no difference to matching.
//!
//! The end of a document is normalized from a place in the middle of it. Whether that place is in a
//! string follows from how the text ends, counting quotes backwards. That is possible because JSON
//! has no backslash outside of strings: a quote is escaped exactly if an odd number of backslashes
//! precedes it.

use alloc::vec::Vec;

use crate::json::{TokenPlace, is_whitespace, skip_whitespace};

/// The state of the text before a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuoteState {
    Outside,
    InString,
    /// In a string, after the backslash of an escape.
    Escaped,
}

impl QuoteState {
    pub(crate) const ALL: [Self; 3] = [Self::Outside, Self::InString, Self::Escaped];

    pub(crate) const fn is_in_string(self) -> bool {
        matches!(self, Self::InString | Self::Escaped)
    }

    const fn after(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::InString, b'\\') => Self::Escaped,
            (Self::Outside, b'"') | (Self::Escaped, _) => Self::InString,
            (Self::InString, b'"') => Self::Outside,
            (place, _) => place,
        }
    }
}

/// Returns whether two such bytes would form another token without white space between them.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.') || byte >= 0x80
}

/// Calls `emit` with every byte except white space between tokens, with its place and offset. White
/// space between two words becomes one space, because `1 2` is not `12`.
fn compact(bytes: &[u8], mut place: QuoteState, mut emit: impl FnMut(u8, QuoteState, usize)) {
    let mut word = false;
    let mut blank = false;
    for (offset, &byte) in bytes.iter().enumerate() {
        if place == QuoteState::Outside && is_whitespace(byte) {
            blank = true;
            continue;
        }
        if blank && word && is_word(byte) {
            emit(b' ', place, offset - 1);
        }
        emit(byte, place, offset);
        word = place == QuoteState::Outside && is_word(byte);
        blank = false;
        place = place.after(byte);
    }
}

/// The end of the text so far, without white space between tokens.
#[derive(Debug)]
pub(crate) struct Tail {
    pub(crate) bytes: Vec<u8>,
    /// For each byte its place, and whether an unfinished value or member starts there.
    marks: Vec<(QuoteState, bool)>,
    /// Whether this is the entire text.
    pub(crate) is_entire: bool,
}

impl Tail {
    /// Returns the last `most` bytes of a text that ends in `token`, normalized.
    pub(crate) fn of(text: &str, token: TokenPlace, most: usize) -> Self {
        let text = text.as_bytes();
        let mut start = text.len().saturating_sub(most);
        // The window must not start inside of an escape.
        while start > 0 && start < text.len() && text[start - 1] == b'\\' {
            start += 1;
        }
        let window = &text[start..];
        let (in_string, mut open) = look_back(window, start == 0, token);
        let place = if in_string {
            QuoteState::InString
        } else {
            QuoteState::Outside
        };
        let mut tail = Self {
            bytes: Vec::with_capacity(window.len()),
            marks: Vec::with_capacity(window.len()),
            is_entire: start == 0,
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

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the number of bytes before the last `len` that equal the byte `period` bytes after
    /// them.
    pub(crate) fn repeats(&self, len: usize, period: usize) -> usize {
        let before = self.len().saturating_sub(len);
        let shifted = self.bytes.get(..before + period).unwrap_or_default();
        let pairs = self.bytes[..before].iter().rev().zip(shifted.iter().rev());
        pairs.take_while(|(one, other)| one == other).count()
    }

    pub(crate) fn place(&self, at: usize) -> Option<QuoteState> {
        self.marks.get(at).map(|(place, _)| *place)
    }

    pub(crate) fn has(&self, place: QuoteState) -> bool {
        self.marks.iter().any(|(own, _)| *own == place)
    }

    /// Returns how many containers that open at or after `at` stay open; `None` if more are closed
    /// than opened.
    pub(crate) fn depth_from(&self, at: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let bytes = self.bytes.iter().zip(&self.marks).skip(at);
        for (byte, _) in bytes.filter(|(_, (place, _))| *place == QuoteState::Outside) {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        Some(depth)
    }

    /// Returns whether an unfinished value or member starts at `at`.
    pub(crate) fn starts_open_element(&self, at: usize) -> bool {
        self.marks.get(at).is_some_and(|(_, starts)| *starts)
    }

    /// Returns the content of the open string at the end of the text, as far as it is in this tail.
    pub(crate) fn open_string(&self) -> Option<&[u8]> {
        let start = (self.bytes.iter().zip(&self.marks))
            .rposition(|(byte, (place, _))| *byte == b'"' && *place == QuoteState::Outside)?;
        self.bytes.get(start + 1..)
    }
}

/// Returns whether a window at the end of a text starts in a string, and the offsets at which
/// unfinished elements, members and their values start, the last first. `is_entire` says that the
/// window is the entire text.
fn look_back(window: &[u8], is_entire: bool, token: TokenPlace) -> (bool, Vec<usize>) {
    let mut in_string = token.is_string();
    // The number of closers after this place whose openers are before it.
    let mut closed = 0_usize;
    // Whether the start of the unfinished item in the current container has been passed.
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
    if is_entire && !passed {
        open.push(0);
    }
    (in_string, open)
}

/// A reply without white space between tokens.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) bytes: Vec<u8>,
    offsets: Vec<u32>,
}

impl Pattern {
    /// Returns the normalized reply, if it starts in `place`.
    pub(crate) fn of(reply: &[u8], place: QuoteState) -> Self {
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

    /// Returns the number of bytes after the first `len` that equal the byte `period` bytes before
    /// them.
    pub(crate) fn repeats(&self, len: usize, period: usize) -> usize {
        let after = self.bytes.get(len..).unwrap_or_default();
        let shifted = self.bytes.get(len.saturating_sub(period)..);
        let pairs = after.iter().zip(shifted.unwrap_or_default());
        pairs.take_while(|(one, other)| one == other).count()
    }

    /// Returns the offset in the reply after the first `len` normalized bytes.
    pub(crate) fn end_of(&self, len: usize) -> usize {
        let last = len.checked_sub(1).and_then(|last| self.offsets.get(last));
        last.map_or(0, |offset| *offset as usize + 1)
    }
}

/// Returns whether the text starts with the entire pattern, ignoring white space between tokens.
/// Linear in the length of the pattern and of that white space.
pub(crate) fn starts_with(text: &str, pattern: &Pattern) -> bool {
    let text = text.as_bytes();
    let mut place = QuoteState::Outside;
    let mut at = 0;
    for &byte in &pattern.bytes {
        if place == QuoteState::Outside {
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

    fn tail_of(text: &str, token: TokenPlace, most: usize) -> (String, Vec<usize>) {
        let tail = Tail::of(text, token, most);
        let open = (0..tail.len()).filter(|at| tail.starts_open_element(*at));
        let open = open.collect();
        (String::from_utf8_lossy(&tail.bytes).into_owned(), open)
    }

    #[test]
    fn white_space_between_tokens_is_removed() {
        let (bytes, _) = tail_of("{ \"a b\" :\n[1, 2 ,\t\"x \\\" y", TokenPlace::String, 99);
        assert_eq!(bytes, r#"{"a b":[1,2,"x \" y"#);
    }

    #[test]
    fn window_that_starts_anywhere_has_the_places_of_the_entire_text() {
        let text = r#"{"a \\": "b \" c", "d": "e"#;
        let entire = Tail::of(text, TokenPlace::String, 99);
        for most in 1..text.len() {
            let tail = Tail::of(text, TokenPlace::String, most);
            let from = entire.len() - tail.len();
            assert_eq!(tail.bytes, entire.bytes[from..], "{most}");
            for at in 0..tail.len() {
                assert_eq!(tail.place(at), entire.place(from + at), "{most} {at}");
            }
        }
    }

    #[test]
    fn unfinished_values_are_marked_at_their_start() {
        for (text, token, starts) in [
            (
                r#"[1,{"a":[2,3],"b":{"c":4"#,
                TokenPlace::Between,
                &[0, 3, 14, 18, 19, 23][..],
            ),
            (r#"[1,{"a":[2,3],"#, TokenPlace::Between, &[0, 3]),
            (r#"[1,{"a":[2,3]"#, TokenPlace::Between, &[0, 3, 4, 8]),
            ("[[1],[2", TokenPlace::Between, &[0, 5, 6]),
            (r#""ab"#, TokenPlace::String, &[0]),
        ] {
            assert_eq!(tail_of(text, token, 99).1, starts, "{text}");
        }
    }
}
