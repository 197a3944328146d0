use futures_core::Stream;
use pin_project_lite::pin_project;
use serde_core::de::DeserializeOwned;

use super::adapter::adapter;
use super::driver::Driver;
use super::fault::LogFaults;
use super::reader::{Reader, Typed};

pin_project! {
    /// Fragments of JSON text in, typed values of what is there so far out: the stream of
    /// [`json_partials`](super::FragmentStreamExt::json_partials).
    ///
    /// Text that can't be used ends the stream, logged and [reported](Self::report); see
    /// [`FragmentStreamExt`](super::FragmentStreamExt#errors). So is a whole value that is no `T`,
    /// which ends nothing.
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next value loses nothing; see
    /// [`SnapshotStream`](super::SnapshotStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct PartialStream<S, T: DeserializeOwned> {
        #[pin]
        driver: Driver<S, Reader<Typed<T>>, LogFaults>,
    }
}

adapter!(
    PartialStream<S, T: DeserializeOwned>(Reader<Typed<T>>) -> T
    where S: Stream<Item: AsRef<[u8]>>
);
