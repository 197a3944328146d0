//! The commands that read fragments: `snapshots`, `events`, `tools`.

use std::io::Write as _;

use serde_json::{Value, json};

use super::{
    CHUNKS, ITINERARY, ITINERARY_FILE, Outcome, WALKTHROUGH, converse, last_line, outcome, run,
    spawn,
};

fn clean(outcome: Outcome) -> String {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    outcome.stdout
}

/// One JSON string a line.
fn jsonl(fragments: &[&str]) -> String {
    let lines = fragments
        .iter()
        .map(|fragment| Value::from(*fragment).to_string());
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(super::json).collect()
}

/// Writes some bytes, then reads the lines that come of them before anything else is written.
fn converse_raw(child: &mut std::process::Child, bytes: &[u8], reply: &str) {
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
fn a_snapshot_is_there_before_the_next_fragment_is() {
    let mut child = spawn(&["snapshots"]);
    converse_raw(&mut child, b"{\"title\": \"Thr", "{\"title\":\"Thr\"}\n");
    converse_raw(&mut child, b"ee", "{\"title\":\"Three\"}\n");
    converse_raw(&mut child, "\", \"é".as_bytes(), "");
    converse_raw(&mut child, b"\": [1", "{\"title\":\"Three\",\"é\":[1]}\n");
    converse_raw(&mut child, b"]}", "");
    drop(child.stdin.take());
    assert_eq!(clean(outcome(child)), "");
}

#[test]
fn lines_of_strings_are_fragments() {
    let mut child = spawn(&["snapshots", "--jsonl"]);
    converse(&mut child, r#""[\"a""#, "[\"a\"]");
    converse(&mut child, r#""""#, "\n");
    converse(&mut child, r#""b\"""#, "[\"ab\"]\n");
    converse(&mut child, "\"]\"", "");
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
fn unfinished_values_look_as_they_are_told_to() {
    let input = jsonl(&["{\"a\":\"x", "y\",\"b\":[1", "2,t", "rue]}"]);
    let snapshots = |policy| clean(run(&["snapshots", "--jsonl", "--partials", policy], &input));
    assert_eq!(
        snapshots("shown"),
        "{\"a\":\"x\"}\n{\"a\":\"xy\",\"b\":[1]}\n{\"a\":\"xy\",\"b\":[12,true]}\n"
    );
    assert_eq!(
        snapshots("complete"),
        "{}\n{\"a\":\"xy\",\"b\":[]}\n{\"a\":\"xy\",\"b\":[12]}\n{\"a\":\"xy\",\"b\":[12,true]}\n"
    );
    assert_eq!(
        snapshots("zero"),
        "{\"a\":\"\"}\n{\"a\":\"xy\",\"b\":[0]}\n{\"a\":\"xy\",\"b\":[12,false]}\n\
         {\"a\":\"xy\",\"b\":[12,true]}\n"
    );
    assert_eq!(snapshots("whole"), "{\"a\":\"xy\",\"b\":[12,true]}\n");
}

#[test]
fn several_values_are_taken_where_that_is_said() {
    let input = "{\"a\":1}\n{\"a\":2}\n\n[1.10]";
    let args = ["snapshots", "--several", "--partials", "whole"];
    assert_eq!(clean(run(&args, input)), "{\"a\":1}\n{\"a\":2}\n[1.10]\n");

    let outcome = run(&["snapshots"], input);
    assert_eq!(outcome.stdout, "{\"a\":1}\n");
    assert_eq!(
        outcome.stderr,
        "not JSON at byte 8: more text after the value\n"
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn events_tell_what_happens_where() {
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
fn numbers_keep_their_text() {
    let text = clean(run(&["events"], "[9007199254740993, 1.10, 1e400]"));
    for number in ["9007199254740993", "1.10", "1e400"] {
        assert!(text.contains(&format!("\"value\":{number}}}")), "{text}");
    }
}

#[test]
fn tools_are_named_before_their_arguments_are_there() {
    let mut child = spawn(&["tools", "--jsonl"]);
    converse(
        &mut child,
        r#""{\"name\":\"read\",\"argum""#,
        "{\"event\":\"named\",\"index\":0,\"name\":\"read\"}\n",
    );
    converse(
        &mut child,
        r#""ents\":{\"path\"""#,
        "{\"event\":\"arguments_delta\",\"index\":0,\"delta\":\"{\\\"path\\\"\"}\n",
    );
    converse(
        &mut child,
        r#"":1}}""#,
        "{\"event\":\"arguments_delta\",\"index\":0,\"delta\":\":1}\"}\n\
         {\"event\":\"completed\",\"index\":0,\"name\":\"read\",\"arguments\":\"{\\\"path\\\":1}\"}\n",
    );
    drop(child.stdin.take());
    assert_eq!(clean(outcome(child)), "");
}

#[test]
fn tools_have_the_shape_that_is_said() {
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
fn a_call_that_is_cut_off_has_failed() {
    let outcome = run(&["tools"], r#"{"name":"remove","arguments":{"path":"/"#);
    let events = lines(&outcome.stdout);
    let names: Vec<_> = events.iter().map(|event| &event["event"]).collect();
    assert_eq!(names, ["named", "arguments_delta", "failed"]);
    assert_eq!(
        outcome.stderr,
        "not JSON at byte 39: the text ends too early\n"
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn what_came_before_an_error_is_written() {
    for (command, expected) in [("snapshots", 1), ("events", 4)] {
        let outcome = run(&[command], "[12,oops]");
        assert_eq!(
            outcome.stdout.lines().count(),
            expected,
            "{}",
            outcome.stdout
        );
        assert_eq!(outcome.stderr, "not JSON at byte 4: expected a value\n");
        assert_eq!(outcome.code, Some(1));
    }
}

#[test]
fn with_lines_an_error_tells_the_line_as_well() {
    let outcome = run(&["snapshots", "--jsonl"], "\"[1\"\n\n\",\"\n\"]\"\n\"!\"\n");
    assert_eq!(outcome.stdout, "[1]\n");
    assert_eq!(
        outcome.stderr,
        "line 4: not JSON at byte 3: expected a value\n"
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn a_line_that_is_no_string_is_reported_and_skipped() {
    let outcome = run(&["snapshots", "--jsonl"], "\"[1\"\noops\n\"]\"\n");
    assert_eq!(outcome.stdout, "[1]\n");
    assert!(
        outcome.stderr.starts_with("line 2: not a JSON string: "),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let outcome = run(&["snapshots"], b"[\"a\xff\"]");
    assert_eq!(outcome.stdout, "[\"a\"]\n");
    assert_eq!(outcome.stderr, "not JSON at byte 3: not UTF-8\n");
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn without_input_there_is_no_value() {
    for command in ["snapshots", "events"] {
        let outcome = run(&[command], " \n");
        assert_eq!(outcome.stdout, "");
        assert_eq!(
            outcome.stderr,
            "not JSON at byte 2: the text ends too early\n"
        );
        assert_eq!(clean(run(&[command, "--several"], " \n")), "");
    }
    assert_eq!(clean(run(&["tools"], "")), "");
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut child = spawn(&["snapshots", "--several"]);
    converse_raw(&mut child, b"1 ", "1\n");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("piped");
    while stdin.write_all(b"1 ").is_ok() {}
    let outcome = outcome(child);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
}
