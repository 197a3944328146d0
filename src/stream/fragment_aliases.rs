//! The adapters over fragments by their uses: what each yields, its errors and its cost.

use super::machines::{EntityReader, EventReader, PartialReader, SnapshotReader};
use super::{Adapter, Deltas, JsonTexts, TryAdapter, TryDeltas};
use crate::delta::{DeltaReader, PatchReader};
use crate::extract::JsonExtractor;
use crate::field::FieldReader;
use crate::raw_json::RawJson;
use crate::tool_call::{ToolCallDetector, ToolCalls};

/// Snapshots of the value that a stream of fragments has written so far, see
/// [`json_snapshots`](super::FragmentStreamExt::json_snapshots). Yields
/// [`Partial<String>`](struct@crate::Partial).
///
/// Text that can't be used ends the stream, logged and [reported](Adapter::report); see
/// [`FragmentStreamExt`](super::FragmentStreamExt#errors).
///
/// Options: [`after_growth`](Adapter::after_growth), `at_most_every` (feature `tokio`) and
/// [`partial_policy`](Adapter::partial_policy).
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::PartialPolicy;
/// use json_chunks::stream::FragmentStreamExt;
///
/// let snapshots = stream::iter(["[1, 2", "5, 3", "]"]).json_snapshots();
/// let complete = snapshots.partial_policy(PartialPolicy::complete_only());
/// let texts: Vec<String> = block_on(complete.map(|snapshot| snapshot.value).collect());
/// assert_eq!(texts, ["[1]", "[1,25]", "[1,25,3]"]);
/// ```
///
/// # Cancel safety
///
/// Dropping a future that waits for the next snapshot, `StreamExt::next` say, loses nothing:
/// fragments are read only while the stream is polled, and their snapshots stay here until they
/// are yielded.
pub type SnapshotStream<S> = Adapter<S, SnapshotReader>;

/// Snapshots of the value that a stream of fragments has written so far, or errors, see
/// [`try_json_snapshots`](super::TryFragmentStreamExt::try_json_snapshots), which has an example.
///
/// # Errors
///
/// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors).
///
/// # Cancel safety
///
/// Dropping a future that waits for the next item loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type TrySnapshotStream<S> = TryAdapter<S, SnapshotReader>;

/// Typed values of what a stream of fragments has written so far, see
/// [`json_partials`](super::FragmentStreamExt::json_partials). Yields
/// [`Partial<T>`](struct@crate::Partial).
///
/// Text that can't be used ends the stream, logged and [reported](Adapter::report); see
/// [`FragmentStreamExt`](super::FragmentStreamExt#errors). So is a complete value that is no
/// `T`, which ends nothing.
///
/// Options: [`after_growth`](Adapter::after_growth), `at_most_every` (feature `tokio`) and
/// [`partial_policy`](Adapter::partial_policy).
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::stream::FragmentStreamExt;
///
/// let text = format!("[{}]", vec!["1"; 1000].join(","));
/// let fragments = stream::iter(text.chars().map(String::from));
/// // 2,001 fragments and as many values; or one after each eighth of the text.
/// let lists = fragments.json_partials::<Vec<u8>>().after_growth(0.125);
/// assert!(block_on(lists.count()) < 70);
/// ```
///
/// # Cancel safety
///
/// Dropping a future that waits for the next value loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type PartialStream<S, T> = Adapter<S, PartialReader<T>>;

/// Typed values of what a stream of fragments has written so far, or errors, see
/// [`try_json_partials`](super::TryFragmentStreamExt::try_json_partials), which has an example.
///
/// # Errors
///
/// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors), and
/// [`StreamError::Value`](super::StreamError::Value) in place of a complete value that is no `T`.
///
/// # Cancel safety
///
/// Dropping a future that waits for the next item loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type TryPartialStream<S, T> = TryAdapter<S, PartialReader<T>>;

/// The changes to the document that a stream of fragments writes, see
/// [`json_events`](super::FragmentStreamExt::json_events), which has an example. Yields
/// [`OwnedEvent`](super::OwnedEvent).
///
/// Text that can't be used ends the stream, logged and [reported](Adapter::report); see
/// [`FragmentStreamExt`](super::FragmentStreamExt#errors).
///
/// # Cancel safety
///
/// Dropping a future that waits for the next event loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type EventStream<S> = Adapter<S, EventReader>;

