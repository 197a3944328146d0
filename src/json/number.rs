//! Numbers (RFC 8259, section 6).

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

/// Returns the length of what cannot change in a number that may still grow: all of it except for a
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

    /// Whether a number may end here.
    pub(crate) const fn is_whole(self) -> bool {
        matches!(
            self,
            Self::Zero | Self::Integer | Self::Fraction | Self::Power
        )
    }
}

/// Returns the index after the number at `at`; its first byte, a digit or a minus, has been
/// checked.
#[inline]
pub(crate) fn number_end(bytes: &[u8], at: usize) -> Result<usize, Error> {
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
}
