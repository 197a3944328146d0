use futures_core::Stream;
use serde_core::de::DeserializeOwned;

use super::adapter::Adapter;
use super::machines::{
    EntityData, EntityReader, EventReader, JsonTexts, PartialReader, SnapshotReader,
};
use super::{
    DeltaStream, EntityStream, EventStream, FieldStream, JsonFinal, JsonTextStream, PartialStream,
    PatchStream, SnapshotStream, SplitJsonStream, ToolCallStream,
};
use crate::delta::DeltaReader;
#[cfg(doc)]
use crate::document::PartialPolicy;
use crate::entity::EntityDetector;
use crate::extract::JsonExtractor;
use crate::field::FieldReader;
use crate::parser::Parser;
use crate::partial::FromPartial;
use crate::tool_call::{ToolCallDetector, ToolCallShape};

/// Adapters over the document that a stream of fragments writes.
///
/// For streams of pieces of JSON text, which may end anywhere, even inside of a character. The
/// items are bytes or text: `String`, `&str`, `Vec<u8>`, `Bytes`. (Map an `Arc<str>` to a `&str`.)
///
/// Each fragment is read once. The cost of an item is linear in its size: a snapshot or a typed
/// value costs as much as the entire document, an event or a tool call's delta as much as the new
/// text. For views that copy nothing use the [`Parser`] itself.
///
/// # Errors
///
/// After text that is not JSON or exceeds the [`Limits`](crate::limits::Limits), the rest cannot be
/// read. Items from before the error are still yielded, even those of the same fragment; then the
/// stream ends, without reading the rest of the inner stream. A truncated text is an error as well,
/// of kind [`Incomplete`](crate::error::ErrorKind::Incomplete), after everything was yielded.
///
/// The items of these streams cannot be errors. The error is logged at `warn`, and its
/// [hint](crate::error::Error::hint), if it has one, at `error` (feature `tracing`; both without
/// payload). [`StreamReport::ended_by`](super::StreamReport::ended_by) returns its kind. To receive
/// errors, see [`TryFragmentStreamExt`](super::TryFragmentStreamExt).
///
/// # Several values
///
/// These methods read one value. For input of several values, such as JSON Lines, configure the
/// machine and pass it to [`through`](super::MachineStreamExt::through):
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::Parser;
/// use json_chunks::stream::{MachineStreamExt, SnapshotReader};
///
/// let lines = stream::iter(["[1]\n[", "2]\n"]);
/// let values = lines.through(SnapshotReader::new(Parser::new().multiple_values(true)));
/// let complete = values.filter_map(async |value| value.is_complete.then_some(value.value));
/// let complete: Vec<String> = block_on(complete.collect());
/// assert_eq!(complete, ["[1]", "[2]"]);
/// ```
pub trait FragmentStreamExt: Stream<Item: AsRef<[u8]>> {
    /// Turns fragments of JSON text into snapshots: the entire value so far as JSON text without
    /// white space, after each fragment that changes or completes it.
    ///
    /// Open values are closed, and incomplete strings and numbers are shown [as far as they have
    /// arrived](PartialPolicy). So the text of a snapshot does not show whether the reply was
    /// truncated. [`is_complete`](crate::Partial::is_complete) does: it is true only for the last
    /// snapshot of a terminated text. Each snapshot is a copy of a text that is kept; complete
    /// values are rendered once. For fewer snapshots see
    /// [`after_growth`](super::Adapter::after_growth).
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::Partial;
    /// use json_chunks::stream::FragmentStreamExt;
    ///
    /// let fragments = stream::iter([r#"{"title": "Thr"#, r#"ee", "da"#, r#"ys": [3"#, "]}"]);
    /// let snapshots: Vec<Partial<String>> = block_on(fragments.json_snapshots().collect());
    /// let texts: Vec<&str> = snapshots.iter().map(|snapshot| snapshot.value.as_str()).collect();
    /// let three = r#"{"title":"Three"}"#;
    /// let days = r#"{"title":"Three","days":[3]}"#;
    /// assert_eq!(texts, [r#"{"title":"Thr"}"#, three, days, days]);
    /// // Only the last one is certain to be the answer.
    /// assert_eq!(snapshots[2], Partial::incomplete(days.to_owned()));
    /// assert_eq!(snapshots[3], Partial::complete(days.to_owned()));
    /// ```
    fn json_snapshots(self) -> SnapshotStream<Self>
    where
        Self: Sized,
    {
        Adapter::new(self, SnapshotReader::new(Parser::new()))
    }

