//! The command `repair`.

use serde_json::json;

use super::{ITINERARY, Outcome, json, run};

fn clean(outcome: Outcome) -> String {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    outcome.stdout
}

#[test]
fn valid_json_is_written_byte_for_byte() {
    for text in ["{ \"a\" : [1.10, 1e400] }", "[1]\n\n", "  null"] {
        assert_eq!(clean(run(&["repair"], text)), text);
        assert_eq!(clean(run(&["repair", "-"], text)), text);
    }
}

#[test]
fn malformed_text_becomes_a_line_of_json() {
    let reply = "Here you are:\n```json\n{'days': [1, 2,], // two\n\"title\": \"Thr";
    assert_eq!(
        clean(run(&["repair"], reply)),
        "{\"days\": [1, 2], \n\"title\": \"Thr\"}\n"
    );
}

#[test]
fn truncated_text_is_closed() {
    let line = ITINERARY.lines().last().unwrap();
    let end = line.find("subtitle").unwrap() + 70;
    let half = line.get(..end).unwrap();
    let days = &json(&clean(run(&["repair"], half)))["days"];
    assert_eq!(days[0]["subtitle"], json(line)["days"][0]["subtitle"]);
}

#[test]
fn report_is_one_object() {
    let outcome = run(&["repair", "--report"], b"\xff[True,]");
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(0), "[true]\n")
    );
    assert_eq!(
        json(&outcome.stderr),
        json!({"edits": [
            {"start": 0, "end": 1, "rule": "surrounding_text", "replacement": ""},
            {"start": 2, "end": 6, "rule": "literal", "replacement": "true"},
            {"start": 6, "end": 7, "rule": "trailing_comma", "replacement": ""},
        ], "lost": []})
    );
    let outcome = run(&["repair", "--report"], "[1]");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), "[1]"));
    assert_eq!(json(&outcome.stderr), json!({"edits": [], "lost": []}));
}

#[test]
fn dropped_content_is_reported_and_exits_with_1() {
    let lines = "{\"a\":1}\n{\"a\":2}\n";
    let outcome = run(&["repair"], lines);
    assert_eq!(
        (
            outcome.code,
            outcome.stdout.as_str(),
            outcome.stderr.as_str()
        ),
        (
            Some(1),
            "{\"a\":1}\n",
            "<stdin>:1: error: bytes 7 to 16 were dropped (extra_value)\n\
             hint: to keep several values, use `--multiple-values`\n"
        )
    );
    let outcome = run(&["repair", "--report"], lines);
    assert_eq!(
        (outcome.code, &json(&outcome.stderr)["lost"]),
        (
            Some(1),
            &json!([{"start": 7, "end": 16, "rule": "extra_value", "text": "\n{\"a\":2}\n"}])
        )
    );
}

#[test]
fn multiple_values_become_an_array() {
    let lines = "{\"a\":1}\n{\"a\":2}\n";
    assert_eq!(
        clean(run(&["repair", "--multiple-values"], lines)),
        "[{\"a\":1},\n{\"a\":2}]\n"
    );
}

#[test]
fn finish_reason_decides_what_is_missing() {
    let text = "{\"a\":\"text}";
    for (reason, repaired) in [
        ("stopped", "{\"a\":\"text\"}\n"),
        ("truncated", "{\"a\":\"text}\"}\n"),
    ] {
        let outcome = run(&["repair", "--finish-reason", reason], text);
        assert_eq!(clean(outcome), repaired);
    }
}

#[test]
fn text_without_a_value_exits_with_1() {
    let outcome = run(&["repair", "--report"], "Sorry, no.");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert_eq!(
        outcome.stderr,
        "<stdin>:1: error: expected a value at byte 10\n"
    );
}
