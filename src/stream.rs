//! Adapters over [`futures_core::Stream`]: the machines of this crate, driven by a stream.
//!
//! | the stream yields | it becomes | if it cannot fail | if it yields `Result`s |
//! | --- | --- | --- | --- |
//! | JSON snapshots | text chunks | [`json_chunks`] | [`try_json_chunks`] |
//! | values | text chunks | [`json_chunks_from_values`] | [`try_json_chunks_from_values`] |
//! | bytes | text chunks | [`json_chunks_from_bytes`] | [`try_json_chunks_from_bytes`] |
//! | snapshots of plain text | text chunks | [`text_chunks`] | [`try_text_chunks`] |
//! | fragments of JSON text | snapshots | [`json_snapshots`] | [`try_json_snapshots`] |
//! | | typed values so far | [`json_partials`] | [`try_json_partials`] |
//! | | events | [`json_events`] | [`try_json_events`] |
//! | | [deltas](crate::delta) | [`json_deltas`] | [`try_json_deltas`] |
//! | | JSON Patch | [`json_patches`] | [`try_json_patches`] |
//! | | tool calls | [`tool_calls`] | [`try_tool_calls`] |
//! | | the text of one string | [`json_text`] | [`try_json_text`] |
//! | | the JSON text of one value | [`json_value_text`] | [`try_json_value_text`] |
//! | | entities | [`json_entities`] | [`try_json_entities`] |
//! | text of a model | the JSON in it | [`extract_json`] | [`try_extract_json`] |
//! | | the JSON and the text around it | [`split_json`] | [`try_split_json`] |
//! | deltas of calls | tool calls | [`tool_calls_from_deltas`] | [`try_tool_calls_from_deltas`] |
//! | entity events, or any `Into<SseEvent>` | server-sent events | [`sse`] | [`try_sse`] |
//! | text, or pieces of a reply | frames of a [dialect](crate::wire) | [`wire`] | [`try_wire`] |
//! | any of these | items of a configured machine | [`through`] | [`try_through`] |
//!
//! [`json_final`] and [`try_json_final`] are futures that return the value of a terminated text.
//! [`continue_json()`] is a stream that asks a model to continue a truncated reply until the
//! document is complete.
//!
//! An adapter makes no decision about JSON; the machine decides what is emitted, and when. For all
//! adapters:
//!
//! - Nothing is spawned, and no clock is read unless a [time limit] is set, so any executor works.
//!   They are `Send`, `Sync` and `Unpin` when the inner stream is (and, for `Send` and `Sync`, its
//!   errors are).
//! - Items that produce no output are skipped within one poll; an empty chunk is never yielded.
//! - One poll accepts at most 128 items without yielding any. Then it wakes its task and returns
//!   `Pending`, so that an inner stream that is always ready cannot keep the executor from other
//!   tasks.
//! - Before an `Err` that follows items yielded since the last `Pending`, an adapter returns
//!   `Pending` once, after waking its task. A consumer that reads until `Pending` before it passes
//!   the items on, as hyper does with a body, would otherwise lose these items together with the
//!   body.
//! - When the inner stream ends, the remaining output is yielded, such as the chunk that closes the
//!   open values; after that, every poll returns `None`. The inner stream is not polled again after
//!   its end, and it is dropped with the adapter.
//! - They are cancel safe: dropping the future of a single poll loses nothing.
//! - An item costs one call of the machine and the output of that call. For chunks without
//!   allocation use [`Chunker::push_into`] directly.
//!
//! # Pace
//!
//! Rendering or deserializing a growing value after each fragment takes quadratic time. The streams
//! of [snapshots](SnapshotStream) and [typed values](PartialStream) yield less often with
//! [`after_growth`](Adapter::after_growth) and `at_most_every` (feature `tokio`);
//! [`latest_only`](Adapter::latest_only) skips snapshots that are already superseded by a later
//! one; entities can [omit their data] until they are complete.
//!
//! # The wrong direction
//!
//! Both kinds of streams are streams of text, so pieces of a text passed to [`json_chunks`]
//! compile, as do snapshots passed to [`json_snapshots`], and yield almost nothing. The error then
//! has a [hint](crate::error::Error::hint), and the adapters whose items cannot be errors log it
//! once, at `error` (feature `tracing`). The [`StreamReport`] has the hint as well.
//!
//! # For maintainers
//!
//! | file | content |
//! | --- | --- |
//! | `poll` | the loop of all adapters |
//! | `adapter` | the two adapters around it |
//! | `snapshot_aliases`, `fragment_aliases` | the adapters by use |
//! | `options` | their options |
//! | `machine` | the trait that an adapter drives, and the machines of snapshots |
//! | `machines` | the machines of fragments |
//! | `fault`, `report`, `log` | unusable input: yielded or logged, counted |
//! | `timer` | deadlines and intervals on tokio's clock |
//! | `fragments`, `try_fragments` | the traits of fragments (those of snapshots are here) |
//! | `values` | the trait of snapshots that are values or bytes |
//! | `final_value`, `continue_json`, `sse` | not adapters over a machine |
//!
//! Each item of the inner stream is fed to the machine, which appends its output to the queue of
//! the adapter; the adapter yields only from that queue. The machine decides about JSON, the
//! adapter about `Pending` and waking.
//!
//! [`json_chunks`]: SnapshotStreamExt::json_chunks
//! [`json_chunks_from_bytes`]: ValueStreamExt::json_chunks_from_bytes
//! [`json_chunks_from_values`]: ValueStreamExt::json_chunks_from_values
//! [`try_json_chunks_from_bytes`]: ValueStreamExt::try_json_chunks_from_bytes
//! [`try_json_chunks_from_values`]: ValueStreamExt::try_json_chunks_from_values
//! [`try_json_chunks`]: TrySnapshotStreamExt::try_json_chunks
//! [`text_chunks`]: SnapshotStreamExt::text_chunks
//! [`try_text_chunks`]: TrySnapshotStreamExt::try_text_chunks
//! [`json_snapshots`]: FragmentStreamExt::json_snapshots
//! [`try_json_snapshots`]: TryFragmentStreamExt::try_json_snapshots
//! [`json_partials`]: FragmentStreamExt::json_partials
//! [`try_json_partials`]: TryFragmentStreamExt::try_json_partials
//! [`json_events`]: FragmentStreamExt::json_events
//! [`try_json_events`]: TryFragmentStreamExt::try_json_events
//! [`json_deltas`]: FragmentStreamExt::json_deltas
//! [`try_json_deltas`]: TryFragmentStreamExt::try_json_deltas
//! [`json_patches`]: FragmentStreamExt::json_patches
//! [`try_json_patches`]: TryFragmentStreamExt::try_json_patches
//! [`tool_calls`]: FragmentStreamExt::tool_calls
//! [`try_tool_calls`]: TryFragmentStreamExt::try_tool_calls
//! [`json_text`]: FragmentStreamExt::json_text
//! [`try_json_text`]: TryFragmentStreamExt::try_json_text
//! [`json_value_text`]: FragmentStreamExt::json_value_text
//! [`try_json_value_text`]: TryFragmentStreamExt::try_json_value_text
//! [`json_entities`]: FragmentStreamExt::json_entities
//! [`try_json_entities`]: TryFragmentStreamExt::try_json_entities
//! [`extract_json`]: FragmentStreamExt::extract_json
//! [`try_extract_json`]: TryFragmentStreamExt::try_extract_json
//! [`split_json`]: FragmentStreamExt::split_json
//! [`try_split_json`]: TryFragmentStreamExt::try_split_json
//! [`tool_calls_from_deltas`]: ToolCallStreamExt::tool_calls_from_deltas
//! [`try_tool_calls_from_deltas`]: ToolCallStreamExt::try_tool_calls_from_deltas
//! [`sse`]: SseStreamExt::sse
//! [`try_sse`]: SseStreamExt::try_sse
//! [`wire`]: WireStreamExt::wire
//! [`try_wire`]: WireStreamExt::try_wire
//! [`through`]: MachineStreamExt::through
//! [`try_through`]: MachineStreamExt::try_through
//! [`json_final`]: FragmentStreamExt::json_final
//! [`try_json_final`]: TryFragmentStreamExt::try_json_final
//! [time limit]: crate::limits::Limits::max_duration
//! [omit their data]: crate::entity::EntityDetector::partial_data

