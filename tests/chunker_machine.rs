//! The machine itself: its options, its end and its start.

mod support;

mod growing_numbers {
    use json_chunks::Chunker;

    use crate::support::table::puts_out;

    #[track_caller]
    fn check(rows: &[(&str, &str)], end: &str) {
        puts_out(Chunker::new().growing_numbers(true), rows, end);
    }

    #[test]
    fn are_held_like_strings() {
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
    fn go_out_at_once_where_they_are_alone() {
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

mod null_is_absent {
    use json_chunks::Chunker;

    use crate::support::table::puts_out;

    #[track_caller]
    fn check(rows: &[(&str, &str)], end: &str) {
        puts_out(Chunker::new().null_is_absent(true), rows, end);
    }

    #[test]
    fn a_member_that_is_null_is_not_there_yet() {
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
    fn two_that_come_to_life_at_once_are_held() {
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
    fn what_is_still_null_goes_out_when_its_object_ends() {
        check(
            &[
                (r#"[{"a":null,"b":"x"}]"#, r#"[{"b":"x"#),
                (r#"[{"a":null,"b":"x"},{"a":null}]"#, r#"","a":null},{"#),
            ],
            r#""a":null}]"#,
        );
    }

    #[test]
    fn elements_and_values_inside_of_them_are_as_ever() {
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
    fn a_null_that_comes_alone_does_not_end_the_open_one() {
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
    fn a_root_that_is_null_waits_too() {
        check(&[("null", ""), (r#"{"a":null}"#, "{")], r#""a":null}"#);
        check(&[("null", ""), ("null", "")], "null");
    }
}

mod machine {
    use json_chunks::Chunker;

    #[test]
    fn without_a_snapshot_there_is_nothing_to_end() {
        let mut chunker = Chunker::new();
        assert_eq!(chunker.finish(), "");
        assert_eq!(chunker.finish(), "");
    }

    #[test]
    fn it_ends_once() {
        let mut chunker = Chunker::new();
        chunker.push(r#"{"a":"x"}"#).unwrap();
        assert_eq!(chunker.finish(), r#""}"#);
        assert_eq!(chunker.finish(), "");
    }

    #[test]
    fn after_the_end_the_same_snapshot_says_nothing() {
        let mut chunker = Chunker::new();
        chunker.push(r#"{"a":"x","b":"y"}"#).unwrap();
        assert_eq!(chunker.finish(), r#""a":"x","b":"y"}"#);
        assert_eq!(chunker.push(r#"{"b":"y", "a":"x"}"#).unwrap(), "");
        assert_eq!(chunker.take_revisions(), []);
        assert_eq!(chunker.finish(), "");
    }

    #[test]
    fn the_text_handed_in_is_appended_to() {
        let mut chunker = Chunker::new();
        let mut out = "data: ".to_owned();
        chunker.push_into(r#"["x"]"#, &mut out).unwrap();
        chunker.push_into(r#"["xy"]"#, &mut out).unwrap();
        assert_eq!(out, r#"data: ["xy"#);
        chunker.finish_into(&mut out);
        assert_eq!(out, r#"data: ["xy"]"#);
    }

    #[test]
    fn reset_starts_again_with_the_same_options() {
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
    fn of_two_members_with_one_name_the_last_counts() {
        let mut chunker = Chunker::new();
        assert_eq!(chunker.push(r#"{"a":"x","a":[]}"#).unwrap(), r#"{"a":["#);
        assert_eq!(chunker.push(r#"{"a":"x","a":[1]}"#).unwrap(), "1");
        assert_eq!(chunker.push(r#"{"a":[1]}"#).unwrap(), "");
        assert_eq!(chunker.finish(), "]}");
    }

    #[test]
    fn of_two_members_with_one_name_only_the_last_can_contradict() {
        let mut chunker = Chunker::new();
        assert_eq!(chunker.push(r#"{"a":"x"}"#).unwrap(), r#"{"a":"x"#);
        assert_eq!(chunker.push(r#"{"a":5,"a":"xy"}"#).unwrap(), "y");
        assert_eq!(chunker.take_revisions(), []);
        assert_eq!(chunker.finish(), r#""}"#);
    }
}
