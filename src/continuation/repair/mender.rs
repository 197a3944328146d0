//! The machine that reads what is not quite JSON.
//!
//! It goes over the text once, knows what is open and what may come next, as the
//! [parser](crate::Parser) does, and has an answer to whatever comes instead. It writes nothing but
//! the [`Ledger`]: what is not in there stays as it is.

use alloc::vec::Vec;

use super::ahead::{Ahead, Quote};
use super::ledger::{Ledger, Mark, RepairRule};
use super::start;
use super::string::Role;
use crate::document::Kind;
use crate::error::{Error, Reason};

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expect {
    /// A value: the first, behind a colon, or in an array.
    Value,
    /// A member name.
    Name,
    Colon,
    /// A comma or the end of the container.
    CommaOrEnd,
    /// Nothing: the value is complete.
    Nothing,
}

/// An open object or array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    /// How many frames there are up to the innermost of the other kind.
    pub(super) others: usize,
}

impl Frame {
    pub(super) const fn closer(self) -> &'static str {
        match self.kind {
            Kind::Object => "}",
            _ => "]",
        }
    }
}

#[derive(Debug)]
pub(super) struct Mender<'a> {
    pub(super) text: &'a str,
    /// Up to where it has been read.
    pub(super) at: usize,
    depth: u32,
    pub(super) ledger: Ledger,
    pub(super) stack: Vec<Frame>,
    pub(super) expect: Expect,
    /// The comma before what comes next, unless that is the first.
    pub(super) comma: Option<Mark>,
    /// The start of a name whose value has not begun.
    pub(super) member: Option<Mark>,
    /// Where the value before ended.
    pub(super) end: Mark,
    /// The closing quote of that, if it is a string, which may go on behind a `+`.
    pub(super) string: Option<Mark>,
    /// The comma before that string, which may be a name instead.
    pub(super) element: Option<Mark>,
    /// Behind the last quote there may be the end of a fence.
    pub(super) last_quote: usize,
}

impl<'a> Mender<'a> {
    pub(super) fn new(text: &'a str, depth: u32) -> Self {
        Self {
            text,
            at: 0,
            depth,
            ledger: Ledger::default(),
            stack: Vec::new(),
            expect: Expect::Value,
            comma: None,
            member: None,
            end: Mark::default(),
            string: None,
            element: None,
            last_quote: text.rfind('"').unwrap_or(0),
        }
    }

    /// What has to be changed.
    pub(super) fn mend(mut self) -> Result<Ledger, Error> {
        let nothing = Error::new(Reason::Expected("a value"), self.text.len());
        let Some(start) = start::find(self.text.as_bytes()) else {
            return Err(nothing);
        };
        self.drop_prefix(start);
        while let Some(byte) = self.next_byte() {
            match self.expect {
                Expect::Value => self.value(byte)?,
                Expect::Name => self.name(byte),
                Expect::Colon => self.colon(byte),
                Expect::CommaOrEnd => self.comma_or_end(byte),
                Expect::Nothing if byte == b'+' && self.string.is_some() => self.concatenate(),
                Expect::Nothing => break,
            }
        }
        self.close_all();
        if self.expect != Expect::Nothing {
            return Err(nothing);
        }
        self.drop_rest();
        Ok(self.ledger)
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    pub(super) fn ahead(&self) -> Ahead<'a> {
        Ahead(self.bytes())
    }

    /// What is open.
    pub(super) fn container(&self) -> Option<Kind> {
        self.stack.last().map(|frame| frame.kind)
    }

    /// Replaces the next bytes.
    pub(super) fn replace(&mut self, len: usize, rule: RepairRule, replacement: &'static str) {
        self.ledger.push(self.at..self.at + len, rule, replacement);
        self.at += len;
    }

    /// The start of the next token, unless the text or the fence ends before it.
    fn next_byte(&mut self) -> Option<u8> {
        loop {
            let (at, byte) = self.ahead().next(self.at);
            self.at = at;
            let byte = byte?;
            if self.ahead().is_fence(at) {
                return None;
            }
            if let Some(end) = start::comment_end(self.bytes(), at) {
                self.replace(end - at, RepairRule::Comment, "");
            } else if self.ahead().starts_with(at, b"...") {
                self.replace(3, RepairRule::Ellipsis, "");
            } else if byte < b' ' || !byte.is_ascii() {
                let rest = self.text.get(at..).unwrap_or_default();
                let Some(char) = rest.chars().next() else {
                    return Some(byte);
                };
                let rule = match char {
                    '…' => RepairRule::Ellipsis,
                    '\u{FEFF}' | '\u{200B}' | '\u{FFFD}' => RepairRule::WhiteSpace,
                    _ if char.is_whitespace() || char.is_control() => RepairRule::WhiteSpace,
                    _ => return Some(byte),
                };
                self.replace(char.len_utf8(), rule, "");
            } else {
                return Some(byte);
            }
        }
    }

