//! The [`EntityDetector`] as a machine, and the types that its data is read as.

use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{DeserializeOwned, Error as _};

use crate::delta::Delta;
use crate::document::DeserializeError;
use crate::entity::{EntityDetector, EntityErrorCode, EntityEvent, EntityStatus};
use crate::error::Error;
use crate::parser::Parser;
use crate::raw_json::RawJson;
use crate::stream::log;
use crate::stream::machine::{self, ErrorRecovery, Machine, Output};

/// A type that the data of entities is read as: any type that implements `Deserialize`. [`RawJson`]
/// takes the text without parsing it.
pub trait EntityData: DeserializeOwned + 'static {}

impl<T: DeserializeOwned + 'static> EntityData for T {}

/// Reads the data of an event as a `T`.
fn read<T: EntityData>(data: RawJson) -> Result<T, DeserializeError> {
    // `RawJson` takes the text as it is, without parsing and writing it again.
    let mut data = Some(data);
    if let Some(same) = (&mut data as &mut dyn Any).downcast_mut::<Option<T>>()
        && let Some(same) = same.take()
    {
        return Ok(same);
    }
    data.map_or_else(
        || Err(DeserializeError::custom("no data")),
        |data| data.deserialize(),
    )
}

/// Reads fragments of JSON text and emits the events of the entities in it, with their data as a
/// `T`: the machine of [`EntityStream`](crate::stream::EntityStream).
pub struct EntityReader<T> {
    entities: EntityDetector,
    /// The deltas of events that were not emitted, because the data was not a `T` yet.
    pending_delta: Vec<Delta>,
    of: PhantomData<fn() -> T>,
}

impl<T: EntityData> EntityReader<T> {
    /// Returns a reader of the entities that the detector finds.
    #[must_use]
    pub const fn new(entities: EntityDetector) -> Self {
        Self {
            entities,
            pending_delta: Vec::new(),
            of: PhantomData,
        }
    }

    /// Emits the events so far.
    fn take(&mut self, out: &mut Output<'_, EntityEvent<T>>) -> Result<(), Error> {
        for mut event in self.entities.events() {
            let data = match event.data.take().map(read).transpose() {
                Ok(data) => data,
                // The missing parts may still follow.
                Err(_) if event.status == EntityStatus::Partial => {
                    self.pending_delta.extend(event.delta.into_iter().flatten());
                    continue;
                }
                Err(error) => {
                    if event.status == EntityStatus::Completed {
                        event.fail(EntityErrorCode::InvalidSchema, &error);
                    }
                    None
                }
            };
            if !self.pending_delta.is_empty()
                && let Some(delta) = &mut event.delta
            {
                delta.splice(..0, self.pending_delta.drain(..));
            }
            if let Some(error) = &event.error
                && error.code == EntityErrorCode::InvalidSchema
            {
                out.report.count_mismatch();
                log::mismatched();
            }
            out.item(event.with_data(data));
        }
        self.entities.error().cloned().map_or(Ok(()), Err)
    }
}

impl<T> machine::sealed::Sealed for EntityReader<T> {}

impl<T: EntityData> Machine for EntityReader<T> {
    type Input = [u8];
    type Item = EntityEvent<T>;

    const MOST_ITEMS: Option<usize> = None;
    const RECOVERY: ErrorRecovery = ErrorRecovery::Stop;

    fn feed(&mut self, fragment: &[u8], out: &mut Output<'_, EntityEvent<T>>) -> Result<(), Error> {
        self.entities.take(fragment);
        log::grown(fragment, self.entities.parser.last_update());
        self.take(out)
    }

    fn end(&mut self, out: &mut Output<'_, EntityEvent<T>>) -> Result<(), Error> {
        self.entities.end();
        self.take(out)
    }

    fn interrupt(&mut self, _: &mut Output<'_, EntityEvent<T>>) {
        self.entities.parser.interrupt();
    }

    // The open entity will not be completed, and its last event reports that.
    fn on_timeout(&mut self, why: &Error, out: &mut Output<'_, EntityEvent<T>>) {
        self.entities.fail(why.clone());
        let _ = self.take(out);
    }

    fn parser(&self) -> Option<&Parser> {
        Some(&self.entities.parser)
    }
}

/// Omits the payload.
impl<T> fmt::Debug for EntityReader<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntityReader")
            .field("entities", &self.entities)
            .finish_non_exhaustive()
    }
}
