//! UTF-8 in fragments.

use alloc::string::String;
use core::str;

use super::chars::is_partial_char;
use crate::error::{Error, Reason};

/// Decodes UTF-8 in fragments: keeps the bytes of a character in which a fragment ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Utf8Decoder {
    bytes: [u8; 4],
    len: usize,
}

impl Utf8Decoder {
    /// Appends `fragment` to `text`, without an incomplete character at its end. On an error, the
    /// valid bytes before it have been appended, and the offset is that in `text`; an incomplete
    /// character before the invalid byte is pending.
    #[inline]
    pub(crate) fn append(&mut self, fragment: &[u8], text: &mut String) -> Result<(), Error> {
        // One or two ASCII characters, as `",`: the calls that check and copy bytes cost more.
        if fragment.len() <= 2 && fragment.is_ascii() && self.len == 0 {
            for byte in fragment {
                text.push(char::from(*byte));
            }
            return Ok(());
        }
        match str::from_utf8(fragment) {
            Ok(fragment) if self.len == 0 => {
                text.push_str(fragment);
                Ok(())
            }
            Ok(_) | Err(_) => self.append_pieces(fragment, text),
        }
    }

    /// The slow path of [`Self::append`]: a character is split, or a byte is invalid.
    fn append_pieces(&mut self, fragment: &[u8], text: &mut String) -> Result<(), Error> {
        let mut rest = fragment;
        while self.len > 0 {
            let Some((&byte, after)) = rest.split_first() else {
                return Ok(());
            };
            self.bytes[self.len] = byte;
            match str::from_utf8(&self.bytes[..=self.len]) {
                Ok(char) => {
                    text.push_str(char);
                    self.len = 0;
                }
                Err(error) if error.error_len().is_none() => self.len += 1,
                Err(_) => return Err(invalid(text)),
            }
            rest = after;
        }
        match str::from_utf8(rest) {
            Ok(all) => text.push_str(all),
            Err(error) => {
                let (valid, half) = rest.split_at(error.valid_up_to());
                text.push_str(str::from_utf8(valid).unwrap_or_default());
                let wrong = error.error_len().map(|len| &half[..len]);
                let half = wrong.unwrap_or(half);
                if is_partial_char(half) {
                    self.bytes[..half.len()].copy_from_slice(half);
                    self.len = half.len();
                }
                if wrong.is_some() {
                    return Err(invalid(text));
                }
            }
        }
        Ok(())
    }

    /// Returns how many bytes of an incomplete character are pending.
    pub(crate) fn pending(&self) -> usize {
        self.len
    }

    /// Checks that no incomplete character is at the end of a text of `len` bytes.
    pub(crate) fn finish(&self, len: usize) -> Result<(), Error> {
        if self.len > 0 {
            return Err(Error::new(Reason::Incomplete, len));
        }
        Ok(())
    }
}

fn invalid(text: &str) -> Error {
    Error::new(Reason::InvalidUtf8, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_split_gives_the_same_text() {
        let text = "aé€😀\u{FFFD}z";
        let bytes = text.as_bytes();
        for first in 0..=bytes.len() {
            for second in first..=bytes.len() {
                let mut utf8 = Utf8Decoder::default();
                let mut out = String::new();
                for piece in [&bytes[..first], &bytes[first..second], &bytes[second..]] {
                    utf8.append(piece, &mut out).unwrap();
                }
                utf8.finish(out.len()).unwrap();
                assert_eq!(out, text);
            }
        }
    }

    #[test]
    fn what_is_no_utf8_is_refused_where_it_starts() {
        for (bytes, offset) in [
            (&b"ab\xff"[..], 2),
            (b"ab\xc3(", 2),
            (b"\xed\xa0\x80", 0),
            (b"a\xe2\x82z", 1),
        ] {
            for split in 0..=bytes.len() {
                let mut utf8 = Utf8Decoder::default();
                let mut out = String::new();
                let result = utf8
                    .append(&bytes[..split], &mut out)
                    .and_then(|()| utf8.append(&bytes[split..], &mut out));
                assert_eq!(result, Err(Error::new(Reason::InvalidUtf8, offset)));
            }
        }
        let mut utf8 = Utf8Decoder::default();
        utf8.append(b"\xf0\x9f", &mut String::new()).unwrap();
        assert_eq!(utf8.finish(7), Err(Error::new(Reason::Incomplete, 7)));
    }
}
