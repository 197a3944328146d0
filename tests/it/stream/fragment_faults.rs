//! Invalid fragments, upstream errors and values of another type: yielded, logged, counted.

use std::error::Error as _;

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::{self, FusedStream, Stream};
use json_chunks::stream::{
    EventReader, FragmentStreamExt, MachineStreamExt, PartialReader, SnapshotReader, StreamError,
    TryFragmentStreamExt,
};
use json_chunks::tool_call::{ToolCallDetector, ToolCallEvent, ToolCallShape};
use json_chunks::{Error, ErrorKind, Limits, Parser, Partial};
use tokio_test::task::{Spawn, spawn};
use tokio_test::{assert_pending, assert_ready, assert_ready_eq};

/// The kind and offset of an error of this crate.
fn fault<T: std::fmt::Debug, E: std::fmt::Debug>(
    item: Option<Result<T, StreamError<E>>>,
) -> (ErrorKind, usize) {
    match item {
        Some(Err(StreamError::Json(error))) => (error.kind(), error.offset()),
        other => panic!("{other:?}"),
    }
}

/// The error after items of the same poll, which is preceded by `Pending` and a wake-up.
fn error_after_items<S: Stream<Item: std::fmt::Debug>>(stream: &mut Spawn<S>) -> Option<S::Item> {
    assert_pending!(stream.poll_next());
    assert!(stream.is_woken());
    assert_ready!(stream.poll_next())
}

/// Snapshots of an incomplete text.
fn partial(text: &str) -> Partial<String> {
    Partial::incomplete(text.to_owned())
}

#[test]
fn items_before_an_error_are_yielded_first() {
    let fragments = ["[1,2", "3,4!", ",5]"];
    let mut snapshots = spawn(stream::iter(fragments).json_snapshots());
    for expected in ["[1,2]", "[1,23,4]"] {
        assert_ready_eq!(snapshots.poll_next(), Some(partial(expected)));
    }
    assert_ready_eq!(snapshots.poll_next(), None);
    assert!(snapshots.is_terminated());
    assert_eq!(
        snapshots.get_ref().size_hint().0,
        1,
        "the rest is not taken"
    );
    let report = snapshots.report();
    assert_eq!((report.accepted(), report.skipped()), (1, 1));
    assert_eq!(report.ended_by(), Some(ErrorKind::Syntax));
    assert!(!report.is_clean());

    let fragments = fragments.map(Ok::<_, ()>);
    let mut snapshots = spawn(stream::iter(fragments).try_json_snapshots());
    for expected in ["[1,2]", "[1,23,4]"] {
        assert_ready_eq!(snapshots.poll_next(), Some(Ok(partial(expected))));
    }
    assert_eq!(
        snapshots.size_hint(),
        (1, Some(1)),
        "the error is certain to come"
    );
    let error = error_after_items(&mut snapshots);
    assert_eq!(fault(error), (ErrorKind::Syntax, 7));
    assert_ready_eq!(snapshots.poll_next(), None);
    assert_ready_eq!(snapshots.poll_next(), None);
}

#[test]
fn events_before_an_error_are_yielded_first() {
    let events: Vec<_> = block_on(stream::iter(["[true,x"]).json_events().collect());
    let paths: Vec<_> = events.iter().map(|event| event.path.as_str()).collect();
    assert_eq!(paths, ["", "/0", "/0"]);
}

