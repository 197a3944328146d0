use std::collections::HashSet;

use async_openai::types::responses::ResponseStreamEvent;
use json_chunks::wire::Finish::{Length, Stop, ToolCalls};
use json_chunks_sdks::openai_responses::pieces;

use crate::{Reply, items, read, reply};

/// Reads the events of a stream, each a line; `$NAME` is what [`END`] has for it.
fn stream(lines: &str) -> Reply {
    let lines = END
        .iter()
        .fold(lines.to_owned(), |lines, (name, response)| {
            let response = format!(
                r#""sequence_number": 9, "response": {{"id": "r", "object": "response",
                "created_at": 0, "model": "m", {response}}}"#
            );
            lines.replace(name, &response.replace('\n', " "))
        });
    let events: Vec<ResponseStreamEvent> = items(&lines);
    let mut with_arguments = HashSet::new();
    read(
        events
            .into_iter()
            .filter_map(|event| pieces(event, &mut with_arguments)),
    )
}

/// The responses of the last event. Of the output only the types count.
const END: [(&str, &str); 5] = [
    ("$COMPLETED_TEXT", r#""status": "completed", "output": []"#),
    (
        "$COMPLETED_CALLS",
        r#""status": "completed", "output": [{"type": "function_call", "call_id": "a",
            "name": "read", "arguments": "{}"}]"#,
    ),
    (
        "$INCOMPLETE",
        r#""status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"},
            "output": []"#,
    ),
    (
        "$FAILED",
        r#""status": "failed", "error": {"code": "server_error", "message": "overloaded"},
            "output": []"#,
    ),
    ("$CREATED", r#""status": "in_progress", "output": []"#),
];

const FIRST_CALL: &str = r#"
    {"type": "response.created", $CREATED}
    {"type": "response.output_text.delta", "sequence_number": 0, "item_id": "m", "output_index": 0, "content_index": 0, "delta": "Hi"}
    {"type": "response.output_item.added", "sequence_number": 1, "output_index": 1, "item": {"type": "function_call", "id": "fc1", "call_id": "a", "name": "read", "arguments": "", "status": "in_progress"}}
    {"type": "response.function_call_arguments.delta", "sequence_number": 2, "item_id": "fc1", "output_index": 1, "delta": "{\"path\":"}
"#;

const SECOND_CALL: &str = r#"
    {"type": "response.output_item.added", "sequence_number": 3, "output_index": 2, "item": {"type": "function_call", "id": "fc2", "call_id": "b", "name": "now", "arguments": "", "status": "in_progress"}}
"#;

const END_OF_FIRST: &str = r#"
    {"type": "response.function_call_arguments.delta", "sequence_number": 4, "item_id": "fc1", "output_index": 1, "delta": "\"/\"}"}
    {"type": "response.function_call_arguments.done", "sequence_number": 5, "item_id": "fc1", "output_index": 1, "name": "read", "arguments": "{\"path\":\"/\"}"}
    {"type": "response.output_item.done", "sequence_number": 6, "output_index": 1, "item": {"type": "function_call", "id": "fc1", "call_id": "a", "name": "read", "arguments": "{\"path\":\"/\"}", "status": "completed"}}
"#;

/// The end of the second call, which has no deltas.
fn end_of_second(arguments: &str, status: &str) -> String {
    format!(
        r#"{{"type": "response.output_item.done", "sequence_number": 7, "output_index": 2, "item": {{"type": "function_call", "id": "fc2", "call_id": "b", "name": "now", "arguments": "{arguments}", "status": "{status}"}}}}"#
    )
}

#[test]
fn text_is_read() {
    let lines = r#"
        {"type": "response.output_text.delta", "sequence_number": 0, "item_id": "m", "output_index": 0, "content_index": 0, "delta": "Hi"}
        {"type": "response.completed", $COMPLETED_TEXT}
    "#;
    assert_eq!(stream(lines), reply("Hi", &[], 0, Ok(Stop)));
}

#[test]
fn interleaved_calls_are_completed() {
    let second = end_of_second(r#"{\"zone\":\"JST\"}"#, "completed");
    let end = r#"{"type": "response.completed", $COMPLETED_CALLS}"#;
    let lines = format!("{FIRST_CALL}{SECOND_CALL}{END_OF_FIRST}{second}\n{end}");
    let expected = [r#"a read {"path":"/"}"#, r#"b now {"zone":"JST"}"#];
    assert_eq!(stream(&lines), reply("Hi", &expected, 0, Ok(ToolCalls)));
}

#[test]
fn call_cut_off_by_the_limit_fails() {
    let end = r#"{"type": "response.incomplete", $INCOMPLETE}"#;
    let first = r#"a read {"path":"/"}"#;
    // In its arguments, with and without an end of its item, and before them.
    for second in [
        String::new(),
        end_of_second("", "incomplete"),
        end_of_second(r#"{\"zone\""#, "incomplete"),
    ] {
        let lines = format!("{FIRST_CALL}{END_OF_FIRST}{SECOND_CALL}{second}\n{end}");
        assert_eq!(
            stream(&lines),
            reply("Hi", &[first], 1, Ok(Length)),
            "{second}"
        );
    }
}

#[test]
fn call_without_arguments_is_completed() {
    let second = end_of_second("", "completed");
    let end = r#"{"type": "response.completed", $COMPLETED_CALLS}"#;
    let lines = format!("{SECOND_CALL}{second}\n{end}");
    assert_eq!(stream(&lines), reply("", &["b now {}"], 0, Ok(ToolCalls)));
}

#[test]
fn broken_call_has_no_effect_on_the_next_one() {
    let broken = FIRST_CALL.replace(r#"{\"path\":"#, "{path:");
    let second = end_of_second(r#"{\"zone\":\"JST\"}"#, "completed");
    let end = r#"{"type": "response.completed", $COMPLETED_CALLS}"#;
    let read = stream(&format!("{broken}{SECOND_CALL}{second}\n{end}"));
    assert_eq!(read.completed, [r#"b now {"zone":"JST"}"#]);
    assert_eq!(
        (read.failed, read.end),
        (1, Some(Err("invalid_reply".to_owned())))
    );
}

#[test]
fn lost_and_failed_replies_complete_nothing() {
    let lost = stream(FIRST_CALL);
    assert_eq!(lost, reply("Hi", &[], 1, Err("upstream_lost")));
    let failed = stream(&format!(
        r#"{FIRST_CALL}{{"type": "response.failed", $FAILED}}"#
    ));
    assert_eq!(failed, reply("Hi", &[], 1, Err("response_failed")));
    let error = r#"{"type": "error", "sequence_number": 9, "code": "overloaded", "message": "x", "param": null}"#;
    let failed = stream(&format!("{FIRST_CALL}{error}"));
    assert_eq!(failed, reply("Hi", &[], 1, Err("overloaded")));
}
