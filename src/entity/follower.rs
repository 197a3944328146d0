//! From the events of the parser to those of entities.

use alloc::vec::Vec;

use super::event::{EntityError, EntityErrorCode, EntityEvent, EntityStatus};
use super::guard::Guard;
use super::outlet::Outlet;
use super::shown::{Shown, View};
use super::source::Source;
use crate::document::{Kind, Value};
use crate::error::Error;
use crate::parser::{Change, Growth, Path};

/// Follows the growth of a document.
#[derive(Clone, Debug)]
pub(super) struct Follower {
    pub(super) outlet: Outlet,
    pub(super) source: Source,
    pub(super) zero_values: bool,
    /// Whether the end of the root is not that of the text.
    pub(super) several: bool,
    pub(super) guard: Guard,
    place: Place,
    /// How many arrays and objects are open around what comes next.
    depth: usize,
    /// How many entities have begun.
    count: usize,
    open: Option<Open>,
    found: bool,
}

/// Where what comes next is.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Before the entities.
    Before,
    /// In the array of entities.
    List {
        /// How many arrays and objects are around it.
        depth: usize,
        /// Its distance from the root.
        at: usize,
    },
    /// In the one entity.
    Single,
    /// Behind the entities.
    Behind,
}

/// The entity that is being written.
#[derive(Clone, Debug)]
struct Open {
    index: usize,
    /// How many arrays and objects are around it.
    depth: usize,
    /// Its distance from the root.
    at: usize,
    shown: Shown,
    /// It had its last event before its end.
    over: bool,
    checks: Checks,
}

/// When a partial entity is checked: each check looks at all of it, so between two of them an
/// eighth more of its values has to begin or end. That makes all of them linear in the values.
#[derive(Clone, Copy, Debug, Default)]
struct Checks {
    touched: usize,
    checked: usize,
}

impl Checks {
    fn is_due(&mut self) -> bool {
        let is_due = self.touched > self.checked + self.checked / 8;
        if is_due {
            self.checked = self.touched;
        }
        is_due
    }
}

impl Follower {
    pub(super) fn new(outlet: Outlet) -> Self {
        Self {
            outlet,
            source: Source::Root,
            zero_values: false,
            several: false,
            guard: Guard::default(),
            place: Place::Before,
            depth: 0,
            count: 0,
            open: None,
            found: false,
        }
    }

    pub(super) fn is_found(&self) -> bool {
        self.found
    }

    pub(super) fn reset(&mut self) {
        self.outlet.reset();
        self.place = Place::Before;
        self.depth = 0;
        self.count = 0;
        self.open = None;
        self.found = false;
    }

    /// Goes through what a push has brought, and tells of the entity that it ends in, or that the
    /// text is over.
    pub(super) fn follow(
        &mut self,
        growth: Growth<'_>,
        root: Option<Value<'_>>,
        failed: Option<&Error>,
    ) {
        for event in growth.events() {
            match event.change {
                Change::Started(kind) => {
                    self.begin(event.path, kind);
                    self.depth += usize::from(kind.is_container());
                    self.touch();
                }
                Change::Appended(_) => {}
                Change::Completed(value) => {
                    self.depth -= usize::from(value.kind().is_container());
                    self.touch();
                    self.end(value);
                }
            }
        }
        match failed {
            Some(error) => self.fail(root, error),
            None => self.tell_partial(root),
        }
    }

    /// A value begins.
    fn begin(&mut self, path: Path<'_>, kind: Kind) {
        if path.is_root() {
            self.place = Place::Before;
        }
        match self.place {
            Place::Before if self.source.is_at(path, kind) => {
                self.found = true;
                self.outlet.begin();
                self.name(path);
                let root = core::iter::successors(Some(path), |path| path.parent()).last();
                let at = path.value().distance_from(root.unwrap_or(path).value());
                if kind == Kind::Array {
                    let depth = self.depth;
                    self.place = Place::List { depth, at };
                } else {
                    self.place = Place::Single;
                    self.open(at);
                }
            }
            Place::List { depth, at } if self.depth == depth + 1 => {
                if let Some(list) = path.parent() {
                    self.open(at + path.value().distance_from(list.value()));
                }
            }
            Place::Before | Place::List { .. } | Place::Single | Place::Behind => {}
        }
    }

