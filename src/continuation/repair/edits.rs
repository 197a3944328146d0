//! The list of edits, in the order of the text.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::cost::count;
use super::rule::RepairRule;

/// One change that [`repair`](crate::repair()) made.
///
/// It serializes as `{"start", "end", "rule", "replacement"}`. The `Debug` text contains the
/// replacement, which may be payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairEdit {
    range: Range<usize>,
    rule: RepairRule,
    replacement: Cow<'static, str>,
}

impl RepairEdit {
    /// Returns the byte range of the input that was replaced. It is empty for an insertion.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns the rule that made the change.
    #[must_use]
    pub const fn rule(&self) -> RepairRule {
        self.rule
    }

    /// Returns the replacement. It is empty for a deletion.
    #[must_use]
    pub fn replacement(&self) -> &str {
        &self.replacement
    }

    pub(super) fn into_replacement(self) -> Cow<'static, str> {
        self.replacement
    }
}

impl Serialize for RepairEdit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut edit = serializer.serialize_struct("RepairEdit", 4)?;
        edit.serialize_field("start", &self.range.start)?;
        edit.serialize_field("end", &self.range.end)?;
        edit.serialize_field("rule", self.rule.as_str())?;
        edit.serialize_field("replacement", &*self.replacement)?;
        edit.end()
    }
}

/// A place in the text, and the number of edits before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EditPoint {
    pub(super) at: usize,
    edits: usize,
}

/// The edits so far, in ascending order and without overlaps.
#[derive(Clone, Debug, Default)]
pub(super) struct Edits(Vec<RepairEdit>);

impl Edits {
    /// Returns the point at offset `at`, after all edits so far.
    pub(super) fn point(&self, at: usize) -> EditPoint {
        EditPoint {
            at,
            edits: self.0.len(),
        }
    }

    /// Appends an edit.
    pub(super) fn push(
        &mut self,
        range: Range<usize>,
        rule: RepairRule,
        replacement: impl Into<Cow<'static, str>>,
    ) {
        self.0.push(RepairEdit {
            range,
            rule,
            replacement: replacement.into(),
        });
    }

    /// Inserts an edit at a point, and moves the point after it.
    ///
    /// At most the edits between two tokens follow the point, and no point is used twice, so moving
    /// the later edits takes linear time in total.
    pub(super) fn insert(
        &mut self,
        point: &mut EditPoint,
        len: usize,
        rule: RepairRule,
        replacement: impl Into<Cow<'static, str>>,
    ) {
        let edit = RepairEdit {
            range: point.at..point.at + len,
            rule,
            replacement: replacement.into(),
        };
        count(self.0.len() - point.edits);
        self.0.insert(point.edits, edit);
        point.edits += 1;
    }

    /// Drops the comma at a point, or undoes its insertion.
    pub(super) fn remove_comma(&mut self, point: EditPoint) {
        match self.0.get_mut(point.edits) {
            Some(edit) if edit.rule == RepairRule::MissingComma => {
                if edit.range.is_empty() {
                    self.0.remove(point.edits);
                    return;
                }
                edit.rule = RepairRule::TrailingComma;
                edit.replacement = Cow::Borrowed("");
            }
            _ => self.insert(&mut { point }, 1, RepairRule::TrailingComma, ""),
        }
    }

    /// Changes the replacement of the edit at a point. No edit may have been inserted before it
    /// since the point was taken.
    pub(super) fn replace_at(&mut self, point: EditPoint, replacement: &'static str) {
        if let Some(edit) = self.0.get_mut(point.edits) {
            debug_assert_eq!(edit.range.start, point.at, "the edit is still there");
            edit.replacement = Cow::Borrowed(replacement);
        }
    }

    /// Returns the rule of the edit at a point.
    pub(super) fn rule_at(&self, point: EditPoint) -> RepairRule {
        let edit = self.0.get(point.edits);
        edit.map_or(RepairRule::Tuple, |edit| edit.rule)
    }

    /// Undoes the edits after a point.
    pub(super) fn undo(&mut self, point: EditPoint) {
        self.0.truncate(point.edits);
    }

    /// Undoes the edits of the text after `at`.
    pub(super) fn undo_from(&mut self, at: usize) {
        while self
            .0
            .pop_if(|edit| edit.range.start >= at && edit.range.end > at)
            .is_some()
        {}
    }

    /// Returns the end of the last edit.
    pub(super) fn end(&self) -> usize {
        self.0.last().map_or(0, |edit| edit.range.end)
    }

    /// Returns the lost content in bytes. An invented `null` counts as much as its text, because
    /// the value that belongs there is missing.
    pub(super) fn loss(&self) -> usize {
        const NULL: usize = "null".len();
        let loss = |edit: &RepairEdit| match edit.rule {
            RepairRule::MissingValue => NULL,
            rule if rule.is_lossy() => edit.range.len(),
            _ => 0,
        };
        self.0.iter().map(loss).sum()
    }

    pub(super) fn into_vec(self) -> Vec<RepairEdit> {
        self.0
    }
}

/// Returns `text` with the edits applied.
pub(super) fn apply(text: &str, edits: &[RepairEdit]) -> String {
    let mut out = String::with_capacity(text.len() + edits.len());
    let mut at = 0;
    for edit in edits {
        debug_assert!(at <= edit.range.start, "edits ascend and do not overlap");
        out.push_str(text.get(at..edit.range.start).unwrap_or_default());
        out.push_str(&edit.replacement);
        at = edit.range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
