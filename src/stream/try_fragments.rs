use futures_core::TryStream;
use serde_core::de::DeserializeOwned;

use super::adapter::TryAdapter;
use super::machines::{
    EntityData, EntityReader, EventReader, JsonTexts, PartialReader, SnapshotReader,
};
use super::{
    TryDeltaStream, TryEntityStream, TryEventStream, TryFieldStream, TryJsonFinal,
    TryJsonTextStream, TryPartialStream, TryPatchStream, TrySnapshotStream, TrySplitJsonStream,
    TryToolCallStream,
};
use crate::delta::DeltaReader;
use crate::entity::EntityDetector;
use crate::extract::JsonExtractor;
use crate::field::FieldReader;
use crate::parser::Parser;
use crate::partial::FromPartial;
use crate::tool_call::{ToolCallDetector, ToolCallShape};

/// Adapters over the document that a stream of fragments writes, with every fault in its place.
///
/// For streams of `Result<T, E>` where `T` is bytes or text. The methods are those of
/// [`FragmentStreamExt`](super::FragmentStreamExt), except that the streams yield
/// `Result<_, StreamError<E>>`.
///
/// # Errors
///
/// - [`StreamError::Upstream`](super::StreamError::Upstream) for an error of the inner stream. It
///   does not end the stream: the next fragment continues the text. If the end follows instead, it
///   completes nothing: a number at the top level, which only the end of the text terminates, is
///   truncated then.
/// - [`StreamError::Json`](super::StreamError::Json) after the items from before it, if the text is
///   not JSON, exceeds the [`Limits`](crate::limits::Limits), takes too long or is truncated. It is
///   the last item. Its offset counts from the start of all fragments.
/// - [`StreamError::Value`](super::StreamError::Value) in place of a complete value that is not of
///   the requested type.
pub trait TryFragmentStreamExt: TryStream<Ok: AsRef<[u8]>> {
    /// Turns fragments of JSON text into snapshots of the value so far.
    ///
    /// Like [`json_snapshots`](super::FragmentStreamExt::json_snapshots), but errors are yielded.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::Partial;
    /// use json_chunks::stream::{StreamError, TryFragmentStreamExt};
    ///
    /// let fragments = stream::iter([Ok("[\"a"), Err("timed out"), Ok("b\"}")]);
    /// let items: Vec<_> = block_on(fragments.try_json_snapshots().collect());
    /// assert_eq!(items[0], Ok(Partial::incomplete("[\"a\"]".to_owned())));
    /// assert_eq!(items[1], Err(StreamError::Upstream("timed out")));
    /// assert_eq!(items[2], Ok(Partial::incomplete("[\"ab\"]".to_owned())));
    /// let error = items[3].as_ref().unwrap_err();
    /// assert_eq!(error.to_string(), "expected ',' or ']' at byte 5");
    /// assert_eq!(items.len(), 4);
    /// ```
    fn try_json_snapshots(self) -> TrySnapshotStream<Self>
    where
        Self: Sized,
    {
        TryAdapter::new(self, SnapshotReader::new(Parser::new()))
    }

    /// Turns fragments of JSON text into events: a value has started, grown or ended.
    ///
    /// Like [`json_events`](super::FragmentStreamExt::json_events), but errors are yielded.
    fn try_json_events(self) -> TryEventStream<Self>
    where
        Self: Sized,
    {
        TryAdapter::new(self, EventReader::new(Parser::new()))
    }

    /// Turns fragments of JSON text into [deltas](crate::delta): what each fragment changes in the
    /// document.
    ///
    /// Like [`json_deltas`](super::FragmentStreamExt::json_deltas), but errors are yielded.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, TryFragmentStreamExt};
    ///
    /// let fragments = stream::iter([Ok("[1, 2"), Err("connection reset")]);
    /// let items: Vec<_> = block_on(fragments.try_json_deltas().collect());
    /// let first = items[0].as_ref().unwrap();
    /// assert_eq!(first.to_json(), r#"[{"path":"","value":[1,2]}]"#);
    /// assert!(!first.is_complete);
    /// assert_eq!(items[1], Err(StreamError::Upstream("connection reset")));
    /// assert!(matches!(&items[2], Err(StreamError::Json(error)) if error.is_incomplete()));
    /// ```
    fn try_json_deltas(self) -> TryDeltaStream<Self>
    where
        Self: Sized,
    {
        TryAdapter::new(self, DeltaReader::new(Parser::new()))
    }

    /// Turns fragments of JSON text into JSON Patch (RFC 6902): what each fragment changes in the
    /// document.
    ///
    /// Like [`json_patches`](super::FragmentStreamExt::json_patches), but errors are yielded.
    fn try_json_patches(self) -> TryPatchStream<Self>
    where
        Self: Sized,
    {
        TryAdapter::new(self, DeltaReader::json_patch(Parser::new()))
    }

    /// Turns fragments of JSON text into typed values: the value so far as a `T`.
    ///
    /// Like [`json_partials`](super::FragmentStreamExt::json_partials), but errors are yielded.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::Partial;
    /// use json_chunks::stream::{StreamError, TryFragmentStreamExt};
    ///
    /// let fragments = stream::iter(["[1", r#", "x"]"#]).map(Ok::<_, ()>);
    /// let items: Vec<_> = block_on(fragments.try_json_partials::<Vec<u8>>().collect());
    /// assert_eq!(items[0], Ok(Partial::incomplete(vec![1])));
    /// let Err(StreamError::Value(error)) = &items[1] else { unreachable!() };
    /// assert_eq!(error.pointer(), "/1");
    /// ```
    fn try_json_partials<T: FromPartial>(self) -> TryPartialStream<Self, T>
    where
        Self: Sized,
    {
        TryAdapter::new(self, PartialReader::new(Parser::new()))
    }

