//! The loop that reads one token at a time and applies the action that the [table](super::rules)
//! has for it.

use super::edits::{EditPoint, Edits};
use super::quote::Quote;
use super::repairer::{Reading, Repairer};
use super::rule::RepairRule;
use super::rules::{Action, action};
use super::start::{self, Start};
use super::state::{Bracket, Expect, Previous, PreviousString};
use super::token::{Expected, Role};
use crate::error::{Error, Reason};
use crate::json::skip_whitespace;

impl Repairer<'_> {
    /// Returns the edits that turn the text, whose value starts at `start`, into JSON.
    pub(super) fn read(mut self, start: &Start) -> Result<Reading, Error> {
        let all = self.text;
        self.text = all.get(..start.limit).unwrap_or(all);
        self.escaped = start.is_escaped;
        self.drop_prefix(start);
        let first = self.edits.point(self.at);
        if start.is_members {
            self.edits
                .push(self.at..self.at, RepairRule::MissingOpener, "{");
            self.push_frame(Bracket::Object);
            self.expect = Expect::Name(None);
        }
        self.value()?;
        if self.mode.multiple_values {
            self.more_values(first)?;
        }
        self.text = all;
        self.drop_rest(start);
        Ok(Reading {
            edits: self.edits,
            quote_before_loss: self.quote_before_loss,
            swallowed: self.swallowed,
        })
    }

    /// Returns the edits that drop the text around a valid value of `len` bytes.
    pub(super) fn unwrap(mut self, start: &Start, len: usize) -> Edits {
        self.drop_prefix(start);
        self.at += len;
        self.complete(None);
        self.at = skip_whitespace(self.bytes(), self.at);
        self.drop_rest(start);
        self.edits
    }

    /// Reads one value.
    fn value(&mut self) -> Result<(), Error> {
        while let Some(byte) = self.next_byte() {
            self.align();
            let token = self.ahead().token(self.at, byte);
            match action(self.expect.expected(), self.container(), token) {
                Action::Stop => break,
                Action::Concatenate if !self.concatenate() => {
                    if self.stack.is_empty() {
                        break;
                    }
                    self.insert_comma();
                }
                action => self.apply(action, byte)?,
            }
        }
        self.close_all();
        if self.expect.expected() != Expected::Nothing {
            return Err(Error::new(Reason::Expected("a value"), self.text.len()));
        }
        Ok(())
    }

    /// Reads the values after the first, and wraps all of them in an array.
    fn more_values(&mut self, mut first: EditPoint) -> Result<(), Error> {
        let mut count = 1;
        let mut last = first;
        while let Expect::Nothing(Previous { end, .. }) = self.expect {
            last = end;
            let Some(next) = start::next_value(self.ahead(), self.at) else {
                break;
            };
            let gap = self.text.get(self.at..next).unwrap_or_default();
            let blank = gap.trim_ascii();
            if blank != "," {
                self.edits
                    .insert(&mut { end }, 0, RepairRule::MultipleValues, ",");
                if !blank.is_empty() {
                    let is_fence = gap.contains("```");
                    let rule = if is_fence {
                        RepairRule::Fence
                    } else {
                        RepairRule::SurroundingText
                    };
                    self.edits.push(self.at..next, rule, "");
                }
            }
            self.at = next;
            self.expect = Expect::Element(None);
            self.value()?;
            count += 1;
        }
        if count > 1 {
            self.edits
                .insert(&mut last, 0, RepairRule::MultipleValues, "]");
            self.edits
                .insert(&mut first, 0, RepairRule::MultipleValues, "[");
            let end = self.edits.point(last.at);
            let string = None;
            self.expect = Expect::Nothing(Previous { end, string });
        }
        Ok(())
    }

    fn apply(&mut self, action: Action, byte: u8) -> Result<(), Error> {
        match action {
            Action::OpenObject if self.ahead().is_set(self.at) => {
                self.open(Bracket::Set)?;
                self.replace(1, RepairRule::Set, "[");
            }
            Action::OpenObject => {
                self.open(Bracket::Object)?;
                self.at += 1;
            }
            Action::OpenArray => {
                self.open(Bracket::Array)?;
                self.at += 1;
            }
            Action::OpenTuple => self.open_parentheses(1, RepairRule::Tuple)?,
            Action::Close => self.close(byte),
            Action::QuotedValue(quote) => self.quoted(Role::Value, quote),
            Action::QuotedName(quote) => self.quoted_name(quote),
            Action::BareValue => match self.ahead().call(self.at) {
                Some(end) => self.open_parentheses(end + 1 - self.at, RepairRule::Call)?,
                None => self.bare_value(),
            },
            Action::BareName => self.bare_name(),
            Action::TakeComma => {
                let comma = self.edits.point(self.at);
                self.at += 1;
                self.after_comma(comma);
            }
            Action::ReplaceWithComma => self.replace_with_comma(),
            Action::InsertComma => self.insert_comma(),
            Action::DropComma => self.replace(1, RepairRule::ExtraComma, ""),
            Action::TakeColon => {
                self.at += 1;
                self.after_colon();
            }
            Action::ReplaceWithColon => {
                let arrow = self.ahead().starts_with(self.at, b"=>");
                self.replace(1 + usize::from(arrow), RepairRule::MissingColon, ":");
                self.after_colon();
            }
            Action::InsertColon => {
                self.replace(0, RepairRule::MissingColon, ":");
                self.after_colon();
            }
            Action::DropColon => self.replace(1, RepairRule::ExtraColon, ""),
            Action::InsertValue => self.insert_value(),
            Action::OpenInPlaceOfName => self.open_in_place_of_name(),
            Action::DropOpener => self.replace(1, RepairRule::ExtraOpener, ""),
            Action::NameInArray => {
                if !self.name_in_array() {
                    self.replace_with_comma();
                }
            }
            // These are not applied: see `value`.
            Action::Concatenate | Action::Stop => {}
        }
        Ok(())
    }

    /// Skips white space, comments and the like. Returns the first byte of the next token, unless
    /// the text or the fence ends before it.
    fn next_byte(&mut self) -> Option<u8> {
        loop {
            let at = skip_whitespace(self.bytes(), self.at);
            self.is_spaced |= at > self.at;
            self.at = at;
            let byte = self.bytes().get(at).copied()?;
            let ahead = self.ahead();
            // The length of what is skipped, and what replaces it.
            let (len, rule, replacement) = match byte {
                b'`' if ahead.is_fence(at) => return None,
                b'\\' => match ahead.escaped_space(at) {
                    Some(space) => (2, RepairRule::EscapedQuote, space),
                    None => return Some(byte),
                },
                b'/' | b'#' => match start::comment_end(self.bytes(), at) {
                    Some(end) => (end - at, RepairRule::Comment, ""),
                    None => return Some(byte),
                },
                b'.' if ahead.starts_with(at, b"...") => (3, RepairRule::Ellipsis, ""),
                0..b' ' | 0x7F.. => {
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
                    (char.len_utf8(), rule, "")
                }
                _ => return Some(byte),
            };
            self.replace(len, rule, replacement);
        }
    }

    /// Evaluates the indentation of the next token: records it for the first item of a container,
    /// closes containers that are indented deeper than a later item.
    fn align(&mut self) {
        if !core::mem::take(&mut self.is_spaced) {
            return;
        }
        let Some(indentation) = self.ahead().indentation(self.at) else {
            return;
        };
        self.indentation = indentation;
        if self.mode.is_sound {
            return;
        }
        let is_closer = matches!(self.bytes().get(self.at), Some(b'}' | b']' | b')' | b','));
        if is_closer {
            return;
        }
        if let Expect::Name(None) | Expect::Element(None) = self.expect {
            // Items have to be indented deeper than their container, or indentation means nothing.
            if let Some(frame) = self.stack.last_mut()
                && frame.indentation < indentation
            {
                frame.items = frame.items.or(Some(indentation));
            }
        } else {
            self.close_deeper(indentation);
        }
    }

    fn after_colon(&mut self) {
        if let Expect::Colon(member) = self.expect {
            self.expect = Expect::MemberValue(member);
        }
    }

    fn replace_with_comma(&mut self) {
        let comma = self.edits.point(self.at);
        self.replace(1, RepairRule::MissingComma, ",");
        self.after_comma(comma);
    }

    fn insert_comma(&mut self) {
        if let Expect::CommaOrEnd(Previous { end, .. }) = self.expect {
            let comma = end;
            self.edits
                .insert(&mut { end }, 0, RepairRule::MissingComma, ",");
            self.after_comma(comma);
        }
    }

    /// Joins two strings at a `+`: the quotes and what is between them are dropped. Returns whether
    /// a string precedes the `+`.
    fn concatenate(&mut self) -> bool {
        let (Expect::CommaOrEnd(previous) | Expect::Nothing(previous)) = self.expect else {
            return false;
        };
        let Some(PreviousString {
            quote: Some(first), ..
        }) = previous.string
        else {
            return false;
        };
        let plus = self.at;
        let (next, _) = self.ahead().next(plus + 1);
        if let Some(quote) = Quote::at(self.bytes(), next) {
            self.edits.undo(first);
            self.at = next + quote.len();
            self.edits
                .push(first.at..self.at, RepairRule::Concatenation, "");
            self.content(Role::Value, Some(quote));
        } else {
            self.replace(1, RepairRule::Concatenation, "");
            let string = None;
            self.after_value(Previous { string, ..previous });
        }
        true
    }
}
