//! The commands that read fragments: `snapshots`, `events`, `tools`.

use std::io::Write as _;

use serde_json::{Value, json};

use super::{
    CHUNKS, ITINERARY, ITINERARY_FILE, Outcome, WALKTHROUGH, last_line, outcome, run,
    send_and_expect, spawn,
};

fn clean(outcome: Outcome) -> String {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    outcome.stdout
}

/// Returns lines of JSON strings.
fn jsonl(fragments: &[&str]) -> String {
    let lines = fragments
        .iter()
        .map(|fragment| Value::from(*fragment).to_string());
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(super::json).collect()
}

/// Writes bytes, then reads the output that has to arrive before the next bytes are written.
fn send_bytes_and_expect(child: &mut std::process::Child, bytes: &[u8], reply: &str) {
    let stdin = child.stdin.as_mut().expect("piped");
    stdin
        .write_all(bytes)
        .and_then(|()| stdin.flush())
        .expect("it reads");
    let mut read = vec![0; reply.len()];
    let stdout = child.stdout.as_mut().expect("piped");
    std::io::Read::read_exact(stdout, &mut read).expect("it replies");
    assert_eq!(String::from_utf8_lossy(&read), reply);
}

#[test]
fn snapshot_arrives_before_the_next_fragment() {
    let mut child = spawn(&["snapshots"]);
    send_bytes_and_expect(&mut child, b"{\"title\": \"Thr", "{\"title\":\"Thr\"}\n");
    send_bytes_and_expect(&mut child, b"ee", "{\"title\":\"Three\"}\n");
    send_bytes_and_expect(&mut child, "\", \"é".as_bytes(), "");
    send_bytes_and_expect(&mut child, b"\": [1", "{\"title\":\"Three\",\"é\":[1]}\n");
    send_bytes_and_expect(&mut child, b"]}", "");
    drop(child.stdin.take());
    assert_eq!(clean(outcome(child)), "");
}

