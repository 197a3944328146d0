//! Which events go out, and which wait for the end of the text.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::event::{EntityEvent, EntityStatus};
use super::json_text::JsonText;
use super::mode::EntityMode;

/// Where events go, mode by mode.
#[derive(Clone, Debug)]
pub(super) struct Outlet {
    pub(super) mode: EntityMode,
    /// What the entities are to be called.
    pub(super) label: Option<Arc<str>>,
    /// What they are called where they are, for want of that.
    pub(super) name: Option<Arc<str>>,
    /// The events that can be taken.
    pub(super) events: Vec<EntityEvent>,
    /// The events that wait.
    waiting: Vec<EntityEvent>,
    /// The data of the batch, once the entities have been found.
    batch: Option<Vec<JsonText>>,
}

impl Outlet {
    pub(super) const fn new(mode: EntityMode) -> Self {
        Self {
            mode,
            label: None,
            name: None,
            events: Vec::new(),
            waiting: Vec::new(),
            batch: None,
        }
    }

    /// The entities have been found, be there any or not.
    pub(super) fn begin(&mut self) {
        if self.mode == EntityMode::Batch {
            self.batch.get_or_insert_default();
        }
    }

    /// News of one entity.
    pub(super) fn tell(&mut self, mut event: EntityEvent) {
        event.entity = self.called();
        match (self.mode, event.status, &mut self.batch) {
            (EntityMode::Batch, EntityStatus::Completed, Some(batch)) => batch.extend(event.data),
            (EntityMode::Batch | EntityMode::AllTogether, _, _) => self.waiting.push(event),
            (EntityMode::OneByOne | EntityMode::Progressive | EntityMode::Realtime, _, _) => {
                self.events.push(event);
            }
        }
    }

    /// The end of the text.
    pub(super) fn end(&mut self) {
        self.events.append(&mut self.waiting);
        if let Some(batch) = self.take_batch() {
            let mut event = EntityEvent::new(Some(0), EntityStatus::Completed);
            event.data = Some(batch);
            event.entity = self.called();
            self.events.push(event);
        }
    }

    /// The text is over before its end, with that event.
    pub(super) fn fail(&mut self, mut event: EntityEvent) {
        self.events.append(&mut self.waiting);
        event.entity = self.called();
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

    fn called(&self) -> Option<Arc<str>> {
        self.label.as_ref().or(self.name.as_ref()).cloned()
    }

    fn take_batch(&mut self) -> Option<JsonText> {
        let batch = self.batch.take()?;
        Some(JsonText::array(&batch))
    }
}
