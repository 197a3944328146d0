//! JSON in the text of a model.

use json_chunks::ErrorKind;
use json_chunks::extract::{Extracted, JsonExtractor};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::write::{Escapes, Style, write};
use json_chunks_testing::writing::{choice_bytes, documents};
use json_chunks_testing::{CASES, config};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

/// Adjacent pieces of one kind are one.
fn joined(pieces: impl IntoIterator<Item = Extracted>) -> Vec<Extracted> {
    let mut out: Vec<Extracted> = vec![];
    for piece in pieces {
        assert!(!piece.as_str().is_empty());
        match (out.last_mut(), &piece) {
            (
                Some(Extracted::Json {
                    document: last,
                    text,
                }),
                Extracted::Json {
                    document,
                    text: more,
                },
            ) if last == document => text.push_str(more),
            (Some(Extracted::Text(text)), Extracted::Text(more))
            | (Some(Extracted::Reasoning(text)), Extracted::Reasoning(more)) => {
                text.push_str(more);
            }
            _ => out.push(piece),
        }
    }
    out
}

fn extract<P: AsRef<[u8]>>(
    mut extractor: JsonExtractor,
    fragments: impl IntoIterator<Item = P>,
) -> Vec<Extracted> {
    let mut pieces = vec![];
    for fragment in fragments {
        pieces.extend(extractor.push(fragment).unwrap());
    }
    pieces.extend(extractor.finish().unwrap());
    joined(pieces)
}

/// The pieces of a text, which must be the same for every split into two, and byte by byte.
fn pieces_of(extractor: &JsonExtractor, text: &str) -> Vec<Extracted> {
    let all = extract(extractor.clone(), [text]);
    let bytes = text.as_bytes();
    for split in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(split);
        assert_eq!(
            extract(extractor.clone(), [head, tail]),
            all,
            "{split}: {text}"
        );
    }
    assert_eq!(extract(extractor.clone(), bytes.chunks(1)), all, "{text}");
    let concatenated: String = all.iter().map(Extracted::as_str).collect();
    assert_eq!(concatenated, text, "nothing is lost");
    all
}

/// The JSON texts in a text.
fn json_in(extractor: &JsonExtractor, text: &str) -> Vec<String> {
    let pieces = pieces_of(extractor, text);
    let json = pieces.iter().filter_map(Extracted::as_json);
    let mut texts = vec![];
    for (n, (document, text)) in json.enumerate() {
        assert_eq!(
            document, n,
            "documents are numbered in order, and in one piece each"
        );
        texts.push(text.to_owned());
    }
    texts
}

