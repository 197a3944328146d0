//! The formats of `chunk`.

use serde_json::{Value, json};

use super::{
    CHUNKS, ITINERARY, ITINERARY_FILE, Outcome, WALKTHROUGH, WALKTHROUGH_FILE, last_line, outcome,
    run, send_and_expect, spawn,
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
fn raw_chunks_equal_the_last_snapshot() {
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
fn jsonl_has_an_empty_string_for_unusable_and_unchanged_snapshots() {
    let input = "[1]\n[1]\n\noops\n[1,2]\n";
    let outcome = run(&["chunk", "--format", "jsonl"], input);
    assert_eq!(outcome.stdout, "\"[1\"\n\"\"\n\"\"\n\",2\"\n\"]\"\n");
    assert_eq!(outcome.code, Some(1));
}

/// Both commands write the same events for the same document.
#[test]
fn sse_of_chunks_equals_sse_of_the_document_as_an_entity() {
    let events = clean(run(&["chunk", "--format", "sse"], WALKTHROUGH));
    let fragments = clean(run(&["chunk", "--format", "jsonl"], WALKTHROUGH));
    assert_eq!(
        events,
        clean(run(&["entities", "--sse", "--jsonl"], fragments))
    );
}

#[test]
fn sse_deltas_rebuild_the_value_so_far() {
    for input in [
        WALKTHROUGH,
        ITINERARY,
        "[1]\n[1,[2]]\n",
        "3\n32\n",
        "\"a\"\n\"ab\"\n",
    ] {
        let text = clean(run(&["chunk", "--format", "sse"], input));
        let mut data = data(&text);
        assert_eq!(data.pop(), Some("[DONE]"));
        let events: Vec<Value> = data.into_iter().map(super::json).collect();
        let mut rebuilt = Value::Null;
        for (n, event) in events.iter().enumerate() {
            for step in event["delta"].as_array().expect("a list") {
                let path = step["path"].as_str().expect("a pointer");
                apply(&mut rebuilt, path, step);
            }
            assert_eq!(event["data"], rebuilt);
            assert_eq!(event["index"], 0);
            let is_last = n + 1 == events.len();
            let status = if is_last { "COMPLETED" } else { "PARTIAL" };
            assert_eq!(event["status"], status);
            assert!(text.contains(&format!("id: {}\ndata: {{", n + 1)));
        }
        assert_eq!(rebuilt, last_line(input));
        assert!(text.ends_with("\n\nevent: CLOSE\ndata: [DONE]\n\n"));
    }
}

/// Applies one step of a delta, as a client does.
fn apply(document: &mut Value, path: &str, step: &Value) {
    if let Some(more) = step["append"].as_str() {
        let there = document.pointer_mut(path).expect("the value exists");
        let text = there.as_str().expect("a string").to_owned();
        *there = Value::from(text + more);
        return;
    }
    let value = step["value"].clone();
    let Some((parent, name)) = path.rsplit_once('/') else {
        *document = value;
        return;
    };
    match document.pointer_mut(parent).expect("the value exists") {
        Value::Object(members) => {
            members.insert(name.replace("~1", "/").replace("~0", "~"), value);
        }
        Value::Array(elements) => match name.parse::<usize>().expect("an index") {
            index if index == elements.len() => elements.push(value),
            index => elements[index] = value,
        },
        other => panic!("{other} has no members"),
    }
}

#[test]
fn sse_has_no_event_for_a_snapshot_that_emits_nothing() {
    let text = clean(run(&["chunk", "--format", "sse"], "[1]\n[1]\n"));
    assert_eq!(data(&text).len(), 3);
}

#[test]
fn sse_keeps_the_text_of_numbers() {
    let text = clean(run(
        &["chunk", "--format", "sse"],
        "[9007199254740993,1.10,1e400]\n",
    ));
    assert!(text.contains("\"status\":\"COMPLETED\",\"data\":[9007199254740993,1.10,1e400],"));
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
fn frames_of_every_api_have_the_chunks_as_text() {
    use json_chunks::wire::{Dialect, Finish, Piece, Reader};

    for dialect in Dialect::ALL {
        // Each dialect is a format of the same name.
        let format = dialect.as_str();
        let body = clean(run(&["chunk", "--format", format], WALKTHROUGH));
        let mut reader = Reader::new(dialect);
        let mut pieces: Vec<_> = reader.push(&body).collect();
        pieces.extend(reader.finish());
        let end = pieces.pop().expect("an end").expect("no error");
        assert!(matches!(end, Piece::Finish(Finish::Stop)), "{format}");
        let chunks: Vec<_> = pieces
            .into_iter()
            .filter_map(|piece| match piece.expect("no error") {
                Piece::Text(text) => Some(text),
                _ => None,
            })
            .collect();
        if dialect == Dialect::PlainText {
            // It has no frames that would keep the chunks apart.
            assert_eq!(chunks.concat(), CHUNKS.concat());
        } else {
            assert_eq!(chunks, CHUNKS, "{format}");
        }
    }
}

/// Where a connection is reset, reading fails after what was received before.
#[cfg(unix)]
#[test]
fn input_lost_after_a_line_completes_raw_chunks_and_breaks_off_a_text_stream() {
    use std::io::Write as _;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    for (format, expected) in [("raw", "[1]"), ("text", "[1")] {
        let (mut sender, mut receiver) = UnixStream::pair().expect("a pair of sockets");
        sender.write_all(b"[1]\n").expect("the socket is open");
        // A socket that is closed before it has read everything resets the connection.
        receiver.write_all(b"unread").expect("the socket is open");
        drop(sender);
        let child = super::command(&["chunk", "--format", format])
            .stdin(OwnedFd::from(receiver))
            .spawn()
            .expect("the command starts");
        let outcome = outcome(child);
        assert_eq!((outcome.stdout.as_str(), outcome.code), (expected, Some(2)));
    }
}

/// Reading a directory fails after the first frames have been written.
#[cfg(unix)]
#[test]
fn lost_input_is_an_error_of_the_reply() {
    for (format, expected) in [
        ("anthropic", "event: error\n"),
        ("raw", ""),
        ("sse", "[DONE]"),
    ] {
        let directory = std::fs::File::open(env!("CARGO_MANIFEST_DIR")).expect("a directory");
        let child = super::command(&["chunk", "--format", format])
            .stdin(directory)
            .spawn()
            .expect("the command starts");
        let outcome = outcome(child);
        assert!(outcome.stdout.contains(expected), "{}", outcome.stdout);
        assert!(
            !outcome.stdout.contains("message_stop"),
            "{}",
            outcome.stdout
        );
        assert!(
            outcome.stderr.starts_with("error: cannot read <stdin>: "),
            "{}",
            outcome.stderr
        );
        assert_eq!(outcome.code, Some(2));
    }
}

#[test]
fn empty_input_has_the_end_of_each_format() {
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
fn chunk_arrives_before_the_next_snapshot() {
    let mut child = spawn(&["chunk"]);
    for (line, chunk) in WALKTHROUGH.lines().zip(CHUNKS) {
        send_and_expect(&mut child, line, chunk);
    }
    drop(child.stdin.take());
    assert_eq!(clean(outcome(child)), CHUNKS[8]);
}

#[test]
fn event_arrives_before_the_next_snapshot() {
    let mut child = spawn(&["chunk", "--format", "sse"]);
    for (id, data, delta) in [
        (1, "[1]", r#"{"path":"","value":[1]}"#),
        (2, "[1,2]", r#"{"path":"/1","value":2}"#),
        (3, "[1,2,3]", r#"{"path":"/2","value":3}"#),
    ] {
        let event = format!(
            "id: {id}\ndata: {{\"index\":0,\"status\":\"PARTIAL\",\"data\":{data},\"delta\":[{delta}]}}\n\n"
        );
        send_and_expect(&mut child, data, &event);
    }
}

#[test]
fn closed_output_ends_without_an_error() {
    let mut child = spawn(&["chunk", "--format", "jsonl"]);
    send_and_expect(&mut child, "[1]", "\"[1\"\n");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("piped");
    // Its next write fails, and then it reads no more.
    while std::io::Write::write_all(&mut stdin, b"[1]\n").is_ok() {}
    let outcome = outcome(child);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
}
