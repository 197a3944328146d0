//! The rules by which snapshots become chunks, case by case: each row is a snapshot and the chunk
//! that it lets out.

mod support;

use json_chunks::Chunker;

use support::table::puts_out;

/// The rows with the default options.
#[track_caller]
fn check(rows: &[(&str, &str)], end: &str) {
    puts_out(Chunker::new(), rows, end);
}

mod walk_through {
    use super::check;

    #[test]
    fn the_morning_game_drive() {
        check(
            &[
                (
                    r#"{"days": [{"subtitle": "Day"}]}"#,
                    r#"{"days":[{"subtitle":"Day"#,
                ),
                (
                    r#"{"days": [{"subtitle": "Day 1: Arrival and Wildlife Safari", "activities": []}]}"#,
                    r#" 1: Arrival and Wildlife Safari","activities":["#,
                ),
                (
                    r#"{"days": [{"subtitle": "Day 1: Arrival and Wildlife Safari", "activities": [{"title": "", "type": "Sightseeing"}]}]}"#,
                    "{",
                ),
                (
                    r#"{"days": [{"activities": [{"type": "Sightseeing", "description": "Embark", "title": "Morning Game Drive"}], "subtitle": "Day 1: Arrival and Wildlife Safari"}]}"#,
                    r#""type":"Sightseeing","title":"Morning Game Drive","description":"Embark"#,
                ),
                (
                    r#"{"days": [{"activities": [{"description": "Embark on a thrilling morning game drive to witness the Great Migration in all its glory.", "title": "Morning Game Drive", "type": "Sightseeing"}], "subtitle": "Day 1: Arrival and Wildlife Safari"}]}"#,
                    " on a thrilling morning game drive to witness the Great Migration in all its glory.",
                ),
                (
                    r#"{"days": [{"subtitle": "Day 1: Arrival and Wildlife Safari", "activities": [{"description": "Embark on a thrilling morning game drive to witness the Great Migration in all its glory.", "type": "Sightseeing", "title": "Morning Game Drive"}, {"type": ""}]}]}"#,
                    r#""},{"type":""#,
                ),
                (
                    r#"{"days": [{"subtitle": "Day 1: Arrival and Wildlife Safari", "activities": [{"title": "Morning Game Drive", "description": "Embark on a thrilling morning game drive to witness the Great Migration in all its glory.", "type": "Sightseeing"}, {"type": "FoodAndDining", "title": "Lunch"}]}]}"#,
                    r#"FoodAndDining","title":"Lunch"#,
                ),
                (
                    r#"{"days": [{"activities": [{"type": "Sightseeing", "description": "Embark on a thrilling morning game drive to witness the Great Migration in all its glory.", "title": "Morning Game Drive"}, {"description": "Enjoy", "title": "Lunch at Restaurant 1", "type": "FoodAndDining"}], "subtitle": "Day 1: Arrival and Wildlife Safari"}]}"#,
                    r#" at Restaurant 1","description":"Enjoy"#,
                ),
            ],
            r#""}]}]}"#,
        );
    }
}

mod roots {
    use super::check;

