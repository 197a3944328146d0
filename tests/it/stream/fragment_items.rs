//! What the adapters over fragments yield: snapshots, events, typed values, tool calls.

use std::borrow::Cow;
use std::rc::Rc;

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::{self, Stream};
use json_chunks::stream::{
    FragmentStreamExt, MachineStreamExt, OwnedChange, OwnedEvent, PartialReader, SnapshotReader,
    SnapshotStreamExt, StreamError, TryFragmentStreamExt,
};
use json_chunks::tool_call::{ToolCallDetector, ToolCallEvent, ToolCallShape};
use json_chunks::{Kind, Parser, Partial, PartialMode, PartialPolicy};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready, assert_ready_eq};

/// The texts of snapshots, complete or not.
async fn texts(snapshots: impl Stream<Item = Partial<String>>) -> Vec<String> {
    snapshots.map(|snapshot| snapshot.value).collect().await
}

fn event(path: &str, change: OwnedChange) -> (String, OwnedChange) {
    (path.to_owned(), change)
}

fn describe(event: OwnedEvent) -> (String, OwnedChange) {
    (event.path, event.change)
}

fn appended(text: &str) -> OwnedChange {
    OwnedChange::Appended(text.to_owned())
}

fn completed(value: &str) -> OwnedChange {
    OwnedChange::Completed(Some(value.to_owned()))
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
fn end_of_stream_completes_a_number() {
    let mut events = spawn(stream::iter(["1", "2"]).json_events());
    for expected in [
        OwnedChange::Started(Kind::Number),
        appended("1"),
        appended("2"),
    ] {
        assert_ready_eq!(
            events.poll_next().map(|event| event.map(describe)),
            Some(event("", expected))
        );
    }
    let last = assert_ready!(events.poll_next()).map(describe);
    assert_eq!(last, Some(event("", completed("12"))));
    assert_ready_eq!(events.poll_next(), None);

    let numbers = stream::iter(["-", "1", "2"]);
    let numbers = numbers
        .through(SnapshotReader::new(Parser::new()).partial_policy(PartialPolicy::complete_only()));
    let expected = [Partial::complete("-12".to_owned())];
    assert_eq!(block_on(numbers.collect::<Vec<_>>()), expected);
}

#[test]
fn one_fragment_may_yield_several_events() {
    let mut events = spawn(stream::iter([r#"{"a":["x",true"#, "]}"]).json_events());
    let started = OwnedChange::Started;
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
            events.poll_next().map(|event| event.map(describe)),
            Some(expected)
        );
    }
    assert_eq!(events.size_hint().0, 0, "nothing is left of it");
    for path in ["/a", ""] {
        let expected = event(path, OwnedChange::Completed(None));
        assert_ready_eq!(
            events.poll_next().map(|event| event.map(describe)),
            Some(expected)
        );
    }
    assert_ready_eq!(events.poll_next(), None);
}

#[test]
fn fragments_may_split_a_character() {
    let bytes = "[\"中é😀\"]".as_bytes();
    let fragments = bytes.iter().map(std::slice::from_ref);
    let snapshots = block_on(texts(stream::iter(fragments).json_snapshots()));
    let expected = ["[]", r#"[""]"#, r#"["中"]"#, r#"["中é"]"#, r#"["中é😀"]"#];
    assert_eq!(snapshots[..5], expected);
    assert_eq!(snapshots[5..], [r#"["中é😀"]"#], "again, now complete");
}

#[test]
fn fragments_may_be_bytes_or_text_of_any_kind() {
    fn first<S: FragmentStreamExt>(fragments: S) -> Option<Partial<String>> {
        assert_ready!(spawn(fragments.json_snapshots()).poll_next())
    }
    let expected = Some(Partial::incomplete("[]".to_owned()));
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
        r#"{"a":"xy","b":[1]}"#,
    ];
    assert_eq!(block_on(texts(there_and_back)), expected);
}

#[test]
fn undeserializable_prefixes_are_skipped() {
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
    let th = Partial::incomplete(trip("Th", Some(12)));
    assert_ready_eq!(trips.poll_next(), Some(th));
    let three = || trip("Three", Some(12));
    assert_ready_eq!(trips.poll_next(), Some(Partial::incomplete(three())));
    assert_ready_eq!(trips.poll_next(), Some(Partial::complete(three())));
    assert_ready_eq!(trips.poll_next(), None);
    assert!(trips.report().is_clean());
}

#[test]
fn typed_partials_follow_the_policy() {
    let fragments = [r#"{"title":"T"#, r#"o","nights":1"#, "2", "}"];
    let partials = PartialPolicy::complete_only().strings(PartialMode::Zero);
    let trips =
        stream::iter(fragments).through(PartialReader::new(Parser::new()).partial_policy(partials));
    let trips: Vec<Partial<Trip>> = block_on(trips.collect());
    assert_eq!(
        trips,
        [
            Partial::incomplete(trip("", None)),
            Partial::incomplete(trip("To", None)),
            Partial::complete(trip("To", Some(12)))
        ]
    );
}

#[test]
fn call_starts_before_its_arguments() {
    let (fragments, inner) = mpsc::unbounded_channel();
    let inner = UnboundedReceiverStream::new(inner);
    let mut events = spawn(inner.tool_calls(ToolCallShape::plain()));
    fragments.send(r#"[{"name":"re"#).unwrap();
    assert_pending!(events.poll_next());
    fragments.send(r#"ad","arguments":{"path":"#).unwrap();
    assert!(events.is_woken());
    match assert_ready!(events.poll_next()) {
        Some(ToolCallEvent::Started { index, id, name }) => {
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
fn calls_equal_those_of_the_detector_for_any_split() {
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
fn each_of_multiple_values_is_an_item() {
    let fragments = ["1", "0 ", "10\n[", "2]\n\n", "[2][3]", "{\"a\":", "4}"];
    let several = || Parser::new().multiple_values(true);
    let all = stream::iter(fragments).through(SnapshotReader::new(several()));
    let all: Vec<_> = block_on(all.collect());
    let partial = |text: &str| Partial::incomplete(text.to_owned());
    let complete = |text: &str| Partial::complete(text.to_owned());
    assert_eq!(
        all,
        [
            partial("1"),
            complete("10"),
            complete("10"),
            partial("[]"),
            complete("[2]"),
            complete("[2]"),
            complete("[3]"),
            partial("{}"),
            complete(r#"{"a":4}"#)
        ]
    );

    let whole = PartialPolicy::complete_only()
        .arrays(PartialMode::Omit)
        .objects(PartialMode::Omit);
    let whole =
        stream::iter(fragments).through(SnapshotReader::new(several()).partial_policy(whole));
    let whole = block_on(texts(whole));
    assert_eq!(whole, ["10", "10", "[2]", "[2]", "[3]", r#"{"a":4}"#]);
}

#[test]
fn null_is_a_snapshot_and_empty_text_is_not() {
    let all = stream::iter(["null"]).json_snapshots();
    let null = Partial::complete("null".to_owned());
    assert_eq!(block_on(all.collect::<Vec<_>>()), [null]);
    let hidden = PartialPolicy::default().strings(PartialMode::Omit);
    let hidden = stream::iter(["\"a", "b\""])
        .through(SnapshotReader::new(Parser::new()).partial_policy(hidden));
    let expected = [Partial::complete("\"ab\"".to_owned())];
    assert_eq!(block_on(hidden.collect::<Vec<_>>()), expected);
}

#[test]
fn both_extension_traits_work_together() {
    let texts = || stream::iter(["[]".to_owned()]);
    assert_eq!(block_on(texts().json_chunks().collect::<String>()), "[]");
    let complete = Partial::complete("[]".to_owned());
    let snapshot = block_on(texts().json_snapshots().next());
    assert_eq!(snapshot, Some(complete.clone()));
    let results = texts().map(Ok::<_, StreamError<()>>);
    let snapshot = block_on(results.try_json_snapshots().next());
    assert_eq!(snapshot, Some(Ok(complete)));
}
