//! The prompt that asks a model to continue.

use json_chunks::Kind;
use json_chunks::join::Accumulator;
use json_chunks::prompt::ContinuationPrompt;
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use serde_json::json;

use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents, large_documents};
use json_chunks_testing::{CASES, config};

fn of(text: &[u8]) -> ContinuationPrompt {
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push_bytes(text);
    ContinuationPrompt::from_accumulator(&accumulator)
}

fn days(count: usize) -> String {
    let days = (1..=count).map(|day| format!("{{\"day\": {day}, \"title\": \"Day no. {day}\"}}"));
    days.collect::<Vec<_>>().join(", ")
}

#[test]
fn prompt_contains_all_parts() {
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

Continue at the very next character. Write only the rest of the JSON: nothing that is there already, \
no code fence, no explanation.
Before that, on a line of its own, say how much of the total content had been delivered up to here, \
as an integer from 0 to 100: \"Progress: 45%\".",
        text.len(),
        text.get(text.len() - 512..).unwrap()
    );
    assert_eq!(prompt, expected);
}

#[test]
fn every_document_shape_has_sections() {
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
        ["the document: array of 2 (number: 2), not finished: \"1\", \"2\""]
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
        ["the document: array of 3 (object: 3), not finished: \"x\", \"y\", \"{…}\""]
    );
}

#[test]
fn omitted_sections_are_counted() {
    let members: Vec<_> = (0..40).map(|at| format!("\"s{at}\":[{at}]")).collect();
    let prompt = of(format!("{{{}", members.join(",")).as_bytes());
    assert_eq!((prompt.sections().len(), prompt.more_sections()), (20, 20));
    let text = prompt.to_string();
    assert!(
        text.contains("- /s9: array of 1 (number: 1): \"9\"\n- … 20 more …\n- /s30: array"),
        "{text}"
    );
    let section = &prompt.sections()[3];
    assert_eq!(
        (section.pointer(), section.kind(), section.len()),
        ("/s3", Kind::Array, 1)
    );
    assert_eq!(section.kinds().collect::<Vec<_>>(), [(Kind::Number, 1)]);
}

/// The document of the original request.
#[test]
fn section_objects_are_counted_by_their_arrays() {
    let items: Vec<_> = (1..=20)
        .map(|at| format!("{{\"text\": \"Item {at}\"}}"))
        .collect();
    let text = format!(
        concat!(
            r#"{{"metadata": {{"title": "Report"}}, "sections": ["#,
            r#"{{"id": "s1", "title": "List", "content_type": "bullet_list", "elements": [{{"items": [{}]}}]}}, "#,
            r#"{{"id": "section_table", "content_type": "table", "elements": [{{"headers": ["a", "b"], "#,
            r#""rows": [["1", "2"], ["3", "4"], ["5", "#,
        ),
        items.join(", ")
    );
    let prompt = of(text.as_bytes());
    let sections: Vec<_> = prompt.sections().iter().map(ToString::to_string).collect();
    assert_eq!(
        sections,
        [
            r#"/metadata: object of 1: "title""#,
            r#""List" (bullet_list): elements 1, items 20"#,
            r#""section_table" (table): elements 1, headers 2, rows 3, not finished"#,
        ]
    );
    let counts: Vec<_> = prompt.sections()[1].counts().collect();
    assert_eq!(counts, [("elements", 1), ("items", 20)]);
    assert_eq!(prompt.cut_off_element(), Some(r#"["5", "#));
    assert_eq!(prompt.element_before(), Some(r#"["3", "4"]"#));
    assert!(
        prompt
            .to_string()
            .contains("- \"List\" (bullet_list): elements 1, items 20\n")
    );
}

/// The name of a part, and whether a prompt contains it.
type Part = (&'static str, fn(&str) -> bool);

#[test]
fn parts_are_dropped_in_order() {
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
fn prompt_without_text_asks_for_the_start() {
    let continuation = ContinuationPrompt::from_accumulator(&Accumulator::new());
    assert!(continuation.is_start());
    assert_eq!(continuation.to_string(), "Write the JSON from its start.");
}

#[test]
fn prompt_serializes_as_json() {
    let continuation = of(r#"{"a": [1, 2], "b": {"c": "é"#.as_bytes());
    assert_eq!(
        serde_json::to_value(&continuation).unwrap(),
        json!({
            "bytes": 28,
            "pointer": "/b/c",
            "sections": [
                {"pointer": "/a", "kind": "array", "len": 2, "complete": true,
                 "kinds": {"number": 2}, "counts": {}, "first": ["1", "2"], "last": []},
                {"pointer": "/b", "kind": "object", "len": 1, "complete": false,
                 "kinds": {"string": 1}, "counts": {}, "first": ["c"], "last": []},
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
    fn every_prefix_fits_every_budget(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let continuation = of(&text.as_bytes()[..text.len() * source.below(256) / 256]);
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
    fn large_documents_fit_the_budget(document in large_documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let continuation = of(&text.as_bytes()[..text.len() * source.below(256) / 256]);
        for max_bytes in [300, 3000, 10_000] {
            prop_assert!(continuation.to_prompt(max_bytes).len() <= max_bytes);
        }
        prop_assert_eq!(continuation.to_string(), continuation.to_prompt(8192));
    }
}

/// The request is dropped last, except for the end of the text.
#[test]
fn request_is_included_if_it_fits() {
    let text = format!(
        "{{\"days\": [{}, {{\"day\": 24, \"title\": \"S\u{e9}\u{1F600}",
        days(200)
    );
    for (continuation, request) in [
        (of(text.as_bytes()), "Continue at the very next character."),
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
