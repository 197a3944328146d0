//! Lexing of RFC 8259: bytes only, no tree.
//!
//! The functions take the entire text and an index, and return the index after what they have read
//! or an [`Error`] at the byte that violates the grammar. A text that ends inside a token is
//! [`Reason::Incomplete`], so that a caller that may receive more text can start that token again.
//!
//! # For maintainers
//!
//! Two readers of tokens share the rules. The chunker reads complete snapshots, with the functions
//! [`string_end`], [`number_end`] and [`literal_end`]; the parser and [`Tokenizer`] read fragments,
//! with the resumable [`lexer`]. A rule about tokens is in one place for both: [`scan`] for
//! strings, [`NumberState`](number::NumberState) for numbers. [`escape`] alone knows what escapes
//! mean, and [`syntax`] which token may be where; both of the parser's paths, `build` and `fast`,
//! use them.
//!
//! | token state of the lexer | byte | next |
//! | --- | --- | --- |
//! | `Between` | white space | `Between` |
//! | `Between` | `{ } [ ] : ,` | `Between`, after a structural token |
//! | `Between` | `"`, a letter of a literal, a digit or `-` | `String`, `Literal`, `Number` |
//! | `String` | the closing quote | `Between`, after a string |
//! | `Literal` | its last letter | `Between`, after a literal |
//! | `Number` | a byte that cannot continue it | `Between`, after a number; it is read again |
//!
//! Invariants:
//!
//! - *Never back*: the position of the [`lexer`] never decreases, so lexing is linear for every
//!   split.
//! - *Errors last*: an error is returned again by each later call.
//! - *What was valid is kept*: the part of a token before an error is its [`PartialToken`].
//! - *First byte decides*: [`syntax`] accepts or refuses a token by its first byte, before any more
//!   of it is read, so the error is the same for every split.
//! - *One bit per container*: of the path to a place, only the kinds of its [`containers`] are
//!   known, so a fork of the automaton costs next to nothing.

mod chars;
mod containers;
mod escape;
mod lexeme;
mod lexer;
mod number;
mod phase;
mod scan;
mod syntax;
mod tokenizer;
mod utf8;
mod validate;

pub(crate) use chars::{
    BYTE_ORDER_MARK, byte_order_mark_len, ends_scalar, floor_char_boundary, is_partial_char,
    is_whitespace, skip_whitespace,
};
pub(crate) use containers::Container;
pub(crate) use escape::{
    decode, decode_into, decoded_prefix, stable_len, unescape_string, write_string,
};
pub(crate) use lexeme::{Literal, PartialToken, TokenPlace};
pub(crate) use number::{complete_number_end, number_end, stable_number_len, whole_number_len};
pub(crate) use phase::Phase;
pub(crate) use scan::{
    HIGHS, ONES, closing_quote, short_word, skip_digits, skip_plain, string_end,
};
pub(crate) use syntax::{Automaton, Expect, Step, starts_value};
pub use tokenizer::{StringToken, Token, Tokenizer};
pub(crate) use utf8::Utf8Decoder;
pub(crate) use validate::{json_value_end, validate};

use crate::error::{Error, Reason};

/// Returns the index after `literal` at `at`; its first byte has been checked.
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

/// Returns the error for the byte at `at`, or for the end of the text there.
#[cold]
pub(crate) fn unexpected(bytes: &[u8], at: usize, expected: &'static str) -> Error {
    let reason = if at < bytes.len() {
        Reason::Expected(expected)
    } else {
        Reason::Incomplete
    };
    Error::new(reason, at)
}

/// Returns the index after the value at `at`, which must be valid JSON: only strings and brackets
/// are checked. Returns the end of the text if the value is incomplete.
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
            _ if depth == 0 && ends_scalar(byte) => return at,
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
    fn value_end_is_after_value() {
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
