//! Held members: it is not clear yet which of them the model is writing. Each row is a snapshot and
//! its chunk.

use json_chunks::Chunker;

use json_chunks_testing::table::assert_chunks;

#[track_caller]
fn check(rows: &[(&str, &str)], end: &str) {
    assert_chunks(Chunker::new(), rows, end);
}

mod held_members {
    use super::check;

    #[test]
    fn changed_held_member_opens_and_unchanged_ones_are_emitted() {
        check(
            &[
                (r#"{"a":"1","b":["2"],"c":{"d":3}}"#, "{"),
                (
                    r#"{"a":"1x","b":["2"],"c":{"d":3}}"#,
                    r#""b":["2"],"c":{"d":3},"a":"1x"#,
                ),
                (r#"{"a":"1xy","b":["2"],"c":{"d":3}}"#, "y"),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn two_changed_members_stay_held() {
        check(
            &[
                (r#"{"a":"1","b":"2","c":"3"}"#, "{"),
                (r#"{"a":"1x","b":"2x","c":"3"}"#, r#""c":"3""#),
                (r#"{"a":"1x","b":"2xy","c":"3"}"#, r#","a":"1x","b":"2xy"#),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn last_number_stays_open_beside_held_members() {
        check(
            &[
                (r#"{"a":"x","b":"y","n":3}"#, r#"{"n":3"#),
                (r#"{"a":"x","b":"y","n":32}"#, "2"),
            ],
            r#","a":"x","b":"y"}"#,
        );
    }

    #[test]
    fn change_after_open_number_closes_it() {
        check(
            &[
                (r#"{"n":1,"a":"","b":""}"#, r#"{"n":1"#),
                (r#"{"n":1,"a":"","b":"y"}"#, r#","a":"","b":"y"#),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn held_members_are_emitted_at_the_end() {
        check(
            &[(r#"{"a":"x","b":["y",{}]}"#, "{")],
            r#""a":"x","b":["y",{}]}"#,
        );
        check(
            &[(r#"{"o":[{"a":"x","b":"y"}]}"#, r#"{"o":[{"#)],
            r#""a":"x","b":"y"}]}"#,
        );
    }

    #[test]
    fn held_member_may_change_freely() {
        check(
            &[
                (r#"{"a":"long","b":"y","c":[1,2],"d":{"e":1}}"#, "{"),
                (r#"{"a":"lo","b":1,"c":[2],"d":"gone"}"#, ""),
                (r#"{"b":1,"c":[2],"d":"gone"}"#, ""),
                (
                    r#"{"a":{},"b":1,"c":[2],"d":"gone"}"#,
                    r#""b":1,"c":[2],"d":"gone","a":{"#,
                ),
            ],
            "}}",
        );
    }

    #[test]
    fn removed_held_member_is_not_emitted() {
        check(&[(r#"{"a":"x","b":"y"}"#, "{"), ("{}", "")], "}");
    }
}

mod opening_what_was_held {
    use super::check;

    #[test]
    fn held_object_with_new_member_opens() {
        check(
            &[
                (r#"{"a":{"x":"1"},"b":"y"}"#, "{"),
                (
                    r#"{"a":{"x":"1","z":"2"},"b":"y"}"#,
                    r#""b":"y","a":{"x":"1","z":"2"#,
                ),
            ],
            r#""}}"#,
        );
    }

    #[test]
    fn held_object_with_two_new_members_holds_them() {
        check(
            &[
                (r#"{"a":{"x":"1"},"b":"y"}"#, "{"),
                (
                    r#"{"a":{"x":"12","z":"","w":"","n":1},"b":"y"}"#,
                    r#""b":"y","a":{"x":"12","n":1"#,
                ),
                (
                    r#"{"a":{"x":"12","z":"3","w":"","n":1},"b":"y"}"#,
                    r#","w":"","z":"3"#,
                ),
            ],
            r#""}}"#,
        );
    }

    #[test]
    fn held_object_with_changed_member_opens() {
        check(
            &[
                (r#"{"a":{"x":"1","w":"0","n":5},"b":"y"}"#, "{"),
                (
                    r#"{"a":{"x":"12","w":"0","n":5},"b":"y"}"#,
                    r#""b":"y","a":{"w":"0","n":5,"x":"12"#,
                ),
            ],
            r#""}}"#,
        );
    }

    #[test]
    fn held_object_with_changed_and_new_member_opens() {
        check(
            &[
                (r#"{"a":{"x":"1","w":"0"},"b":"y"}"#, "{"),
                (
                    r#"{"a":{"x":"12","w":"0","z":"2"},"b":"y"}"#,
                    r#""b":"y","a":{"w":"0","x":"12","z":"2"#,
                ),
            ],
            r#""}}"#,
        );
    }

    #[test]
    fn nested_held_objects_open() {
        check(
            &[
                (r#"{"a":{"o":{"x":"1","w":"0"},"p":""},"b":"y"}"#, "{"),
                (
                    r#"{"a":{"o":{"x":"12","w":"0"},"p":""},"b":"y"}"#,
                    r#""b":"y","a":{"p":"","o":{"w":"0","x":"12"#,
                ),
            ],
            r#""}}}"#,
        );
    }

    #[test]
    fn held_array_with_new_element_opens() {
        check(
            &[
                (r#"{"a":["1"],"b":"y"}"#, "{"),
                (r#"{"a":["12"],"b":"y"}"#, r#""b":"y","a":["12"#),
            ],
            r#""]}"#,
        );
        check(
            &[
                (r#"{"a":["1"],"b":"y"}"#, "{"),
                (
                    r#"{"a":["1x",{},"2"],"b":"y"}"#,
                    r#""b":"y","a":["1x",{},"2"#,
                ),
            ],
            r#""]}"#,
        );
    }

    #[test]
    fn held_array_with_grown_element_opens() {
        check(
            &[
                (r#"{"a":[0,{"x":"1","w":"0"}],"b":"y"}"#, "{"),
                (
                    r#"{"a":[0,{"x":"12","w":"0"}],"b":"y"}"#,
                    r#""b":"y","a":[0,{"w":"0","x":"12"#,
                ),
            ],
            r#""}]}"#,
        );
    }

    #[test]
    fn held_array_with_new_object_holds_its_members() {
        check(
            &[
                (r#"{"a":[{"x":"1"}],"b":"y"}"#, "{"),
                (
                    r#"{"a":[{"x":"1"},{"p":"","q":""}],"b":"y"}"#,
                    r#""b":"y","a":[{"x":"1"},{"#,
                ),
                (
                    r#"{"a":[{"x":"1"},{"p":"","q":"2"}],"b":"y"}"#,
                    r#""p":"","q":"2"#,
                ),
            ],
            r#""}]}"#,
        );
    }
}
