//! The hint of what is wrong with a stream: in the report and, once, in the log.

use futures::executor::block_on;
use futures::{StreamExt, stream};
use json_chunks::stream::{
    FragmentStreamExt, SnapshotStreamExt, TryFragmentStreamExt, TrySnapshotStreamExt,
};
use json_chunks::tool_call::{ToolCallDetector, ToolCallEvent, ToolCallShape};

const USE_FRAGMENTS: &str = "if the stream yields pieces of one text, use `json_snapshots`";
const USE_CHUNKS: &str =
    "the same call again? of snapshots, pass on the text: `json_chunks` before `tool_calls`";

const PAYMENTS: [&str; 3] = [
    r#"{"name":"pay","arguments":{"to":"bo"}}"#,
    r#"{"name":"pay","arguments":{"to":"bob"}}"#,
    r#"{"name":"pay","arguments":{"to":"bob","amount":10}}"#,
];

fn hint_of(values: &[&str], shape: ToolCallShape) -> Option<&'static str> {
    let mut detector = ToolCallDetector::new(shape);
    for value in values {
        let _ = detector.push(value).unwrap();
    }
    detector.hint()
}

#[test]
fn snapshots_of_a_call_have_a_hint() {
    let plain = ToolCallShape::plain;
    assert_eq!(hint_of(&PAYMENTS, plain()), Some(USE_CHUNKS));
    // Arguments in a string, and arrays of calls.
    let in_text = [
        r#"[{"name":"pay","arguments":"{\"to\":\"bob\"}"}]"#,
        r#"[{"name":"pay","arguments":"{\"to\":\"bob\",\"amount\":1}"},{"name":"log","arguments":{}}]"#,
    ];
    assert_eq!(hint_of(&in_text, plain()), Some(USE_CHUNKS));
    // An id is enough, whatever the rest is.
    let ids = [
        r#"{"type":"tool_use","id":"t1","name":"read","input":{}}"#,
        "\n",
        r#"{"input":{"path":"/"},"type":"tool_use","id":"t1","name":"read"}"#,
    ];
    assert_eq!(hint_of(&ids, ToolCallShape::anthropic()), Some(USE_CHUNKS));
}

#[test]
fn several_calls_have_no_hint() {
    for calls in [
        // JSON Lines with one call a line.
        [
            r#"{"name":"read","arguments":{"path":"/a"}}"#,
            "\n",
            r#"{"name":"read","arguments":{"path":"/a/b"}}"#,
        ],
        // Other arguments, another name, another id.
        [
            r#"{"name":"read","arguments":{"path":"/a"}}"#,
            "",
            r#"{"name":"read","arguments":{"path":"/b"}}"#,
        ],
        [
            r#"{"name":"read","arguments":{"path":"/a"}}"#,
            "",
            r#"{"name":"stat","arguments":{"path":"/a"}}"#,
        ],
        [
            r#"{"id":1,"name":"read","arguments":{"p":1}}"#,
            "",
            r#"{"id":2,"name":"read","arguments":{"p":1}}"#,
        ],
        // In one value.
        [
            r#"[{"name":"read","arguments":{"p":1}},"#,
            "",
            r#"{"name":"read","arguments":{"p":1}}]"#,
        ],
    ] {
        assert_eq!(hint_of(&calls, ToolCallShape::plain()), None, "{calls:?}");
    }
}

#[test]
fn snapshots_of_a_call_complete_once_as_chunks() {
    let fragments = stream::iter(PAYMENTS).json_chunks();
    let events: Vec<_> = block_on(fragments.tool_calls(ToolCallShape::plain()).collect());
    let completed = events
        .iter()
        .filter(|event| matches!(event, ToolCallEvent::Completed(_)));
    assert_eq!(completed.count(), 1);
}

