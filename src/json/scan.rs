//! The scanner for strings (RFC 8259, section 7).

use crate::error::{Error, Reason};

/// The lowest and the highest bit of each byte of a word.
pub(crate) const ONES: u64 = u64::from_le_bytes([1; 8]);
pub(crate) const HIGHS: u64 = ONES << 7;

/// Returns the index of the closing quote of the string whose content starts at `at`, and whether
/// there is an escape before it.
#[inline]
pub(crate) fn string_end(bytes: &[u8], mut at: usize) -> Result<(usize, bool), Error> {
    let mut escaped = false;
    loop {
        at = skip_plain(bytes, at);
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

/// Returns the index of the closing quote of the string whose content starts at `at`, even if the
/// string contains control characters or invalid escapes: `"C:\H"`.
pub(crate) fn closing_quote(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = skip_plain(bytes, at);
        match bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Returns the index of the first quote, backslash or control character at or after `at`, or the
/// length of the text.
///
/// Short runs, such as the names in `{"id":1,"name":"x"}`, end in the first words. Long runs are
/// tested in blocks of 32 bytes, which compiles to vector instructions.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "most runs end in the first word, and a call costs as much as that"
)]
pub(crate) fn skip_plain(bytes: &[u8], mut at: usize) -> usize {
    for _ in 0..2 {
        match bytes.get(at..).and_then(<[u8]>::first_chunk) {
            Some(word) => match first_special(*word) {
                8 => at += 8,
                offset => return at + offset,
            },
            None => return skip_plain_tail(bytes, at),
        }
    }
    skip_plain_blocks(bytes, at)
}

/// Continues in blocks, in a separate function so that short runs stay fast.
#[inline(never)]
fn skip_plain_blocks(bytes: &[u8], mut at: usize) -> usize {
    const BLOCK: usize = 32;
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>) {
        // No early exit, because that would keep the loop from being vectorized.
        let special = block
            .iter()
            .fold(false, |special, byte| special | is_special(*byte));
        if special {
            break;
        }
        at += BLOCK;
    }
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        match first_special(*word) {
            8 => at += 8,
            offset => return at + offset,
        }
    }
    skip_plain_tail(bytes, at)
}

/// Continues where fewer than eight bytes are left.
#[inline(never)]
fn skip_plain_tail(bytes: &[u8], mut at: usize) -> usize {
    let left = bytes.len().saturating_sub(at);
    if left == 0 {
        return at;
    }
    // The last word of the text, without the bytes before `at`. The zeros that take their places
    // after the text are special, so that the text ends there.
    if let Some(last) = bytes.last_chunk() {
        let rest = u64::from_le_bytes(*last) >> (8 * (8 - left));
        return at + first_special(rest.to_le_bytes());
    }
    while bytes.get(at).is_some_and(|byte| !is_special(*byte)) {
        at += 1;
    }
    at
}

/// Returns whether a byte ends a run of plain text. With one bit flipped, the quote follows the
/// control characters, 0x22 ^ 2 = 0x20, so that two comparisons are enough.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, so that the loop over a block is vectorized"
)]
const fn is_special(byte: u8) -> bool {
    (byte ^ 2 <= b' ') | (byte == b'\\')
}

/// Returns the index of the first special byte in the word, or 8.
#[inline]
const fn first_special(word: [u8; 8]) -> usize {
    specials(u64::from_le_bytes(word)).trailing_zeros() as usize / 8
}

/// Marks the first special byte of the word, in its highest bit, and maybe some after it.
#[inline]
const fn specials(word: u64) -> u64 {
    // The classic tests for a zero byte and for a byte under 0x21, see `is_special`. A borrow may
    // mark bytes after a true hit, never before, so the lowest hit is exact.
    let backslash = word ^ (ONES * b'\\' as u64);
    let backslash = backslash.wrapping_sub(ONES) & !backslash;
    let flipped = word ^ (ONES * 2);
    let others = flipped.wrapping_sub(ONES * 0x21) & !flipped;
    (backslash | others) & HIGHS
}

/// Returns a word with all bytes of a text of up to 7 bytes.
#[inline]
pub(crate) fn short_word(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last));
    }
    let middle = bytes.get(bytes.len() / 2);
    let [first, middle, last] =
        [bytes.first(), middle, bytes.last()].map(|byte| byte.copied().unwrap_or(b'-'));
    u64::from_le_bytes([first, middle, last, b'-', b'-', b'-', b'-', b'-'])
}

/// Returns the index of the first byte at or after `at` that is no ASCII digit, or the length of
/// the text.
#[inline]
pub(crate) fn skip_digits(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        match first_non_digit(*word) {
            8 => at += 8,
            offset => return at + offset,
        }
    }
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

/// Returns the index of the first byte in the word that is no ASCII digit, or 8.
#[inline]
const fn first_non_digit(word: [u8; 8]) -> usize {
    // Digits become 0 to 9, every other byte more. From 10 on, adding 0x76 sets the highest bit,
    // unless it was set before. A carry may mark bytes after a true hit, never before.
    let value = u64::from_le_bytes(word) ^ (ONES * b'0' as u64);
    let hits = (value.wrapping_add(ONES * 0x76) | value) & HIGHS;
    hits.trailing_zeros() as usize / 8
}

/// Returns the index after the escape whose backslash is at `at`.
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

    /// Returns what `skip_plain` must find, byte by byte.
    fn naive(bytes: &[u8], at: usize) -> usize {
        (at..bytes.len())
            .find(|&i| matches!(bytes[i], b'"' | b'\\' | 0..=0x1f))
            .unwrap_or(bytes.len())
    }

    #[test]
    fn every_byte_at_every_place_is_judged_as_the_naive_loop_does() {
        for byte in 0..=u8::MAX {
            for len in [0, 1, 7, 8, 9, 16, 17, 40, 50, 71] {
                for place in 0..len {
                    let mut bytes = alloc::vec![b'a'; len];
                    bytes[place] = byte;
                    bytes.extend_from_slice(b"!\x80\"");
                    for at in 0..=bytes.len() {
                        assert_eq!(skip_plain(&bytes, at), naive(&bytes, at), "{bytes:?} {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_byte_at_every_place_ends_digits_as_in_naive_loop() {
        for byte in 0..=u8::MAX {
            for len in [0, 1, 7, 8, 9, 16, 17, 25] {
                for place in 0..len {
                    let mut bytes = alloc::vec![b'0' + (place % 10) as u8; len];
                    bytes[place] = byte;
                    bytes.extend_from_slice(b"5e\xff9");
                    for at in 0..bytes.len() {
                        let rest = &bytes[at..];
                        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                        assert_eq!(skip_digits(&bytes, at), at + digits, "{bytes:?} {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn closing_quote_is_found_after_invalid_content() {
        for (text, end) in [
            (r#"""#, Some(0)),
            (r#"a\"b""#, Some(4)),
            ("a\nb\\H\\u12\"", Some(9)),
            (r#"a\""#, None),
            ("a\\", None),
            ("", None),
        ] {
            assert_eq!(closing_quote(text.as_bytes(), 0), end, "{text:?}");
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
