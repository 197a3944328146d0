use futures_core::TryStream;
use serde_core::de::DeserializeOwned;

use super::entity_reader::{EntityData, EntityReader};
use super::event::Events;
use super::reader::{Reader, Texts, Typed};
use super::{
    TryEntityStream, TryEventStream, TryPartialStream, TrySnapshotStream, TryToolCallStream,
};
use crate::{Entities, Parser, Partials, ToolCallDetector, ToolCallShape};

/// What becomes of the document that a stream of fragments writes, with every fault in its place.
///
/// For streams of `Result<T, E>` where `T` is bytes or text. All is as in
/// [`FragmentStreamExt`](super::FragmentStreamExt), and the streams yield
/// `Result<_, StreamError<E>>`.
///
/// # Errors
///
/// - [`StreamError::Upstream`](super::StreamError::Upstream) as the inner stream yields it. It
///   does not end the stream: with the next fragment the text goes on where it was.
/// - [`StreamError::Json`](super::StreamError::Json) behind what could be read, if the text is not
///   JSON, exceeds the [`Limits`](crate::Limits), takes too long or is cut off. It is the last
///   item. Its offset counts from the start of all fragments.
/// - [`StreamError::Value`](super::StreamError::Value) in place of a whole value that is not of the
///   type asked for.
pub trait TryFragmentStreamExt: TryStream<Ok: AsRef<[u8]>> {
    /// Turns fragments of JSON text into snapshots of the value so far.
    ///
    /// As [`json_snapshots`](super::FragmentStreamExt::json_snapshots), and what is wrong is
    /// yielded.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, TryFragmentStreamExt};
    ///
    /// let fragments = stream::iter([Ok("[\"a"), Err("timed out"), Ok("b\"}")]);
    /// let items: Vec<_> = block_on(fragments.try_json_snapshots().collect());
    /// assert_eq!(items[0], Ok("[\"a\"]".to_owned()));
    /// assert_eq!(items[1], Err(StreamError::Upstream("timed out")));
    /// assert_eq!(items[2], Ok("[\"ab\"]".to_owned()));
    /// let error = items[3].as_ref().unwrap_err();
    /// assert_eq!(error.to_string(), "not JSON at byte 5: expected ',' or ']'");
    /// assert_eq!(items.len(), 4);
    /// ```
    fn try_json_snapshots(self) -> TrySnapshotStream<Self>
    where
        Self: Sized,
    {
        self.try_json_snapshots_with(Parser::new(), Partials::default())
    }

    /// As [`try_json_snapshots`](Self::try_json_snapshots), with a parser of your own making, and
    /// with unfinished values as you want to see them.
    fn try_json_snapshots_with(self, parser: Parser, partials: Partials) -> TrySnapshotStream<Self>
    where
        Self: Sized,
    {
        TrySnapshotStream::new(self, Reader::new(parser, Texts::new(partials)))
    }

    /// Turns fragments of JSON text into events: which value has begun, grown, ended.
    ///
    /// As [`json_events`](super::FragmentStreamExt::json_events), and what is wrong is yielded.
    fn try_json_events(self) -> TryEventStream<Self>
    where
        Self: Sized,
    {
        self.try_json_events_with(Parser::new())
    }

    /// As [`try_json_events`](Self::try_json_events), with a parser of your own making.
    fn try_json_events_with(self, parser: Parser) -> TryEventStream<Self>
    where
        Self: Sized,
    {
        TryEventStream::new(self, Reader::new(parser, Events))
    }

    /// Turns fragments of JSON text into typed values of what is there so far.
    ///
    /// As [`json_partials`](super::FragmentStreamExt::json_partials), and what is wrong is
    /// yielded.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, TryFragmentStreamExt};
    ///
    /// let fragments = stream::iter(["[1", r#", "x"]"#]).map(Ok::<_, ()>);
    /// let items: Vec<_> = block_on(fragments.try_json_partials::<Vec<u8>>().collect());
    /// assert_eq!(items[0], Ok(vec![1]));
    /// let Err(StreamError::Value(error)) = &items[1] else { unreachable!() };
    /// assert_eq!(error.pointer(), "/1");
    /// ```
    fn try_json_partials<T: DeserializeOwned>(self) -> TryPartialStream<Self, T>
    where
        Self: Sized,
    {
        self.try_json_partials_with(Parser::new(), Partials::default())
    }

    /// As [`try_json_partials`](Self::try_json_partials), with a parser of your own making, and
    /// with unfinished values as you want to see them.
    fn try_json_partials_with<T: DeserializeOwned>(
        self,
        parser: Parser,
        partials: Partials,
    ) -> TryPartialStream<Self, T>
    where
        Self: Sized,
    {
        TryPartialStream::new(self, Reader::new(parser, Typed::new(partials)))
    }

    /// Finds the tool calls in JSON text.
    ///
    /// As [`tool_calls`](super::FragmentStreamExt::tool_calls), and what is wrong is yielded.
    fn try_tool_calls(self, shape: ToolCallShape) -> TryToolCallStream<Self>
    where
        Self: Sized,
    {
        self.try_tool_calls_with(ToolCallDetector::new(shape))
    }

    /// As [`try_tool_calls`](Self::try_tool_calls), with a detector of your own making.
    fn try_tool_calls_with(self, detector: ToolCallDetector) -> TryToolCallStream<Self>
    where
        Self: Sized,
    {
        TryToolCallStream::new(self, detector)
    }

    /// Tells about the entities in JSON text by the Partial Stream Spec.
    ///
    /// As [`json_entities`](super::FragmentStreamExt::json_entities), and what is wrong is yielded,
    /// behind the event that says so to whoever gets the events.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{StreamError, TryFragmentStreamExt};
    /// use json_chunks::{Entities, EntityMode, EntityStatus, JsonText};
    ///
    /// let fragments = stream::iter(["[1, 2", "3}"]).map(Ok::<_, ()>);
    /// let events = fragments.try_json_entities::<JsonText>(Entities::new(EntityMode::OneByOne));
    /// let items: Vec<_> = block_on(events.collect());
    /// assert_eq!(items[0].as_ref().unwrap().data.as_deref(), Some("1"));
    /// assert_eq!(items[1].as_ref().unwrap().data.as_deref(), Some("23"));
    /// assert_eq!(items[2].as_ref().unwrap().status, EntityStatus::Error);
    /// assert!(matches!(items[3], Err(StreamError::Json(_))));
    /// ```
    fn try_json_entities<T: EntityData>(self, entities: Entities) -> TryEntityStream<Self, T>
    where
        Self: Sized,
    {
        TryEntityStream::new(self, EntityReader::new(entities))
    }
}

impl<S: TryStream<Ok: AsRef<[u8]>> + ?Sized> TryFragmentStreamExt for S {}
