use futures_core::TryStream;
use pin_project_lite::pin_project;
use serde_core::de::DeserializeOwned;

use super::StreamError;
use super::adapter::adapter;
use super::driver::Driver;
use super::fault::YieldFaults;
use super::reader::{Reader, Typed};

pin_project! {
    /// Fragments of JSON text in, typed values or errors out: the stream of
    /// [`try_json_partials`](super::TryFragmentStreamExt::try_json_partials).
    ///
    /// # Errors
    ///
    /// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors), and
    /// [`StreamError::Value`] in place of a whole value that is no `T`.
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next item loses nothing; see
    /// [`SnapshotStream`](super::SnapshotStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct TryPartialStream<S, T: DeserializeOwned> {
        #[pin]
        driver: Driver<S, Reader<Typed<T>>, YieldFaults>,
    }
}

adapter!(
    TryPartialStream<S, T: DeserializeOwned>(Reader<Typed<T>>) -> Result<T, StreamError<S::Error>>
    where S: TryStream<Ok: AsRef<[u8]>>
);
