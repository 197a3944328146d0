//! Outcomes with half characters, limits and candidates.

use json_chunks::Limits;
use json_chunks::join::{Accumulator, Confidence, Join, JoinFailure, JoinKind, JoinOutcome};

use Confidence::Likely;
use JoinKind::{Continued, Overlapped};

#[test]
fn split_character_is_restored() {
    let text = "[\"añb😀c\"]";
    for cut in 0..=text.len() {
        let (first, rest) = text.as_bytes().split_at(cut);
        let mut accumulator = Accumulator::new();
        let _ = accumulator.push_bytes(first);
        let join = accumulator.push_bytes(rest);
        assert!(
            join.joined().is_some_and(|join| !join.is_damaged()),
            "{cut}: {join:?}"
        );
        assert_eq!(accumulator.text(), text);
    }
}

#[test]
fn lost_half_character_is_marked_as_damaged() {
    for (first, rest, text, damaged) in [
        (&b"[\"a\xf0\x9f"[..], &b"c\"]"[..], "[\"a\u{FFFD}c\"]", true),
        (b"[\"a", b"\x98\x80c\"]", "[\"a\u{FFFD}c\"]", true),
        (
            "[\"a\u{FFFD}".as_bytes(),
            "\u{FFFD}\u{FFFD}c\"]".as_bytes(),
            "[\"a\u{FFFD}c\"]",
            true,
        ),
        ("[\"a\u{FFFD}".as_bytes(), b"c\"]", "[\"a\u{FFFD}c\"]", true),
        // The next reply has the character.
        (
            "[\"a\u{FFFD}".as_bytes(),
            "[\"a😀c\"]".as_bytes(),
            "[\"a😀c\"]",
            false,
        ),
        (
            b"[\"a\xf0\x9f",
            "[\"a😀c\"]".as_bytes(),
            "[\"a😀c\"]",
            false,
        ),
    ] {
        let mut accumulator = Accumulator::new();
        let _ = accumulator.push_bytes(first);
        assert_eq!(accumulator.text(), "[\"a");
        let join = accumulator.push_bytes(rest);
        assert_eq!(
            (
                accumulator.text(),
                join.joined().is_some_and(Join::is_damaged)
            ),
            (text, damaged),
            "{join:?}"
        );
        assert!(
            join.joined()
                .is_some_and(|join| join.confidence() == Likely)
                || !damaged
        );
    }
}

#[test]
fn limits_hold_for_the_joined_text() {
    let limits = Limits::default()
        .max_depth(2)
        .max_token_bytes(4)
        .max_document_bytes(12);
    for (first, reply) in [
        ("[[", "[1]]]"),
        ("[\"abc", "de\"]"),
        ("[12", "345]"),
        ("[1,2,3,4,5", ",6]"),
    ] {
        let mut accumulator = Accumulator::new().limits(limits);
        assert!(accumulator.push(first).is_joined());
        let join = accumulator.push(reply);
        let Some(JoinFailure::Limit(error)) = join.failure() else {
            panic!("{first} | {reply}: {join:?}");
        };
        assert!(error.is_limit());
        assert_eq!(accumulator.text(), first);
        assert!(accumulator.push("]").is_joined() || first.starts_with("[\"") || first == "[[");
    }
}

#[test]
fn candidate_can_be_accepted() {
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push("[\"hel");
    let join = accumulator.push("lo\"]");
    assert_eq!(join.candidates(), accumulator.candidates());
    let reported: Vec<_> = join
        .candidates()
        .iter()
        .map(|c| (c.kind(), c.overlap(), c.growth()))
        .collect();
    assert_eq!(reported, [(Continued, 0, "lo\"]"), (Overlapped, 1, "o\"]")]);
    assert_eq!(accumulator.accept(2), None);
    let outcome = accumulator.accept(0).unwrap();
    let join = outcome.joined().unwrap();
    assert_eq!(
        (join.kind(), join.confidence(), join.growth()),
        (Continued, Likely, 4)
    );
    assert_eq!(
        (accumulator.text(), accumulator.candidates()),
        ("[\"hello\"]", &[][..])
    );
    assert!(accumulator.is_complete());
}

#[test]
fn outcome_serializes_without_payload() {
    let report = |outcome: &JoinOutcome| serde_json::to_string(outcome).unwrap();
    let mut accumulator = Accumulator::new();
    assert_eq!(
        report(&accumulator.push("[\"hel")),
        concat!(
            r#"{"outcome":"joined","kind":"first","confidence":"certain","overlap":0,"growth":5,"#,
            r#""added_comma":false,"damaged":false}"#
        )
    );
    assert_eq!(
        report(&accumulator.push("lo\"]")),
        concat!(
            r#"{"outcome":"ambiguous","candidates":[{"kind":"continued","overlap":0,"growth":4},"#,
            r#"{"kind":"overlapped","overlap":1,"growth":3}]}"#
        )
    );
    assert_eq!(
        report(&accumulator.push("{")),
        r#"{"outcome":"failed","reason":"the document was complete before it"}"#
    );
    let join = accumulator.push("\n");
    let debug = format!("{join:?} {accumulator:?} {:?}", accumulator.candidates());
    assert!(!debug.contains("hel"), "{debug}");
}