#[test]
fn first_document_is_found() {
    for (text, json) in [
        // Alone.
        ("{\"a\": 1}", Some("{\"a\": 1}")),
        ("\u{feff}{\"a\": 1}", Some("{\"a\": 1}")),
        ("  \n[1, 2]\n", Some("[1, 2]")),
        ("[]", Some("[]")),
        ("{}", Some("{}")),
        (
            "[\"}]\\\"\", {\"b\": \"{\"}]",
            Some("[\"}]\\\"\", {\"b\": \"{\"}]"),
        ),
        // Prose.
        ("Sure! {\"a\": 1} Done.", Some("{\"a\": 1}")),
        ("The list: [1, 2, 3].", Some("[1, 2, 3]")),
        ("Sure:\n[1, 2]\nas in [3].", Some("[1, 2]")),
        ("As in [1], {\"a\": [1]} [2]", Some("{\"a\": [1]}")),
        ("[1] Smith et al.\n{\"a\": 1}", Some("{\"a\": 1}")),
        ("- [ ] todo\n- [x] done\n{\"a\": 1}", Some("{\"a\": 1}")),
        (
            "half [1/2] of {name} and {{x}}: [\"a\", 1]",
            Some("[\"a\", 1]"),
        ),
        ("f(x) = {x | x > 1}, a[0], b[\"k\"] c\n[[1]]", Some("[[1]]")),
        ("No JSON at all: [1/2].", None),
        ("", None),
        // Fences.
        (
            "```json\n{\"a\": 1}\n```\nDone {\"b\": 1}.",
            Some("{\"a\": 1}"),
        ),
        ("Here:\n~~~~JSON\n[1]\n~~~~", Some("[1]")),
        ("``````\n[1]\n``````", Some("[1]")),
        ("Here: ```json {\"a\": 1}```", Some("{\"a\": 1}")),
        ("```{\"a\": 1}```", Some("{\"a\": 1}")),
        ("```json\n\"text\"\n```", Some("\"text\"")),
        ("```json\n-1.5e3\n```", Some("-1.5e3")),
        ("```json\nnull```", Some("null")),
        (
            "```json\n// the answer\n{\"a\": 1}\n```",
            Some("{\"a\": 1}"),
        ),
        (
            "```python\nd = {\"a\": 1}\n```\n```json\n{\"b\": 2}\n```",
            Some("{\"b\": 2}"),
        ),
        ("```text\n{\"a\": 1}\n```", Some("{\"a\": 1}")),
        (
            "```json\n{\"a\": \"```\\n```\"}\n```",
            Some("{\"a\": \"```\\n```\"}"),
        ),
        // Reasoning.
        ("<think>{\"a\": 1}</think>\n{\"b\": 2}", Some("{\"b\": 2}")),
        ("<think>\n```json\n[0]\n```\n</think>[1]", Some("[1]")),
        ("[THINK][1][/THINK][2]", Some("[2]")),
        (
            "See [1/2] first. <think>[1]</think>{\"b\": 2}",
            Some("{\"b\": 2}"),
        ),
        ("<think>{\"a\": 1}", None),
        // Tool calls.
        (
            "<tool_call>\n{\"name\": \"f\"}\n</tool_call>",
            Some("{\"name\": \"f\"}"),
        ),
        (
            "[TOOL_CALLS][{\"name\": \"f\"}]</s>",
            Some("[{\"name\": \"f\"}]"),
        ),
        ("[TOOL_CALLS]f[ARGS]{\"a\": 1}", Some("{\"a\": 1}")),
        ("[TOOL_CALLS][]", Some("[]")),
        (
            "<|python_tag|>{\"name\": \"f\"}<|eom_id|>",
            Some("{\"name\": \"f\"}"),
        ),
        ("<function=f>{\"a\": 1}</function>", Some("{\"a\": 1}")),
        // Cut off.
        ("{\"a\": [1, \"x", Some("{\"a\": [1, \"x")),
        ("Answer:\n[1, ", Some("[1, ")),
        ("as in [1, ", None),
        ("```json\n{\"a\": [1,\n```\nSorry.", Some("{\"a\": [1,\n")),
        (
            "<tool_call>{\"a\": {\"b\": 1}</tool_call>",
            Some("{\"a\": {\"b\": 1}"),
        ),
        // With mistakes.
        ("```json\n{a: 'x', // no\n}\n```", Some("{a: 'x', // no\n}")),
        ("<tool_call>{'a': 1}</tool_call>", Some("{'a': 1}")),
        ("{\"a\": 1,} and more", Some("{\"a\": 1,}")),
        (
            "{\"a\": \"two\nlines\"} and more",
            Some("{\"a\": \"two\nlines\"}"),
        ),
    ] {
        let found = json_in(&JsonExtractor::new(), text);
        let json: Vec<String> = json.map(str::to_owned).into_iter().collect();
        assert_eq!(found, json, "{text}");
    }
}

#[test]
fn all_documents_are_found_if_asked_for() {
    let all = JsonExtractor::new().multiple_values(true);
    for (text, json) in [
        (
            "{\"a\": 1}\n{\"b\": 2}{\"c\": 3}",
            vec!["{\"a\": 1}", "{\"b\": 2}", "{\"c\": 3}"],
        ),
        (
            "<tool_call>{\"a\": 1}</tool_call><tool_call>{\"b\": 2}</tool_call>",
            vec!["{\"a\": 1}", "{\"b\": 2}"],
        ),
        (
            "```json\n{\"a\": [\n```\nAgain:\n```json\n{\"a\": []}\n```",
            vec!["{\"a\": [\n", "{\"a\": []}"],
        ),
        (
            "1) {\"a\": 1} 2) [1] 3) [\"x\"]",
            vec!["{\"a\": 1}", "[\"x\"]"],
        ),
    ] {
        assert_eq!(json_in(&all, text), json, "{text}");
    }
}

