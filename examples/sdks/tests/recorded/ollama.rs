use json_chunks::wire::Finish::{Stop, ToolCalls};
use json_chunks_sdks::ollama::pieces;
use ollama_rs::generation::chat::ChatMessageResponse;

use crate::{Reply, items, read, reply};

fn stream(lines: &str) -> Reply {
    let messages: Vec<ChatMessageResponse> = items(lines);
    let mut count = 0;
    read(
        messages
            .into_iter()
            .flat_map(|message| pieces(message, &mut count)),
    )
}

const CALLS: &str = r#"
    {"model": "m", "created_at": "2026-11-22T00:00:00Z", "message": {"role": "assistant", "content": "Hi", "tool_calls": [{"function": {"name": "read", "arguments": {"path": "/"}}}]}, "done": false}
    {"model": "m", "created_at": "2026-11-22T00:00:00Z", "message": {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "now", "arguments": {}}}]}, "done": false}
"#;

const END: &str = r#"
    {"model": "m", "created_at": "2026-11-22T00:00:00Z", "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop", "total_duration": 9, "load_duration": 9, "prompt_eval_count": 12, "prompt_eval_duration": 9, "eval_count": 34, "eval_duration": 9}
"#;

#[test]
fn text_is_read() {
    let text = r#"{"model": "m", "created_at": "2026-11-22T00:00:00Z", "message": {"role": "assistant", "content": "Hi"}, "done": false}"#;
    assert_eq!(
        stream(&format!("{text}{END}")),
        reply("Hi", &[], 0, Ok(Stop))
    );
}

#[test]
fn calls_are_completed_also_without_arguments() {
    assert_eq!(
        stream(&format!("{CALLS}{END}")),
        reply(
            "Hi",
            &[r#"- read {"path":"/"}"#, "- now {}"],
            0,
            Ok(ToolCalls)
        )
    );
}

#[test]
fn lost_reply_is_no_complete_one() {
    let read = stream(CALLS);
    assert_eq!(read.end, Some(Err("upstream_lost".to_owned())));
}