    fn value(&mut self, byte: u8) -> Result<(), Error> {
        match byte {
            b'{' => return self.open(Kind::Object, Expect::Name),
            b'[' => return self.open(Kind::Array, Expect::Value),
            b'}' | b']' => self.close(byte),
            b',' | b';' if self.member.is_some() => self.drop_member(),
            b',' | b';' => self.replace(1, RepairRule::ExtraComma, ""),
            b':' => self.replace(1, RepairRule::ExtraColon, ""),
            _ => match Quote::at(self.bytes(), self.at) {
                Some(quote) => self.quoted(Role::Value, quote),
                None => self.bare_value(),
            },
        }
        Ok(())
    }

    fn open(&mut self, kind: Kind, expect: Expect) -> Result<(), Error> {
        if self.stack.len() >= self.depth as usize {
            return Err(Error::new(Reason::TooDeep(self.depth), self.at));
        }
        let others = match self.stack.last() {
            Some(around) if around.kind == kind => around.others,
            Some(_) => self.stack.len(),
            None => 0,
        };
        self.stack.push(Frame { kind, others });
        self.at += 1;
        self.expect = expect;
        self.comma = None;
        self.member = None;
        Ok(())
    }

    /// A value has ended here.
    pub(super) fn complete(&mut self) {
        self.end = self.ledger.mark(self.at);
        self.comma = None;
        self.member = None;
        self.string = None;
        self.element = None;
        self.expect = match self.container() {
            Some(_) => Expect::CommaOrEnd,
            None => Expect::Nothing,
        };
    }

    fn comma_or_end(&mut self, byte: u8) {
        match byte {
            b'}' | b']' => return self.close(byte),
            b'+' if self.string.is_some() => return self.concatenate(),
            b':' | b'=' if self.container() == Some(Kind::Object) => {
                return self.replace(1, RepairRule::ExtraColon, "");
            }
            b':' if self.is_in_object() && self.element.is_some() => return self.name_in_array(),
            b',' => {
                self.comma = Some(self.ledger.mark(self.at));
                self.at += 1;
            }
            b';' | b':' | b'=' => {
                self.comma = Some(self.ledger.mark(self.at));
                self.replace(1, RepairRule::MissingComma, ",");
            }
            _ => {
                self.comma = Some(self.end);
                self.ledger
                    .insert(&mut { self.end }, 0, RepairRule::MissingComma, ",");
            }
        }
        self.expect = match self.container() {
            Some(Kind::Object) => Expect::Name,
            _ => Expect::Value,
        };
    }

    /// Whether what is open is a member of an object.
    pub(super) fn is_in_object(&self) -> bool {
        let around = self.stack.iter().nth_back(1);
        around.is_some_and(|frame| frame.kind == Kind::Object)
    }

    /// A `+` behind a string: what is between this and the next is left out.
    fn concatenate(&mut self) {
        let plus = self.at;
        let Some(first) = self.string.take() else {
            return;
        };
        let (next, _) = self.ahead().next(plus + 1);
        match Quote::at(self.bytes(), next) {
            Some(quote) => {
                self.ledger.undo(first);
                self.at = next + quote.len();
                self.ledger
                    .push(first.at..self.at, RepairRule::Concatenation, "");
                self.content(Role::Value, Some(quote));
            }
            None => self.replace(1, RepairRule::Concatenation, ""),
        }
    }

    /// Leaves out a sign that the text ends in, and what belongs to it.
    pub(super) fn drop_unfinished_number(&mut self) {
        let sign = self.at;
        self.at = self.text.len();
        if self.member.is_some() {
            return self.drop_member();
        }
        let from = match self.comma.take() {
            Some(comma) => {
                self.ledger.undo(comma);
                comma.at
            }
            None => sign,
        };
        self.ledger
            .push(from..self.at, RepairRule::UnfinishedNumber, "");
    }

    fn drop_prefix(&mut self, start: usize) {
        let bom = '\u{FEFF}'.len_utf8();
        if self.text.starts_with('\u{FEFF}') {
            self.replace(bom, RepairRule::ByteOrderMark, "");
        }
        let prefix = self.text.get(self.at..start).unwrap_or_default();
        let first = self.ahead().next(self.at).0;
        if !prefix.trim_ascii().is_empty() {
            let rule = if prefix.contains("```") {
                RepairRule::Fence
            } else if start::comment_end(self.bytes(), first).is_some_and(|end| end <= start) {
                RepairRule::Comment
            } else {
                RepairRule::SurroundingText
            };
            self.ledger.push(self.at..start, rule, "");
        }
        self.at = start;
    }

    /// Leaves out what is behind the value or the fence.
    fn drop_rest(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let rule = if rest.trim_ascii().is_empty() {
            return;
        } else if self.ahead().is_fence(self.at) {
            RepairRule::Fence
        } else if rest.bytes().all(|byte| b"}] \t\r\n".contains(&byte)) {
            RepairRule::ExtraCloser
        } else if rest.trim_ascii_end() == "," {
            RepairRule::TrailingComma
        } else {
            RepairRule::SurroundingText
        };
        // White space before it goes with it.
        let before = self.text.get(self.end.at..self.at).unwrap_or_default();
        let blank = before.len() - before.trim_ascii_end().len();
        let start = (self.at - blank).max(self.ledger.end());
        self.ledger.push(start..self.text.len(), rule, "");
    }
}
