//! Adapters over [`futures_core::Stream`]: the machines of this crate, driven by a stream.
//!
//! | the stream yields | what becomes of it | if it can't fail | if it yields `Result`s |
//! | --- | --- | --- | --- |
//! | JSON snapshots | text chunks | [`json_chunks`](JsonStreamExt::json_chunks) | [`try_json_chunks`](TryJsonStreamExt::try_json_chunks) |
//! | snapshots of plain text | text chunks | [`text_chunks`](JsonStreamExt::text_chunks) | [`try_text_chunks`](TryJsonStreamExt::try_text_chunks) |
//! | fragments of JSON text | snapshots | [`json_snapshots`](FragmentStreamExt::json_snapshots) | [`try_json_snapshots`](TryFragmentStreamExt::try_json_snapshots) |
//! | | typed values | [`json_partials`](FragmentStreamExt::json_partials) | [`try_json_partials`](TryFragmentStreamExt::try_json_partials) |
//! | | events | [`json_events`](FragmentStreamExt::json_events) | [`try_json_events`](TryFragmentStreamExt::try_json_events) |
//! | | tool calls | [`tool_calls`](FragmentStreamExt::tool_calls) | [`try_tool_calls`](TryFragmentStreamExt::try_tool_calls) |
//! | | entities | [`json_entities`](FragmentStreamExt::json_entities) | [`try_json_entities`](TryFragmentStreamExt::try_json_entities) |
//! | news of entities, or what else becomes one | server-sent events | [`sse`](SseStreamExt::sse) | [`try_sse`](SseStreamExt::try_sse) |
//!
//! And [`continue_json()`] is a stream of its own making: it asks a model to go on with a reply that
//! was cut off, until its document is complete.
//!
//! An adapter decides nothing about JSON; what goes out, and when, is the machine's business. What
//! all adapters have in common:
//!
//! - Nothing is spawned, and no clock is read unless a [time limit](crate::Limits::max_duration) is
//!   set: any executor will do. They are `Send`, `Sync` and `Unpin` when the inner stream is.
//! - What puts out nothing is passed over within one poll; an empty chunk is never yielded.
//! - One poll takes in at most 128 items without yielding any. Then it wakes its task and returns
//!   `Pending`, so that an inner stream that is always ready can't keep the executor from its
//!   other tasks.
//! - When the inner stream ends, whatever the end brings is yielded, such as the chunk that closes
//!   what is open; then comes `None`, from then on for ever. The inner stream is not polled again
//!   after its end, and it is dropped with the adapter.
//! - Dropping the future of a single poll loses nothing: they are cancel safe.
//! - Each item costs one call of the machine and what it puts out. For chunks without allocation
//!   use [`Chunker::push_into`] directly.

mod adapter;
mod chunker;
mod continue_json;
mod deadline;
mod detector;
mod driver;
mod entities;
mod entity_reader;
mod error;
mod event;
mod events;
mod fault;
mod fragments;
#[cfg_attr(
    not(feature = "tracing"),
    expect(unused_variables, reason = "what would be logged without the feature")
)]
mod log;
mod machine;
mod partials;
mod reader;
mod report;
mod snapshots;
mod sse;
mod text_chunker;
mod tool_calls;
mod try_chunker;
mod try_entities;
mod try_events;
mod try_fragments;
mod try_partials;
mod try_snapshots;
mod try_text_chunker;
mod try_tool_calls;

use futures_core::{Stream, TryStream};

pub use chunker::ChunkerStream;
pub use continue_json::{
    ContinueEvent, ContinueJson, StopReason, continue_json, continue_json_with,
};
pub use entities::EntityStream;
pub use entity_reader::EntityData;
pub use error::StreamError;
pub use event::{JsonChange, JsonEvent};
pub use events::EventStream;
pub use fragments::FragmentStreamExt;
pub use partials::PartialStream;
pub use report::Report;
pub use snapshots::SnapshotStream;
pub use sse::{SseStream, SseStreamExt, TrySseStream};
pub use text_chunker::TextChunkerStream;
pub use tool_calls::ToolCallStream;
pub use try_chunker::TryChunkerStream;
pub use try_entities::TryEntityStream;
pub use try_events::TryEventStream;
pub use try_fragments::TryFragmentStreamExt;
pub use try_partials::TryPartialStream;
pub use try_snapshots::TrySnapshotStream;
pub use try_text_chunker::TryTextChunkerStream;
pub use try_tool_calls::TryToolCallStream;

use crate::{Chunker, TextChunker};

/// Chunks of a stream of snapshots.
///
/// For streams of anything that is a text: `String`, `&str`, `Arc<str>`, `Cow<str>`. The items of
/// the chunk streams have no room for an error: what can't be used is skipped, logged at `warn`
/// (feature `tracing`) without any payload, and counted in the stream's [`Report`]. Where it should
/// be an error, see [`TryJsonStreamExt`].
pub trait JsonStreamExt: Stream<Item: AsRef<str>> {
    /// Turns snapshots of a growing JSON value into text chunks.
    ///
    /// Each item of the inner stream is a complete JSON text, the value so far. Each chunk is what
    /// has become certain; all of them put together are one valid JSON text, equal to the last
    /// snapshot. See [`Chunker`] for what goes out when.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::JsonStreamExt;
    ///
    /// let snapshots = stream::iter([
    ///     r#"{"days":[{"subtitle":"Day"}]}"#,
    ///     r#"{"days":[{"activities":[],"subtitle":"Day 1"}]}"#,
    /// ]);
    /// let chunks: Vec<String> = block_on(snapshots.json_chunks().collect());
    /// assert_eq!(chunks, [r#"{"days":[{"subtitle":"Day"#, r#" 1","activities":["#, "]}]}"]);
    /// ```
    fn json_chunks(self) -> ChunkerStream<Self>
    where
        Self: Sized,
    {
        self.json_chunks_with(Chunker::new())
    }

