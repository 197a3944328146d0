//! Fragments that can't be used, upstream errors, values of another type: yielded, logged, counted.

#![cfg(feature = "stream")]

use std::error::Error as _;

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::{self, FusedStream, Stream as _};
use json_chunks::stream::{FragmentStreamExt, StreamError, TryFragmentStreamExt};
use json_chunks::{
    Error, ErrorKind, Limits, Parser, Partials, ToolCallDetector, ToolCallEvent, ToolCallShape,
};
use tokio_test::task::spawn;
use tokio_test::{assert_ready, assert_ready_eq};

/// The kind and the offset of a fault of ours.
fn fault<T: std::fmt::Debug, E: std::fmt::Debug>(
    item: Option<Result<T, StreamError<E>>>,
) -> (ErrorKind, usize) {
    match item {
        Some(Err(StreamError::Json(error))) => (error.kind(), error.offset()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_came_before_an_error_is_yielded_before_it() {
    let fragments = ["[1,2", "3,4!", ",5]"];
    let mut snapshots = spawn(stream::iter(fragments).json_snapshots());
    for expected in ["[1,2]", "[1,23,4]"] {
        assert_ready_eq!(snapshots.poll_next(), Some(expected.to_owned()));
    }
    assert_ready_eq!(snapshots.poll_next(), None);
    assert!(snapshots.is_terminated());
    assert_eq!(
        snapshots.get_ref().size_hint().0,
        1,
        "the rest is not taken"
    );
    let report = snapshots.report();
    assert_eq!((report.taken(), report.skipped()), (1, 1));
    assert_eq!(report.ended_by(), Some(ErrorKind::Syntax));
    assert!(!report.is_clean());

    let fragments = fragments.map(Ok::<_, ()>);
    let mut snapshots = spawn(stream::iter(fragments).try_json_snapshots());
    for expected in ["[1,2]", "[1,23,4]"] {
        assert_ready_eq!(snapshots.poll_next(), Some(Ok(expected.to_owned())));
    }
    assert_eq!(
        snapshots.size_hint(),
        (1, Some(1)),
        "the error is certain to come"
    );
    let error = assert_ready!(snapshots.poll_next());
    assert_eq!(fault(error), (ErrorKind::Syntax, 7));
    assert_ready_eq!(snapshots.poll_next(), None);
    assert_ready_eq!(snapshots.poll_next(), None);
}

#[test]
fn events_before_an_error_come_too() {
    let events: Vec<_> = block_on(stream::iter(["[true,x"]).json_events().collect());
    let paths: Vec<_> = events.iter().map(|event| event.path.as_str()).collect();
    assert_eq!(paths, ["", "/0", "/0"]);
}

#[test]
fn text_that_is_cut_off_is_an_error_at_the_end() {
    let mut snapshots = stream::iter(["[1,", "\"x"]).json_snapshots();
    let texts: Vec<_> = block_on(snapshots.by_ref().collect());
    assert_eq!(texts, ["[1]", r#"[1,"x"]"#]);
    let report = snapshots.report();
    assert_eq!((report.taken(), report.skipped()), (2, 0));
    assert_eq!(report.ended_by(), Some(ErrorKind::Incomplete));

    let fragments = [Ok::<_, ()>("[1,"), Ok("\"x")];
    let items: Vec<_> = block_on(stream::iter(fragments).try_json_snapshots().collect());
    assert_eq!(items.len(), 3);
    assert_eq!(fault(items.into_iter().nth(2)), (ErrorKind::Incomplete, 5));
}

#[test]
fn no_text_is_cut_off_text_unless_there_may_be_several() {
    let nothing = || stream::empty::<Result<&str, ()>>();
    let mut one = nothing().try_json_events();
    assert_eq!(fault(block_on(one.next())), (ErrorKind::Incomplete, 0));
    let mut several = nothing().try_json_events_with(Parser::new().several_values(true));
    assert_eq!(block_on(several.next()), None);
    assert!(several.report().is_clean());
}

#[test]
fn limits_end_the_stream() {
    let limits = Limits::default().max_depth(2);
    let parser = Parser::new().limits(limits);
    let mut snapshots =
        stream::iter(["[[", "["]).json_snapshots_with(parser.clone(), Partials::default());
    assert_eq!(block_on(snapshots.by_ref().collect::<Vec<_>>()), ["[[]]"]);
    assert_eq!(snapshots.report().ended_by(), Some(ErrorKind::TooDeep));

    let fragments = stream::iter(["[[", "["].map(Ok::<_, ()>));
    let mut events = fragments.try_json_events_with(parser);
    assert!(block_on(
        events.by_ref().take(2).all(async |event| event.is_ok())
    ));
    assert_eq!(fault(block_on(events.next())), (ErrorKind::TooDeep, 2));
}

#[test]
fn bytes_that_are_no_text_end_the_stream() {
    let fragments = [b"[\"a".as_slice(), b"\xff", b"\"]"].map(Ok::<_, ()>);
    let items: Vec<_> = block_on(stream::iter(fragments).try_json_snapshots().collect());
    assert_eq!(items[0], Ok(r#"["a"]"#.to_owned()));
    assert_eq!(items.len(), 2);
    let Err(StreamError::Json(error)) = &items[1] else {
        panic!("{:?}", items[1])
    };
    assert_eq!(error.to_string(), "not JSON at byte 3: not UTF-8");
}

#[test]
fn errors_of_the_inner_stream_come_in_their_place_and_end_nothing() {
    let fragments = [
        Err("at the start"),
        Ok("[1"),
        Err("inside of 12"),
        Ok("2]"),
        Err("behind"),
    ];
    let mut snapshots = spawn(stream::iter(fragments).try_json_snapshots());
    for expected in [
        Err("at the start"),
        Ok("[1]"),
        Err("inside of 12"),
        Ok("[12]"),
        Err("behind"),
    ] {
        let expected = expected.map(str::to_owned).map_err(StreamError::Upstream);
        assert_ready_eq!(snapshots.poll_next(), Some(expected));
    }
    assert_ready_eq!(snapshots.poll_next(), None);
    assert!(snapshots.report().is_clean());
}

#[test]
fn a_whole_value_of_another_type_is_an_error_but_not_the_end() {
    let several = || Parser::new().several_values(true);
    let fragments = ["[1", "2]\n[1,\"", "x\"]\n", "{\"secret\":1}[3]"];
    let inner = stream::iter(fragments);
    let mut lists = inner.json_partials_with::<Vec<u8>>(several(), Partials::default());
    let items: Vec<_> = block_on(lists.by_ref().collect());
    assert_eq!(items, [vec![1], vec![12], vec![3]]);
    assert_eq!(
        (lists.report().mismatches(), lists.report().ended_by()),
        (2, None)
    );
    assert!(!lists.report().is_clean());

    let inner = stream::iter(fragments.map(Ok::<_, ()>));
    let lists = inner.try_json_partials_with::<Vec<u8>>(several(), Partials::default());
    let items: Vec<_> = block_on(lists.collect());
    assert_eq!(items.len(), 5);
    let Err(error @ StreamError::Value(value)) = &items[3] else {
        panic!("{:?}", items[3])
    };
    assert!(!error.to_string().contains("secret"));
    assert_eq!(value.pointer(), "");
    assert_eq!(items[4], Ok(vec![3]));
}

#[test]
fn a_value_that_was_waited_for_in_vain_is_said_to_be_of_another_type() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Point {
        x: u8,
        y: u8,
    }
    // The text of it is the same before and after it is complete.
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

/// What is told of calls, in one word each.
fn word<E>(item: &Result<ToolCallEvent, StreamError<E>>) -> &'static str {
    match item {
        Ok(ToolCallEvent::Named { .. }) => "named",
        Ok(ToolCallEvent::ArgumentsDelta { .. }) => "delta",
        Ok(ToolCallEvent::Completed(_)) => "completed",
        Ok(ToolCallEvent::Failed { .. }) => "failed",
        Ok(_) => "other",
        Err(StreamError::Json(_)) => "error",
        Err(_) => "other error",
    }
}

#[test]
fn a_call_that_the_text_breaks_off_in_has_failed() {
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
    let mut events = stream::iter([text]).tool_calls_with(detector);
    let events_before = block_on(events.by_ref().collect::<Vec<_>>());
    assert!(
        !events_before
            .iter()
            .any(|event| matches!(event, ToolCallEvent::Completed(_)))
    );
    assert_eq!(events.report().ended_by(), Some(ErrorKind::TooLarge));
}

#[test]
fn polling_beyond_an_error_gives_nothing_more() {
    fn check<T: std::fmt::Debug>(items: impl FusedStream<Item = T> + Unpin) {
        let mut items = spawn(items);
        while assert_ready!(items.poll_next()).is_some() {}
        for _ in 0..3 {
            assert!(items.is_terminated());
            assert!(assert_ready!(items.poll_next()).is_none());
        }
    }
    let broken = || stream::iter(["[", "?", "]"]).chain(stream::pending());
    check(broken().json_snapshots());
    check(broken().json_events());
    check(broken().json_partials::<Vec<u8>>());
    check(broken().tool_calls(ToolCallShape::plain()));
    check(broken().map(Ok::<_, ()>).try_json_snapshots());
    check(broken().map(Ok::<_, ()>).try_json_events());
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

    use std::fmt::{Debug, Write as _};
    use std::sync::{Arc, Mutex};

    use futures::Stream;

    use super::{
        FragmentStreamExt, Parser, Partials, StreamExt, TryFragmentStreamExt, block_on, stream,
    };
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

    /// Keeps the warnings of this crate, all fields in one line.
    #[derive(Clone, Default)]
    struct Journal(Arc<Mutex<Vec<String>>>);

    impl Subscriber for Journal {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.target() == "json_chunks" && *metadata.level() == Level::WARN
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &Event<'_>) {
            struct Line(String);
            impl Visit for Line {
                fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
                    let space = if self.0.is_empty() { "" } else { " " };
                    write!(self.0, "{space}{field}={value:?}").expect("a string takes it");
                }
            }
            let mut line = Line(String::new());
            event.record(&mut line);
            self.0.lock().expect("no test panics here").push(line.0);
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    fn warnings<S: Stream>(items: S) -> Vec<String> {
        let journal = Journal::default();
        tracing::subscriber::with_default(journal.clone(), || {
            block_on(items.for_each(|_| std::future::ready(())));
        });
        let lines = journal.0.lock().expect("no test panics here");
        lines.clone()
    }

    #[test]
    fn the_end_of_a_stream_is_logged_once() {
        let expected = ["message=stream ended before its time kind=Syntax offset=1 \
             error=not JSON at byte 1: expected a value or ']'"];
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
            [
                "message=stream ended before its time kind=Incomplete offset=1 \
              error=not JSON at byte 1: the text ends too early"
            ]
        );
    }

    #[test]
    fn a_value_of_another_type_is_logged_without_payload() {
        let values = stream::iter(["\"hunter2\"\n\"swordfish\""]);
        let parser = Parser::new().several_values(true);
        let values = values.json_partials_with::<u8>(parser, Partials::default());
        assert_eq!(
            warnings(values),
            ["message=whole value is not of its type"; 2]
        );
    }

    #[test]
    fn what_is_yielded_as_an_error_is_not_logged_too() {
        let fragments = || stream::iter(["[", "!"].map(Ok::<_, ()>));
        let none: [&str; 0] = [];
        assert_eq!(warnings(fragments().try_json_snapshots()), none);
        assert_eq!(warnings(fragments().try_json_events()), none);
        assert_eq!(warnings(fragments().try_json_partials::<u8>()), none);
    }
}
