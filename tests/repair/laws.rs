//! What holds for every text.

use json_chunks::{Parser, Partials, repair};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::select;

use super::support::tape::Tape;
use super::support::write::{Hand, write};
use super::support::writing::{documents, large_documents, tapes};
use super::support::{CASES, config};
use super::{check, repaired};

/// Texts of what JSON, and what is nearly JSON, is made of.
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

/// What the parser shows of the start of a text.
fn shown(start: &[u8]) -> Option<String> {
    let mut parser = Parser::new();
    parser.push(start).unwrap();
    let root = parser.root()?;
    // A sign alone is nothing yet.
    let nothing = root.as_number() == Some("-");
    (!nothing).then(|| root.to_json(Partials::default()))
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn whatever_the_bytes_are_the_result_is_json(bytes in bytes()) {
        if let Ok(repaired) = repair(&bytes) {
            check(&bytes, &repaired);
        }
    }

    #[test]
    fn broken_documents_have_a_value(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        let mut bytes = text.into_bytes();
        for _ in 0..=tape.below(4) {
            let place = bytes.len() * tape.below(256) / 256;
            let byte = *tape.one_of(b"\"'{}[],:\\a1\xff\n#/`");
            if tape.once_in(2) {
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
    fn json_is_never_changed(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        let repaired = repaired(&text);
        prop_assert!(repaired.is_unchanged());
        prop_assert_eq!(repaired.into_text(), text);
    }

    #[test]
    fn fences_and_prose_do_not_matter(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        let (before, behind) = *tape.one_of(&[
            ("```json\n", "\n```"),
            ("```\n", "\n```\n"),
            ("Sure! Here's the \"JSON\" [as asked]:\n\n```json\n", "\n```\n\nThat's {all}."),
            ("```json\n", ""),
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
    fn what_is_cut_off_says_what_the_parser_shows(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        for end in 0..text.len() {
            let start = &text.as_bytes()[..end];
            match shown(start) {
                Some(shown) => {
                    let repaired = repaired(start);
                    let value = repaired.value().to_json(Partials::default());
                    prop_assert_eq!(value, shown, "{} cut at {}", text, end);
                }
                None => prop_assert!(repair(start).is_err(), "{} cut at {}", text, end),
            }
        }
    }

    #[test]
    fn large_documents_that_are_cut_off(document in large_documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        for _ in 0..8 {
            let start = &text.as_bytes()[..text.len() * tape.below(256) / 256];
            if let Some(shown) = shown(start) {
                let repaired = repaired(start);
                prop_assert_eq!(repaired.value().to_json(Partials::default()), shown);
            }
        }
    }
}