    /// Reads fragments of JSON text to their end and resolves to the value of the complete text.
    ///
    /// Like [`json_final`](super::FragmentStreamExt::json_final). The first error of the inner
    /// stream is the result as well; the rest of the stream is not read.
    ///
    /// ```
    /// use futures::{executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, TryFragmentStreamExt};
    ///
    /// let fragments = stream::iter([Ok("[1, 2"), Err("connection reset")]);
    /// let list = block_on(fragments.try_json_final::<Vec<u8>>());
    /// assert_eq!(list, Err(StreamError::Upstream("connection reset")));
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`json_final`](super::FragmentStreamExt::json_final), and
    /// [`StreamError::Upstream`](super::StreamError::Upstream).
    fn try_json_final<T: DeserializeOwned>(self) -> TryJsonFinal<Self, T>
    where
        Self: Sized,
    {
        TryJsonFinal::new(self)
    }

    /// Returns the content of the string at a JSON Pointer, as it grows.
    ///
    /// Like [`json_text`](super::FragmentStreamExt::json_text), but errors are yielded.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, TryFragmentStreamExt};
    ///
    /// let tokens = stream::iter([Ok(r#"{"answer": "Yes"#), Err("connection reset")]);
    /// let answer: Vec<_> = block_on(tokens.try_json_text("/answer").collect());
    /// assert_eq!(answer[0].as_deref(), Ok("Yes"));
    /// assert_eq!(answer[1], Err(StreamError::Upstream("connection reset")));
    /// assert!(matches!(&answer[2], Err(StreamError::Json(error)) if error.is_incomplete()));
    /// ```
    fn try_json_text(self, pointer: &str) -> TryFieldStream<Self>
    where
        Self: Sized,
    {
        TryAdapter::new(self, FieldReader::text(pointer))
    }

    /// Returns the JSON text of the value at a JSON Pointer, as it grows.
    ///
    /// Like [`json_value_text`](super::FragmentStreamExt::json_value_text), but errors are yielded.
    fn try_json_value_text(self, pointer: &str) -> TryFieldStream<Self>
    where
        Self: Sized,
    {
        TryAdapter::new(self, FieldReader::json(pointer))
    }

    /// Returns the first JSON text in the text of a model.
    ///
    /// Like [`extract_json`](super::FragmentStreamExt::extract_json), but errors are yielded. The
    /// `try_` adapters can follow; their upstream error is the error of this stream.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, TryFragmentStreamExt};
    ///
    /// let tokens = stream::iter([Ok("Here: {\"a\": 1}"), Err("connection reset")]);
    /// let json: Vec<_> = block_on(tokens.try_extract_json().collect());
    /// assert_eq!(json[0].as_deref(), Ok("{\"a\": 1}"));
    /// assert_eq!(json[1], Err(StreamError::Upstream("connection reset")));
    /// ```
    fn try_extract_json(self) -> TryJsonTextStream<Self>
    where
        Self: Sized,
    {
        TryAdapter::new(self, JsonTexts::new(JsonExtractor::new()))
    }

    /// Divides the text of a model into the first JSON text in it and everything else.
    ///
    /// Like [`split_json`](super::FragmentStreamExt::split_json), but errors are yielded.
    fn try_split_json(self) -> TrySplitJsonStream<Self>
    where
        Self: Sized,
    {
        TryAdapter::new(self, JsonExtractor::new())
    }

    /// Finds the tool calls in JSON text.
    ///
    /// Like [`tool_calls`](super::FragmentStreamExt::tool_calls), but errors are yielded.
    fn try_tool_calls(self, shape: ToolCallShape) -> TryToolCallStream<Self>
    where
        Self: Sized,
    {
        TryAdapter::new(self, ToolCallDetector::new(shape))
    }

    /// Turns fragments of JSON text into entity events by the Partial Stream Spec.
    ///
    /// Like [`json_entities`](super::FragmentStreamExt::json_entities), but errors are yielded,
    /// each after the event that reports it to the receiver of the events.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, TryFragmentStreamExt};
    /// use json_chunks::entity::{EntityDetector, EntityMode, EntityStatus};
    /// use json_chunks::value::RawJson;
    ///
    /// let fragments = stream::iter(["[1, 2", "3}"]).map(Ok::<_, ()>);
    /// let entities = EntityDetector::new(EntityMode::OneByOne);
    /// let events = fragments.try_json_entities::<RawJson>(entities);
    /// let items: Vec<_> = block_on(events.collect());
    /// assert_eq!(items[0].as_ref().unwrap().data.as_deref(), Some("1"));
    /// assert_eq!(items[1].as_ref().unwrap().data.as_deref(), Some("23"));
    /// assert_eq!(items[2].as_ref().unwrap().status, EntityStatus::Error);
    /// assert!(matches!(items[3], Err(StreamError::Json(_))));
    /// ```
    fn try_json_entities<T: EntityData>(self, entities: EntityDetector) -> TryEntityStream<Self, T>
    where
        Self: Sized,
    {
        TryAdapter::new(self, EntityReader::new(entities))
    }
}

impl<S: TryStream<Ok: AsRef<[u8]>> + ?Sized> TryFragmentStreamExt for S {}
