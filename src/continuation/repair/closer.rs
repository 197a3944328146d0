//! Brackets and braces that close: the right ones, the wrong ones, and those that are missing.

use alloc::string::String;

use super::ledger::RepairRule;
use super::mender::{Expect, Mender};
use crate::document::Kind;

impl Mender<'_> {
    /// A closer, wherever it comes.
    pub(super) fn close(&mut self, byte: u8) {
        let kind = match byte {
            b'}' => Kind::Object,
            _ => Kind::Array,
        };
        self.drop_unfinished();
        let Some(frame) = self.stack.last().copied() else {
            return self.drop_closer();
        };
        if frame.kind == kind {
            if self.is_early() {
                return self.drop_closer();
            }
            self.stack.pop();
            self.at += 1;
            return self.complete();
        }
        let doubled = self.bytes().get(self.at.wrapping_sub(1)) == Some(&byte);
        // How many frames are left open.
        let left = match frame.others {
            0 => self.stack.len() - 1,
            others => others - 1,
        };
        let around = left.checked_sub(1).and_then(|index| self.stack.get(index));
        let fits = self
            .ahead()
            .may_follow(around.map(|frame| frame.kind), self.at + 1);
        // `]]}` in an object is one too many, not one too few.
        let (_, next) = self.ahead().next(self.at + 1);
        let goes_on = next.is_some_and(|next| frame.closer().as_bytes() == [next]);
        if !fits || (doubled && (frame.others == 0 || goes_on)) {
            return self.drop_closer();
        }
        if frame.others == 0 {
            self.replace(1, RepairRule::MismatchedCloser, frame.closer());
        } else {
            let missing = self.closers_down_to(frame.others);
            self.ledger
                .push(self.at..self.at, RepairRule::MissingCloser, missing);
            self.at += 1;
        }
        self.stack.truncate(left);
        self.complete();
    }

    /// Leaves out a closer of nothing; a comma that is missing is put in behind it.
    fn drop_closer(&mut self) {
        self.replace(1, RepairRule::ExtraCloser, "");
        self.end = self.ledger.mark(self.at);
    }

    /// Closes what the text leaves open.
    pub(super) fn close_all(&mut self) {
        self.drop_unfinished();
        if self.stack.is_empty() {
            return;
        }
        let missing = self.closers_down_to(0);
        self.ledger
            .push(self.at..self.at, RepairRule::MissingCloser, missing);
        self.stack.clear();
        self.complete();
    }

    /// Leaves out a comma or a name that nothing follows.
    fn drop_unfinished(&mut self) {
        if self.member.is_some() {
            self.drop_member();
        } else if let Some(comma) = self.comma.take() {
            self.ledger.remove_comma(comma);
            self.expect = Expect::CommaOrEnd;
        }
    }

    /// Whether the closer of the whole value comes before its last member.
    fn is_early(&self) -> bool {
        let ahead = self.ahead();
        let (comma, next) = ahead.next(self.at + 1);
        self.stack.len() == 1
            && self.container() == Some(Kind::Object)
            && next == Some(b',')
            && ahead.is_string_before(ahead.next(comma + 1).0, b":")
    }

    fn closers_down_to(&self, len: usize) -> String {
        let open = self.stack.get(len..).unwrap_or_default();
        open.iter().rev().map(|frame| frame.closer()).collect()
    }
}
