//! Members: their names, their colons, and those that nothing comes of.

use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;

use super::ahead::Quote;
use super::ledger::RepairRule;
use super::mender::{Expect, Mender};
use super::string::Role;
use crate::document::Kind;

impl Mender<'_> {
    pub(super) fn name(&mut self, byte: u8) {
        match byte {
            b'}' | b']' => return self.close(byte),
            b',' | b';' => return self.replace(1, RepairRule::ExtraComma, ""),
            b':' | b'=' => return self.replace(1, RepairRule::ExtraColon, ""),
            b'{' => return self.brace_for_name(),
            b'[' => return self.replace(1, RepairRule::ExtraOpener, ""),
            _ => {}
        }
        self.member = Some(self.ledger.mark(self.at));
        match Quote::at(self.bytes(), self.at) {
            Some(quote) => self.quoted(Role::Name, quote),
            None => self.bare_name(),
        }
    }

    /// An object where a name should be: the next element, if the object is one, else a doubled
    /// brace.
    fn brace_for_name(&mut self) {
        let around = self.stack.iter().nth_back(1).map(|frame| frame.kind);
        match &mut self.comma {
            Some(comma) if around == Some(Kind::Array) => {
                self.ledger.insert(comma, 0, RepairRule::MissingCloser, "}");
                self.stack.pop();
                self.expect = Expect::Value;
            }
            _ => self.replace(1, RepairRule::ExtraOpener, ""),
        }
    }

    /// A name without quotes, or without the first.
    fn bare_name(&mut self) {
        let start = self.at;
        let bytes = self.bytes();
        let ends = |at: usize| {
            let ends = |byte: &u8| b":=,{}[] \t\r\n".contains(byte);
            bytes.get(at).is_none_or(ends) || Quote::at(bytes, at).is_some()
        };
        let mut end = start + 1;
        while !ends(end) {
            end += 1;
        }
        self.at = end;
        self.expect = Expect::Colon;
        let name = self.text.get(start..end).unwrap_or_default();
        let name = escaped(name);
        let name = format!("\"{name}\"");
        let rule = if let Some(quote) = Quote::at(bytes, end) {
            self.at += quote.len();
            RepairRule::MissingQuote
        } else {
            RepairRule::UnquotedName
        };
        self.ledger.push(start..self.at, rule, name);
    }

    pub(super) fn colon(&mut self, byte: u8) {
        match byte {
            b':' => self.at += 1,
            b'=' => {
                let len = if self.ahead().starts_with(self.at, b"=>") {
                    2
                } else {
                    1
                };
                self.replace(len, RepairRule::MissingColon, ":");
            }
            b',' | b';' => return self.drop_member(),
            b'}' | b']' => return self.close(byte),
            _ => self.replace(0, RepairRule::MissingColon, ":"),
        }
        self.expect = Expect::Value;
    }

    /// A string in an array turns out to be the name of the next member: the array ended before.
    pub(super) fn name_in_array(&mut self) {
        let Some(mut comma) = self.element.take() else {
            return;
        };
        self.ledger
            .insert(&mut comma, 0, RepairRule::MissingCloser, "]");
        self.stack.pop();
        self.comma = Some(comma);
        self.member = Some(comma);
        self.string = None;
        self.expect = Expect::Colon;
    }

    /// Leaves out a name without a value, and the comma before it.
    pub(super) fn drop_member(&mut self) {
        let Some(name) = self.member.take() else {
            return;
        };
        let comma = self.comma.take();
        let from = comma.unwrap_or(name);
        self.ledger.undo(from);
        self.ledger
            .push(from.at..self.at, RepairRule::UnfinishedMember, "");
        self.expect = match comma {
            Some(_) => Expect::CommaOrEnd,
            None => Expect::Name,
        };
    }
}

/// A name with what a string cannot have escaped.
fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for char in name.chars() {
        match char {
            '\\' => out.push_str("\\\\"),
            '\0'..' ' => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(char));
            }
            _ => out.push(char),
        }
    }
    out
}
