//! Replies after an ambiguous one.

use json_chunks::join::{Accumulator, Candidate, Confidence, JoinKind};

use super::Outcome;

const FIRST: &str = r#"{"t":"one two thr"#;
const AMBIGUOUS: &str = "three four fi";

fn undecided() -> Accumulator {
    let mut accumulator = Accumulator::new();
    assert!(accumulator.push(FIRST).is_joined());
    assert_eq!(accumulator.push(AMBIGUOUS).candidates().len(), 2);
    accumulator
}

#[test]
fn ambiguous_reply_is_not_skipped() {
    let mut accumulator = undecided();
    let outcome = accumulator.push(r#"ve six"}"#);
    let growths: Vec<_> = outcome.candidates().iter().map(Candidate::growth).collect();
    assert_eq!(
        growths,
        [r#"three four five six"}"#, r#"ee four five six"}"#]
    );
    assert_eq!(accumulator.text(), FIRST);
    assert!(!accumulator.is_complete() && !accumulator.is_complete_at_end());
    assert!(accumulator.accept(1).unwrap().is_joined());
    assert_eq!(accumulator.text(), r#"{"t":"one two three four five six"}"#);
    assert!(accumulator.is_complete());
}

#[test]
fn next_reply_decides() {
    for reply in [
        // The truncated string again, the member, the document.
        r#""one two three four five six"}"#,
        r#""t": "one two three four five six"}"#,
        r#"{"t":"one two three four five six"}"#,
        // An overlap with the ambiguous reply that fits only one branch.
        r#" two three four five six"}"#,
    ] {
        let mut accumulator = undecided();
        let outcome = accumulator.push(reply);
        let join = outcome.joined().unwrap();
        assert_eq!(join.confidence(), Confidence::Likely, "{reply}");
        assert_eq!(accumulator.text(), r#"{"t":"one two three four five six"}"#);
        assert!(accumulator.is_complete() && accumulator.candidates().is_empty());
        assert_eq!(join.growth(), accumulator.text().len() - FIRST.len());
    }
}

#[test]
fn reply_that_fits_no_branch_fails_and_changes_nothing() {
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push("[1,1");
    let candidates = accumulator.push(",1,2]").candidates().to_vec();
    assert_eq!(Outcome::of(&accumulator.push(", 3]")), Outcome::Failed);
    assert_eq!(accumulator.text(), "[1,1");
    assert_eq!(accumulator.candidates(), candidates);
    // A later reply decides nevertheless.
    assert!(accumulator.push("[1,1,2]").is_joined());
    assert_eq!(accumulator.text(), "[1,1,2]");
}

#[test]
fn ambiguous_prose_is_dropped_by_the_next_reply() {
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push("[\"wor");
    let outcome = accumulator.push("I cannot help with that.");
    let kinds: Vec<_> = outcome.candidates().iter().map(Candidate::kind).collect();
    assert_eq!(kinds, [JoinKind::Continued, JoinKind::Repeated]);
    assert!(accumulator.push("[\"world\"]").is_joined());
    assert_eq!(accumulator.text(), "[\"world\"]");
}

#[test]
fn overlapping_pieces_join_to_the_document() {
    let document = concat!(
        r#"{"title":"Serengeti","days":[{"title":"Arrival and first game drive","stops":["#,
        r#""Seronera airstrip","Moru Kopjes at sunset"]},{"title":"The great migration, from the "#,
        r#"Mara river to the southern plains","stops":["Kogatende","Lamai wedge","Picnic on the "#,
        r#"banks"]},{"title":"Departure","stops":["Breakfast under acacias","Flight to Arusha"]}]}"#,
    );
    let size = document.len().div_ceil(8);
    for shift in 0..size {
        let mut accumulator = Accumulator::new();
        let mut end = 0;
        while end < document.len() {
            let start = end.saturating_sub(20);
            end = (end + size - if end == 0 { shift } else { 0 })
                .max(1)
                .min(document.len());
            let _ = accumulator.push(&document[start..end]);
        }
        assert_eq!(accumulator.text(), document, "{shift}");
        assert!(accumulator.is_complete());
    }
}

#[test]
fn exact_continuation_is_only_validated() {
    let mut accumulator = Accumulator::new();
    for (reply, text) in [
        ("{\"a\": \"ha ha ", "{\"a\": \"ha ha "),
        ("ha ha ", "{\"a\": \"ha ha ha ha "),
        (
            "Here is the rest: \", \"b\": [1",
            "{\"a\": \"ha ha ha ha Here is the rest: \", \"b\": [1",
        ),
    ] {
        let outcome = accumulator.push_continued(reply);
        let join = outcome.joined().unwrap();
        assert_eq!(
            (join.confidence(), join.overlap()),
            (Confidence::Certain, 0)
        );
        assert_eq!(accumulator.text(), text);
    }
    let before = accumulator.text().to_owned();
    for reply in ["\"", "} ", "```json\n, 2]}", "\n\nHere is more."] {
        assert_eq!(
            Outcome::of(&accumulator.push_continued(reply)),
            Outcome::Failed,
            "{reply}"
        );
        assert_eq!(accumulator.text(), before);
    }
    assert!(accumulator.push_continued("]}\n```\nDone.").is_joined());
    assert!(accumulator.is_complete());
}

#[test]
fn exact_continuation_drops_the_branches() {
    let mut accumulator = undecided();
    assert!(accumulator.push_continued(r#"ee"}"#).is_joined());
    assert_eq!(accumulator.text(), r#"{"t":"one two three"}"#);
    assert!(accumulator.is_complete());
}
