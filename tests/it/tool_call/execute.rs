//! Complete calls, as they are executed, and events as JSON.

use json_chunks::tool_call::{ToolCall, ToolCallDetector, ToolCallEvent, ToolCallShape};
use serde::Deserialize;

fn events(text: &str) -> Vec<ToolCallEvent> {
    let mut detector = ToolCallDetector::new(ToolCallShape::plain());
    let events = detector.push(text).unwrap().collect();
    assert_eq!(detector.finish().unwrap().len(), 0);
    events
}

fn call(text: &str) -> ToolCall {
    match events(text).pop() {
        Some(ToolCallEvent::Completed(call)) => call,
        other => panic!("{other:?}"),
    }
}

#[derive(Debug, Deserialize, PartialEq)]
struct Transfer {
    to: String,
    cents: u128,
    rate: String,
}

#[test]
fn arguments_deserialize_exactly() {
    let transfer = Transfer {
        to: "é\n".into(),
        cents: u128::MAX,
        rate: "1.10".into(),
    };
    for text in [
        r#"{"name":"t","arguments":{"to":"é\n","cents":340282366920938463463374607431768211455,"rate":1.10}}"#,
        r#"{"name":"t","arguments":"{\"to\":\"é\\n\",\"cents\":340282366920938463463374607431768211455,\"rate\":1.10}"}"#,
    ] {
        assert_eq!(call(text).deserialize::<Transfer>().unwrap(), transfer);
    }
    call(r#"{"name":"t","arguments":{}}"#)
        .deserialize::<serde_json::Map<_, _>>()
        .unwrap();
}

#[test]
fn error_pointer_starts_at_the_arguments() {
    let call = call(r#"{"name":"t","arguments":{"to":"x","cents":-1,"rate":"1"}}"#);
    let error = call.deserialize::<Transfer>().unwrap_err();
    assert_eq!(error.to_string(), "number out of range at /cents");
}

#[test]
fn completed_call_is_unchanged_by_later_text() {
    let first = call(r#"{"id":"1","name":"a","arguments":{"x":[]}}"#);
    assert_eq!(
        (first.index(), first.id(), first.name()),
        (0, Some("1"), "a")
    );
    assert_eq!(first.arguments(), r#"{"x":[]}"#);
    assert_eq!(call(r#"{"name":"a","arguments":1}"#).id(), None);
    let second = call(r#"[{"name":"a","arguments":1},{"name":"b","arguments":2}]"#);
    assert_eq!((second.index(), second.arguments()), (1, "2"));
}

#[test]
fn debug_of_a_call_contains_no_arguments() {
    assert_eq!(
        format!("{:?}", call(r#"{"name":"a","arguments":{"secret":1}}"#)),
        r#"ToolCall { index: 0, name: "a", argument_bytes: 12, .. }"#
    );
}

#[test]
fn events_serialize_as_json() {
    let text =
        r#"{"name":"a","arguments":{"x":"\"}"},"id":"1"} {"id":2,"name":"b","arguments":"}"}"#;
    let lines: Vec<_> = events(text)
        .iter()
        .map(|event| serde_json::to_string(event).unwrap())
        .collect();
    assert_eq!(
        lines,
        [
            r#"{"event":"started","index":0,"name":"a"}"#,
            r#"{"event":"arguments_delta","index":0,"delta":"{\"x\":\"\\\"}\"}"}"#,
            r#"{"event":"identified","index":0,"id":"1"}"#,
            r#"{"event":"completed","index":0,"id":"1","name":"a","arguments":"{\"x\":\"\\\"}\"}"}"#,
            r#"{"event":"started","index":1,"id":"2","name":"b"}"#,
            r#"{"event":"arguments_delta","index":1,"delta":"}"}"#,
            r#"{"event":"failed","index":1,"error":"the arguments are not JSON"}"#,
        ]
    );
}

#[test]
fn document_can_be_read_between_events() {
    let mut detector = ToolCallDetector::new(ToolCallShape::plain());
    let events = detector.push(r#"{"name":"a","arguments":{"path":"/src"#);
    assert_eq!(events.unwrap().len(), 2);
    let path = detector
        .root()
        .and_then(|root| root.pointer("/arguments/path"))
        .unwrap();
    assert_eq!((path.as_str(), path.is_complete()), (Some("/src"), false));
}