/// The accessors of the inner stream, the same for each stream; `$lost` documents what `into_inner`
/// drops.
macro_rules! inner_accessors {
    ($lost:literal) => {
        /// Returns the inner stream.
        pub const fn get_ref(&self) -> &S {
            &self.inner
        }

        /// Returns the inner stream. This stream never sees an item that is taken from it here.
        pub const fn get_mut(&mut self) -> &mut S {
            &mut self.inner
        }

        /// Returns the inner stream, pinned. This stream never sees an item that is taken from it
        /// here.
        pub fn get_pin_mut(self: Pin<&mut Self>) -> Pin<&mut S> {
            self.project().inner
        }

        #[doc = concat!("Returns the inner stream alone: ", $lost, " not yielded yet is lost.")]
        pub fn into_inner(self) -> S {
            self.inner
        }
    };
}

mod adapter;
#[cfg(feature = "continuation")]
mod continue_json;
mod error;
mod event;
mod fault;
mod final_value;
mod fragment_aliases;
mod fragments;
#[cfg_attr(
    not(feature = "tracing"),
    expect(unused_variables, reason = "what would be logged without the feature")
)]
mod log;
mod machine;
mod machines;
mod options;
mod poll;
mod report;
mod snapshot_aliases;
mod sse;
mod timer;
mod tool_calls;
mod try_fragments;
mod values;
mod wire;

