//! Snapshots that contradict what was already put out.

mod support;

use json_chunks::{Chunker, OnRevision, Revision, RevisionKind};

use support::read::{Duplicates, read};

/// A revision in one line: kind and pointer, what was put out and what came.
fn line(revision: &Revision) -> String {
    let (kind, pointer) = (revision.kind(), revision.pointer());
    let came = revision.came().unwrap_or("nothing");
    let mended = if revision.is_mended() { ", mended" } else { "" };
    format!(
        "{kind:?} {pointer}: {} -> {came}{mended}",
        revision.put_out()
    )
}

/// Pushes the snapshot of each row; the chunk and the revisions must be those beside it. Returns
/// all that was put out.
#[track_caller]
fn run(mut chunker: Chunker, rows: &[(&str, &str, &[&str])], end: &str) -> String {
    let mut all = String::new();
    for (snapshot, expected, revisions) in rows {
        let chunk = chunker.push(snapshot).unwrap();
        assert_eq!(chunk, *expected, "after {all} came {snapshot}");
        let came: Vec<_> = chunker.take_revisions().iter().map(line).collect();
        assert_eq!(came, *revisions, "after {all} came {snapshot}");
        all.push_str(&chunk);
    }
    assert_eq!(chunker.finish(), end, "the end, after {all}");
    assert_eq!(chunker.take_revisions(), []);
    all + end
}

mod keep {
    use super::*;

    /// With the default options, and not one member twice.
    #[track_caller]
    fn check(rows: &[(&str, &str, &[&str])], end: &str) {
        let all = run(Chunker::new(), rows, end);
        assert!(read(&all, Duplicates::Refused).is_ok(), "{all}");
        let same = run(Chunker::new().on_revision(OnRevision::Keep), rows, end);
        assert_eq!(all, same, "what is kept by default");
    }

