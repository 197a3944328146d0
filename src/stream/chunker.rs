use alloc::string::String;

use futures_core::Stream;
use pin_project_lite::pin_project;

use super::adapter::adapter;
use super::driver::Driver;
use super::fault::LogFaults;
use crate::Chunker;

pin_project! {
    /// JSON snapshots in, JSON text chunks out: the stream of
    /// [`json_chunks`](super::JsonStreamExt::json_chunks).
    ///
    /// The chunks put together are one valid JSON text, equal to the last snapshot. A snapshot that
    /// is unusable is skipped and the next one supersedes it; one that contradicts what was put out
    /// is treated as the [`Chunker`] was told. Both are logged and [counted](Self::report).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next chunk, `StreamExt::next` say, loses nothing:
    /// snapshots are taken in only while the stream is polled, and what they put out stays here
    /// until it is yielded. Dropping the stream itself leaves the text without its end. To stop
    /// early and still have valid JSON, end the *inner* stream:
    ///
    /// ```
    /// use futures::{StreamExt, channel::oneshot, executor::block_on, stream};
    /// use json_chunks::stream::JsonStreamExt;
    ///
    /// let (stop, stopped) = oneshot::channel::<()>();
    /// let snapshots = stream::iter([r#"{"text":"It was"}"#]).chain(stream::pending());
    /// let mut chunks = snapshots.take_until(stopped).json_chunks();
    /// assert_eq!(block_on(chunks.next()).unwrap(), r#"{"text":"It was"#);
    /// stop.send(()).unwrap();
    /// assert_eq!(block_on(chunks.next()).unwrap(), r#""}"#);
    /// ```
    #[must_use = "streams do nothing unless polled"]
    pub struct ChunkerStream<S> {
        #[pin]
        driver: Driver<S, Chunker, LogFaults>,
    }
}

adapter!(ChunkerStream<S>(Chunker) -> String where S: Stream<Item: AsRef<str>>);
