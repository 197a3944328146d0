use futures_core::Stream;
use serde_core::de::DeserializeOwned;

use super::entity_reader::{EntityData, EntityReader};
use super::event::Events;
use super::reader::{Reader, Texts, Typed};
use super::{EntityStream, EventStream, PartialStream, SnapshotStream, ToolCallStream};
use crate::{Entities, Parser, Partials, ToolCallDetector, ToolCallShape};

/// What becomes of the document that a stream of fragments writes.
///
/// For streams of pieces of JSON text, cut anywhere, inside of a character too: of anything that is
/// bytes or text, `String`, `&str`, `Vec<u8>`, `Bytes`. (An `Arc<str>` is not: map it to a `&str`.)
///
/// Each fragment is read once. What the streams yield costs as much as its size: a snapshot or a
/// typed value as much as the whole document, an event or a tool call's delta as much as what is
/// new. For views that copy nothing use the [`Parser`] itself.
///
/// # Errors
///
/// Behind text that is not JSON or exceeds the [`Limits`](crate::Limits) nothing has a meaning any
/// more. What came before it is still yielded, also from the same fragment; then the stream ends,
/// without taking the rest of the inner stream. Text that is cut off at the end is an error too, of
/// kind [`Incomplete`](crate::ErrorKind::Incomplete), after everything was yielded.
///
/// The items of these streams have no room for an error: it is logged at `warn` (feature
/// `tracing`) without any payload, and [`Report::ended_by`](super::Report::ended_by) tells its
/// kind. Where it should be an item, see [`TryFragmentStreamExt`](super::TryFragmentStreamExt).
///
/// For input of several values, as JSON Lines, give the `_with` methods a parser that
/// [takes them](Parser::several_values).
pub trait FragmentStreamExt: Stream<Item: AsRef<[u8]>> {
    /// Turns fragments of JSON text into snapshots: the whole value so far as JSON text without
    /// white space, after each fragment that changes it.
    ///
    /// What is open is closed, unfinished strings and numbers show [as far as they have
    /// come](Partials). The last snapshot of a whole text is its value. The text of the last one
    /// is kept, to compare.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::FragmentStreamExt;
    ///
    /// let fragments = stream::iter([r#"{"title": "Thr"#, r#"ee", "da"#, r#"ys": [3"#, "]}"]);
    /// let snapshots: Vec<String> = block_on(fragments.json_snapshots().collect());
    /// assert_eq!(
    ///     snapshots,
    ///     [r#"{"title":"Thr"}"#, r#"{"title":"Three"}"#, r#"{"title":"Three","days":[3]}"#],
    /// );
    /// ```
    fn json_snapshots(self) -> SnapshotStream<Self>
    where
        Self: Sized,
    {
        self.json_snapshots_with(Parser::new(), Partials::default())
    }

    /// As [`json_snapshots`](Self::json_snapshots), with a parser of your own making, and with
    /// unfinished values as you want to see them. While nothing shows of the whole value, there is
    /// no snapshot.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::{Parser, Partial, Partials, stream::FragmentStreamExt};
    ///
    /// let fragments = stream::iter(["{\"id\":1}\n{\"i", "d\":2}\n\n[", "3]"]);
    /// let whole = Partials::default().objects(Partial::Omitted).arrays(Partial::Omitted);
    /// let parser = Parser::new().several_values(true);
    /// let values: Vec<String> = block_on(fragments.json_snapshots_with(parser, whole).collect());
    /// assert_eq!(values, [r#"{"id":1}"#, r#"{"id":2}"#, "[3]"]);
    /// ```
    fn json_snapshots_with(self, parser: Parser, partials: Partials) -> SnapshotStream<Self>
    where
        Self: Sized,
    {
        SnapshotStream::new(self, Reader::new(parser, Texts::new(partials)))
    }

    /// Turns fragments of JSON text into events: which value has begun, grown, ended.
    ///
    /// The events of one fragment are all made when it comes, and each has the pointer to its
    /// value: they take memory in proportion to the fragment and to the length of the names.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{FragmentStreamExt, JsonChange};
    ///
    /// let fragments = stream::iter([r#"{"title": "Thr"#, r#"ee"}"#]);
    /// let events = fragments.json_events().filter_map(async |event| match event.change {
    ///     JsonChange::Appended(text) => Some((event.path, text)),
    ///     _ => None,
    /// });
    /// let texts: Vec<(String, String)> = block_on(events.collect());
    /// let texts: Vec<_> = texts.iter().map(|(path, text)| [path.as_str(), text]).collect();
    /// assert_eq!(texts, [["/title", "Thr"], ["/title", "ee"]]);
    /// ```
    fn json_events(self) -> EventStream<Self>
    where
        Self: Sized,
    {
        self.json_events_with(Parser::new())
    }

    /// As [`json_events`](Self::json_events), with a parser of your own making.
    fn json_events_with(self, parser: Parser) -> EventStream<Self>
    where
        Self: Sized,
    {
        EventStream::new(self, Reader::new(parser, Events))
    }

