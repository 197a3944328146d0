//! [`Entities`] as a machine, and what becomes of their data.

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::time::Duration;

use serde_core::de::DeserializeOwned;

use super::fault::OnFault;
use super::log;
use super::machine::{AfterError, Machine, Outbox};
use crate::entity::{Delta, EntityErrorCode, EntityStatus};
use crate::{DeserializeError, Entities, EntityEvent, Error, JsonText};

/// What the data of entities can be read as: any type that serde reads, or [`JsonText`] as it is.
pub trait EntityData: Sized + sealed::Read {}

impl<T: sealed::Read> EntityData for T {}

mod sealed {
    use super::{DeserializeError, DeserializeOwned, EntityEvent, JsonText};

    pub trait Read: Sized {
        /// Reads the data of the event.
        fn read(event: &mut EntityEvent) -> Result<Option<Self>, DeserializeError>;
    }

    impl Read for JsonText {
        fn read(event: &mut EntityEvent) -> Result<Option<Self>, DeserializeError> {
            Ok(event.data.take())
        }
    }

    impl<T: DeserializeOwned> Read for T {
        fn read(event: &mut EntityEvent) -> Result<Option<Self>, DeserializeError> {
            event.data.take().map(|data| data.deserialize()).transpose()
        }
    }
}

/// Fragments in, news of entities out.
pub(super) struct EntityReader<T> {
    entities: Entities,
    /// What was new in events that were not told, because there was no `T` yet.
    untold: Vec<Delta>,
    of: PhantomData<fn() -> T>,
}

impl<T: EntityData> EntityReader<T> {
    pub(super) const fn new(entities: Entities) -> Self {
        Self {
            entities,
            untold: Vec::new(),
            of: PhantomData,
        }
    }

    /// Puts out the events that have been told so far.
    fn take<F: OnFault>(&mut self, out: &mut Outbox<'_, EntityEvent<T>, F>) -> Result<(), Error> {
        for mut event in self.entities.events() {
            let data = match T::read(&mut event) {
                Ok(data) => data,
                // What it lacks may still come.
                Err(_) if event.status == EntityStatus::Partial => {
                    self.untold.extend(event.delta.into_iter().flatten());
                    continue;
                }
                Err(error) => {
                    if event.status == EntityStatus::Completed {
                        event.fail(EntityErrorCode::InvalidSchema, &error);
                    }
                    None
                }
            };
            if !self.untold.is_empty()
                && let Some(delta) = &mut event.delta
            {
                delta.splice(..0, self.untold.drain(..));
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

impl<T: EntityData> Machine for EntityReader<T> {
    type Input = [u8];
    type Item = EntityEvent<T>;

    const MOST_ITEMS: Option<usize> = None;
    const AFTER_ERROR: AfterError = AfterError::Ends;

    fn feed<F: OnFault>(
        &mut self,
        fragment: &[u8],
        out: &mut Outbox<'_, EntityEvent<T>, F>,
    ) -> Result<(), Error> {
        self.entities.take(fragment);
        log::grown(
            fragment.len(),
            self.entities.parser().growth().events().len(),
        );
        self.take(out)
    }

    fn end<F: OnFault>(&mut self, out: &mut Outbox<'_, EntityEvent<T>, F>) -> Result<(), Error> {
        self.entities.end();
        self.take(out)
    }

    // The entity that is open will not be completed, and its events say so.
    fn give_up<F: OnFault>(&mut self, why: &Error, out: &mut Outbox<'_, EntityEvent<T>, F>) {
        self.entities.fail(why.clone());
        let _ = self.take(out);
    }

    fn offset(&self) -> usize {
        self.entities.parser().growth().end()
    }

    fn time_limit(&self) -> Option<Duration> {
        self.entities.parser().time_limit()
    }
}
