//! The compact JSON text of a growing value; each byte is rendered once.
//!
//! # For maintainers
//!
//! The text contains everything that is certain: complete values, and the openers of open arrays
//! and objects. The part that may still change is rendered for each copy: an incomplete number or
//! literal, the replacement of an incomplete value by the policy, and the closers.
//!
//! ```text
//! {"a": [1, 2], "b": ["x", "yz          the text of the model
//! {"a":[1,2],"b":["x","yz               the text that is kept; `open` has the root and "b"
//! {"a":[1,2],"b":["x","yz"]}            a copy, closed
//! ```
//!
//! - *Only the last can be incomplete*: in each open container all children but the last are
//!   complete, so their rendered text stays. The exception is a member that a later one supersedes;
//!   then the text is rendered again from the start.

use alloc::string::String;
use alloc::vec::Vec;

use crate::document::{Kind, PartialMode, PartialPolicy, Value};

/// The compact text of one root. Values are identified by their distance from it.
#[derive(Clone, Debug, Default)]
pub(super) struct CompactText {
    text: String,
    /// The containers whose openers are in the text and whose closers are not.
    open: Vec<OpenContainer>,
    /// How many bytes of the string that is being written are in the text.
    open_string: Option<usize>,
    /// Whether the text has begun.
    is_begun: bool,
}

/// An array or object that is open in the text.
#[derive(Clone, Copy, Debug)]
struct OpenContainer {
    at: usize,
    /// The last child that is in the text, or that the policy omits.
    last: Option<usize>,
    /// Whether a child is in the text.
    has_children: bool,
    /// How many members were superseded when the text was rendered.
    superseded: usize,
    /// Whether a member that is not shown yet may supersede another one.
    is_unsettled: bool,
}

impl OpenContainer {
    /// Returns the first child that is not entirely in the text.
    fn next_child(self, root: Value<'_>) -> Option<Value<'_>> {
        let last = self.last.map(|last| root.at_distance(last));
        root.at_distance(self.at).children_after(last).next()
    }
}

impl CompactText {
    /// Forgets the text, for another root.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.open.clear();
        self.open_string = None;
        self.is_begun = false;
    }

    /// Renders everything that has become certain.
    pub(super) fn advance(&mut self, root: Value<'_>, partials: PartialPolicy) {
        if self.is_outdated(root) {
            self.clear();
        }
        if !self.is_begun || self.open_string.is_some() && self.open.is_empty() {
            self.add(root, root, partials);
        }
        while let Some(level) = self.open.last().copied() {
            let depth = self.open.len() - 1;
            let container = root.at_distance(level.at);
            let Some(child) = level.next_child(root) else {
                if !container.is_complete() {
                    return;
                }
                self.text.push(closer(container));
                self.open.pop();
                continue;
            };
            let is_shown = child.counts(partials);
            let is_done = if is_shown {
                self.add(child, root, partials)
            } else {
                child.is_complete()
            };
            let level = &mut self.open[depth];
            if is_done {
                level.last = Some(child.distance_from(root));
                continue;
            }
            // `{"a":1,"a":-`: the second member will supersede the first.
            level.is_unsettled = !is_shown && container.superseded_count() > 0;
            return;
        }
    }

    /// Returns the text with the uncertain part and the closers.
    pub(super) fn closed(&self, root: Value<'_>, partials: PartialPolicy) -> String {
        let mut out = String::with_capacity(self.text.len() + self.open.len() + 1);
        out.push_str(&self.text);
        if self.open_string.is_some() {
            out.push('"');
        } else if !self.is_begun {
            root.write_json(partials, &mut out);
        } else if let Some(level) = self.open.last() {
            let next = level.next_child(root);
            if let Some(child) = next.filter(|child| child.counts(partials)) {
                write_start(child, level.has_children, &mut out);
                child.write_json(partials, &mut out);
            }
        }
        for level in self.open.iter().rev() {
            out.push(closer(root.at_distance(level.at)));
        }
        out
    }

