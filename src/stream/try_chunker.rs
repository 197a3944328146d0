use alloc::string::String;

use futures_core::TryStream;
use pin_project_lite::pin_project;

use super::StreamError;
use super::adapter::adapter;
use super::driver::Driver;
use super::fault::YieldFaults;
use crate::Chunker;

pin_project! {
    /// JSON snapshots in, JSON text chunks or errors out: the stream of
    /// [`try_json_chunks`](super::TryJsonStreamExt::try_json_chunks).
    ///
    /// # Errors
    ///
    /// None of them ends the stream, and the chunks around them put together are valid JSON.
    ///
    /// - [`StreamError::Upstream`] as the inner stream yields it.
    /// - [`StreamError::Json`] in place of a snapshot that is unusable or was rejected.
    /// - [`StreamError::Revision`] for each contradiction in a snapshot, after that snapshot's
    ///   chunk.
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next item loses nothing; see
    /// [`ChunkerStream`](super::ChunkerStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct TryChunkerStream<S> {
        #[pin]
        driver: Driver<S, Chunker, YieldFaults>,
    }
}

adapter!(
    TryChunkerStream<S>(Chunker) -> Result<String, StreamError<S::Error>>
    where S: TryStream<Ok: AsRef<str>>
);
