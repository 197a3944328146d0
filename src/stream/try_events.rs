use futures_core::TryStream;
use pin_project_lite::pin_project;

use super::adapter::adapter;
use super::driver::Driver;
use super::event::Events;
use super::fault::YieldFaults;
use super::reader::Reader;
use super::{JsonEvent, StreamError};

pin_project! {
    /// Fragments of JSON text in, what happens to each value or errors out: the stream of
    /// [`try_json_events`](super::TryFragmentStreamExt::try_json_events).
    ///
    /// # Errors
    ///
    /// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next item loses nothing; see
    /// [`SnapshotStream`](super::SnapshotStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct TryEventStream<S> {
        #[pin]
        driver: Driver<S, Reader<Events>, YieldFaults>,
    }
}

adapter!(
    TryEventStream<S>(Reader<Events>) -> Result<JsonEvent, StreamError<S::Error>>
    where S: TryStream<Ok: AsRef<[u8]>>
);