#[test]
fn reports_have_the_hint_of_the_last_fault() {
    let mut calls = stream::iter(PAYMENTS).tool_calls(ToolCallShape::plain());
    block_on(calls.by_ref().for_each(async |_| ()));
    assert_eq!(calls.report().hint(), Some(USE_CHUNKS));
    assert_eq!(
        calls.report().to_string(),
        format!("3 accepted ({USE_CHUNKS})")
    );

    let calls = stream::iter(PAYMENTS.map(Ok::<_, ()>));
    let mut calls = calls.try_tool_calls(ToolCallShape::plain());
    block_on(calls.by_ref().for_each(async |_| ()));
    assert_eq!(calls.report().hint(), Some(USE_CHUNKS));

    let mut chunks = stream::iter([r#"{"a": "#, "12"]).json_chunks();
    block_on(chunks.by_ref().for_each(async |_| ()));
    assert_eq!(
        chunks.report().to_string(),
        format!("1 accepted, 1 skipped ({USE_FRAGMENTS})")
    );

    let chunks = stream::iter([Ok::<_, ()>(r#"{"a": "#), Ok("12")]);
    let mut chunks = chunks.try_json_chunks();
    block_on(chunks.by_ref().for_each(async |_| ()));
    assert_eq!(chunks.report().hint(), Some(USE_FRAGMENTS));

    let mut snapshots = stream::iter(["[1] [2]"]).json_snapshots();
    block_on(snapshots.by_ref().for_each(async |_| ()));
    let report = snapshots.report().to_string();
    let start =
        "0 accepted, 1 skipped, ended by syntax error (several values? see `multiple_values`";
    assert!(report.starts_with(start), "{report}");
    let clean = stream::iter(["[1]"]).json_snapshots();
    assert_eq!(
        (clean.report().hint(), clean.report().to_string().as_str()),
        (None, "0 accepted")
    );
}

#[test]
fn later_pieces_of_a_text_do_not_replace_the_hint() {
    let text = r#"{"title": "Three Slow Days", "Note": "It was"}"#;
    for size in 1..text.len() {
        let pieces: Vec<&str> = text
            .as_bytes()
            .chunks(size)
            .map(|piece| str::from_utf8(piece).unwrap())
            .collect();
        let mut chunks = stream::iter(pieces).json_chunks();
        block_on(chunks.by_ref().for_each(async |_| ()));
        assert_eq!(chunks.report().hint(), Some(USE_FRAGMENTS), "{size}");
    }
}

#[cfg(all(feature = "tracing", feature = "std"))]
mod log {
    //! What is logged at `error`.

    use std::fmt::Debug;
    use std::sync::{Arc, Mutex};

    use futures::Stream;
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

    use super::*;

    #[derive(Clone, Default)]
    struct Errors(Arc<Mutex<Vec<String>>>);

    impl Subscriber for Errors {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            *metadata.level() == Level::ERROR
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, event: &Event<'_>) {
            event.record(&mut &*self);
        }
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    impl Visit for &Errors {
        fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
        fn record_str(&mut self, field: &Field, value: &str) {
            if field.name() == "hint" {
                self.0.lock().unwrap().push(value.to_owned());
            }
        }
    }

    fn hints(items: impl Stream) -> Vec<String> {
        let errors = Errors::default();
        tracing::subscriber::with_default(errors.clone(), || {
            block_on(items.for_each(async |_| ()));
        });
        let hints = errors.0.lock().unwrap();
        hints.clone()
    }

    #[test]
    fn piece_that_is_a_value_of_its_own_confirms_the_suspicion() {
        for pieces in [[r#"{"a": "#, "12"], ["[", "true"], [r#"{"a":"#, r#""x""#]] {
            assert_eq!(
                hints(stream::iter(pieces).json_chunks()),
                [USE_FRAGMENTS],
                "{pieces:?}"
            );
        }
        // One damaged snapshot, also the first one, is no mistake.
        for snapshots in [[r#"{"a":1"#, r#"{"a":1}"#], [" [1", "[1]"], ["nul", "null"]] {
            assert!(
                hints(stream::iter(snapshots).json_chunks()).is_empty(),
                "{snapshots:?}"
            );
        }
    }

    #[test]
    fn snapshots_of_a_call_are_logged_once() {
        let plain = ToolCallShape::plain;
        assert_eq!(
            hints(stream::iter(PAYMENTS).tool_calls(plain())),
            [USE_CHUNKS]
        );
        let results = stream::iter(PAYMENTS.map(Ok::<_, ()>));
        assert_eq!(hints(results.try_tool_calls(plain())), [USE_CHUNKS]);
    }

    #[test]
    fn prose_and_fences_are_logged_once() {
        let wrapped = "JSON inside other text? `repair` reads it out of prose and fences";
        for text in ["Here is the JSON: {}", "```json\n{}\n```"] {
            assert_eq!(hints(stream::iter([text]).json_events()), [wrapped]);
            assert_eq!(hints(stream::iter([text]).json_chunks()), [wrapped]);
        }
    }
}
