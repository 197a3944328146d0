//! Numbers and literals, as other languages write them and as texts end in them.

use alloc::borrow::Cow;
use alloc::string::ToString as _;
use core::ops::Range;

use super::ahead::{Ahead, Quote};
use super::ledger::RepairRule;
use super::mender::Mender;
use crate::document::Kind;

/// Other spellings, and what they are in JSON.
const LITERALS: &[(&str, &str)] = &[
    ("true", "true"),
    ("false", "false"),
    ("null", "null"),
    ("True", "true"),
    ("False", "false"),
    ("None", "null"),
    ("TRUE", "true"),
    ("FALSE", "false"),
    ("NULL", "null"),
    ("Null", "null"),
    ("NaN", "null"),
    ("nan", "null"),
    ("Infinity", "null"),
    ("undefined", "null"),
    ("nil", "null"),
];

/// How many of these a text may end in the midst of.
const CUT_LITERALS: usize = 6;

/// The literal that a word is; or the one that it is the start of, if the text ends with it.
fn literal(word: &str, last: bool) -> Option<(&'static str, RepairRule)> {
    let known = LITERALS.iter().find(|(spelling, _)| *spelling == word);
    if let Some((_, literal)) = known {
        return Some((literal, RepairRule::Literal));
    }
    let mut begun = LITERALS.iter().take(CUT_LITERALS);
    let begun = begun.find(|(spelling, _)| last && !word.is_empty() && spelling.starts_with(word));
    begun.map(|(_, literal)| (*literal, RepairRule::UnfinishedLiteral))
}

/// What a word that looks like a number is.
#[derive(Debug, PartialEq, Eq)]
enum Number {
    /// One with these parts; all else in it is to go.
    Decimal(Decimal),
    Hexadecimal(u128),
    /// Not a number, by name.
    Null,
    /// One of which no digit has come.
    Sign,
    None,
}

/// The parts of a number that JSON has, as places in the word.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    minus: bool,
    /// Without leading zeros; empty in `.5`.
    integer: Range<usize>,
    /// With the point; empty where there are no digits behind it.
    fraction: Range<usize>,
    /// With the `e`; empty where there are no digits behind it.
    exponent: Range<usize>,
}

fn number(word: &str) -> Number {
    let bytes = word.as_bytes();
    let digits_from = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let signed = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let minus = bytes.first() == Some(&b'-');
    let unsigned = word.get(signed..).unwrap_or_default();
    match unsigned {
        "" => return Number::Sign,
        "Infinity" | "inf" | "NaN" if signed > 0 => return Number::Null,
        _ => {}
    }
    if let Some(digits) = unsigned
        .strip_prefix("0x")
        .or(unsigned.strip_prefix("0X"))
        .filter(|digits| !digits.starts_with('+'))
    {
        return match u128::from_str_radix(digits, 16) {
            Ok(value) if !minus => Number::Hexadecimal(value),
            _ => Number::None,
        };
    }
    let integer_end = digits_from(signed);
    let rest = bytes.get(signed..integer_end).unwrap_or_default();
    let zeros = rest.iter().take_while(|byte| **byte == b'0').count();
    let integer = signed + zeros.min(rest.len().saturating_sub(1))..integer_end;
    let mut at = integer_end;
    let mut fraction = at..at;
    if bytes.get(at) == Some(&b'.') {
        let end = digits_from(at + 1);
        if end > at + 1 {
            fraction = at..end;
        }
        at = end;
    }
    let mut exponent = at..at;
    if let Some(b'e' | b'E') = bytes.get(at) {
        let signed = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let end = digits_from(at + 1 + signed);
        if end > at + 1 + signed {
            exponent = at..end;
        }
        at = end;
    }
    if at < bytes.len() || (integer.is_empty() && fraction.is_empty()) {
        return Number::None;
    }
    Number::Decimal(Decimal {
        minus,
        integer,
        fraction,
        exponent,
    })
}

/// Whether a word is a number or a literal, or, at the end of the text, the start of one.
pub(super) fn is_scalar(word: &[u8], last: bool) -> bool {
    let Ok(word) = core::str::from_utf8(word) else {
        return false;
    };
    literal(word, last).is_some()
        || match number(word) {
            Number::Decimal(_) | Number::Hexadecimal(_) | Number::Null => true,
            Number::Sign | Number::None => false,
        }
}