    /// Turns fragments of JSON text into events: a value has started, grown or ended.
    ///
    /// The events of one fragment are all created when it arrives, and each one contains the
    /// pointer to its value: they take memory in proportion to the fragment and to the length of
    /// the names.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{FragmentStreamExt, OwnedChange};
    ///
    /// let fragments = stream::iter([r#"{"title": "Thr"#, r#"ee"}"#]);
    /// let events = fragments.json_events().filter_map(async |event| match event.change {
    ///     OwnedChange::Appended(text) => Some((event.path, text)),
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
        Adapter::new(self, EventReader::new(Parser::new()))
    }

    /// Turns fragments of JSON text into [deltas](crate::delta): what each fragment changes in the
    /// document, as data that a client applies.
    ///
    /// Each item has the changes of one fragment, as JSON a list of `{"path", "append"}` and
    /// `{"path", "value"}`. All items together are about as long as the document. The last one [is
    /// complete](crate::delta::DeltaBatch::is_complete), unless the text is truncated.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{FragmentStreamExt, SnapshotStreamExt};
    ///
    /// let snapshots = stream::iter([
    ///     r#"{"title":"Thr","days":null}"#,
    ///     r#"{"title":"Three","days":null}"#,
    ///     r#"{"title":"Three","days":[3]}"#,
    /// ]);
    /// let deltas = snapshots.json_chunks().json_deltas();
    /// let lines: Vec<String> = block_on(deltas.map(|batch| batch.to_json()).collect());
    /// assert_eq!(
    ///     lines,
    ///     [
    ///         r#"[{"path":"","value":{"title":"Thr"}}]"#,
    ///         r#"[{"path":"/title","append":"ee"}]"#,
    ///         r#"[{"path":"/days","value":[3]}]"#,
    ///         "[]",
    ///     ]
    /// );
    /// ```
    fn json_deltas(self) -> DeltaStream<Self>
    where
        Self: Sized,
    {
        Adapter::new(self, DeltaReader::new(Parser::new()))
    }

    /// Turns fragments of JSON text into JSON Patch (RFC 6902): what each fragment changes in the
    /// document, for clients that cannot apply [deltas](Self::json_deltas).
    ///
    /// A patch cannot append to a string: an open string is replaced when it is twice as long as in
    /// the last patch (see [`string_growth`](super::Adapter::string_growth) for another factor),
    /// and at its end.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::FragmentStreamExt;
    ///
    /// let fragments = stream::iter([r#"{"title": "Thr"#, r#"ee", "days": [3"#, "]}"]);
    /// let patches = fragments.json_patches();
    /// let lines: Vec<String> = block_on(patches.map(|batch| batch.to_json()).collect());
    /// assert_eq!(lines[0], r#"[{"op":"replace","path":"","value":{"title":"Thr"}}]"#);
    /// assert_eq!(
    ///     lines[1],
    ///     concat!(
    ///         r#"[{"op":"replace","path":"/title","value":"Three"},"#,
    ///         r#"{"op":"add","path":"/days","value":[3]}]"#,
    ///     )
    /// );
    /// assert_eq!(lines[2], "[]");
    /// ```
    fn json_patches(self) -> PatchStream<Self>
    where
        Self: Sized,
    {
        Adapter::new(self, DeltaReader::json_patch(Parser::new()))
    }

    /// Turns fragments of JSON text into typed values: the value so far as a `T`, after each
    /// fragment that changes or completes it.
    ///
    /// An incomplete value that does not fit `T` yet, such as half of a UUID, is
    /// [omitted](crate::document::Value::deserialize). If the rest is not a `T` either, for example
    /// because a required field is missing, the stream waits for more. `Option` and
    /// `#[serde(default)]` let it begin earlier, and a `PartialT` generated by
    /// [`#[derive(Partial)]`](crate::partial) begins with the first byte. Act only on the value
    /// that [is complete](crate::Partial::is_complete), or use [`json_final`](Self::json_final). A
    /// complete value that is not a `T` is logged without payload and
    /// [counted](super::StreamReport::mismatches).
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::Partial;
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
    /// let trips: Vec<Partial<Trip>> = block_on(fragments.json_partials().collect());
    /// let trip = |title: &str, days: &[u32]| Trip { title: title.into(), days: days.into() };
    /// assert_eq!(trips[0], Partial::incomplete(trip("Thr", &[])));
    /// assert_eq!(trips[1], Partial::incomplete(trip("Three", &[1])));
    /// assert_eq!(trips[2], Partial::complete(trip("Three", &[1, 2])));
    /// ```
    fn json_partials<T: FromPartial>(self) -> PartialStream<Self, T>
    where
        Self: Sized,
    {
        Adapter::new(self, PartialReader::new(Parser::new()))
    }

    /// Reads fragments of JSON text to their end and resolves to the value of the complete text.
    ///
    /// A truncated text never has a value, no matter how much of it has arrived. For the values so
    /// far use [`json_partials`](Self::json_partials).
    ///
    /// ```
    /// use futures::{executor::block_on, stream};
    /// use json_chunks::stream::FragmentStreamExt;
    /// use serde::Deserialize;
    ///
    /// #[derive(Debug, PartialEq, Deserialize)]
    /// struct Payment {
    ///     to: String,
    ///     amount: u32,
    /// }
    ///
    /// let fragments = [r#"{"to": "bob", "amount": 10"#, "00}"];
    /// let payment: Payment = block_on(stream::iter(fragments).json_final()).unwrap();
    /// assert_eq!(payment, Payment { to: "bob".into(), amount: 1000 });
    ///
    /// let error = block_on(stream::iter([fragments[0]]).json_final::<Payment>()).unwrap_err();
    /// assert_eq!(error.to_string(), "unexpected end of JSON at byte 26");
    /// ```
    ///
    /// # Errors
    ///
    /// - [`StreamError::Json`](super::StreamError::Json) if the text is not JSON, is truncated, is
    ///   empty, has anything but white space after its value, exceeds the
    ///   [`Limits`](crate::limits::Limits), or takes too long. The future resolves at the error,
    ///   without waiting for the end of the stream.
    /// - [`StreamError::Value`](super::StreamError::Value) if the value is not a `T`.
    fn json_final<T: DeserializeOwned>(self) -> JsonFinal<Self, T>
    where
        Self: Sized,
    {
        JsonFinal::new(self)
    }

    /// Returns the content of the string at a JSON Pointer, as it grows: the answer in
    /// `{"thoughts": "…", "answer": "…"}`, its escapes resolved. See [`FieldReader`] for how the
    /// value is found and for the errors. If the text has no such value, the stream ends without
    /// an item, and this is not an error.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::FragmentStreamExt;
    ///
    /// let tokens = stream::iter([r#"{"answer": "The "#, r#"sun\u2019"#, r#"s light."}"#]);
    /// let answer: Vec<String> = block_on(tokens.json_text("/answer").collect());
    /// assert_eq!(answer, ["The ", "sun’", "s light."]);
    /// ```
    fn json_text(self, pointer: &str) -> FieldStream<Self>
    where
        Self: Sized,
    {
        Adapter::new(self, FieldReader::text(pointer))
    }

    /// Returns the JSON text of the value at a JSON Pointer, as it grows, exactly as written. See
    /// [`FieldReader`].
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::FragmentStreamExt;
    ///
    /// let tokens = stream::iter([r#"{"name": "f", "args": {"x""#, r#": 1}}"#]);
    /// let args: Vec<String> = block_on(tokens.json_value_text("/args").collect());
    /// assert_eq!(args, [r#"{"x""#, ": 1}"]);
    /// ```
    fn json_value_text(self, pointer: &str) -> FieldStream<Self>
    where
        Self: Sized,
    {
        Adapter::new(self, FieldReader::json(pointer))
    }

    /// Returns the first JSON text in the text of a model, as it arrives: skips prose, code fences,
    /// reasoning, and the tags of tool calls. See [`JsonExtractor`] for what is JSON; for all
    /// documents pass a [`JsonTexts`] to [`through`](super::MachineStreamExt::through).
    ///
    /// Any adapter of fragments can follow. If the text contains no JSON, that adapter reads an
    /// empty text.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::Partial;
    /// use json_chunks::stream::FragmentStreamExt;
    ///
    /// let tokens = ["<think>Hm.</think>Here:\n```js", "on\n{\"days\"", ": [1, 2]}\n```"];
    /// let tokens = stream::iter(tokens);
    /// let days: Vec<Partial<String>> = block_on(tokens.extract_json().json_snapshots().collect());
    /// let last = days.last().expect("there is JSON in the text");
    /// assert_eq!(*last, Partial::complete(r#"{"days":[1,2]}"#.to_owned()));
    /// ```
    fn extract_json(self) -> JsonTextStream<Self>
    where
        Self: Sized,
    {
        Adapter::new(self, JsonTexts::new(JsonExtractor::new()))
    }

    /// Divides the text of a model into the first JSON text in it and everything else, for programs
    /// that show both. See [`JsonExtractor`].
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::extract::Extracted;
    /// use json_chunks::stream::FragmentStreamExt;
    ///
    /// let tokens = stream::iter(["Here you are: ", "{\"a\":", " 1}"]);
    /// let pieces: Vec<Extracted> = block_on(tokens.split_json().collect());
    /// assert_eq!(pieces[0], Extracted::Text("Here you are: ".to_owned()));
    /// assert_eq!(pieces[1].as_json(), Some((0, "{\"a\": 1}")));
    /// ```
    fn split_json(self) -> SplitJsonStream<Self>
    where
        Self: Sized,
    {
        Adapter::new(self, JsonExtractor::new())
    }

    /// Finds the tool calls in JSON text: their name as soon as it is complete, their arguments as
    /// they grow, and the complete call when its object has ended. See [`ToolCallDetector`] for the
    /// shapes of calls and the order of the events.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::FragmentStreamExt;
    /// use json_chunks::tool_call::{ToolCallEvent, ToolCallShape};
    ///
    /// let fragments = [r#"{"name":"read","argu"#, r#"ments":{"path":"/sr"#, r#"c"}}"#];
    /// let fragments = stream::iter(fragments);
    /// let mut events = fragments.tool_calls(ToolCallShape::plain());
    /// let first = block_on(events.next()).unwrap();
    /// assert!(matches!(first, ToolCallEvent::Started { name, .. } if name == "read"));
    /// let rest: Vec<ToolCallEvent> = block_on(events.collect());
    /// let Some(ToolCallEvent::Completed(call)) = rest.last() else { unreachable!() };
    /// assert_eq!(call.arguments(), r#"{"path":"/src"}"#);
    /// ```
    fn tool_calls(self, shape: ToolCallShape) -> ToolCallStream<Self>
    where
        Self: Sized,
    {
        Adapter::new(self, ToolCallDetector::new(shape))
    }

    /// Turns fragments of JSON text into entity events by the Partial Stream Spec: events for the
    /// elements of an array, as they arrive. See [`EntityDetector`] for how the array is found and
    /// for the events.
    ///
    /// `T` is your type, or [`RawJson`](crate::value::RawJson) for the exact text. A partial entity
    /// that is not a `T` yet has no event. A complete entity that is not a `T` has an error as its
    /// last event, and is [counted](super::StreamReport::mismatches). In the mode `Batch` all
    /// entities together are one `T`, such as a `Vec`.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::entity::{EntityDetector, EntityMode, EntityStatus};
    /// use json_chunks::stream::FragmentStreamExt;
    /// use serde::Deserialize;
    ///
    /// #[derive(Debug, PartialEq, Deserialize)]
    /// struct Color {
    ///     hex: String,
    ///     name: String,
    /// }
    ///
    /// let fragments = [r##"[{"hex": "#94"##, r##"00D3", "name": "Vio"##, r#"let"}]"#];
    /// let entities = EntityDetector::new(EntityMode::Realtime);
    /// let events = stream::iter(fragments).json_entities::<Color>(entities);
    /// let events = events.map(|event| (event.status, event.data));
    /// let events: Vec<(EntityStatus, Option<Color>)> = block_on(events.collect());
    /// let violet = |name: &str| Some(Color { hex: "#9400D3".into(), name: name.into() });
    /// assert_eq!(
    ///     events,
    ///     [(EntityStatus::Partial, violet("Vio")), (EntityStatus::Completed, violet("Violet"))],
    /// );
    /// ```
    fn json_entities<T: EntityData>(self, entities: EntityDetector) -> EntityStream<Self, T>
    where
        Self: Sized,
    {
        Adapter::new(self, EntityReader::new(entities))
    }
}

impl<S: Stream<Item: AsRef<[u8]>> + ?Sized> FragmentStreamExt for S {}
