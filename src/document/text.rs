//! The text that names and scalars refer to.

use alloc::string::String;
use core::ops::Range;

use crate::error::Error;
use crate::json::{Utf8, decode};

/// A piece of the document's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
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

    /// The same piece when that many bytes before it are gone. The empty piece that stands for
    /// none stays where it is.
    pub(crate) fn moved_down(self, bytes: usize) -> Self {
        let bytes = bytes as u32;
        Self {
            start: self.start.saturating_sub(bytes),
            end: self.end.saturating_sub(bytes),
        }
    }

    pub(crate) fn len(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// Text that is only ever added to.
///
/// As long as everything that comes in is kept verbatim, it is the input itself, and to keep a
/// piece of the input is to remember where it stands. Otherwise a piece is kept as a copy.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    buffer: String,
    verbatim: bool,
    /// Bytes that nothing refers to any more, of which those are known that were referred to.
    dead: usize,
    /// Whether `dead` counts what of the input was never referred to: white space, brackets.
    counted: bool,
    /// Whether there was no room for a piece: then all is invalid and has to be undone.
    full: bool,
}

/// What [`Text::rollback`] goes back to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Checkpoint {
    len: usize,
    verbatim: bool,
    dead: usize,
    counted: bool,
}

impl Default for Text {
    fn default() -> Self {
        Self {
            buffer: String::new(),
            verbatim: true,
            dead: 0,
            counted: false,
            full: false,
        }
    }
}

impl Text {
    /// Copies of pieces, in a buffer of that size.
    pub(super) fn of_copies(capacity: usize) -> Self {
        Self {
            buffer: String::with_capacity(capacity),
            verbatim: false,
            dead: 0,
            counted: true,
            full: false,
        }
    }

