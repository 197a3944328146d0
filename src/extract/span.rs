//! Finds the end of a JSON text that is passed on.
//!
//! Only brackets and quotes count, so that the end of malformed JSON is found as well; its reader
//! reports or repairs the mistakes.

use crate::json::skip_plain;
use crate::wrapping::Scanner;

/// How far a JSON text has been passed on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Span {
    /// In an array or object, with this many open brackets.
    Between(usize),
    /// In a string.
    String { depth: usize, escaped: bool },
    /// In a number or literal that is not in a container.
    Bare,
}

/// The part of a text that is JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The first bytes, this many, are JSON that continues after them.
    Open(usize),
    /// The first bytes, this many, are JSON that ends with them.
    Closed(usize),
    /// The first bytes, this many, are JSON. A marker may follow them, and more text is needed to
    /// decide.
    NeedMore(usize),
}

impl Span {
    /// Returns the state at the start of a text that begins with this byte.
    pub(super) const fn new(first: u8) -> Self {
        match first {
            b'{' | b'[' | b'"' => Self::Between(0),
            _ => Self::Bare,
        }
    }

    /// Continues in `text`. `scanner` is at its start, and reads the text between strings.
    pub(super) fn read(&mut self, text: &[u8], scanner: &mut Scanner, is_end: bool) -> Extent {
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            match *self {
                Self::String { depth, escaped } => {
                    match byte {
                        _ if escaped => {
                            *self = Self::String {
                                depth,
                                escaped: false,
                            }
                        }
                        b'\\' => {
                            *self = Self::String {
                                depth,
                                escaped: true,
                            }
                        }
                        b'"' => {
                            scanner.pass(byte);
                            if depth == 0 {
                                return Extent::Closed(at + 1);
                            }
                            *self = Self::Between(depth);
                        }
                        _ => {
                            at = skip_plain(text, at + 1);
                            continue;
                        }
                    }
                    at += 1;
                }
                Self::Between(depth) => {
                    match byte {
                        b'{' | b'[' => *self = Self::Between(depth + 1),
                        b'}' | b']' if depth <= 1 => {
                            scanner.pass(byte);
                            return Extent::Closed(at + 1);
                        }
                        b'}' | b']' => *self = Self::Between(depth - 1),
                        b'"' => {
                            *self = Self::String {
                                depth,
                                escaped: false,
                            }
                        }
                        // ``{"a": [1␊```␊``: the model has stopped in the middle.
                        b'`' | b'~' | b'<' => {
                            let ahead = text.get(at..).unwrap_or_default();
                            match scanner.is_cut(ahead, is_end) {
                                None => return Extent::NeedMore(at),
                                Some(true) => return Extent::Closed(at),
                                Some(false) => {}
                            }
                        }
                        _ => {}
                    }
                    scanner.pass(byte);
                    at += 1;
                }
                Self::Bare => {
                    if !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')) {
                        return Extent::Closed(at);
                    }
                    scanner.pass(byte);
                    at += 1;
                }
            }
        }
        Extent::Open(at)
    }
}
