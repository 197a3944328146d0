//! Characters and white space of JSON text.

/// U+FEFF in UTF-8. RFC 8259, section 8.1, allows parsers to ignore one at the start of a text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns whether the byte is white space between tokens (RFC 8259, section 2).
#[inline]
pub(crate) const fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Returns whether a number or literal that this byte follows ends before it: `1,`, `true]`.
#[inline]
pub(crate) const fn ends_scalar(byte: u8) -> bool {
    is_whitespace(byte) || matches!(byte, b',' | b'}' | b']')
}

/// Returns the index of the first byte at or after `at` that is not white space.
#[inline]
pub(crate) fn skip_whitespace(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).copied().is_some_and(is_whitespace) {
        at += 1;
    }
    at
}

/// Returns the length of a byte order mark at the start of the text: 3 or 0.
pub(crate) fn byte_order_mark_len(bytes: &[u8]) -> usize {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    }
}

/// Returns the last index at or before `at` where a character starts or the text ends.
#[inline]
pub(crate) fn floor_char_boundary(text: &str, mut at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns whether more bytes could complete these to a character: `\xe2\x82` is the start of `€`.
pub(crate) fn is_partial_char(bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floor_char_boundary_stops_before_a_partial_character() {
        for (at, floor) in [(0, 0), (1, 1), (2, 1), (3, 1), (4, 4), (5, 5), (9, 5)] {
            assert_eq!(floor_char_boundary("a€b", at), floor, "{at}");
        }
    }

    #[test]
    fn partial_char_is_one_that_more_bytes_complete() {
        for (bytes, partial) in [
            (&b""[..], false),
            (b"a", false),
            (b"\xe2", true),
            (b"\xe2\x82", true),
            (b"\xe2\x82\xac", false),
            (b"\xe2\x82z", false),
            (b"\xff", false),
        ] {
            assert_eq!(is_partial_char(bytes), partial, "{bytes:?}");
        }
    }
}
