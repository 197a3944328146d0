//! First replies, by example.

use json_chunks::join::{Accumulator, JoinKind};

use super::Outcome;

use JoinKind::{First, Repeated};
use Outcome::{Ambiguous, Certain, Failed, Likely};

/// Asserts rows of a first reply, its outcome, and the text.
fn starts(rows: &[(&str, Outcome, &str)]) {
    for (reply, expected, text) in rows {
        let mut accumulator = Accumulator::new();
        let join = accumulator.push(reply);
        assert_eq!(Outcome::of(&join), *expected, "{reply}");
        assert_eq!(accumulator.text(), *text, "{reply}");
    }
}

#[test]
fn first_reply_is_used_as_is() {
    starts(&[
        (r#"{"a": [1, 2]}"#, Certain(First), r#"{"a": [1, 2]}"#),
        (" [1]\n", Certain(First), " [1]\n"),
        ("\u{FEFF}[1]", Certain(First), "[1]"),
        ("\"text\"", Certain(First), "\"text\""),
        (r#"{"a": [1, 2"#, Certain(First), r#"{"a": [1, 2"#),
        (r#"{"a": "hal"#, Certain(First), r#"{"a": "hal"#),
        ("tru", Likely(First), "tru"),
        ("12", Likely(First), "12"),
        ("", Certain(Repeated), ""),
        (" \n", Certain(Repeated), ""),
    ]);
}

#[test]
fn fences_and_prose_around_first_reply_are_dropped() {
    starts(&[
        ("```json\n{\"a\": 1}\n```", Certain(First), "{\"a\": 1}"),
        ("```\n[1]\n```\n\nThat is [all].", Certain(First), "[1]"),
        ("```json {\"a\": 1} ```", Certain(First), "{\"a\": 1}"),
        (
            "Here you are:\r\n```json\r\n[1]\r\n```\r\n",
            Certain(First),
            "[1]",
        ),
        (
            "Sure!\n\n```json\n{\"a\": [1, \"b",
            Certain(First),
            "{\"a\": [1, \"b",
        ),
        ("```json\n{\"a\": \"b\n```", Certain(First), "{\"a\": \"b"),
        ("Here you are: {\"a\": [1", Likely(First), "{\"a\": [1"),
        ("{\"a\": 1}\n\nAnything else?", Likely(First), "{\"a\": 1}"),
        ("[1, 2\n\nShall I go on?", Likely(First), "[1, 2"),
        ("See [1] and [2].", Ambiguous(First), ""),
        // More fences than are searched.
        (
            "```\n[1]\n```\na\n```\nb\n```\nc\n```\nd\n```\ne\n```\nf",
            Ambiguous(First),
            "",
        ),
        ("I can't do that.", Failed, ""),
        ("12 apples", Failed, ""),
        ("true enough", Failed, ""),
    ]);
}

#[test]
fn document_after_failed_reply_is_not_certain() {
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push("Here you are: \"a string");
    assert!(!accumulator.push("\"ab\"").is_joined());
    assert_eq!(Outcome::of(&accumulator.push("[1]")), Likely(First));
}

/// The skipped text may have been the document.
#[test]
fn documents_are_never_skipped() {
    for reply in [
        "{\"a\":1}\n{\"a\":2}\n{\"a\":3",
        r#"{"a":1}{"a":2}"#,
        r#"{"text": "a "quoted" word", "items": [{"n": 1}, {"n": 2"#,
    ] {
        let mut accumulator = Accumulator::new();
        assert_eq!(Outcome::of(&accumulator.push(reply)), Failed, "{reply}");
        assert_eq!(accumulator.text(), "");
    }
    let mut accumulator = Accumulator::new();
    let join = accumulator.push("The format {name: string} is used.\n{\"a\": 1");
    assert_eq!(Outcome::of(&join), Likely(First));
    assert_eq!(accumulator.text(), "{\"a\": 1");
}

#[test]
fn start_after_ambiguous_reply_is_not_certain() {
    let mut accumulator = Accumulator::new();
    let join = accumulator.push("```json\n{\"x\": 1}\n```\nand\n```json\n{\"days\": ");
    assert!(!join.is_joined());
    let join = accumulator.push("[1, 2");
    assert!(!matches!(Outcome::of(&join), Certain(_)));
}