#[test]
fn every_piece_says_what_it_is() {
    let text = "<think>so [1]</think>Here:\n```json\n[1]\n```\nDone.";
    let own = str::to_owned;
    assert_eq!(
        pieces_of(&JsonExtractor::new(), text),
        [
            Extracted::Marker(own("<think>")),
            Extracted::Reasoning(own("so [1]")),
            Extracted::Marker(own("</think>")),
            Extracted::Text(own("Here:\n")),
            Extracted::Marker(own("```json\n")),
            Extracted::Json {
                document: 0,
                text: own("[1]")
            },
            Extracted::Text(own("\n")),
            Extracted::Marker(own("```\n")),
            Extracted::Text(own("Done.")),
        ]
    );
}

#[test]
fn text_may_start_in_reasoning() {
    let extractor = JsonExtractor::new().starts_in_reasoning(true);
    assert_eq!(
        json_in(&extractor, "{\"a\": 1}</think>{\"b\": 2}"),
        ["{\"b\": 2}"]
    );
    let mut extractor = extractor;
    extractor.push("x").unwrap().for_each(drop);
    extractor.reset();
    assert_eq!(json_in(&extractor, "[1]</think>[2]"), ["[2]"]);
}

#[test]
fn json_is_passed_on_as_it_arrives() {
    let mut extractor = JsonExtractor::new();
    let mut push = |text: &str| -> Vec<String> {
        let pieces = extractor.push(text).unwrap();
        pieces
            .filter_map(|piece| piece.as_json().map(|(_, text)| text.to_owned()))
            .collect()
    };
    assert!(push("Sure: {\"na").is_empty());
    assert!(push("me\": ").is_empty());
    assert_eq!(push("\""), ["{\"name\": \""]);
    assert_eq!(push("x"), ["x"]);
    assert_eq!(push("y\", \"a\": [\u{e9}"), ["y\", \"a\": [\u{e9}"]);
    assert_eq!(push("1]} and"), ["1]}"]);
    assert_eq!(extractor.documents(), 1);
}

#[test]
fn invalid_utf8_is_an_error_with_its_offset() {
    let text = b"Sure: {\"a\": \xff 1}";
    for split in 0..text.len() {
        let mut extractor = JsonExtractor::new();
        let mut pieces = vec![];
        let mut errors = vec![];
        for fragment in [&text[..split], &text[split..]] {
            match extractor.push(fragment) {
                Ok(more) => pieces.extend(more),
                Err(error) => errors.push(error),
            }
            pieces.extend(extractor.pieces());
        }
        let error = extractor.finish().err().unwrap();
        errors.push(error);
        assert!(
            errors.iter().all(|error| error.offset() == 12),
            "{errors:?}"
        );
        assert_eq!(errors[0].kind(), ErrorKind::Syntax);
        let text: String = pieces.iter().map(Extracted::as_str).collect();
        assert_eq!(text, "Sure: {\"a\": ");
    }
    let mut extractor = JsonExtractor::new();
    extractor.push(b"[\"\xc3").unwrap().for_each(drop);
    let error = extractor.finish().err().unwrap();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Incomplete, 2));
    let pieces: Vec<_> = extractor.pieces().collect();
    assert_eq!(
        pieces[0].as_json(),
        Some((0, "[\"")),
        "what was held is not lost"
    );
}

#[test]
fn invalid_utf8_is_an_error_after_everything_that_precedes_it() {
    let half_a_name = ["{\"", &"n".repeat(100)].concat();
    for before in [
        "",
        "Sure",
        // Held for a verdict: the bracket may be JSON.
        "as shown in [1, 2",
        "The answer:\n[1, 2]",
        &half_a_name,
        // Held because they may be markers.
        "``",
        "<thi",
        "<think>because [1]</thi",
        "```json\n{\"a\": [1\n``",
        "<tool_call>{\"a\": 1}</tool",
        "<tool_call>{\"a\": \u{e9}",
    ] {
        let mut bytes = before.as_bytes().to_vec();
        bytes.extend_from_slice(b"\xff[\"b\"]");
        for split in 0..bytes.len() {
            let mut extractor = JsonExtractor::new();
            let mut pieces = vec![];
            let mut error = None;
            for fragment in [&bytes[..split], &bytes[split..]] {
                match extractor.push(fragment) {
                    Ok(more) => pieces.extend(more),
                    Err(why) => error = error.or(Some(why)),
                }
                pieces.extend(extractor.pieces());
            }
            let error = error.unwrap();
            assert_eq!(error.offset(), before.len(), "{split}: {before}");
            let text: String = pieces.iter().map(Extracted::as_str).collect();
            assert_eq!(text, before, "{split}");
            assert_eq!(joined(pieces), extract(JsonExtractor::new(), [before]));
        }
    }
}

