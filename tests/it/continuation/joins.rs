//! Joins of the second reply, by example.

use json_chunks::join::{Accumulator, Candidate, JoinKind};

use super::Outcome;

use JoinKind::{
    Continued, ElementAgain, Overlapped, Repeated, RestOnly, RestartedFurther, RestartedShorter,
};
use Outcome::{Ambiguous, Certain, Failed, Likely};

/// Asserts rows of a first reply, a second reply, its outcome, and the joined text.
fn joins(rows: &[(&str, &str, Outcome, &str)]) {
    for (first, reply, expected, text) in rows {
        let mut accumulator = Accumulator::new();
        assert!(accumulator.push(first).is_joined(), "{first}");
        let join = accumulator.push(reply);
        assert_eq!(Outcome::of(&join), *expected, "{first} | {reply}");
        assert_eq!(accumulator.text(), *text, "{first} | {reply}");
    }
}

#[test]
fn exact_continuation_is_joined() {
    joins(&[
        ("[1,2", ",3]", Certain(Continued), "[1,2,3]"),
        ("[1,\n", "  2]\n", Certain(Continued), "[1,\n  2]\n"),
        ("[tr", "ue]", Certain(Continued), "[true]"),
        ("[1.", "5]", Certain(Continued), "[1.5]"),
        (r#"{"na"#, r#"me": 1}"#, Likely(Continued), r#"{"name": 1}"#),
        (
            r#"["caf\u00"#,
            r#"e9"]"#,
            Likely(Continued),
            r#"["caf\u00e9"]"#,
        ),
        ("[\"wor", "ld\"]", Likely(Continued), "[\"world\"]"),
        // Only digits, which could also answer another question.
        ("[1,", "75", Likely(Continued), "[1,75"),
    ]);
}

#[test]
fn overlapping_reply_is_joined() {
    joins(&[
        ("[1,2", "1,2,3]", Ambiguous(Continued), "[1,2"),
        ("[10,20", "10,20,30]", Ambiguous(Continued), "[10,20"),
        (
            r#"{"a":1,"b":[2"#,
            r#","b":[2,3]}"#,
            Certain(Overlapped),
            r#"{"a":1,"b":[2,3]}"#,
        ),
        (
            r#"{"a": 1, "b": [2,"#,
            r#""b":[2,3]}"#,
            Certain(ElementAgain),
            r#"{"a": 1, "b": [2,3]}"#,
        ),
        // Existing white space is not repeated.
        (
            "{\"a\": 20 ",
            "20 , \"b\": 30}",
            Certain(ElementAgain),
            "{\"a\": 20 , \"b\": 30}",
        ),
        ("[10, 20\n", "20\n\t, 30]", Ambiguous(Continued), "[10, 20"),
        (
            "{\"a\": 20\n\t",
            "20 , \"b\": 30}",
            Certain(ElementAgain),
            "{\"a\": 20\n\t, \"b\": 30}",
        ),
        ("[\"x,y", "x, yz\"]", Likely(Continued), "[\"x,yx, yz\"]"),
        // Either the document has a second "a", or the reply repeats it.
        (
            r#"{"a":1,"#,
            r#""a":1,"b":2}"#,
            Likely(Overlapped),
            r#"{"a":1,"b":2}"#,
        ),
        ("[1,1", ",1]", Ambiguous(Continued), "[1,1"),
        ("[\"hel", "lo\"]", Ambiguous(Continued), "[\"hel"),
        (
            "[\"The quick brown fox jumps over the la",
            " quick brown fox jumps over the laziest dog\"]",
            Likely(Overlapped),
            "[\"The quick brown fox jumps over the laziest dog\"]",
        ),
        // As long, but it may also occur twice.
        (
            "[\"ha ha ha ha ha ha ha ha ha ha ha ha ",
            "ha ha ha ha ha ha ha ha ha ha ha ha \"]",
            Ambiguous(Continued),
            "[\"ha ha ha ha ha ha ha ha ha ha ha ha ",
        ),
    ]);
}

/// A line of a song occurs three times, so that a match of its length is no evidence.
#[test]
fn repetitive_text_is_no_overlap() {
    let line = "Row, row, row your boat, gently down the stream. ";
    let song = format!("[\"{line}{line}{line}\"]");
    for cut in 2 + line.len()..2 + 2 * line.len() {
        let (first, rest) = song.split_at(cut);
        joins(&[(first, rest, Ambiguous(Continued), first)]);
    }
}

#[test]
fn unsearched_text_is_not_certain() {
    let element = |number: u32| format!("{{\"id\": {number}}},\n");
    let elements =
        |numbers: std::ops::Range<u32>| numbers.map(element).collect::<Vec<_>>().concat();
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push(&format!("[{}", elements(0..20_000)));
    // Only a search of the entire text could show whether it is new.
    let join = accumulator.push(&elements(1000..1010));
    assert_eq!(Outcome::of(&join), Likely(Continued));
    let start = accumulator.text().get(..500).unwrap().to_owned();
    let join = accumulator.push(&start);
    let mut kinds = join.candidates().iter().map(Candidate::kind);
    assert!(kinds.any(|kind| kind == RestartedShorter), "{join:?}");
}

#[test]
fn reply_without_new_text_is_a_repetition() {
    joins(&[
        (
            r#"{"a": [1, 2], "b""#,
            r#""a": [1, 2]"#,
            Certain(Repeated),
            r#"{"a": [1, 2], "b""#,
        ),
        ("[1,[2,3],", "[2,3],", Ambiguous(Continued), "[1,[2,3],"),
        (
            "[{\"a\":1}]",
            "[{\"a\":1}]",
            Certain(RestartedShorter),
            "[{\"a\":1}]",
        ),
        (
            "[{\"a\":1}]",
            "{\"a\":1}]",
            Certain(Repeated),
            "[{\"a\":1}]",
        ),
        ("[1]", "", Certain(Repeated), "[1]"),
        ("[1]", "```\n", Certain(Repeated), "[1]"),
        ("[1]", "That is all.", Likely(Repeated), "[1]"),
        ("[1]", "[2]", Failed, "[1]"),
    ]);
}

#[test]
fn repeated_truncated_element_is_joined() {
    joins(&[
        (
            "[{\"id\": 1}, {\"id\": 2, \"na",
            "{\"id\": 2, \"name\": \"x\"}]",
            Certain(ElementAgain),
            "[{\"id\": 1}, {\"id\": 2, \"name\": \"x\"}]",
        ),
        (
            "[{\"id\": 1}, {\"id\": 2, \"na",
            "  {\n    \"id\": 2,\n    \"name\": \"x\"\n  }\n]",
            Certain(ElementAgain),
            "[{\"id\": 1}, {\"id\": 2, \"name\": \"x\"\n  }\n]",
        ),
        (
            r#"{"a": "one tw"#,
            r#""one two"}"#,
            Certain(ElementAgain),
            r#"{"a": "one two"}"#,
        ),
        (
            r#"{"a": "one tw"#,
            r#""a": "one two"}"#,
            Certain(ElementAgain),
            r#"{"a": "one two"}"#,
        ),
        // It differs from the text.
        (
            "[{\"id\": 2, \"na",
            "{\"id\": 3, \"name\": 1}]",
            Failed,
            "[{\"id\": 2, \"na",
        ),
    ]);
}

#[test]
fn repeated_document_is_joined() {
    let first = "{\"title\": \"Three Days\", \"days\": [1, 2";
    joins(&[
        (
            first,
            "{\"title\": \"Three Days\", \"days\": [1, 2, 3]}",
            Certain(RestartedFurther),
            "{\"title\": \"Three Days\", \"days\": [1, 2, 3]}",
        ),
        (
            first,
            "{\n  \"title\": \"Three Days\",\n  \"days\": [\n    1,\n    2,\n    3\n  ]\n}",
            Certain(RestartedFurther),
            "{\"title\": \"Three Days\", \"days\": [1, 2,\n    3\n  ]\n}",
        ),
        (
            first,
            "{\"title\":\"Three Days\",",
            Certain(RestartedShorter),
            first,
        ),
        (
            first,
            "{\"title\":\"Four Days\",\"days\":[]}",
            Failed,
            first,
        ),
        // Either a list in the list, or the list again.
        ("[", "[1]", Ambiguous(Continued), "["),
    ]);
}

#[test]
fn fences_and_prose_around_next_reply_are_dropped() {
    joins(&[
        ("[1,2", "```json\n,3]\n```", Certain(Continued), "[1,2,3]"),
        (
            "[1,2",
            "Here is the rest:\n\n```\n,3]\n```\nDone.",
            Certain(Continued),
            "[1,2,3]",
        ),
        ("```json\n[1,2", ",3]\n```\n", Certain(Continued), "[1,2,3]"),
        (
            "[\"wor",
            "Here is the rest:\n```json\nld\"]\n```",
            Likely(Continued),
            "[\"world\"]",
        ),
        (
            "[1,2",
            "Here is the rest:\n\n,3]",
            Likely(Continued),
            "[1,2,3]",
        ),
        (
            "[1,2",
            "Sure, here is the rest: ,3]",
            Likely(Continued),
            "[1,2,3]",
        ),
        (
            "[1,2",
            ",3]\n\nAnything else?",
            Likely(Continued),
            "[1,2,3]",
        ),
        ("[1,2", ",3\n\nTo be continued", Likely(Continued), "[1,2,3"),
        // In a string this may be content.
        (
            "[\"wor",
            "Here is the rest:\n```json\n\"world\"]\n```",
            Likely(ElementAgain),
            "[\"world\"]",
        ),
        (
            "[\"wor",
            "Sure, here is the rest: ld\"]",
            Ambiguous(Continued),
            "[\"wor",
        ),
        (
            "[\"wor",
            "I cannot help with that.",
            Ambiguous(Continued),
            "[\"wor",
        ),
        ("[1,", "I cannot help with that.", Failed, "[1,"),
    ]);
}

#[test]
fn another_document_is_never_certain() {
    joins(&[
        (
            r#"{"a":1,"b":["#,
            r#"{"b":[2],"a":1}"#,
            Ambiguous(Continued),
            r#"{"a":1,"b":["#,
        ),
        (
            r#"{"a":1,"b":"#,
            "[2]",
            Likely(Continued),
            r#"{"a":1,"b":[2]"#,
        ),
        (
            "[1,",
            "\"Sure, here you go\"",
            Likely(Continued),
            "[1,\"Sure, here you go\"",
        ),
        (r#"{"a":1,"#, r#"{"b":2}"#, Failed, r#"{"a":1,"#),
    ]);
}

/// Files and terminals add them.
#[test]
fn trailing_line_ends_complete_no_token() {
    joins(&[
        ("[1\n", "0, 2]\n", Ambiguous(Continued), "[1"),
        ("[1\n", "1, 2]", Ambiguous(Continued), "[1"),
        ("[tru\r\n", "e]", Certain(Continued), "[true]"),
        ("[\"a\n\n", "b\"]\n", Likely(Continued), "[\"ab\"]\n"),
        ("[{\"id\":", "[{\"id\n", Ambiguous(Continued), "[{\"id\":"),
        ("[11,null,", "n\n", Ambiguous(Continued), "[11,null,"),
        (
            "[true,true,t",
            "e,true,tru\n",
            Ambiguous(Overlapped),
            "[true,true,t",
        ),
        // The start of the closing fence.
        (
            "{\"a\": [1,\n``",
            "2]}",
            Certain(Continued),
            "{\"a\": [1,2]}",
        ),
    ]);
}

#[test]
fn leading_white_space_is_ignored() {
    joins(&[(
        r#"[true,"b",tru"#,
        "\ne,\"b\",true,true]",
        Ambiguous(Overlapped),
        r#"[true,"b",tru"#,
    )]);
}

#[test]
fn white_space_may_continue_a_string() {
    joins(&[("[\"a", "\n ", Ambiguous(Repeated), "[\"a")]);
}

#[test]
fn leading_dots_are_dropped() {
    let text = r#"{"a": "jumps over"#;
    joins(&[
        (text, r#"...the dog"}"#, Ambiguous(Continued), text),
        ("[1, 2", "..., 3]", Likely(Continued), "[1, 2, 3]"),
    ]);
}

#[test]
fn too_large_document_is_no_candidate() {
    let limits = json_chunks::Limits::default().max_document_bytes(8);
    let mut accumulator = Accumulator::new().limits(limits);
    assert!(accumulator.push("[1,1").is_joined());
    let join = accumulator.push(",1,2,3]");
    assert_eq!(Outcome::of(&join), Failed);
    assert_eq!(accumulator.text(), "[1,1");
}

#[test]
fn missing_comma_between_replies_is_inserted() {
    let first = r#"{"a":[{"x":"one"}"#;
    joins(&[
        (
            first,
            r#"{"x":"two"}]}"#,
            Likely(Continued),
            r#"{"a":[{"x":"one"},{"x":"two"}]}"#,
        ),
        (
            first,
            "\n  {\"x\":\"two\"}",
            Likely(Continued),
            "{\"a\":[{\"x\":\"one\"},\n  {\"x\":\"two\"}",
        ),
        (
            r#"{"a":1"#,
            r#""b":2}"#,
            Likely(Continued),
            r#"{"a":1,"b":2}"#,
        ),
        (r#"["a""#, r#""b"]"#, Likely(Continued), r#"["a","b"]"#),
        // Either one element or two.
        ("[1,true", "true]", Ambiguous(ElementAgain), "[1,true"),
        ("[1", "2]", Ambiguous(Continued), "[1"),
        ("[10,1", "2]", Likely(Continued), "[10,12]"),
        // Another document, not an element.
        (first, r#"{"error":"quota exceeded"}"#, Failed, first),
    ]);
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push(first);
    let outcome = accumulator.push(r#"{"x":"two"}]}"#);
    assert!(outcome.joined().unwrap().added_comma());
}

#[test]
fn new_wrapper_or_bare_array_around_the_rest_is_joined() {
    let first = r#"{"title":"Trip","sections":[1, 2"#;
    let whole = r#"{"title":"Trip","sections":[1, 2, 3]}"#;
    joins(&[
        (first, r#"{"sections":[2, 3]}"#, Likely(RestOnly), whole),
        (
            first,
            r#"{"title": "Trip", "sections": [2, 3]}"#,
            Likely(RestOnly),
            whole,
        ),
        (
            first,
            "[2, 3]",
            Likely(RestOnly),
            r#"{"title":"Trip","sections":[1, 2, 3]"#,
        ),
        (
            r#"{"days":[{"title":"Arrival"},{"title":"Saf"#,
            r#"{"days":[{"title":"Safari"}]}"#,
            Likely(RestOnly),
            r#"{"days":[{"title":"Arrival"},{"title":"Safari"}]}"#,
        ),
        (
            r#"{"days":[{"title":"Arrival"},"#,
            r#"[{"title":"Safari"}]"#,
            Ambiguous(Continued),
            r#"{"days":[{"title":"Arrival"},"#,
        ),
        (
            r#"{"days":[{"title":"Arrival"},{"title":"Saf"#,
            r#"[{"title":"Safari"}]"#,
            Likely(RestOnly),
            r#"{"days":[{"title":"Arrival"},{"title":"Safari"}]"#,
        ),
        // The title differs, so it is another document.
        (
            first,
            r#"{"title":"Tour","sections":[2, 3]}"#,
            Failed,
            first,
        ),
    ]);
}

#[test]
fn echo_of_the_request_is_dropped() {
    let first = "{\"days\": [1, 2";
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push(first);
    let prompt =
        json_chunks::prompt::ContinuationPrompt::from_accumulator(&accumulator).to_string();
    let whole = "{\"days\": [1, 2, 3]}";
    joins(&[
        (
            first,
            &format!("{prompt}\n\n, 3]}}"),
            Likely(Continued),
            whole,
        ),
        (
            first,
            "Continue after \"days\": [1, 2:\n\n, 3]}",
            Likely(Continued),
            whole,
        ),
        (
            first,
            "I apologize for the interruption. Here is the rest:\n, 3]}",
            Likely(Continued),
            whole,
        ),
        (first, "Sorry about that! , 3]}", Likely(Continued), whole),
        (
            first,
            "The JSON ended with:\n```json\n{\"days\": [1, 2\n```\nThe rest:\n```json\n, 3]}\n```",
            Certain(Continued),
            whole,
        ),
        (
            first,
            "<think>\nIt was cut at [1, 2.\n</think>\n, 3]}",
            Certain(Continued),
            whole,
        ),
    ]);
}

#[test]
fn overlap_is_judged_by_how_often_its_text_occurs() {
    joins(&[
        (
            "[\"Sunset over Moru Kop",
            "Moru Kopjes, then dinner\"]",
            Likely(Overlapped),
            "[\"Sunset over Moru Kopjes, then dinner\"]",
        ),
        // The document repeats words directly.
        (
            "[\"gently gently over the Kop",
            " the Kopjes, then dinner\"]",
            Ambiguous(Continued),
            "[\"gently gently over the Kop",
        ),
        // Rows may be equal.
        (
            "[[\"pending\",1],",
            "[\"pending\",1],[\"done\",2]]",
            Ambiguous(Continued),
            "[[\"pending\",1],",
        ),
    ]);
}
