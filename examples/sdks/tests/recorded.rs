//! Recorded items of each SDK, through its conversion.

use json_chunks::tool_call::{ToolCallDelta, ToolCallEvent, ToolCalls};
use json_chunks_sdks::{anthropic, genai, ollama, openai_chat, openai_responses, rig};
use serde_json::json;

/// The calls that were completed, and how many failed.
fn outcome(events: Vec<ToolCallEvent>) -> (Vec<String>, usize) {
    let mut failed = 0;
    let calls = events.into_iter().filter_map(|event| match event {
        ToolCallEvent::Completed(call) => Some(format!(
            "{} {}({})",
            call.id().unwrap_or("-"),
            call.name(),
            call.arguments()
        )),
        ToolCallEvent::Failed { .. } => {
            failed += 1;
            None
        }
        _ => None,
    });
    (calls.collect(), failed)
}

fn outcome_of(deltas: impl IntoIterator<Item = ToolCallDelta>) -> (Vec<String>, usize) {
    let mut calls = ToolCalls::new();
    let mut events: Vec<_> = deltas
        .into_iter()
        .flat_map(|delta| calls.push(delta).unwrap())
        .collect();
    events.extend(calls.finish());
    outcome(events)
}

fn both() -> Vec<String> {
    vec![r#"a read({"path":"/"})"#.to_owned(), "b now({})".to_owned()]
}

#[test]
fn openai_chat_chunks() {
    let chunk = |delta: serde_json::Value, finish: Option<&str>| {
        serde_json::from_value(json!({
            "id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }))
        .unwrap()
    };
    for (finish, expected) in [
        ("tool_calls", (both(), 0)),
        ("length", (both()[..1].to_vec(), 1)),
    ] {
        let mut calls = ToolCalls::new();
        let mut events = Vec::new();
        for chunk in [
            chunk(json!({"role": "assistant", "content": ""}), None),
            chunk(
                json!({"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "read", "arguments": ""}}]}),
                None,
            ),
            chunk(
                json!({"tool_calls": [{"index": 1, "id": "b", "type": "function", "function": {"name": "now", "arguments": ""}}]}),
                None,
            ),
            chunk(
                json!({"tool_calls": [{"index": 0, "function": {"arguments": "{\"path\":"}}]}),
                None,
            ),
            chunk(
                json!({"tool_calls": [{"index": 0, "function": {"arguments": "\"/\"}"}}]}),
                None,
            ),
            chunk(json!({}), Some(finish)),
        ] {
            events.extend(openai_chat::push(&mut calls, chunk).unwrap());
        }
        events.extend(calls.finish());
        assert_eq!(outcome(events), expected, "{finish}");
    }
}

#[test]
fn openai_responses_events() {
    let item = |kind: &str, index: u32, id: &str, name: &str, arguments: &str, status: &str| {
        serde_json::from_value(json!({
            "type": kind, "sequence_number": 0, "output_index": index,
            "item": {"type": "function_call", "id": "fc", "call_id": id, "name": name, "arguments": arguments, "status": status},
        }))
        .unwrap()
    };
    let piece = |text: &str| {
        serde_json::from_value(json!({
            "type": "response.function_call_arguments.delta", "sequence_number": 0,
            "item_id": "fc", "output_index": 0, "delta": text,
        }))
        .unwrap()
    };
    for (status, expected) in [
        ("completed", (both(), 0)),
        ("incomplete", (both()[..1].to_vec(), 1)),
    ] {
        let events = vec![
            item(
                "response.output_item.added",
                0,
                "a",
                "read",
                "",
                "in_progress",
            ),
            piece("{\"path\":"),
            piece("\"/\"}"),
            item(
                "response.output_item.done",
                0,
                "a",
                "read",
                "{\"path\":\"/\"}",
                "completed",
            ),
            item(
                "response.output_item.added",
                1,
                "b",
                "now",
                "",
                "in_progress",
            ),
            item("response.output_item.done", 1, "b", "now", "", status),
        ];
        let deltas = events.into_iter().filter_map(openai_responses::delta);
        assert_eq!(outcome_of(deltas), expected, "{status}");
    }
}

#[test]
fn anthropic_events() {
    for (stop, expected) in [
        ("tool_use", (both(), 0)),
        ("max_tokens", (both()[..1].to_vec(), 1)),
    ] {
        let mut calls = ToolCalls::new();
        let mut events = Vec::new();
        for event in [
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "a", "name": "read", "input": {}}}),
            json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\"path\":"}}),
            json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "\"/\"}"}}),
            json!({"type": "content_block_stop", "index": 1}),
            json!({"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "b", "name": "now", "input": {}}}),
            json!({"type": "content_block_stop", "index": 2}),
            json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null}, "usage": null}),
            json!({"type": "message_stop"}),
        ] {
            let event = serde_json::from_value(event).unwrap();
            events.extend(anthropic::push(&mut calls, event).unwrap());
        }
        events.extend(calls.finish());
        assert_eq!(outcome(events), expected, "{stop}");
    }
}