use futures_core::{Stream, TryStream};

pub use adapter::{Adapter, TryAdapter};
#[cfg(feature = "continuation")]
pub use continue_json::{
    ContinueEvent, ContinueJson, StopReason, continue_json, continue_json_with,
};
pub use error::StreamError;
pub use event::{OwnedChange, OwnedEvent};
pub use final_value::{JsonFinal, TryJsonFinal};
pub use fragment_aliases::{
    DeltaStream, EntityStream, EventStream, FieldStream, JsonTextStream, PartialStream,
    PatchStream, SnapshotStream, SplitJsonStream, ToolCallDeltaStream, ToolCallStream,
    TryDeltaStream, TryEntityStream, TryEventStream, TryFieldStream, TryJsonTextStream,
    TryPartialStream, TryPatchStream, TrySnapshotStream, TrySplitJsonStream,
    TryToolCallDeltaStream, TryToolCallStream,
};
pub use fragments::FragmentStreamExt;
pub use machine::{Machine, SnapshotMachine};
pub use machines::{
    AsText, AsType, ByteChunker, Deltas, EntityData, EntityReader, EventReader, JsonTexts,
    PartialReader, SnapshotReader, TryDeltas, TryValueSnapshots, ValueChunker, ValueReader,
    ValueSnapshot, ValueSnapshots, View,
};
pub use report::StreamReport;
pub use snapshot_aliases::{
    ByteChunkerStream, ChunkerStream, TextChunkerStream, TryByteChunkerStream, TryChunkerStream,
    TryTextChunkerStream, TryValueChunkerStream, ValueChunkerStream,
};
pub use sse::{SseStream, SseStreamExt, TrySseStream};
pub use tool_calls::ToolCallStreamExt;
pub use try_fragments::TryFragmentStreamExt;
pub use values::ValueStreamExt;
pub use wire::{TryWireStream, WireStream, WireStreamExt};

use crate::chunker::{Chunker, TextChunker};

/// Streams through a machine that was configured first.
///
/// The methods of the other traits use machines with the default options. For other options, pass
/// the machine:
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::{Chunker, RevisionPolicy};
/// use json_chunks::stream::MachineStreamExt;
///
/// let snapshots = stream::iter([r#"{"title":"Draft"}"#, r#"{"title":"Final"}"#]);
/// let mut chunks = snapshots.through(Chunker::new().revision_policy(RevisionPolicy::Reject));
/// let text: String = block_on(chunks.by_ref().collect());
/// assert_eq!(text, r#"{"title":"Draft"}"#);
/// assert_eq!(chunks.report().skipped(), 1);
/// ```
pub trait MachineStreamExt: Stream {
    /// Drives a machine with this stream, whose items are text or bytes. Unusable items are logged
    /// and [counted](Adapter::report).
    fn through<M: Machine>(self, machine: M) -> Adapter<Self, M>
    where
        Self: Sized,
        Self::Item: AsRef<M::Input>,
    {
        Adapter::new(self, machine)
    }

