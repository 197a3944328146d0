//! Members: names, colons, and missing values.

use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;

use super::quote::Quote;
use super::repairer::Repairer;
use super::rule::RepairRule;
use super::state::{Bracket, Expect, Member, Previous, PreviousString};
use super::token::{Container, Role};

impl Repairer<'_> {
    /// Reads a name in quotes of some kind.
    pub(super) fn quoted_name(&mut self, quote: Quote) {
        self.start_member();
        self.quoted(Role::Name, quote);
    }

    fn start_member(&mut self) {
        self.expect = Expect::Colon(Member {
            name: self.edits.point(self.at),
            comma: self.expect.comma(),
        });
    }

    /// Handles `{` in place of a name. In `[{"a":1,{"b":2}]` it is the next element, because the
    /// object is an element itself; in `{{"a":1}}` it is one brace too many.
    pub(super) fn open_in_place_of_name(&mut self) {
        let around = self
            .stack
            .iter()
            .nth_back(1)
            .map(|frame| frame.bracket.container());
        match self.expect {
            Expect::Name(Some(mut comma)) if around == Some(Container::Array) => {
                self.edits
                    .insert(&mut comma, 0, RepairRule::MissingCloser, "}");
                self.stack.pop();
                self.after_comma(comma);
            }
            _ => self.replace(1, RepairRule::ExtraOpener, ""),
        }
    }

    /// Reads a name without quotes (`a:1`), or without the first one (`a":1`).
    pub(super) fn bare_name(&mut self) {
        self.start_member();
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
        let name = self.text.get(start..end).unwrap_or_default();
        let name = escaped(name);
        let name = format!("\"{name}\"");
        let rule = if let Some(quote) = Quote::at(bytes, end) {
            self.at += quote.len();
            RepairRule::MissingQuote
        } else {
            RepairRule::UnquotedName
        };
        self.edits.push(start..self.at, rule, name);
    }

    /// Ends the array before its last string, which is the name of the next member:
    /// `{"a":[1,"b":2}`. Returns whether that is possible, which it is in an array that is a
    /// member's value.
    pub(super) fn name_in_array(&mut self) -> bool {
        let around = self.stack.iter().nth_back(1);
        let is_in_object = around.is_some_and(|frame| frame.bracket == Bracket::Object);
        let Expect::CommaOrEnd(Previous {
            string:
                Some(PreviousString {
                    comma: Some(mut comma),
                    ..
                }),
            ..
        }) = self.expect
        else {
            return false;
        };
        if !is_in_object {
            return false;
        }
        self.edits
            .insert(&mut comma, 0, RepairRule::MissingCloser, "]");
        self.stack.pop();
        self.expect = Expect::Colon(Member {
            name: comma,
            comma: Some(comma),
        });
        true
    }

    /// Inserts `null` for a missing value, and the colon if that is missing as well.
    pub(super) fn insert_value(&mut self) {
        let value = if let Expect::Colon(_) = self.expect {
            // In `{"a":"so "b", c "d"` this may not be a name, but part of the string before it.
            self.note_loss();
            ":null"
        } else {
            "null"
        };
        self.replace(0, RepairRule::MissingValue, value);
        self.complete(None);
    }

    /// Drops an unfinished member at the end of the text, and the comma before it.
    pub(super) fn drop_member(&mut self) {
        let (Expect::MemberValue(member) | Expect::Colon(member)) = self.expect else {
            return;
        };
        let from = member.comma.unwrap_or(member.name);
        self.edits.undo(from);
        self.edits
            .push(from.at..self.at, RepairRule::UnfinishedMember, "");
        self.expect = match member.comma {
            Some(_) => Expect::CommaOrEnd(Previous {
                end: self.edits.point(self.at),
                string: None,
            }),
            None => Expect::Name(None),
        };
    }
}

/// Returns a name with backslashes and control characters escaped.
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