impl Mender<'_> {
    /// A number, a literal, or a string without quotes.
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
        if word.is_empty() || self.is_text_at(end) {
            return self.bare_string();
        }
        if let Some((literal, rule)) = literal(word, last) {
            if literal != word {
                self.ledger.push(start..end, rule, literal);
            }
            self.at = end;
            return self.complete();
        }
        match number(word) {
            Number::Decimal(parts) => self.decimal(start, end, &parts, rule),
            Number::Hexadecimal(value) => {
                let value = Cow::Owned(value.to_string());
                self.ledger.push(start..end, RepairRule::Number, value);
            }
            Number::Null => self.ledger.push(start..end, RepairRule::Literal, "null"),
            Number::Sign if last => return self.drop_unfinished_number(),
            Number::Sign | Number::None => return self.bare_string(),
        }
        self.at = end;
        self.complete();
    }

    /// The end of what looks like a number or a word.
    fn scalar_end(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_inside = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
        self.at + rest.iter().take_while(is_inside).count()
    }

    /// Leaves out what is not among the parts, and puts in a zero that is missing.
    fn decimal(&mut self, start: usize, end: usize, parts: &Decimal, rule: RepairRule) {
        let mut at = start + usize::from(parts.minus);
        let mut filling = if parts.integer.is_empty() { "0" } else { "" };
        for part in [&parts.integer, &parts.fraction, &parts.exponent] {
            let from = start + part.start;
            if part.is_empty() {
                continue;
            }
            if from > at || !filling.is_empty() {
                self.ledger.push(at..from, RepairRule::Number, filling);
            }
            filling = "";
            at = start + part.end;
        }
        if at < end {
            self.ledger.push(at..end, rule, "");
        }
    }

    /// Whether what is at `end`, behind a word, makes a text of it: `12 Main Street`, `10:30`.
    fn is_text_at(&self, end: usize) -> bool {
        let ahead = self.ahead();
        let bytes = ahead.0;
        let rest = bytes.get(end..).unwrap_or_default();
        let blank = rest.iter().take_while(|byte| b" \t".contains(byte)).count();
        let next = end + blank;
        let Some(&byte) = bytes.get(next) else {
            return false;
        };
        if matches!(
            byte,
            b',' | b']' | b'}' | b';' | b'\n' | b'\r' | b'[' | b'{'
        ) || byte < 0x20
            || ahead.is_comment(next)
            || ahead.is_fence(next)
            || ahead.starts_with(next, b"...")
            || Quote::at(bytes, next).is_some()
        {
            return false;
        }
        if blank == 0 {
            return true;
        }
        match byte {
            b'#' | b'=' | b'0'..=b'9' => false,
            b':' => self.container() != Some(Kind::Array),
            b'-' | b'+' | b'.' => !bytes.get(next + 1).is_some_and(u8::is_ascii_digit),
            _ => !self.is_value_or_member(ahead, next),
        }
    }

    /// Whether a comma is missing before the word at `at`.
    fn is_value_or_member(&self, ahead: Ahead<'_>, at: usize) -> bool {
        match self.container() {
            Some(Kind::Object) => ahead.is_word_before(at, b":="),
            Some(_) | None => ahead.is_scalar(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbers_or_not() {
        for word in [
            "1", "-0", "1.10", "1e400", "+1", "007", ".5", "5.", "1.e5", "1e", "-.5e-",
        ] {
            assert!(matches!(number(word), Number::Decimal(_)), "{word}");
        }
        for word in [
            "2024-01-02",
            "1a",
            ".",
            "e5",
            "1.2.3",
            "0x",
            "0xg",
            "0x+1",
            "-0x1",
        ] {
            assert_eq!(number(word), Number::None, "{word}");
        }
        assert_eq!(number("0xfF"), Number::Hexadecimal(255));
        assert_eq!(number("-Infinity"), Number::Null);
        assert_eq!(number("-"), Number::Sign);
    }
}
