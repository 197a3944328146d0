//! The four formats of `chunk`.

use serde_json::{Value, json};

use super::{
    CHUNKS, ITINERARY, ITINERARY_FILE, Outcome, WALKTHROUGH, WALKTHROUGH_FILE, converse, last_line,
    outcome, run, spawn,
};

fn clean(outcome: Outcome) -> String {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    outcome.stdout
}

/// The contents of the `data:` lines; every event is checked to have exactly one.
fn data(events: &str) -> Vec<&str> {
    assert!(events.ends_with("\n\n"));
    events
        .split_terminator("\n\n")
        .map(|event| {
            let mut data = event.lines().filter_map(|line| line.strip_prefix("data: "));
            let only = data
                .next()
                .expect("an event without data is not dispatched");
            assert_eq!(data.next(), None);
            only
        })
        .collect()
}

#[test]
fn raw_chunks_are_the_last_snapshot() {
    assert_eq!(
        clean(run(&["chunk", WALKTHROUGH_FILE], "")),
        CHUNKS.concat()
    );
    let text = clean(run(&["chunk", "--format", "raw", ITINERARY_FILE], ""));
    assert_eq!(super::json(&text), last_line(ITINERARY));
}

#[test]
fn standard_input_is_read_with_a_dash_or_without_a_file() {
    assert_eq!(clean(run(&["chunk", "-"], WALKTHROUGH)), CHUNKS.concat());
    assert_eq!(clean(run(&["chunk"], WALKTHROUGH)), CHUNKS.concat());
}

#[test]
fn jsonl_has_one_string_per_snapshot_and_one_for_the_end() {
    let text = clean(run(&["chunk", "--format", "jsonl"], WALKTHROUGH));
    let chunks: Vec<Value> = text.lines().map(super::json).collect();
    assert_eq!(chunks, CHUNKS);
}

#[test]
fn jsonl_keeps_step_with_the_input() {
    let input = "[1]\n[1]\n\noops\n[1,2]\n";
    let outcome = run(&["chunk", "--format", "jsonl"], input);
    assert_eq!(outcome.stdout, "\"[1\"\n\"\"\n\"\"\n\",2\"\n\"]\"\n");
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn sse_has_numbered_events_and_the_whole_value_at_the_end() {
    let text = clean(run(&["chunk", "--format", "sse"], WALKTHROUGH));
    let data = data(&text);
    assert_eq!(data.len(), CHUNKS.len() + 1);
    for (chunk, data) in CHUNKS[..8].iter().zip(&data) {
        let expected = json!({"index": 0, "status": "PARTIAL", "delta": chunk});
        assert_eq!(super::json(data), expected);
    }
    assert_eq!(
        super::json(data[8]),
        json!({
            "index": 0,
            "status": "COMPLETED",
            "data": last_line(WALKTHROUGH),
            "delta": CHUNKS[8],
        })
    );
    assert!(text.starts_with("id: 1\ndata: {\"index\":0,\"status\":\"PARTIAL\",\"delta\":"));
    assert!(text.contains("\n\nid: 9\ndata: {\"index\":0,\"status\":\"COMPLETED\",\"data\":{"));
    assert!(text.ends_with("\n\nevent: CLOSE\ndata: [DONE]\n\n"));
}

#[test]
fn sse_has_no_event_for_a_snapshot_that_puts_out_nothing() {
    let text = clean(run(&["chunk", "--format", "sse"], "[1]\n[1]\n"));
    assert_eq!(data(&text).len(), 3);
}

#[test]
fn sse_keeps_numbers_as_they_are_written() {
    let text = clean(run(
        &["chunk", "--format", "sse"],
        "[9007199254740993,1.10,1e400]\n",
    ));
    assert!(text.contains("\"data\":[9007199254740993,1.10,1e400],"));
}

#[test]
fn openai_frames_are_a_chat_completion() {
    let text = clean(run(&["chunk", "--format", "openai"], WALKTHROUGH));
    let mut data = data(&text);
    assert_eq!(data.pop(), Some("[DONE]"));
    let frames: Vec<Value> = data.into_iter().map(super::json).collect();
    for frame in &frames {
        assert_eq!(frame["object"], "chat.completion.chunk");
        assert_eq!(frame["model"], "json-chunks");
        assert_eq!(frame["choices"][0]["index"], 0);
        assert_eq!(frame["id"], frames[0]["id"]);
        assert!(frame["id"].as_str().expect("text").starts_with("chatcmpl-"));
        assert!(frame["created"].is_u64());
    }
    let choice = |frame: &Value| {
        let choice = &frame["choices"][0];
        (choice["delta"].clone(), choice["finish_reason"].clone())
    };
    let mut expected = vec![(json!({"role": "assistant", "content": ""}), Value::Null)];
    expected.extend(CHUNKS.map(|chunk| (json!({"content": chunk}), Value::Null)));
    expected.push((json!({}), json!("stop")));
    assert_eq!(frames.iter().map(choice).collect::<Vec<_>>(), expected);
}

#[test]
fn without_input_the_formats_still_end() {
    let run = |format| clean(run(&["chunk", "--format", format], "\n\n"));
    assert_eq!(run("raw"), "");
    assert_eq!(run("jsonl"), "\"\"\n");
    assert_eq!(run("sse"), "event: CLOSE\ndata: [DONE]\n\n");
    let openai = run("openai");
    let data = data(&openai);
    assert_eq!(data.len(), 3);
    assert_eq!(super::json(data[1])["choices"][0]["finish_reason"], "stop");
}

#[test]
fn a_chunk_is_there_before_the_next_snapshot_is() {
    let mut child = spawn(&["chunk"]);
    for (line, chunk) in WALKTHROUGH.lines().zip(CHUNKS) {
        converse(&mut child, line, chunk);
    }
    drop(child.stdin.take());
    assert_eq!(clean(outcome(child)), CHUNKS[8]);
}

#[test]
fn an_event_is_whole_before_the_next_snapshot_is() {
    let mut child = spawn(&["chunk", "--format", "sse"]);
    for (id, snapshot) in ["[1", "[1,2", "[1,2,3"].into_iter().enumerate() {
        let chunk = if id == 0 {
            "[1".to_owned()
        } else {
            format!(",{}", id + 1)
        };
        let event = format!(
            "id: {}\ndata: {{\"index\":0,\"status\":\"PARTIAL\",\"delta\":\"{chunk}\"}}\n\n",
            id + 1
        );
        converse(&mut child, &format!("{snapshot}]"), &event);
    }
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut child = spawn(&["chunk", "--format", "jsonl"]);
    converse(&mut child, "[1]", "\"[1\"\n");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("piped");
    // It notices with its next write, and from then on nobody reads from here either.
    while std::io::Write::write_all(&mut stdin, b"[1]\n").is_ok() {}
    let outcome = outcome(child);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
}