    #[test]
    fn a_closed_value_that_changes_stays() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                (r#"{"a":"x","b":"y"}"#, r#"","b":"y"#, &[]),
                (r#"{"a":"z","b":"y"}"#, "", &[r#"Changed /a: "x" -> "z""#]),
                (r#"{"a":"z","b":"yy"}"#, "y", &[]),
                (r#"{"a":"w","b":"yy","c":1}"#, r#"","c":1"#, &[]),
            ],
            "}",
        );
    }

    #[test]
    fn closed_literals_and_numbers_too() {
        check(
            &[
                (
                    r#"{"t":true,"n":1,"s":""}"#,
                    r#"{"t":true,"n":1,"s":""#,
                    &[],
                ),
                (
                    r#"{"t":false,"n":1,"s":""}"#,
                    "",
                    &["Changed /t: true -> false"],
                ),
                (
                    r#"{"t":false,"n":1.0,"s":"x"}"#,
                    "x",
                    &["Changed /n: 1 -> 1.0"],
                ),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn the_same_number_in_another_text_is_another() {
        check(
            &[
                ("[100,0]", "[100,0", &[]),
                ("[1e2,0]", "", &["Changed /0: 100 -> 1e2"]),
            ],
            "]",
        );
    }

    #[test]
    fn an_open_string_that_does_not_go_on_stays() {
        check(
            &[
                (r#"{"a":"hello"}"#, r#"{"a":"hello"#, &[]),
                (
                    r#"{"a":"help"}"#,
                    "",
                    &[r#"Rewritten /a: "hello -> "help""#],
                ),
                (r#"{"a":"help me"}"#, "", &[]),
                (r#"{"a":"help me","b":"x"}"#, r#"","b":"x"#, &[]),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn an_open_string_that_shrinks_goes_on_where_it_agrees_again() {
        check(
            &[
                (r#"["hello"]"#, r#"["hello"#, &[]),
                (r#"["hel"]"#, "", &[r#"Rewritten /0: "hello -> "hel""#]),
                (r#"["hello!"]"#, "!", &[]),
                (r#"["hi"]"#, "", &[]),
                (r#"["hello!","x"]"#, r#"","x"#, &[]),
            ],
            r#""]"#,
        );
    }

    #[test]
    fn a_string_may_be_contradicted_and_closed_at_once() {
        check(
            &[
                (r#"{"a":"hello"}"#, r#"{"a":"hello"#, &[]),
                (
                    r#"{"a":"help","b":"x"}"#,
                    r#"","b":"x"#,
                    &[r#"Rewritten /a: "hello -> "help""#],
                ),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn an_open_number_that_does_not_go_on_stays() {
        check(
            &[
                ("12", "12", &[]),
                ("13", "", &["Rewritten : 12 -> 13"]),
                ("1", "", &[]),
                ("125", "5", &[]),
            ],
            "",
        );
    }

    #[test]
    fn a_change_of_kind_stays() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                (r#"{"a":{}}"#, "", &[r#"Retyped /a: "x -> {}"#]),
                (r#"{"a":{},"b":["y"]}"#, r#"","b":["y"#, &[]),
                (r#"{"a":{},"b":7}"#, "", &[r#"Retyped /b: ["y -> 7"#]),
                (r#"{"a":{},"b":["yz"]}"#, "z", &[]),
            ],
            r#""]}"#,
        );
        check(
            &[("{}", "{", &[]), ("[1]", "", &["Retyped : { -> [1]"])],
            "}",
        );
    }

    #[test]
    fn a_member_that_vanishes_stays() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#, &[]),
                ("{}", "", &[r#"Removed /a: "x -> nothing"#]),
                (r#"{"b":"y"}"#, r#"","b":"y"#, &[]),
                (r#"{"a":"x","b":"y"}"#, "", &[]),
                (r#"{"a":"x"}"#, "", &[r#"Removed /b: "y -> nothing"#]),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn an_array_that_shrinks_stays() {
        check(
            &[
                (r#"[1,["a"]]"#, r#"[1,["a"#, &[]),
                (r#"[1,[]]"#, "", &[r#"Shrunk /1: ["a -> []"#]),
                (r#"[1]"#, "", &[r#"Shrunk : [1,["a -> [1]"#]),
                (r#"[1,["ab"]]"#, "b", &[]),
            ],
            r#""]]"#,
        );
    }

    #[test]
    fn what_is_closed_grows_no_more() {
        check(
            &[
                (r#"[{"a":1},[2],"s",0]"#, r#"[{"a":1},[2],"s",0"#, &[]),
                (
                    r#"[{"a":1,"b":2},[2],"s",0]"#,
                    "",
                    &[r#"Changed /0: {"a":1} -> {"a":1,"b":2}"#],
                ),
                (
                    r#"[{"a":1},[2,3],"s",0]"#,
                    "",
                    &["Changed /1: [2] -> [2,3]"],
                ),
                (
                    r#"[{"a":1},[2],"st",0]"#,
                    "",
                    &[r#"Changed /2: "s" -> "st""#],
                ),
                (r#"[{"a":1},[2],"s",0,true]"#, ",true", &[]),
            ],
            "]",
        );
    }

    #[test]
    fn inside_of_what_is_closed_only_what_differs_is_named() {
        check(
            &[
                (
                    r#"[{"a":[1,{"b":"x"}]},0]"#,
                    r#"[{"a":[1,{"b":"x"}]},0"#,
                    &[],
                ),
                (
                    r#"[{"a":[2,{"b":"y"}]},0]"#,
                    "",
                    &["Changed /0/a/0: 1 -> 2", r#"Changed /0/a/1/b: "x" -> "y""#],
                ),
                // Once for each node.
                (r#"[{"a":[1,{}]},0]"#, "", &[]),
                (
                    r#"[{"a":[1]},0]"#,
                    "",
                    &[r#"Shrunk /0/a: [1,{"b":"x"}] -> [1]"#],
                ),
                (r"[{},0]", "", &[]),
                (r"[7,0]", "", &[r#"Retyped /0: {"a":[1,{"b":"x"}]} -> 7"#]),
            ],
            "]",
        );
    }

    #[test]
    fn pointers_are_escaped() {
        check(
            &[
                (r#"{"a/b~c":{"":["x"]}}"#, r#"{"a/b~c":{"":["x"#, &[]),
                (
                    r#"{"a/b~c":{"":["y"]}}"#,
                    "",
                    &[r#"Rewritten /a~1b~0c//0: "x -> "y""#],
                ),
            ],
            r#""]}}"#,
        );
        check(
            &[
                (r#"{"\u00e9\"~1":1,"n":2}"#, r#"{"\u00e9\"~1":1,"n":2"#, &[]),
                (r#"{"é\"~1":5,"n":2}"#, "", &["Changed /é\"~01: 1 -> 5"]),
            ],
            "}",
        );
    }

    #[test]
    fn several_in_one_snapshot_are_reported_in_their_order() {
        check(
            &[
                (r#"["a",[1,2],"c"]"#, r#"["a",[1,2],"c"#, &[]),
                (
                    r#"["b",[1],"d"]"#,
                    "",
                    &[
                        r#"Changed /0: "a" -> "b""#,
                        "Shrunk /1: [1,2] -> [1]",
                        r#"Rewritten /2: "c -> "d""#,
                    ],
                ),
            ],
            r#""]"#,
        );
    }

    #[test]
    fn everything_else_goes_on() {
        check(
            &[
                (r#"{"a":{"b":"x"}}"#, r#"{"a":{"b":"x"#, &[]),
                (
                    r#"{"a":{"b":"y","c":{"d":""}}}"#,
                    r#"","c":{"d":""#,
                    &[r#"Rewritten /a/b: "x -> "y""#],
                ),
                (r#"{"a":{"b":"yy","c":{"d":"z"}}}"#, "z", &[]),
                (
                    r#"{"a":{"b":"y","c":{"d":"z"}},"e":[]}"#,
                    r#""}},"e":["#,
                    &[],
                ),
            ],
            "]}",
        );
    }

    #[test]
    fn what_was_put_out_before_others_are_held_stays() {
        check(
            &[
                (r#"{"t":true,"a":"x","b":"y"}"#, r#"{"t":true"#, &[]),
                (
                    r#"{"t":7,"a":"","b":["y"]}"#,
                    "",
                    &["Retyped /t: true -> 7"],
                ),
            ],
            r#","a":"","b":["y"]}"#,
        );
    }

    #[test]
    fn after_the_end_everything_is_closed() {
        let mut chunker = Chunker::new();
        chunker.push(r#"{"a":["x"]}"#).unwrap();
        assert_eq!(chunker.finish(), r#""]}"#);
        assert_eq!(chunker.push(r#"{"a":["xy"]}"#).unwrap(), "");
        assert_eq!(chunker.push(r#"{"a":["x"],"b":1}"#).unwrap(), "");
        let revisions: Vec<_> = chunker.take_revisions().iter().map(line).collect();
        assert_eq!(
            revisions,
            [
                r#"Changed /a/0: "x" -> "xy""#,
                r#"Changed : {"a":["x"]} -> {"a":["x"],"b":1}"#
            ]
        );
        assert_eq!(chunker.finish(), "");
    }

    #[test]
    fn revisions_wait_until_they_are_taken() {
        let mut chunker = Chunker::new();
        for snapshot in ["[1,2,0]", "[3,2,0]", "[3,4,0]"] {
            chunker.push(snapshot).unwrap();
        }
        let revisions: Vec<_> = chunker.take_revisions().iter().map(line).collect();
        assert_eq!(revisions, ["Changed /0: 1 -> 3", "Changed /1: 2 -> 4"]);
        assert_eq!(chunker.take_revisions(), []);
    }
}

mod reject {
    use json_chunks::ErrorKind;

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
        let all = run(Chunker::new().on_revision(OnRevision::Restate), rows, end);
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
        run(
            chunker(),
            &[
                ("[1,2]", "[1,2", &[]),
                ("[1]", "", &["Shrunk : [1,2 -> [1]"]),
            ],
            "]",
        );
        run(
            chunker(),
            &[
                (r#"[["x"]]"#, r#"[["x"#, &[]),
                (r#"[["y"],0]"#, r#""],0"#, &[r#"Rewritten /0/0: "x -> "y""#]),
            ],
            "]",
        );
        run(
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

#[test]
fn neither_display_nor_debug_shows_the_payload() {
    let mut chunker = Chunker::new();
    chunker.push(r#"{"a":"secret"}"#).unwrap();
    chunker.push(r#"{"a":"hidden"}"#).unwrap();
    let revisions = chunker.take_revisions();
    let shown = format!("{} {:?} {chunker:?}", revisions[0], revisions[0]);
    assert!(shown.contains("revision at /a"), "{shown}");
    assert!(
        !shown.contains("secret") && !shown.contains("hidden"),
        "{shown}"
    );
}
