//! Options, and reports of lost content.

use json_chunks::repair::{FinishReason, RepairOptions, RepairRule, repair_with};
use json_chunks::{ErrorKind, repair};

use super::{repaired, repaired_with};

fn stopped() -> RepairOptions {
    RepairOptions::default().finish_reason(FinishReason::Stopped)
}

fn truncated() -> RepairOptions {
    RepairOptions::default().finish_reason(FinishReason::Truncated)
}

#[test]
fn start_of_valid_json_is_read_by_its_finish_reason() {
    for (text, unknown, when_stopped) in [
        (r#"{"a":"b}"#, r#"{"a":"b}"}"#, r#"{"a":"b"}"#),
        (r#"{"a":["b]}"#, r#"{"a":["b]}"]}"#, r#"{"a":["b"]}"#),
        (r#"{"a":1,"b"#, r#"{"a":1}"#, r#"{"a":1,"b":null}"#),
        (r#"{"a":1,"b":"#, r#"{"a":1}"#, r#"{"a":1,"b":null}"#),
        (r#"{"a: 1}"#, "{}", r#"{"a": 1}"#),
        (
            "{\n  \"a\": {\n    \"b\": 1,\n  \"c\": 2\n}",
            "{\n  \"a\": {\n    \"b\": 1,\n  \"c\": 2\n}}",
            "{\n  \"a\": {\n    \"b\": 1},\n  \"c\": 2\n}",
        ),
    ] {
        assert_eq!(repaired(text).text(), unknown);
        assert_eq!(repaired_with(text, truncated()).text(), unknown);
        assert_eq!(repaired_with(text, stopped()).text(), when_stopped);
    }
}

#[test]
fn malformed_text_that_ends_with_due_closers_is_not_truncated() {
    let text = "{'a':1,\"b\":\"c}";
    assert_eq!(repaired(text).text(), r#"{"a":1,"b":"c"}"#);
    assert_eq!(
        repaired_with(text, truncated()).text(),
        r#"{"a":1,"b":"c}"}"#
    );
}

#[test]
fn multiple_values_become_an_array() {
    let options = RepairOptions::default().multiple_values(true);
    for (text, array) in [
        ("{\"a\":1}\n{\"a\":2}\n", "[{\"a\":1},\n{\"a\":2}]\n"),
        ("1\n2\n3", "[1,\n2,\n3]"),
        ("[1],[2]", "[[1],[2]]"),
        ("{'a':1}{b:2", "[{\"a\":1},{\"b\":2}]"),
        (
            "```json\n{\"a\":1}\n```\nand\n```json\n{\"a\":2}\n```\n",
            "[{\"a\":1},\n{\"a\":2}]",
        ),
        (
            "First: {\"a\":1} Then: {\"a\":2} Done.",
            "[{\"a\":1}, {\"a\":2}]",
        ),
    ] {
        let repaired = repaired_with(text, options);
        let edits = repaired.edits();
        assert_eq!(repaired.text(), array, "{text}: {edits:?}");
        assert!(!repaired.is_lossy(), "{text}: {edits:?}");
    }
}

#[test]
fn single_value_is_unchanged_with_multiple_values() {
    let options = RepairOptions::default().multiple_values(true);
    for text in ["{\"a\":1}", "[1,2]", " 1\n"] {
        assert!(repaired_with(text, options).is_unchanged());
    }
    assert_eq!(repaired_with("Here: {a:1}.", options).text(), "{\"a\":1}");
}

#[test]
fn only_lost_content_is_reported_as_lost() {
    for (text, lost) in [
        ("Here: {\"a\":1} Done.", &[] as &[_]),
        ("<think>so [2]</think>```json\n[1,]\n```", &[]),
        ("{\"a\":1}\n{\"a\":2}", &[(RepairRule::ExtraValue, 7..15)]),
        ("{\"a\":1,\"b\":", &[(RepairRule::UnfinishedMember, 6..11)]),
        ("[1,-", &[(RepairRule::UnfinishedNumber, 2..4)]),
        ("[\"a\\u00", &[(RepairRule::UnfinishedEscape, 3..7)]),
    ] {
        let repaired = repaired(text);
        let found: Vec<_> = repaired
            .lost()
            .map(|edit| (edit.rule(), edit.range()))
            .collect();
        assert_eq!(found, lost, "{text}");
        assert_eq!(repaired.is_lossy(), !lost.is_empty());
    }
}

#[test]
fn limits_hold_for_input_and_result() {
    let options = RepairOptions::default().limits(json_chunks::Limits::default().max_depth(2));
    for text in ["[[[1]]]", "x [[[1", "```\n[[(1,2)]]\n```"] {
        let error = repair_with(text, options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooDeep, "{text}");
    }
    assert!(repair("[[[1]]]").is_ok());
}

// Without `std` there is no cell that threads can share.
#[cfg(feature = "std")]
#[test]
fn repaired_is_send_and_sync() {
    fn is_shared<T: Send + Sync + Clone>(_: &T) {}
    is_shared(&repaired("[1"));
}
