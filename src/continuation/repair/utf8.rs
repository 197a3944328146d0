//! Decodes bytes to text, and maps edits of the text back to edits of the bytes.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::edits::{Edits, RepairEdit};
use super::rule::RepairRule;
use crate::json::is_partial_char;

const REPLACEMENT: &str = "\u{FFFD}";

/// Bytes decoded as text.
#[derive(Debug)]
pub(super) struct DecodedBytes<'a> {
    pub(super) text: Cow<'a, str>,
    holes: Vec<Hole>,
}

/// Bytes that are not UTF-8.
#[derive(Debug)]
struct Hole {
    /// The offset in the text of U+FFFD, or the end of the text.
    at: usize,
    /// The text in place of the bytes: U+FFFD or nothing.
    shown: &'static str,
    bytes: Range<usize>,
}

impl<'a> DecodedBytes<'a> {
    /// Decodes bytes: invalid ones become U+FFFD, an incomplete character at the end is dropped.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        if let Ok(text) = core::str::from_utf8(bytes) {
            return Self {
                text: Cow::Borrowed(text),
                holes: Vec::new(),
            };
        }
        let mut text = String::with_capacity(bytes.len());
        let mut holes = Vec::new();
        let mut read = 0;
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            read += chunk.valid().len();
            let invalid = chunk.invalid();
            if invalid.is_empty() {
                continue;
            }
            let start = read;
            read += invalid.len();
            let is_truncated = read == bytes.len() && is_partial_char(invalid);
            let shown = if is_truncated { "" } else { REPLACEMENT };
            holes.push(Hole {
                at: text.len(),
                shown,
                bytes: start..read,
            });
            text.push_str(shown);
        }
        Self {
            text: Cow::Owned(text),
            holes,
        }
    }

    /// Returns whether all bytes were valid.
    pub(super) fn is_exact(&self) -> bool {
        self.holes.is_empty()
    }

    /// Converts edits of the text to edits of the bytes, and adds those for invalid bytes.
    pub(super) fn of_bytes(&self, edits: Vec<RepairEdit>) -> Vec<RepairEdit> {
        if self.holes.is_empty() {
            return edits;
        }
        let mut out = Edits::default();
        let mut holes = self.holes.iter().peekable();
        // The offset in the bytes minus the offset in the text.
        let mut shift = 0_isize;
        let pass = |hole: &Hole, shift: &mut isize| {
            *shift += hole.bytes.len().cast_signed() - hole.shown.len().cast_signed();
        };
        let fill = |out: &mut Edits, hole: &Hole| {
            out.push(hole.bytes.clone(), RepairRule::InvalidUtf8, hole.shown);
        };
        for edit in edits {
            let Range { start, end } = edit.range();
            while let Some(hole) = holes.next_if(|hole| hole.at + hole.shown.len() <= start) {
                fill(&mut out, hole);
                pass(hole, &mut shift);
            }
            let first = start.saturating_add_signed(shift);
            while let Some(hole) = holes.next_if(|hole| hole.at < end) {
                pass(hole, &mut shift);
            }
            let last = end.saturating_add_signed(shift);
            out.push(first..last, edit.rule(), edit.into_replacement());
        }
        for hole in holes {
            fill(&mut out, hole);
        }
        out.into_vec()
    }
}
