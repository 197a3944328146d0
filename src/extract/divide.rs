//! Divides the text into pieces, as far as it is certain what they are.

use super::candidate::{Verdict, judge};
use super::cost::count;
use super::span::{Extent, Span};
use super::{ExtractState, Extracted, JsonExtractor};
use crate::json::{BYTE_ORDER_MARK, starts_value};
use crate::wrapping::{Context, Language, Scan};

/// The kind of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PieceKind {
    Json,
    Text,
    Reasoning,
    Marker,
}

impl JsonExtractor {
    /// Divides the held text, up to the first piece whose kind is not certain yet.
    pub(super) fn divide(&mut self, is_end: bool) {
        let mut held = core::mem::take(&mut self.held);
        let mut rest = held.as_str();
        while !rest.is_empty() {
            let (len, kind, is_certain) = match self.state {
                ExtractState::Outside => {
                    let outcome = self.outside(rest.as_bytes(), is_end);
                    count(if outcome.2 { outcome.0 } else { rest.len() });
                    outcome
                }
                ExtractState::Inside(mut span) => {
                    let extent = span.read(rest.as_bytes(), &mut self.scanner, is_end);
                    count(match extent {
                        Extent::Open(len) | Extent::Closed(len) => len,
                        Extent::NeedMore(_) => rest.len(),
                    });
                    self.state = match extent {
                        Extent::Closed(_) => ExtractState::Outside,
                        Extent::Open(_) | Extent::NeedMore(_) => ExtractState::Inside(span),
                    };
                    match extent {
                        Extent::Open(len) | Extent::Closed(len) => (len, PieceKind::Json, true),
                        Extent::NeedMore(len) => (len, PieceKind::Json, false),
                    }
                }
            };
            let (piece, after) = rest.split_at_checked(len).unwrap_or((rest, ""));
            self.emit(kind, piece);
            rest = after;
            if !is_certain {
                break;
            }
        }
        let divided = held.len() - rest.len();
        self.base += divided;
        held.drain(..divided);
        count(held.len());
        self.held = held;
    }

    /// Returns the length and kind of the piece that `rest`, which is outside of JSON, starts with,
    /// and whether the kind of the text after it can be decided already.
    fn outside(&mut self, rest: &[u8], is_end: bool) -> (usize, PieceKind, bool) {
        let context = self.scanner.context();
        let outside = match context {
            Context::Reasoning => PieceKind::Reasoning,
            Context::Text | Context::Fenced(_) | Context::Call => PieceKind::Text,
        };
        // A byte order mark is not part of JSON, and what follows it starts the text.
        if self.base == 0 && self.pieces.is_empty() && rest.starts_with(BYTE_ORDER_MARK) {
            return (BYTE_ORDER_MARK.len(), PieceKind::Marker, true);
        }
        let is_wanted = self.multiple || self.documents == 0;
        let stops = |byte| match context {
            Context::Reasoning => false,
            Context::Fenced(fence) if fence.language == Language::Json => starts_value(byte),
            Context::Fenced(_) | Context::Text | Context::Call => matches!(byte, b'{' | b'['),
        };
        match self
            .scanner
            .scan_until(rest, is_end, |byte| is_wanted && stops(byte))
        {
            Scan::Content(len) => (len, outside, true),
            Scan::Marker(len) => (len, PieceKind::Marker, true),
            Scan::NeedMore => (0, outside, false),
            Scan::Stop => match self.verdict(rest, is_end) {
                Verdict::NeedMore => (0, outside, false),
                Verdict::Prose => {
                    self.scanner.pass(first(rest));
                    (1, outside, true)
                }
                Verdict::Json => {
                    self.documents += 1;
                    self.state = ExtractState::Inside(Span::new(first(rest)));
                    (0, PieceKind::Json, true)
                }
            },
        }
    }

    /// Returns whether the text starts with JSON.
    fn verdict(&self, rest: &[u8], is_end: bool) -> Verdict {
        let place = self.scanner.place();
        let is_promised = match self.scanner.context() {
            // ```` ```json␊{name: "x"} ````: with mistakes, too.
            Context::Fenced(fence) if fence.language == Language::Json => {
                // A scalar is the first thing in there, or it is part of a comment: `// the x`.
                return if matches!(first(rest), b'{' | b'[') || self.scanner.is_first() {
                    Verdict::Json
                } else {
                    Verdict::Prose
                };
            }
            // `<tool_call>{'name': 'x'}`, but `[TOOL_CALLS]name[ARGS]{"a": 1}`.
            Context::Call if first(rest) == b'{' => return Verdict::Json,
            // `list[0]`, `map["key"]`
            _ if first(rest) == b'[' && self.scanner.is_in_word() => return Verdict::Prose,
            // In code of another language, `{` and `[` are all over the place.
            Context::Fenced(fence) if fence.language == Language::Other => {
                if !self.scanner.is_first() {
                    return Verdict::Prose;
                }
                false
            }
            Context::Call => true,
            Context::Fenced(_) | Context::Text | Context::Reasoning => false,
        };
        judge(rest, place, is_promised, is_end)
    }

    fn emit(&mut self, kind: PieceKind, piece: &str) {
        if piece.is_empty() {
            return;
        }
        let document = self.documents.saturating_sub(1);
        match (kind, self.pieces.last_mut()) {
            (PieceKind::Text, Some(Extracted::Text(text)))
            | (PieceKind::Reasoning, Some(Extracted::Reasoning(text))) => text.push_str(piece),
            (
                PieceKind::Json,
                Some(Extracted::Json {
                    document: last,
                    text,
                }),
            ) if *last == document => {
                text.push_str(piece);
            }
            (PieceKind::Json, _) => self.pieces.push(Extracted::Json {
                document,
                text: piece.into(),
            }),
            (PieceKind::Text, _) => self.pieces.push(Extracted::Text(piece.into())),
            (PieceKind::Reasoning, _) => self.pieces.push(Extracted::Reasoning(piece.into())),
            (PieceKind::Marker, _) => self.pieces.push(Extracted::Marker(piece.into())),
        }
    }
}

fn first(text: &[u8]) -> u8 {
    text.first().copied().unwrap_or_default()
}
