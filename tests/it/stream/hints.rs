//! Common mistakes: each gives a message that names the fix.

use std::convert::Infallible;
use std::fmt::Debug;

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::{self, Stream};
use json_chunks::entity::{EntityDetector, EntityMode};
use json_chunks::stream::{StreamError, TryFragmentStreamExt, TrySnapshotStreamExt};
use json_chunks::tool_call::ToolCallShape;
use json_chunks::value::RawJson;
use json_chunks::{Chunker, Parser};

const DOCUMENT: &str =
    r#"{"title": "Three \"slow\" days", "n": [3, -1.5e3, {}, true, null], "é": {"a": ""}}"#;

const SNAPSHOTS: [&str; 4] = [
    r#"{"title":"Three"}"#,
    r#"{"title":"Three slow","days":[]}"#,
    r#"{"title":"Three slow days","days":[3]}"#,
    r#"{"title":"Three slow days","days":[3],"ok":true}"#,
];

/// Bodies of streaming APIs.
const EVENT_STREAMS: [&str; 6] = [
    "data: {\"choices\":[{\"delta\":{\"content\":\"{\"}}]}\n\n",
    "data:{\"type\":\"ping\"}\r\n\r\n",
    "event: message_start\ndata: {}\n\n",
    "id: 7\ndata: {}\n\n",
    "retry: 500\n\n",
    ": keep-alive\n\n",
];

const USE_FRAGMENTS: &str = "if the stream yields pieces of one text, use `json_snapshots`";
const USE_SEVERAL: &str = "several values? see `multiple_values`; snapshots? see `json_chunks`";
const USE_DATA: &str = "server-sent events? pass on the text in their `data`, not the events";
const USE_REPAIR: &str = "JSON inside other text? `repair` reads it out of prose and fences";

/// Splits the text into pieces of `size` characters.
fn pieces(text: &str, size: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(size).map(String::from_iter).collect()
}

/// The text of the first error.
fn first_error<T: Debug, E: Debug + std::fmt::Display>(
    items: impl Stream<Item = Result<T, StreamError<E>>>,
) -> String {
    let items: Vec<_> = block_on(items.collect());
    let error = items.into_iter().find_map(Result::err);
    error.expect("an error").to_string()
}

/// The first error of every adapter that reads fragments. A tool call may be one of several values.
fn of_fragment_adapters(fragments: &[&str]) -> Vec<String> {
    let inner = || stream::iter(fragments.to_vec()).map(Ok::<_, Infallible>);
    let entities = EntityDetector::new(EntityMode::Realtime);
    vec![
        first_error(inner().try_json_snapshots()),
        first_error(inner().try_json_partials::<serde_json::Value>()),
        first_error(inner().try_json_events()),
        first_error(inner().try_json_deltas()),
        first_error(inner().try_json_patches()),
        first_error(inner().try_json_entities::<RawJson>(entities)),
        block_on(inner().try_json_final::<serde_json::Value>())
            .unwrap_err()
            .to_string(),
    ]
}

