use futures_core::Stream;
use pin_project_lite::pin_project;

use super::JsonEvent;
use super::adapter::adapter;
use super::driver::Driver;
use super::event::Events;
use super::fault::LogFaults;
use super::reader::Reader;

pin_project! {
    /// Fragments of JSON text in, what happens to each value out: the stream of
    /// [`json_events`](super::FragmentStreamExt::json_events).
    ///
    /// Text that can't be used ends the stream, logged and [reported](Self::report); see
    /// [`FragmentStreamExt`](super::FragmentStreamExt#errors).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next event loses nothing; see
    /// [`SnapshotStream`](super::SnapshotStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct EventStream<S> {
        #[pin]
        driver: Driver<S, Reader<Events>, LogFaults>,
    }
}

adapter!(EventStream<S>(Reader<Events>) -> JsonEvent where S: Stream<Item: AsRef<[u8]>>);
