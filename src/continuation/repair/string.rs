//! The content of strings: inner quotes, escapes, control characters, and the closing quote.

mod missing_quote;
mod verbatim;

use alloc::format;

use super::cues::{self, Site};
use super::escape::Escape;
use super::options::FinishReason;
use super::quote::Quote;
use super::repairer::Repairer;
use super::rule::RepairRule;
use super::state::PreviousString;
use super::token::{Container, Role};
use crate::json::skip_plain;
use verbatim::is_path;

/// Whether a string continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StringStep {
    Continues,
    /// It ends here, before its closing quote if that is not missing.
    Ended,
}

/// A string that is being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    pub(super) role: Role,
    /// Its opening quote, unless that is missing.
    pub(super) open: Option<Quote>,
    start: usize,
    /// The first colon in it, for names only.
    colon: Option<usize>,
    /// The end of the part that has been searched for a colon.
    searched_to: usize,
    /// The number of quotes in it so far.
    inner_quotes: usize,
    /// The end of the JSON in it whose quotes are not escaped.
    nested_end: usize,
    /// It is a Windows path, in which a backslash is a backslash.
    pub(super) is_path: bool,
}

impl Repairer<'_> {
    /// Reads a string in quotes of some kind.
    pub(super) fn quoted(&mut self, role: Role, quote: Quote) {
        self.take_quote(quote, quote.len());
        self.content(role, Some(quote));
    }

    /// Reads a string without quotes, or without the first one.
    pub(super) fn bare_string(&mut self) {
        self.replace(0, RepairRule::UnquotedString, "\"");
        self.content(Role::Value, None);
    }

    /// Reads a quote of `len` bytes, and replaces it unless it is `"`.
    fn take_quote(&mut self, quote: Quote, len: usize) {
        let rule = match quote {
            Quote::Double => return self.at += len,
            Quote::Single | Quote::Backtick | Quote::CurlyDouble | Quote::CurlySingle => {
                RepairRule::OtherQuote
            }
            _ if len == 1 => return self.at += len,
            Quote::Doubled | Quote::Triple | Quote::TripleSingle => RepairRule::DoubledQuote,
            Quote::Escaped(_) => RepairRule::EscapedQuote,
        };
        self.replace(len, rule, "\"");
    }

    /// Reads the content of a string up to and including its closing quote.
    pub(super) fn content(&mut self, role: Role, open: Option<Quote>) {
        let start = self.at;
        let mut content = Content {
            role,
            open,
            start,
            colon: None,
            searched_to: start,
            inner_quotes: 0,
            nested_end: start,
            is_path: !self.mode.is_sound && is_path(&self.bytes()[start..]),
        };
        let is_plain = matches!(
            open,
            Some(Quote::Double | Quote::Doubled | Quote::Triple | Quote::Escaped(_))
        );
        let mut last = Escape::Complete;
        loop {
            self.at = if is_plain {
                skip_plain(self.bytes(), self.at)
            } else {
                ordinary_end(self.bytes(), self.at)
            };
            let Some(&byte) = self.bytes().get(self.at) else {
                break;
            };
            let step = match byte {
                b'\\' => match open {
                    Some(quote @ Quote::Escaped(_))
                        if quote.end_at(self.bytes(), self.at).is_some() =>
                    {
                        self.quote_inside(&mut content)
                    }
                    Some(Quote::Escaped(slashes)) => {
                        self.escaped_escape(slashes);
                        StringStep::Continues
                    }
                    _ if self.at < content.nested_end || content.is_path => {
                        self.literal_backslash(&content)
                    }
                    _ => {
                        last = self.escape().following(last);
                        if open == Some(Quote::Doubled) {
                            self.doubled_escape();
                        }
                        StringStep::Continues
                    }
                },
                0..b' ' => self.control(byte, open),
                b',' | b'}' | b']' | b')' | b'/' | b'`' if open.is_none() => {
                    self.delimiter(byte, start)
                }
                b'"' | b'\'' | b'`' | 0xE2 => self.quote_inside(&mut content),
                _ => {
                    self.at += 1;
                    StringStep::Continues
                }
            };
            if step == StringStep::Ended {
                return self.end_string(&content);
            }
        }
        if let Escape::Half { start, end } = last
            && end == self.at
        {
            self.edits.undo_from(start);
            self.edits
                .push(start..end, RepairRule::UnfinishedEscape, "");
        }
        if self.reopen_at_the_end(&mut content) {
            return self.end_string(&content);
        }
        // An incomplete name is dropped with its member.
        let is_stopped = self.mode.finish_reason == Some(FinishReason::Stopped);
        if role == Role::Value || is_stopped {
            self.end_string(&content);
        }
    }

    /// Reads the closing quote, or inserts it.
    fn end_string(&mut self, content: &Content) {
        let before = self.edits.point(self.at);
        let open = content.open;
        let closing = open.unwrap_or(Quote::Double);
        let len = closing.end_at(self.bytes(), self.at);
        match (len, open) {
            // “Curly” and "straight" quotes may be mixed.
            (Some(1), Some(Quote::CurlyDouble)) => self.at += 1,
            (Some(len), _) => self.take_quote(closing, len),
            (None, Some(_)) => self.replace(0, RepairRule::MissingQuote, "\""),
            (None, None) => {
                // The white space after a string without quotes is not part of it.
                let read = self.text.get(..self.at).unwrap_or_default();
                let end = read.trim_ascii_end().len();
                self.edits.undo_from(end);
                self.edits.push(end..end, RepairRule::UnquotedString, "\"");
                self.at = end;
            }
        }
        if self.at == self.text.len() && len.is_none() {
            self.swallowed = self.at - content.start;
        }
        if content.role == Role::Value {
            self.complete(Some(PreviousString {
                quote: len.map(|_| before),
                comma: self.expect.comma(),
            }));
        }
    }

    /// Reads a control character. A line end ends a string without quotes. A line feed before the
    /// end of a fence ends any string, if no quote follows: ```` ```␊["ab␊``` ````.
    fn control(&mut self, byte: u8, open: Option<Quote>) -> StringStep {
        let fence =
            byte == b'\n' && self.last_quote < self.at && self.ahead().is_fence(self.at + 1);
        if fence || (open.is_none() && matches!(byte, b'\n' | b'\r')) {
            return StringStep::Ended;
        }
        let at = self.at..self.at + 1;
        let rule = RepairRule::ControlCharacter;
        match byte {
            b'\n' => self.edits.push(at, rule, "\\n"),
            b'\r' => self.edits.push(at, rule, "\\r"),
            b'\t' => self.edits.push(at, rule, "\\t"),
            _ => self.edits.push(at, rule, format!("\\u{byte:04x}")),
        }
        self.at += 1;
        StringStep::Continues
    }

    /// Reads a byte that may end a string without quotes.
    fn delimiter(&mut self, byte: u8, start: usize) -> StringStep {
        let ahead = self.ahead();
        let blank_before = self.at > start && self.bytes().get(self.at - 1) == Some(&b' ');
        let ends = match (byte, self.container()) {
            (b',', Some(Container::Object)) => {
                ahead.continues(Container::Object, self.at + 1, false)
                    || self.line_ends_at(self.at + 1)
            }
            (b'/', _) => blank_before && ahead.is_comment(self.at),
            (b'`', _) => ahead.is_fence(self.at),
            (b')', _) => {
                let top = self.stack.last();
                top.is_some_and(|frame| frame.bracket.closes_with() == b')')
            }
            _ => true,
        };
        if ends {
            return StringStep::Ended;
        }
        self.at += 1;
        StringStep::Continues
    }

    fn line_ends_at(&self, at: usize) -> bool {
        matches!(self.bytes().get(at), None | Some(b'\n' | b'\r'))
    }

    /// Reads a quote of some kind in a string: the closing quote, or part of the content.
    fn quote_inside(&mut self, content: &mut Content) -> StringStep {
        let family = content.open.unwrap_or(Quote::Double);
        let Some(len) = family.end_at(self.bytes(), self.at) else {
            if self.bytes().get(self.at) == Some(&b'"') {
                self.replace(1, RepairRule::UnescapedQuote, "\\\"");
            } else {
                self.at += 1;
            }
            return StringStep::Continues;
        };
        if self.at < content.nested_end {
            match self.bytes().get(self.at) {
                Some(b'"') => self.replace(1, RepairRule::UnescapedJson, "\\\""),
                _ => self.at += len,
            }
            return StringStep::Continues;
        }
        if self.ends_string(content, family, len) {
            return StringStep::Ended;
        }
        if self.starts_nested(content) {
            return StringStep::Continues;
        }
        let closes = content.open.is_some() && self.reopen(content);
        if closes {
            return StringStep::Ended;
        }
        content.inner_quotes += 1;
        match family {
            // `\"` is a valid escape already.
            Quote::Escaped(1) if len > 1 => self.at += len,
            // A doubled quote in doubled quotes is one quote.
            Quote::Doubled | Quote::Escaped(_) if len > 1 => {
                let rule = match family {
                    Quote::Doubled => RepairRule::DoubledQuote,
                    _ => RepairRule::EscapedQuote,
                };
                self.replace(len, rule, "\\\"");
            }
            _ if self.bytes().get(self.at) == Some(&b'"') => {
                self.replace(1, RepairRule::UnescapedQuote, "\\\"");
            }
            _ => self.at += len,
        }
        StringStep::Continues
    }

    /// Returns whether the quote of `len` bytes at this place ends the string.
    fn ends_string(&mut self, content: &Content, family: Quote, len: usize) -> bool {
        if matches!(family, Quote::Triple | Quote::TripleSingle) {
            return true;
        }
        let inside_inner_quotes = family.comes_in_pairs() && content.inner_quotes % 2 == 1;
        let site = |end| {
            Site::new(
                self.ahead(),
                end,
                content.role,
                self.container(),
                inside_inner_quotes,
            )
        };
        let end = self.at + len;
        let site = site(end);
        let ends = cues::ends_string(&site);
        if self.mode.flipped == Some(self.at) {
            return !ends;
        }
        if content.role == Role::Value && site.is_ambiguous() {
            self.ambiguous_quote = Some(self.at);
        }
        ends
    }
}

/// Returns the offset of the first byte at or after `at` that needs attention in a string of any
/// kind.
fn ordinary_end(bytes: &[u8], at: usize) -> usize {
    const SPECIAL: [bool; 256] = {
        let mut special = [false; 256];
        let mut byte = 0;
        while byte < 32 {
            special[byte] = true;
            byte += 1;
        }
        let mut rest: &[u8] = b"\\\"'`\xE2,}])/";
        while let [byte, others @ ..] = rest {
            special[*byte as usize] = true;
            rest = others;
        }
        special
    };
    let rest = bytes.get(at..).unwrap_or_default();
    let len = rest.iter().position(|byte| SPECIAL[usize::from(*byte)]);
    at + len.unwrap_or(rest.len())
}
