//! The command `repair`.

use serde_json::json;

use super::{ITINERARY, Outcome, json, run};

fn clean(outcome: Outcome) -> String {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    outcome.stdout
}

#[test]
fn json_is_written_byte_for_byte() {
    for text in ["{ \"a\" : [1.10, 1e400] }", "[1]\n\n", "  null"] {
        assert_eq!(clean(run(&["repair"], text)), text);
        assert_eq!(clean(run(&["repair", "-"], text)), text);
    }
}

#[test]
fn a_broken_text_becomes_a_line_of_json() {
    let reply = "Here you are:\n```json\n{'days': [1, 2,], // two\n\"title\": \"Thr";
    assert_eq!(
        clean(run(&["repair"], reply)),
        "{\"days\": [1, 2], \n\"title\": \"Thr\"}\n"
    );
}

#[test]
fn a_text_that_breaks_off_is_closed() {
    let line = ITINERARY.lines().last().unwrap();
    let half = line.as_bytes().split_at(line.len() / 2).0;
    let days = &json(&clean(run(&["repair"], half)))["days"];
    assert_eq!(days[0]["subtitle"], json(line)["days"][0]["subtitle"]);
}

#[test]
fn the_report_is_one_object() {
    let outcome = run(&["repair", "--report"], b"\xff[True,]");
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(0), "[true]\n")
    );
    assert_eq!(
        json(&outcome.stderr),
        json!({"repairs": [
            {"start": 0, "end": 1, "rule": "surrounding_text", "replacement": ""},
            {"start": 2, "end": 6, "rule": "literal", "replacement": "true"},
            {"start": 6, "end": 7, "rule": "trailing_comma", "replacement": ""},
        ]})
    );
    let outcome = run(&["repair", "--report"], "[1]");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), "[1]"));
    assert_eq!(json(&outcome.stderr), json!({"repairs": []}));
}

#[test]
fn a_text_without_a_value_ends_with_1() {
    let outcome = run(&["repair", "--report"], "Sorry, no.");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    assert_eq!(outcome.stderr, "not JSON at byte 10: expected a value\n");
}
