//! Snapshots that contradict what was already put out, where that is rejected or stated anew.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use json_chunks::{Chunker, ErrorKind, OnRevision, RevisionKind};

use support::read::{Duplicates, read};
use support::table::{line, revises};

mod reject {
    use super::*;

    #[test]
    fn refuses_the_whole_snapshot() {
        let mut chunker = Chunker::new().on_revision(OnRevision::Reject);
        assert_eq!(chunker.push(r#"{"a":"hello"}"#).unwrap(), r#"{"a":"hello"#);
        let mut out = "before".to_owned();
        let error = chunker
            .push_into(r#"{"b":"x","a":"help"}"#, &mut out)
            .unwrap_err();
        assert_eq!(out, "before");
        assert_eq!(error.kind(), ErrorKind::Revision);
        assert!(error.is_revision() && !error.is_syntax() && !error.is_limit());
        assert_eq!(error.offset(), 13, "where the value stands");
        let revision = error.revision().unwrap();
        assert_eq!(line(revision), r#"Rewritten /a: "hello -> "help""#);
        // As if it had not come: `a` is still open, and `b` unknown.
        assert_eq!(chunker.push(r#"{"a":"hello!"}"#).unwrap(), "!");
        assert_eq!(
            chunker.push(r#"{"a":"hello!","b":"y"}"#).unwrap(),
            r#"","b":"y"#
        );
        assert_eq!(chunker.finish(), r#""}"#);
        assert_eq!(chunker.take_revisions(), []);
    }

    #[test]
    fn each_kind() {
        let cases = [
            (r#"["x",0]"#, r#"["y",0]"#, RevisionKind::Changed, "/0"),
            (r#"["x"]"#, r#"["y"]"#, RevisionKind::Rewritten, "/0"),
            (r#"["x"]"#, "[{}]", RevisionKind::Retyped, "/0"),
            (r#"{"a":"x"}"#, "{}", RevisionKind::Removed, "/a"),
            (r#"["x"]"#, "[]", RevisionKind::Shrunk, ""),
        ];
        for (before, snapshot, kind, pointer) in cases {
            let mut chunker = Chunker::new().on_revision(OnRevision::Reject);
            let all = chunker.push(before).unwrap();
            for _again in 0..2 {
                let error = chunker.push(snapshot).unwrap_err();
                let revision = error.revision().unwrap();
                assert_eq!(
                    (revision.kind(), revision.pointer()),
                    (kind, pointer),
                    "{error}"
                );
            }
            assert_eq!(all + &chunker.finish(), before);
        }
    }

    #[test]
    fn what_is_held_may_still_change() {
        let mut chunker = Chunker::new().on_revision(OnRevision::Reject);
        assert_eq!(chunker.push(r#"{"a":"long","b":[1]}"#).unwrap(), "{");
        assert_eq!(chunker.push(r#"{"b":"other"}"#).unwrap(), r#""b":"other"#);
        assert_eq!(chunker.finish(), r#""}"#);
    }
}

mod restate {
    use super::*;

    /// Readers for whom the last member of a name counts end up with the last snapshot.
    #[track_caller]
    fn check(rows: &[(&str, &str, &[&str])], end: &str) {
        let all = revises(Chunker::new().on_revision(OnRevision::Restate), rows, end);
        let (last, ..) = rows.last().unwrap();
        assert_eq!(
            read(&all, Duplicates::LastWins),
            read(last, Duplicates::Refused),
            "{all}"
        );
    }

    #[test]
    fn an_open_member_is_closed_and_starts_again() {
        check(
            &[
                (r#"{"a":"hello"}"#, r#"{"a":"hello"#, &[]),
                (
                    r#"{"a":"help"}"#,
                    r#"","a":"help"#,
                    &[r#"Rewritten /a: "hello -> "help", mended"#],
                ),
                (r#"{"a":"helpful"}"#, "ful", &[]),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn as_often_as_it_takes() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                (
                    r#"{"a":"y"}"#,
                    r#"","a":"y"#,
                    &[r#"Rewritten /a: "x -> "y", mended"#],
                ),
                (
                    r#"{"a":"z"}"#,
                    r#"","a":"z"#,
                    &[r#"Rewritten /a: "y -> "z", mended"#],
                ),
                (
                    r#"{"a":{"b":1}}"#,
                    r#"","a":{"b":1"#,
                    &[r#"Retyped /a: "z -> {"b":1}, mended"#],
                ),
            ],
            "}}",
        );
    }

    #[test]
    fn a_closed_member_is_opened_again_where_nothing_else_grows() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                (r#"{"a":"x","b":"y"}"#, r#"","b":"y"#, &[]),
                (
                    r#"{"a":"z","b":"y"}"#,
                    r#"","a":"z"#,
                    &[r#"Changed /a: "x" -> "z", mended"#],
                ),
                (r#"{"a":"zz","b":"y"}"#, "z", &[]),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn a_closed_member_waits_while_another_grows() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                (r#"{"a":"x","b":"y"}"#, r#"","b":"y"#, &[]),
                (
                    r#"{"a":"z","b":"yy"}"#,
                    "y",
                    &[r#"Changed /a: "x" -> "z", mended"#],
                ),
                (r#"{"a":"z","b":"yyy"}"#, "y", &[]),
                (r#"{"a":"z","b":"yyy","c":""}"#, r#"","a":"z","c":""#, &[]),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn it_goes_out_at_the_end_at_the_latest() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                (r#"{"a":"x","b":"y"}"#, r#"","b":"y"#, &[]),
                (
                    r#"{"a":"z","b":"yy"}"#,
                    "y",
                    &[r#"Changed /a: "x" -> "z", mended"#],
                ),
            ],
            r#"","a":"z"}"#,
        );
    }

    #[test]
    fn the_nearest_member_of_an_open_object_is_restated() {
        // The object in which it stands is open: the member itself.
        check(
            &[
                (r#"{"l":[{"t":"x"}]}"#, r#"{"l":[{"t":"x"#, &[]),
                (
                    r#"{"l":[{"t":"y"}]}"#,
                    r#"","t":"y"#,
                    &[r#"Rewritten /l/0/t: "x -> "y", mended"#],
                ),
            ],
            r#""}]}"#,
        );
        // An element has no name: the array around it.
        check(
            &[
                (r#"{"l":["x"]}"#, r#"{"l":["x"#, &[]),
                (
                    r#"{"l":["y"]}"#,
                    r#""],"l":["y"#,
                    &[r#"Rewritten /l/0: "x -> "y", mended"#],
                ),
            ],
            r#""]}"#,
        );
        // The object in which it stands is closed: the one around that.
        check(
            &[
                (r#"{"o":{"x":"1"}}"#, r#"{"o":{"x":"1"#, &[]),
                (r#"{"o":{"x":"1"},"p":""}"#, r#""},"p":""#, &[]),
                (
                    r#"{"o":{"x":"2"},"p":"","q":1}"#,
                    r#"","o":{"x":"2"},"q":1"#,
                    &[r#"Changed /o/x: "1" -> "2", mended"#],
                ),
            ],
            "}",
        );
    }

    #[test]
    fn an_object_that_lost_a_member_is_restated() {
        check(
            &[
                (r#"{"o":{"x":1,"s":""}}"#, r#"{"o":{"x":1,"s":""#, &[]),
                (
                    r#"{"o":{"s":"t"}}"#,
                    r#""},"o":{"s":"t"#,
                    &["Removed /o/x: 1 -> nothing, mended"],
                ),
            ],
            r#""}}"#,
        );
    }

    #[test]
    fn an_array_that_shrank_is_restated() {
        check(
            &[
                (r#"{"a":[1,2]}"#, r#"{"a":[1,2"#, &[]),
                (
                    r#"{"a":[1]}"#,
                    r#"],"a":[1"#,
                    &["Shrunk /a: [1,2 -> [1], mended"],
                ),
                (r#"{"a":[13]}"#, "3", &[]),
            ],
            "]}",
        );
    }

    #[test]
    fn what_has_no_name_is_kept() {
        let chunker = || Chunker::new().on_revision(OnRevision::Restate);
        revises(
            chunker(),
            &[
                ("[1,2]", "[1,2", &[]),
                ("[1]", "", &["Shrunk : [1,2 -> [1]"]),
            ],
            "]",
        );
        revises(
            chunker(),
            &[
                (r#"[["x"]]"#, r#"[["x"#, &[]),
                (r#"[["y"],0]"#, r#""],0"#, &[r#"Rewritten /0/0: "x -> "y""#]),
            ],
            "]",
        );
        revises(
            chunker(),
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                ("{}", "", &[r#"Removed /a: "x -> nothing"#]),
            ],
            r#""}"#,
        );
    }

    /// Its old value was put out, and nothing will supersede it any more.
    #[test]
    fn what_vanishes_while_it_waits_to_be_restated_is_a_revision() {
        let mut chunker = Chunker::new().on_revision(OnRevision::Restate);
        let snapshots = [
            r#"{"a":"x"}"#,
            r#"{"a":"x","b":"y"}"#,
            r#"{"a":"z","b":"yy"}"#,
            r#"{"b":"yyy"}"#,
        ];
        let mut all = String::new();
        let mut revisions = Vec::new();
        for snapshot in snapshots {
            chunker.push_into(snapshot, &mut all).unwrap();
            revisions.extend(chunker.take_revisions());
        }
        chunker.finish_into(&mut all);
        assert_eq!(all, r#"{"a":"x","b":"yyy"}"#);
        let reported: Vec<_> = revisions
            .iter()
            .map(|revision| (revision.pointer(), revision.kind(), revision.is_mended()))
            .collect();
        assert_eq!(
            reported,
            [
                ("/a", RevisionKind::Changed, true),
                ("/a", RevisionKind::Removed, false)
            ]
        );
    }
}
