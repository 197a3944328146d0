//! Strings (RFC 8259, section 7).

use crate::error::{Error, Reason};

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGHS: u64 = ONES << 7;

/// The index of the closing quote of the string whose content starts at `at`, and whether there
/// is an escape on the way.
#[inline]
pub(crate) fn string_end(bytes: &[u8], mut at: usize) -> Result<(usize, bool), Error> {
    let mut escaped = false;
    loop {
        at = plain_end(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return Ok((at, escaped)),
            Some(b'\\') => {
                at = escape_end(bytes, at)?;
                escaped = true;
            }
            Some(_) => return Err(Error::new(Reason::ControlCharacter, at)),
            None => return Err(Error::new(Reason::Incomplete, at)),
        }
    }
}

/// The index of the first quote, backslash or control character at or after `at`, else the length.
#[inline]
pub(crate) fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(block) = bytes[at..].first_chunk::<8>() {
        let word = u64::from_le_bytes(*block);
        // The classic tests for a zero byte and for a byte under 0x20; the lowest hit is exact.
        let zero_if = |byte: u8| {
            let x = word ^ (ONES * u64::from(byte));
            x.wrapping_sub(ONES) & !x
        };
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let hit = (zero_if(b'"') | zero_if(b'\\') | control) & HIGHS;
        if hit != 0 {
            return at + hit.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while let Some(&byte) = bytes.get(at) {
        if byte == b'"' || byte == b'\\' || byte < 0x20 {
            break;
        }
        at += 1;
    }
    at
}

/// The index behind the escape whose backslash is at `at`.
pub(super) fn escape_end(bytes: &[u8], at: usize) -> Result<usize, Error> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            for digit in at + 2..at + 6 {
                match bytes.get(digit) {
                    Some(byte) if byte.is_ascii_hexdigit() => {}
                    Some(_) => return Err(Error::new(Reason::InvalidEscape, digit)),
                    None => return Err(Error::new(Reason::Incomplete, digit)),
                }
            }
            Ok(at + 6)
        }
        Some(_) => Err(Error::new(Reason::InvalidEscape, at + 1)),
        None => Err(Error::new(Reason::Incomplete, at + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// What `plain_end` must find, byte by byte.
    fn naive(bytes: &[u8], at: usize) -> usize {
        (at..bytes.len())
            .find(|&i| matches!(bytes[i], b'"' | b'\\' | 0..=0x1f))
            .unwrap_or(bytes.len())
    }

    #[test]
    fn every_byte_at_every_place_is_judged_as_the_naive_loop_does() {
        for byte in 0..=u8::MAX {
            for len in 0..20 {
                for place in 0..len {
                    let mut bytes = alloc::vec![b'a'; len];
                    bytes[place] = byte;
                    bytes.extend_from_slice(b"!\x80\"");
                    for at in 0..bytes.len() {
                        assert_eq!(plain_end(&bytes, at), naive(&bytes, at), "{bytes:?} {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn strings_end_or_say_where_they_break() {
        let ok = |text: &str| string_end(text.as_bytes(), 0).unwrap();
        assert_eq!(ok(r#"""#), (0, false));
        assert_eq!(ok(r#"plain é 😀", 1"#), (13, false));
        assert_eq!(ok(r#"a\"b\\\/\b\f\n\r\t\u00e9" "#), (24, true));
        let err = |text: &str| string_end(text.as_bytes(), 0).unwrap_err();
        for (text, reason, offset) in [
            ("", Reason::Incomplete, 0),
            ("abc", Reason::Incomplete, 3),
            ("abc\\", Reason::Incomplete, 4),
            ("\\u12", Reason::Incomplete, 4),
            ("\\u12g4\"", Reason::InvalidEscape, 4),
            ("ab\\H\"", Reason::InvalidEscape, 3),
            ("ab\ncd\"", Reason::ControlCharacter, 2),
            ("\u{0}\"", Reason::ControlCharacter, 0),
        ] {
            assert_eq!(err(text), Error::new(reason, offset), "{text:?}");
        }
        let long = String::from("x").repeat(1000) + "\"";
        assert_eq!(ok(&long), (1000, false));
    }
}
