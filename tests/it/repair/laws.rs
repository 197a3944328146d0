//! Laws for every text.

use json_chunks::repair::{FinishReason, RepairOptions, repair_with};
use json_chunks::{Parser, PartialPolicy, repair};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::select;

use super::{check, repaired};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents, large_documents};
use json_chunks_testing::{CASES, config};

/// Texts composed of parts of JSON, and of what models write in its place.
fn nearly_json() -> impl Strategy<Value = Vec<u8>> {
    const PARTS: &[&[u8]] = &[
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b"\"",
        b"'",
        b"\\",
        b"\n",
        b" ",
        b"a",
        b"b c",
        b"1",
        b"-",
        b"+",
        b".",
        b"0x1",
        b"e5",
        b"true",
        b"Non",
        b"```",
        b"```json\n",
        b"//",
        b"/*",
        b"*/",
        b"#",
        b"...",
        b"\\u12",
        b"\\ud83d",
        b"\\x41",
        b"\"a\":",
        b"\"b\",",
        b"[]]",
        b"{]]",
        "\\\u{201C}".as_bytes(),
        b";",
        b"=",
        "\u{201C}".as_bytes(),
        "\u{2019}".as_bytes(),
        "é".as_bytes(),
        "\u{A0}".as_bytes(),
        b"\xff",
        b"\xf0\x9f",
        b"\xed\xa0\x80",
        b"\0",
        b"(",
        b")",
        b"f(",
        b"1,234",
        b"01",
        b"\\\"",
        b"\"\"",
        b"\"\"\"",
        b"'''",
        b"\\n",
        b"<think>",
        b"</think>",
        b"<tool_call>",
        b"</tool_call>",
        b"~~~\n",
        b"\"C:\\x",
        b"\n  ",
        b"\n    ",
        b"\n}",
        b"\",\n\"",
        b"\"},\"",
        b"\"{\"a",
        b"{1,",
        b"{\"a\":{\"b",
        b"`",
        "\u{FEFF}".as_bytes(),
    ];
    vec(select(PARTS), 0..40).prop_map(|parts| parts.concat())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => nearly_json(),
        2 => nearly_json().prop_map(|text| [b"{\"a\":".as_slice(), &text].concat()),
        2 => nearly_json().prop_map(|text| [b"{\"a\":1".as_slice(), &text].concat()),
        2 => nearly_json().prop_map(|text| [b"[\"a\"".as_slice(), &text].concat()),
        2 => nearly_json().prop_map(|text| [b"{\"a\":\"b".as_slice(), &text].concat()),
        1 => vec(any::<u8>(), 0..40),
    ]
}

fn options() -> impl Strategy<Value = RepairOptions> {
    const REASONS: &[Option<FinishReason>] = &[
        None,
        Some(FinishReason::Stopped),
        Some(FinishReason::Truncated),
    ];
    (any::<bool>(), select(REASONS)).prop_map(|(multiple, reason)| {
        let options = RepairOptions::default().multiple_values(multiple);
        reason.map_or(options, |reason| options.finish_reason(reason))
    })
}

/// Returns the partial value that the parser has for a prefix.
fn shown(start: &[u8]) -> Option<String> {
    let mut parser = Parser::new();
    parser.push(start).unwrap();
    let root = parser.root()?;
    // A lone sign is no value yet.
    let nothing = root.as_number() == Some("-");
    (!nothing).then(|| root.to_json(PartialPolicy::default()))
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn any_bytes_become_json_or_an_error(bytes in bytes(), options in options()) {
        match repair_with(&bytes, options) {
            Ok(repaired) => check(&bytes, &repaired),
            Err(error) => prop_assert!(error.to_string().contains("expected a value"), "{}", error),
        }
    }

    #[test]
    fn broken_document_has_a_value(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let mut bytes = text.into_bytes();
        for _ in 0..=source.below(4) {
            let place = bytes.len() * source.below(256) / 256;
            let byte = *source.choose(b"\"'{}[],:\\a1\xff\n#/`");
            if source.one_in(2) {
                bytes.insert(place, byte);
            } else if let Some(there) = bytes.get_mut(place) {
                *there = byte;
            }
        }
        if let Ok(repaired) = repair(&bytes) {
            check(&bytes, &repaired);
        } else {
            prop_assert!(!matches!(bytes.first(), Some(b'{' | b'[')), "{:?}", bytes);
        }
    }
}

proptest! {
    #![proptest_config(config(CASES / 4))]

    #[test]
    fn valid_json_is_unchanged(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let repaired = repaired(&text);
        prop_assert!(repaired.is_unchanged());
        prop_assert_eq!(repaired.into_text(), text);
    }

    #[test]
    fn document_in_fence_or_prose_is_unchanged(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let (before, behind) = *source.choose(&[
            ("```json\n", "\n```"),
            ("```\n", "\n```\n"),
            ("Sure! Here's the \"JSON\" [as asked]:\n\n```json\n", "\n```\n\nThat's {all}."),
            ("```json\n", ""),
            ("~~~~\n", "\n~~~~\n"),
            ("<think>\n{\"a\": [1]}\n</think>\n", ""),
            ("<tool_call>\n", "\n</tool_call>"),
            ("```JSON\n", "\n```\n```json\n{\"other\":1}\n```"),
        ]);
        let wrapped = [before, &text, behind].concat();
        let repaired = repaired(&wrapped);
        prop_assert_eq!(repaired.text().trim(), text.trim(), "{}", wrapped);
    }
}

proptest! {
    #![proptest_config(config(CASES / 20))]

    #[test]
    fn prefix_of_valid_text_shows_what_the_parser_shows(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        for end in 0..text.len() {
            let start = &text.as_bytes()[..end];
            match shown(start) {
                Some(shown) => {
                    let repaired = repaired(start);
                    let value = repaired.value().to_json(PartialPolicy::default());
                    prop_assert_eq!(value, shown, "{} cut at {}", text, end);
                }
                None => prop_assert!(repair(start).is_err(), "{} cut at {}", text, end),
            }
        }
    }

    #[test]
    fn prefix_of_large_document_shows_what_the_parser_shows(document in large_documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        for _ in 0..8 {
            let start = &text.as_bytes()[..text.len() * source.below(256) / 256];
            if let Some(shown) = shown(start) {
                let repaired = repaired(start);
                prop_assert_eq!(repaired.value().to_json(PartialPolicy::default()), shown);
            }
        }
    }
}
