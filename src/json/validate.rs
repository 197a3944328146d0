//! Validation of a complete text: no tree, no events.

use alloc::vec::Vec;

use super::number::number_end;
use super::scan::{escape_end, skip_plain};
use super::{literal_end, skip_whitespace, unexpected};
use crate::error::{Error, Reason};
use crate::limits::Limits;

/// Checks that a text is one JSON value (RFC 8259) within these limits.
///
/// It gives the errors that a [`Parser`](crate::parser::Parser) gives, except for a byte order
/// mark, which it does not accept.
pub(crate) fn validate(text: &str, limits: Limits) -> Result<(), Error> {
    let end = json_value_end(text, limits)?;
    let end = skip_whitespace(text.as_bytes(), end);
    if end < text.len() {
        return Err(Error::new(Reason::Trailing, end));
    }
    Ok(())
}

/// Returns the end of the JSON value that a text starts with, within these limits.
///
/// # Errors
///
/// Those of [`validate`], if the text does not start with a value.
pub(crate) fn json_value_end(text: &str, limits: Limits) -> Result<usize, Error> {
    let limit = limits.document_bytes as usize;
    match text.as_bytes().get(..limit) {
        Some(start) if start.len() < text.len() => match value(start, limits) {
            Err(error) if !error.is_incomplete() => Err(error),
            Ok(end) if skip_whitespace(start, end) < start.len() => Ok(end),
            _ => Err(Error::new(
                Reason::DocumentTooLarge(limits.document_bytes),
                limit,
            )),
        },
        Some(_) | None => value(text.as_bytes(), limits),
    }
}

fn value(bytes: &[u8], limits: Limits) -> Result<usize, Error> {
    let token = limits.token_bytes;
    let small = |start: usize, end: usize| {
        if end - start > token as usize {
            return Err(Error::new(Reason::TokenTooLarge(token), start));
        }
        Ok(end)
    };
    // The part of a token before an error may already be too large.
    let broken = |start: usize, end: usize, error: Error| small(start, end).and(Err(error));
    let string = |start: usize| {
        let mut at = start;
        loop {
            at = skip_plain(bytes, at);
            at = match bytes.get(at) {
                Some(b'"') => return small(start, at).map(|end| end + 1),
                Some(b'\\') => match escape_end(bytes, at) {
                    Ok(end) => end,
                    Err(error) => return broken(start, at, error),
                },
                Some(_) => return broken(start, at, Error::new(Reason::ControlCharacter, at)),
                None => return broken(start, at, Error::new(Reason::Incomplete, at)),
            };
        }
    };
    // The openers of the open containers.
    let mut open: Vec<u8> = Vec::new();
    let mut at = skip_whitespace(bytes, 0);
    loop {
        // A value starts here.
        let Some(&byte) = bytes.get(at) else {
            return Err(unexpected(bytes, at, "a value"));
        };
        at = match byte {
            b'{' | b'[' => {
                if open.len() >= limits.depth as usize {
                    return Err(Error::new(Reason::TooDeep(limits.depth), at));
                }
                at = skip_whitespace(bytes, at + 1);
                match (byte, bytes.get(at)) {
                    (b'{', Some(b'}')) | (b'[', Some(b']')) => at + 1,
                    (b'{', _) => {
                        open.push(byte);
                        at = name(bytes, at, &string)?;
                        continue;
                    }
                    _ => {
                        open.push(byte);
                        continue;
                    }
                }
            }
            b'"' => string(at + 1)?,
            b't' => literal_end(bytes, at, "true")?,
            b'f' => literal_end(bytes, at, "false")?,
            b'n' => literal_end(bytes, at, "null")?,
            b'-' | b'0'..=b'9' => match number_end(bytes, at) {
                Ok(end) => small(at, end)?,
                Err(error) => return broken(at, error.offset(), error),
            },
            _ => return Err(unexpected(bytes, at, "a value")),
        };
        // A value has ended here.
        loop {
            let Some(&opener) = open.last() else {
                return Ok(at);
            };
            at = skip_whitespace(bytes, at);
            match (bytes.get(at), opener) {
                (Some(b','), b'{') => {
                    at = skip_whitespace(bytes, at + 1);
                    at = name(bytes, at, &string)?;
                    break;
                }
                (Some(b','), _) => {
                    at = skip_whitespace(bytes, at + 1);
                    break;
                }
                (Some(b'}'), b'{') | (Some(b']'), b'[') => {
                    open.pop();
                    at += 1;
                }
                _ => return Err(unexpected(bytes, at, "a comma or the end of the container")),
            }
        }
    }
}

/// Reads a name and its colon; returns where the value starts.
fn name(
    bytes: &[u8],
    at: usize,
    string: &impl Fn(usize) -> Result<usize, Error>,
) -> Result<usize, Error> {
    if bytes.get(at) != Some(&b'"') {
        return Err(unexpected(bytes, at, "a name"));
    }
    let at = skip_whitespace(bytes, string(at + 1)?);
    if bytes.get(at) != Some(&b':') {
        return Err(unexpected(bytes, at, "a colon"));
    }
    Ok(skip_whitespace(bytes, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::Parser;
    use alloc::string::String;

    /// Texts of the bytes that JSON consists of, from a seed.
    fn text(mut seed: u64) -> String {
        const PARTS: &[&str] = &[
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"", "\\", "\\n", "\\u00e9", "1", "-", "0",
            ".5", "e", "true", "nul", "null", " ", "\n", "\"b\":", "é", "\t", "{\"a\":1", "[1,2",
        ];
        let mut text = String::new();
        for _ in 0..=seed % 9 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(PARTS[(seed >> 33) as usize % PARTS.len()]);
        }
        text
    }

    #[test]
    fn errors_are_those_of_the_parser() {
        let limits = Limits::default()
            .max_depth(3)
            .max_token_bytes(5)
            .max_document_bytes(24);
        for limits in [limits, Limits::default()] {
            for seed in 0..200_000 {
                let text = text(seed);
                let expected = Parser::of_whole(text.as_bytes(), limits).map(|_| ());
                let place = |error: Error| (error.kind(), error.offset());
                let actual = validate(&text, limits).map_err(place);
                assert_eq!(actual, expected.map_err(place), "{text:?}");
            }
        }
    }
}
