//! What is held: members of which it is not clear yet which of them grows. Each row is a snapshot and
//! the chunk that it lets out.

mod support;

use json_chunks::Chunker;

use support::table::puts_out;

#[track_caller]
fn check(rows: &[(&str, &str)], end: &str) {
    puts_out(Chunker::new(), rows, end);
}

mod held_members {
    use super::check;

    #[test]
    fn the_one_that_changes_is_opened_and_the_others_go_out_whole() {
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
    fn two_that_change_stay_held() {
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
    fn the_last_number_stays_open_beside_them() {
        check(
            &[
                (r#"{"a":"x","b":"y","n":3}"#, r#"{"n":3"#),
                (r#"{"a":"x","b":"y","n":32}"#, "2"),
            ],
            r#","a":"x","b":"y"}"#,
        );
    }

    #[test]
    fn an_open_number_is_ended_by_a_change_behind_it() {
        check(
            &[
                (r#"{"n":1,"a":"","b":""}"#, r#"{"n":1"#),
                (r#"{"n":1,"a":"","b":"y"}"#, r#","a":"","b":"y"#),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn they_go_out_at_the_end_at_the_latest() {
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
    fn while_held_they_may_change_as_they_like() {
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
    fn what_vanishes_while_held_is_never_put_out() {
        check(&[(r#"{"a":"x","b":"y"}"#, "{"), ("{}", "")], "}");
    }
}

mod opening_what_was_held {
    use super::check;

    #[test]
    fn an_object_that_got_a_member() {
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
    fn an_object_that_got_two_members() {
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
    fn an_object_of_which_one_member_changed() {
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
    fn an_object_of_which_one_member_changed_and_one_is_new() {
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
    fn objects_in_objects() {
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
    fn an_array_that_grew() {
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
    fn an_array_whose_last_element_grew() {
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
    fn an_array_with_a_new_element_that_holds() {
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
