//! The machine: its options, `finish` and `reset`.

mod growing_numbers {
    use json_chunks::Chunker;

    use json_chunks_testing::table::assert_chunks;

    #[track_caller]
    fn check(rows: &[(&str, &str)], end: &str) {
        assert_chunks(Chunker::new().growing_numbers(true), rows, end);
    }

    #[test]
    fn growing_numbers_are_held_like_strings() {
        check(
            &[
                (r#"{"n":3,"s":"x"}"#, "{"),
                (r#"{"n":32,"s":"x"}"#, r#""s":"x","n":32"#),
                (r#"{"n":32.5,"s":"x"}"#, ".5"),
                (r#"{"n":32.5,"s":"x","t":true}"#, r#","t":true"#),
            ],
            "}",
        );
        check(
            &[
                (r#"{"n":3,"m":4}"#, "{"),
                (r#"{"n":3,"m":4,"s":""}"#, r#""n":3,"m":4,"s":""#),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn lone_growing_number_is_emitted_at_once() {
        check(
            &[
                (r#"{"n":3,"t":true}"#, r#"{"t":true,"n":3"#),
                (r#"{"n":32,"t":true,"s":"x"}"#, r#"2,"s":"x"#),
            ],
            r#""}"#,
        );
        check(&[("[1]", "[1"), ("[12,3]", "2,3")], "]");
    }
}

mod absent_null {
    use json_chunks::{AbsentValues, Chunker};

    use json_chunks_testing::table::assert_chunks;

    #[track_caller]
    fn check(rows: &[(&str, &str)], end: &str) {
        assert_chunks(Chunker::new(), rows, end);
        assert_chunks(Chunker::new().absent_values(AbsentValues::Null), rows, end);
    }

    #[test]
    fn null_member_waits_until_it_changes() {
        check(
            &[
                (r#"{"a":null,"b":null,"c":null}"#, "{"),
                (r#"{"a":null,"b":"x","c":null}"#, r#""b":"x"#),
                (r#"{"a":null,"b":"xy","c":null}"#, "y"),
                (r#"{"a":1,"b":"xy","c":null}"#, r#"","a":1"#),
                (r#"{"a":1,"b":"xy","c":{"d":null}}"#, r#","c":{"#),
            ],
            r#""d":null}}"#,
        );
    }

    #[test]
    fn two_members_changed_at_once_are_held() {
        check(
            &[
                (r#"{"a":null,"b":null}"#, "{"),
                (r#"{"a":"","b":""}"#, ""),
                (r#"{"a":"","b":"x"}"#, r#""a":"","b":"x"#),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn null_member_is_emitted_when_its_object_is_complete() {
        check(
            &[
                (r#"[{"a":null,"b":"x"}]"#, r#"[{"b":"x"#),
                (r#"[{"a":null,"b":"x"},{"a":null}]"#, r#"","a":null},{"#),
            ],
            r#""a":null}]"#,
        );
    }

    #[test]
    fn null_element_is_emitted_at_once() {
        check(&[("[null]", "[null"), ("[null,null]", ",null")], "]");
        check(
            &[(
                r#"[{"a":null},null,{"a":[null]}]"#,
                r#"[{"a":null},null,{"a":[null"#,
            )],
            "]}]",
        );
    }

    #[test]
    fn new_null_member_does_not_close_the_open_one() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#),
                (r#"{"a":"x","b":null}"#, ""),
                (r#"{"a":"xy","b":null}"#, "y"),
            ],
            r#"","b":null}"#,
        );
    }

    #[test]
    fn null_document_waits() {
        check(&[("null", ""), (r#"{"a":null}"#, "{")], r#""a":null}"#);
        check(&[("null", ""), ("null", "")], "null");
    }

    #[test]
    fn object_of_nulls_waits_until_one_changes() {
        check(
            &[
                (r#"{"to":{"street":null,"zip":null},"name":null}"#, "{"),
                (
                    r#"{"to":{"street":null,"zip":null},"name":"Bo"}"#,
                    r#""name":"Bo"#,
                ),
                (
                    r#"{"to":{"street":null,"zip":1},"name":"Bo"}"#,
                    r#"","to":{"zip":1"#,
                ),
                (
                    r#"{"to":{"street":"","zip":1},"name":"Bo"}"#,
                    r#","street":""#,
                ),
            ],
            r#""}}"#,
        );
        // An object without members is no placeholder.
        check(&[(r#"{"to":{}}"#, r#"{"to":{"#)], "}}");
        // A null that became an object has changed.
        check(
            &[
                (r#"{"to":null}"#, "{"),
                (r#"{"to":{"zip":null}}"#, r#""to":{"#),
            ],
            r#""zip":null}}"#,
        );
    }

    #[test]
    fn held_member_that_becomes_null_is_a_value() {
        check(
            &[
                (r#"{"a":"x","b":"y"}"#, "{"),
                (r#"{"a":null,"b":"y"}"#, r#""b":"y","a":null"#),
            ],
            "}",
        );
    }

    #[test]
    fn failed_push_leaves_absent_members_absent() {
        let mut chunker = Chunker::new();
        assert_eq!(chunker.push(r#"{"a":null,"b":{"c":null}}"#).unwrap(), "{");
        assert!(chunker.push(r#"{"a":"x","b":{"c":"y"},"#).is_err());
        assert_eq!(
            chunker.push(r#"{"a":null,"b":{"c":null},"d":""}"#).unwrap(),
            r#""d":""#
        );
        assert_eq!(
            chunker.push(r#"{"a":null,"b":{"c":"y"},"d":""}"#).unwrap(),
            r#"","b":{"c":"y"#
        );
        assert_eq!(chunker.finish(), r#""},"a":null}"#);
        assert_eq!(chunker.take_revisions(), []);
    }
}

mod absent_nothing {
    use json_chunks::{AbsentValues, Chunker};

    use json_chunks_testing::table::assert_chunks;

    #[test]
    fn null_is_emitted_at_once() {
        let chunker = || Chunker::new().absent_values(AbsentValues::Nothing);
        assert_chunks(chunker(), &[("null", "null")], "");
        assert_chunks(
            chunker(),
            &[(r#"{"a":null,"b":"x"}"#, r#"{"a":null,"b":"x"#)],
            r#""}"#,
        );
    }
}

mod absent_defaults {
    use json_chunks::{AbsentValues, Chunker};

    use json_chunks_testing::table::assert_chunks;

    #[track_caller]
    fn check(rows: &[(&str, &str)], end: &str) {
        let chunker = Chunker::new().absent_values(AbsentValues::Defaults);
        assert_chunks(chunker, rows, end);
    }

    #[test]
    fn default_waits_until_it_changes() {
        check(
            &[
                (r#"{"s":"","n":0,"f":false,"a":[],"o":{},"z":null}"#, "{"),
                (
                    r#"{"s":"","n":0,"f":true,"a":[],"o":{},"z":null}"#,
                    r#""f":true"#,
                ),
                (
                    r#"{"s":"","n":0,"f":true,"a":[0],"o":{},"z":null}"#,
                    r#","a":[0"#,
                ),
                (
                    r#"{"s":"","n":5,"f":true,"a":[0],"o":{},"z":null}"#,
                    r#"],"n":5"#,
                ),
                (
                    r#"{"s":"","n":5,"f":true,"a":[0],"o":{"x":1},"z":null}"#,
                    r#","o":{"x":1"#,
                ),
                (
                    r#"{"s":"x","n":5,"f":true,"a":[0],"o":{"x":1},"z":null}"#,
                    r#"},"s":"x"#,
                ),
            ],
            r#"","z":null}"#,
        );
    }

    #[test]
    fn zero_is_a_default_in_any_spelling() {
        for zero in ["0", "-0", "0.0", "0e5", "-0.00E-1"] {
            check(
                &[(&format!(r#"{{"n":{zero},"s":"x"}}"#), r#"{"s":"x"#)],
                &format!(r#"","n":{zero}}}"#),
            );
        }
        check(&[(r#"{"n":0.10}"#, r#"{"n":0.10"#)], "}");
    }

    #[test]
    fn value_that_was_something_else_is_no_default() {
        check(
            &[
                (r#"{"a":"x","b":"y"}"#, "{"),
                (r#"{"a":"","b":"y"}"#, r#""b":"y","a":""#),
            ],
            r#""}"#,
        );
        // A null that became "" has changed.
        check(
            &[(r#"{"a":null}"#, "{"), (r#"{"a":""}"#, r#""a":""#)],
            r#""}"#,
        );
    }

    #[test]
    fn elements_and_containers_as_documents_are_emitted_at_once() {
        check(&[(r#"["",0,false,[],{}]"#, r#"["",0,false,[],{"#)], "}]");
        check(&[("[]", "[")], "]");
        check(&[(r#"{"a":{"b":[]}}"#, "{")], r#""a":{"b":[]}}"#);
        check(&[(r#""""#, ""), (r#""x""#, r#""x"#)], r#"""#);
    }
}

mod written_order {
    use json_chunks::{AbsentValues, Chunker, MemberOrder, RevisionKind};

    use json_chunks_testing::table::assert_chunks;

    fn chunker() -> Chunker {
        Chunker::new().member_order(MemberOrder::Written)
    }

    #[track_caller]
    fn check(rows: &[(&str, &str)], end: &str) {
        assert_chunks(chunker(), rows, end);
    }

    #[test]
    fn last_member_is_open_and_all_others_are_complete() {
        check(
            &[
                (
                    r#"{"a":"x","b":["y"],"c":{"d":1,"e":"z"}}"#,
                    r#"{"a":"x","b":["y"],"c":{"d":1,"e":"z"#,
                ),
                (r#"{"a":"x","b":["y"],"c":{"d":1,"e":"zz"}}"#, "z"),
                (
                    r#"{"a":"x","b":["y"],"c":{"d":1,"e":"zz"},"f":true}"#,
                    r#""},"f":true"#,
                ),
                (
                    r#"{"a":"x","b":["y"],"c":{"d":1,"e":"zz"},"f":true,"g":3}"#,
                    r#","g":3"#,
                ),
                (
                    r#"{"a":"x","b":["y"],"c":{"d":1,"e":"zz"},"f":true,"g":32}"#,
                    "2",
                ),
            ],
            "}",
        );
    }

    #[test]
    fn rows_keep_the_order_of_the_producer() {
        check(
            &[
                (r#"[{"a":"row","b":1}]"#, r#"[{"a":"row","b":1"#),
                (
                    r#"[{"a":"row","b":1},{"a":"row","b":2}]"#,
                    r#"},{"a":"row","b":2"#,
                ),
            ],
            "}]",
        );
    }

    #[test]
    fn last_present_member_counts() {
        check(
            &[
                (r#"{"a":null,"b":null,"c":null}"#, "{"),
                (r#"{"a":"x","b":null,"c":null}"#, r#""a":"x"#),
                // The model has passed `b` and left it null.
                (r#"{"a":"xy","b":null,"c":["z"]}"#, r#"y","b":null,"c":["z"#),
            ],
            r#""]}"#,
        );
    }

    #[test]
    fn member_is_inserted_where_the_snapshot_has_it() {
        check(
            &[
                (r#"{"b":null}"#, "{"),
                (r#"{"a":"x","b":null}"#, r#""a":"x"#),
                (r#"{"a":"x","b":"y"}"#, r#"","b":"y"#),
            ],
            r#""}"#,
        );
        // All members at once.
        check(
            &[
                (r#"{"b":null}"#, "{"),
                (r#"{"a":"x","b":"y"}"#, r#""a":"x","b":"y"#),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn member_that_appears_before_the_open_one_waits_and_is_not_lost() {
        check(
            &[
                (r#"{"b":"y"}"#, r#"{"b":"y"#),
                (r#"{"a":"x","b":"y"}"#, ""),
                (r#"{"a":"xx","b":"yy"}"#, "y"),
                (r#"{"a":"xx","b":"yy","c":1}"#, r#"","a":"xx","c":1"#),
            ],
            "}",
        );
    }

    #[test]
    fn broken_promise_is_a_revision() {
        let mut chunker = chunker().absent_values(AbsentValues::Nothing);
        assert_eq!(
            chunker.push(r#"{"a":"x","b":"y"}"#).unwrap(),
            r#"{"a":"x","b":"y"#
        );
        assert_eq!(chunker.push(r#"{"a":"xx","b":"yy"}"#).unwrap(), "y");
        let revisions = chunker.take_revisions();
        assert_eq!(revisions.len(), 1);
        assert_eq!(
            (revisions[0].pointer(), revisions[0].kind()),
            ("/a", RevisionKind::Changed)
        );
        assert_eq!(chunker.finish(), r#""}"#);
    }

    #[test]
    fn wide_object_finds_inserted_members() {
        // More members than are scanned, so they are found by hash.
        let members = |from: usize| -> String {
            let members: Vec<String> = (from..60).map(|n| format!(r#""m{n}":{n}"#)).collect();
            members.join(",")
        };
        let mut chunker = chunker();
        let mut text = String::new();
        for from in [40, 20, 10, 10, 0, 0] {
            // White space prevents resuming where the last pass ended.
            let snapshot = format!("{{{}{} }}", " ".repeat(from), members(from));
            chunker.push_into(&snapshot, &mut text).unwrap();
        }
        chunker.finish_into(&mut text);
        assert_eq!(chunker.take_revisions(), []);
        assert_eq!(text.matches(':').count(), 60);
    }
}

mod reuse {
    use json_chunks::Chunker;

    #[test]
    fn finish_without_snapshot_emits_nothing() {
        let mut chunker = Chunker::new();
        assert_eq!(chunker.finish(), "");
        assert_eq!(chunker.finish(), "");
    }

    #[test]
    fn second_finish_emits_nothing() {
        let mut chunker = Chunker::new();
        chunker.push(r#"{"a":"x"}"#).unwrap();
        assert_eq!(chunker.finish(), r#""}"#);
        assert_eq!(chunker.finish(), "");
    }

    #[test]
    fn same_snapshot_after_finish_emits_nothing() {
        let mut chunker = Chunker::new();
        chunker.push(r#"{"a":"x","b":"y"}"#).unwrap();
        assert_eq!(chunker.finish(), r#""a":"x","b":"y"}"#);
        assert_eq!(chunker.push(r#"{"b":"y", "a":"x"}"#).unwrap(), "");
        assert_eq!(chunker.take_revisions(), []);
        assert_eq!(chunker.finish(), "");
    }

    #[test]
    fn push_into_appends_to_the_buffer() {
        let mut chunker = Chunker::new();
        let mut out = "data: ".to_owned();
        chunker.push_into(r#"["x"]"#, &mut out).unwrap();
        chunker.push_into(r#"["xy"]"#, &mut out).unwrap();
        assert_eq!(out, r#"data: ["xy"#);
        chunker.finish_into(&mut out);
        assert_eq!(out, r#"data: ["xy"]"#);
    }

    #[test]
    fn reset_keeps_the_options() {
        let mut chunker = Chunker::new().growing_numbers(true);
        for _ in 0..2 {
            assert_eq!(chunker.push(r#"{"n":3,"s":"x"}"#).unwrap(), "{");
            chunker.reset();
        }
        assert_eq!(chunker.finish(), "", "nothing came since the reset");
        chunker.reset();
        assert_eq!(chunker.push(r#"["other"]"#).unwrap(), r#"["other"#);
        assert_eq!(chunker.take_revisions(), []);
        assert_eq!(chunker.finish(), r#""]"#);
    }

    #[test]
    fn duplicate_member_last_wins() {
        let mut chunker = Chunker::new();
        assert_eq!(chunker.push(r#"{"a":"x","a":[]}"#).unwrap(), r#"{"a":["#);
        assert_eq!(chunker.push(r#"{"a":"x","a":[1]}"#).unwrap(), "1");
        assert_eq!(chunker.push(r#"{"a":[1]}"#).unwrap(), "");
        assert_eq!(chunker.finish(), "]}");
    }

    #[test]
    fn only_last_duplicate_member_can_contradict() {
        let mut chunker = Chunker::new();
        assert_eq!(chunker.push(r#"{"a":"x"}"#).unwrap(), r#"{"a":"x"#);
        assert_eq!(chunker.push(r#"{"a":5,"a":"xy"}"#).unwrap(), "y");
        assert_eq!(chunker.take_revisions(), []);
        assert_eq!(chunker.finish(), r#""}"#);
    }
}