#[test]
fn lines_of_strings_are_fragments() {
    let mut child = spawn(&["snapshots", "--jsonl"]);
    send_and_expect(&mut child, r#""[\"a""#, "[\"a\"]");
    send_and_expect(&mut child, r#""""#, "\n");
    send_and_expect(&mut child, r#""b\"""#, "[\"ab\"]\n");
    send_and_expect(&mut child, "\"]\"", "");
    drop(child.stdin.take());
    assert_eq!(clean(outcome(child)), "");
}

#[test]
fn snapshots_to_chunks_and_back() {
    let chunks = clean(run(&["chunk", "--format", "jsonl", ITINERARY_FILE], ""));
    let back = clean(run(&["snapshots", "--jsonl"], &chunks));
    assert_eq!(last_line(&back), last_line(ITINERARY));
    let growing = lines(&clean(run(&["snapshots", "--jsonl"], jsonl(&CHUNKS))));
    assert_eq!(growing.last(), Some(&last_line(WALKTHROUGH)));
    assert_eq!(growing[0], json!({"days": [{"subtitle": "Day"}]}));
}

#[test]
fn partials_are_written_by_their_mode() {
    let input = jsonl(&["{\"a\":\"x", "y\",\"b\":[1", "2,t", "rue]}"]);
    let snapshots = |policy| clean(run(&["snapshots", "--jsonl", "--partials", policy], &input));
    assert_eq!(
        snapshots("keep"),
        "{\"a\":\"x\"}\n{\"a\":\"xy\",\"b\":[1]}\n{\"a\":\"xy\",\"b\":[12,true]}\n"
    );
    assert_eq!(
        snapshots("omit"),
        "{}\n{\"a\":\"xy\",\"b\":[]}\n{\"a\":\"xy\",\"b\":[12]}\n{\"a\":\"xy\",\"b\":[12,true]}\n"
    );
    assert_eq!(
        snapshots("zero"),
        "{\"a\":\"\"}\n{\"a\":\"xy\",\"b\":[0]}\n{\"a\":\"xy\",\"b\":[12,false]}\n\
         {\"a\":\"xy\",\"b\":[12,true]}\n"
    );
    assert_eq!(snapshots("omit-all"), "{\"a\":\"xy\",\"b\":[12,true]}\n");
}

#[test]
fn multiple_values_are_an_option() {
    let input = "{\"a\":1}\n{\"a\":2}\n\n[1.10]";
    let args = ["snapshots", "--multiple-values", "--partials", "omit-all"];
    assert_eq!(clean(run(&args, input)), "{\"a\":1}\n{\"a\":2}\n[1.10]\n");

    let outcome = run(&["snapshots"], input);
    assert_eq!(outcome.stdout, "{\"a\":1}\n");
    assert_eq!(
        outcome.stderr,
        "<stdin>:2: error: trailing characters at byte 8\n\
         hint: for several values, use `--multiple-values`; for snapshots, `json-chunks chunk`\n"
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn events_have_paths_and_changes() {
    let input = jsonl(&["{\"a/b\":[\"x", "\\ny\",1", "0,null]}"]);
    assert_eq!(
        clean(run(&["events", "--jsonl"], input)),
        r#"{"path":"","event":"started","kind":"object"}
{"path":"/a~1b","event":"started","kind":"array"}
{"path":"/a~1b/0","event":"started","kind":"string"}
{"path":"/a~1b/0","event":"appended","text":"x"}
{"path":"/a~1b/0","event":"appended","text":"\ny"}
{"path":"/a~1b/0","event":"completed","value":"x\ny"}
{"path":"/a~1b/1","event":"started","kind":"number"}
{"path":"/a~1b/1","event":"appended","text":"1"}
{"path":"/a~1b/1","event":"appended","text":"0"}
{"path":"/a~1b/1","event":"completed","value":10}
{"path":"/a~1b/2","event":"started","kind":"null"}
{"path":"/a~1b/2","event":"completed","value":null}
{"path":"/a~1b","event":"completed"}
{"path":"","event":"completed"}
"#
    );
}

#[test]
fn events_keep_the_text_of_numbers() {
    let text = clean(run(&["events"], "[9007199254740993, 1.10, 1e400]"));
    for number in ["9007199254740993", "1.10", "1e400"] {
        assert!(text.contains(&format!("\"value\":{number}}}")), "{text}");
    }
}

#[test]
fn tool_call_is_reported_before_its_arguments_arrive() {
    let mut child = spawn(&["tools", "--jsonl"]);
    send_and_expect(
        &mut child,
        r#""{\"name\":\"read\",\"argum""#,
        "{\"event\":\"started\",\"index\":0,\"name\":\"read\"}\n",
    );
    send_and_expect(
        &mut child,
        r#""ents\":{\"path\"""#,
        "{\"event\":\"arguments_delta\",\"index\":0,\"delta\":\"{\\\"path\\\"\"}\n",
    );
    send_and_expect(
        &mut child,
        r#"":1}}""#,
        "{\"event\":\"arguments_delta\",\"index\":0,\"delta\":\":1}\"}\n\
         {\"event\":\"completed\",\"index\":0,\"name\":\"read\",\"arguments\":\"{\\\"path\\\":1}\"}\n",
    );
    drop(child.stdin.take());
    assert_eq!(clean(outcome(child)), "");
}

#[test]
fn tool_calls_are_found_in_the_given_shape() {
    let anthropic = r#"{"content":[{"type":"text","text":"So."},
        {"type":"tool_use","id":"toolu_1","name":"read","input":{"path":"/"}}]}"#;
    let openai = r#"{"tool_calls":[{"id":"call_1","type":"function",
        "function":{"name":"read","arguments":"{\"path\":\"/\"}"}}]}"#;
    for (shape, message, id) in [
        ("anthropic", anthropic, "toolu_1"),
        ("openai", openai, "call_1"),
    ] {
        let events = lines(&clean(run(&["tools", "--shape", shape], message)));
        assert_eq!(
            events.last(),
            Some(&json!({
                "event": "completed", "index": 0, "id": id, "name": "read",
                "arguments": "{\"path\":\"/\"}",
            })),
        );
    }
    assert_eq!(clean(run(&["tools", "--shape", "openai"], anthropic)), "");
}