    /// Drives a machine with this stream of results. An unusable item is yielded as an error in its
    /// place, and so are the errors of the stream.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::Parser;
    /// use json_chunks::stream::{MachineStreamExt, SnapshotReader, StreamError};
    ///
    /// let fragments = stream::iter([Ok("1 2"), Err("reset")]);
    /// let several = SnapshotReader::new(Parser::new().multiple_values(true));
    /// let values: Vec<_> = block_on(fragments.try_through(several).collect());
    /// assert_eq!(values[0].as_ref().unwrap().value, "1");
    /// assert_eq!(values[1].as_ref().unwrap().value, "2");
    /// assert_eq!(values[2], Err(StreamError::Upstream("reset")));
    /// ```
    fn try_through<M: Machine>(self, machine: M) -> TryAdapter<Self, M>
    where
        Self: Sized + TryStream,
        Self::Ok: AsRef<M::Input>,
    {
        TryAdapter::new(self, machine)
    }
}

impl<S: Stream + ?Sized> MachineStreamExt for S {}

/// Chunks of a stream of snapshots.
///
/// For streams of any text type: `String`, `&str`, `Arc<str>`, `Cow<str>`. The items of the chunk
/// streams cannot be errors: an unusable snapshot is skipped, logged at `warn` (feature `tracing`)
/// without payload, and counted in the stream's [`StreamReport`]. To receive errors, see
/// [`TrySnapshotStreamExt`].
pub trait SnapshotStreamExt: Stream<Item: AsRef<str>> {
    /// Turns snapshots of a growing JSON value into text chunks.
    ///
    /// Each item of the inner stream is a complete JSON text, the value so far. Each chunk is text
    /// that can no longer change; concatenated, the chunks are one valid JSON text, equal to the
    /// last snapshot. See [`Chunker`] for what is emitted when.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::SnapshotStreamExt;
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
        Adapter::new(self, Chunker::new())
    }

    /// Turns snapshots of a growing plain text into the text that each of them adds.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::SnapshotStreamExt;
    ///
    /// let snapshots = stream::iter(["It", "It was", "It was", "It was a dark"]);
    /// let chunks: Vec<String> = block_on(snapshots.text_chunks().collect());
    /// assert_eq!(chunks, ["It", " was", " a dark"]);
    /// ```
    fn text_chunks(self) -> TextChunkerStream<Self>
    where
        Self: Sized,
    {
        Adapter::new(self, TextChunker::new())
    }
}

impl<S: Stream<Item: AsRef<str>> + ?Sized> SnapshotStreamExt for S {}

/// Chunks of a stream of snapshots that may fail, with every fault in its place.
///
/// For streams of `Result<T, E>` where `T` is a text. The chunk streams yield
/// `Result<String, StreamError<E>>`: no error ends them, so a program that stops at the first one
/// (`try_collect`, `?`) does not receive the rest.
pub trait TrySnapshotStreamExt: TryStream<Ok: AsRef<str>> {
    /// Turns snapshots of a growing JSON value into text chunks.
    ///
    /// Like [`SnapshotStreamExt::json_chunks`], but errors are yielded: those of the inner stream
    /// in their place, an error in place of an unusable snapshot, revisions after the chunk of the
    /// snapshot that has them. The end of the stream closes the open values, even after errors.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, TrySnapshotStreamExt};
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
        TryAdapter::new(self, Chunker::new())
    }

    /// Turns snapshots of a growing plain text into the text that each of them adds.
    ///
    /// Like [`SnapshotStreamExt::text_chunks`], but errors and revisions are yielded.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, TrySnapshotStreamExt};
    ///
    /// let snapshots = stream::iter([Ok("It"), Err("timed out"), Ok("It was")]);
    /// let items: Vec<_> = block_on(snapshots.try_text_chunks().collect());
    /// let upstream = StreamError::Upstream("timed out");
    /// assert_eq!(items, [Ok("It".to_owned()), Err(upstream), Ok(" was".to_owned())]);
    /// ```
    fn try_text_chunks(self) -> TryTextChunkerStream<Self>
    where
        Self: Sized,
    {
        TryAdapter::new(self, TextChunker::new())
    }
}

impl<S: TryStream<Ok: AsRef<str>> + ?Sized> TrySnapshotStreamExt for S {}
