//! Closing brackets: matching, mismatched, missing and extra ones.
//!
//! In an indented text the indentation of a closer decides which container it closes; elsewhere the
//! text after it does.

use alloc::string::String;

use super::cost::count;
use super::options::FinishReason;
use super::repairer::{Balance, Repairer};
use super::rule::RepairRule;
use super::state::{Bracket, Expect, Frame, Previous};
use super::token::Container;
use crate::json::closing_quote;

/// How many containers are searched, from the innermost, for one with a given indentation.
const MOST_FRAMES: usize = 64;

impl Repairer<'_> {
    /// Reads a closer: closes its container, replaces it, or drops it.
    ///
    /// In a text without indentation the first row that applies decides:
    ///
    /// | closer | example | action |
    /// | --- | --- | --- |
    /// | of the innermost container | `[1]` | kept |
    /// | of an outer one, the rest has a closer for each | `{"x":{"a":[1},"b":2}}` | replaced |
    /// | doubled, or the next token cannot follow it | `[1]]` | dropped |
    /// | of an outer one | `{"a":[1}` | missing closers inserted |
    /// | of none that is open | `{"a":{"b":1],"c":2}` | replaced |
    pub(super) fn close(&mut self, byte: u8) {
        self.finish_items();
        match self.aligned(byte) {
            Aligned::With(left) => {
                self.closers_align = true;
                self.close_down_to(left);
            }
            Aligned::WithNothing => return self.drop_closer(),
            Aligned::Unknown => {}
        }
        let Some(frame) = self.stack.last().copied() else {
            return self.drop_closer();
        };
        if frame.bracket.closes_with() == byte {
            if self.is_early() {
                return self.drop_closer();
            }
            return self.close_frame(frame);
        }
        if self.ahead().indentation(self.at) == Some(frame.indentation)
            && frame.items.is_some()
            && !self.mode.is_sound
        {
            return self.replace_closer(frame);
        }
        let doubled = self.bytes().get(self.at.wrapping_sub(1)) == Some(&byte);
        // The number of frames that stay open.
        let left = match frame.up_to(byte) {
            0 => self.stack.len() - 1,
            up_to => up_to - 1,
        };
        let around = left.checked_sub(1).and_then(|index| self.stack.get(index));
        let around = around.map(|frame| frame.bracket.container());
        let fits = self.ahead().may_follow(around, self.at + 1);
        // `]]}` in an object: the second `]` is extra, because the closer of the object follows.
        let (_, next) = self.ahead().next(self.at + 1);
        let closer_follows = next == Some(frame.bracket.closes_with());
        let is_open = frame.up_to(byte) > 0;
        // `{"x":{"a":[1},"b":2}}`: there is one closer for each container, so this one is of the
        // wrong kind rather than extra.
        if is_open && self.closers_left() == Some(self.stack.len()) {
            return self.replace_closer(frame);
        }
        if !fits || (doubled && (!is_open || closer_follows)) || (byte == b')' && !is_open) {
            return self.drop_closer();
        }
        if is_open {
            self.close_down_to(left + 1);
            if let Some(frame) = self.stack.last().copied() {
                self.close_frame(frame);
            }
        } else {
            self.replace_closer(frame);
        }
    }

    /// Closes the innermost container with its own closer.
    fn close_frame(&mut self, frame: Frame) {
        self.stack.pop();
        match frame.bracket {
            Bracket::Object | Bracket::Array => self.at += 1,
            Bracket::Set => self.replace(1, RepairRule::Set, "]"),
            Bracket::Parentheses { opener, is_array } => {
                let rule = self.edits.rule_at(opener);
                // `()` is an empty array, `now()` is an unknown value: null.
                let is_empty = matches!(self.expect, Expect::Element(None));
                if is_empty && rule == RepairRule::Call {
                    self.edits.replace_at(opener, "null");
                } else if is_empty {
                    self.edits.replace_at(opener, "[");
                }
                let is_array = is_array || (is_empty && rule == RepairRule::Tuple);
                self.replace(1, rule, if is_array { "]" } else { "" });
            }
        }
        self.complete(None);
    }

    /// Closes the innermost container at a closer of another kind.
    fn replace_closer(&mut self, frame: Frame) {
        self.stack.pop();
        let closer = frame.bracket.closer();
        // `{1,2]`: a set becomes an array, whose closer this is already.
        if self.ahead().starts_with(self.at, closer.as_bytes()) && !closer.is_empty() {
            self.at += 1;
        } else {
            self.replace(1, RepairRule::MismatchedCloser, closer);
        }
        self.complete(None);
    }

    /// Drops an extra closer. A missing comma is inserted after it.
    fn drop_closer(&mut self) {
        self.replace(1, RepairRule::ExtraCloser, "");
        let end = self.edits.point(self.at);
        if let Expect::CommaOrEnd(previous) = self.expect {
            self.expect = Expect::CommaOrEnd(Previous { end, ..previous });
        }
    }

    /// Closes everything that is open at the end of the text.
    pub(super) fn close_all(&mut self) {
        match self.expect {
            Expect::MemberValue(_) | Expect::Colon(_)
                if self.mode.finish_reason != Some(FinishReason::Stopped) =>
            {
                self.drop_member();
                self.finish_items();
            }
            _ => self.finish_items(),
        }
        if !self.stack.is_empty() {
            self.close_down_to(0);
            self.complete(None);
        }
    }

    /// Inserts the closers of all but the outermost `left` containers here.
    fn close_down_to(&mut self, left: usize) {
        let missing = self.missing_closers(left);
        if !missing.is_empty() {
            self.edits
                .push(self.at..self.at, RepairRule::MissingCloser, missing);
            self.complete(None);
        }
        self.stack.truncate(left);
    }

    /// Returns the closers of all but the outermost `left` containers, the innermost first.
    fn missing_closers(&mut self, left: usize) -> String {
        let open = self.stack.get(left..).unwrap_or_default();
        let mut closers = String::with_capacity(open.len());
        for (index, frame) in open.iter().enumerate().rev() {
            // `(` or `now(` at the end of the text: the value in the parentheses is missing.
            if let Bracket::Parentheses { opener, .. } = frame.bracket
                && index + 1 == open.len()
                && matches!(self.expect, Expect::Element(None))
            {
                self.edits.replace_at(opener, "null");
            }
            closers.push_str(frame.bracket.closer());
        }
        closers
    }

    /// Drops a trailing comma, or inserts the missing value of a member.
    fn finish_items(&mut self) {
        if let Expect::MemberValue(_) | Expect::Colon(_) = self.expect {
            self.insert_value();
        } else if let Some(comma) = self.expect.comma() {
            self.edits.remove_comma(comma);
            let end = self.edits.point(self.at);
            let string = None;
            self.expect = Expect::CommaOrEnd(Previous { end, string });
        }
    }

    /// Returns whether the closer of the root object is followed by another member:
    /// `{"a":1},"b":2}`.
    fn is_early(&self) -> bool {
        let ahead = self.ahead();
        let (comma, next) = ahead.next(self.at + 1);
        self.stack.len() == 1
            && self.container() == Some(Container::Object)
            && next == Some(b',')
            && ahead.is_string_before(ahead.next(comma + 1).0, b":")
    }

    /// Returns how many closers in the rest of the text have no opener there; `None` if the text
    /// ends in a string. The rest is counted once, and after that only the part read since.
    fn closers_left(&mut self) -> Option<usize> {
        let bytes = self.bytes();
        let net = match self.balance {
            Balance::Uncounted => net_closers(bytes, self.at, bytes.len()),
            Balance::Known { at, net } => {
                net_closers(bytes, at, self.at).map(|before| net - before)
            }
            Balance::Unknown => None,
        };
        self.balance = match net {
            Some(net) => Balance::Known { at: self.at, net },
            None => Balance::Unknown,
        };
        net.and_then(|net| usize::try_from(net).ok())
    }

    /// Returns the container that a closer belongs to by its indentation.
    fn aligned(&self, byte: u8) -> Aligned {
        let Some(top) = self.stack.last() else {
            return Aligned::Unknown;
        };
        if top.items.is_none() || self.mode.is_sound {
            return Aligned::Unknown;
        }
        let Some(indentation) = self.ahead().indentation(self.at) else {
            // `␊  }}`: the second of two closers is extra, if the items of the container that it
            // would close start lines.
            let before = self.at.wrapping_sub(1);
            let doubled = self.bytes().get(before) == Some(&byte)
                && self.ahead().indentation(before) > Some(top.indentation);
            return if doubled {
                Aligned::WithNothing
            } else {
                Aligned::Unknown
            };
        };
        if top.indentation == indentation {
            return Aligned::With(self.stack.len());
        }
        if top.indentation < indentation {
            // `␊  }␊  }`: the second of two closers is extra, unless this text indents closers like
            // items.
            return if self.closers_align {
                Aligned::WithNothing
            } else {
                Aligned::Unknown
            };
        }
        let frames = self.stack.iter().enumerate().rev().take(MOST_FRAMES);
        let mut outer = frames.take_while(|(_, frame)| frame.indentation >= indentation);
        let found =
            outer.find(|(_, frame)| frame.indentation == indentation && frame.items.is_some());
        found.map_or(Aligned::Unknown, |(index, _)| Aligned::With(index + 1))
    }

    /// Closes the containers that an item with this indentation cannot be in. Here `"c"` is a
    /// member of the outer object, because it is indented like `"a"`:
    ///
    /// ```json
    /// {
    ///   "a": {
    ///     "b": 1,
    ///   "c": 2
    /// }
    /// ```
    pub(super) fn close_deeper(&mut self, indentation: usize) {
        let top_items = self.stack.last().and_then(|frame| frame.items);
        if top_items.is_none_or(|items| indentation >= items) {
            return;
        }
        let ahead = self.ahead();
        let is_member =
            ahead.is_string_before(self.at, b":") || ahead.is_word_before(self.at, b":");
        let fits = |frame: &Frame| match frame.bracket.container() {
            Container::Object => is_member,
            Container::Array => !is_member,
        };
        let frames = self.stack.iter().enumerate().rev().take(MOST_FRAMES);
        let mut outer =
            frames.take_while(|(_, frame)| frame.items.is_none_or(|items| items >= indentation));
        let found = outer.find(|(_, frame)| frame.items == Some(indentation) && fits(frame));
        let Some((index, _)) = found else { return };
        let closers = self.missing_closers(index + 1);
        match self.expect {
            Expect::Name(Some(mut comma)) | Expect::Element(Some(mut comma)) => {
                self.edits
                    .insert(&mut comma, 0, RepairRule::MissingCloser, closers);
                self.stack.truncate(index + 1);
                self.after_comma(comma);
            }
            Expect::CommaOrEnd(Previous { mut end, .. }) => {
                self.edits
                    .insert(&mut end, 0, RepairRule::MissingCloser, closers);
                self.stack.truncate(index + 1);
                self.after_value(Previous { end, string: None });
            }
            _ => {}
        }
    }
}

/// Returns the number of closers minus the number of openers outside of strings; `None` if the
/// range ends in a string.
fn net_closers(bytes: &[u8], start: usize, end: usize) -> Option<isize> {
    count(end - start);
    let mut net = 0;
    let mut at = start;
    while at < end {
        match bytes.get(at)? {
            b'}' | b']' => net += 1,
            b'{' | b'[' => net -= 1,
            b'"' => at = closing_quote(bytes, at + 1)?,
            _ => {}
        }
        at += 1;
    }
    Some(net)
}

/// What a closer at the start of a line closes, by its indentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aligned {
    /// The container at this depth.
    With(usize),
    WithNothing,
    Unknown,
}
