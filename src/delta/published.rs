//! The published part of a value, and the changes since.
//!
//! A document grows only at its end, so the published part is described by one path: from the top
//! through the last child of each array and object, as long as that is incomplete, to the open
//! scalar. Everything new is a child of a value on this path, and a delta costs the length of the
//! change, not of the value. A member that restates an earlier one is a new child; its delta has
//! the path of the earlier one, so replaying it replaces that.

use alloc::string::String;
use alloc::vec::Vec;

use super::sealed::Form;
use crate::document::{Kind, PartialPolicy, Value};
use crate::raw_json::RawJson;

/// A value as a policy shows it: a document or an entity. An array or object at the top is shown
/// even if the policy omits incomplete values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) top: Value<'a>,
    pub(crate) partials: PartialPolicy,
}

impl<'a> View<'a> {
    /// Returns whether anything is shown.
    pub(super) fn is_shown(self) -> bool {
        self.top.kind().is_container() || self.top.is_shown(self.partials)
    }

    /// Returns whether nothing is shown yet.
    pub(crate) fn is_empty(self) -> bool {
        match self.top.kind() {
            Kind::Array | Kind::Object => self.children(self.top, None).next().is_none(),
            Kind::String => self.top.shown_str(self.partials).is_empty(),
            Kind::Null | Kind::True | Kind::False | Kind::Number => {
                !self.top.is_shown(self.partials)
            }
        }
    }

    pub(crate) fn to_json(self) -> RawJson {
        self.json_of(self.top)
    }

    fn json_of(self, value: Value<'a>) -> RawJson {
        let mut text = String::new();
        if !self.is_top(value) || value.is_complete() || !value.kind().is_container() {
            value.write_json(self.partials, &mut text);
            return RawJson::new(text);
        }
        let (open, close) = match value.kind() {
            Kind::Array => ('[', ']'),
            _ => ('{', '}'),
        };
        text.push(open);
        for (n, child) in self.children(value, None).enumerate() {
            if n > 0 {
                text.push(',');
            }
            child.write_name(&mut text);
            child.write_json(self.partials, &mut text);
        }
        text.push(close);
        RawJson::new(text)
    }

    /// Returns the shown children of an array or object after its child `last`.
    fn children(
        self,
        value: Value<'a>,
        last: Option<Value<'a>>,
    ) -> impl Iterator<Item = Value<'a>> {
        let is_opened = self.is_top(value) || value.is_opened(self.partials);
        let children = is_opened.then(|| value.children_after(last));
        let children = children.into_iter().flatten();
        children.filter(move |child| child.counts(self.partials))
    }

    fn is_top(self, value: Value<'_>) -> bool {
        value.distance_from(self.top) == 0
    }

    fn at(self, distance: usize) -> Value<'a> {
        self.top.at_distance(distance)
    }

    fn pointer_to(self, value: Value<'a>) -> String {
        value.pointer_from(self.top)
    }

    /// Returns the step that replaces the previous value by the value as shown now.
    fn replace<D: Form>(self, value: Value<'a>) -> D {
        D::replaced(self.pointer_to(value), self.json_of(value))
    }
}

/// The published part of one value. The values in it are identified by their distance from it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Published {
    /// The path from the top; empty while nothing has been published.
    path: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    at: usize,
    extent: Extent,
}

/// The published part of one value on the path.
#[derive(Clone, Debug)]
enum Extent {
    /// The number of bytes of the unescaped string.
    String(usize),
    /// The text of the number or literal.
    Scalar(RawJson),
    /// The elements or members up to this one.
    Children(Option<usize>),
}

impl Published {
    pub(crate) fn is_nothing(&self) -> bool {
        self.path.is_empty()
    }

    /// Resets the state for another value.
    pub(super) fn clear(&mut self) {
        self.path.clear();
    }

    /// Returns the changes, from the innermost value to the outermost, and records them as
    /// published. An open string is published again when it has grown by this share of its length.
    pub(crate) fn advance<D: Form>(&mut self, view: View<'_>, string_growth: f64) -> Vec<D> {
        let mut delta = Vec::new();
        if self.is_nothing() {
            delta.push(view.replace(view.top));
            self.descend(view, view.top);
            return delta;
        }
        let mut newest = None;
        for (depth, level) in self.path.iter_mut().enumerate().rev() {
            if let Some(child) = level.advance(view, string_growth, &mut delta) {
                newest = Some((depth, child));
            }
        }
        // A new value may be incomplete itself. Then the path continues there, from the outermost
        // level with a new value: in {"a":[1 + ],"b":"x the level of the root has "b", and the
        // level of "a" is complete.
        if let Some((depth, child)) = newest {
            self.path.truncate(depth + 1);
            self.descend(view, child);
        }
        delta
    }

    /// Extends the path by a value that has just been published, if it may grow.
    fn descend<'a>(&mut self, view: View<'a>, value: Value<'a>) {
        let mut next = Some(value);
        while let Some(value) = next.take() {
            if value.is_complete() && !self.is_nothing() {
                return;
            }
            let extent = match value.kind() {
                Kind::Array | Kind::Object => {
                    next = view.children(value, None).last();
                    Extent::Children(next.map(|child| child.distance_from(view.top)))
                }
                Kind::String => Extent::String(value.shown_str(view.partials).len()),
                Kind::Null | Kind::True | Kind::False | Kind::Number => {
                    Extent::Scalar(view.json_of(value))
                }
            };
            let at = value.distance_from(view.top);
            self.path.push(Level { at, extent });
        }
    }
}

impl Level {
    /// Adds the changes of the value to `delta`, and returns its last new child.
    fn advance<'a, D: Form>(
        &mut self,
        view: View<'a>,
        string_growth: f64,
        delta: &mut Vec<D>,
    ) -> Option<Value<'a>> {
        let value = view.at(self.at);
        match &mut self.extent {
            Extent::String(len) => {
                let text = value.shown_str(view.partials);
                let more = text.get(*len..).unwrap_or_default();
                let is_due = value.is_complete() || has_grown(*len, more.len(), string_growth);
                if is_due && !more.is_empty() {
                    let entire = || view.json_of(value);
                    delta.push(D::grown(view.pointer_to(value), more, entire));
                    *len = text.len();
                }
                None
            }
            Extent::Scalar(shown) => {
                let now = view.json_of(value);
                if now != *shown {
                    delta.push(view.replace(value));
                    *shown = now;
                }
                None
            }
            Extent::Children(last) => {
                let before = last.map(|last| view.at(last));
                let mut newest = None;
                for child in view.children(value, before) {
                    if before.is_some() {
                        delta.push(D::added(view.pointer_to(child), view.json_of(child)));
                    }
                    newest = Some(child);
                }
                if let Some(child) = newest {
                    *last = Some(child.distance_from(view.top));
                    if before.is_none() {
                        // One step instead of one for each child.
                        delta.push(view.replace(value));
                    }
                }
                newest
            }
        }
    }
}

/// Returns whether a text of `len` bytes has grown by this share of its length.
fn has_grown(len: usize, by: usize, share: f64) -> bool {
    // A text is not longer than the limits allow, which are 32 bits wide.
    let float = |bytes: usize| f64::from(u32::try_from(bytes).unwrap_or(u32::MAX));
    float(by) >= float(len) * share
}
