//! Numbers (RFC 8259, section 6).

use super::chars::ends_scalar;
use super::scan::skip_digits;
use crate::error::{Error, Reason};

/// The place in a number: one state per place in the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberState {
    /// After the sign.
    Minus,
    /// After a leading zero, which no digit may follow.
    Zero,
    /// In the integer part.
    Integer,
    /// After the decimal point.
    Point,
    /// In the fraction.
    Fraction,
    /// After the `e`.
    Exponent,
    /// After the sign of the exponent.
    Sign,
    /// In the digits of the exponent.
    Power,
}

/// Returns the length of the part of a growing number that cannot change: all of it except for a
/// fraction of `.0`.
///
/// serde and others write a float that has no fraction yet as `12.0`, which becomes `12.5`.
pub(crate) fn stable_number_len(number: &str) -> usize {
    number.strip_suffix(".0").unwrap_or(number).len()
}

impl NumberState {
    pub(crate) const fn start(byte: u8) -> Option<Self> {
        match byte {
            b'-' => Some(Self::Minus),
            b'0' => Some(Self::Zero),
            b'1'..=b'9' => Some(Self::Integer),
            _ => None,
        }
    }

    /// Returns the state after one more byte, unless the byte cannot belong to the number.
    pub(crate) const fn step(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Minus, _) => match byte {
                b'-' => None,
                _ => Self::start(byte),
            },
            (Self::Integer, b'0'..=b'9') => Some(Self::Integer),
            (Self::Zero | Self::Integer, b'.') => Some(Self::Point),
            (Self::Point | Self::Fraction, b'0'..=b'9') => Some(Self::Fraction),
            (Self::Zero | Self::Integer | Self::Fraction, b'e' | b'E') => Some(Self::Exponent),
            (Self::Exponent, b'+' | b'-') => Some(Self::Sign),
            (Self::Exponent | Self::Sign | Self::Power, b'0'..=b'9') => Some(Self::Power),
            _ => None,
        }
    }

    /// Returns whether a number may end here.
    pub(crate) const fn is_whole(self) -> bool {
        matches!(
            self,
            Self::Zero | Self::Integer | Self::Fraction | Self::Power
        )
    }
}

/// Returns the index after the number at `at`, if it is complete and followed by white space, a
/// comma or a bracket. Its first byte, a digit or a minus, has been checked.
#[inline]
pub(crate) fn complete_number_end(bytes: &[u8], at: usize) -> Option<usize> {
    let whole = at + usize::from(bytes.get(at) == Some(&b'-'));
    let mut end = skip_digits(bytes, whole);
    let is_octal = bytes.get(whole) == Some(&b'0') && end > whole + 1;
    if end == whole || is_octal {
        return None;
    }
    if bytes.get(end) == Some(&b'.') {
        let fraction = end + 1;
        end = skip_digits(bytes, fraction);
        if end == fraction {
            return None;
        }
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let sign = end + 1;
        let power = sign + usize::from(matches!(bytes.get(sign), Some(b'+' | b'-')));
        end = skip_digits(bytes, power);
        if end == power {
            return None;
        }
    }
    // `12` at the end may become `123`; `12x` is an error.
    ends_scalar(*bytes.get(end)?).then_some(end)
}

/// Returns the index after the number at `at`; its first byte, a digit or a minus, has been
/// checked.
#[inline]
pub(crate) fn number_end(bytes: &[u8], at: usize) -> Result<usize, Error> {
    complete_number_end(bytes, at).map_or_else(|| number_end_or_error(bytes, at), Ok)
}

/// Like [`number_end`], but byte by byte, to find the place of an error.
fn number_end_or_error(bytes: &[u8], at: usize) -> Result<usize, Error> {
    let mut end = at;
    let mut state = None;
    while let Some(&byte) = bytes.get(end) {
        let next = match state {
            None => NumberState::start(byte),
            Some(state) => NumberState::step(state, byte),
        };
        let Some(next) = next else { break };
        state = Some(next);
        end += 1;
    }
    let whole = state.is_some_and(NumberState::is_whole);
    match bytes.get(end) {
        Some(b'0'..=b'9') => Err(Error::new(Reason::InvalidNumber, end)),
        _ if whole => Ok(end),
        Some(_) => Err(Error::new(Reason::InvalidNumber, end)),
        None => Err(Error::new(Reason::Incomplete, end)),
    }
}

/// Returns the length of the longest prefix that is a number.
pub(crate) fn whole_number_len(text: &str) -> usize {
    let mut state = None;
    let mut whole = 0;
    for (at, &byte) in text.as_bytes().iter().enumerate() {
        state = match state {
            None => NumberState::start(byte),
            Some(state) => NumberState::step(state, byte),
        };
        match state {
            Some(state) if state.is_whole() => whole = at + 1,
            Some(_) => {}
            None => break,
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn numbers_end_or_say_where_they_break() {
        for text in [
            "0",
            "-0",
            "7",
            "-12",
            "1.10",
            "0.5e3",
            "1E+9",
            "1e400",
            "9007199254740993",
        ] {
            assert_eq!(number_end(text.as_bytes(), 0).unwrap(), text.len());
            let in_array = [text, ",1]"].concat();
            assert_eq!(number_end(in_array.as_bytes(), 0).unwrap(), text.len());
        }
        for (text, reason, offset) in [
            ("-", Reason::Incomplete, 1),
            ("1.", Reason::Incomplete, 2),
            ("1e", Reason::Incomplete, 2),
            ("1e-", Reason::Incomplete, 3),
            ("-a", Reason::InvalidNumber, 1),
            ("--1", Reason::InvalidNumber, 1),
            ("01", Reason::InvalidNumber, 1),
            ("-012", Reason::InvalidNumber, 2),
            ("1.]", Reason::InvalidNumber, 2),
            ("1.e5", Reason::InvalidNumber, 2),
            ("1e,", Reason::InvalidNumber, 2),
        ] {
            let error = number_end(text.as_bytes(), 0).unwrap_err();
            assert_eq!(error, Error::new(reason, offset), "{text}");
        }
    }

    #[test]
    fn complete_numbers_end_as_byte_by_byte() {
        let alphabet = b"-01.eE+ ,x";
        for len in 1..=5 {
            for number in 0..alphabet.len().pow(len) {
                let byte = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
                let text: Vec<u8> = (0..len).map(byte).collect();
                if !matches!(text[0], b'-' | b'0'..=b'9') {
                    continue;
                }
                let end = number_end_or_error(&text, 0).ok();
                let is_followed =
                    |end: &usize| text.get(*end).is_some_and(|&byte| ends_scalar(byte));
                let expected = end.filter(is_followed);
                assert_eq!(
                    complete_number_end(&text, 0),
                    expected,
                    "{}",
                    text.escape_ascii()
                );
            }
        }
    }
}