#[test]
fn truncated_text_is_an_error_at_the_end() {
    let mut snapshots = stream::iter(["[1,", "\"x"]).json_snapshots();
    let texts: Vec<_> = block_on(snapshots.by_ref().collect());
    assert_eq!(texts, [partial("[1]"), partial(r#"[1,"x"]"#)]);
    let report = snapshots.report();
    assert_eq!((report.accepted(), report.skipped()), (2, 0));
    assert_eq!(report.ended_by(), Some(ErrorKind::Incomplete));

    let fragments = [Ok::<_, ()>("[1,"), Ok("\"x")];
    let items: Vec<_> = block_on(stream::iter(fragments).try_json_snapshots().collect());
    assert_eq!(items.len(), 3);
    assert_eq!(fault(items.into_iter().nth(2)), (ErrorKind::Incomplete, 5));
}

#[test]
fn empty_text_is_truncated_unless_multiple_values() {
    let nothing = || stream::empty::<Result<&str, ()>>();
    let mut one = nothing().try_json_events();
    assert_eq!(fault(block_on(one.next())), (ErrorKind::Incomplete, 0));
    let mut several = nothing().try_through(EventReader::new(Parser::new().multiple_values(true)));
    assert_eq!(block_on(several.next()), None);
    assert!(several.report().is_clean());
}

#[test]
fn exceeded_limit_ends_the_stream() {
    let limits = Limits::default().max_depth(2);
    let parser = Parser::new().limits(limits);
    let mut snapshots = stream::iter(["[[", "["]).through(SnapshotReader::new(parser.clone()));
    let nested = [partial("[[]]")];
    assert_eq!(block_on(snapshots.by_ref().collect::<Vec<_>>()), nested);
    assert_eq!(snapshots.report().ended_by(), Some(ErrorKind::TooDeep));

    let fragments = stream::iter(["[[", "["].map(Ok::<_, ()>));
    let mut events = fragments.try_through(EventReader::new(parser));
    assert!(block_on(
        events.by_ref().take(2).all(async |event| event.is_ok())
    ));
    assert_eq!(fault(block_on(events.next())), (ErrorKind::TooDeep, 2));
}

#[test]
fn invalid_utf8_ends_the_stream() {
    let fragments = [b"[\"a".as_slice(), b"\xff", b"\"]"].map(Ok::<_, ()>);
    let items: Vec<_> = block_on(stream::iter(fragments).try_json_snapshots().collect());
    assert_eq!(items[0], Ok(partial(r#"["a"]"#)));
    assert_eq!(items.len(), 2);
    let Err(StreamError::Json(error)) = &items[1] else {
        panic!("{:?}", items[1])
    };
    assert_eq!(error.to_string(), "invalid UTF-8 at byte 3");
}

#[test]
fn upstream_errors_are_yielded_in_place_and_end_nothing() {
    let fragments = [
        Err("at the start"),
        Ok("[1"),
        Err("inside of 12"),
        Ok("2]"),
        Err("behind"),
    ];
    let mut snapshots = spawn(stream::iter(fragments).try_json_snapshots());
    let upstream = |error| Some(Err(StreamError::Upstream(error)));
    assert_ready_eq!(snapshots.poll_next(), upstream("at the start"));
    assert_ready_eq!(snapshots.poll_next(), Some(Ok(partial("[1]"))));
    assert_eq!(error_after_items(&mut snapshots), upstream("inside of 12"));
    let complete = Partial::complete("[12]".to_owned());
    assert_ready_eq!(snapshots.poll_next(), Some(Ok(complete)));
    assert_eq!(error_after_items(&mut snapshots), upstream("behind"));
    assert_ready_eq!(snapshots.poll_next(), None);
    assert!(snapshots.report().is_clean());
}

#[test]
fn complete_value_of_another_type_is_an_error_but_not_the_end() {
    let several = || Parser::new().multiple_values(true);
    let fragments = ["[1", "2]\n[1,\"", "x\"]\n", "{\"secret\":1}[3]"];
    let inner = stream::iter(fragments);
    let mut lists = inner.through(PartialReader::<Vec<u8>>::new(several()));
    let items: Vec<_> = block_on(lists.by_ref().collect());
    let expected = [
        Partial::incomplete(vec![1]),
        Partial::complete(vec![12]),
        // The element that is no `u8` may not be one yet.
        Partial::incomplete(vec![1]),
        Partial::complete(vec![3]),
    ];
    assert_eq!(items, expected);
    assert_eq!(
        (lists.report().mismatches(), lists.report().ended_by()),
        (2, None)
    );
    assert!(!lists.report().is_clean());

    let inner = stream::iter(fragments.map(Ok::<_, Error>));
    let lists = inner.try_through(PartialReader::<Vec<u8>>::new(several()));
    let items: Vec<_> = block_on(lists.collect());
    assert_eq!(items.len(), 6);
    let Err(error @ StreamError::Value(value)) = &items[4] else {
        panic!("{:?}", items[4])
    };
    assert!(!error.to_string().contains("secret"));
    assert_eq!(value.pointer(), "");
    assert_eq!(items[5], Ok(Partial::complete(vec![3])));
}

#[test]
fn value_that_never_deserializes_is_reported() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Point {
        x: u8,
        y: u8,
    }
    // The text is the same before and after its completion.
    let fragments = stream::iter(["{\"x\":1", "}"].map(Ok::<_, ()>));
    let items: Vec<_> = block_on(fragments.try_json_partials::<Point>().collect());
    let [Err(StreamError::Value(error))] = &items[..] else {
        panic!("{items:?}")
    };
    assert_eq!(error.to_string(), "missing field `y`");
    let source = items[0].as_ref().unwrap_err();
    let source: StreamError<Error> = source.clone().map_upstream(|()| unreachable!());
    assert_eq!(source.source().unwrap().to_string(), "missing field `y`");
}

/// The events of calls, one word each.
fn word<E>(item: &Result<ToolCallEvent, StreamError<E>>) -> &'static str {
    match item {
        Ok(ToolCallEvent::Started { .. }) => "named",
        Ok(ToolCallEvent::ArgumentsDelta { .. }) => "delta",
        Ok(ToolCallEvent::Completed(_)) => "completed",
        Ok(ToolCallEvent::Failed { .. }) => "failed",
        Ok(_) => "other",
        Err(StreamError::Json(_)) => "error",
        Err(_) => "other error",
    }
}

#[test]
fn call_in_truncated_text_fails() {
    let whole = r#"[{"name":"read","arguments":{}},"#;
    for (rest, kind) in [
        (
            r#"{"name":"remove","arguments":{"path":"/"#,
            ErrorKind::Incomplete,
        ),
        (
            r#"{"name":"remove","arguments":{"path":"/"!"#,
            ErrorKind::Syntax,
        ),
    ] {
        let fragments = [whole, rest].map(Ok::<_, ()>);
        let mut events = stream::iter(fragments).try_tool_calls(ToolCallShape::plain());
        let items: Vec<_> = block_on(events.by_ref().collect());
        let words: Vec<_> = items.iter().map(word).collect();
        let expected = [
            "named",
            "delta",
            "completed",
            "named",
            "delta",
            "failed",
            "error",
        ];
        assert_eq!(words, expected);
        assert_eq!(events.report().ended_by(), Some(kind));

        let events = stream::iter([whole, rest]).tool_calls(ToolCallShape::plain());
        let words: Vec<_> = block_on(
            events
                .map(|event| word(&Ok::<_, StreamError<()>>(event)))
                .collect(),
        );
        assert_eq!(words, expected[..6]);
    }
}

#[test]
fn limits_hold_for_tool_calls() {
    let limits = Limits::default().max_document_bytes(20);
    let detector = ToolCallDetector::new(ToolCallShape::plain()).limits(limits);
    let text = r#"{"name":"remove","arguments":{}}"#;
    let mut events = stream::iter([text]).through(detector);
    let events_before = block_on(events.by_ref().collect::<Vec<_>>());
    assert!(
        !events_before
            .iter()
            .any(|event| matches!(event, ToolCallEvent::Completed(_)))
    );
    assert_eq!(events.report().ended_by(), Some(ErrorKind::TooLarge));
}

#[test]
fn polling_after_an_error_yields_none() {
    fn check<T: std::fmt::Debug>(items: impl FusedStream<Item = T> + Unpin) {
        let mut items = spawn(items);
        while block_on(items.next()).is_some() {}
        for _ in 0..3 {
            assert!(items.is_terminated());
            assert!(assert_ready!(items.poll_next()).is_none());
        }
    }
    let broken = || stream::iter(["[", "?", "]"]).chain(stream::pending());
    check(broken().json_snapshots());
    check(broken().json_events());
    check(broken().json_deltas());
    check(broken().json_patches());
    check(broken().json_partials::<Vec<u8>>());
    check(broken().tool_calls(ToolCallShape::plain()));
    check(broken().map(Ok::<_, ()>).try_json_snapshots());
    check(broken().map(Ok::<_, ()>).try_json_events());
    check(broken().map(Ok::<_, ()>).try_json_deltas());
    check(broken().map(Ok::<_, ()>).try_json_patches());
    check(broken().map(Ok::<_, ()>).try_json_partials::<Vec<u8>>());
    check(
        broken()
            .map(Ok::<_, ()>)
            .try_tool_calls(ToolCallShape::plain()),
    );
}

#[cfg(all(feature = "tracing", feature = "std"))]
mod log {
    //! What goes to `tracing`.

    use futures::Stream;
    use tracing::Level;

    use super::super::journal::logged_at;
    use super::{
        FragmentStreamExt, MachineStreamExt, Parser, PartialReader, TryFragmentStreamExt, stream,
    };

    fn warnings<S: Stream>(items: S) -> Vec<String> {
        logged_at(Level::WARN, items)
    }

    #[test]
    fn fatal_error_is_logged_once() {
        let expected = ["message=stream ended early kind=Syntax offset=1 \
             error=expected a value or ']' at byte 1"];
        assert_eq!(
            warnings(stream::iter(["[", "!", "!"]).json_snapshots()),
            expected
        );
        assert_eq!(
            warnings(stream::iter(["[", "!", "!"]).json_events()),
            expected
        );
        assert_eq!(
            warnings(stream::iter(["["]).json_snapshots()),
            ["message=stream ended early kind=Incomplete offset=1 \
              error=unexpected end of JSON at byte 1"]
        );
    }

    #[test]
    fn value_of_another_type_is_logged_without_payload() {
        let values = stream::iter(["\"hunter2\"\n\"swordfish\""]);
        let parser = Parser::new().multiple_values(true);
        let values = values.through(PartialReader::<u8>::new(parser));
        assert_eq!(
            warnings(values),
            ["message=complete value is not of the type asked for"; 2]
        );
    }

    #[test]
    fn yielded_errors_are_not_logged() {
        let fragments = || stream::iter(["[", "!"].map(Ok::<_, ()>));
        let none: [&str; 0] = [];
        assert_eq!(warnings(fragments().try_json_snapshots()), none);
        assert_eq!(warnings(fragments().try_json_events()), none);
        assert_eq!(warnings(fragments().try_json_partials::<u8>()), none);
    }
}
