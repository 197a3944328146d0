//! Snapshots that contradict what was already put out: what was said stays, everything else goes on.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use json_chunks::{Chunker, OnRevision};

use support::read::{Duplicates, read};
use support::table::{line, revises};

/// With the default options, and not one member twice.
#[track_caller]
fn check(rows: &[(&str, &str, &[&str])], end: &str) {
    let all = revises(Chunker::new(), rows, end);
    assert!(read(&all, Duplicates::Refused).is_ok(), "{all}");
    let same = revises(Chunker::new().on_revision(OnRevision::Keep), rows, end);
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
            ("[1,[]]", "", &[r#"Shrunk /1: ["a -> []"#]),
            ("[1]", "", &[r#"Shrunk : [1,["a -> [1]"#]),
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

/// Neither what was held in it, nor the half character at its end.
#[test]
fn what_is_contradicted_as_a_whole_puts_out_no_more() {
    check(
        &[
            (r#"{"o":{"a":"x","b":"y"}}"#, r#"{"o":{"#, &[]),
            (r#"{"o":7}"#, "", &["Retyped /o: { -> 7"]),
        ],
        "}}",
    );
    check(
        &[
            (r#"[[{"a":"x","b":"y"}]]"#, "[[{", &[]),
            (r#"[true,""]"#, r#"}],""#, &["Retyped /0: [{ -> true"]),
        ],
        r#""]"#,
    );
    for (came, revision) in [
        (r#"{"a":5}"#, r#"Retyped /a: "x -> 5"#),
        (r#"{"a":"y"}"#, r#"Rewritten /a: "x -> "y""#),
        ("{}", r#"Removed /a: "x -> nothing"#),
    ] {
        let begun = ("{\"a\":\"x\u{FFFD}\"}", r#"{"a":"x"#, &[][..]);
        check(&[begun, (came, "", &[revision])], r#""}"#);
    }
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

#[test]
fn reports_quote_the_first_16_kib() {
    let (limit, long) = (16 << 10, "é".repeat(16 << 10));
    let mut chunker = Chunker::new();
    let start = format!("\"{long}");
    assert_eq!(chunker.push(&format!("\"{long}\"")).unwrap(), start);
    let other = format!("\"!{long}\"");
    assert_eq!(chunker.push(&other).unwrap(), "");
    let revisions = chunker.take_revisions();
    let (put_out, came) = (revisions[0].put_out(), revisions[0].came().unwrap());
    // A quote and whole characters of two bytes make an odd number of them.
    assert_eq!((put_out.len(), came.len()), (limit - 1, limit));
    assert!(start.starts_with(put_out) && other.starts_with(came));
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
