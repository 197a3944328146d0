use alloc::string::String;

use futures_core::TryStream;
use pin_project_lite::pin_project;

use super::StreamError;
use super::adapter::adapter;
use super::driver::Driver;
use super::fault::YieldFaults;
use crate::TextChunker;

pin_project! {
    /// Snapshots of plain text in, the text that each adds or errors out: the stream of
    /// [`try_text_chunks`](super::TryJsonStreamExt::try_text_chunks).
    ///
    /// # Errors
    ///
    /// As those of [`TryChunkerStream`](super::TryChunkerStream#errors): none ends the stream. A
    /// snapshot is refused, with [`StreamError::Json`], only for its size or its revision.
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next item loses nothing; see
    /// [`ChunkerStream`](super::ChunkerStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct TryTextChunkerStream<S> {
        #[pin]
        driver: Driver<S, TextChunker, YieldFaults>,
    }
}

adapter!(
    TryTextChunkerStream<S>(TextChunker) -> Result<String, StreamError<S::Error>>
    where S: TryStream<Ok: AsRef<str>>
);
