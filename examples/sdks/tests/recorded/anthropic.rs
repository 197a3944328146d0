use std::collections::HashSet;

use anthropic_ai_sdk::types::message::StreamEvent;
use json_chunks::wire::Finish::{Length, Stop, ToolCalls};
use json_chunks_sdks::anthropic::pieces;

use crate::{Reply, items, read, reply};

/// Reads the events of a stream, each a line, and the reason for its end.
fn stream(lines: &str, stop_reason: Option<&str>) -> Reply {
    let mut lines = lines.to_owned();
    if let Some(reason) = stop_reason {
        lines += &format!(
            r#"
            {{"type": "message_delta", "delta": {{"stop_reason": "{reason}", "stop_sequence": null}}, "usage": {{"output_tokens": 9}}}}
            {{"type": "message_stop"}}"#
        );
    }
    let events: Vec<StreamEvent> = items(&lines);
    let mut with_arguments = HashSet::new();
    read(
        events
            .into_iter()
            .filter_map(|event| pieces(event, &mut with_arguments)),
    )
}

const TEXT: &str = r#"
    {"type": "ping"}
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}}
    {"type": "content_block_stop", "index": 0}
"#;

const READ: &str = r#"
    {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "a", "name": "read", "input": {}}}
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ""}}
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\"path\":"}}
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "\"/\"}"}}
    {"type": "content_block_stop", "index": 1}
"#;

const NOW: &str = r#"
    {"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "b", "name": "now", "input": {}}}
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": ""}}
    {"type": "content_block_stop", "index": 2}
"#;

#[test]
fn text_is_read() {
    assert_eq!(
        stream(TEXT, Some("end_turn")),
        reply("Hi", &[], 0, Ok(Stop))
    );
}

#[test]
fn parallel_calls_are_completed_also_without_arguments() {
    let expected = [r#"a read {"path":"/"}"#, "b now {}"];
    assert_eq!(
        stream(&format!("{TEXT}{READ}{NOW}"), Some("tool_use")),
        reply("Hi", &expected, 0, Ok(ToolCalls))
    );
}

#[test]
fn interleaved_blocks_are_completed() {
    let zone = r#"{"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{\"zone\":\"JST\"}"}}"#;
    let now: Vec<&str> = NOW.trim().lines().collect();
    let read: Vec<&str> = READ.trim().lines().collect();
    let lines = [
        read[0], now[0], read[1], now[1], read[2], zone, read[3], now[2], read[4],
    ];
    // In the order in which they end.
    let expected = [r#"b now {"zone":"JST"}"#, r#"a read {"path":"/"}"#];
    assert_eq!(
        stream(&lines.join("\n"), Some("tool_use")),
        reply("", &expected, 0, Ok(ToolCalls))
    );
}

#[test]
fn call_cut_off_by_the_limit_fails() {
    let first = r#"a read {"path":"/"}"#;
    // Before its arguments, although its block is stopped.
    assert_eq!(
        stream(&format!("{READ}{NOW}"), Some("max_tokens")),
        reply("", &[first], 1, Ok(Length))
    );
    let cut = READ.replace(r#""\"/\"}""#, r#""\"/""#);
    assert_eq!(
        stream(&cut, Some("max_tokens")),
        reply("", &[], 1, Ok(Length))
    );
}

#[test]
fn broken_call_has_no_effect_on_the_next_one() {
    let broken = READ.replace(r#"{\"path\":"#, "{path:");
    let read = stream(&format!("{broken}{NOW}"), Some("tool_use"));
    assert_eq!(read.completed, ["b now {}"]);
    assert_eq!(
        (read.failed, read.end),
        (1, Some(Err("invalid_reply".to_owned())))
    );
}

#[test]
fn lost_and_failed_replies_complete_nothing_more() {
    let open = &READ[..READ.rfind("\n    {").expect("it has lines")];
    assert_eq!(stream(open, None), reply("", &[], 1, Err("upstream_lost")));
    let error = r#"{"type": "error", "error": {"type": "overloaded_error", "message": "x"}}"#;
    assert_eq!(
        stream(&format!("{open}\n{error}"), None),
        reply("", &[], 1, Err("overloaded_error"))
    );
}
