//! Lexing of RFC 8259: bytes only, no tree.
//!
//! Every function takes the whole text and an index, and gives the index behind what it read or
//! an [`Error`] at the byte where the grammar is broken. A text that stops in the middle of a
//! token is [`Reason::Incomplete`], so that a caller with more text to come can tell the two
//! apart and start that token anew.

mod escape;
mod lexer;
mod number;
mod string;
mod tokenizer;
mod utf8;

pub(crate) use escape::{decode, decoded_prefix, stable_len, write_string};
pub(crate) use lexer::{Lexeme, Lexer, Literal, Unfinished};
pub(crate) use number::{State as NumberState, number_end, whole_number_len};
pub(crate) use string::{plain_end, string_end};
pub use tokenizer::{Token, Tokenizer};
pub(crate) use utf8::Utf8;

use crate::error::{Error, Reason};

/// The index of the first byte at or after `at` that is no white space (RFC 8259, section 2).
#[inline]
pub(crate) fn skip_whitespace(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Reads `literal` at `at`; its first byte has been looked at.
#[inline]
pub(crate) fn literal_end(bytes: &[u8], at: usize, literal: &'static str) -> Result<usize, Error> {
    let end = at + literal.len();
    if bytes.get(at..end) == Some(literal.as_bytes()) {
        return Ok(end);
    }
    let same = (literal.bytes().zip(&bytes[at..]))
        .take_while(|(expected, byte)| expected == *byte)
        .count();
    Err(unexpected(bytes, at + same, literal))
}

/// The error for the byte at `at`, or for the end of the text there.
#[cold]
pub(crate) fn unexpected(bytes: &[u8], at: usize, expected: &'static str) -> Error {
    let reason = if at < bytes.len() {
        Reason::Expected(expected)
    } else {
        Reason::Incomplete
    };
    Error::new(reason, at)
}

/// The index behind the value at `at`, which is taken to be JSON: only strings and brackets are
/// looked at. The end of the text if that comes first.
pub(crate) fn value_end(bytes: &[u8], at: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = at;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let Ok((end, _)) = string_end(bytes, at + 1) else {
                    return bytes.len();
                };
                at = end;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth > 1 => depth -= 1,
            b'}' | b']' if depth == 1 => return at + 1,
            b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' if depth == 0 => return at,
            _ => {}
        }
        at += 1;
        if depth == 0 && byte == b'"' {
            return at;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_end_stops_behind_the_value() {
        for (text, value) in [
            ("1,2", "1"),
            ("true}", "true"),
            (r#""a\",b" ]"#, r#""a\",b""#),
            (r#"{"a":[1,{"b":"}"}]} ,"#, r#"{"a":[1,{"b":"}"}]}"#),
            ("[]]", "[]"),
            ("[1", "[1"),
            (r#""open"#, r#""open"#),
        ] {
            assert_eq!(value_end(text.as_bytes(), 0), value.len(), "{text}");
        }
    }

    #[test]
    fn a_literal_is_refused_at_its_first_wrong_byte() {
        for (text, reason, offset) in [
            ("trve", Reason::Expected("true"), 2),
            ("tr", Reason::Incomplete, 2),
            ("truE", Reason::Expected("true"), 3),
        ] {
            let error = literal_end(text.as_bytes(), 0, "true").unwrap_err();
            assert_eq!(error, Error::new(reason, offset), "{text}");
        }
        assert_eq!(literal_end(b"true,", 0, "true").unwrap(), 4);
    }
}
