//! The input of `watch`, and its conversion to JSON text.

use std::str;

use clap::ValueEnum;

use crate::diagnostics::Diagnostics;
use crate::error::CommandError;
use crate::input::{Line, Lines, Location};
use crate::snapshot_lines::{ChunkerArgs, Hints, SnapshotLines};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    /// One complete JSON value per line, the document so far
    Snapshots,
    /// One JSON string per line, as `chunk --format jsonl` writes them
    Fragments,
    /// JSON text as it arrives, without regard to lines
    Text,
}

/// One step of the input.
#[derive(Debug)]
pub(super) struct Piece {
    /// The number of the line, or the bytes of the input so far ([`Kind::Text`]).
    pub(super) reached: u64,
    bytes: Vec<u8>,
}

/// Divides an input into pieces, each as soon as it has arrived.
pub(super) struct Pieces {
    lines: Lines,
    kind: Kind,
    max_bytes: usize,
    bytes: u64,
}

impl Pieces {
    /// `max_bytes` is the maximum size of a piece of [`Kind::Text`].
    pub(super) fn new(lines: Lines, kind: Kind, max_bytes: usize) -> Self {
        Self {
            lines,
            kind,
            max_bytes,
            bytes: 0,
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<Piece>, CommandError> {
        match self.kind {
            Kind::Snapshots | Kind::Fragments => Ok(self.lines.next()?.map(|line| Piece {
                reached: line.number,
                bytes: line.bytes.to_vec(),
            })),
            Kind::Text => {
                let Some(bytes) = self.lines.next_bytes(self.max_bytes)? else {
                    return Ok(None);
                };
                self.bytes += bytes.len() as u64;
                Ok(Some(Piece {
                    reached: self.bytes,
                    bytes: bytes.to_vec(),
                }))
            }
        }
    }
}

const HINTS: Hints = Hints {
    text: "if the lines are pieces of one JSON text, use `--input text`",
    strings: "if the lines are pieces of one JSON text, use `--input fragments`",
};

/// Converts pieces to JSON text.
#[derive(Debug)]
pub(super) struct Feed {
    /// The name of the input.
    input: String,
    converter: Converter,
}

#[derive(Debug)]
enum Converter {
    Snapshots(Box<SnapshotLines>),
    Fragments,
    /// With the bytes of an incomplete character at the end of the last piece.
    Text(Vec<u8>),
}

impl Feed {
    pub(super) fn new(input: &str, kind: Kind, args: &ChunkerArgs) -> Self {
        let converter = match kind {
            Kind::Snapshots => Converter::Snapshots(Box::new(SnapshotLines::new(args, HINTS))),
            Kind::Fragments => Converter::Fragments,
            Kind::Text => Converter::Text(Vec::new()),
        };
        Self {
            input: input.to_owned(),
            converter,
        }
    }

    /// Appends the text that the piece adds; nothing if it cannot be used.
    pub(super) fn push(&mut self, piece: &Piece, out: &mut String, diagnostics: &mut Diagnostics) {
        let line = Line {
            location: Location::input(&self.input).line(piece.reached),
            number: piece.reached,
            bytes: &piece.bytes,
        };
        match &mut self.converter {
            Converter::Snapshots(snapshots) => snapshots.push(line, out, diagnostics),
            Converter::Fragments => match serde_json::from_slice::<String>(line.bytes) {
                Ok(fragment) => out.push_str(&fragment),
                Err(error) => {
                    let error = format_args!("not a JSON string: {error}");
                    diagnostics.error(line.location, &error);
                }
            },
            Converter::Text(partial) => {
                partial.extend_from_slice(line.bytes);
                decode(partial, out);
            }
        }
    }

    /// Appends the text that the end of the input adds.
    pub(super) fn finish(&mut self, out: &mut String, diagnostics: &mut Diagnostics) {
        match &mut self.converter {
            Converter::Snapshots(snapshots) => snapshots.finish(out, diagnostics),
            Converter::Fragments => {}
            Converter::Text(partial) => out.push_str(&String::from_utf8_lossy(partial)),
        }
    }
}

/// Moves all but an incomplete last character from `bytes` to `out`; invalid UTF-8 is replaced.
fn decode(bytes: &mut Vec<u8>, out: &mut String) {
    let mut rest = bytes.as_slice();
    loop {
        match str::from_utf8(rest) {
            Ok(text) => {
                out.push_str(text);
                rest = &[];
                break;
            }
            Err(error) => {
                let (valid, invalid) = rest.split_at(error.valid_up_to());
                out.push_str(&String::from_utf8_lossy(valid));
                let Some(length) = error.error_len() else {
                    rest = invalid;
                    break;
                };
                out.push(char::REPLACEMENT_CHARACTER);
                rest = invalid.get(length..).unwrap_or_default();
            }
        }
    }
    *bytes = rest.to_vec();
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn split_characters_are_decoded_when_they_are_complete() {
        let text = "金沢 é 🦀".as_bytes();
        for at in 0..=text.len() {
            let (left, right) = text.split_at(at);
            let (mut bytes, mut out) = (left.to_vec(), String::new());
            decode(&mut bytes, &mut out);
            bytes.extend_from_slice(right);
            decode(&mut bytes, &mut out);
            assert_eq!((out.as_bytes(), bytes.len()), (text, 0));
        }
    }

    #[test]
    fn invalid_bytes_are_replaced() {
        let (mut bytes, mut out) = (b"a\xffb\xe9\x87c\xe9\x87".to_vec(), String::new());
        decode(&mut bytes, &mut out);
        assert_eq!(
            (out.as_str(), bytes.as_slice()),
            ("a\u{fffd}b\u{fffd}c", &b"\xe9\x87"[..])
        );
    }
}
