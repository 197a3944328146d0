//! Snapshots that contradict emitted text under the policy `Keep`: emitted text stays, and
//! everything else continues.

use json_chunks::{Chunker, RevisionPolicy};

use json_chunks_testing::read::{Duplicates, read};
use json_chunks_testing::table::{assert_revisions, line};

/// With the default options. Also asserts that the text has no duplicate names.
#[track_caller]
fn check(rows: &[(&str, &str, &[&str])], end: &str) {
    let all = assert_revisions(Chunker::new(), rows, end);
    assert!(read(&all, Duplicates::Rejected).is_ok(), "{all}");
    let same = assert_revisions(
        Chunker::new().revision_policy(RevisionPolicy::Keep),
        rows,
        end,
    );
    assert_eq!(all, same, "what is kept by default");
}

#[test]
fn changed_closed_value_is_kept() {
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
fn changed_closed_literals_and_numbers_are_kept() {
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
fn same_number_in_another_spelling_is_a_revision() {
    check(
        &[
            ("[100,0]", "[100,0", &[]),
            ("[1e2,0]", "", &["Changed /0: 100 -> 1e2"]),
        ],
        "]",
    );
}

#[test]
fn rewritten_open_string_is_kept() {
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
fn shrunk_open_string_continues_once_it_agrees_again() {
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
fn contradicted_string_may_be_closed_in_the_same_push() {
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
fn rewritten_open_number_is_kept() {
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
fn retyped_value_is_kept() {
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
fn removed_member_is_kept() {
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
fn shrunk_array_is_kept() {
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
fn closed_value_ignores_growth() {
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
fn revision_in_closed_value_names_only_the_difference() {
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
            // One revision for each node.
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
fn revision_pointers_are_escaped() {
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
fn several_revisions_of_one_snapshot_are_reported_in_order() {
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

/// Neither the held members in it nor the half character at its end are emitted.
#[test]
fn retyped_value_emits_no_more() {
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
fn uncontradicted_values_continue() {
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
fn emitted_members_stay_while_others_are_held() {
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
fn finished_document_ignores_growth() {
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
fn revisions_are_kept_until_taken() {
    let mut chunker = Chunker::new();
    for snapshot in ["[1,2,0]", "[3,2,0]", "[3,4,0]"] {
        chunker.push(snapshot).unwrap();
    }
    let revisions: Vec<_> = chunker.take_revisions().iter().map(line).collect();
    assert_eq!(revisions, ["Changed /0: 1 -> 3", "Changed /1: 2 -> 4"]);
    assert_eq!(chunker.take_revisions(), []);
}

#[test]
fn revision_quotes_first_16_kib() {
    let (limit, long) = (16 << 10, "é".repeat(16 << 10));
    let mut chunker = Chunker::new();
    let start = format!("\"{long}");
    assert_eq!(chunker.push(&format!("\"{long}\"")).unwrap(), start);
    let other = format!("\"!{long}\"");
    assert_eq!(chunker.push(&other).unwrap(), "");
    let revisions = chunker.take_revisions();
    let (emitted, came) = (revisions[0].emitted(), revisions[0].received().unwrap());
    // A quote and complete characters of two bytes have an odd length.
    assert_eq!((emitted.len(), came.len()), (limit - 1, limit));
    assert!(start.starts_with(emitted) && other.starts_with(came));
}

#[test]
fn revision_display_and_debug_contain_no_payload() {
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
