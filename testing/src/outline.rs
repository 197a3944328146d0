//! The oracle of the parser: the expected document after each byte of a text, found by reading the
//! entire text at once.
//!
//! The reader is strict, recursive and slow. For each value it records the start, the end, and the
//! byte after which each of its characters is known. The document after n bytes follows from that,
//! for valid, truncated and invalid texts. Of several members with the same name, the last one that
//! has started is in the document.

mod reader;

use std::collections::HashSet;

use json_chunks::ErrorKind;

use reader::Reader;

/// A value after some number of bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub pointer: String,
    pub content: Content,
    pub complete: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Null,
    True,
    False,
    /// The digits so far.
    Number(String),
    /// The decoded text so far.
    Str(String),
    Array,
    Object,
}

/// An event of the parser. Those that are split between two pieces are merged.
#[derive(Clone, Debug, PartialEq)]
pub enum ParseEvent {
    Started(String),
    Appended(String, String),
    Completed(String),
}

#[derive(Debug, Default)]
pub struct Outline {
    nodes: Vec<Node>,
    /// All events up to the error, if there is one.
    pub events: Vec<ParseEvent>,
    pub error: Option<ErrorAt>,
}

/// The kind and offset of an error.
pub type ErrorAt = (ErrorKind, usize);

#[derive(Debug)]
struct Node {
    pointer: String,
    /// The same with unpaired surrogates as they are written, which are all U+FFFD in a pointer.
    place: String,
    kind: Content,
    start: usize,
    /// The offset after its last byte, if it is complete.
    end: Option<usize>,
    units: Vec<Unit>,
}

/// A character of a string or number.
#[derive(Clone, Copy, Debug)]
struct Unit {
    character: char,
    /// The offset after the byte that makes it known. For an escaped high surrogate that is the end
    /// of the next character, because an escape may complete the pair.
    known: Option<usize>,
}

impl Outline {
    /// Reads a text in which values may be nested `deepest` levels.
    pub fn of(bytes: &[u8], deepest: usize) -> Self {
        let (text, at_its_end) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, ErrorKind::Incomplete),
            Err(error) => {
                let valid = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap();
                let kind = match error.error_len() {
                    None => ErrorKind::Incomplete,
                    Some(_) => ErrorKind::Syntax,
                };
                (valid, kind)
            }
        };
        let mut reader = Reader {
            text,
            bytes: text.as_bytes(),
            // One byte order mark; another is an error.
            at: if text.starts_with(BOM) {
                BOM.len_utf8()
            } else {
                0
            },
            deepest,
            at_its_end,
            ends_inside_character: text.len() < bytes.len(),
            place: Vec::new(),
            out: Self::default(),
        };
        let mut result = reader.value("");
        if result.is_ok() {
            reader.space();
            let all = reader.at == bytes.len();
            result = if all { Ok(()) } else { Err(reader.error_at()) };
        }
        reader.out.error = result.err();
        reader.out
    }

    /// Returns the document after the first `bytes` bytes, in the order of the text.
    pub fn rows_after(&self, bytes: usize) -> Vec<Row> {
        self.rows(bytes, false)
    }

    /// Returns the document after the first `bytes` bytes, and after the end of the input if it is
    /// `finished`.
    pub fn rows(&self, bytes: usize, finished: bool) -> Vec<Row> {
        let started = self.nodes.iter().filter(|node| node.start < bytes);
        let started: Vec<_> = started.collect();
        let mut rows = Vec::new();
        let mut later = HashSet::new();
        // Backwards: a value at or below a pointer that occurs again later is superseded.
        for node in started.iter().rev() {
            let place = node.place.as_str();
            let slashes = place.match_indices('/').skip(1).map(|(at, _)| at);
            let mut around = slashes
                .chain([place.len()])
                .map(|end| place.get(..end).unwrap());
            if !around.any(|place| later.contains(place)) {
                rows.push(node.row(bytes, finished));
            }
            later.insert(place);
        }
        rows.reverse();
        rows
    }

    /// Returns the document after the entire input, or after its error.
    pub fn rows_at_end(&self) -> Vec<Row> {
        match self.error {
            None => self.rows(usize::MAX, true),
            // The invalid byte was read, and may end a number before it: `[1}`.
            Some((ErrorKind::Syntax | ErrorKind::TooDeep, offset)) => self.rows_after(offset + 1),
            Some((_, offset)) => self.rows(offset, true),
        }
    }
}

impl Node {
    fn row(&self, bytes: usize, finished: bool) -> Row {
        let complete = self.end.is_some_and(|end| match self.kind {
            Content::Number(_) => finished || end < bytes,
            _ => end <= bytes,
        });
        let shown = || shown(&self.units, bytes, complete);
        Row {
            pointer: self.pointer.clone(),
            content: match self.kind {
                Content::Number(_) => Content::Number(shown()),
                Content::Str(_) => Content::Str(shown()),
                ref other => other.clone(),
            },
            complete,
        }
    }
}

/// Returns the known part of a string or number after the first `bytes` bytes.
fn shown(units: &[Unit], bytes: usize, complete: bool) -> String {
    units
        .iter()
        .take_while(|unit| complete || unit.known.is_some_and(|known| known <= bytes))
        .map(|unit| unit.character)
        .collect()
}

const BOM: char = '\u{FEFF}';
