//! Control characters, removed where that is asked for.

use json_chunks::{ErrorKind, Parser, Partials};
use proptest::prelude::{prop_assert_eq, proptest};

use crate::support::config;
use crate::support::feed::{feed, pieces};
use crate::support::tape::Tape;
use crate::support::write::{Hand, write};
use crate::support::writing::{documents, tapes};

fn parser() -> Parser {
    Parser::new().strip_control_characters(true)
}

#[test]
fn they_are_refused_by_default() {
    for (text, offset) in [
        ("\"a\nb\"", 2),
        ("\u{0}1", 0),
        ("[1,\u{b}2]", 3),
        ("{\"\u{1f}\":1}", 2),
    ] {
        let error = Parser::new().push_str(text).map(drop).unwrap_err();
        assert_eq!(
            (error.kind(), error.offset()),
            (ErrorKind::Syntax, offset),
            "{text:?}"
        );
    }
}

#[test]
fn they_go_from_strings_and_from_in_between() {
    for (text, expected) in [
        ("\"a\nb\tc\rd\u{0}e\u{1f}f\"", "\"abcdef\""),
        ("\u{0}{\u{1}\"a\u{2}\"\u{3}:\u{4}1\u{5}}\u{6}", "{\"a\":1}"),
        ("[\n1\t,\r2 ]", "[1,2]"),
        ("1\u{0}2", "12"),
        ("tr\u{0}ue", "true"),
        ("\"\\\u{1}n\"", "\"\\n\""),
        ("\"\\u00\n41\"", "\"\\u0041\""),
        ("\"\\\"\n\"", "\"\\\"\""),
        ("\"\\\\\"\n", "\"\\\\\""),
        // DEL and U+0080 are no control characters for JSON.
        ("\"\u{7f}\u{80}\"", "\"\u{7f}\u{80}\""),
        // Those that are escaped stay.
        ("\"\\u0000\\n\"", "\"\\u0000\\n\""),
    ] {
        let bytes = text.as_bytes();
        for split in 0..=bytes.len() {
            let mut parser = parser();
            parser.push(&bytes[..split]).unwrap();
            parser.push(&bytes[split..]).unwrap();
            parser.finish().unwrap();
            let json = parser.root().unwrap().to_json(Partials::default());
            assert_eq!(json, expected, "{text:?} split at {split}");
        }
    }
}

#[test]
fn offsets_count_what_is_left() {
    let error = parser()
        .push(b"\x00[\x00\"a\nb\",x]")
        .map(drop)
        .unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Syntax, 6));
    let mut parser = parser();
    let growth = parser.push(b"\x00[\x00\"a\nb").unwrap();
    assert_eq!(
        (growth.start(), growth.end(), growth.text()),
        (0, 4, "[\"ab")
    );
}

/// What is left is judged as strictly as ever.
#[test]
fn only_control_characters_are_forgiven() {
    for text in ["[1,]", "\"\\x\"", "\"\\\n", "01", "\u{0}", "1\n2"] {
        let heard = feed(&mut parser(), [text]);
        assert!(heard.error.is_some(), "{text:?}");
    }
}

#[test]
fn a_reset_keeps_the_option_and_forgets_the_string() {
    let mut parser = parser();
    parser.push(b"\"abc").unwrap();
    parser.reset();
    // Outside of strings a line feed is white space, which separates.
    parser.push(b"1\n2").unwrap_err();
    parser.reset();
    parser.push(b"\"a\nb\"").unwrap();
    assert_eq!(parser.root().unwrap().as_str(), Some("ab"));
}

proptest! {
    #![proptest_config(config(500))]

    /// However a text is sprinkled with them and split, it is the text without them.
    #[test]
    fn sprinkled_anywhere_they_change_nothing(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        let mut dirty = text.clone().into_bytes();
        for _ in 0..=tape.below(9) {
            let at = tape.below(256) * dirty.len() / 256;
            dirty.insert(at, *tape.one_of(b"\x00\x01\x08\x0b\x0c\x0e\x1f"));
        }
        let clean = feed(&mut parser(), [&text]);
        prop_assert_eq!(clean.error, None);
        prop_assert_eq!(&feed(&mut parser(), [&dirty]), &clean);
        prop_assert_eq!(&feed(&mut parser(), pieces(&dirty, &mut tape)), &clean);
        prop_assert_eq!(&feed(&mut parser(), dirty.chunks(1)), &clean);
    }

    /// Without any, the option makes no difference.
    #[test]
    fn clean_text_stays_as_it_is(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        let strict = feed(&mut Parser::new(), [&text]);
        prop_assert_eq!(feed(&mut parser(), pieces(text.as_bytes(), &mut tape)), strict);
    }
}
