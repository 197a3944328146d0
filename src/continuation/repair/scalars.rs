//! Numbers, literals, and strings without quotes.

use alloc::borrow::Cow;
use alloc::string::ToString as _;

use super::lookahead::Lookahead;
use super::quote::Quote;
use super::repairer::Repairer;
use super::rule::RepairRule;
use super::state::Expect;
use super::token::Container;
use super::word::{Decimal, Number, is_code, literal, number};
use crate::json::skip_digits;

impl Repairer<'_> {
    /// Reads a number, a literal, or a string without quotes.
    pub(super) fn bare_value(&mut self) {
        let start = self.at;
        let mut end = self.scalar_end();
        let mut word = self.text.get(start..end).unwrap_or_default();
        if let Some(shorter) = word.strip_suffix("...") {
            word = shorter;
            end -= 3;
        }
        let last = end == self.text.len();
        let rule = if last {
            RepairRule::UnfinishedNumber
        } else {
            RepairRule::Number
        };
        if self.thousands(start, end) {
            return self.complete(None);
        }
        if word.is_empty() || self.is_text_at(end) {
            return self.bare_string();
        }
        if is_code(word) {
            self.edits.push(start..start, RepairRule::LeadingZero, "\"");
            self.edits.push(end..end, RepairRule::LeadingZero, "\"");
            self.at = end;
            return self.complete(None);
        }
        if let Some((literal, rule)) = literal(word, last) {
            if literal != word {
                self.edits.push(start..end, rule, literal);
            }
            self.at = end;
            return self.complete(None);
        }
        match number(word) {
            Number::Decimal(parts) => self.decimal(start, end, &parts, rule),
            Number::Hexadecimal(value) => {
                let value = Cow::Owned(value.to_string());
                self.edits.push(start..end, RepairRule::Number, value);
            }
            Number::Grouped(digits) => {
                self.edits
                    .push(start..end, RepairRule::Number, Cow::Owned(digits));
            }
            Number::Null => self.edits.push(start..end, RepairRule::Literal, "null"),
            Number::Sign if last => return self.drop_unfinished_number(),
            Number::Sign | Number::None => return self.bare_string(),
        }
        self.at = end;
        self.complete(None);
    }

    /// Returns a number with separators of thousands, in a member or alone: `1,250.50`. In an array
    /// these would be two numbers. Returns whether there is one.
    fn thousands(&mut self, start: usize, end: usize) -> bool {
        if !self.expect.is_member_value() && !self.stack.is_empty() {
            return false;
        }
        let bytes = self.bytes();
        let digits = |at: usize| skip_digits(bytes, at) - at;
        let sign = usize::from(bytes.get(start) == Some(&b'-'));
        let first = digits(start + sign);
        let mut at = start + sign + first;
        if at != end || !matches!(first, 1..=3) || bytes.get(start + sign) == Some(&b'0') {
            return false;
        }
        let mut commas = 0;
        while bytes.get(at) == Some(&b',') && digits(at + 1) == 3 {
            at += 4;
            commas += 1;
        }
        let mut end = at;
        if bytes.get(at) == Some(&b'.') && digits(at + 1) > 0 {
            end = at + 1 + digits(at + 1);
        }
        let ends = matches!(
            self.ahead().next(end),
            (_, None | Some(b',' | b'}' | b']' | b'\n'))
        );
        if commas == 0 || !ends {
            return false;
        }
        for comma in 0..commas {
            let comma = start + sign + first + 4 * comma;
            self.edits
                .push(comma..comma + 1, RepairRule::ThousandsSeparator, "");
        }
        self.at = end;
        true
    }

    /// Drops a sign at the end of the text, with its comma (`[1,-`) or its member (`{"a":-`).
    fn drop_unfinished_number(&mut self) {
        let sign = self.at;
        self.at = self.text.len();
        if let Expect::MemberValue(_) = self.expect {
            return self.drop_member();
        }
        let comma = self.expect.comma();
        let from = comma.map_or(sign, |comma| comma.at);
        if let Some(comma) = comma {
            self.edits.undo(comma);
        }
        self.edits
            .push(from..self.at, RepairRule::UnfinishedNumber, "");
        if comma.is_some() {
            self.complete(None);
        }
    }

    /// Returns the end of the number or word that starts here.
    fn scalar_end(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_inside = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
        self.at + rest.iter().take_while(is_inside).count()
    }

    /// Drops everything but the parts of a number (`+007.` is 7), and inserts a missing zero
    /// (`.5`).
    fn decimal(&mut self, start: usize, end: usize, parts: &Decimal, rule: RepairRule) {
        let mut at = start + usize::from(parts.minus);
        let mut filling = if parts.integer.is_empty() { "0" } else { "" };
        for part in [&parts.integer, &parts.fraction, &parts.exponent] {
            let from = start + part.start;
            if part.is_empty() {
                continue;
            }
            if from > at || !filling.is_empty() {
                self.edits.push(at..from, RepairRule::Number, filling);
            }
            filling = "";
            at = start + part.end;
        }
        if at < end {
            self.edits.push(at..end, rule, "");
        }
    }

    /// Returns whether the word that ends at `end` is the start of a longer text without quotes:
    /// `12 Main Street`, `10:30`.
    fn is_text_at(&self, end: usize) -> bool {
        let ahead = self.ahead();
        let bytes = ahead.bytes;
        let rest = bytes.get(end..).unwrap_or_default();
        let blank = rest.iter().take_while(|byte| b" \t".contains(byte)).count();
        let next = end + blank;
        if ahead.other_space(next).is_some() {
            return false;
        }
        let Some(&byte) = bytes.get(next) else {
            return false;
        };
        if matches!(
            byte,
            b',' | b']' | b'}' | b';' | b'\n' | b'\r' | b'[' | b'{'
        ) || byte < 0x20
            || self.is_closing_parenthesis(next)
            || ahead.is_comment(next)
            || ahead.is_fence(next)
            || ahead.starts_with(next, b"...")
            || Quote::opening(bytes, next).is_some()
        {
            return false;
        }
        if blank == 0 {
            return true;
        }
        match byte {
            b'#' | b'=' | b'0'..=b'9' => false,
            b':' => self.container() != Some(Container::Array),
            b'-' | b'+' | b'.' => !bytes.get(next + 1).is_some_and(u8::is_ascii_digit),
            _ => !self.is_value_or_member(ahead, next),
        }
    }

    fn is_closing_parenthesis(&self, at: usize) -> bool {
        let top = self.stack.last();
        self.bytes().get(at) == Some(&b')')
            && top.is_some_and(|frame| frame.bracket.closes_with() == b')')
    }

    /// Returns whether a comma is missing before the word at `at`.
    fn is_value_or_member(&self, ahead: Lookahead<'_>, at: usize) -> bool {
        match self.container() {
            Some(Container::Object) => ahead.is_word_before(at, b":="),
            Some(_) | None => ahead.is_scalar(at),
        }
    }
}