#[test]
fn rig_events() {
    use rig_core::message::{AssistantContent, CallId, ToolCall, ToolFunction};
    let content = |id: &str, name: &str, arguments: serde_json::Value| {
        let call: ToolCall = ToolCall::new(
            CallId::from_wire(id),
            ToolFunction::new(name.try_into().unwrap(), arguments),
        );
        serde_json::to_value(AssistantContent::ToolCall(call)).unwrap()
    };
    let events = [
        json!({"event": "start", "part": 0, "kind": "text"}),
        json!({"event": "text", "part": 0, "text": "Hm."}),
        json!({"event": "start", "part": 1, "kind": "tool_call", "name": "read"}),
        json!({"event": "arguments", "part": 1, "json": "{\"path\":"}),
        json!({"event": "arguments", "part": 1, "json": "\"/\"}"}),
        json!({"event": "end", "part": 1, "content": content("a", "read", json!({"path": "/"}))}),
        json!({"event": "start", "part": 2, "kind": "tool_call", "name": "now"}),
        json!({"event": "end", "part": 2, "content": content("b", "now", json!({}))}),
    ];
    let mut streamed = Default::default();
    let deltas = events.map(|event| serde_json::from_value(event).unwrap());
    let deltas = deltas
        .into_iter()
        .filter_map(|event| rig::delta(event, &mut streamed));
    assert_eq!(outcome_of(deltas.collect::<Vec<_>>()), (both(), 0));
}

#[test]
fn genai_events() {
    use ::genai::chat::{ChatStreamEvent, ToolCall, ToolChunk};
    let chunk = |id: &str, name: &str, arguments: serde_json::Value| {
        let tool_call: ToolCall = serde_json::from_value(json!({
            "call_id": id, "fn_name": name, "fn_arguments": arguments,
        }))
        .unwrap();
        ChatStreamEvent::ToolCallChunk(ToolChunk { tool_call })
    };
    let mut ids = Vec::new();
    let events = vec![
        ChatStreamEvent::Start,
        chunk("a", "read", json!("")),
        chunk("b", "now", json!("{}")),
        chunk("call_0", "", json!("{\"path\":")),
        chunk("call_0", "", json!("\"/\"}")),
    ];
    let deltas = events
        .into_iter()
        .filter_map(|event| genai::delta(event, &mut ids));
    assert_eq!(outcome_of(deltas.collect::<Vec<_>>()), (both(), 0));
    let mut ids = Vec::new();
    let events = vec![
        chunk("a", "read", json!({"path": "/"})),
        chunk("b", "now", json!({})),
    ];
    let deltas = events
        .into_iter()
        .filter_map(|event| genai::delta(event, &mut ids));
    assert_eq!(outcome_of(deltas.collect::<Vec<_>>()), (both(), 0));
}

#[test]
fn ollama_messages() {
    let message = |name: &str, arguments: serde_json::Value| {
        serde_json::from_value(json!({
            "model": "m", "created_at": "2026-11-22T00:00:00Z", "done": false,
            "message": {"role": "assistant", "content": "", "thinking": null,
                        "tool_calls": [{"function": {"name": name, "arguments": arguments}}]},
        }))
        .unwrap()
    };
    let mut count = 0;
    let mut deltas = Vec::new();
    for message in [
        message("read", json!({"path": "/"})),
        message("now", json!({})),
    ] {
        deltas.extend(ollama::deltas(message, &mut count));
    }
    let expected = vec![r#"- read({"path":"/"})"#.to_owned(), "- now({})".to_owned()];
    assert_eq!(outcome_of(deltas), (expected, 0));
}