    /// As [`json_chunks`](Self::json_chunks), with a machine of your own making.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::{Chunker, OnRevision, stream::JsonStreamExt};
    ///
    /// let snapshots = stream::iter([r#"{"title":"Draft"}"#, r#"{"title":"Final"}"#]);
    /// let mut chunks = snapshots.json_chunks_with(Chunker::new().on_revision(OnRevision::Reject));
    /// let text: String = block_on(chunks.by_ref().collect());
    /// assert_eq!(text, r#"{"title":"Draft"}"#);
    /// assert_eq!(chunks.report().skipped(), 1);
    /// ```
    fn json_chunks_with(self, chunker: Chunker) -> ChunkerStream<Self>
    where
        Self: Sized,
    {
        ChunkerStream::new(self, chunker)
    }

    /// Turns snapshots of a growing plain text into what each of them adds.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::JsonStreamExt;
    ///
    /// let snapshots = stream::iter(["It", "It was", "It was", "It was a dark"]);
    /// let chunks: Vec<String> = block_on(snapshots.text_chunks().collect());
    /// assert_eq!(chunks, ["It", " was", " a dark"]);
    /// ```
    fn text_chunks(self) -> TextChunkerStream<Self>
    where
        Self: Sized,
    {
        self.text_chunks_with(TextChunker::new())
    }

    /// As [`text_chunks`](Self::text_chunks), with a machine of your own making.
    fn text_chunks_with(self, chunker: TextChunker) -> TextChunkerStream<Self>
    where
        Self: Sized,
    {
        TextChunkerStream::new(self, chunker)
    }
}

impl<S: Stream<Item: AsRef<str>> + ?Sized> JsonStreamExt for S {}

/// Chunks of a stream of snapshots that may fail, with every fault in its place.
///
/// For streams of `Result<T, E>` where `T` is a text. The chunk streams yield
/// `Result<String, StreamError<E>>`: no error ends them, and polling on goes on, so whoever stops at
/// the first (`try_collect`, `?`) forgoes the rest.
pub trait TryJsonStreamExt: TryStream<Ok: AsRef<str>> {
    /// Turns snapshots of a growing JSON value into text chunks.
    ///
    /// As [`JsonStreamExt::json_chunks`], and what is wrong is yielded: errors of the inner stream
    /// as they come, a snapshot that can't be used in its place, revisions after the chunk of the
    /// snapshot that has them. The end closes what is open whatever came before.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, TryJsonStreamExt};
    ///
    /// let snapshots = stream::iter([Ok("[1]"), Err("timed out"), Ok("[1,"), Ok("[1,[2]]")]);
    /// let items: Vec<_> = block_on(snapshots.try_json_chunks().collect());
    /// assert_eq!(items[0], Ok("[1".to_owned()));
    /// assert_eq!(items[1], Err(StreamError::Upstream("timed out")));
    /// assert!(matches!(&items[2], Err(StreamError::Json(error)) if error.is_incomplete()));
    /// assert_eq!(items[3..], [Ok(",[2".to_owned()), Ok("]]".to_owned())]);
    /// ```
    fn try_json_chunks(self) -> TryChunkerStream<Self>
    where
        Self: Sized,
    {
        self.try_json_chunks_with(Chunker::new())
    }

    /// As [`try_json_chunks`](Self::try_json_chunks), with a machine of your own making.
    fn try_json_chunks_with(self, chunker: Chunker) -> TryChunkerStream<Self>
    where
        Self: Sized,
    {
        TryChunkerStream::new(self, chunker)
    }

    /// Turns snapshots of a growing plain text into what each of them adds.
    ///
    /// As [`JsonStreamExt::text_chunks`], and what is wrong is yielded.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, TryJsonStreamExt};
    ///
    /// let snapshots = stream::iter([Ok("It"), Err("timed out"), Ok("It was")]);
    /// let items: Vec<_> = block_on(snapshots.try_text_chunks().collect());
    /// let expected = [Ok("It".to_owned()), Err(StreamError::Upstream("timed out")), Ok(" was".to_owned())];
    /// assert_eq!(items, expected);
    /// ```
    fn try_text_chunks(self) -> TryTextChunkerStream<Self>
    where
        Self: Sized,
    {
        self.try_text_chunks_with(TextChunker::new())
    }

    /// As [`try_text_chunks`](Self::try_text_chunks), with a machine of your own making.
    fn try_text_chunks_with(self, chunker: TextChunker) -> TryTextChunkerStream<Self>
    where
        Self: Sized,
    {
        TryTextChunkerStream::new(self, chunker)
    }
}

impl<S: TryStream<Ok: AsRef<str>> + ?Sized> TryJsonStreamExt for S {}
