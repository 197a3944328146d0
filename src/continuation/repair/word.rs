//! Numbers and literals in the spelling of other languages, and incomplete ones at the end of the
//! text.

use alloc::string::String;
use core::ops::Range;

use super::rule::RepairRule;
use crate::json::skip_digits;

/// Spellings of literals, and the JSON literals that they become.
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

/// How many of [`LITERALS`], from the first, are recognized by a prefix at the end of the text.
const CUT_LITERALS: usize = 6;

/// Returns the literal that a word is, or the literal that it is a prefix of if it is the last word
/// of the text.
pub(super) fn literal(word: &str, last: bool) -> Option<(&'static str, RepairRule)> {
    let known = LITERALS.iter().find(|(spelling, _)| *spelling == word);
    if let Some((_, literal)) = known {
        return Some((literal, RepairRule::Literal));
    }
    let mut literals = LITERALS.iter().take(CUT_LITERALS);
    let unfinished =
        literals.find(|(spelling, _)| last && !word.is_empty() && spelling.starts_with(word));
    unfinished.map(|(_, literal)| (*literal, RepairRule::UnfinishedLiteral))
}

/// A word that looks like a number, classified.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// A decimal number with these parts. Everything else in the word is dropped: `+007.` is `7`.
    Decimal(Decimal),
    Hexadecimal(u128),
    /// A number with digits grouped by underscores (`1_000`), without these.
    Grouped(String),
    /// `NaN` or `Infinity` with a sign.
    Null,
    /// A sign without digits.
    Sign,
    None,
}

/// The valid parts of a number, as ranges of the word.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) minus: bool,
    /// Without leading zeros; empty in `.5`.
    pub(super) integer: Range<usize>,
    /// With the point; empty if no digits follow it.
    pub(super) fraction: Range<usize>,
    /// With the `e`; empty if no digits follow it.
    pub(super) exponent: Range<usize>,
}

/// Classifies a word that may be a number.
pub(super) fn number(word: &str) -> Number {
    let bytes = word.as_bytes();
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
    if word.contains('_') {
        let digits = word.split('_');
        let is_grouped = unsigned
            .split('_')
            .all(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
        return if is_grouped && !unsigned.starts_with('0') {
            let digits: String = digits.collect();
            Number::Grouped(digits.trim_start_matches('+').into())
        } else {
            Number::None
        };
    }
    let integer_end = skip_digits(bytes, signed);
    let rest = bytes.get(signed..integer_end).unwrap_or_default();
    let zeros = rest.iter().take_while(|byte| **byte == b'0').count();
    let integer = signed + zeros.min(rest.len().saturating_sub(1))..integer_end;
    let mut at = integer_end;
    let mut fraction = at..at;
    if bytes.get(at) == Some(&b'.') {
        let end = skip_digits(bytes, at + 1);
        if end > at + 1 {
            fraction = at..end;
        }
        at = end;
    }
    let mut exponent = at..at;
    if let Some(b'e' | b'E') = bytes.get(at) {
        let signed = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let end = skip_digits(bytes, at + 1 + signed);
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

/// Returns whether a word is a code rather than a number, because it starts with a zero and has
/// only digits: `01067`.
pub(super) fn is_code(word: &str) -> bool {
    word.len() > 1 && word.starts_with('0') && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a word is a number or a literal, or the prefix of one if it is the last word of
/// the text.
pub(super) fn is_scalar(word: &[u8], last: bool) -> bool {
    let Ok(word) = core::str::from_utf8(word) else {
        return false;
    };
    literal(word, last).is_some()
        || match number(word) {
            Number::Decimal(_) | Number::Hexadecimal(_) | Number::Grouped(_) | Number::Null => true,
            Number::Sign | Number::None => false,
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