/// The changes to the document that a stream of fragments writes, or errors, see
/// [`try_json_events`](super::TryFragmentStreamExt::try_json_events).
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::stream::{StreamError, TryFragmentStreamExt};
///
/// let items = stream::iter([Ok("[1,"), Err("reset")]).try_json_events();
/// let last = block_on(items.filter_map(async |item| item.err()).collect::<Vec<_>>());
/// assert_eq!(last[0], StreamError::Upstream("reset"));
/// assert_eq!(last[1].to_string(), "unexpected end of JSON at byte 3");
/// ```
///
/// # Errors
///
/// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors).
///
/// # Cancel safety
///
/// Dropping a future that waits for the next item loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type TryEventStream<S> = TryAdapter<S, EventReader>;

/// The changes to the document that a stream of fragments writes, as deltas, see
/// [`json_deltas`](super::FragmentStreamExt::json_deltas), which has an example. Yields
/// [`DeltaBatch`](crate::delta::DeltaBatch).
///
/// Text that can't be used ends the stream, logged and [reported](Adapter::report); see
/// [`FragmentStreamExt`](super::FragmentStreamExt#errors). No batch
/// [is complete](crate::delta::DeltaBatch::is_complete) then.
///
/// Option: [`partial_policy`](Adapter::partial_policy).
///
/// # Cancel safety
///
/// Dropping a future that waits for the next batch loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type DeltaStream<S> = Adapter<S, DeltaReader>;

/// The changes to the document that a stream of fragments writes, as deltas, or errors, see
/// [`try_json_deltas`](super::TryFragmentStreamExt::try_json_deltas), which has an example.
///
/// # Errors
///
/// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors).
///
/// # Cancel safety
///
/// Dropping a future that waits for the next item loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type TryDeltaStream<S> = TryAdapter<S, DeltaReader>;

/// The changes to the document that a stream of fragments writes, as JSON Patch, see
/// [`json_patches`](super::FragmentStreamExt::json_patches), which has an example. Yields
/// [`DeltaBatch<PatchOperation>`](crate::delta::DeltaBatch).
///
/// Text that can't be used ends the stream, as that of a [`DeltaStream`].
///
/// Options: [`string_growth`](Adapter::string_growth) and
/// [`partial_policy`](Adapter::partial_policy).
///
/// # Cancel safety
///
/// Dropping a future that waits for the next batch loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type PatchStream<S> = Adapter<S, PatchReader>;

/// The changes to the document that a stream of fragments writes, as JSON Patch, or errors, see
/// [`try_json_patches`](super::TryFragmentStreamExt::try_json_patches).
///
/// # Errors
///
/// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors).
///
/// # Cancel safety
///
/// Dropping a future that waits for the next item loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type TryPatchStream<S> = TryAdapter<S, PatchReader>;

/// The tool-call events of a stream of fragments of JSON text, see
/// [`tool_calls`](super::FragmentStreamExt::tool_calls), which has an example. Yields
/// [`ToolCallEvent`](crate::tool_call::ToolCallEvent).
///
/// Text that can't be used ends the stream, logged and [reported](Adapter::report); see
/// [`FragmentStreamExt`](super::FragmentStreamExt#errors). The call that was open has
/// [failed](crate::tool_call::ToolCallEvent::Failed) then.
///
/// # Cancel safety
///
/// Dropping a future that waits for the next event loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type ToolCallStream<S> = Adapter<S, ToolCallDetector>;

/// The tool-call events of a stream of fragments of JSON text, or errors, see
/// [`try_tool_calls`](super::TryFragmentStreamExt::try_tool_calls).
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::stream::TryFragmentStreamExt;
/// use json_chunks::tool_call::{ToolCallEvent, ToolCallShape};
///
/// let fragments = stream::iter([Ok::<_, ()>(r#"{"name":"pay","arguments":{"amount":10"#)]);
/// let items: Vec<_> = block_on(fragments.try_tool_calls(ToolCallShape::plain()).collect());
/// // A call that was cut off is never completed.
/// assert!(matches!(&items[2], Ok(ToolCallEvent::Failed { .. })));
/// assert!(items[3].is_err());
/// ```
///
/// # Errors
///
/// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors), after the
/// [`Failed`](crate::tool_call::ToolCallEvent::Failed) of the open call.
///
/// # Cancel safety
///
/// Dropping a future that waits for the next item loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type TryToolCallStream<S> = TryAdapter<S, ToolCallDetector>;

/// The tool-call events of a stream of deltas, see
/// [`tool_calls_from_deltas`](super::ToolCallStreamExt::tool_calls_from_deltas), which has an
/// example. Yields [`ToolCallEvent`](crate::tool_call::ToolCallEvent).
///
/// A delta that can't be used is skipped, logged and [counted](Adapter::report).
///
/// # Cancel safety
///
/// Dropping a future that waits for the next event loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type ToolCallDeltaStream<S> = Adapter<Deltas<S>, ToolCalls>;

