//! `tools --frames`: the calls in the bodies of APIs.

use serde_json::{Value, json};

use super::{Outcome, run, send_and_expect, spawn};

const CHAT: [&str; 4] = [
    r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"One moment."}}]}"#,
    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"read","arguments":""}}]}}]}"#,
    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"path\":"}}]}}]}"#,
    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}}]}"#,
];

fn end(reason: &str) -> String {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}).to_string()
}

/// Returns frames as server-sent events.
fn events(frames: &[&str]) -> String {
    let lines = frames.iter().map(|frame| format!("data: {frame}\n\n"));
    lines.collect()
}

fn chat(last: &[&str]) -> String {
    events(&[&CHAT[..], last].concat())
}

fn tools(api: &str, body: &str) -> Outcome {
    run(&["tools", "--frames", api], body)
}

fn last_event(outcome: &Outcome) -> Value {
    super::last_line(&outcome.stdout)
}

fn completed() -> Value {
    json!({
        "event": "completed", "index": 0, "id": "call_1", "name": "read",
        "arguments": "{\"path\":1}",
    })
}

#[test]
fn calls_are_found_in_the_frames_of_each_api() {
    let responses = [
        r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"call_1","name":"read","arguments":""}}"#,
        r#"{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"path\":1}"}"#,
        r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"call_1","name":"read","arguments":"{\"path\":1}","status":"completed"}}"#,
        r#"{"type":"response.completed","response":{"status":"completed"}}"#,
    ];
    let anthropic = [
        r#"{"type":"message_start","message":{"role":"assistant","content":[]}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"call_1","name":"read","input":{}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"path\":1}"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    for (api, body) in [
        ("openai", chat(&[&end("tool_calls"), "[DONE]"])),
        ("responses", events(&responses)),
        ("anthropic", events(&anthropic)),
    ] {
        let outcome = tools(api, &body);
        assert_eq!(
            (outcome.code, outcome.stderr.as_str()),
            (Some(0), ""),
            "{api}"
        );
        assert_eq!(last_event(&outcome), completed(), "{api}");
        assert!(!outcome.stdout.contains("One moment"));
    }
}

#[test]
fn lines_of_json_are_frames() {
    let lines = [&CHAT[..], &[&end("tool_calls")]].concat().join("\n");
    let outcome = tools("openai", &lines);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    assert_eq!(last_event(&outcome), completed());
}

#[test]
fn event_arrives_before_the_next_frame() {
    let mut child = spawn(&["tools", "--frames", "openai"]);
    for (frame, event) in [
        (CHAT[0], ""),
        (
            CHAT[1],
            "{\"event\":\"started\",\"index\":0,\"id\":\"call_1\",\"name\":\"read\"}\n",
        ),
        (
            CHAT[2],
            "{\"event\":\"arguments_delta\",\"index\":0,\"delta\":\"{\\\"path\\\":\"}\n",
        ),
    ] {
        send_and_expect(&mut child, &format!("data: {frame}\n"), event);
    }
    drop(child.stdin.take());
    let outcome = super::outcome(child);
    assert_eq!(last_event(&outcome)["event"], "failed");
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn lost_reply_fails_its_calls() {
    let outcome = tools("openai", &chat(&[]));
    assert_eq!(last_event(&outcome)["event"], "failed");
    let bytes = chat(&[]).len();
    assert_eq!(
        outcome.stderr,
        format!("<stdin>:8: error: unexpected end of JSON at byte {bytes}\n")
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn reply_cut_off_by_its_length_is_a_warning() {
    let outcome = tools("openai", &chat(&[&end("length")]));
    assert_eq!(
        outcome.stderr,
        "<stdin>: warning: the reply was cut off by its token limit\n"
    );
    assert_eq!((outcome.code, last_event(&outcome)), (Some(0), completed()));
}

#[test]
fn error_of_the_api_is_reported() {
    let error = r#"{"error":{"message":"Overloaded","code":"503"}}"#;
    let outcome = tools("openai", &chat(&[error]));
    let expected = "<stdin>: error: the API reported an error: 503: Overloaded\n";
    assert!(outcome.stderr.starts_with(expected), "{}", outcome.stderr);
    assert_eq!(last_event(&outcome)["event"], "failed");
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn damaged_frame_is_reported_with_its_line_and_skipped() {
    let body = format!("data: {{oops\n\n{}", chat(&[&end("tool_calls")]));
    let outcome = tools("openai", &body);
    assert!(
        outcome.stderr.starts_with("<stdin>:1: error: expected "),
        "{}",
        outcome.stderr
    );
    assert!(
        outcome.stderr.ends_with(" at byte 7\n"),
        "{}",
        outcome.stderr
    );
    assert_eq!((outcome.code, last_event(&outcome)), (Some(1), completed()));
}

#[test]
fn body_that_ends_inside_a_frame_is_reported_once() {
    let body = chat(&[]);
    let cut = body.len() - 12;
    let outcome = tools("openai", body.split_at(cut).0);
    assert_eq!(
        outcome.stderr,
        format!("<stdin>:7: error: unexpected end of JSON at byte {cut}\n")
    );
    assert_eq!(last_event(&outcome)["event"], "failed");
}
