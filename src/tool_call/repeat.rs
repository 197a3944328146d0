//! The mistake of passing snapshots of a call as if they were the text of calls.
//!
//! A text may have several values, so snapshots are read as successive calls, each of which is
//! completed: `{"name":"pay","arguments":{"to":"bob"}}`, then
//! `{"name":"pay","arguments":{"to":"bob","amount":10}}`. Such a text is valid, so this is a hint
//! and no error.

use super::ToolCall;
use crate::error::Hint;
use crate::parser::{Change, Event, Update};

/// Compares the first call of each value of the text with that of the value before.
#[derive(Clone, Debug, Default)]
pub(super) struct RepeatCheck {
    /// The first call of the value before.
    before: Option<ToolCall>,
    /// The first call of the value at hand.
    first: Option<ToolCall>,
    /// Where the value before ended, from the start of the input.
    end: usize,
    /// Whether nothing, not even white space, is between the two values.
    is_adjacent: bool,
    hint: Option<Hint>,
}

impl RepeatCheck {
    pub(super) const fn hint(&self) -> Option<Hint> {
        self.hint
    }

    /// Follows the start and the end of the values of the text.
    pub(super) fn follow_root(&mut self, update: Update<'_>, event: Event<'_>) {
        let span = event.path.value().span();
        match event.change {
            Change::Started(_) => {
                let start = update.start() + update.offset_of(span.start());
                self.before = self.first.take();
                self.is_adjacent = start == self.end;
            }
            Change::Appended(_) => {}
            Change::Completed(_) => self.end = update.start() + update.offset_of(span.end()),
        }
    }

    /// A call of the value at hand is complete.
    pub(super) fn complete(&mut self, call: &ToolCall) {
        if self.hint.is_some() || self.first.is_some() {
            return;
        }
        if let Some(before) = &self.before
            && before.name == call.name
            && match (&before.id, &call.id) {
                // An id is that of one call.
                (Some(before), Some(id)) => before == id,
                (None, None) => self.is_adjacent && extends(&before.arguments, &call.arguments),
                (Some(_), None) | (None, Some(_)) => false,
            }
        {
            self.hint = Some(Hint::RepeatedCalls);
            self.before = None;
            return;
        }
        self.first = Some(call.clone());
    }
}

/// Whether the arguments of the second snapshot continue those of the first: `{"to":"bob"}` is
/// continued by `{"to":"bobby"}`, because what follows `bob` may be nothing but closers.
fn extends(before: &str, arguments: &str) -> bool {
    let open = before.trim_end_matches(['}', ']', '"', ' ', '\n', '\r', '\t']);
    arguments.starts_with(open)
}