    pub(super) fn clear(&mut self) {
        let mut buffer = core::mem::take(&mut self.buffer);
        buffer.clear();
        *self = Self {
            buffer,
            ..Self::default()
        };
    }

    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            len: self.buffer.len(),
            verbatim: self.verbatim,
            dead: self.dead,
            counted: self.counted,
        }
    }

    pub(super) fn rollback(&mut self, to: Checkpoint) {
        self.buffer.truncate(to.len);
        self.verbatim = to.verbatim;
        self.dead = to.dead;
        self.counted = to.counted;
        self.full = false;
    }

    #[inline]
    #[expect(
        clippy::string_slice,
        reason = "spans start and end with a token or a character"
    )]
    pub(crate) fn get(&self, span: Span) -> &str {
        &self.buffer[span.start()..span.end()]
    }

    #[inline]
    pub(crate) fn bytes(&self, span: Span) -> &[u8] {
        &self.buffer.as_bytes()[span.start()..span.end()]
    }

    pub(crate) fn into_string(self) -> String {
        self.buffer
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.buffer.as_bytes()
    }

    pub(crate) fn len(&self) -> usize {
        self.buffer.len()
    }

    /// Bytes that are in use, at the most.
    pub(crate) fn live_len(&self) -> usize {
        self.buffer.len().saturating_sub(self.dead)
    }

    pub(super) fn dead_len(&self) -> usize {
        self.dead
    }

    /// Whether more was to be kept than there are offsets for.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// Whether it is still to be counted what of the input is in use, now that it is no longer
    /// kept verbatim.
    pub(super) fn is_uncounted(&self) -> bool {
        !self.verbatim && !self.counted
    }

    /// Takes note that so many bytes are in use.
    pub(super) fn count(&mut self, used: usize) {
        self.dead = self.buffer.len().saturating_sub(used);
        self.counted = true;
    }

    /// Whether the text is the input itself.
    pub(crate) fn is_verbatim(&self) -> bool {
        self.verbatim
    }

    /// From now on, pieces are kept as copies.
    pub(crate) fn leave_verbatim(&mut self) {
        self.verbatim = false;
    }

    /// Whether the text is the input so far and `input` starts with all of it.
    pub(crate) fn is_continued_by(&self, input: &str) -> bool {
        self.verbatim && input.as_bytes().starts_with(self.buffer.as_bytes())
    }

    /// Adds input verbatim.
    pub(crate) fn append_input(&mut self, input: &str) {
        self.buffer.push_str(input);
    }

    /// Adds input that is still bytes.
    pub(crate) fn append_utf8(&mut self, utf8: &mut Utf8, input: &[u8]) -> Result<(), Error> {
        utf8.append(input, &mut self.buffer)
    }

    /// The last place at or before `at` where a character starts or the text ends.
    pub(crate) fn floor_char_boundary(&self, at: usize) -> usize {
        let mut at = at.min(self.buffer.len());
        while !self.buffer.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// Takes back input behind `len`, in which no span ends.
    pub(crate) fn truncate_input(&mut self, len: usize) {
        self.buffer.truncate(len);
    }

    /// Drops the first `bytes`; spans in there must not be used any more.
    pub(super) fn drop_before(&mut self, bytes: usize) {
        self.buffer.drain(..bytes);
    }

    /// Keeps a piece of the input.
    pub(crate) fn keep(&mut self, input: &str, range: Range<usize>) -> Span {
        if self.verbatim {
            return Span::of(&range);
        }
        self.copy(slice(input, range))
    }

    pub(super) fn copy(&mut self, piece: &str) -> Span {
        if !self.has_room(piece.len()) {
            return Span::EMPTY;
        }
        let start = self.buffer.len();
        self.buffer.push_str(piece);
        Span::of(&(start..self.buffer.len()))
    }

    fn has_room(&mut self, bytes: usize) -> bool {
        let fits = u32::try_from(self.buffer.len() + bytes).is_ok();
        self.full |= !fits;
        fits
    }

    /// The piece `span` with the input's `range` behind it.
    pub(super) fn grow(&mut self, span: Span, input: &str, range: Range<usize>) -> Span {
        if self.verbatim && span.end() == range.start {
            return Span {
                start: span.start,
                end: range.end as u32,
            };
        }
        self.join(span, slice(input, range))
    }

    /// The piece `span` with `more` behind it: in place, unless other text follows there.
    pub(super) fn join(&mut self, span: Span, more: &str) -> Span {
        if !self.has_room(span.len() + more.len()) {
            return span;
        }
        let end = (span.end() + more.len()) as u32;
        if self.buffer.as_bytes()[span.end()..].starts_with(more.as_bytes()) {
            return Span { end, ..span };
        }
        if span.end() == self.buffer.len() && !self.verbatim {
            self.buffer.push_str(more);
            return Span { end, ..span };
        }
        self.verbatim = false;
        self.release(span);
        let start = self.buffer.len();
        self.buffer.extend_from_within(span.start()..span.end());
        self.buffer.push_str(more);
        Span::of(&(start..self.buffer.len()))
    }

    /// Nothing refers to that piece any more. While the text is the input, it is kept anyway.
    pub(super) fn release(&mut self, span: Span) {
        if !self.verbatim {
            self.dead += span.len();
        }
    }
}

/// The text of strings with their escapes resolved, one behind the other. Only the last one grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoded(String);

impl Decoded {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds what `raw` says.
    pub(crate) fn push(&mut self, raw: &str) {
        self.0.push_str(&decode(raw));
    }

    #[expect(clippy::string_slice, reason = "what is pushed is whole characters")]
    pub(crate) fn get(&self, span: Span) -> &str {
        &self.0[span.start()..span.end()]
    }

    /// Drops the first `bytes`; spans in there must not be used any more.
    pub(crate) fn drop_before(&mut self, bytes: usize) {
        self.0.drain(..bytes);
    }
}

#[inline]
#[expect(
    clippy::string_slice,
    reason = "the ranges are those of tokens that the lexer found"
)]
fn slice(input: &str, range: Range<usize>) -> &str {
    &input[range]
}
