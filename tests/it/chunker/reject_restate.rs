//! Snapshots that contradict emitted text, under the policies `Reject` and `Restate`.

use json_chunks::{Chunker, ErrorKind, RevisionKind, RevisionPolicy};

use json_chunks_testing::read::{Duplicates, read};
use json_chunks_testing::table::{assert_revisions, line};

mod reject {
    use super::*;

    #[test]
    fn revision_rejects_the_entire_snapshot() {
        let mut chunker = Chunker::new().revision_policy(RevisionPolicy::Reject);
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
        // The rejected snapshot has no effect: `a` is still open, and `b` unknown.
        assert_eq!(chunker.push(r#"{"a":"hello!"}"#).unwrap(), "!");
        assert_eq!(
            chunker.push(r#"{"a":"hello!","b":"y"}"#).unwrap(),
            r#"","b":"y"#
        );
        assert_eq!(chunker.finish(), r#""}"#);
        assert_eq!(chunker.take_revisions(), []);
    }

    #[test]
    fn each_kind_of_revision_is_rejected() {
        let cases = [
            (r#"["x",0]"#, r#"["y",0]"#, RevisionKind::Changed, "/0"),
            (r#"["x"]"#, r#"["y"]"#, RevisionKind::Rewritten, "/0"),
            (r#"["x"]"#, "[{}]", RevisionKind::Retyped, "/0"),
            (r#"{"a":"x"}"#, "{}", RevisionKind::Removed, "/a"),
            (r#"["x"]"#, "[]", RevisionKind::Shrunk, ""),
        ];
        for (before, snapshot, kind, pointer) in cases {
            let mut chunker = Chunker::new().revision_policy(RevisionPolicy::Reject);
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
    fn held_member_may_change_under_reject() {
        let mut chunker = Chunker::new().revision_policy(RevisionPolicy::Reject);
        assert_eq!(chunker.push(r#"{"a":"long","b":[1]}"#).unwrap(), "{");
        assert_eq!(chunker.push(r#"{"b":"other"}"#).unwrap(), r#""b":"other"#);
        assert_eq!(chunker.finish(), r#""}"#);
    }
}

mod restate {
    use super::*;

    /// Readers that use the last member of a name end with the last snapshot.
    #[track_caller]
    fn check(rows: &[(&str, &str, &[&str])], end: &str) {
        let all = assert_revisions(
            Chunker::new().revision_policy(RevisionPolicy::Restate),
            rows,
            end,
        );
        let (last, ..) = rows.last().unwrap();
        assert_eq!(
            read(&all, Duplicates::LastWins),
            read(last, Duplicates::Rejected),
            "{all}"
        );
    }

    #[test]
    fn open_member_is_closed_and_restated() {
        check(
            &[
                (r#"{"a":"hello"}"#, r#"{"a":"hello"#, &[]),
                (
                    r#"{"a":"help"}"#,
                    r#"","a":"help"#,
                    &[r#"Rewritten /a: "hello -> "help", restated"#],
                ),
                (r#"{"a":"helpful"}"#, "ful", &[]),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn member_is_restated_repeatedly() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                (
                    r#"{"a":"y"}"#,
                    r#"","a":"y"#,
                    &[r#"Rewritten /a: "x -> "y", restated"#],
                ),
                (
                    r#"{"a":"z"}"#,
                    r#"","a":"z"#,
                    &[r#"Rewritten /a: "y -> "z", restated"#],
                ),
                (
                    r#"{"a":{"b":1}}"#,
                    r#"","a":{"b":1"#,
                    &[r#"Retyped /a: "z -> {"b":1}, restated"#],
                ),
            ],
            "}}",
        );
    }

    #[test]
    fn closed_member_is_restated_if_nothing_else_grows() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                (r#"{"a":"x","b":"y"}"#, r#"","b":"y"#, &[]),
                (
                    r#"{"a":"z","b":"y"}"#,
                    r#"","a":"z"#,
                    &[r#"Changed /a: "x" -> "z", restated"#],
                ),
                (r#"{"a":"zz","b":"y"}"#, "z", &[]),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn closed_member_is_held_while_another_grows() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                (r#"{"a":"x","b":"y"}"#, r#"","b":"y"#, &[]),
                (
                    r#"{"a":"z","b":"yy"}"#,
                    "y",
                    &[r#"Changed /a: "x" -> "z", restated"#],
                ),
                (r#"{"a":"z","b":"yyy"}"#, "y", &[]),
                (r#"{"a":"z","b":"yyy","c":""}"#, r#"","a":"z","c":""#, &[]),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn held_restatement_is_emitted_at_the_end() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                (r#"{"a":"x","b":"y"}"#, r#"","b":"y"#, &[]),
                (
                    r#"{"a":"z","b":"yy"}"#,
                    "y",
                    &[r#"Changed /a: "x" -> "z", restated"#],
                ),
            ],
            r#"","a":"z"}"#,
        );
    }

    #[test]
    fn nearest_member_of_open_object_is_restated() {
        // The object around the member is open, so the member itself is restated.
        check(
            &[
                (r#"{"l":[{"t":"x"}]}"#, r#"{"l":[{"t":"x"#, &[]),
                (
                    r#"{"l":[{"t":"y"}]}"#,
                    r#"","t":"y"#,
                    &[r#"Rewritten /l/0/t: "x -> "y", restated"#],
                ),
            ],
            r#""}]}"#,
        );
        // An element has no name, so the array around it is restated.
        check(
            &[
                (r#"{"l":["x"]}"#, r#"{"l":["x"#, &[]),
                (
                    r#"{"l":["y"]}"#,
                    r#""],"l":["y"#,
                    &[r#"Rewritten /l/0: "x -> "y", restated"#],
                ),
            ],
            r#""]}"#,
        );
        // The object around the member is closed, so that object is restated.
        check(
            &[
                (r#"{"o":{"x":"1"}}"#, r#"{"o":{"x":"1"#, &[]),
                (r#"{"o":{"x":"1"},"p":""}"#, r#""},"p":""#, &[]),
                (
                    r#"{"o":{"x":"2"},"p":"","q":1}"#,
                    r#"","o":{"x":"2"},"q":1"#,
                    &[r#"Changed /o/x: "1" -> "2", restated"#],
                ),
            ],
            "}",
        );
    }

    #[test]
    fn object_that_lost_a_member_is_restated() {
        check(
            &[
                (r#"{"o":{"x":1,"s":""}}"#, r#"{"o":{"x":1,"s":""#, &[]),
                (
                    r#"{"o":{"s":"t"}}"#,
                    r#""},"o":{"s":"t"#,
                    &["Removed /o/x: 1 -> nothing, restated"],
                ),
            ],
            r#""}}"#,
        );
    }

    #[test]
    fn shrunk_array_is_restated() {
        check(
            &[
                (r#"{"a":[1,2]}"#, r#"{"a":[1,2"#, &[]),
                (
                    r#"{"a":[1]}"#,
                    r#"],"a":[1"#,
                    &["Shrunk /a: [1,2 -> [1], restated"],
                ),
                (r#"{"a":[13]}"#, "3", &[]),
            ],
            "]}",
        );
    }

    #[test]
    fn value_outside_of_objects_is_kept() {
        let chunker = || Chunker::new().revision_policy(RevisionPolicy::Restate);
        assert_revisions(
            chunker(),
            &[
                ("[1,2]", "[1,2", &[]),
                ("[1]", "", &["Shrunk : [1,2 -> [1]"]),
            ],
            "]",
        );
        assert_revisions(
            chunker(),
            &[
                (r#"[["x"]]"#, r#"[["x"#, &[]),
                (r#"[["y"],0]"#, r#""],0"#, &[r#"Rewritten /0/0: "x -> "y""#]),
            ],
            "]",
        );
        assert_revisions(
            chunker(),
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                ("{}", "", &[r#"Removed /a: "x -> nothing"#]),
            ],
            r#""}"#,
        );
    }

    /// The old value was emitted, and nothing will supersede it.
    #[test]
    fn removal_of_held_restatement_is_a_revision() {
        let mut chunker = Chunker::new().revision_policy(RevisionPolicy::Restate);
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
            .map(|revision| (revision.pointer(), revision.kind(), revision.is_restated()))
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
