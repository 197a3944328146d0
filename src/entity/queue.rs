//! The queue of events: which are emitted at once, and which wait for the end of the text.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::event::{EntityEvent, EntityStatus};
use super::mode::EntityMode;
use crate::raw_json::RawJson;

/// The emitted and the waiting events, depending on the mode.
#[derive(Clone, Debug)]
pub(super) struct EventQueue {
    pub(super) mode: EntityMode,
    /// The name of the entities that the caller has chosen.
    pub(super) label: Option<Arc<str>>,
    /// Their name by their place in the document, used if there is no label.
    pub(super) name: Option<Arc<str>>,
    /// The events that are emitted.
    pub(super) events: Vec<EntityEvent>,
    /// The events that wait.
    waiting: Vec<EntityEvent>,
    /// The data of the batch, once the entities have been found.
    batch: Option<Vec<RawJson>>,
    /// The number of times that entities have been restated after they had been reported.
    restatement: usize,
    /// The lengths of `waiting` and `batch` at the start of the current root.
    before_root: (usize, Option<usize>),
}

impl EventQueue {
    pub(super) const fn new(mode: EntityMode) -> Self {
        Self {
            mode,
            label: None,
            name: None,
            events: Vec::new(),
            waiting: Vec::new(),
            batch: None,
            restatement: 0,
            before_root: (0, None),
        }
    }

    /// Handles the start of a root.
    pub(super) fn begin_root(&mut self) {
        self.before_root = (self.waiting.len(), self.batch.as_ref().map(Vec::len));
    }

    /// Records that the entities have been found, even if there are none.
    pub(super) fn begin(&mut self) {
        if self.mode == EntityMode::Batch {
            self.batch.get_or_insert_default();
        }
    }

    /// Drops the waiting entities of the current root, which are restated.
    pub(super) fn drop_waiting(&mut self) {
        let (waiting, batch) = self.before_root;
        self.waiting.truncate(waiting);
        match (&mut self.batch, batch) {
            (Some(entities), Some(len)) => entities.truncate(len),
            (entities, _) => *entities = None,
        }
    }

    /// Reports that the entities from index `first` on are void, if any have been reported.
    pub(super) fn report_restatement(&mut self, first: usize) {
        match self.mode {
            EntityMode::Batch | EntityMode::AllTogether => {}
            EntityMode::OneByOne | EntityMode::Progressive | EntityMode::Realtime => {
                self.restatement += 1;
                self.push(EntityEvent::new(Some(first), EntityStatus::Partial));
            }
        }
    }

    /// Adds an event of one entity.
    pub(super) fn push(&mut self, mut event: EntityEvent) {
        self.label(&mut event);
        match (self.mode, event.status, &mut self.batch) {
            (EntityMode::Batch, EntityStatus::Completed, Some(batch)) => batch.extend(event.data),
            (EntityMode::Batch | EntityMode::AllTogether, _, _) => self.waiting.push(event),
            (EntityMode::OneByOne | EntityMode::Progressive | EntityMode::Realtime, _, _) => {
                self.events.push(event);
            }
        }
    }

    /// Handles the end of the text.
    pub(super) fn end(&mut self) {
        self.events.append(&mut self.waiting);
        if let Some(batch) = self.take_batch() {
            let mut event = EntityEvent::new(Some(0), EntityStatus::Completed);
            event.data = Some(batch);
            self.label(&mut event);
            self.events.push(event);
        }
    }

    /// Handles a text that ends early, with this event.
    pub(super) fn fail(&mut self, mut event: EntityEvent) {
        self.events.append(&mut self.waiting);
        self.label(&mut event);
        if let Some(batch) = self.take_batch() {
            event.index = Some(0);
            event.data = Some(batch);
        }
        self.events.push(event);
    }

    pub(super) fn reset(&mut self) {
        let label = self.label.take();
        *self = Self {
            label,
            ..Self::new(self.mode)
        };
    }

    fn label(&self, event: &mut EntityEvent) {
        event.entity = self.label.as_ref().or(self.name.as_ref()).cloned();
        event.restatement = self.restatement;
    }

    fn take_batch(&mut self) -> Option<RawJson> {
        let batch = self.batch.take()?;
        Some(RawJson::array(&batch))
    }
}
