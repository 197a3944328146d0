//! What `watch` reads, and how it becomes JSON text.

use std::str;

use clap::ValueEnum;

use crate::cli::Failure;
use crate::cli::input::{Line, Lines};
use crate::cli::report::Report;
use crate::cli::snapshots::{ChunkerArgs, Snapshots};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    /// One whole JSON value a line, growing
    Snapshots,
    /// One JSON string a line, as `chunk --format jsonl` writes them
    Fragments,
    /// JSON text as it comes, without regard to lines
    Text,
}

/// One step of the input.
#[derive(Debug)]
pub(super) struct Piece {
    /// The number of the line, or of the last byte ([`Kind::Text`]).
    pub(super) reached: u64,
    bytes: Vec<u8>,
}

/// Cuts an input into pieces, each as soon as it is there.
pub(super) struct Pieces {
    lines: Lines,
    kind: Kind,
    most: usize,
    bytes: u64,
}

impl Pieces {
    /// `most` is the size of a piece of [`Kind::Text`] in bytes.
    pub(super) fn new(lines: Lines, kind: Kind, most: usize) -> Self {
        Self {
            lines,
            kind,
            most,
            bytes: 0,
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<Piece>, Failure> {
        match self.kind {
            Kind::Snapshots | Kind::Fragments => Ok(self.lines.next()?.map(|line| Piece {
                reached: line.number,
                bytes: line.bytes.to_vec(),
            })),
            Kind::Text => {
                let Some(bytes) = self.lines.next_bytes(self.most)? else {
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

/// Turns pieces into JSON text.
#[derive(Debug)]
pub(super) enum Feed {
    Snapshots(Box<Snapshots>),
    Fragments,
    /// With the bytes of a character that is not whole yet.
    Text(Vec<u8>),
}

impl Feed {
    pub(super) fn new(kind: Kind, args: &ChunkerArgs) -> Self {
        match kind {
            Kind::Snapshots => Self::Snapshots(Box::new(Snapshots::new(args))),
            Kind::Fragments => Self::Fragments,
            Kind::Text => Self::Text(Vec::new()),
        }
    }

    /// Appends the text that the piece adds; nothing where it is unusable.
    pub(super) fn push(&mut self, piece: &Piece, out: &mut String, report: &mut Report) {
        let line = Line {
            number: piece.reached,
            bytes: &piece.bytes,
        };
        match self {
            Self::Snapshots(snapshots) => snapshots.push(line, out, report),
            Self::Fragments => match serde_json::from_slice::<String>(line.bytes) {
                Ok(fragment) => out.push_str(&fragment),
                Err(error) => {
                    let error = format_args!("not a JSON string: {error}");
                    report.unusable(line.number, &error);
                }
            },
            Self::Text(partial) => {
                partial.extend_from_slice(line.bytes);
                decode(partial, out);
            }
        }
    }

    pub(super) fn finish(&mut self, out: &mut String) {
        match self {
            Self::Snapshots(snapshots) => snapshots.finish(out),
            Self::Fragments => {}
            Self::Text(partial) => out.push_str(&String::from_utf8_lossy(partial)),
        }
    }
}

/// Moves all but the beginning of a last character out of `bytes`; what is not UTF-8 is replaced.
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
    fn characters_cut_anywhere_come_out_whole() {
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
