use alloc::string::String;

use futures_core::Stream;
use pin_project_lite::pin_project;

use super::adapter::adapter;
use super::driver::Driver;
use super::fault::LogFaults;
use crate::TextChunker;

pin_project! {
    /// Snapshots of plain text in, the text that each adds out: the stream of
    /// [`text_chunks`](super::JsonStreamExt::text_chunks).
    ///
    /// A snapshot that is refused is skipped and the next one supersedes it; one that contradicts
    /// what was put out is treated as the [`TextChunker`] was told. Both are logged and
    /// [counted](Self::report).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next chunk loses nothing; see
    /// [`ChunkerStream`](super::ChunkerStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct TextChunkerStream<S> {
        #[pin]
        driver: Driver<S, TextChunker, LogFaults>,
    }
}

adapter!(TextChunkerStream<S>(TextChunker) -> String where S: Stream<Item: AsRef<str>>);
