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
