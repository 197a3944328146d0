//! The lenient reader: its state, and the steps that all of its parts share.
//!
//! It reads the text once, tracks what is open and what is expected, and records [`Edits`];
//! everything else stays as it is. The other files of this room add methods to it.

use alloc::vec::Vec;

use super::cost::Credit;
use super::edits::{EditPoint, Edits};
use super::lookahead::Lookahead;
use super::options::FinishReason;
use super::rule::RepairRule;
use super::state::{Bracket, Expect, Frame, Previous, PreviousString};
use super::token::Container;
use crate::error::{Error, Reason};

/// The result of reading the text in one way.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) edits: Edits,
    /// The last ambiguous quote before content was lost.
    pub(super) quote_before_loss: Option<usize>,
    /// The length of the string that the text ends in, in bytes.
    pub(super) swallowed: usize,
}

impl Reading {
    /// Returns the loss in bytes: dropped content, and the string at the end, because it may have
    /// swallowed content if its end was missed.
    pub(super) fn loss(&self) -> usize {
        self.edits.loss() + self.swallowed
    }
}

/// Options of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mode {
    pub(super) depth: u32,
    /// The value is valid JSON or a prefix of it: nothing in it is a mistake.
    pub(super) is_sound: bool,
    pub(super) finish_reason: Option<FinishReason>,
    pub(super) multiple_values: bool,
    /// The offset of the quote that is read the other way.
    pub(super) flipped: Option<usize>,
}

/// The number of closers minus the number of openers in the rest of the text, outside of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Balance {
    Uncounted,
    Known {
        at: usize,
        net: isize,
    },
    /// The text ends in a string, or its strings are unclear.
    Unknown,
}

/// The lenient reader of one text.
#[derive(Debug)]
pub(super) struct Repairer<'a> {
    pub(super) text: &'a str,
    /// The offset of the next byte to read.
    pub(super) at: usize,
    pub(super) mode: Mode,
    /// The text is an escaped document: `{\"a\": 1}`.
    pub(super) escaped: bool,
    pub(super) edits: Edits,
    pub(super) stack: Vec<Frame>,
    pub(super) expect: Expect,
    /// The offset of the last quote in the text. A fence line ends a string only after it, because
    /// a fence before it may be content: `{"a":"␊```␊"}`.
    pub(super) last_quote: usize,
    /// The number of bytes that may still be searched for balanced brackets.
    pub(super) credit: Credit,
    pub(super) balance: Balance,
    /// White space or the start of the text precedes the next token.
    pub(super) is_spaced: bool,
    /// A closer had the indentation of the line with its opening bracket, so this text is indented
    /// in the usual style.
    pub(super) closers_align: bool,
    /// The indentation of the current line.
    pub(super) indentation: usize,
    /// The last quote that could have been read the other way.
    pub(super) ambiguous_quote: Option<usize>,
    /// The value of `ambiguous_quote` at the first loss of content.
    pub(super) quote_before_loss: Option<usize>,
    pub(super) swallowed: usize,
}

impl<'a> Repairer<'a> {
    /// Returns a reader at the start of the text.
    pub(super) fn new(text: &'a str, mode: Mode) -> Self {
        Self {
            text,
            at: 0,
            mode,
            escaped: false,
            edits: Edits::default(),
            stack: Vec::new(),
            expect: Expect::Element(None),
            last_quote: text.rfind('"').unwrap_or(0),
            credit: Credit::of(text.len()),
            balance: Balance::Uncounted,
            is_spaced: true,
            closers_align: false,
            indentation: 0,
            ambiguous_quote: None,
            quote_before_loss: None,
            swallowed: 0,
        }
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    pub(super) fn ahead(&self) -> Lookahead<'a> {
        Lookahead::new(self.bytes(), self.escaped)
    }

    /// Returns the innermost open container.
    pub(super) fn container(&self) -> Option<Container> {
        self.stack.last().map(|frame| frame.bracket.container())
    }

    /// Replaces the next `len` bytes.
    pub(super) fn replace(&mut self, len: usize, rule: RepairRule, replacement: &'static str) {
        self.edits.push(self.at..self.at + len, rule, replacement);
        self.at += len;
    }

    /// Records that content is lost here: the last ambiguous quote is the one to read the other
    /// way.
    pub(super) fn note_loss(&mut self) {
        self.quote_before_loss = self.quote_before_loss.or(self.ambiguous_quote);
    }

    pub(super) fn open(&mut self, bracket: Bracket) -> Result<(), Error> {
        if self.stack.len() >= self.mode.depth as usize {
            return Err(Error::new(Reason::TooDeep(self.mode.depth), self.at));
        }
        self.push_frame(bracket);
        self.expect = match bracket.container() {
            Container::Object => Expect::Name(None),
            Container::Array => Expect::Element(None),
        };
        Ok(())
    }

    pub(super) fn push_frame(&mut self, bracket: Bracket) {
        let frame = Frame::new(bracket, &self.stack, self.indentation);
        self.stack.push(frame);
    }

    /// Opens a tuple or a call, whose name and parenthesis have the length `len`.
    pub(super) fn open_parentheses(&mut self, len: usize, rule: RepairRule) -> Result<(), Error> {
        let opener = self.edits.point(self.at);
        let is_array = false;
        self.open(Bracket::Parentheses { opener, is_array })?;
        self.replace(len, rule, "");
        Ok(())
    }

    /// Completes a value that ends here.
    pub(super) fn complete(&mut self, string: Option<PreviousString>) {
        let end = self.edits.point(self.at);
        self.after_value(Previous { end, string });
    }

    pub(super) fn after_value(&mut self, previous: Previous) {
        self.expect = match self.container() {
            Some(_) => Expect::CommaOrEnd(previous),
            None => Expect::Nothing(previous),
        };
    }

    pub(super) fn after_comma(&mut self, comma: EditPoint) {
        // `(1, 2)`: parentheses with a comma are a tuple, not a parenthesized value.
        if let Some(Frame {
            bracket: Bracket::Parentheses { opener, is_array },
            ..
        }) = self.stack.last_mut()
            && !*is_array
        {
            *is_array = true;
            self.edits.replace_at(*opener, "[");
        }
        self.expect = match self.container() {
            Some(Container::Object) => Expect::Name(Some(comma)),
            Some(Container::Array) | None => Expect::Element(Some(comma)),
        };
    }
}
