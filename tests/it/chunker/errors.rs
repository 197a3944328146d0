//! Unusable snapshots: their errors, and that they change nothing.

use json_chunks::{Chunker, ErrorKind, Limits, RevisionPolicy};

use json_chunks_testing::read::{Duplicates, read};

const GOOD: &str = r#"{"a":[{"b":"x"}],"n":-1}"#;
const BETTER: &str = r#"{"a":[{"b":"x"}],"n":-1.5,"c":""}"#;

/// Pushes an invalid snapshot in the middle of a stream, and asserts that the stream continues
/// undisturbed. Returns the kind and offset of the error.
#[track_caller]
fn rejected(snapshot: &str) -> (ErrorKind, usize) {
    assert!(
        read(snapshot, Duplicates::LastWins).is_err(),
        "{snapshot} is JSON"
    );
    // The first snapshot is lexed, a later one is matched with the document.
    let mut fresh = Chunker::new();
    let error = fresh.push(snapshot).unwrap_err();
    assert_eq!(
        fresh.push(GOOD).unwrap(),
        r#"{"n":-1,"a":[{"b":"x"#,
        "after {snapshot}"
    );
    let mut out = "before".to_owned();
    let later = fresh.push_into(snapshot, &mut out).unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (later.kind(), later.offset()),
        "{snapshot}"
    );
    assert_eq!(out, "before", "{snapshot}");
    assert_eq!(
        fresh.push(BETTER).unwrap(),
        r#""}],"c":""#,
        "after {snapshot}"
    );
    assert!(
        error
            .to_string()
            .contains(&format!("at byte {}", error.offset())),
        "{error}"
    );
    (error.kind(), error.offset())
}

mod syntax {
    use super::*;

    /// Asserts that each snapshot is a syntax error whose offset is in the range: at the wrong
    /// byte, or at an earlier one of the same token.
    #[track_caller]
    fn check(cases: &[(&str, std::ops::RangeInclusive<usize>)]) {
        for (snapshot, place) in cases {
            let (kind, offset) = rejected(snapshot);
            assert_eq!(kind, ErrorKind::Syntax, "{snapshot}");
            assert!(
                place.contains(&offset),
                "{snapshot}: byte {offset} instead of {place:?}"
            );
        }
    }

