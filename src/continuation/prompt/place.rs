//! Where a text breaks off: the element that it ends in, and the one before.
//!
//! Nodes do not know where in the text they start. To remember that would cost every parser 8 bytes a
//! node, while this reads the text once for each call of a model, which takes seconds.

use alloc::vec::Vec;
use core::ops::Range;

use crate::json::string_end;

/// The pieces of a text that are near its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// The element or member that the text ends in.
    pub(super) cut_off: Option<&'a str>,
    /// The one before it.
    pub(super) before: Option<&'a str>,
}

/// An open array or object.
#[derive(Debug)]
struct Open {
    is_array: bool,
    /// Where what the text is at in there starts.
    child: usize,
    before: Option<Range<usize>>,
}

impl<'a> Place<'a> {
    /// The end of the start of a JSON text.
    pub(super) fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut stack: Vec<Open> = Vec::new();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'"' => match string_end(bytes, at + 1) {
                    Ok((end, _)) => at = end,
                    Err(_) => break,
                },
                b'{' | b'[' => stack.push(Open {
                    is_array: byte == b'[',
                    child: at + 1,
                    before: None,
                }),
                b'}' | b']' => drop(stack.pop()),
                b',' => {
                    if let Some(open) = stack.last_mut() {
                        open.before = Some(open.child..at);
                        open.child = at + 1;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        let trimmed = |range: Range<usize>| {
            let piece = text.get(range).unwrap_or_default().trim_ascii_start();
            Some(piece).filter(|piece| !piece.is_empty())
        };
        let array = stack.iter().rev().find(|open| open.is_array);
        match array.or(stack.last()) {
            Some(open) => Self {
                cut_off: trimmed(open.child..text.len()),
                before: open
                    .before
                    .clone()
                    .and_then(trimmed)
                    .map(str::trim_ascii_end),
            },
            None => Self {
                cut_off: trimmed(0..text.len()).filter(|_| at < text.len()),
                before: None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_element_is_cut_off() {
        for (text, cut_off, before) in [
            ("", None, None),
            ("[", None, None),
            ("[1, 2", Some("2"), Some("1")),
            ("[1 ,", None, Some("1")),
            ("[[1],[2,3", Some("3"), Some("2")),
            (
                r#"[{"a":"]"},{"a":{"b":"#,
                Some(r#"{"a":{"b":"#),
                Some(r#"{"a":"]"}"#),
            ),
            (
                r#"{"a":[1],"b": "x"#,
                Some(r#""b": "x"#),
                Some(r#""a":[1]"#),
            ),
            (r#"{"a":{"b":1,"c"#, Some(r#""c"#), Some(r#""b":1"#)),
            (r#""te,xt"#, Some(r#""te,xt"#), None),
            ("[1]", None, None),
        ] {
            assert_eq!(Place::of(text), Place { cut_off, before }, "{text}");
        }
    }
}
