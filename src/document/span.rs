//! Pieces of the text of a document.

use core::ops::Range;

/// A piece of the document's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) const EMPTY: Self = Self { start: 0, end: 0 };

    pub(crate) fn of(range: &Range<usize>) -> Self {
        Self {
            start: range.start as u32,
            end: range.end as u32,
        }
    }

    pub(crate) fn start(self) -> usize {
        self.start as usize
    }

    pub(crate) fn end(self) -> usize {
        self.end as usize
    }

    /// The same piece after that many bytes before it have been dropped. The empty piece, which
    /// means none, does not move.
    pub(crate) fn shifted_by(self, bytes: usize) -> Self {
        let bytes = bytes as u32;
        Self {
            start: self.start.saturating_sub(bytes),
            end: self.end.saturating_sub(bytes),
        }
    }
}

/// A member's name as it is written in the text, without its quotes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    pub(crate) raw: Span,
    /// Whether it has escapes.
    pub(crate) escaped: bool,
}
