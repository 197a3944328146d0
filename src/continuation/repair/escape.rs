//! Escapes: those of other languages, and incomplete ones at the end of the text.

use alloc::format;

use super::quote::Quote;
use super::repairer::Repairer;
use super::rule::RepairRule;

/// How an escape ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    Complete,
    /// It is the first half of a surrogate pair; the second half has to follow.
    Half {
        start: usize,
        end: usize,
    },
    /// The text ends in it.
    Cut {
        start: usize,
        end: usize,
    },
}

impl Escape {
    /// Returns this escape as the successor of `before`: an incomplete escape directly after half a
    /// pair (`\ud83d\ude`) is dropped together with it.
    pub(super) fn following(self, before: Self) -> Self {
        match (before, self) {
            (
                Self::Half { start, end },
                Self::Cut {
                    start: cut,
                    end: all,
                },
            ) if end == cut => Self::Half { start, end: all },
            _ => self,
        }
    }
}

impl Repairer<'_> {
    /// Reads an escape, or what should have been one.
    pub(super) fn escape(&mut self) -> Escape {
        let at = self.at;
        let bytes = self.bytes();
        let rest = bytes.get(at + 1..).unwrap_or_default();
        let digits = |from: usize, most: usize| {
            let digits = rest.iter().skip(from).take(most);
            digits.take_while(|byte| byte.is_ascii_hexdigit()).count()
        };
        match rest {
            [] => return self.cut_escape(),
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => self.at += 2,
            [b'u', ..] => {
                let count = digits(1, 4);
                if count == 4 {
                    self.at += 6;
                    let is_high = matches!(
                        rest,
                        [_, b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..]
                    );
                    return if is_high {
                        Escape::Half {
                            start: at,
                            end: self.at,
                        }
                    } else {
                        Escape::Complete
                    };
                }
                if rest.len() == 1 + count {
                    return self.cut_escape();
                }
                if !self.braced_escape() {
                    self.replace(1, RepairRule::InvalidEscape, "\\\\");
                }
            }
            [b'x', ..] if digits(1, 2) == 2 => {
                self.replace(2, RepairRule::InvalidEscape, "\\u00");
                self.at += 2;
            }
            [b'\'' | b'`', ..] => {
                self.replace(1, RepairRule::InvalidEscape, "");
                self.at += 1;
            }
            [0xE2, ..] if Quote::at(bytes, at + 1).is_some() => {
                self.replace(1, RepairRule::InvalidEscape, "");
                self.at += 3;
            }
            [_, ..] => self.replace(1, RepairRule::InvalidEscape, "\\\\"),
        }
        Escape::Complete
    }

    /// Reads the second quote after an escaped one in a string of doubled quotes: `\""`.
    pub(super) fn doubled_escape(&mut self) {
        let read = self.text.get(..self.at).unwrap_or_default();
        if read.ends_with("\\\"") && self.bytes().get(self.at) == Some(&b'"') {
            self.replace(1, RepairRule::DoubledQuote, "");
        }
    }

    /// Reads backslashes in a string that was escaped once or twice more, with `slashes` before its
    /// quotes: half of the backslashes are kept, or a quarter.
    pub(super) fn escaped_escape(&mut self, slashes: usize) {
        let rest = self.bytes().get(self.at..).unwrap_or_default();
        let run = rest.iter().take_while(|byte| **byte == b'\\').count();
        let then = rest.get(run);
        if then == Some(&b'"') && run < slashes {
            // Escaped less often than the rest: `\"` in `\\\"a\"b\\\"`.
            self.at += run + run % 2;
            return;
        }
        let mut kept = run;
        for _ in 0..=slashes / 2 {
            kept = match then {
                Some(b'"') => (kept - 1) / 2,
                _ => kept.div_ceil(2),
            };
        }
        let kept = kept.max(1);
        if kept < run {
            self.replace(run - kept, RepairRule::EscapedQuote, "");
        }
        let end = self.at + kept;
        while self.at < end {
            if self.escape() != Escape::Complete {
                break;
            }
        }
    }

    /// Drops an incomplete escape at the end of the text.
    fn cut_escape(&mut self) -> Escape {
        let (start, end) = (self.at, self.text.len());
        self.replace(end - start, RepairRule::UnfinishedEscape, "");
        Escape::Cut { start, end }
    }

    /// Reads an escape in braces: `\u{1F600}`. Returns whether it is one.
    fn braced_escape(&mut self) -> bool {
        let rest = self.bytes().get(self.at..).unwrap_or_default();
        let Some(digits) = rest.strip_prefix(b"\\u{") else {
            return false;
        };
        let count = digits
            .iter()
            .take(6)
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count();
        let end = self.at + 3 + count;
        if digits.get(count) != Some(&b'}') {
            return false;
        }
        let digits = self.text.get(self.at + 3..end).unwrap_or_default();
        let code = u32::from_str_radix(digits, 16)
            .ok()
            .and_then(char::from_u32);
        let Some(char) = code else { return false };
        let char = if matches!(char, '"' | '\\' | '\0'..' ') {
            format!("\\u{:04x}", u32::from(char))
        } else {
            char.into()
        };
        self.edits
            .push(self.at..end + 1, RepairRule::InvalidEscape, char);
        self.at = end + 1;
        true
    }
}
