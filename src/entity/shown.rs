//! What has been shown of an entity, and what is new since.
//!
//! A document grows at its end only, so what has been shown is told by one path: from the entity
//! through the last child of each array and object, as long as that is not complete, to the scalar
//! that is being written. Whatever is new hangs on this path, and a delta costs what is new, not
//! what is there.

use alloc::string::String;
use alloc::vec::Vec;

use super::event::{Delta, DeltaChange};
use super::json_text::JsonText;
use crate::document::{Kind, Partials, Value};

/// How an entity looks whose members or elements look as `partials` say. It itself is there even
/// where those that have not ended are not.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) entity: Value<'a>,
    pub(super) partials: Partials,
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

    pub(super) fn to_json(self) -> JsonText {
        self.json_of(self.entity)
    }

    fn json_of(self, value: Value<'a>) -> JsonText {
        let mut text = String::new();
        if !self.is_entity(value) || value.is_complete() || !value.kind().is_container() {
            value.write_json(self.partials, &mut text);
            return JsonText::new(text);
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
        JsonText::new(text)
    }

    /// What is to be seen in an array or object behind its child `last`.
    fn children(
        self,
        value: Value<'a>,
        last: Option<Value<'a>>,
    ) -> impl Iterator<Item = Value<'a>> {
        let is_opened = self.is_entity(value) || value.is_opened(self.partials);
        let children = is_opened.then(|| value.children_behind(last));
        let children = children.into_iter().flatten();
        children.filter(move |child| child.is_shown(self.partials))
    }

    fn is_entity(self, value: Value<'_>) -> bool {
        value.distance_from(self.entity) == 0
    }

    fn at(self, distance: usize) -> Value<'a> {
        self.entity.at_distance(distance)
    }

    /// The value as it looks now, whatever was there before.
    fn replace(self, value: Value<'a>) -> Delta {
        Delta {
            path: value.pointer_from(self.entity),
            change: DeltaChange::Value(self.json_of(value)),
        }
    }
}

/// What has been shown of one entity. Values are named by their distance from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    /// From the entity down; empty while nothing has been shown.
    path: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    at: usize,
    extent: Extent,
}

/// How far a value has been shown.
#[derive(Clone, Debug)]
enum Extent {
    /// So many bytes of what the string says.
    String(usize),
    /// The text of the number or literal.
    Scalar(JsonText),
    /// The elements or members up to this one.
    Children(Option<usize>),
}

impl Shown {
    pub(super) fn is_nothing(&self) -> bool {
        self.path.is_empty()
    }

    /// What is new, from the inside out; from now on it has been shown.
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
        // What is new may be unfinished itself. Then the path goes on into that, from the outermost
        // place where something is new: all further in is complete.
        if let Some((depth, child)) = newest {
            self.path.truncate(depth + 1);
            self.descend(view, child);
        }
        delta
    }

    /// Extends the path by a value that has just been shown, if it may grow.
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
    /// Says what is new of the value; gives the last child that is.
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
