//! Bytes → text, and places in the text → places in the bytes.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::ledger::{Ledger, Repair, RepairRule};

const REPLACEMENT: &str = "\u{FFFD}";

/// Bytes as text.
#[derive(Debug)]
pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, str>,
    holes: Vec<Hole>,
}

/// Bytes that are no text.
#[derive(Debug)]
struct Hole {
    /// Where the text has U+FFFD for them, or ends.
    at: usize,
    /// What stands there.
    shown: &'static str,
    bytes: Range<usize>,
}

impl<'a> Decoded<'a> {
    /// What is not UTF-8 becomes U+FFFD; half a character at the end is left out.
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
            let is_half = read == bytes.len()
                && core::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none());
            let shown = if is_half { "" } else { REPLACEMENT };
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

    /// The same changes as changes of the bytes.
    pub(super) fn of_bytes(&self, repairs: Vec<Repair>) -> Vec<Repair> {
        if self.holes.is_empty() {
            return repairs;
        }
        let mut ledger = Ledger::default();
        let mut holes = self.holes.iter().peekable();
        // How far the bytes are ahead of the text.
        let mut ahead = 0_isize;
        let behind = |hole: &Hole, ahead: &mut isize| {
            *ahead += hole.bytes.len().cast_signed() - hole.shown.len().cast_signed();
        };
        let mend = |ledger: &mut Ledger, hole: &Hole| {
            ledger.push(hole.bytes.clone(), RepairRule::InvalidUtf8, hole.shown);
        };
        for repair in repairs {
            let Range { start, end } = repair.range();
            while let Some(hole) = holes.next_if(|hole| hole.at + hole.shown.len() <= start) {
                mend(&mut ledger, hole);
                behind(hole, &mut ahead);
            }
            let first = start.saturating_add_signed(ahead);
            while let Some(hole) = holes.next_if(|hole| hole.at < end) {
                behind(hole, &mut ahead);
            }
            let last = end.saturating_add_signed(ahead);
            ledger.push(first..last, repair.rule(), repair.into_replacement());
        }
        for hole in holes {
            mend(&mut ledger, hole);
        }
        ledger.into_repairs()
    }
}