/// The tool-call events of a stream of deltas, or errors, see
/// [`try_tool_calls_from_deltas`](super::ToolCallStreamExt::try_tool_calls_from_deltas), which has
/// an example.
///
/// # Errors
///
/// None of them ends the stream.
///
/// - [`StreamError::Upstream`](super::StreamError::Upstream) as the inner stream yields it. If it
///   ends after that, all calls that have not ended fail.
/// - [`StreamError::Json`](super::StreamError::Json) in place of a delta that can't be used.
///
/// # Cancel safety
///
/// Dropping a future that waits for the next item loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type TryToolCallDeltaStream<S> = TryAdapter<TryDeltas<S>, ToolCalls>;

/// The JSON in a stream of the text of a model, see
/// [`extract_json`](super::FragmentStreamExt::extract_json), which has an example. Yields
/// [`String`].
///
/// # Cancel safety
///
/// Dropping a future that waits for the next piece loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type JsonTextStream<S> = Adapter<S, JsonTexts>;

/// The JSON in a stream of the text of a model, or errors, see
/// [`try_extract_json`](super::TryFragmentStreamExt::try_extract_json), which has an example.
///
/// # Errors
///
/// [`StreamError::Upstream`](super::StreamError::Upstream) as the inner stream yields it, and
/// [`StreamError::Json`](super::StreamError::Json) for text that is not UTF-8, which ends the
/// stream.
///
/// # Cancel safety
///
/// Dropping a future that waits for the next item loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type TryJsonTextStream<S> = TryAdapter<S, JsonTexts>;

/// The JSON in a stream of the text of a model, and the text around it, see
/// [`split_json`](super::FragmentStreamExt::split_json), which has an example. Yields
/// [`Extracted`](crate::extract::Extracted).
///
/// # Cancel safety
///
/// Dropping a future that waits for the next piece loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type SplitJsonStream<S> = Adapter<S, JsonExtractor>;

/// The JSON in a stream of the text of a model, and the text around it, or errors, see
/// [`try_split_json`](super::TryFragmentStreamExt::try_split_json).
///
/// # Errors
///
/// As those of [`TryJsonTextStream`](TryJsonTextStream#errors).
///
/// # Cancel safety
///
/// Dropping a future that waits for the next item loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type TrySplitJsonStream<S> = TryAdapter<S, JsonExtractor>;

/// The text of one value of a stream of fragments of JSON text, see
/// [`json_text`](super::FragmentStreamExt::json_text) and
/// [`json_value_text`](super::FragmentStreamExt::json_value_text), which have examples. Yields
/// [`String`].
///
/// Text that can't be used ends the stream, logged and [reported](Adapter::report); see
/// [`FragmentStreamExt`](super::FragmentStreamExt#errors).
///
/// # Cancel safety
///
/// Dropping a future that waits for the next piece loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type FieldStream<S> = Adapter<S, FieldReader>;

/// The text of one value of a stream of fragments of JSON text, or errors, see
/// [`try_json_text`](super::TryFragmentStreamExt::try_json_text) and
/// [`try_json_value_text`](super::TryFragmentStreamExt::try_json_value_text).
///
/// # Errors
///
/// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors) and of
/// [`FieldReader::push`].
///
/// # Cancel safety
///
/// Dropping a future that waits for the next item loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type TryFieldStream<S> = TryAdapter<S, FieldReader>;

/// The entity events of a stream of fragments of JSON text, see
/// [`json_entities`](super::FragmentStreamExt::json_entities), which has an example. Yields
/// [`EntityEvent<T>`](crate::entity::EntityEvent).
///
/// Text that can't be used ends the stream with an event that says so, logged and
/// [reported](Adapter::report); see [`FragmentStreamExt`](super::FragmentStreamExt#errors). An
/// entity that does not conform to its schema or to `T` has such an event too, and ends nothing.
///
/// # Cancel safety
///
/// Dropping a future that waits for the next event loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type EntityStream<S, T = RawJson> = Adapter<S, EntityReader<T>>;

/// The entity events of a stream of fragments of JSON text, or errors, see
/// [`try_json_entities`](super::TryFragmentStreamExt::try_json_entities), which has an example.
///
/// # Errors
///
/// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors), after the event that
/// reports the same to the receiver of the events. An entity that does not conform to its
/// schema or to `T` is an event and no error.
///
/// # Cancel safety
///
/// Dropping a future that waits for the next item loses nothing; see
/// [`SnapshotStream`](SnapshotStream#cancel-safety).
pub type TryEntityStream<S, T = RawJson> = TryAdapter<S, EntityReader<T>>;
