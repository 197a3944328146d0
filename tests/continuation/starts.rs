//! What comes of a first reply, by example.

use json_chunks::{Accumulator, Certainty, JoinKind};

use Certainty::{Ambiguous, Certain, Likely};
use JoinKind::{Failed, First, Repeated};

/// Pushes a first reply; each row has what comes of it, and the text.
fn starts(rows: &[(&str, JoinKind, Certainty, &str)]) {
    for (reply, kind, certainty, text) in rows {
        let mut accumulator = Accumulator::new();
        let join = accumulator.push(reply);
        assert_eq!(
            (join.kind(), join.certainty()),
            (*kind, *certainty),
            "{reply}"
        );
        assert_eq!(accumulator.text(), *text, "{reply}");
    }
}

#[test]
fn a_first_reply_is_used_as_it_is() {
    starts(&[
        (r#"{"a": [1, 2]}"#, First, Certain, r#"{"a": [1, 2]}"#),
        (" [1]\n", First, Certain, " [1]\n"),
        ("\u{FEFF}[1]", First, Certain, "[1]"),
        ("\"text\"", First, Certain, "\"text\""),
        (r#"{"a": [1, 2"#, First, Certain, r#"{"a": [1, 2"#),
        (r#"{"a": "hal"#, First, Certain, r#"{"a": "hal"#),
        ("tru", First, Likely, "tru"),
        ("12", First, Likely, "12"),
        ("", Repeated, Certain, ""),
        (" \n", Repeated, Certain, ""),
    ]);
}

#[test]
fn fences_and_prose_around_a_first_reply_are_left_out() {
    starts(&[
        ("```json\n{\"a\": 1}\n```", First, Certain, "{\"a\": 1}"),
        ("```\n[1]\n```\n\nThat is [all].", First, Certain, "[1]"),
        ("```json {\"a\": 1} ```", First, Certain, "{\"a\": 1}"),
        (
            "Here you are:\r\n```json\r\n[1]\r\n```\r\n",
            First,
            Certain,
            "[1]",
        ),
        (
            "Sure!\n\n```json\n{\"a\": [1, \"b",
            First,
            Certain,
            "{\"a\": [1, \"b",
        ),
        ("```json\n{\"a\": \"b\n```", First, Certain, "{\"a\": \"b"),
        ("Here you are: {\"a\": [1", First, Likely, "{\"a\": [1"),
        ("{\"a\": 1}\n\nAnything else?", First, Likely, "{\"a\": 1}"),
        ("[1, 2\n\nShall I go on?", First, Likely, "[1, 2"),
        ("See [1] and [2].", First, Ambiguous, ""),
        // More fences than are looked at.
        (
            "```\n[1]\n```\na\n```\nb\n```\nc\n```\nd\n```\ne\n```\nf",
            First,
            Ambiguous,
            "",
        ),
        ("I can't do that.", Failed, Ambiguous, ""),
        ("12 apples", Failed, Ambiguous, ""),
        ("true enough", Failed, Ambiguous, ""),
    ]);
}

#[test]
fn what_is_behind_a_reply_that_failed_is_not_certain() {
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push("Here you are: \"a string");
    assert_eq!(accumulator.push("\"ab\"").certainty(), Ambiguous);
    assert_eq!(accumulator.push("[1]").certainty(), Likely);
}

/// What was left out might have been what was asked for.
#[test]
fn no_document_is_left_out() {
    for reply in [
        "{\"a\":1}\n{\"a\":2}\n{\"a\":3",
        r#"{"a":1}{"a":2}"#,
        r#"{"text": "a "quoted" word", "items": [{"n": 1}, {"n": 2"#,
    ] {
        let mut accumulator = Accumulator::new();
        assert_eq!(accumulator.push(reply).kind(), Failed, "{reply}");
        assert_eq!(accumulator.text(), "");
    }
    let mut accumulator = Accumulator::new();
    let join = accumulator.push("The format {name: string} is used.\n{\"a\": 1");
    assert_eq!(join.certainty(), Likely);
    assert_eq!(accumulator.text(), "{\"a\": 1");
}

#[test]
fn behind_a_choice_nothing_is_certain_to_be_the_start() {
    let mut accumulator = Accumulator::new();
    let join = accumulator.push("```json\n{\"x\": 1}\n```\nand\n```json\n{\"days\": ");
    assert_eq!(join.certainty(), Ambiguous);
    assert!(accumulator.push("[1, 2").certainty() < Certain);
}
