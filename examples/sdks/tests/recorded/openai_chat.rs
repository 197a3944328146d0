use async_openai::types::chat::CreateChatCompletionStreamResponse;
use json_chunks::wire::Finish::{Length, Stop, ToolCalls};
use json_chunks_sdks::openai_chat::pieces;

use crate::{Reply, items, read, reply};

/// Reads the deltas of a stream, each a line, and its reason.
fn stream(deltas: &str, finish: Option<&str>) -> Reply {
    let chunk = |delta: &str, finish: Option<&str>| {
        let finish = finish.map_or("null".to_owned(), |finish| format!("\"{finish}\""));
        format!(
            r#"{{"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m",
                "choices": [{{"index": 0, "delta": {delta}, "finish_reason": {finish}}}]}}"#
        )
        .replace('\n', " ")
    };
    let deltas = deltas.lines().filter(|line| !line.trim().is_empty());
    let mut lines: Vec<String> = deltas.map(|delta| chunk(delta, None)).collect();
    lines.extend(finish.map(|finish| chunk("{}", Some(finish))));
    let chunks: Vec<CreateChatCompletionStreamResponse> = items(&lines.join("\n"));
    read(chunks.into_iter().flat_map(pieces))
}

const PARALLEL: &str = r#"
    {"role": "assistant", "content": ""}
    {"content": "Two "}
    {"content": "things."}
    {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "read", "arguments": ""}}]}
    {"tool_calls": [{"index": 1, "id": "b", "type": "function", "function": {"name": "now", "arguments": ""}}]}
    {"tool_calls": [{"index": 0, "function": {"arguments": "{\"path\":"}}]}
    {"tool_calls": [{"index": 1, "function": {"arguments": "{\"zone\":\"J"}}, {"index": 0, "function": {"arguments": "\"/\"}"}}]}
"#;

#[test]
fn text_is_read() {
    let deltas = r#"{"role": "assistant", "content": "Hi"}"#;
    assert_eq!(stream(deltas, Some("stop")), reply("Hi", &[], 0, Ok(Stop)));
}

#[test]
fn interleaved_calls_are_completed() {
    let rest = r#"{"tool_calls": [{"index": 1, "function": {"arguments": "ST\"}"}}]}"#;
    let expected = [r#"a read {"path":"/"}"#, r#"b now {"zone":"JST"}"#];
    assert_eq!(
        stream(&format!("{PARALLEL}{rest}"), Some("tool_calls")),
        reply("Two things.", &expected, 0, Ok(ToolCalls))
    );
}

#[test]
fn call_cut_off_by_the_limit_fails() {
    assert_eq!(
        stream(PARALLEL, Some("length")),
        reply("Two things.", &[r#"a read {"path":"/"}"#], 1, Ok(Length))
    );
}

#[test]
fn lost_reply_completes_nothing() {
    assert_eq!(
        stream(PARALLEL, None),
        reply("Two things.", &[], 2, Err("upstream_lost"))
    );
}

#[test]
fn id_and_name_may_be_late() {
    let deltas = r#"
        {"tool_calls": [{"index": 0, "type": "function", "function": {"arguments": "{\"path\":"}}]}
        {"tool_calls": [{"index": 0, "function": {"name": "read", "arguments": "\"/\"}"}}]}
        {"tool_calls": [{"index": 0, "id": "a"}]}
    "#;
    assert_eq!(
        stream(deltas, Some("tool_calls")),
        reply("", &[r#"a read {"path":"/"}"#], 0, Ok(ToolCalls))
    );
}

#[test]
fn call_without_arguments_is_completed_only_by_a_complete_reply() {
    let deltas = r#"
        {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "now", "arguments": ""}}]}
    "#;
    for (finish, expected) in [
        ("tool_calls", reply("", &["a now {}"], 0, Ok(ToolCalls))),
        ("length", reply("", &[], 1, Ok(Length))),
    ] {
        assert_eq!(stream(deltas, Some(finish)), expected);
    }
}

#[test]
fn broken_call_has_no_effect_on_the_next_one() {
    let deltas = r#"
        {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "read", "arguments": "{path:"}}]}
        {"tool_calls": [{"index": 1, "id": "b", "type": "function", "function": {"name": "now", "arguments": "{\"zone\":\"JST\"}"}}]}
    "#;
    let read = stream(deltas, Some("tool_calls"));
    assert_eq!(read.completed, [r#"b now {"zone":"JST"}"#]);
    assert_eq!(
        (read.failed, read.end),
        (1, Some(Err("invalid_reply".to_owned())))
    );
}
