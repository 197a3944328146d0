//! The text of strings in which there are escapes.

use alloc::string::String;
use alloc::vec::Vec;

use super::Span;
use super::room::{make_room, make_room_for, trim, trim_text};
use crate::json::{decode_into, unescape_string};

/// The text of strings with their escapes resolved, one after the other, beside the nodes: most
/// strings have no escapes and are read from the text of the document.
///
/// Only the last string grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unescaped {
    text: String,
    strings: Vec<UnescapedString>,
}

/// One string. Its text ends where that of the next one starts.
#[derive(Clone, Copy, Debug)]
struct UnescapedString {
    start: u32,
    /// Where the string ends in the text of the document, before its quote.
    raw_end: u32,
}

impl Unescaped {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.strings.clear();
    }

    pub(super) fn trim(&mut self) {
        trim_text(&mut self.text);
        trim(&mut self.strings);
    }

    /// Returns how many strings there are.
    pub(crate) fn count(&self) -> u32 {
        self.strings.len() as u32
    }

    /// Starts another string, which ends at `raw_end` in the text of the document so far, and
    /// returns its number.
    pub(crate) fn start(&mut self, raw_end: usize) -> u32 {
        let number = self.count();
        self.add(self.text.len(), raw_end);
        number
    }

    fn add(&mut self, start: usize, raw_end: usize) {
        make_room(&mut self.strings);
        self.strings.push(UnescapedString {
            start: start as u32,
            raw_end: raw_end as u32,
        });
    }

    /// Returns where the string of that number ends in the text of the document.
    pub(super) fn raw_end(&self, number: u32) -> usize {
        let string = self.strings.get(number as usize);
        string.map_or(0, |string| string.raw_end as usize)
    }

    pub(crate) fn set_raw_end(&mut self, number: u32, end: usize) {
        if let Some(string) = self.strings.get_mut(number as usize) {
            string.raw_end = end as u32;
        }
    }

    /// Adds what `raw` says to the last string, and returns what that added.
    pub(crate) fn push(&mut self, raw: &str) -> Span {
        make_room_for(&mut self.text, raw.len());
        let start = self.text.len();
        decode_into(raw, &mut self.text);
        Span::of(&(start..self.text.len()))
    }

    /// Adds another string, whose content starts at `at` of the text, and returns the index of its
    /// closing quote. Adds nothing if there is no complete, valid string.
    #[inline]
    pub(crate) fn push_string(&mut self, text: &str, at: usize) -> Option<usize> {
        let start = self.text.len();
        let end = unescape_string(text, at, &mut self.text);
        match end {
            Some(end) => self.add(start, end),
            None => self.text.truncate(start),
        }
        end
    }

    /// Takes the last string back.
    pub(crate) fn pop(&mut self) {
        if let Some(string) = self.strings.pop() {
            self.text.truncate(string.start as usize);
        }
    }

    /// Returns the string of that number.
    #[inline]
    pub(crate) fn string(&self, number: u32) -> &str {
        let number = number as usize;
        let start_of = |number: usize| Some(self.strings.get(number)?.start);
        let start = start_of(number).unwrap_or_default();
        let end = start_of(number + 1).unwrap_or(self.text.len() as u32);
        self.get(Span { start, end })
    }

    #[expect(clippy::string_slice, reason = "what is pushed is entire characters")]
    pub(crate) fn get(&self, span: Span) -> &str {
        &self.text[span.start()..span.end()]
    }

    /// Drops the first strings and counts the others from 0, when the first `raw_bytes` of the
    /// document's text are dropped.
    pub(super) fn drop_before(&mut self, number: u32, raw_bytes: usize) {
        let Some(&UnescapedString { start: bytes, .. }) = self.strings.get(number as usize) else {
            return self.clear();
        };
        self.text.drain(..bytes as usize);
        self.strings.drain(..number as usize);
        for string in &mut self.strings {
            string.start -= bytes;
            string.raw_end -= raw_bytes as u32;
        }
    }
}
