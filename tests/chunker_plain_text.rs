//! Snapshots of plain text, for models that hand out no JSON.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use json_chunks::{ErrorKind, Limits, OnRevision, Revision, RevisionKind, TextChunker};
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

use support::config;

#[track_caller]
fn check(rows: &[(&str, &str)], end: &str) {
    let mut chunker = TextChunker::new();
    for (snapshot, expected) in rows {
        assert_eq!(
            chunker.push(snapshot).unwrap(),
            *expected,
            "of {snapshot:?}"
        );
    }
    assert_eq!(chunker.finish(), end);
    assert_eq!(chunker.finish(), "", "once");
    assert_eq!(chunker.take_revisions(), []);
}

#[test]
fn what_is_new_goes_out() {
    check(
        &[
            ("", ""),
            ("Su", "Su"),
            ("Su", ""),
            ("Sure: \"{", "re: \"{"),
            ("Sure: \"{\n ", "\n "),
        ],
        "",
    );
}

#[test]
fn half_a_character_waits() {
    check(
        &[
            ("a\u{FFFD}", "a"),
            ("aé\u{FFFD}\u{FFFD}", "é"),
            ("aé😀", "😀"),
            ("aé😀\u{FFFD}", ""),
            ("aé😀\u{FFFD}b", "\u{FFFD}b"),
            ("aé😀\u{FFFD}b\u{FFFD}", ""),
        ],
        "\u{FFFD}",
    );
    check(&[("a\u{FFFD}", "a"), ("a", "")], "");
}

#[test]
fn what_is_contradicted_stays_and_is_reported_once() {
    let mut chunker = TextChunker::new();
    assert_eq!(chunker.push("hello").unwrap(), "hello");
    assert_eq!(chunker.push("help").unwrap(), "");
    assert_eq!(chunker.push("hel").unwrap(), "");
    let revisions = chunker.take_revisions();
    assert_eq!(revisions.len(), 1);
    assert_eq!(revisions[0].kind(), RevisionKind::Rewritten);
    assert_eq!(
        (revisions[0].pointer(), revisions[0].put_out()),
        ("", "hello")
    );
    assert_eq!(revisions[0].came(), Some("help"));
    assert!(!revisions[0].is_mended());
    assert_eq!(
        chunker.push("hello!").unwrap(),
        "!",
        "where it agrees again, it goes on"
    );
    assert_eq!(chunker.push("").unwrap(), "");
    assert_eq!(chunker.take_revisions(), []);
}

#[test]
fn what_is_rejected_changes_nothing() {
    let mut chunker = TextChunker::new().on_revision(OnRevision::Reject);
    assert_eq!(chunker.push("hello\u{FFFD}").unwrap(), "hello");
    let mut out = "before".to_owned();
    let error = chunker.push_into("help", &mut out).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Revision, 3));
    assert_eq!(error.revision().map(Revision::put_out), Some("hello"));
    assert_eq!(out, "before");
    assert_eq!(chunker.clone().finish(), "\u{FFFD}");
    assert_eq!(chunker.push("hello!").unwrap(), "!");
    assert_eq!(chunker.take_revisions(), []);
}

#[test]
fn what_is_too_large_changes_nothing() {
    let limits = Limits::default().max_document_bytes(5);
    let mut chunker = TextChunker::new().limits(limits);
    assert_eq!(chunker.push("hell").unwrap(), "hell");
    let error = chunker.push("hello!").unwrap_err();
    assert_eq!(
        (error.kind(), error.is_limit()),
        (ErrorKind::TooLarge, true)
    );
    assert_eq!(chunker.push("hello").unwrap(), "o");
}

#[test]
fn reset_starts_again_with_the_same_options() {
    let mut chunker = TextChunker::new().on_revision(OnRevision::Reject);
    chunker.push("hello\u{FFFD}").unwrap();
    chunker.reset();
    assert_eq!(chunker.finish(), "");
    chunker.reset();
    assert_eq!(chunker.push("other").unwrap(), "other");
    assert_eq!(chunker.push("others").unwrap(), "s");
    assert!(chunker.push("another").unwrap_err().is_revision());
}

proptest! {
    #![proptest_config(config(500))]

    /// Whatever starts of a text are shown, with half characters behind them or not.
    #[test]
    fn all_of_it_is_the_last_snapshot(
        text in any::<String>(),
        mut shown in proptest::collection::vec((0..60_usize, 0..3_usize), 0..12),
    ) {
        shown.sort_unstable();
        let mut chunker = TextChunker::new();
        let mut all = String::new();
        for (characters, halves) in shown {
            let start: String = text.chars().take(characters).collect();
            let snapshot = start.clone() + &"\u{FFFD}".repeat(halves);
            chunker.push_into(&snapshot, &mut all).unwrap();
            // No half character of the decoder's, and nothing else is missing.
            prop_assert_eq!(all.as_str(), start.trim_end_matches('\u{FFFD}'));
        }
        chunker.push_into(&text, &mut all).unwrap();
        chunker.finish_into(&mut all);
        prop_assert_eq!(all, text);
        prop_assert!(chunker.take_revisions().is_empty());
    }
}
