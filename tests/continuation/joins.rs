//! What comes of the next reply, by example.

use json_chunks::{Accumulator, Candidate, Certainty, JoinKind};

use Certainty::{Ambiguous, Certain, Likely};
use JoinKind::{
    Continued, ElementAgain, Failed, Overlapped, Repeated, RestartedFurther, RestartedShorter,
};

/// Pushes a first reply and another; each row has both, what comes of the second, and the text.
fn joins(rows: &[(&str, &str, JoinKind, Certainty, &str)]) {
    for (first, reply, kind, certainty, text) in rows {
        let mut accumulator = Accumulator::new();
        assert!(accumulator.push(first).is_taken(), "{first}");
        let join = accumulator.push(reply);
        assert_eq!(
            (join.kind(), join.certainty()),
            (*kind, *certainty),
            "{first} | {reply}"
        );
        assert_eq!(accumulator.text(), *text, "{first} | {reply}");
    }
}

#[test]
fn a_reply_that_goes_on_at_the_byte() {
    joins(&[
        ("[1,2", ",3]", Continued, Certain, "[1,2,3]"),
        ("[1,\n", "  2]\n", Continued, Certain, "[1,\n  2]\n"),
        ("[tr", "ue]", Continued, Certain, "[true]"),
        ("[1.", "5]", Continued, Certain, "[1.5]"),
        (r#"{"na"#, r#"me": 1}"#, Continued, Likely, r#"{"name": 1}"#),
        (
            r#"["caf\u00"#,
            r#"e9"]"#,
            Continued,
            Likely,
            r#"["caf\u00e9"]"#,
        ),
        ("[\"wor", "ld\"]", Continued, Likely, "[\"world\"]"),
        // Nothing but digits: an answer to another question would look the same.
        ("[1,", "75", Continued, Likely, "[1,75"),
    ]);
}

#[test]
fn a_reply_that_starts_before_the_byte() {
    joins(&[
        ("[1,2", "1,2,3]", Continued, Ambiguous, "[1,2"),
        ("[10,20", "10,20,30]", Continued, Ambiguous, "[10,20"),
        (
            r#"{"a":1,"b":[2"#,
            r#","b":[2,3]}"#,
            Overlapped,
            Certain,
            r#"{"a":1,"b":[2,3]}"#,
        ),
        (
            r#"{"a": 1, "b": [2,"#,
            r#""b":[2,3]}"#,
            ElementAgain,
            Certain,
            r#"{"a": 1, "b": [2,3]}"#,
        ),
        // White space that is there is not there twice.
        (
            "[10, 20 ",
            "20 , 30]",
            ElementAgain,
            Certain,
            "[10, 20 , 30]",
        ),
        ("[10, 20\n", "20\n\t, 30]", Continued, Ambiguous, "[10, 20"),
        (
            "[10, 20\n\t",
            "20 , 30]",
            ElementAgain,
            Certain,
            "[10, 20\n\t, 30]",
        ),
        // In a string it is text.
        ("[\"x,y", "x, yz\"]", Continued, Likely, "[\"x,yx, yz\"]"),
        // Either there is an "a" again, or there was one.
        (
            r#"{"a":1,"#,
            r#""a":1,"b":2}"#,
            Overlapped,
            Likely,
            r#"{"a":1,"b":2}"#,
        ),
        ("[1,1", ",1]", Continued, Ambiguous, "[1,1"),
        ("[\"hel", "lo\"]", Continued, Ambiguous, "[\"hel"),
        (
            "[\"The quick brown fox jumps over the la",
            " quick brown fox jumps over the laziest dog\"]",
            Overlapped,
            Likely,
            "[\"The quick brown fox jumps over the laziest dog\"]",
        ),
        // As long, but it may as well be said twice.
        (
            "[\"ha ha ha ha ha ha ha ha ha ha ha ha ",
            "ha ha ha ha ha ha ha ha ha ha ha ha \"]",
            Continued,
            Ambiguous,
            "[\"ha ha ha ha ha ha ha ha ha ha ha ha ",
        ),
    ]);
}

/// A line of a song that comes three times: that a part of it is as long as the line says nothing.
#[test]
fn what_is_said_again_and_again_is_no_overlap() {
    let line = "Row, row, row your boat, gently down the stream. ";
    let song = format!("[\"{line}{line}{line}\"]");
    for cut in 2 + line.len()..2 + 2 * line.len() {
        let (first, rest) = song.split_at(cut);
        joins(&[(first, rest, Continued, Ambiguous, first)]);
    }
}

#[test]
fn what_is_not_looked_at_is_not_certain() {
    let element = |number: u32| format!("{{\"id\": {number}}},\n");
    let elements =
        |numbers: std::ops::Range<u32>| numbers.map(element).collect::<Vec<_>>().concat();
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push(&format!("[{}", elements(0..20_000)));
    // Whether it is new, or from somewhere in the middle, takes a look at all of the text.
    let join = accumulator.push(&elements(1000..1010));
    assert_eq!((join.kind(), join.certainty()), (Continued, Likely));
    let start = accumulator.text().get(..500).unwrap().to_owned();
    let join = accumulator.push(&start);
    let mut kinds = join.candidates().iter().map(Candidate::kind);
    assert!(kinds.any(|kind| kind == RestartedShorter), "{join:?}");
}

#[test]
fn a_reply_with_nothing_new() {
    joins(&[
        (
            r#"{"a": [1, 2], "b""#,
            r#""a": [1, 2]"#,
            Repeated,
            Certain,
            r#"{"a": [1, 2], "b""#,
        ),
        ("[1,[2,3],", "[2,3],", Continued, Ambiguous, "[1,[2,3],"),
        (
            "[{\"a\":1}]",
            "[{\"a\":1}]",
            RestartedShorter,
            Certain,
            "[{\"a\":1}]",
        ),
        (
            "[{\"a\":1}]",
            "{\"a\":1}]",
            Repeated,
            Certain,
            "[{\"a\":1}]",
        ),
        ("[1]", "", Repeated, Certain, "[1]"),
        ("[1]", "```\n", Repeated, Certain, "[1]"),
        ("[1]", "That is all.", Repeated, Likely, "[1]"),
        ("[1]", "[2]", Failed, Ambiguous, "[1]"),
    ]);
}

#[test]
fn the_cut_off_element_again() {
    joins(&[
        (
            "[{\"id\": 1}, {\"id\": 2, \"na",
            "{\"id\": 2, \"name\": \"x\"}]",
            ElementAgain,
            Certain,
            "[{\"id\": 1}, {\"id\": 2, \"name\": \"x\"}]",
        ),
        (
            "[{\"id\": 1}, {\"id\": 2, \"na",
            "  {\n    \"id\": 2,\n    \"name\": \"x\"\n  }\n]",
            ElementAgain,
            Certain,
            "[{\"id\": 1}, {\"id\": 2, \"name\": \"x\"\n  }\n]",
        ),
        (
            r#"{"a": "one tw"#,
            r#""one two"}"#,
            ElementAgain,
            Certain,
            r#"{"a": "one two"}"#,
        ),
        (
            r#"{"a": "one tw"#,
            r#""a": "one two"}"#,
            ElementAgain,
            Certain,
            r#"{"a": "one two"}"#,
        ),
        // It is not the same.
        (
            "[{\"id\": 2, \"na",
            "{\"id\": 3, \"name\": 1}]",
            Failed,
            Ambiguous,
            "[{\"id\": 2, \"na",
        ),
    ]);
}

#[test]
fn the_whole_document_again() {
    let first = "{\"title\": \"Three Days\", \"days\": [1, 2";
    joins(&[
        (
            first,
            "{\"title\": \"Three Days\", \"days\": [1, 2, 3]}",
            RestartedFurther,
            Certain,
            "{\"title\": \"Three Days\", \"days\": [1, 2, 3]}",
        ),
        (
            first,
            "{\n  \"title\": \"Three Days\",\n  \"days\": [\n    1,\n    2,\n    3\n  ]\n}",
            RestartedFurther,
            Certain,
            "{\"title\": \"Three Days\", \"days\": [1, 2,\n    3\n  ]\n}",
        ),
        (
            first,
            "{\"title\":\"Three Days\",",
            RestartedShorter,
            Certain,
            first,
        ),
        (
            first,
            "{\"title\":\"Four Days\",\"days\":[]}",
            Failed,
            Ambiguous,
            first,
        ),
        // A list in a list, or the list again.
        ("[", "[1]", Continued, Ambiguous, "["),
    ]);
}

#[test]
fn fences_and_prose_around_the_next_reply() {
    joins(&[
        ("[1,2", "```json\n,3]\n```", Continued, Certain, "[1,2,3]"),
        (
            "[1,2",
            "Here is the rest:\n\n```\n,3]\n```\nDone.",
            Continued,
            Certain,
            "[1,2,3]",
        ),
        ("```json\n[1,2", ",3]\n```\n", Continued, Certain, "[1,2,3]"),
        (
            "[\"wor",
            "Here is the rest:\n```json\nld\"]\n```",
            Continued,
            Likely,
            "[\"world\"]",
        ),
        (
            "[1,2",
            "Here is the rest:\n\n,3]",
            Continued,
            Likely,
            "[1,2,3]",
        ),
        (
            "[1,2",
            "Sure, here is the rest: ,3]",
            Continued,
            Likely,
            "[1,2,3]",
        ),
        (
            "[1,2",
            ",3]\n\nAnything else?",
            Continued,
            Likely,
            "[1,2,3]",
        ),
        ("[1,2", ",3\n\nTo be continued", Continued, Likely, "[1,2,3"),
        // In a string, these words may be what it says.
        (
            "[\"wor",
            "Here is the rest:\n```json\n\"world\"]\n```",
            ElementAgain,
            Likely,
            "[\"world\"]",
        ),
        (
            "[\"wor",
            "Sure, here is the rest: ld\"]",
            Continued,
            Ambiguous,
            "[\"wor",
        ),
        (
            "[\"wor",
            "I cannot help with that.",
            Continued,
            Ambiguous,
            "[\"wor",
        ),
        ("[1,", "I cannot help with that.", Failed, Ambiguous, "[1,"),
    ]);
}

#[test]
fn another_document_is_never_certain_to_go_on() {
    joins(&[
        (
            r#"{"a":1,"b":["#,
            r#"{"b":[2],"a":1}"#,
            Continued,
            Ambiguous,
            r#"{"a":1,"b":["#,
        ),
        (
            r#"{"a":1,"b":"#,
            "[2]",
            Continued,
            Likely,
            r#"{"a":1,"b":[2]"#,
        ),
        (
            "[1,",
            "\"Sure, here you go\"",
            Continued,
            Likely,
            "[1,\"Sure, here you go\"",
        ),
        (r#"{"a":1,"#, r#"{"b":2}"#, Failed, Ambiguous, r#"{"a":1,"#),
    ]);
}

/// Files and terminals put them there.
#[test]
fn line_ends_behind_a_reply_end_no_token() {
    joins(&[
        ("[1\n", "0, 2]\n", Continued, Certain, "[10, 2]\n"),
        ("[1\n", "1, 2]", Continued, Ambiguous, "[1"),
        ("[tru\r\n", "e]", Continued, Certain, "[true]"),
        ("[\"a\n\n", "b\"]\n", Continued, Likely, "[\"ab\"]\n"),
        ("[{\"id\":", "[{\"id\n", Continued, Ambiguous, "[{\"id\":"),
        ("[11,null,", "n\n", Continued, Ambiguous, "[11,null,"),
        (
            "[true,true,t",
            "e,true,tru\n",
            Overlapped,
            Ambiguous,
            "[true,true,t",
        ),
        // The start of the closing fence.
        (
            "{\"a\": [1,\n``",
            "2]}",
            Continued,
            Certain,
            "{\"a\": [1,2]}",
        ),
    ]);
}

#[test]
fn white_space_before_a_reply_hides_nothing() {
    joins(&[(
        r#"[true,"b",tru"#,
        "\ne,\"b\",true,true]",
        Overlapped,
        Ambiguous,
        r#"[true,"b",tru"#,
    )]);
}

#[test]
fn white_space_may_go_on_with_a_string() {
    joins(&[("[\"a", "\n ", Repeated, Ambiguous, "[\"a")]);
}

#[test]
fn dots_may_stand_for_what_was_there() {
    let text = r#"{"a": "jumps over"#;
    joins(&[
        (text, r#"...the dog"}"#, Continued, Ambiguous, text),
        ("[1, 2", "..., 3]", Continued, Likely, "[1, 2, 3]"),
    ]);
}

#[test]
fn a_document_that_is_too_large_is_no_candidate() {
    let limits = json_chunks::Limits::default().max_document_bytes(8);
    let mut accumulator = Accumulator::new().limits(limits);
    assert!(accumulator.push("[1,1").is_taken());
    let join = accumulator.push(",1,2,3]");
    assert_eq!((join.kind(), join.candidates().len()), (Failed, 0));
    assert_eq!(accumulator.text(), "[1,1");
}
