//! Strings with their escapes, as `serde_json` writes them: written, and compared.

use alloc::string::String;
use core::fmt;

use crate::json::skip_plain;

pub(super) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    write_content(text, out);
    out.push('"');
}

fn write_content(text: &str, out: &mut String) {
    let _ = each_piece(text, |piece| {
        out.push_str(piece);
        Some(())
    });
}

/// Returns what follows the content of a string in `bytes`.
pub(super) fn strip_content<'a>(bytes: &'a [u8], text: &str) -> Option<&'a [u8]> {
    let mut rest = bytes;
    each_piece(text, |piece| {
        rest = rest.strip_prefix(piece.as_bytes())?;
        Some(())
    })?;
    Some(rest)
}

/// Calls `each` with the pieces of a string's raw content, until it returns `None`: runs without
/// escapes, and escapes.
fn each_piece(text: &str, mut each: impl FnMut(&str) -> Option<()>) -> Option<()> {
    let mut rest = text;
    loop {
        let plain = skip_plain(rest.as_bytes(), 0);
        // What needs an escape is one byte long, so the text can be split before and after it.
        let (before, after) = rest.split_at_checked(plain)?;
        each(before)?;
        let mut chars = after.chars();
        let Some(special) = chars.next() else {
            return Some(());
        };
        match special {
            '"' => each("\\\"")?,
            '\\' => each("\\\\")?,
            '\u{8}' => each("\\b")?,
            '\t' => each("\\t")?,
            '\n' => each("\\n")?,
            '\u{c}' => each("\\f")?,
            '\r' => each("\\r")?,
            control => {
                let digit = |n| char::from_digit(n, 16).unwrap_or_default();
                let code = u32::from(control);
                each("\\u00")?;
                each(digit(code >> 4).encode_utf8(&mut [0; 4]))?;
                each(digit(code & 15).encode_utf8(&mut [0; 4]))?;
            }
        }
        rest = chars.as_str();
    }
}

/// Escapes what is formatted into it.
pub(super) struct Escaping<'a>(pub(super) &'a mut String);

impl fmt::Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        write_content(text, self.0);
        Ok(())
    }
}

/// Compares what is formatted into it, escaped, with the start of a text.
pub(super) struct SameContent<'a>(pub(super) &'a [u8]);

impl fmt::Write for SameContent<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = strip_content(self.0, text).ok_or(fmt::Error)?;
        Ok(())
    }
}