    /// Adds the certain part of a value. Returns whether only its children are left to add.
    fn add(&mut self, value: Value<'_>, root: Value<'_>, partials: PartialPolicy) -> bool {
        let is_kept = value.is_complete() || partials.of(value.kind()) == PartialMode::Keep;
        if value.kind() == Kind::String && is_kept {
            let raw = value.raw_content();
            let known = self.open_string.take().unwrap_or_else(|| {
                self.begin(value);
                self.text.push('"');
                0
            });
            self.text.push_str(raw.get(known..).unwrap_or_default());
            if value.is_complete() {
                self.text.push('"');
            } else {
                self.open_string = Some(raw.len());
            }
            return value.is_complete();
        }
        if value.is_complete() {
            self.begin(value);
            value.write_json(partials, &mut self.text);
            return true;
        }
        if !value.is_opened(partials) {
            return false;
        }
        self.begin(value);
        self.text.push(opener(value));
        self.open.push(OpenContainer {
            at: value.distance_from(root),
            last: None,
            has_children: false,
            superseded: value.superseded_count(),
            is_unsettled: false,
        });
        true
    }

    /// Writes the separators and the name before a value in its container.
    fn begin(&mut self, value: Value<'_>) {
        self.is_begun = true;
        if let Some(level) = self.open.last_mut() {
            write_start(value, level.has_children, &mut self.text);
            level.has_children = true;
        }
    }

    /// Returns whether a member that is in the text may have been superseded.
    fn is_outdated(&self, root: Value<'_>) -> bool {
        self.open.iter().any(|level| {
            let superseded = root.at_distance(level.at).superseded_count();
            level.is_unsettled || superseded > level.superseded
        })
    }
}

/// Writes the comma and the name before a value.
fn write_start(value: Value<'_>, has_siblings: bool, out: &mut String) {
    if has_siblings {
        out.push(',');
    }
    value.write_name(out);
}

fn opener(container: Value<'_>) -> char {
    if container.kind() == Kind::Array {
        '['
    } else {
        '{'
    }
}

fn closer(container: Value<'_>) -> char {
    if container.kind() == Kind::Array {
        ']'
    } else {
        '}'
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::Parser;

    #[test]
    fn complete_text_is_rendered_once() {
        let text =
            br#"{"a": [1, 2.5, "x\ny"], "b": {"c": [[], {"d": null}]}, "e": "a long string"}"#;
        let mut parser = Parser::new();
        let mut compact = CompactText::default();
        let partials = PartialPolicy::default();
        for byte in text.chunks(1) {
            parser.push(byte).expect("it is JSON");
            let before = compact.text.clone();
            let root = parser.root().expect("it has begun");
            compact.advance(root, partials);
            // The text is only appended to, so its length is the number of bytes that were
            // rendered.
            assert!(compact.text.starts_with(&before), "{}", compact.text);
            assert_eq!(compact.closed(root, partials), root.to_json(partials));
            // The part that is not kept is short, no matter how long the text is.
            let open = compact.closed(root, partials).len() - compact.text.len();
            assert!(open <= 24, "{}", compact.text);
        }
    }

    #[test]
    fn superseded_member_is_rendered_anew_once() {
        let mut parser = Parser::new();
        let mut compact = CompactText::default();
        let partials = PartialPolicy::default();
        let mut shrunk = 0;
        for byte in br#"{"a":[1,2,3],"b":1,"a":[4,5],"c":"x","d":[1]}"#.chunks(1) {
            parser.push(byte).expect("it is JSON");
            let before = compact.text.clone();
            let root = parser.root().expect("it has begun");
            compact.advance(root, partials);
            shrunk += u32::from(!compact.text.starts_with(&before));
            assert_eq!(compact.closed(root, partials), root.to_json(partials));
        }
        assert_eq!(shrunk, 1);
    }
}
