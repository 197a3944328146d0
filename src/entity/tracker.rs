//! Turns the events of the parser into the events of entities.

use alloc::vec::Vec;

use super::event::{EntityError, EntityErrorCode, EntityEvent, EntityStatus};
use super::queue::EventQueue;
use super::selector::Selector;
use crate::delta::{Published, View};
use crate::document::{Kind, Value};
use crate::error::Error;
use crate::parser::{Change, Path, Tracker, Update};
use crate::schema::{CheckSchedule, SchemaCheck};

/// Tracks the entities of a growing document.
#[derive(Clone, Debug)]
pub(super) struct EntityTracker {
    pub(super) queue: EventQueue,
    pub(super) selector: Selector,
    pub(super) zero_values: bool,
    /// Whether partial events have data.
    pub(super) partial_data: bool,
    pub(super) arrays: Arrays,
    /// Whether the end of the root is not the end of the text.
    pub(super) multiple: bool,
    pub(super) schema_check: SchemaCheck,
    position: Position,
    /// The number of open arrays and objects around the next value.
    depth: usize,
    entities: Tally,
    /// The value of `entities` at the start of the current root.
    before_root: Tally,
    open: Option<OpenEntity>,
}

/// The number of entities so far, without those that have been restated.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// The number of entities that have begun.
    count: usize,
    /// Whether a value that contains entities has begun, even if it contains none.
    found: bool,
}

/// The meaning of a selected array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrays {
    /// Its elements are the entities.
    Elements,
    /// The array itself is the only entity.
    Single,
}

/// The place of the next value. The table in the docs of the [room](super) has the transitions.
#[derive(Clone, Copy, Debug)]
enum Position {
    /// Before the entities.
    Before,
    /// In the array of entities.
    List(Selected),
    /// In the only entity.
    Single(Selected),
    /// After the entities.
    After(Selected),
}

/// The value that contains the entities.
#[derive(Clone, Copy, Debug)]
struct Selected {
    /// How many arrays and objects are around it.
    depth: usize,
    /// Its distance from the root.
    at: usize,
}

/// The open entity.
#[derive(Clone, Debug)]
struct OpenEntity {
    index: usize,
    /// How many arrays and objects are around it.
    depth: usize,
    /// Its distance from the root.
    at: usize,
    published: Published,
    /// Whether it has had its last event before its end.
    over: bool,
    schedule: CheckSchedule,
}

impl Position {
    /// Returns the value that contains the entities, once it has begun.
    const fn selected(self) -> Option<Selected> {
        match self {
            Self::Before => None,
            Self::List(selected) | Self::Single(selected) | Self::After(selected) => Some(selected),
        }
    }
}

impl Tracker for EntityTracker {
    /// Reports also the entity that the push ends in, or that the text is over.
    fn follow(&mut self, update: Update<'_>, error: Option<&Error>) -> Result<(), Error> {
        for event in update.events() {
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
        match error {
            Some(error) => self.fail(update.root(), error),
            None => self.report_partial(update.root()),
        }
        Ok(())
    }
}

impl EntityTracker {
    pub(super) fn new(queue: EventQueue) -> Self {
        Self {
            queue,
            selector: Selector::Root,
            zero_values: false,
            partial_data: true,
            arrays: Arrays::Elements,
            multiple: false,
            schema_check: SchemaCheck::default(),
            position: Position::Before,
            depth: 0,
            entities: Tally::default(),
            before_root: Tally::default(),
            open: None,
        }
    }

    pub(super) fn is_found(&self) -> bool {
        self.entities.found
    }

    pub(super) fn reset(&mut self) {
        self.queue.reset();
        self.position = Position::Before;
        self.depth = 0;
        self.entities = Tally::default();
        self.before_root = Tally::default();
        self.open = None;
    }

    /// Handles the start of a value.
    fn begin(&mut self, path: Path<'_>, kind: Kind) {
        if path.is_root() {
            self.begin_root();
        } else if self.is_restated_by(path) {
            self.start_over();
        }
        match self.position {
            Position::Before if self.selector.is_at(path, kind) => {
                self.entities.found = true;
                self.queue.begin();
                self.name(path);
                let root = core::iter::successors(Some(path), |path| path.parent()).last();
                let at = path.value().distance_from(root.unwrap_or(path).value());
                let depth = self.depth;
                let selected = Selected { depth, at };
                if kind == Kind::Array && self.arrays == Arrays::Elements {
                    self.position = Position::List(selected);
                } else {
                    self.position = Position::Single(selected);
                    self.open(at);
                }
            }
            Position::List(list) if self.depth == list.depth + 1 => {
                if let Some(array) = path.parent() {
                    self.open(list.at + path.value().distance_from(array.value()));
                }
            }
            Position::Before | Position::List(_) | Position::Single(_) | Position::After(_) => {}
        }
    }

    fn begin_root(&mut self) {
        self.position = Position::Before;
        self.before_root = self.entities;
        self.queue.begin_root();
    }

