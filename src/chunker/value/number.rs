//! Numbers as `serde_json` writes them.

use core::fmt::{self, Display, Write as _};
use core::ops::RangeInclusive;

/// The text of a number: at most the 40 bytes of an `i128`.
pub(super) struct NumberText {
    bytes: [u8; Self::LONGEST],
    start: usize,
    end: usize,
}

impl NumberText {
    const LONGEST: usize = 40;

    const EMPTY: Self = Self {
        bytes: [0; Self::LONGEST],
        start: 0,
        end: 0,
    };

    pub(super) fn as_str(&self) -> &str {
        let text = self.bytes.get(self.start..self.end).unwrap_or_default();
        core::str::from_utf8(text).unwrap_or_default()
    }

    /// The integer, of which `magnitude` is the absolute value: from the last digit to the first.
    pub(super) fn integer(magnitude: u64, is_negative: bool) -> Self {
        let mut number = magnitude;
        let mut bytes = [0; Self::LONGEST];
        let mut start = Self::LONGEST;
        loop {
            start -= 1;
            bytes[start] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        if is_negative {
            start -= 1;
            bytes[start] = b'-';
        }
        Self {
            bytes,
            start,
            end: Self::LONGEST,
        }
    }

    /// The `Display` of a 128-bit integer.
    pub(super) fn display(number: impl Display) -> Self {
        let mut text = Self::EMPTY;
        // It is not longer than there is room.
        let _ = write!(text, "{number}");
        text
    }

    /// The float; none if it is not finite, because JSON has no text for it.
    pub(super) fn single(number: f32) -> Option<Self> {
        let float = || Self::float(format_args!("{number:e}"), -6..=12);
        number.is_finite().then(float)
    }

    /// The float; none if it is not finite.
    pub(super) fn double(number: f64) -> Option<Self> {
        let float = || Self::float(format_args!("{number:e}"), -5..=15);
        number.is_finite().then(float)
    }

    /// The shortest digits that read as the same float, `scientific` as `{:e}` writes them: as
    /// `0.5`, `1.0` and `12.0` where its exponent is one of `plain`, else as `1e-7` and `1.5e+300`.
    fn float(scientific: fmt::Arguments<'_>, plain: RangeInclusive<i32>) -> Self {
        let mut source = Self::EMPTY;
        let mut text = Self::EMPTY;
        // At most 17 digits, a sign, a point, and a zero before or 15 after the digits.
        let _ = source.write_fmt(scientific);
        let _ = text.write_float(source.as_str(), plain);
        text
    }

    fn write_float(&mut self, scientific: &str, plain: RangeInclusive<i32>) -> fmt::Result {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
        let exponent: i32 = exponent.parse().unwrap_or_default();
        let digits = match mantissa.strip_prefix('-') {
            Some(digits) => {
                self.write_char('-')?;
                digits
            }
            None => mantissa,
        };
        let (first, rest) = digits.split_once('.').unwrap_or((digits, ""));
        if !plain.contains(&exponent) {
            // 1.5 and -7: 1.5e-7
            self.write_str(digits)?;
            let sign = if exponent < 0 { '-' } else { '+' };
            return write!(self, "e{sign}{}", exponent.unsigned_abs());
        }
        let places = exponent.unsigned_abs() as usize;
        if exponent < 0 {
            // 1.5 and -3: 0.0015
            self.write_str("0.")?;
            self.write_zeros(places - 1)?;
            self.write_str(first)?;
            return self.write_str(rest);
        }
        self.write_str(first)?;
        match rest.split_at_checked(places) {
            // 1.5 and 0: 1.5
            Some((integer, fraction)) if !fraction.is_empty() => {
                self.write_str(integer)?;
                self.write_char('.')?;
                self.write_str(fraction)
            }
            // 1.5 and 3: 1500.0
            _ => {
                self.write_str(rest)?;
                self.write_zeros(places - rest.len())?;
                self.write_str(".0")
            }
        }
    }

    fn write_zeros(&mut self, count: usize) -> fmt::Result {
        (0..count).try_for_each(|_| self.write_char('0'))
    }
}

impl fmt::Write for NumberText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.end + text.len();
        let room = self.bytes.get_mut(self.end..end).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.end = end;
        Ok(())
    }
}