    #[test]
    fn string() {
        check(
            &[(r#""""#, r#"""#), (r#""Hel""#, "Hel"), (r#""Hello""#, "lo")],
            r#"""#,
        );
    }

    #[test]
    fn number() {
        check(&[("-3", "-3"), ("-32", "2"), ("-32.5", ".5")], "");
    }

    #[test]
    fn literals() {
        check(&[("true", "true"), ("true", "")], "");
        check(&[(" false ", "false")], "");
        check(&[("null", "null")], "");
    }

    #[test]
    fn containers() {
        check(&[("{}", "{"), (" { } ", "")], "}");
        check(&[("[]", "["), ("[\n]", "")], "]");
        check(
            &[("[]", "["), ("[{}]", "{"), (r#"[{"a":[]}]"#, r#""a":["#)],
            "]}]",
        );
    }
}

mod arrays {
    use super::check;

    #[test]
    fn the_last_element_is_open() {
        check(
            &[
                (r#"["a"]"#, r#"["a"#),
                (r#"["ab"]"#, "b"),
                (r#"["ab",""]"#, r#"",""#),
                (r#"["ab","c"]"#, "c"),
            ],
            r#""]"#,
        );
    }

    #[test]
    fn all_before_the_last_go_out_whole() {
        check(
            &[
                (r#"["a","b"]"#, r#"["a","b"#),
                (
                    r#"["a","bc",{"d":[]},[1,2],"e"]"#,
                    r#"c",{"d":[]},[1,2],"e"#,
                ),
            ],
            r#""]"#,
        );
    }

    #[test]
    fn literals_are_never_open() {
        check(
            &[
                ("[true]", "[true"),
                ("[true,null]", ",null"),
                ("[true,null,false]", ",false"),
            ],
            "]",
        );
    }

    #[test]
    fn the_last_number_is_open() {
        check(
            &[
                ("[1]", "[1"),
                ("[12]", "2"),
                ("[12,3]", ",3"),
                ("[12,3.5]", ".5"),
            ],
            "]",
        );
    }

    #[test]
    fn arrays_in_arrays() {
        check(
            &[
                ("[[]]", "[["),
                ("[[[1]]]", "[1"),
                ("[[[1],[]]]", "],["),
                ("[[[1],[2]],[[[]],3]]", "2]],[[[]],3"),
            ],
            "]]",
        );
    }

    #[test]
    fn an_element_is_completed_before_the_next() {
        check(
            &[
                (r#"[{"a":["x"]}]"#, r#"[{"a":["x"#),
                (
                    r#"[{"a":["xy","z"],"b":{"c":0},"d":true},{}]"#,
                    r#"y","z"],"b":{"c":0},"d":true},{"#,
                ),
            ],
            "}]",
        );
    }

    #[test]
    fn an_element_with_held_members_is_completed_before_the_next() {
        check(
            &[
                (r#"[{"a":"x","b":"y"}]"#, "[{"),
                (r#"[{"a":"x","b":"yz"},1]"#, r#""a":"x","b":"yz"},1"#),
            ],
            "]",
        );
    }
}

mod new_members {
    use super::check;

    #[test]
    fn one_that_can_grow_is_opened() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#),
                (r#"{"a":"x","b":[]}"#, r#"","b":["#),
                (r#"{"a":"x","b":[],"c":{"d":""}}"#, r#"],"c":{"d":""#),
            ],
            r#""}}"#,
        );
    }

    #[test]
    fn the_open_one_is_completed_first() {
        check(
            &[
                (r#"{"a":{"b":["x"]}}"#, r#"{"a":{"b":["x"#),
                (
                    r#"{"a":{"b":["xy",{}],"c":1},"d":"z"}"#,
                    r#"y",{}],"c":1},"d":"z"#,
                ),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn literals_then_numbers_then_the_one_that_can_grow() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#),
                (
                    r#"{"a":"x","s":"y","n":1,"t":true,"m":2,"z":null,"f":false}"#,
                    r#"","t":true,"z":null,"f":false,"n":1,"m":2,"s":"y"#,
                ),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn of_numbers_alone_the_last_is_open() {
        check(
            &[
                (r#"{"n":1,"t":true,"m":2}"#, r#"{"t":true,"n":1,"m":2"#),
                (r#"{"n":1,"t":true,"m":25}"#, "5"),
                (r#"{"n":1,"t":true,"m":25,"s":""}"#, r#","s":""#),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn two_that_can_grow_are_held() {
        check(
            &[
                (r#"{"a":"x","b":"y"}"#, "{"),
                (r#"{"a":"x","b":"y","c":""}"#, r#""a":"x","b":"y","c":""#),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn literals_and_numbers_do_not_wait_for_what_is_held() {
        check(
            &[
                (r#"{"a":"x","n":1,"b":{},"t":true}"#, r#"{"t":true,"n":1"#),
                (
                    r#"{"a":"x","n":1,"b":{},"t":true,"m":2}"#,
                    r#","a":"x","b":{},"m":2"#,
                ),
            ],
            "}",
        );
    }

    #[test]
    fn two_new_ones_end_the_open_one_at_once() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#),
                (r#"{"a":"xy","b":"","c":""}"#, r#"y""#),
                (r#"{"a":"xy","b":"","c":"z"}"#, r#","b":"","c":"z"#),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn what_is_held_goes_out_first_and_the_unchanged_before_the_changed() {
        check(
            &[
                (r#"{"a":"1","b":"2","c":"3"}"#, "{"),
                (
                    r#"{"a":"1","b":"22","c":"3","d":""}"#,
                    r#""a":"1","c":"3","b":"22","d":""#,
                ),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn more_than_one_new_holds_again() {
        check(
            &[
                (r#"{"a":"1","b":"2"}"#, "{"),
                (r#"{"a":"1","b":"2","c":"3","d":"4"}"#, r#""a":"1","b":"2""#),
                (
                    r#"{"a":"1","b":"2","c":"3x","d":"4"}"#,
                    r#","d":"4","c":"3x"#,
                ),
            ],
            r#""}"#,
        );
    }
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

mod unchanged {
    use super::check;

    #[test]
    fn says_nothing_and_closes_nothing() {
        check(
            &[
                (r#"{"a":["x"]}"#, r#"{"a":["x"#),
                (r#"{"a":["x"]}"#, ""),
                (r#"{"a":["x"]}"#, ""),
                (r#"{"a":["xy"]}"#, "y"),
            ],
            r#""]}"#,
        );
    }

    #[test]
    fn keeps_holding() {
        check(
            &[
                (r#"{"a":"x","b":"y"}"#, "{"),
                (r#"{"a":"x","b":"y"}"#, ""),
                (r#"{"a":"xz","b":"y"}"#, r#""b":"y","a":"xz"#),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn the_order_of_members_and_white_space_mean_nothing() {
        check(
            &[
                (r#"{"a":"x","o":{"b":1,"c":"y"}}"#, "{"),
                (
                    "\r\n{ \"o\" :\t{\"c\":\"y\" , \"b\":1} , \"a\":\"x\" }\n",
                    "",
                ),
                (
                    "{\"o\": {\"c\": \"yz\", \"b\": 1}, \"a\": \"x\"}",
                    r#""a":"x","o":{"b":1,"c":"yz"#,
                ),
                (" {\"a\" : \"x\", \"o\" : {\"b\":1, \"c\":\"yz\" } }", ""),
            ],
            r#""}}"#,
        );
    }
}

mod growing_numbers {
    use json_chunks::Chunker;

    use super::puts_out;

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

    use super::puts_out;

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
        chunker.finish();
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
        assert_eq!(chunker.take_revisions(), []);
    }
}