#[test]
fn mistakes_name_their_fixes() {
    let chunks = |items: &[&'static str]| {
        let items = stream::iter(items.to_vec()).map(Ok::<_, Infallible>);
        first_error(items.try_json_chunks())
    };
    let fragments = |items: &[&str]| of_fragment_adapters(items).swap_remove(0);
    for (mistake, message, fix) in [
        (
            "pieces of one text to `json_chunks`",
            chunks(&[r#"{"title": "Thr"#, r#"ee"}"#]),
            USE_FRAGMENTS,
        ),
        (
            "one text on several lines to `json_chunks`",
            chunks(&["{", "  \"title\": \"Three\"", "}"]),
            USE_FRAGMENTS,
        ),
        (
            "snapshots to `json_snapshots`",
            fragments(&SNAPSHOTS),
            "snapshots? see `json_chunks`",
        ),
        (
            "JSON Lines to `json_snapshots`",
            fragments(&["{\"id\":1}\n{\"id\":2}\n"]),
            "several values? see `multiple_values`",
        ),
        (
            "the body of an API to `json_snapshots`",
            fragments(&EVENT_STREAMS),
            USE_DATA,
        ),
        (
            "the body of an API to `json_chunks`",
            chunks(&EVENT_STREAMS),
            USE_DATA,
        ),
        (
            "prose before the JSON to `json_snapshots`",
            fragments(&["Here is ", "the JSON: {}"]),
            USE_REPAIR,
        ),
        (
            "a fenced block to `json_snapshots`",
            fragments(&["```", "json\n{}\n```"]),
            USE_REPAIR,
        ),
        (
            "a fenced block to `json_chunks`",
            chunks(&["```json\n{\"a\":1}\n```"]),
            USE_REPAIR,
        ),
        (
            "a reply that was cut off to `json_final`",
            of_fragment_adapters(&[r#"{"to": "bob", "amount": 10"#]).swap_remove(4),
            "unexpected end of JSON at byte 26",
        ),
    ] {
        assert!(message.contains(fix), "{mistake}: {message}");
    }
}

#[test]
fn pieces_of_every_size_are_recognized_by_the_chunker() {
    for text in [
        DOCUMENT,
        "[[1, 2], {\"a\": \"b\"}]",
        "\"Three slow days\"",
        " \n[1]",
    ] {
        for size in 1..text.chars().count() {
            let mut chunker = Chunker::new();
            let pieces = pieces(text, size);
            let pushed: Vec<_> = pieces.iter().map(|piece| chunker.push(piece)).collect();
            let error = pushed.into_iter().find_map(Result::err).unwrap();
            assert_eq!(error.hint(), Some(USE_FRAGMENTS), "{size} of {text}");
        }
    }
}

#[test]
fn damaged_snapshot_of_a_healthy_stream_has_no_hint() {
    for (index, snapshot) in SNAPSHOTS.iter().enumerate().skip(1) {
        for cut in 1..snapshot.len() {
            let mut chunker = Chunker::new();
            for before in &SNAPSHOTS[..index] {
                chunker.push(before).unwrap();
            }
            let damaged = snapshot.get(..cut).unwrap();
            let error = chunker.push(damaged).unwrap_err();
            assert_eq!(error.hint(), None, "{damaged}");
        }
    }
    for text in ["oops", "{]", "[1,]", "nul!", "{\"a\":1}}", "[1]\u{0}"] {
        let error = Chunker::new().push(text).unwrap_err();
        assert_eq!(error.hint(), None, "{text}");
    }
}

#[test]
fn snapshots_are_recognized_by_every_adapter_of_fragments() {
    for count in 2..=SNAPSHOTS.len() {
        for error in of_fragment_adapters(&SNAPSHOTS[..count]) {
            assert!(error.ends_with(&format!(" ({USE_SEVERAL})")), "{error}");
        }
    }
    for (text, hint) in [
        ("[1] [2]", Some(USE_SEVERAL)),
        ("[1] -2", Some(USE_SEVERAL)),
        ("[1] true", Some(USE_SEVERAL)),
        ("\"a\"\"ab\"", Some(USE_SEVERAL)),
        ("[1] }", None),
        ("[1] ,", None),
        ("[1]\n```", Some(USE_REPAIR)),
        ("[1]\nI hope this helps", Some(USE_REPAIR)),
        ("Sure! [1]", Some(USE_REPAIR)),
        ("the list: [1]", Some(USE_REPAIR)),
        ("<think>[1]", Some(USE_REPAIR)),
        ("# List", Some(USE_REPAIR)),
        ("是的", Some(USE_REPAIR)),
        ("[1,,]", None),
        ("tru]", Some(USE_REPAIR)),
        ("[tru]", None),
        ("}", None),
    ] {
        for at in 0..=text.len() {
            let mut parser = Parser::new();
            let (before, after) = text.as_bytes().split_at(at);
            let pushed = parser.push(before).map(drop);
            let error = pushed.and_then(|()| parser.push(after).map(drop));
            assert_eq!(error.unwrap_err().hint(), hint, "{text} split at {at}");
        }
    }
    // There is no such hint if multiple values are accepted.
    let mut parser = Parser::new().multiple_values(true);
    let error = parser.push("1true").unwrap_err();
    assert_eq!(error.hint(), None);
}

#[test]
fn event_stream_is_recognized_however_it_is_split() {
    for body in EVENT_STREAMS {
        for text in [
            body.to_owned(),
            format!("\u{FEFF}{body}"),
            format!("\n{body}"),
        ] {
            for size in 1..=text.chars().count() {
                let pieces = pieces(&text, size);
                let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
                for error in of_fragment_adapters(&pieces) {
                    assert!(error.ends_with(&format!(" ({USE_DATA})")), "{error}");
                }
                let calls = stream::iter(pieces).map(Ok::<_, Infallible>);
                let error = first_error(calls.try_tool_calls(ToolCallShape::openai()));
                assert!(error.ends_with(&format!(" ({USE_DATA})")), "{error}");
            }
            let error = Chunker::new().push(&text).unwrap_err();
            assert_eq!(error.hint(), Some(USE_DATA), "{text:?}");
        }
    }
    for text in ["Sure: {", "dates: [", "[data: 1]", "```json\n{"] {
        let error = Parser::new().push(text).unwrap_err();
        assert_ne!(error.hint(), Some(USE_DATA), "{text}");
    }
}

/// Entity events are written for clients; hints are for the developer.
#[test]
fn entity_errors_have_no_hint() {
    let mut entities = EntityDetector::new(EntityMode::Realtime);
    let events: Vec<_> = entities.push("{}{}").collect();
    let message = &events.last().unwrap().error.as_ref().unwrap().message;
    assert_eq!(message, "trailing characters at byte 2");
    assert!(entities.error().unwrap().hint().is_some());
}

#[cfg(all(feature = "tracing", feature = "std"))]
mod log {
    //! What the adapters without room for an error log at `error`.

    use futures::{Stream, stream};
    use json_chunks::entity::{EntityDetector, EntityMode};
    use json_chunks::stream::{FragmentStreamExt, SnapshotStreamExt};
    use json_chunks::tool_call::ToolCallShape;
    use json_chunks::value::RawJson;
    use tracing::Level;

    use super::super::journal::logged_at;
    use super::{DOCUMENT, EVENT_STREAMS, SNAPSHOTS, USE_DATA, USE_FRAGMENTS, USE_SEVERAL, pieces};

    /// The hints that are logged while the stream runs to its end.
    fn hints<S: Stream>(items: S) -> Vec<String> {
        let lines = logged_at(Level::ERROR, items).into_iter();
        let hint = lines.map(|line| {
            let start = "message=the stream is not what this adapter reads hint=\"";
            let hint = line.strip_prefix(start).expect("a hint");
            hint.strip_suffix('"').expect("text").to_owned()
        });
        hint.collect()
    }

    #[test]
    fn hint_for_pieces_is_logged_once_for_every_size() {
        for text in [
            DOCUMENT,
            "[[1, 2], {\"a\": \"b\"}]",
            "\"Three slow days\"",
            " \n[1]",
        ] {
            for size in 1..text.chars().count() {
                let chunks = stream::iter(pieces(text, size)).json_chunks();
                assert_eq!(hints(chunks), [USE_FRAGMENTS], "{size} of {text}");
            }
        }
        // Truncated after its first piece.
        let chunks = stream::iter(["{\"title\":", " "]).json_chunks();
        assert_eq!(hints(chunks), [USE_FRAGMENTS]);
    }

    #[test]
    fn no_hint_is_logged_for_one_damaged_snapshot() {
        let none: [String; 0] = [];
        assert_eq!(hints(stream::iter(SNAPSHOTS).json_chunks()), none);
        for (index, snapshot) in SNAPSHOTS.iter().enumerate() {
            for cut in 1..snapshot.len() {
                let mut snapshots = SNAPSHOTS;
                snapshots[index] = snapshot.get(..cut).unwrap();
                let chunks = stream::iter(snapshots).json_chunks();
                assert_eq!(hints(chunks), none, "{snapshots:?}");
            }
        }
    }

    #[test]
    fn hint_is_logged_once_by_every_adapter_of_fragments() {
        for (fragments, hint) in [
            (SNAPSHOTS.as_slice(), USE_SEVERAL),
            (EVENT_STREAMS.as_slice(), USE_DATA),
        ] {
            let inner = || stream::iter(fragments.to_vec());
            let entities = EntityDetector::new(EntityMode::Realtime);
            assert_eq!(hints(inner().json_snapshots()), [hint]);
            assert_eq!(hints(inner().json_partials::<serde_json::Value>()), [hint]);
            assert_eq!(hints(inner().json_events()), [hint]);
            assert_eq!(hints(inner().json_deltas()), [hint]);
            assert_eq!(hints(inner().json_patches()), [hint]);
            assert_eq!(hints(inner().json_entities::<RawJson>(entities)), [hint]);
        }
        let inner = stream::iter(EVENT_STREAMS);
        assert_eq!(hints(inner.tool_calls(ToolCallShape::plain())), [USE_DATA]);
        let inner = stream::iter(EVENT_STREAMS);
        assert_eq!(hints(inner.json_chunks()), [USE_DATA]);
        let inner = stream::iter([EVENT_STREAMS.concat()]);
        assert_eq!(hints(inner.json_chunks()), [USE_DATA]);
        let none: [String; 0] = [];
        assert_eq!(hints(stream::iter(["[1,", "2]"]).json_snapshots()), none);
        assert_eq!(hints(stream::iter(["[1,", "2"]).json_snapshots()), none);
    }
}
