//! Detects snapshots of a call that are passed as if they were the text of calls.
//!
//! A text may have several values, so snapshots are read as successive calls, each of which is
//! completed: `{"name":"pay","arguments":{"to":"bob"}}`, then
//! `{"name":"pay","arguments":{"to":"bob","amount":10}}`. Such a text is valid, so this is a hint
//! and not an error.

use super::event::ToolCall;
use crate::error::Hint;
use crate::parser::{Change, Event, Update};

/// Compares the first call of each value of the text with the first call of the value before.
#[derive(Clone, Debug, Default)]
pub(super) struct RepeatCheck {
    /// The first call of the previous value.
    before: Option<ToolCall>,
    /// The first call of the current value.
    first: Option<ToolCall>,
    /// The offset at which the previous value ended, from the start of the input.
    end: usize,
    /// Whether the two values are adjacent, without white space.
    is_adjacent: bool,
    hint: Option<Hint>,
}

impl RepeatCheck {
    pub(super) const fn hint(&self) -> Option<Hint> {
        self.hint
    }

    /// Handles the start and the end of the values of the text.
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

    /// Handles a complete call of the current value.
    pub(super) fn complete(&mut self, call: &ToolCall) {
        if self.hint.is_some() || self.first.is_some() {
            return;
        }
        if let Some(before) = &self.before
            && before.name == call.name
            && match (&before.id, &call.id) {
                // An id belongs to one call.
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

/// Returns whether the arguments of the second snapshot continue those of the first:
/// `{"to":"bobby"}` continues `{"to":"bob"}`, because only closers follow `bob`.
fn extends(before: &str, arguments: &str) -> bool {
    let open = before.trim_end_matches(['}', ']', '"', ' ', '\n', '\r', '\t']);
    arguments.starts_with(open)
}