    /// Turns fragments of JSON text into typed values of what is there so far, one after each
    /// fragment that changes it.
    ///
    /// While there is no `T` in what has come, as with a field that is missing, the stream waits
    /// for more; `Option` and `#[serde(default)]` let it begin earlier. A whole value that is no
    /// `T` is logged without payload and [counted](super::Report::mismatches).
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::FragmentStreamExt;
    /// use serde::Deserialize;
    ///
    /// #[derive(Debug, PartialEq, Deserialize)]
    /// struct Trip {
    ///     title: String,
    ///     #[serde(default)]
    ///     days: Vec<u32>,
    /// }
    ///
    /// let fragments = stream::iter([r#"{"ti"#, r#"tle": "Thr"#, r#"ee", "days": [1,"#, " 2]}"]);
    /// let trips: Vec<Trip> = block_on(fragments.json_partials().collect());
    /// let trip = |title: &str, days: &[u32]| Trip { title: title.into(), days: days.into() };
    /// assert_eq!(trips, [trip("Thr", &[]), trip("Three", &[1]), trip("Three", &[1, 2])]);
    /// ```
    fn json_partials<T: DeserializeOwned>(self) -> PartialStream<Self, T>
    where
        Self: Sized,
    {
        self.json_partials_with(Parser::new(), Partials::default())
    }

    /// As [`json_partials`](Self::json_partials), with a parser of your own making, and with
    /// unfinished values as you want to see them: the start of an enum's name is no variant, and
    /// the first digits of a number are another number.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::{Parser, Partials, stream::FragmentStreamExt};
    ///
    /// let fragments = stream::iter(["[1, 1", "2, 3]"]);
    /// let lists = fragments.json_partials_with(Parser::new(), Partials::complete_only());
    /// let lists: Vec<Vec<u8>> = block_on(lists.collect());
    /// assert_eq!(lists, [vec![1], vec![1, 12, 3]]);
    /// ```
    fn json_partials_with<T: DeserializeOwned>(
        self,
        parser: Parser,
        partials: Partials,
    ) -> PartialStream<Self, T>
    where
        Self: Sized,
    {
        PartialStream::new(self, Reader::new(parser, Typed::new(partials)))
    }

    /// Finds the tool calls in JSON text: their name as soon as it is there, their arguments as
    /// they grow, and the whole call when its object has ended. See [`ToolCallDetector`] for where
    /// calls are and in which order the events come.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::{ToolCallEvent, ToolCallShape, stream::FragmentStreamExt};
    ///
    /// let fragments = stream::iter([r#"{"name":"read","argu"#, r#"ments":{"path":"/sr"#, r#"c"}}"#]);
    /// let mut events = fragments.tool_calls(ToolCallShape::plain());
    /// let first = block_on(events.next()).unwrap();
    /// assert!(matches!(first, ToolCallEvent::Named { name, .. } if name == "read"));
    /// let rest: Vec<ToolCallEvent> = block_on(events.collect());
    /// let Some(ToolCallEvent::Completed(call)) = rest.last() else { unreachable!() };
    /// assert_eq!(call.arguments(), r#"{"path":"/src"}"#);
    /// ```
    fn tool_calls(self, shape: ToolCallShape) -> ToolCallStream<Self>
    where
        Self: Sized,
    {
        self.tool_calls_with(ToolCallDetector::new(shape))
    }

    /// As [`tool_calls`](Self::tool_calls), with a detector of your own making.
    fn tool_calls_with(self, detector: ToolCallDetector) -> ToolCallStream<Self>
    where
        Self: Sized,
    {
        ToolCallStream::new(self, detector)
    }

    /// Tells about the entities in JSON text by the Partial Stream Spec: the elements of an array,
    /// as they come. See [`Entities`] for where they are and which events there are.
    ///
    /// `T` is a type of yours, or [`JsonText`](crate::JsonText) for the text as it is. A partial
    /// entity that is no `T` yet is not told about; a whole one that is none has an error for its
    /// last event and is [counted](super::Report::mismatches). In the mode `Batch` all entities
    /// together are one `T`, such as a `Vec`.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::{Entities, EntityMode, EntityStatus, stream::FragmentStreamExt};
    /// use serde::Deserialize;
    ///
    /// #[derive(Debug, PartialEq, Deserialize)]
    /// struct Color {
    ///     hex: String,
    ///     name: String,
    /// }
    ///
    /// let fragments = stream::iter([r##"[{"hex": "#94"##, r##"00D3", "name": "Vio"##, r#"let"}]"#]);
    /// let entities = Entities::new(EntityMode::Realtime);
    /// let events = fragments.json_entities::<Color>(entities).map(|event| (event.status, event.data));
    /// let events: Vec<(EntityStatus, Option<Color>)> = block_on(events.collect());
    /// let violet = |name: &str| Some(Color { hex: "#9400D3".into(), name: name.into() });
    /// assert_eq!(
    ///     events,
    ///     [(EntityStatus::Partial, violet("Vio")), (EntityStatus::Completed, violet("Violet"))],
    /// );
    /// ```
    fn json_entities<T: EntityData>(self, entities: Entities) -> EntityStream<Self, T>
    where
        Self: Sized,
    {
        EntityStream::new(self, EntityReader::new(entities))
    }
}

impl<S: Stream<Item: AsRef<[u8]>> + ?Sized> FragmentStreamExt for S {}
