use futures_core::Stream;
use pin_project_lite::pin_project;

use super::adapter::adapter;
use super::driver::Driver;
use super::entity_reader::{EntityData, EntityReader};
use super::fault::LogFaults;
use crate::{EntityEvent, JsonText};

pin_project! {
    /// Fragments of JSON text in, news of the entities in it out: the stream of
    /// [`json_entities`](super::FragmentStreamExt::json_entities).
    ///
    /// Text that can't be used ends the stream with an event that says so, logged and
    /// [reported](Self::report); see [`FragmentStreamExt`](super::FragmentStreamExt#errors). An
    /// entity that is not what its schema or `T` wants has such an event too, and ends nothing.
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next event loses nothing; see
    /// [`SnapshotStream`](super::SnapshotStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct EntityStream<S, T: EntityData = JsonText> {
        #[pin]
        driver: Driver<S, EntityReader<T>, LogFaults>,
    }
}

adapter!(
    EntityStream<S, T: EntityData>(EntityReader<T>) -> EntityEvent<T>
    where S: Stream<Item: AsRef<[u8]>>
);