    /// Entities are called by the innermost name on the way to them, if by nothing else.
    fn name(&mut self, path: Path<'_>) {
        if self.outlet.label.is_none() {
            let mut path = core::iter::successors(Some(path), |path| path.parent());
            self.outlet.name = path.find_map(Path::name).map(|name| (*name).into());
        }
    }

    fn open(&mut self, at: usize) {
        self.open = Some(Open {
            index: self.count,
            depth: self.depth,
            at,
            shown: Shown::default(),
            over: false,
            checks: Checks::default(),
        });
        self.count += 1;
    }

    /// A value ends.
    fn end(&mut self, value: Value<'_>) {
        if let Some(open) = self.open.take_if(|open| open.depth == self.depth) {
            self.complete(open, value);
            if let Place::Single = self.place {
                self.place = Place::Behind;
            }
        } else if let Place::List { depth, .. } = self.place
            && depth == self.depth
        {
            self.place = Place::Behind;
        }
        if self.depth == 0 && !self.several {
            self.outlet.end();
        }
    }

    fn complete(&mut self, mut open: Open, entity: Value<'_>) {
        if open.over {
            return;
        }
        let view = self.view(entity);
        let mut event = EntityEvent::new(Some(open.index), EntityStatus::Completed);
        event.data = Some(view.to_json());
        if self.outlet.mode.shows_partial() {
            event.delta = Some(open.shown.advance(view));
        }
        if let Some(fault) = self.guard.fault(entity) {
            event.fail(EntityErrorCode::InvalidSchema, &fault);
        }
        self.outlet.tell(event);
    }

    /// Tells of the open entity if there is more to see of it.
    fn tell_partial(&mut self, root: Option<Value<'_>>) {
        let (Some(mut open), Some(root)) = (self.open.take(), root) else {
            return;
        };
        if self.outlet.mode.shows_partial() && !open.over {
            let view = self.view(root.at_distance(open.at));
            let fault = if open.checks.is_due() {
                self.guard.lasting_fault(view.entity)
            } else {
                None
            };
            let is_seen = !(open.shown.is_nothing() && view.is_empty());
            let delta = if is_seen {
                open.shown.advance(view)
            } else {
                Vec::new()
            };
            if fault.is_some() || !delta.is_empty() {
                let mut event = EntityEvent::new(Some(open.index), EntityStatus::Partial);
                if is_seen {
                    event.data = Some(view.to_json());
                    event.delta = Some(delta);
                }
                if let Some(fault) = fault {
                    event.fail(EntityErrorCode::InvalidSchema, &fault);
                    open.over = true;
                }
                self.outlet.tell(event);
            }
        }
        self.open = Some(open);
    }

    /// The text is over before its end.
    pub(super) fn fail(&mut self, root: Option<Value<'_>>, error: &Error) {
        let mut event = EntityEvent::new(None, EntityStatus::Error);
        event.error = Some(EntityError::new(EntityErrorCode::InvalidJson, error));
        if let (Some(mut open), Some(root)) = (self.open.take(), root)
            && !open.over
        {
            let view = self.view(root.at_distance(open.at));
            event.index = Some(open.index);
            if !view.is_empty() {
                event.data = Some(view.to_json());
                if self.outlet.mode.shows_partial() {
                    event.delta = Some(open.shown.advance(view));
                }
            }
        }
        self.outlet.fail(event);
    }

    fn view<'a>(&self, entity: Value<'a>) -> View<'a> {
        View {
            entity,
            partials: self.outlet.mode.partials(self.zero_values),
        }
    }

    fn touch(&mut self) {
        if let Some(open) = &mut self.open {
            open.checks.touched += 1;
        }
    }
}