    /// Returns whether the started value supersedes the one that contains the entities, or one
    /// around it.
    ///
    /// With the entities named `a`, both `{"a":[1],"a":` and `{"x":{"a":[1]},"x":` restate them,
    /// because a reader that uses the last member has lost the first array in both.
    fn is_restated_by(&self, path: Path<'_>) -> bool {
        let Some(selected) = self.position.selected() else {
            return false;
        };
        // A value deeper than the selected one is not around it.
        if self.depth > selected.depth {
            return false;
        }
        let root = core::iter::successors(Some(path), |path| path.parent()).last();
        let Some(root) = root else { return false };
        let selected = root.value().at_distance(selected.at);
        let mut around = core::iter::successors(Some(selected), |value| value.parent());
        around.any(|value| {
            let newer = value.newer();
            newer.is_some_and(|newer| newer.is_same(path.value()))
        })
    }

    /// Handles a restatement of the entities so far: waiting ones are dropped, and the next ones
    /// get their indexes.
    fn start_over(&mut self) {
        debug_assert!(self.open.is_none(), "what is superseded has ended");
        self.position = Position::Before;
        // In {"a":[],"a":[1]} no reported entity would be void.
        let is_void = self.entities.count > self.before_root.count;
        self.entities = self.before_root;
        self.queue.drop_waiting();
        if is_void {
            self.queue.report_restatement(self.entities.count);
        }
    }

    /// Records the innermost name on the path to the entities, which is their default name.
    fn name(&mut self, path: Path<'_>) {
        if self.queue.label.is_none() {
            let mut path = core::iter::successors(Some(path), |path| path.parent());
            self.queue.name = path.find_map(Path::name).map(|name| (*name).into());
        }
    }

    fn open(&mut self, at: usize) {
        self.open = Some(OpenEntity {
            index: self.entities.count,
            depth: self.depth,
            at,
            published: Published::default(),
            over: false,
            schedule: CheckSchedule::default(),
        });
        self.entities.count += 1;
    }

    /// Handles the end of a value.
    fn end(&mut self, value: Value<'_>) {
        if let Some(open) = self.open.take_if(|open| open.depth == self.depth) {
            self.complete(open, value);
            if let Position::Single(selected) = self.position {
                self.position = Position::After(selected);
            }
        } else if let Position::List(list) = self.position
            && list.depth == self.depth
        {
            self.position = Position::After(list);
        }
        if self.depth == 0 && !self.multiple {
            self.queue.end();
        }
    }

    fn complete(&mut self, mut open: OpenEntity, entity: Value<'_>) {
        if open.over {
            return;
        }
        let view = self.view(entity);
        let mut event = EntityEvent::new(Some(open.index), EntityStatus::Completed);
        event.data = Some(view.to_json());
        if self.queue.mode.shows_partial() {
            event.delta = Some(open.published.advance(view, 0.0));
        }
        if let Some(error) = self.schema_check.error(entity) {
            event.fail(EntityErrorCode::InvalidSchema, &error);
        }
        self.queue.push(event);
    }

    /// Reports the open entity if more of it is shown.
    fn report_partial(&mut self, root: Option<Value<'_>>) {
        let (Some(mut open), Some(root)) = (self.open.take(), root) else {
            return;
        };
        if self.queue.mode.shows_partial() && !open.over {
            let view = self.view(root.at_distance(open.at));
            let error = if open.schedule.is_due() {
                self.schema_check.permanent_error(view.top)
            } else {
                None
            };
            let is_seen = !(open.published.is_nothing() && view.is_empty());
            let delta = if is_seen {
                open.published.advance(view, 0.0)
            } else {
                Vec::new()
            };
            if error.is_some() || !delta.is_empty() {
                let mut event = EntityEvent::new(Some(open.index), EntityStatus::Partial);
                if is_seen {
                    if self.partial_data || error.is_some() {
                        event.data = Some(view.to_json());
                    }
                    event.delta = Some(delta);
                }
                if let Some(error) = error {
                    event.fail(EntityErrorCode::InvalidSchema, &error);
                    open.over = true;
                }
                self.queue.push(event);
            }
        }
        self.open = Some(open);
    }

    /// Handles an early end of the text.
    pub(super) fn fail(&mut self, root: Option<Value<'_>>, error: &Error) {
        let mut event = EntityEvent::new(None, EntityStatus::Error);
        // Hints are for the developer; the event is for a client.
        let error = error.clone().with_hint(None);
        event.error = Some(EntityError::new(EntityErrorCode::InvalidJson, &error));
        if let (Some(mut open), Some(root)) = (self.open.take(), root)
            && !open.over
        {
            let view = self.view(root.at_distance(open.at));
            event.index = Some(open.index);
            if !view.is_empty() {
                event.data = Some(view.to_json());
                if self.queue.mode.shows_partial() {
                    event.delta = Some(open.published.advance(view, 0.0));
                }
            }
        }
        self.queue.fail(event);
    }

    fn view<'a>(&self, entity: Value<'a>) -> View<'a> {
        View {
            top: entity,
            partials: self.queue.mode.partials(self.zero_values),
        }
    }

    fn touch(&mut self) {
        if let Some(open) = &mut self.open {
            open.schedule.touched += 1;
        }
    }
}
