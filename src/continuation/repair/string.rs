//! Strings: where they end, and what is wrong inside of them.

use alloc::format;

use super::ahead::Quote;
use super::escape::Escape;
use super::ledger::RepairRule;
use super::mender::{Expect, Mender};
use crate::document::Kind;

/// What a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Name,
    Value,
}

/// What the content of a string comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// It goes on.
    On,
    /// It ends.
    End,
}

impl Mender<'_> {
    /// A string in quotes of some kind.
    pub(super) fn quoted(&mut self, role: Role, quote: Quote) {
        self.take_quote(quote);
        self.content(role, Some(quote));
    }

    /// A string without quotes, or without the first.
    pub(super) fn bare_string(&mut self) {
        self.replace(0, RepairRule::UnquotedString, "\"");
        self.content(Role::Value, None);
    }

    fn take_quote(&mut self, quote: Quote) {
        match quote {
            Quote::Double => self.at += quote.len(),
            Quote::Single | Quote::Backtick | Quote::CurlyDouble | Quote::CurlySingle => {
                self.replace(quote.len(), RepairRule::OtherQuote, "\"");
            }
        }
    }

    /// Reads on to the end of a string that `open` began.
    pub(super) fn content(&mut self, role: Role, open: Option<Quote>) {
        let start = self.at;
        let mut inner = 0_usize;
        let mut last = Escape::Whole;
        while let Some(&byte) = self.bytes().get(self.at) {
            let step = match byte {
                b'\\' => {
                    last = self.escape().behind(last);
                    Step::On
                }
                0..b' ' => self.control(byte, open),
                b',' | b'}' | b']' | b'/' | b'`' if open.is_none() => self.delimiter(byte, start),
                b'"' | b'\'' | b'`' | 0xE2 => self.quote_inside(role, open, &mut inner, start),
                _ => {
                    self.at += 1;
                    Step::On
                }
            };
            if step == Step::End {
                return self.end_string(role, open);
            }
        }
        if let Escape::Half { start, end } = last
            && end == self.at
        {
            self.ledger.undo_from(start);
            self.ledger
                .push(start..end, RepairRule::UnfinishedEscape, "");
        }
        match role {
            // It is dropped, with its member.
            Role::Name => self.expect = Expect::Colon,
            Role::Value => self.end_string(role, open),
        }
    }

    /// Takes the closing quote, or puts one in.
    fn end_string(&mut self, role: Role, open: Option<Quote>) {
        let before = self.ledger.mark(self.at);
        let closing = Quote::at(self.bytes(), self.at)
            .filter(|quote| open.unwrap_or(Quote::Double).is_ended_by(*quote));
        match (closing, open) {
            (Some(quote), _) => self.take_quote(quote),
            (None, Some(_)) => self.replace(0, RepairRule::MissingQuote, "\""),
            (None, None) => {
                // White space behind it is none of it.
                let read = self.text.get(..self.at).unwrap_or_default();
                let end = read.trim_ascii_end().len();
                self.ledger.undo_from(end);
                self.ledger.push(end..end, RepairRule::UnquotedString, "\"");
                self.at = end;
            }
        }
        match role {
            Role::Name => self.expect = Expect::Colon,
            Role::Value => {
                let place = self.comma;
                self.complete();
                self.string = closing.map(|_| before);
                self.element = place;
            }
        }
    }

    /// A control character. A line feed ends what has no quotes, and what no quote comes behind
    /// but the end of a fence.
    fn control(&mut self, byte: u8, open: Option<Quote>) -> Step {
        let fence =
            byte == b'\n' && self.last_quote < self.at && self.ahead().is_fence(self.at + 1);
        if fence || (open.is_none() && matches!(byte, b'\n' | b'\r')) {
            return Step::End;
        }
        let at = self.at..self.at + 1;
        let rule = RepairRule::ControlCharacter;
        match byte {
            b'\n' => self.ledger.push(at, rule, "\\n"),
            b'\r' => self.ledger.push(at, rule, "\\r"),
            b'\t' => self.ledger.push(at, rule, "\\t"),
            _ => self.ledger.push(at, rule, format!("\\u{byte:04x}")),
        }
        self.at += 1;
        Step::On
    }

    /// What may end a string without quotes.
    fn delimiter(&mut self, byte: u8, start: usize) -> Step {
        let ahead = self.ahead();
        let blank_before = self.at > start && self.bytes().get(self.at - 1) == Some(&b' ');
        let ends = match (byte, self.container()) {
            (b',', Some(Kind::Object)) => {
                ahead.continues(Kind::Object, self.at + 1, false) || self.line_ends_at(self.at + 1)
            }
            (b'/', _) => blank_before && ahead.is_comment(self.at),
            (b'`', _) => ahead.is_fence(self.at),
            _ => true,
        };
        if ends {
            return Step::End;
        }
        self.at += 1;
        Step::On
    }

    fn line_ends_at(&self, at: usize) -> bool {
        matches!(self.bytes().get(at), None | Some(b'\n' | b'\r'))
    }

    /// A quote of some kind in a string: its end, or part of what it says.
    fn quote_inside(
        &mut self,
        role: Role,
        open: Option<Quote>,
        inner: &mut usize,
        start: usize,
    ) -> Step {
        let Some(quote) = Quote::at(self.bytes(), self.at) else {
            self.at += 1;
            return Step::On;
        };
        let family = open.unwrap_or(Quote::Double);
        if family.is_ended_by(quote) {
            let doubtful = family.comes_in_pairs() && *inner % 2 == 1;
            if self.ends_string(self.at + quote.len(), role, doubtful) {
                return Step::End;
            }
            if role == Role::Value && open.is_some() && self.take_back(start) {
                return Step::End;
            }
            *inner += 1;
        }
        match quote {
            Quote::Double => self.replace(1, RepairRule::UnescapedQuote, "\\\""),
            Quote::Single | Quote::Backtick | Quote::CurlyDouble | Quote::CurlySingle => {
                self.at += quote.len();
            }
        }
        Step::On
    }

    /// Whether the string should have ended before: at a comma or on another line, where the quote
    /// here begins the name of the next member. Goes back there.
    fn take_back(&mut self, start: usize) -> bool {
        if self.container() != Some(Kind::Object) || !self.ahead().is_string_before(self.at, b":") {
            return false;
        }
        let read = self.text.get(start..self.at).unwrap_or_default();
        let trimmed = read.trim_ascii_end();
        let end = match trimmed.strip_suffix(',') {
            Some(before) => before.trim_ascii_end().len(),
            None if read.bytes().skip(trimmed.len()).any(|byte| byte == b'\n') => trimmed.len(),
            None => return false,
        };
        self.at = start + end;
        self.ledger.undo_from(self.at);
        true
    }

    /// Whether a quote that ends at `end` ends the string. Where a quote was opened inside of it,
    /// that is `doubtful`.
    fn ends_string(&self, end: usize, role: Role, doubtful: bool) -> bool {
        let ahead = self.ahead();
        let bytes = self.bytes();
        let (at, next) = ahead.next(end);
        let Some(next) = next else { return true };
        let apart = at > end;
        if ahead.is_comment(at) || ahead.is_fence(at) || (next == b'#' && apart && !doubtful) {
            return true;
        }
        let is_quote = Quote::at(bytes, at).is_some();
        if role == Role::Name {
            return matches!(next, b':' | b'=' | b',' | b'}' | b']' | b'{' | b'[')
                || (is_quote && (apart || self.is_pair_of_strings(at)))
                || ahead.is_word_before(at, b",}");
        }
        let line_ends = || self.text.get(end..at).is_some_and(|gap| gap.contains('\n'));
        let Some(container) = self.container() else {
            return (!doubtful && (matches!(next, b',' | b';') || line_ends()))
                || ahead.is_concatenation(at);
        };
        // The end of a word in quotes, and then that of the string.
        if doubtful && is_quote && !apart && ahead.is_before(at + 1, b",}]") {
            return false;
        }
        match (next, container) {
            (b',', _) => ahead.continues(container, at + 1, doubtful),
            (b'}' | b']', _) => {
                let (_, then) = ahead.next(at + 1);
                !doubtful || then.is_none_or(|then| matches!(then, b',' | b'}' | b']'))
            }
            (b';', _) => !doubtful && ahead.continues(container, at + 1, true),
            (b':', Kind::Array) => !doubtful,
            (b'+', _) => ahead.is_concatenation(at),
            (_, Kind::Object) if is_quote => ahead.is_string_before(at, b":"),
            (_, Kind::Object) => apart && !doubtful && ahead.is_word_before(at, b":"),
            _ if is_quote => (apart && !doubtful) || ahead.is_string_before(at, b",]"),
            (b'{' | b'[', _) => apart && !doubtful,
            _ => (apart || ahead.is_scalar(at)) && ahead.is_word_before(at, b",]"),
        }
    }

    /// Whether the quote at `at`, right behind another, begins the value behind a name.
    fn is_pair_of_strings(&self, at: usize) -> bool {
        let ahead = self.ahead();
        !ahead.is_before(at + 1, b":") && ahead.is_string_before(at, b",}")
    }
}
