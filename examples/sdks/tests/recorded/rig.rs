use std::collections::HashSet;

use json_chunks::wire::Finish::{Length, Stop, ToolCalls};
use json_chunks_sdks::rig::{finish, pieces};
use rig_core::completion::FinishReason;
use rig_core::message::{AssistantContent, CallId, ToolCall, ToolFunction};
use rig_core::streaming::StreamEvent;
use serde_json::{Value, json};

use crate::{Reply, read, reply};

/// Reads events, and the reason of the response after them.
fn stream(events: Vec<Value>, reason: Option<FinishReason>) -> Reply {
    let events = events.into_iter().map(|event| {
        let event: StreamEvent = serde_json::from_value(event).expect("it is an event");
        event
    });
    let mut with_arguments = HashSet::new();
    let pieces: Vec<_> = events
        .filter_map(|event| pieces(event, &mut with_arguments))
        .collect();
    read(pieces.into_iter().chain(reason.as_ref().and_then(finish)))
}

fn start(part: usize, name: &str) -> Value {
    json!({"event": "start", "part": part, "kind": "tool_call", "name": name})
}

fn arguments(part: usize, text: &str) -> Value {
    json!({"event": "arguments", "part": part, "json": text})
}

/// The end of a call, which has the id and what rig has parsed of the arguments.
fn end(part: usize, id: &str, name: &str, arguments: Value) -> Value {
    let name = name.try_into().expect("it is a name");
    let call = ToolCall::new(CallId::from_wire(id), ToolFunction::new(name, arguments));
    let content = serde_json::to_value(AssistantContent::ToolCall(call)).expect("it is JSON");
    json!({"event": "end", "part": part, "content": content})
}

#[test]
fn text_is_read() {
    let events = vec![
        json!({"event": "start", "part": 0, "kind": "text"}),
        json!({"event": "text", "part": 0, "text": "Hi"}),
    ];
    assert_eq!(
        stream(events, Some(FinishReason::Stop)),
        reply("Hi", &[], 0, Ok(Stop))
    );
}

#[test]
fn interleaved_calls_are_completed_with_late_ids() {
    let events = vec![
        start(1, "read"),
        arguments(1, "{\"path\":"),
        start(2, "now"),
        arguments(2, "{\"zone\":"),
        arguments(1, "\"/\"}"),
        end(1, "a", "read", json!({"path": "/"})),
        arguments(2, "\"JST\"}"),
        end(2, "b", "now", json!({"zone": "JST"})),
    ];
    let expected = [r#"a read {"path":"/"}"#, r#"b now {"zone":"JST"}"#];
    assert_eq!(
        stream(events, Some(FinishReason::ToolCalls)),
        reply("", &expected, 0, Ok(ToolCalls))
    );
}

#[test]
fn call_cut_off_by_the_limit_fails() {
    // In its arguments: rig still ends it, with what it can parse.
    let inside = vec![
        start(1, "pay"),
        arguments(1, "{\"to\":\"bob\""),
        end(1, "a", "pay", json!({"to": "bob"})),
    ];
    // Before them: rig adds empty ones.
    let before = vec![
        start(1, "pay"),
        arguments(1, "{}"),
        end(1, "a", "pay", json!({})),
    ];
    for events in [inside, before] {
        assert_eq!(
            stream(events, Some(FinishReason::Length)),
            reply("", &[], 1, Ok(Length))
        );
    }
}

#[test]
fn call_without_arguments_is_completed_by_a_complete_reply() {
    let events = vec![
        start(1, "now"),
        arguments(1, "{}"),
        end(1, "a", "now", json!({})),
    ];
    assert_eq!(
        stream(events, Some(FinishReason::ToolCalls)),
        reply("", &["a now {}"], 0, Ok(ToolCalls))
    );
}

#[test]
fn broken_call_has_no_effect_on_the_next_one() {
    let events = vec![
        start(1, "read"),
        arguments(1, "{path:"),
        end(1, "a", "read", json!({})),
        start(2, "now"),
        arguments(2, "{\"zone\":\"JST\"}"),
        end(2, "b", "now", json!({"zone": "JST"})),
    ];
    let read = stream(events, Some(FinishReason::ToolCalls));
    assert_eq!(read.completed, [r#"b now {"zone":"JST"}"#]);
    assert_eq!(
        (read.failed, read.end),
        (1, Some(Err("invalid_reply".to_owned())))
    );
}

#[test]
fn lost_reply_completes_nothing() {
    for reason in [None, Some(FinishReason::Other("paused".to_owned()))] {
        let events = vec![start(1, "read"), arguments(1, "{\"path\":\"/\"}")];
        assert_eq!(
            stream(events, reason),
            reply("", &[], 1, Err("upstream_lost"))
        );
    }
}
