use genai::chat::{ChatStreamEvent, StopReason, StreamChunk, StreamEnd, ToolCall, ToolChunk};
use json_chunks::wire::Finish::{Length, Stop, ToolCalls};
use json_chunks_sdks::genai::pieces;
use serde_json::{Value, json};

use crate::{Reply, read, reply};

/// Reads events, and the reason for the end as the API spells it.
fn stream(events: Vec<ChatStreamEvent>, reason: &str) -> Reply {
    let end = StreamEnd {
        captured_stop_reason: Some(StopReason::from(reason.to_owned())),
        ..StreamEnd::default()
    };
    let events = events.into_iter().chain([ChatStreamEvent::End(end)]);
    let mut calls = Vec::new();
    read(events.filter_map(|event| pieces(event, &mut calls)))
}

fn chunk(id: &str, name: &str, arguments: impl Into<Value>) -> ChatStreamEvent {
    let tool_call = ToolCall {
        call_id: id.to_owned(),
        fn_name: name.to_owned(),
        fn_arguments: arguments.into(),
        thought_signatures: None,
    };
    ChatStreamEvent::ToolCallChunk(ToolChunk { tool_call })
}

#[test]
fn text_is_read() {
    let content = "Hi".to_owned();
    let events = vec![
        ChatStreamEvent::Start,
        ChatStreamEvent::Chunk(StreamChunk { content }),
    ];
    assert_eq!(stream(events, "stop"), reply("Hi", &[], 0, Ok(Stop)));
}

/// From OpenAI: only the first piece of a call has its id, and genai makes one for the others.
#[test]
fn interleaved_pieces_are_completed() {
    for [a, b] in [["a", "b"], ["call_0", "call_1"], ["call_1", "call_2"]] {
        let events = vec![
            chunk(a, "read", ""),
            chunk(b, "now", "{\"zone\":"),
            chunk("call_0", "", "{\"path\":"),
            chunk("call_1", "", "\"JST\"}"),
            chunk("call_0", "", "\"/\"}"),
        ];
        let read = format!(r#"{a} read {{"path":"/"}}"#);
        let now = format!(r#"{b} now {{"zone":"JST"}}"#);
        assert_eq!(
            stream(events, "tool_calls"),
            reply("", &[&read, &now], 0, Ok(ToolCalls))
        );
    }
}

/// From Anthropic: each piece has the arguments so far.
#[test]
fn arguments_so_far_are_completed() {
    let events = vec![
        chunk("a", "read", ""),
        chunk("a", "read", "{\"path\":"),
        chunk("a", "read", "{\"path\":\"/\"}"),
        chunk("b", "now", ""),
    ];
    assert_eq!(
        stream(events, "tool_use"),
        reply(
            "",
            &[r#"a read {"path":"/"}"#, "b now {}"],
            0,
            Ok(ToolCalls)
        )
    );
}

/// From Gemini and Ollama, which have no reason of its own for calls.
#[test]
fn calls_that_arrive_at_once_are_completed() {
    let events = vec![
        chunk("a", "read", json!({"path": "/"})),
        chunk("b", "now", json!({})),
        chunk("c", "now", Value::Null),
    ];
    let expected = [r#"a read {"path":"/"}"#, "b now {}", "c now {}"];
    assert_eq!(
        stream(events, "STOP"),
        reply("", &expected, 0, Ok(ToolCalls))
    );
}

#[test]
fn late_id_and_name_are_read() {
    let events = vec![
        chunk("call_0", "", "{\"path\":"),
        chunk("call_0", "read", "\"/\"}"),
    ];
    assert_eq!(
        stream(events, "tool_calls"),
        reply("", &[r#"call_0 read {"path":"/"}"#], 0, Ok(ToolCalls))
    );
}

#[test]
fn call_cut_off_by_the_limit_fails() {
    let events = || {
        vec![
            chunk("a", "read", "{\"path\":\"/\"}"),
            chunk("b", "now", ""),
        ]
    };
    let first = r#"a read {"path":"/"}"#;
    assert_eq!(
        stream(events(), "max_tokens"),
        reply("", &[first], 1, Ok(Length))
    );
    let mut events = events();
    events.push(chunk("b", "now", "{\"zone\":"));
    assert_eq!(stream(events, "length"), reply("", &[first], 1, Ok(Length)));
}

#[test]
fn broken_call_has_no_effect_on_the_next_one() {
    let events = vec![
        chunk("a", "read", "{path:"),
        chunk("b", "now", "{\"zone\":\"JST\"}"),
    ];
    let read = stream(events, "tool_calls");
    assert_eq!(read.completed, [r#"b now {"zone":"JST"}"#]);
    assert_eq!(
        (read.failed, read.end),
        (1, Some(Err("invalid_reply".to_owned())))
    );
}

#[test]
fn reply_with_an_unknown_reason_is_lost() {
    let events = vec![chunk("a", "read", "{\"path\":\"/\"}")];
    assert_eq!(
        stream(events, "cancelled"),
        reply("", &[], 1, Err("upstream_lost"))
    );
}
