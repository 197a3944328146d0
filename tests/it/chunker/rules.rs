//! The rules of the chunker, case by case. Each row is a snapshot and its chunk.

use json_chunks::Chunker;

use json_chunks_testing::table::assert_chunks;

/// Asserts the rows with the default options.
#[track_caller]
fn check(rows: &[(&str, &str)], end: &str) {
    assert_chunks(Chunker::new(), rows, end);
}

mod walk_through {
    use super::check;

    #[test]
    fn documented_stream_gives_documented_chunks() {
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
    fn root_string_is_emitted_as_it_grows() {
        check(
            &[(r#""""#, r#"""#), (r#""Hel""#, "Hel"), (r#""Hello""#, "lo")],
            r#"""#,
        );
    }

    #[test]
    fn root_number_stays_open() {
        check(&[("-3", "-3"), ("-32", "2"), ("-32.5", ".5")], "");
    }

    #[test]
    fn root_literal_is_emitted_at_once() {
        check(&[("true", "true"), ("true", "")], "");
        check(&[(" false ", "false")], "");
        check(&[("null", "")], "null");
    }

    #[test]
    fn root_container_is_emitted_as_it_grows() {
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
    fn last_element_is_open() {
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
    fn elements_before_the_last_are_emitted_completely() {
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
    fn literal_elements_are_never_open() {
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
    fn last_number_element_is_open() {
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
    fn nested_arrays_are_emitted_as_they_grow() {
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
    fn element_is_completed_before_the_next() {
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
    fn element_with_held_members_is_completed_before_the_next() {
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
    fn single_new_growable_member_opens() {
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
    fn open_member_is_completed_before_new_ones() {
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
    fn new_members_are_emitted_literals_numbers_growable() {
        check(
            &[
                (r#"{"a":"x"}"#, r#"{"a":"x"#),
                (
                    r#"{"a":"x","s":"y","n":1,"t":true,"m":2,"z":null,"f":false}"#,
                    r#"","t":true,"f":false,"n":1,"m":2,"s":"y"#,
                ),
            ],
            r#"","z":null}"#,
        );
    }

    #[test]
    fn last_of_new_numbers_stays_open() {
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
    fn two_new_growable_members_are_held() {
        check(
            &[
                (r#"{"a":"x","b":"y"}"#, "{"),
                (r#"{"a":"x","b":"y","c":""}"#, r#""a":"x","b":"y","c":""#),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn literals_and_numbers_are_emitted_while_others_are_held() {
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
    fn two_new_members_close_the_open_one() {
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
    fn held_members_are_emitted_unchanged_before_changed() {
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
    fn several_new_members_are_held_again() {
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

mod unchanged {
    use super::check;

    #[test]
    fn equal_snapshot_emits_nothing() {
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
    fn equal_snapshot_keeps_members_held() {
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
    fn member_order_and_white_space_are_ignored() {
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
