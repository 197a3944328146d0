//! Strings, names and numbers are emitted as the snapshots write them, and never so that the next
//! snapshot could not continue.

use json_chunks::Chunker;

use json_chunks_testing::json::{Json, text};
use json_chunks_testing::read::{Duplicates, read};
use json_chunks_testing::table::assert_chunks;

#[track_caller]
fn check(rows: &[(&str, &str)], end: &str) {
    assert_chunks(Chunker::new(), rows, end);
}

mod escapes {
    use super::*;

    #[test]
    fn escapes_are_emitted_as_written() {
        check(
            &[
                (r#"["é\u00e9\/"]"#, r#"["é\u00e9\/"#),
                (
                    r#"["é\u00e9\/\n\"\\ \u000A/\ud834\udd1e𝄞"]"#,
                    r#"\n\"\\ \u000A/\ud834\udd1e𝄞"#,
                ),
            ],
            r#""]"#,
        );
    }

    #[test]
    fn escapes_may_change_between_snapshots() {
        check(
            &[
                (r#""é""#, r#""é"#),
                (r#""\u00e9a""#, "a"),
                (r#""\u00E9\u0061b""#, "b"),
                (r#""éab\/""#, r"\/"),
                (r#""éab/c""#, "c"),
                (r#""éab\u002fcd""#, "d"),
            ],
            r#"""#,
        );
    }

    #[test]
    fn changed_escapes_are_written_again() {
        let mut chunker = Chunker::new();
        let mut all = chunker.push(r#""é""#).unwrap();
        let growth = chunker
            .push(r#""\u00e9\"\\\n\u0001\ud83d\ude00/""#)
            .unwrap();
        assert_ne!(growth, "");
        all += &growth;
        all += &chunker.finish();
        let expected = Json::Str(text("é\"\\\n\u{1}😀/"));
        assert_eq!(read(&all, Duplicates::Rejected), Ok(expected), "{all}");
        assert_eq!(chunker.take_revisions(), []);
    }

    #[test]
    fn changed_escapes_are_not_a_change() {
        check(
            &[
                (r#"{"a":"é/","b":"x"}"#, "{"),
                (r#"{"a":"\u00e9\/","\u0062":"x"}"#, ""),
                (r#"{"a":"é/","b":"x"}"#, ""),
            ],
            r#""a":"é/","b":"x"}"#,
        );
    }

    #[test]
    fn changed_escapes_in_closed_value_are_no_revision() {
        check(
            &[
                (r#"{"a":"é/","b":"x"}"#, "{"),
                (r#"{"a":"é/","b":"xy"}"#, r#""a":"é/","b":"xy"#),
                (r#"{"\u0061":"\u00e9\/","b":"xyz"}"#, "z"),
            ],
            r#""}"#,
        );
    }
}

mod names {
    use super::check;

    #[test]
    fn names_match_in_any_spelling() {
        check(
            &[
                (r#"{"\u0061\/":"x"}"#, r#"{"\u0061\/":"x"#),
                (r#"{"a/":"xy"}"#, "y"),
                (r#"{"\u0061\u002F":"xyz"}"#, "z"),
            ],
            r#""}"#,
        );
    }

    /// Names with 16 or more bytes are compared by a slower path.
    #[test]
    fn name_with_escaped_quote_at_byte_16_is_not_shortened() {
        check(
            &[
                (r#"{"12345678901234\"5":"x"}"#, r#"{"12345678901234\"5":"x"#),
                (r#"{ "12345678901234\"5":"xy"}"#, "y"),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn names_are_not_paths() {
        check(
            &[
                (r#"{"a":{"b":"1"},"a.b":"2","":"3"}"#, "{"),
                (
                    r#"{"a":{"b":"1"},"a.b":"2+","":"3"}"#,
                    r#""a":{"b":"1"},"":"3","a.b":"2+"#,
                ),
                (
                    r#"{"a":{"b":"1"},"a.b":"2+","":"3","a[0]":["x"]}"#,
                    r#"","a[0]":["x"#,
                ),
                (
                    r#"{"a":{"b":"1"},"a.b":"2+","":"3","a[0]":["xy"],"a/b~":{"":""}}"#,
                    r#"y"],"a/b~":{"":""#,
                ),
            ],
            r#""}}"#,
        );
    }

    #[test]
    fn names_contain_any_characters() {
        check(
            &[
                (r#"{"\"":"x"}"#, r#"{"\"":"x"#),
                (r#"{"\"":"x","\\":1}"#, r#"","\\":1"#),
                (r#"{"\"":"x","\\":1,"\u0000":"y"}"#, r#","\u0000":"y"#),
                (
                    r#"{"\"":"x","\\":1,"\u0000":"y","\ud83d\ude00 é":[]}"#,
                    r#"","\ud83d\ude00 é":["#,
                ),
                (r#"{"\"":"x","\\":1,"\u0000":"y","😀 \u00e9":[0]}"#, "0"),
            ],
            "]}",
        );
    }

    #[test]
    fn name_that_ends_in_half_a_character_is_emitted() {
        check(
            &[
                ("{\"a\u{FFFD}\":\"x\"}", "{\"a\u{FFFD}\":\"x"),
                ("{\"a\u{FFFD}\":\"x\",\"\\ud83d\":[]}", "\",\"\\ud83d\":["),
            ],
            "]}",
        );
    }
}

mod half_characters {
    use json_chunks::Chunker;

    use super::check;

    #[test]
    fn half_character_at_end_of_open_string_is_held() {
        check(
            &[
                ("[\"ab\u{FFFD}\"]", "[\"ab"),
                (r#"["abé"]"#, "é"),
                ("[\"abé\u{FFFD}\u{FFFD}\u{FFFD}\"]", ""),
                (r#"["abé😀"]"#, "😀"),
                (r#"["abé😀\ufffd"]"#, ""),
                (r#"["abé😀x"]"#, "x"),
            ],
            r#""]"#,
        );
    }

    #[test]
    fn lone_half_character_leaves_the_string_empty() {
        check(&[("\"\u{FFFD}\"", "\""), ("\"😀\"", "😀")], "\"");
        check(
            &[
                (r#""\ud83d""#, "\""),
                (r#""\ud83d\ude00""#, r"\ud83d\ude00"),
            ],
            "\"",
        );
    }

    #[test]
    fn half_character_of_superseded_member_is_discarded() {
        let mut chunker = Chunker::new();
        assert_eq!(chunker.push(r#"{"a":"xy"}"#).unwrap(), r#"{"a":"xy"#);
        let twice = "{\"a\":\"xy\u{FFFD}\",\"a\":\"xy\"}";
        assert_eq!(chunker.push(twice).unwrap(), "");
        assert_eq!(chunker.finish(), r#""}"#);
    }

    #[test]
    fn half_surrogate_pair_is_held() {
        check(
            &[
                (r#"["a\ud83d"]"#, r#"["a"#),
                (r#"["a\ud83d\ude00"]"#, r"\ud83d\ude00"),
                (r#"["a\ud83d\ude00\uD834"]"#, ""),
                (r#"["a\ud83d\ude00𝄞!"]"#, "𝄞!"),
            ],
            r#""]"#,
        );
    }

    #[test]
    fn half_character_is_emitted_when_text_follows() {
        check(
            &[
                ("\"a\u{FFFD}\"", "\"a"),
                ("\"a\u{FFFD}b\"", "\u{FFFD}b"),
                ("\"a\u{FFFD}b\\ud83d\"", ""),
                ("\"a\u{FFFD}b\\ud83dc\"", "\\ud83dc"),
            ],
            "\"",
        );
    }

    #[test]
    fn half_character_is_emitted_when_the_string_ends() {
        check(
            &[
                ("{\"a\":\"x\u{FFFD}\"}", r#"{"a":"x"#),
                (
                    "{\"a\":\"x\u{FFFD}\",\"b\":\"\\ud83d\"}",
                    "\u{FFFD}\",\"b\":\"",
                ),
            ],
            r#"\ud83d"}"#,
        );
        check(&[("\"\u{FFFD}\u{FFFD}\"", "\"")], "\u{FFFD}\u{FFFD}\"");
    }

    #[test]
    fn held_half_character_may_disappear() {
        check(
            &[
                ("\"a\u{FFFD}\"", "\"a"),
                ("\"a\"", ""),
                (r#""a\ud83d""#, ""),
                (r#""ab""#, "b"),
            ],
            "\"",
        );
    }

    #[test]
    fn completed_half_character_is_a_change() {
        check(
            &[
                ("{\"a\":\"x\u{FFFD}\",\"b\":\"y\"}", "{"),
                (r#"{"a":"xé","b":"y"}"#, r#""b":"y","a":"xé"#),
            ],
            r#""}"#,
        );
    }

    #[test]
    fn unpaired_low_surrogate_is_emitted() {
        check(
            &[(r#"["\ude00"]"#, r#"["\ude00"#), (r#"["\ude00x"]"#, "x")],
            r#""]"#,
        );
    }

    #[test]
    fn half_character_in_complete_value_is_emitted() {
        check(
            &[(
                "[\"a\u{FFFD}\",\"\\ud83d\",0]",
                "[\"a\u{FFFD}\",\"\\ud83d\",0",
            )],
            "]",
        );
    }
}

mod numbers {
    use super::check;

    #[test]
    fn numbers_keep_their_text() {
        let exact =
            "[1.10,-0,0.0,9007199254740993,1e400,-1.5E+07,1E-0,123456789012345678901234567890]";
        check(&[(exact, exact.strip_suffix(']').unwrap())], "]");
    }

    #[test]
    fn numbers_grow_by_their_text() {
        check(
            &[
                ("[1]", "[1"),
                ("[1.1]", ".1"),
                ("[1.10]", "0"),
                ("[1.10e4]", "e4"),
                ("[1.10e40]", "0"),
            ],
            "]",
        );
    }
}

#[test]
fn output_has_no_white_space_between_tokens() {
    check(
        &[
            (
                " {\n\t\"a b\" : [ 1 , { \"c\" : \" d \" } , true ] }\r\n",
                r#"{"a b":[1,{"c":" d "},true"#,
            ),
            (
                "{ \"a b\" : [ 1 , { \"c\" : \" d \" } , true ] , \"e\" : { } , \"f\" : [ [ ] , \"\" ] }",
                "]",
            ),
        ],
        r#","e":{},"f":[[],""]}"#,
    );
}
