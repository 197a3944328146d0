//! What the crate's own types are in serde: events and reports for logs and clients, options for
//! configuration.

use std::fmt::Debug;
use std::time::Duration;

use json_chunks::delta::Delta;
use json_chunks::entity::{EntityDetector, EntityErrorCode, EntityEvent, EntityMode, EntityStatus};
use json_chunks::sse::SseEvent;
use json_chunks::tool_call::{ToolCallDetector, ToolCallEvent, ToolCallShape};
use json_chunks::value::RawJson;
use json_chunks::{
    AbsentValues, Chunker, Limits, MemberOrder, PartialMode, PartialPolicy, RevisionKind,
    RevisionPolicy,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{from_str, from_value, json, to_string, to_value};

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
    assert_eq!(to_string(value).unwrap(), text);
    assert_eq!(from_str::<T>(text).unwrap(), *value);
    // By this crate's own deserializer, too.
    let mut parser = json_chunks::Parser::new();
    parser.push(text).unwrap();
    parser.finish().unwrap();
    let root = parser.root().unwrap();
    assert_eq!(
        root.deserialize::<T>(PartialPolicy::default()).unwrap(),
        *value
    );
}

#[test]
fn named_options_are_their_names() {
    macro_rules! names {
        ($($value:expr => $name:literal),+ $(,)?) => {$(
            round_trip(&$value, concat!("\"", $name, "\""));
            assert_eq!($value.as_str(), $name);
        )+};
    }
    names! {
        RevisionPolicy::Keep => "keep",
        RevisionPolicy::Reject => "reject",
        RevisionPolicy::Restate => "restate",
        RevisionKind::Changed => "changed",
        RevisionKind::Rewritten => "rewritten",
        RevisionKind::Retyped => "retyped",
        RevisionKind::Removed => "removed",
        RevisionKind::Shrunk => "shrunk",
        AbsentValues::Nothing => "nothing",
        AbsentValues::Null => "null",
        AbsentValues::Defaults => "defaults",
        MemberOrder::Unknown => "unknown",
        MemberOrder::Written => "written",
        PartialMode::Keep => "keep",
        PartialMode::Omit => "omit",
        PartialMode::Zero => "zero",
        EntityMode::Batch => "BATCH",
        EntityMode::AllTogether => "ALL-TOGETHER",
        EntityMode::OneByOne => "ONE-BY-ONE",
        EntityMode::Progressive => "PROGRESSIVE",
        EntityMode::Realtime => "REALTIME",
        EntityStatus::Partial => "PARTIAL",
        EntityStatus::Completed => "COMPLETED",
        EntityStatus::Error => "ERROR",
        EntityErrorCode::InvalidJson => "INVALID_JSON",
        EntityErrorCode::InvalidSchema => "INVALID_SCHEMA",
    }
    let error = from_str::<RevisionPolicy>("\"Keep\"")
        .unwrap_err()
        .to_string();
    let expected =
        "invalid value: string \"Keep\", expected a revision policy: `keep`, `reject`, `restate`";
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn option_maps_are_complete_and_have_defaults() {
    let policy = PartialPolicy::complete_only().arrays(PartialMode::Zero);
    round_trip(
        &policy,
        r#"{"strings":"omit","numbers":"omit","literals":"omit","arrays":"zero","objects":"keep"}"#,
    );
    let some: PartialPolicy = from_str(r#"{"numbers":"omit"}"#).unwrap();
    assert_eq!(some, PartialPolicy::default().numbers(PartialMode::Omit));

    round_trip(
        &Limits::strict(),
        r#"{"max_depth":64,"max_token_bytes":1048576,"max_document_bytes":16777216,"max_duration_ms":30000}"#,
    );
    assert_eq!(from_str::<Limits>("{}").unwrap(), Limits::default());
    let limits: Limits =
        from_str(r#"{"max_duration_ms":1500,"max_document_bytes":4294967295}"#).unwrap();
    let expected = Limits::default()
        .max_duration(Duration::from_millis(1500))
        // As with the builder: offsets are 32 bits wide.
        .max_document_bytes(1 << 30);
    assert_eq!(limits, expected);
    let error = from_str::<Limits>(r#"{"depth":1}"#)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("unknown field `depth`, expected one of `max_depth`"),
        "{error}"
    );

    round_trip(
        &ToolCallShape::anthropic(),
        r#"{"name":"name","id":"id","arguments":"input","marker":["type","tool_use"],"inside":null,"arguments_optional":false,"allow_empty_arguments":true}"#,
    );
    let shape = ToolCallShape::openai()
        .arguments_optional(true)
        .allow_empty_arguments(false);
    assert_eq!(
        from_str::<ToolCallShape>(&to_string(&shape).unwrap()).unwrap(),
        shape
    );
    assert_eq!(
        from_str::<ToolCallShape>("{}").unwrap(),
        ToolCallShape::plain()
    );
}

#[test]
fn entity_events_read_what_they_write() {
    let text = r#"[{"n": 1.50, "t": "a\u00e9"}, [9007199254740993, -0.0], null, tru"#;
    for mode in [
        EntityMode::Realtime,
        EntityMode::Progressive,
        EntityMode::OneByOne,
        EntityMode::Batch,
    ] {
        for size in 1..text.len() {
            let mut detector = EntityDetector::new(mode).label("rows/é");
            let mut events = Vec::new();
            for fragment in text.as_bytes().chunks(size) {
                events.extend(detector.push(fragment));
            }
            events.extend(detector.finish());
            for event in events {
                let line = event.to_json();
                assert_eq!(EntityEvent::from_json(&line).unwrap(), event, "{line}");
                // Through serde, numbers are those of 64 bits, as in what serde writes.
                let value = to_value(&event).unwrap();
                let read: EntityEvent = from_value(value.clone()).unwrap();
                assert_eq!(to_value(&read).unwrap(), value);
                // A typed client.
                let typed: EntityEvent<serde_json::Value> = from_str(&line).unwrap();
                assert_eq!(typed.status, event.status);
                assert_eq!(typed.data.is_some(), event.data.is_some());
            }
        }
    }
    for (line, message) in [
        ("[]", "invalid type: sequence, expected an entity event"),
        ("{}", "missing field `status`"),
        (
            r#"{"status":"DONE"}"#,
            "expected a status: `PARTIAL`, `COMPLETED`, `ERROR`",
        ),
        (
            r#"{"status":"PARTIAL","delta":[{"path":"/a"}]}"#,
            "missing field `append`",
        ),
        (
            r#"{"status":"PARTIAL","delta":[{"append":"x"}]}"#,
            "missing field `path`",
        ),
        (
            r#"{"status":"PARTIAL","delta":[{"path":"","append":"x","value":1}]}"#,
            "both `append` and `value`",
        ),
        (
            r#"{"status":"PARTIAL""#,
            "unexpected end of JSON at byte 19",
        ),
    ] {
        let error = EntityEvent::from_json(line).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    // Members that a later version adds.
    // A number that no float can be is kept as it is spelled.
    let large = r#"{"status":"PARTIAL","data":1e400,"delta":[{"path":"","value":1e400}]}"#;
    assert_eq!(EntityEvent::from_json(large).unwrap().to_json(), large);
    let event = EntityEvent::from_json(r#"{"status":"PARTIAL","later":[1]}"#).unwrap();
    assert_eq!((event.index, event.data), (None, None));
}

#[test]
fn raw_json_reads_any_value() {
    for text in [
        "null",
        "true",
        "-12",
        "1.5",
        "\"a\\\"b\"",
        "[]",
        "[1,[2,{}],\"x\"]",
        r#"{"a":{"b":null},"c":[0]}"#,
    ] {
        assert_eq!(from_str::<RawJson>(text).unwrap(), text);
        assert_eq!(
            to_string(&from_str::<RawJson>(text).unwrap()).unwrap(),
            text
        );
    }
    assert_eq!(
        from_str::<RawJson>("18446744073709551615").unwrap(),
        "18446744073709551615"
    );
    assert_eq!(
        from_value::<RawJson>(json!({"x": 1.0})).unwrap(),
        r#"{"x":1.0}"#
    );
    let deep = format!("{}{}", "[".repeat(120), "]".repeat(120));
    assert_eq!(from_str::<RawJson>(&deep).unwrap(), deep.as_str());
    // Deeper than any format of its own accord allows.
    let mut value = json!(1);
    for _ in 0..129 {
        value = json!([value]);
    }
    let error = from_value::<RawJson>(value).unwrap_err();
    assert_eq!(
        error.to_string(),
        "arrays and objects are nested too deeply"
    );
}

#[test]
fn deltas_and_sse_events_and_revisions_and_calls_serialize() {
    let delta: Delta = from_str(r#"{"path":"/rgb/2","value":[211]}"#).unwrap();
    assert_eq!(
        to_string(&delta).unwrap(),
        r#"{"path":"/rgb/2","value":[211]}"#
    );

    let events = [SseEvent::new("x").with_id("7"), SseEvent::close()];
    let expected = json!([{"id": "7", "data": "x"}, {"event": "CLOSE", "data": "[DONE]"}]);
    assert_eq!(to_value(&events).unwrap(), expected);
    let event = SseEvent::new("x").with_retry(Duration::from_millis(1500));
    assert_eq!(
        to_value(&event).unwrap(),
        json!({"retry": 1500, "data": "x"})
    );

    let mut chunker = Chunker::new();
    chunker.push(r#"{"a":1,"b":["x","y"]}"#).unwrap();
    chunker.push(r#"{"b":["z","y"]}"#).unwrap();
    let expected = json!([
        {"pointer": "/b/0", "kind": "changed", "emitted": "\"x\"", "received": "\"z\"", "restated": false},
        {"pointer": "/a", "kind": "removed", "emitted": "1", "restated": false},
    ]);
    assert_eq!(to_value(chunker.take_revisions()).unwrap(), expected);

    let mut detector = ToolCallDetector::new(ToolCallShape::plain());
    let events = detector
        .push(r#"{"id":"c","name":"f","arguments":{}}"#)
        .unwrap();
    let call = events.filter_map(|event| match event {
        ToolCallEvent::Completed(call) => Some(call),
        _ => None,
    });
    let call = call.last().unwrap();
    let expected = json!({"index": 0, "id": "c", "name": "f", "arguments": "{}"});
    assert_eq!(to_value(&call).unwrap(), expected);
}

#[cfg(feature = "stream")]
#[test]
fn stream_reports_and_events_serialize() {
    use futures::executor::block_on;
    use futures::{StreamExt, stream};
    use json_chunks::stream::{FragmentStreamExt, OwnedEvent, SnapshotStreamExt};

    let mut chunks = stream::iter(["[1]", "[2]", "oops"]).json_chunks();
    block_on(chunks.by_ref().for_each(async |_| ()));
    let expected = json!({
        "accepted": 2, "skipped": 1, "superseded": 0, "revisions": 1, "restated": 0,
        "mismatches": 0,
    });
    assert_eq!(to_value(chunks.report()).unwrap(), expected);
    let mut snapshots = stream::iter(["[1] [2]"]).json_snapshots();
    block_on(snapshots.by_ref().for_each(async |_| ()));
    let report = to_value(snapshots.report()).unwrap();
    assert_eq!(report["ended_by"], "syntax error");
    assert!(report["hint"].as_str().unwrap().contains("multiple_values"));

    let events: Vec<OwnedEvent> = block_on(stream::iter(["[4.5"]).json_events().collect());
    let expected = json!([
        {"path": "", "event": "started", "kind": "array"},
        {"path": "/0", "event": "started", "kind": "number"},
        {"path": "/0", "event": "appended", "text": "4.5"},
    ]);
    assert_eq!(to_value(&events).unwrap(), expected);
}
