//! `extract`: the JSON in the text of a model.

use std::io::Write as _;

use super::{Outcome, outcome, run, send_and_expect, spawn};

const REPLY: &str = "\
<think>Maybe [1] or {2}?</think>
Here you are:
```json
{\"answer\": [1,
2]}
```
I hope [this] helps.
";

fn clean(outcome: Outcome) -> String {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    outcome.stdout
}

#[test]
fn json_is_written_without_its_surroundings() {
    let json = clean(run(&["extract"], REPLY));
    assert_eq!(json, "{\"answer\": [1,\n2]}\n");
    assert_eq!(clean(run(&["extract"], "[1, 2]")), "[1, 2]\n");
    let snapshots = run(&["snapshots", "--partials", "omit-all"], json);
    assert_eq!(clean(snapshots), "{\"answer\":[1,2]}\n");
}

#[test]
fn json_arrives_before_the_next_fragment() {
    let mut child = spawn(&["extract", "--jsonl"]);
    send_and_expect(
        &mut child,
        r#""Here:\n```json\n{\"a\": \"x""#,
        "{\"a\": \"x",
    );
    send_and_expect(&mut child, r#""y""#, "y");
    send_and_expect(&mut child, r#""\"}\n```\nDone.""#, "\"}");
    drop(child.stdin.take());
    assert_eq!(clean(outcome(child)), "\n");
}

#[test]
fn prose_goes_to_standard_error_without_markers() {
    let outcome = run(&["extract", "--prose"], REPLY);
    assert_eq!(outcome.code, Some(0));
    assert_eq!(outcome.stdout, "{\"answer\": [1,\n2]}\n");
    assert_eq!(
        outcome.stderr,
        "Maybe [1] or {2}?\nHere you are:\n\nI hope [this] helps.\n"
    );
    let outcome = run(&["extract", "--prose"], "Nothing");
    assert_eq!(
        outcome.stderr,
        "Nothing\n<stdin>: error: no JSON in the text\n"
    );
}

#[test]
fn multiple_values_are_lines() {
    let calls =
        "<tool_call>{\"name\": \"a\"}</tool_call>\n<tool_call>{\"name\": \"b\"}</tool_call>";
    assert_eq!(clean(run(&["extract"], calls)), "{\"name\": \"a\"}\n");
    assert_eq!(
        clean(run(&["extract", "--multiple-values"], calls)),
        "{\"name\": \"a\"}\n{\"name\": \"b\"}\n"
    );
}

#[test]
fn reasoning_may_start_before_the_text() {
    let text = "{\"a\": 1}</think>{\"b\": 2}";
    assert_eq!(clean(run(&["extract"], text)), "{\"a\": 1}\n");
    assert_eq!(
        clean(run(&["extract", "--starts-in-reasoning"], text)),
        "{\"b\": 2}\n"
    );
}

#[test]
fn text_without_json_is_an_error() {
    for text in ["", "Sorry, no.", "as shown in [1]"] {
        let outcome = run(&["extract"], text);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
        assert_eq!(outcome.stderr, "<stdin>: error: no JSON in the text\n");
    }
}

#[test]
fn mistake_in_json_is_reported_and_written() {
    let text = "Here:\n```json\n{\"a\": 1,\n'b': 2}\n```\nDone.\n";
    let outcome = run(&["extract"], text);
    assert_eq!(outcome.stdout, "{\"a\": 1,\n'b': 2}\n");
    assert_eq!(
        outcome.stderr,
        "<stdin>:4: error: document 0: expected a member name at byte 9\n\
         hint: to repair the JSON, use `json-chunks repair`\n"
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn mistake_has_the_line_of_the_text_for_every_split() {
    let text = "Here:\n\n```json\n{\"a\":\n 1,\n'b': 2}\n```\nDone.\n";
    for split in 0..=text.len() {
        let mut child = spawn(&["extract"]);
        let mut stdin = child.stdin.take().expect("piped");
        let (left, right) = text.split_at(split);
        stdin.write_all(left.as_bytes()).expect("it reads");
        std::thread::yield_now();
        stdin.write_all(right.as_bytes()).expect("it reads");
        drop(stdin);
        let outcome = outcome(child);
        assert_eq!(outcome.stdout, "{\"a\":\n 1,\n'b': 2}\n");
        let error = "<stdin>:6: error: document 0: ";
        assert!(outcome.stderr.starts_with(error), "{}", outcome.stderr);
    }
}

#[test]
fn truncated_json_is_reported_and_written() {
    let outcome = run(&["extract", "--prose"], "Here: {\"a\": [1");
    assert_eq!(outcome.stdout, "{\"a\": [1\n");
    assert_eq!(
        outcome.stderr,
        "Here: \n<stdin>:1: error: document 0: unexpected end of JSON at byte 8\n\
         hint: to close the JSON, use `json-chunks repair`; \
         to join it with its rest, `json-chunks merge`\n"
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn invalid_utf8_is_reported_once() {
    let outcome = run(&["extract"], b"Here:\n{\"a\": \"x\xff\"}");
    assert_eq!(outcome.stdout, "{\"a\": \"x\n");
    assert_eq!(
        outcome.stderr,
        "<stdin>:2: error: invalid UTF-8 at byte 14\n"
    );
    assert_eq!(outcome.code, Some(1));
}
