//! What the adapters over fragments yield: snapshots, events, typed values, tool calls.

#![cfg(feature = "stream")]
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::borrow::Cow;
use std::rc::Rc;

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::{self, Stream as _};
use json_chunks::stream::{
    FragmentStreamExt, JsonChange, JsonEvent, JsonStreamExt, StreamError, TryFragmentStreamExt,
};
use json_chunks::{
    Kind, Parser, Partial, Partials, ToolCallDetector, ToolCallEvent, ToolCallShape,
};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready, assert_ready_eq};

fn event(path: &str, change: JsonChange) -> (String, JsonChange) {
    (path.to_owned(), change)
}

fn tell(event: JsonEvent) -> (String, JsonChange) {
    (event.path, event.change)
}

fn appended(text: &str) -> JsonChange {
    JsonChange::Appended(text.to_owned())
}

fn completed(value: &str) -> JsonChange {
    JsonChange::Completed(Some(value.to_owned()))
}

#[derive(Debug, PartialEq, Deserialize)]
struct Trip {
    title: String,
    nights: Option<u8>,
}

fn trip(title: &str, nights: Option<u8>) -> Trip {
    Trip {
        title: title.to_owned(),
        nights,
    }
}

#[test]
fn the_end_completes_a_number() {
    let mut events = spawn(stream::iter(["1", "2"]).json_events());
    for expected in [
        JsonChange::Started(Kind::Number),
        appended("1"),
        appended("2"),
    ] {
        assert_ready_eq!(
            events.poll_next().map(|event| event.map(tell)),
            Some(event("", expected))
        );
    }
    let last = assert_ready!(events.poll_next()).map(tell);
    assert_eq!(last, Some(event("", completed("12"))));
    assert_ready_eq!(events.poll_next(), None);

    let numbers = stream::iter(["-", "1", "2"]);
    let numbers = numbers.json_snapshots_with(Parser::new(), Partials::complete_only());
    assert_eq!(block_on(numbers.collect::<Vec<_>>()), ["-12"]);
}

