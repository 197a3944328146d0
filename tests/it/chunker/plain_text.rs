//! Snapshots of plain text, from models that do not write JSON.

use json_chunks::{ErrorKind, Limits, Revision, RevisionKind, RevisionPolicy, TextChunker};
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

use json_chunks_testing::config;

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
fn new_text_is_emitted() {
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
fn half_character_is_held() {
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
fn contradicted_text_is_kept_and_reported_once() {
    let mut chunker = TextChunker::new();
    assert_eq!(chunker.push("hello").unwrap(), "hello");
    assert_eq!(chunker.push("help").unwrap(), "");
    assert_eq!(chunker.push("hel").unwrap(), "");
    let revisions = chunker.take_revisions();
    assert_eq!(revisions.len(), 1);
    assert_eq!(revisions[0].kind(), RevisionKind::Rewritten);
    assert_eq!(
        (revisions[0].pointer(), revisions[0].emitted()),
        ("", "hello")
    );
    assert_eq!(revisions[0].received(), Some("help"));
    assert!(!revisions[0].is_restated());
    assert_eq!(
        chunker.push("hello!").unwrap(),
        "!",
        "where it agrees again, it goes on"
    );
    assert_eq!(chunker.push("").unwrap(), "");
    assert_eq!(chunker.take_revisions(), []);
}

#[test]
fn restarted_text_under_restate_is_emitted_in_full() {
    let mut chunker = TextChunker::new().revision_policy(RevisionPolicy::Restate);
    let snapshots = [
        "null",
        "null",
        "Here",
        "Here are some",
        "Here are some landmarks",
    ];
    let chunks = snapshots.map(|snapshot| chunker.push(snapshot).unwrap());
    assert_eq!(chunks, ["null", "", "Here", " are some", " landmarks"]);
    let revisions = chunker.take_revisions();
    assert_eq!(revisions.len(), 1);
    assert!(revisions[0].is_restated());
    assert_eq!(revisions[0].kind(), RevisionKind::Rewritten);
    assert_eq!(
        (revisions[0].emitted(), revisions[0].received()),
        ("null", Some("Here"))
    );
    // Each restart is reported, and held text of the previous version is dropped.
    assert_eq!(
        chunker.push("Here are some landmarks:\u{FFFD}").unwrap(),
        ":"
    );
    assert_eq!(chunker.push("Sorry\u{FFFD}").unwrap(), "Sorry");
    assert_eq!(
        chunker.push("").unwrap(),
        "",
        "an empty snapshot is ignored"
    );
    assert_eq!(chunker.push("Sorry!").unwrap(), "!");
    assert_eq!(chunker.take_revisions().len(), 1);
    assert_eq!(chunker.finish(), "");
}

#[test]
fn reported_texts_are_cut_at_16_kib() {
    for policy in [
        RevisionPolicy::Keep,
        RevisionPolicy::Restate,
        RevisionPolicy::Reject,
    ] {
        let mut chunker = TextChunker::new().revision_policy(policy);
        // The limit is inside of a character, so the text is cut before it.
        let emitted = "a".to_owned() + &"é".repeat(50_000);
        let received = "é".repeat(50_000);
        chunker.push(&emitted).unwrap();
        let revision = match chunker.push(&received) {
            Ok(_) => chunker.take_revisions().remove(0),
            Err(error) => error.revision().unwrap().clone(),
        };
        assert_eq!(Some(revision.emitted()), emitted.get(..(16 << 10) - 1));
        assert_eq!(revision.received(), received.get(..16 << 10));
    }
}

#[test]
fn rejected_text_changes_nothing() {
    let mut chunker = TextChunker::new().revision_policy(RevisionPolicy::Reject);
    assert_eq!(chunker.push("hello\u{FFFD}").unwrap(), "hello");
    let mut out = "before".to_owned();
    let error = chunker.push_into("help", &mut out).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Revision, 3));
    assert_eq!(error.revision().map(Revision::emitted), Some("hello"));
    assert_eq!(out, "before");
    assert_eq!(chunker.clone().finish(), "\u{FFFD}");
    assert_eq!(chunker.push("hello!").unwrap(), "!");
    assert_eq!(chunker.take_revisions(), []);
}

#[test]
fn too_large_text_changes_nothing() {
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
fn reset_keeps_the_options() {
    let mut chunker = TextChunker::new().revision_policy(RevisionPolicy::Reject);
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

    /// Any prefixes of a text as snapshots, with and without half a character at their end.
    #[test]
    fn emitted_text_equals_last_snapshot(
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
            // Only an incomplete character is missing.
            prop_assert_eq!(all.as_str(), start.trim_end_matches('\u{FFFD}'));
        }
        chunker.push_into(&text, &mut all).unwrap();
        chunker.finish_into(&mut all);
        prop_assert_eq!(all, text);
        prop_assert!(chunker.take_revisions().is_empty());
    }
}
