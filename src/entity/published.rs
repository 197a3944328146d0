//! What has been published of an entity, and what is new since.
//!
//! A document grows at its end only, so what has been published is described by one path: from the
//! entity through the last child of each array and object, as long as that is not complete, to the
//! scalar that is being written. Everything new is a child of a value on this path, and a delta
//! costs the length of what is new, not of the entity. A member that restates an earlier one is a
//! new child; its delta has the path of the earlier one, so replaying it replaces that.

use alloc::string::String;
use alloc::vec::Vec;

use super::event::{Delta, DeltaChange};
use super::raw_json::RawJson;
use crate::document::{Kind, PartialPolicy, Value};

/// An entity as a mode shows it. The entity itself is shown even where the policy omits values
/// that are not complete.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) entity: Value<'a>,
    pub(super) partials: PartialPolicy,
}

impl<'a> View<'a> {
    /// Whether there is nothing to see yet.
    pub(super) fn is_empty(self) -> bool {
        match self.entity.kind() {
            Kind::Array | Kind::Object => self.children(self.entity, None).next().is_none(),
            Kind::String => self.entity.shown_str(self.partials).is_empty(),
            Kind::Null | Kind::True | Kind::False | Kind::Number => {
                !self.entity.is_shown(self.partials)
            }
        }
    }

    pub(super) fn to_json(self) -> RawJson {
        self.json_of(self.entity)
    }

    fn json_of(self, value: Value<'a>) -> RawJson {
        let mut text = String::new();
        if !self.is_entity(value) || value.is_complete() || !value.kind().is_container() {
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

    /// The children of an array or object after its child `last` that are shown.
    fn children(
        self,
        value: Value<'a>,
        last: Option<Value<'a>>,
    ) -> impl Iterator<Item = Value<'a>> {
        let is_opened = self.is_entity(value) || value.is_opened(self.partials);
        let children = is_opened.then(|| value.children_after(last));
        let children = children.into_iter().flatten();
        children.filter(move |child| child.counts(self.partials))
    }

    fn is_entity(self, value: Value<'_>) -> bool {
        value.distance_from(self.entity) == 0
    }

    fn at(self, distance: usize) -> Value<'a> {
        self.entity.at_distance(distance)
    }

    /// The step that puts the value as it is shown now in the place of what was there before.
    fn replace(self, value: Value<'a>) -> Delta {
        Delta {
            path: value.pointer_from(self.entity),
            change: DeltaChange::Value(self.json_of(value)),
        }
    }
}

/// What has been published of one entity. Values are identified by their distance from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Published {
    /// From the entity down; empty while nothing has been published.
    path: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    at: usize,
    extent: Extent,
}

/// How much of a value has been published.
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
    pub(super) fn is_nothing(&self) -> bool {
        self.path.is_empty()
    }

    /// Returns what is new, from the innermost value to the outermost; it is published now.
    pub(super) fn advance(&mut self, view: View<'_>) -> Vec<Delta> {
        let mut delta = Vec::new();
        if self.is_nothing() {
            delta.push(view.replace(view.entity));
            self.descend(view, view.entity);
            return delta;
        }
        let mut newest = None;
        for (depth, level) in self.path.iter_mut().enumerate().rev() {
            if let Some(child) = level.advance(view, &mut delta) {
                newest = Some((depth, child));
            }
        }
        // What is new may be incomplete itself. Then the path continues there, from the outermost
        // level that has something new: in {"a":[1 + ],"b":"x the level of the root has "b", and
        // the level of "a" is complete.
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
                    Extent::Children(next.map(|child| child.distance_from(view.entity)))
                }
                Kind::String => Extent::String(value.shown_str(view.partials).len()),
                Kind::Null | Kind::True | Kind::False | Kind::Number => {
                    Extent::Scalar(view.json_of(value))
                }
            };
            let at = value.distance_from(view.entity);
            self.path.push(Level { at, extent });
        }
    }
}

impl Level {
    /// Adds what is new of the value to `delta`, and returns its last new child.
    fn advance<'a>(&mut self, view: View<'a>, delta: &mut Vec<Delta>) -> Option<Value<'a>> {
        let value = view.at(self.at);
        match &mut self.extent {
            Extent::String(len) => {
                let text = value.shown_str(view.partials);
                if let Some(more) = text.get(*len..).filter(|more| !more.is_empty()) {
                    delta.push(Delta {
                        path: value.pointer_from(view.entity),
                        change: DeltaChange::Append(more.into()),
                    });
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
                        delta.push(view.replace(child));
                    }
                    newest = Some(child);
                }
                if let Some(child) = newest {
                    *last = Some(child.distance_from(view.entity));
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