#[test]
fn one_fragment_may_bring_several_events() {
    let mut events = spawn(stream::iter([r#"{"a":["x",true"#, "]}"]).json_events());
    let started = JsonChange::Started;
    for expected in [
        event("", started(Kind::Object)),
        event("/a", started(Kind::Array)),
        event("/a/0", started(Kind::String)),
        event("/a/0", appended("x")),
        event("/a/0", completed("\"x\"")),
        event("/a/1", started(Kind::True)),
        event("/a/1", completed("true")),
    ] {
        assert_ready_eq!(
            events.poll_next().map(|event| event.map(tell)),
            Some(expected)
        );
    }
    assert_eq!(events.size_hint().0, 0, "nothing is left of it");
    for path in ["/a", ""] {
        let expected = event(path, JsonChange::Completed(None));
        assert_ready_eq!(
            events.poll_next().map(|event| event.map(tell)),
            Some(expected)
        );
    }
    assert_ready_eq!(events.poll_next(), None);
}

#[test]
fn fragments_may_end_inside_of_a_character() {
    let bytes = "[\"中é😀\"]".as_bytes();
    let fragments = bytes.iter().map(std::slice::from_ref);
    let snapshots: Vec<_> = block_on(stream::iter(fragments).json_snapshots().collect());
    let expected = ["[]", r#"[""]"#, r#"["中"]"#, r#"["中é"]"#, r#"["中é😀"]"#];
    assert_eq!(snapshots, expected);
}

#[test]
fn fragments_may_be_bytes_or_text_of_any_kind() {
    fn first<S: FragmentStreamExt>(fragments: S) -> Option<String> {
        assert_ready!(spawn(fragments.json_snapshots()).poll_next())
    }
    let expected = Some("[]".to_owned());
    assert_eq!(first(stream::iter(["["])), expected);
    assert_eq!(first(stream::iter(["[".to_owned()])), expected);
    assert_eq!(first(stream::iter([b"["])), expected);
    assert_eq!(first(stream::iter([b"[".as_slice()])), expected);
    assert_eq!(first(stream::iter([b"[".to_vec()])), expected);
    assert_eq!(first(stream::iter([&"[".to_owned()])), expected);
    assert_eq!(first(stream::iter([Box::<[u8]>::from(*b"[")])), expected);
    assert_eq!(
        first(stream::iter([Cow::Borrowed(b"[".as_slice())])),
        expected
    );
    assert_eq!(first(stream::iter([Rc::<[u8]>::from(*b"[")])), expected);
}

#[test]
fn chunks_are_fragments() {
    let snapshots = [
        r#"{"a":"x"}"#,
        r#"{"b":[],"a":"xy"}"#,
        r#"{"a":"xy","b":[1]}"#,
    ];
    let there_and_back = stream::iter(snapshots).json_chunks().json_snapshots();
    let expected = [
        r#"{"a":"x"}"#,
        r#"{"a":"xy","b":[]}"#,
        r#"{"a":"xy","b":[1]}"#,
    ];
    assert_eq!(block_on(there_and_back.collect::<Vec<_>>()), expected);
}

#[test]
fn a_type_that_is_not_there_yet_is_waited_for() {
    let fragments = [
        "{",
        r#""nights":1"#,
        r#"2,"title"#,
        "\":",
        "\"Th",
        "ree\"",
        "}",
    ];
    let mut trips = spawn(stream::iter(fragments).json_partials::<Trip>());
    assert_ready_eq!(trips.poll_next(), Some(trip("Th", Some(12))));
    assert_ready_eq!(trips.poll_next(), Some(trip("Three", Some(12))));
    assert_ready_eq!(trips.poll_next(), None);
    assert!(trips.report().is_clean());
}

#[test]
fn types_see_unfinished_values_as_they_are_told_to() {
    let fragments = [r#"{"title":"T"#, r#"o","nights":1"#, "2", "}"];
    let partials = Partials::complete_only().strings(Partial::Zero);
    let trips = stream::iter(fragments).json_partials_with(Parser::new(), partials);
    let trips: Vec<Trip> = block_on(trips.collect());
    assert_eq!(
        trips,
        [trip("", None), trip("To", None), trip("To", Some(12))]
    );
}

#[test]
fn a_call_is_named_while_its_arguments_are_awaited() {
    let (fragments, inner) = mpsc::unbounded_channel();
    let inner = UnboundedReceiverStream::new(inner);
    let mut events = spawn(inner.tool_calls(ToolCallShape::plain()));
    fragments.send(r#"[{"name":"re"#).unwrap();
    assert_pending!(events.poll_next());
    fragments.send(r#"ad","arguments":{"path":"#).unwrap();
    assert!(events.is_woken());
    match assert_ready!(events.poll_next()) {
        Some(ToolCallEvent::Named { index, id, name }) => {
            assert_eq!((index, id, name.as_str()), (0, None, "read"));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(events.size_hint(), (1, None));
    assert_ready!(events.poll_next());
    assert_pending!(events.poll_next());

    fragments
        .send(r#""/"}},{"name":"rest","arguments":{}}]"#)
        .unwrap();
    drop(fragments);
    let mut calls = Vec::new();
    while let Some(event) = assert_ready!(events.poll_next()) {
        if let ToolCallEvent::Completed(call) = event {
            calls.push((call.name().to_owned(), call.arguments().to_owned()));
        }
    }
    let expected = [("read", r#"{"path":"/"}"#), ("rest", "{}")];
    assert_eq!(
        calls,
        expected.map(|(name, arguments)| (name.to_owned(), arguments.to_owned()))
    );
    assert!(events.report().is_clean());
}

#[test]
fn calls_are_those_of_the_detector_however_the_text_is_split() {
    let text = r#"[{"id":7,"name":"é","arguments":[1]},{"x":{}}]"#.as_bytes();
    for split in 0..=text.len() {
        let fragments = [&text[..split], &text[split..]];
        let mut detector = ToolCallDetector::new(ToolCallShape::plain());
        let mut expected = Vec::new();
        for fragment in fragments {
            expected.extend(detector.push(fragment).unwrap());
        }
        expected.extend(detector.finish().unwrap());
        let events = stream::iter(fragments).tool_calls(ToolCallShape::plain());
        assert_eq!(block_on(events.collect::<Vec<_>>()), expected);
        let events = stream::iter(fragments.map(Ok::<_, ()>));
        let events = events.try_tool_calls(ToolCallShape::plain());
        let expected: Vec<_> = expected.into_iter().map(Ok).collect();
        assert_eq!(block_on(events.collect::<Vec<_>>()), expected);
    }
}

#[test]
fn of_several_values_each_is_an_item() {
    let fragments = ["1", "0 ", "10\n[", "2]\n\n", "[2][3]", "{\"a\":", "4}"];
    let several = || Parser::new().several_values(true);
    let all = stream::iter(fragments).json_snapshots_with(several(), Partials::default());
    let all: Vec<_> = block_on(all.collect());
    assert_eq!(
        all,
        [
            "1",
            "10",
            "10",
            "[]",
            "[2]",
            "[2]",
            "[3]",
            "{}",
            r#"{"a":4}"#
        ]
    );

    let whole = Partials::complete_only()
        .arrays(Partial::Omitted)
        .objects(Partial::Omitted);
    let whole = stream::iter(fragments).json_snapshots_with(several(), whole);
    let whole: Vec<_> = block_on(whole.collect());
    assert_eq!(whole, ["10", "10", "[2]", "[2]", "[3]", r#"{"a":4}"#]);
}

#[test]
fn a_null_is_a_snapshot_but_nothing_is_none() {
    let all = stream::iter(["null"]).json_snapshots();
    assert_eq!(block_on(all.collect::<Vec<_>>()), ["null"]);
    let hidden = Partials::default().strings(Partial::Omitted);
    let hidden = stream::iter(["\"a", "b\""]).json_snapshots_with(Parser::new(), hidden);
    assert_eq!(block_on(hidden.collect::<Vec<_>>()), ["\"ab\""]);
}

#[test]
fn both_kinds_of_adapters_are_at_hand_together() {
    let texts = || stream::iter(["[]".to_owned()]);
    assert_eq!(block_on(texts().json_chunks().collect::<String>()), "[]");
    assert_eq!(block_on(texts().json_snapshots().collect::<String>()), "[]");
    let results = texts().map(Ok::<_, StreamError<()>>);
    let snapshot = block_on(results.try_json_snapshots().next());
    assert_eq!(snapshot, Some(Ok("[]".to_owned())));
}
