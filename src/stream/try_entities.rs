use futures_core::TryStream;
use pin_project_lite::pin_project;

use super::StreamError;
use super::adapter::adapter;
use super::driver::Driver;
use super::entity_reader::{EntityData, EntityReader};
use super::fault::YieldFaults;
use crate::{EntityEvent, JsonText};

pin_project! {
    /// Fragments of JSON text in, news of the entities in it or errors out: the stream of
    /// [`try_json_entities`](super::TryFragmentStreamExt::try_json_entities).
    ///
    /// # Errors
    ///
    /// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors), behind the event that
    /// says the same to whoever gets the events. An entity that is not what its schema or `T` wants
    /// is none of them but an event.
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next item loses nothing; see
    /// [`SnapshotStream`](super::SnapshotStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct TryEntityStream<S, T: EntityData = JsonText> {
        #[pin]
        driver: Driver<S, EntityReader<T>, YieldFaults>,
    }
}

adapter!(
    TryEntityStream<S, T: EntityData>(EntityReader<T>) -> Result<EntityEvent<T>, StreamError<S::Error>>
    where S: TryStream<Ok: AsRef<[u8]>>
);