    #[test]
    fn missing_value_returns_error_at_its_place() {
        check(&[
            ("x", 0..=0),
            ("}", 0..=0),
            (" ,", 1..=1),
            ("'a'", 0..=0),
            ("[,1]", 1..=1),
            ("[1,]", 3..=3),
            ("[1,,2]", 3..=3),
            (r#"{"a":}"#, 5..=5),
            (r#"{"a":,"b":1}"#, 5..=5),
            (r#"{"a":[}]"#, 6..=6),
            ("+1", 0..=0),
            (".5", 0..=0),
            ("NaN", 0..=0),
            ("\u{a0}1", 0..=0),
            ("/**/1", 0..=0),
        ]);
    }

    #[test]
    fn missing_separator_returns_error_at_its_place() {
        check(&[
            ("[1 2]", 3..=3),
            ("[1}", 2..=2),
            ("[1:2]", 2..=2),
            (r#"{"a":1 "b":2}"#, 7..=7),
            (r#"{"a":1]"#, 6..=6),
            (r#"{"a" 1}"#, 5..=5),
            (r#"{"a",1}"#, 4..=4),
            (r#"{"a":1,}"#, 7..=7),
            (r#"{,"a":1}"#, 1..=1),
            ("{a:1}", 1..=1),
            ("{1:1}", 1..=1),
            (r#"{"a":1,b:2}"#, 7..=7),
        ]);
    }

    #[test]
    fn trailing_characters_return_error() {
        check(&[
            ("{} x", 3..=3),
            ("[]]", 2..=2),
            (r#"{"a":1}{"#, 7..=7),
            ("1 2", 2..=2),
            ("true,", 4..=4),
            ("\"a\"\u{0}", 3..=3),
        ]);
    }

    #[test]
    fn misspelled_literal_returns_error() {
        check(&[
            ("[trux]", 1..=4),
            ("[nul]", 1..=4),
            ("[falsE]", 1..=5),
            ("[True]", 1..=1),
            ("[truefalse]", 5..=5),
        ]);
    }

    #[test]
    fn invalid_number_returns_error() {
        check(&[
            ("[01]", 1..=2),
            ("[-]", 1..=2),
            ("[-x]", 1..=2),
            ("[1.]", 1..=3),
            ("[1.x]", 1..=3),
            ("[1e]", 1..=3),
            ("[1e+]", 1..=4),
            ("[--1]", 1..=2),
            ("[0x1]", 1..=2),
            ("[1.2.3]", 1..=4),
            ("[1e1.5]", 1..=4),
        ]);
    }

    #[test]
    fn invalid_string_returns_error() {
        check(&[
            ("[\"a\nb\"]", 3..=3),
            ("[\"a\u{0}b\"]", 3..=3),
            ("[\"a\u{1f}\"]", 3..=3),
            (r#"["a\xb"]"#, 3..=4),
            (r#"["\u12g4"]"#, 2..=6),
            (r#"["\u 123"]"#, 2..=4),
            (r#"["\U0041"]"#, 2..=3),
            ("{\"a\tb\":1}", 3..=3),
            (r#"{"a\q":1}"#, 3..=4),
        ]);
    }
}

mod incomplete {
    use super::*;

    /// Every prefix of these texts is incomplete, with the error at its end.
    #[test]
    fn every_prefix_is_incomplete() {
        let texts = [
            r#"{"a":[{"b":"x"}],"n":-1.5e+3,"\u00e9\n":[true,false,null,{}]}"#,
            r#" { "a" : [ { "b" : "xyé😀\ud83d\ude00" } ] , "n" : -1 } "#,
            GOOD,
            "\"\\u0041\\\\\"",
            "[[[]]]",
            "true",
            "null",
            "[-0.1E-1]",
        ];
        for text in texts {
            for (end, _) in text.trim_end().char_indices() {
                let start = text.get(..end).unwrap();
                if start.trim().is_empty() {
                    continue;
                }
                let (kind, offset) = rejected(start);
                assert_eq!(kind, ErrorKind::Incomplete, "{start}");
                assert_eq!(offset, start.len(), "{start}");
            }
        }
    }

    #[test]
    fn number_without_digits_is_incomplete() {
        for text in ["-", "1.", "-0.", "1e", "1E+", "2.5e-"] {
            assert_eq!(
                rejected(text),
                (ErrorKind::Incomplete, text.len()),
                "{text}"
            );
        }
    }

    #[test]
    fn incomplete_error_is_a_syntax_error() {
        let error = Chunker::new().push(r#"{"a"#).unwrap_err();
        assert!(error.is_incomplete() && error.is_syntax() && !error.is_limit());
        let error = Chunker::new().push(r#"{"a"}"#).unwrap_err();
        assert!(!error.is_incomplete() && error.is_syntax());
        assert_eq!(error.revision(), None);
    }
}

mod ignored {
    use super::*;

    #[test]
    fn blank_input_is_ignored() {
        let mut chunker = Chunker::new();
        for blank in ["", " ", "\n", "\r\n\t "] {
            assert_eq!(chunker.push(blank).unwrap(), "");
        }
        assert_eq!(chunker.clone().finish(), "", "nothing came");
        assert_eq!(chunker.push(r#"{"a":"x","b":"y"}"#).unwrap(), "{");
        assert_eq!(chunker.push(" \n").unwrap(), "");
        assert_eq!(
            chunker.push(r#"{"a":"x","b":"yz"}"#).unwrap(),
            r#""a":"x","b":"yz"#
        );
        assert_eq!(chunker.push("").unwrap(), "");
        assert_eq!(chunker.finish(), r#""}"#);
    }

    #[test]
    fn leading_byte_order_mark_is_ignored() {
        let mut chunker = Chunker::new();
        assert_eq!(chunker.push("\u{feff}[\"x\"]").unwrap(), r#"["x"#);
        assert_eq!(chunker.push("\u{feff} [\"xy\"]").unwrap(), "y");
        assert_eq!(chunker.push(r#"["xyz"]"#).unwrap(), "z");
        let error = chunker.push("\u{feff}[\"xyz\"").unwrap_err();
        assert_eq!(
            error.offset(),
            "\u{feff}[\"xyz\"".len(),
            "bytes of what was pushed"
        );
        assert_eq!(chunker.finish(), r#""]"#);
        assert_eq!(
            rejected("[\u{feff}1]"),
            (ErrorKind::Syntax, 1),
            "only at the start"
        );
    }
}

mod limits {
    use super::*;

    #[track_caller]
    fn check(limits: Limits, taken: &str, refused: &str, kind: ErrorKind) -> usize {
        let mut chunker = Chunker::new().limits(limits);
        let start = chunker.push(taken).unwrap();
        let error = chunker.push(refused).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.is_limit() && !error.is_syntax());
        assert_eq!(
            Chunker::new().limits(limits).push(refused),
            Err(error.clone()),
            "as the first"
        );
        let all = start + &chunker.push(taken).unwrap() + &chunker.finish();
        assert_eq!(
            read(&all, Duplicates::Rejected),
            read(taken, Duplicates::Rejected)
        );
        error.offset()
    }

    #[test]
    fn nesting_over_the_limit_returns_error() {
        let limits = Limits::default().max_depth(2);
        let offset = check(
            limits,
            r#"{"a":[1]}"#,
            r#"{"a":[1,{}]}"#,
            ErrorKind::TooDeep,
        );
        assert_eq!(offset, 8, "the bracket that is too deep");
        let none = Limits::default().max_depth(0);
        assert_eq!(check(none, "\"x\"", " []", ErrorKind::TooDeep), 1);
    }

    #[test]
    fn token_over_the_limit_returns_error() {
        let limits = Limits::default().max_token_bytes(4);
        for (taken, refused) in [
            (r#"["abcd"]"#, r#"["abcde"]"#),
            (r#"["abé"]"#, r#"["abéc"]"#),
            (r#"["\n\n"]"#, r#"["\n\nx"]"#),
            (r#"{"abcd":1}"#, r#"{"abcde":1}"#),
            ("[1234]", "[12345]"),
            ("[-1.5]", "[-1.55]"),
        ] {
            check(limits, taken, refused, ErrorKind::TooLarge);
        }
    }

    #[test]
    fn document_over_the_limit_returns_error() {
        let limits = Limits::default().max_document_bytes(10);
        check(
            limits,
            r#"["abcdef"]"#,
            r#"["abcdefg"]"#,
            ErrorKind::TooLarge,
        );
        check(limits, "[1,2,3,44]", "[1,2,3,444]", ErrorKind::TooLarge);
    }

    #[test]
    fn strict_limits_are_lower() {
        let deep = "[".repeat(64) + &"]".repeat(64);
        let deeper = format!("[{deep}]");
        let offset = check(Limits::strict(), &deep, &deeper, ErrorKind::TooDeep);
        assert_eq!(offset, 64);
        let long = format!("\"{}\"", "x".repeat(1 << 20));
        let longer = format!("\"{}\"", "x".repeat((1 << 20) + 1));
        check(Limits::strict(), &long, &longer, ErrorKind::TooLarge);
    }
}

/// The contradiction is before the error.
#[test]
fn revisions_of_invalid_snapshot_are_discarded() {
    let cases = [
        ("{\"a\":\"x\u{FFFD}\"}", "\u{FFFD}\"}"),
        (r#"{"a":{"b":"","c":""}}"#, r#""b":"","c":""}}"#),
        (r#"{"a":[1,"x"]}"#, r#""]}"#),
    ];
    let broken = [
        r#"{"a":5]"#,
        r#"{"a":"y","#,
        r#"{"a":[2,"#,
        "{}}",
        r#"{"a":{"b":1}}}"#,
    ];
    for revision_policy in [
        RevisionPolicy::Keep,
        RevisionPolicy::Reject,
        RevisionPolicy::Restate,
    ] {
        for (snapshot, end) in cases {
            let mut chunker = Chunker::new().revision_policy(revision_policy);
            let start = chunker.push(snapshot).unwrap();
            for broken in broken {
                let mut out = "before".to_owned();
                assert!(chunker.push_into(broken, &mut out).unwrap_err().is_syntax());
                assert_eq!(out, "before", "{broken} behind {snapshot}");
                assert_eq!(chunker.take_revisions(), [], "{broken} behind {snapshot}");
                assert_eq!(chunker.clone().finish(), end, "{broken} behind {snapshot}");
                assert_eq!(
                    chunker.push(snapshot).unwrap(),
                    "",
                    "{broken} behind {snapshot}"
                );
            }
            assert_eq!(start + &chunker.finish(), snapshot);
            assert_eq!(chunker.take_revisions(), []);
        }
    }
}

#[test]
fn errors_contain_no_payload() {
    let error = Chunker::new().push(r#"{"a":"secret"; }"#).unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(shown.contains("at byte 13"), "{shown}");
    assert!(!shown.contains("secret"), "{shown}");
}