#[test]
fn failed_call_makes_the_exit_code_1() {
    let call = |arguments: &str| {
        format!(
            "{{\"id\":\"call_0\",\"type\":\"function\",\"function\":\
             {{\"name\":\"read\",\"arguments\":{arguments}}}}}"
        )
    };
    let args = ["tools", "--shape", "openai"];
    let outcome = run(&args, call(r#""{\"path\": oops}""#));
    assert_eq!(outcome.code, Some(1));
    assert_eq!(
        outcome.stderr,
        "<stdin>: error: call 0: the arguments are not JSON: expected a value at byte 9\n"
    );
    let events = lines(&outcome.stdout);
    assert_eq!(events.last().expect("it failed")["event"], "failed");

    // The next call is still read.
    let text = format!("[{},{}]", call("\"{\""), call("\"{}\""));
    let outcome = run(&args, &text);
    assert_eq!(outcome.code, Some(1));
    let events = lines(&outcome.stdout);
    assert_eq!(events.last().expect("an event")["event"], "completed");
    assert_eq!(run(&args, call("\"{}\"")).code, Some(0));

    // An error of the text is reported once.
    let outcome = run(&["tools"], "{\"name\":\"read\",\"arguments\":{");
    assert_eq!(outcome.code, Some(1));
    assert_eq!(
        outcome.stderr,
        "<stdin>:1: error: unexpected end of JSON at byte 28\n"
    );
}

#[test]
fn truncated_call_has_failed() {
    let outcome = run(&["tools"], r#"{"name":"remove","arguments":{"path":"/"#);
    let events = lines(&outcome.stdout);
    let names: Vec<_> = events.iter().map(|event| &event["event"]).collect();
    assert_eq!(names, ["started", "arguments_delta", "failed"]);
    assert_eq!(
        outcome.stderr,
        "<stdin>:1: error: unexpected end of JSON at byte 39\n"
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn text_before_an_error_is_written() {
    for (command, expected) in [("snapshots", 1), ("events", 4)] {
        let outcome = run(&[command], "[12,oops]");
        assert_eq!(
            outcome.stdout.lines().count(),
            expected,
            "{}",
            outcome.stdout
        );
        assert_eq!(
            outcome.stderr,
            "<stdin>:1: error: expected a value at byte 4\n"
        );
        assert_eq!(outcome.code, Some(1));
    }
}

#[test]
fn error_in_a_fragment_has_its_line_and_the_byte_of_the_text() {
    let outcome = run(&["snapshots", "--jsonl"], "\"[1\"\n\n\",\"\n\"]\"\n\"!\"\n");
    assert_eq!(outcome.stdout, "[1]\n");
    assert_eq!(
        outcome.stderr,
        "<stdin>:4: error: expected a value at byte 3\n"
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn line_that_is_not_a_string_is_reported_and_skipped() {
    for command in ["snapshots", "extract"] {
        let outcome = run(&[command, "--jsonl"], "\"[1\"\noops\n\"]\"\n");
        assert_eq!(outcome.stdout, "[1]\n", "{command}");
        assert!(
            outcome
                .stderr
                .starts_with("<stdin>:2: error: not a JSON string: "),
            "{command}: {}",
            outcome.stderr
        );
        assert_eq!(outcome.code, Some(1), "{command}");
    }
}

#[test]
fn invalid_utf8_is_an_error() {
    let outcome = run(&["snapshots"], b"[\"a\xff\"]");
    assert_eq!(outcome.stdout, "[\"a\"]\n");
    assert_eq!(
        outcome.stderr,
        "<stdin>:1: error: invalid UTF-8 at byte 3\n"
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn empty_input_is_incomplete() {
    for command in ["snapshots", "events"] {
        let outcome = run(&[command], " \n");
        assert_eq!(outcome.stdout, "");
        assert_eq!(
            outcome.stderr,
            "<stdin>:1: error: unexpected end of JSON at byte 2\n"
        );
        assert_eq!(clean(run(&[command, "--multiple-values"], " \n")), "");
    }
    assert_eq!(clean(run(&["tools"], "")), "");
}

#[test]
fn closed_output_ends_without_an_error() {
    let mut child = spawn(&["snapshots", "--multiple-values"]);
    send_bytes_and_expect(&mut child, b"1 ", "1\n");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("piped");
    while stdin.write_all(b"1 ").is_ok() {}
    let outcome = outcome(child);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
}
