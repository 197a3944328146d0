//! What a model is told to go on with.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[path = "support/mod.rs"]
mod support;

use json_chunks::{Continuation, Kind, Parser};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use serde_json::json;

use support::tape::Tape;
use support::write::{Hand, write};
use support::writing::{documents, large_documents, tapes};
use support::{CASES, config};

fn of(text: &[u8]) -> Continuation {
    let mut parser = Parser::new();
    parser.push(text).unwrap();
    Continuation::new(&parser)
}

fn days(count: usize) -> String {
    let days = (1..=count).map(|day| format!("{{\"day\": {day}, \"title\": \"Day no. {day}\"}}"));
    days.collect::<Vec<_>>().join(", ")
}

#[test]
fn the_prompt_says_it_all() {
    let text = format!(
        "{{\"title\": \"Trip\", \"tags\": [\"a\", 1, null], \"days\": [{}, {{\"day\": 24, \"title\": \"Sa",
        days(23)
    );
    let prompt = of(text.as_bytes()).to_string();
    let expected = format!(
        "\
The JSON was cut off after {} bytes, in /days/23/title.

Delivered so far:
- /tags: array of 3 (null: 1, number: 1, string: 1): \"a\", \"1\", \"null\"
- /days: array of 24 (object: 24), not finished: \"Day no. 1\", \"Day no. 2\", \"Day no. 3\", \
\"Day no. 4\", \"Day no. 5\", \"Day no. 6\", \"Day no. 7\", \"Day no. 8\", \"Day no. 9\", \"Day no. 10\", \
… 4 more …, \"Day no. 15\", \"Day no. 16\", \"Day no. 17\", \"Day no. 18\", \"Day no. 19\", \
\"Day no. 20\", \"Day no. 21\", \"Day no. 22\", \"Day no. 23\", \"Sa\"

The last that is complete:
{{\"day\": 23, \"title\": \"Day no. 23\"}}

What was cut off:
{{\"day\": 24, \"title\": \"Sa

The text ends with:
{}

Go on at the very next character. Write only the rest of the JSON: nothing that is there already, \
no code fence, no explanation.
Before that, on a line of its own, say how much of the total content had been delivered up to here, \
as an integer from 0 to 100: \"Progress: 45%\".",
        text.len(),
        text.get(text.len() - 512..).unwrap()
    );
    assert_eq!(prompt, expected);
}

#[test]
fn every_shape_has_sections() {
    let sections = |text: &str| -> Vec<String> {
        let continuation = of(text.as_bytes());
        continuation
            .sections()
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(
        sections("[1, 2"),
        ["the whole: array of 2 (number: 2), not finished: \"1\", \"2\""]
    );
    assert_eq!(
        sections(r#"{"a":{"b":[[],{}],"c":1},"d":"x"#),
        [
            "/a: object of 2: \"b\", \"c\"",
            "/a/b: array of 2 (array: 1, object: 1): \"[…]\", \"{…}\"",
        ]
    );
    assert_eq!(sections(r#"{"a":1"#), Vec::<String>::new());
    assert_eq!(sections(r#""text"#), Vec::<String>::new());
    assert_eq!(sections("{\"a\":["), ["/a: array of 0, not finished"]);
    assert_eq!(
        sections(r#"[{"id":7,"n":[],"name":"x"},{"b":true,"c":"y"},{"b":null"#),
        ["the whole: array of 3 (object: 3), not finished: \"x\", \"y\", \"{…}\""]
    );
}

#[test]
fn many_sections_are_counted() {
    let members: Vec<_> = (0..40).map(|at| format!("\"s{at}\":[{at}]")).collect();
    let continuation = of(format!("{{{}", members.join(",")).as_bytes());
    assert_eq!(continuation.sections().len(), 32);
    assert_eq!(continuation.more_sections(), 8);
    assert!(continuation.to_string().contains("- and 8 more\n"));
    let section = &continuation.sections()[3];
    assert_eq!(
        (section.pointer(), section.kind(), section.len()),
        ("/s3", Kind::Array, 1)
    );
    assert_eq!(section.kinds().collect::<Vec<_>>(), [(Kind::Number, 1)]);
}

/// What a part of a prompt is called, and whether it is in one.
type Part = (&'static str, fn(&str) -> bool);

#[test]
fn parts_are_left_out_in_their_order() {
    let text = format!("{{\"days\": [{}, {{\"title\": \"Sa", days(40));
    let continuation = of(text.as_bytes());
    let whole = continuation.to_prompt(usize::MAX);
    let parts: [Part; 6] = [
        ("ten names", |prompt| prompt.contains("\"Day no. 9\"")),
        ("some names", |prompt| prompt.contains("\"Day no. 2\"")),
        ("the element before", |prompt| {
            prompt.contains("is complete")
        }),
        ("sections", |prompt| prompt.contains("/days: array")),
        ("the element", |prompt| prompt.contains("was cut off:")),
        ("the question", |prompt| prompt.contains("Progress")),
    ];
    let mut there = parts.len();
    for max_bytes in (0..=whole.len()).rev() {
        let prompt = continuation.to_prompt(max_bytes);
        assert!(prompt.len() <= max_bytes, "{max_bytes}: {}", prompt.len());
        let has = |(_, is_there): &Part| is_there(&prompt);
        let left: Vec<_> = parts
            .iter()
            .filter(|part| has(part))
            .map(|part| part.0)
            .collect();
        let expected: Vec<_> = parts[parts.len() - left.len()..]
            .iter()
            .map(|part| part.0)
            .collect();
        assert_eq!(left, expected, "{max_bytes}");
        assert!(left.len() <= there);
        there = left.len();
    }
    assert_eq!(there, 0);
    assert_eq!(continuation.to_prompt(0), "");
}

#[test]
fn at_the_start_there_is_nothing_to_go_on_with() {
    let continuation = Continuation::new(&Parser::new());
    assert!(continuation.is_start());
    assert_eq!(continuation.to_string(), "Write the JSON from its start.");
}

#[test]
fn it_can_be_written_as_json() {
    let continuation = of(r#"{"a": [1, 2], "b": {"c": "é"#.as_bytes());
    assert_eq!(
        serde_json::to_value(&continuation).unwrap(),
        json!({
            "bytes": 28,
            "pointer": "/b/c",
            "sections": [
                {"pointer": "/a", "kind": "array", "len": 2, "complete": true,
                 "kinds": {"number": 2}, "first": ["1", "2"], "last": []},
                {"pointer": "/b", "kind": "object", "len": 1, "complete": false,
                 "kinds": {"string": 1}, "first": ["c"], "last": []},
            ],
            "more_sections": 0,
            "cut_off_element": "\"c\": \"é",
            "element_before": null,
            "tail": r#"{"a": [1, 2], "b": {"c": "é"#,
            "question": continuation.question(),
        })
    );
    let shown = format!("{continuation:?} {:?}", continuation.sections());
    assert!(!shown.contains("é") && !shown.contains("/b"), "{shown}");
}

proptest! {
    #![proptest_config(config(CASES / 4))]

    #[test]
    fn any_start_of_any_document_fits_any_budget(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        let continuation = of(&text.as_bytes()[..text.len() * tape.below(256) / 256]);
        for max_bytes in [0, 1, 63, 64, 200, 600, 1000, 4000, usize::MAX] {
            prop_assert!(continuation.to_prompt(max_bytes).len() <= max_bytes);
        }
        if let Some(element) = continuation.cut_off_element() {
            prop_assert!(text.contains(element) || element.ends_with('…'));
        }
        prop_assert!(text.contains(continuation.tail()));
        prop_assert!(continuation.tail().len() <= 512);
        if let Some(before) = continuation.element_before() {
            let whole = [format!("[{before}]"), format!("{{{before}}}")];
            let is_json = |text: &String| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
            prop_assert!(whole.iter().any(is_json) || before.ends_with('…'), "{}", before);
        }
    }
}

proptest! {
    #![proptest_config(config(CASES / 40))]

    #[test]
    fn large_documents_fit_as_well(document in large_documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        let continuation = of(&text.as_bytes()[..text.len() * tape.below(256) / 256]);
        for max_bytes in [300, 3000, 10_000] {
            prop_assert!(continuation.to_prompt(max_bytes).len() <= max_bytes);
        }
        prop_assert_eq!(continuation.to_string(), continuation.to_prompt(8192));
    }
}

/// What is asked for goes last of all but the end of the text.
#[test]
fn the_request_is_there_wherever_there_is_room_for_it() {
    let text = format!(
        "{{\"days\": [{}, {{\"day\": 24, \"title\": \"S\u{e9}\u{1F600}",
        days(200)
    );
    for (continuation, request) in [
        (of(text.as_bytes()), "Go on at the very next character."),
        (
            of(text.as_bytes()).again(),
            "Write the element that was cut off once more",
        ),
    ] {
        let least = (0..4000).find(|bytes| continuation.to_prompt(*bytes).contains(request));
        let least = least.unwrap();
        assert!(least < 400, "{least}");
        for bytes in least..4000 {
            assert!(continuation.to_prompt(bytes).contains(request), "{bytes}");
        }
    }
}
