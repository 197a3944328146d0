//! Drops the text before and after the value.

use super::repairer::Repairer;
use super::rule::RepairRule;
use super::start::{self, Start};
use super::state::Expect;
use crate::json::byte_order_mark_len;

impl Repairer<'_> {
    /// Drops the text before the value.
    pub(super) fn drop_prefix(&mut self, start: &Start) {
        let mark = byte_order_mark_len(self.bytes());
        if mark > 0 {
            self.replace(mark, RepairRule::ByteOrderMark, "");
        }
        let prefix = self.text.get(self.at..start.at).unwrap_or_default();
        if !prefix.trim_ascii().is_empty() {
            self.edits.push(self.at..start.at, start.rule, "");
        }
        self.at = start.at;
    }

    /// Returns whether the text after the value may be content (the rest of the value, or another
    /// value) rather than prose.
    fn may_be_content(&self, rest: &str) -> bool {
        let is_syntax = rest
            .trim_ascii_start()
            .starts_with(['}', ']', ',', ':', '"']);
        (is_syntax && rest.contains('"'))
            || rest.starts_with(',')
            || start::next_value(self.ahead(), self.at).is_some()
    }

    /// Drops the text after the value or the fence.
    pub(super) fn drop_rest(&mut self, start: &Start) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let only = |bytes: &[u8]| rest.bytes().all(|byte| bytes.contains(&byte));
        let ends_part = self.at >= start.limit && start.limit < self.text.len();
        let rule = if rest.trim_ascii().is_empty() {
            return;
        } else if self.ahead().is_fence(self.at) {
            RepairRule::Fence
        } else if ends_part {
            start.rule
        } else if only(b"}]) \t\r\n") {
            RepairRule::ExtraCloser
        } else if rest.trim_ascii_end() == "," {
            RepairRule::TrailingComma
        } else if start.rule == RepairRule::QuotedDocument && only(b"\"'` \t\r\n") {
            RepairRule::QuotedDocument
        } else if self.may_be_content(rest) {
            // `{"a":"so "b"}", "c":1}` ended too early, because a quote was taken for the end of
            // its string. Another object on the next line has nothing to do with quotes.
            if !rest.trim_ascii_start().starts_with(['{', '[']) {
                self.note_loss();
            }
            RepairRule::ExtraValue
        } else {
            RepairRule::SurroundingText
        };
        // The white space between the value and the dropped text is dropped as well.
        let value_end = match self.expect {
            Expect::Nothing(previous) => previous.end.at,
            _ => self.at,
        };
        let before = self.text.get(value_end..self.at).unwrap_or_default();
        let blank = before.len() - before.trim_ascii_end().len();
        let start = (self.at - blank).max(self.edits.end());
        self.edits.push(start..self.text.len(), rule, "");
    }
}