/// Prose that is no JSON, with its false starts.
const PROSE: &[&str] = &[
    "Sure, here it is",
    "See [1/2] and {name}",
    "as shown in [1], [2, 3] and {} ",
    "- [ ] todo\n- [x] done",
    "[1] Smith et al.",
    "f(x) = {x | x > 1}",
    "a[0] \"quoted\" 'text' `code`",
    "{{template}} [link](url) [[wiki]]",
    "caf\u{e9} \u{1f600} \\ \\\" }]",
    "<b>bold</b> a < b ~ c ~~ d",
    "```python\nprint({\"a\": 1}[0])\n```",
    "<think>{\"no\": [1]} \n```json\n[0]\n```\n</think>",
    "1, 2, true, null: ",
];

/// What is around a document: before and after.
const AROUND: &[(&str, &str)] = &[
    ("\n", "\n"),
    ("\n```json\n", "\n```\n"),
    ("\n```JSON5\r\n", "\r\n```\r\n"),
    ("\n~~~~~\n", "\n~~~~~\n"),
    ("\n  ```json\n", "\n  ```\n"),
    ("\n<tool_call>", "</tool_call>"),
    ("\n<tool_call>\n", "\n</tool_call>\n"),
    ("[TOOL_CALLS]", "</s>"),
    ("<|python_tag|>", "<|eom_id|>"),
    ("\n```json ", " ```\n"),
];

proptest! {
    #![proptest_config(config(CASES / 20))]

    #[test]
    fn random_json_in_random_prose_is_found_exactly(
        json in proptest::collection::vec(documents(), 0..3),
        source in choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let (mut text, mut wanted) = (String::new(), vec![]);
        let prose = |text: &mut String, source: &mut ByteSource<'_>| {
            while source.one_in(2) {
                text.push_str(source.choose::<&str>(PROSE));
                text.push_str(source.choose::<&str>(&["\n", "\n\n"]));
            }
        };
        prose(&mut text, &mut source);
        for value in &json {
            let style = Style { spaces: source.byte(), ..Style::plain(Escapes::Few) };
            let written = write(value, style);
            let written = written.trim();
            let (before, after) = *source.choose(AROUND);
            let is_scalar = !written.starts_with(['{', '[']);
            let (before, after) = if is_scalar { ("\n```json\n", "\n```\n") } else { (before, after) };
            text.push_str(before);
            text.push_str(written);
            text.push_str(after);
            wanted.push(written.to_owned());
            prose(&mut text, &mut source);
        }
        let all = JsonExtractor::new().multiple_values(true);
        prop_assert_eq!(json_in(&all, &text), &wanted[..], "{}", text);
        let first = json_in(&JsonExtractor::new(), &text);
        prop_assert_eq!(&first[..], &wanted[..wanted.len().min(1)]);
    }

    #[test]
    fn any_text_is_divided_the_same_for_every_split(
        source in choice_bytes(),
    ) {
        const ATOMS: &[&str] = &[
            "{", "}", "[", "]", "\"", "\\", ":", ",", "1", "t", "true", " ", "\n", "\r\n", "```",
            "~~~", "````", "json", "python", "<think>", "</think>", "<tool_call>", "</tool_call>",
            "[TOOL_CALLS]", "\"a\":", "{\"a\": ", "x", "\u{e9}", "`", "<", "</s>", "[1]", "{}",
        ];
        let mut source = ByteSource::new(&source);
        let mut text = String::new();
        for _ in 0..source.below(40) {
            text.push_str(source.choose::<&str>(ATOMS));
        }
        for multiple in [false, true] {
            let pieces = pieces_of(&JsonExtractor::new().multiple_values(multiple), &text);
            prop_assert!(pieces.len() <= text.len());
        }
    }
}
