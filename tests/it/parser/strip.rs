//! The option that removes control characters, or keeps them as content.

use json_chunks::{ErrorKind, Parser, PartialPolicy, Value};
use proptest::prelude::{prop_assert_eq, proptest};

use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::feed::{feed, pieces};
use json_chunks_testing::write::{Escapes, Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents};

fn parser() -> Parser {
    Parser::new().strip_control_characters(true)
}

#[test]
fn control_characters_are_rejected_by_default() {
    for (text, offset) in [
        ("\"a\nb\"", 2),
        ("\u{0}1", 0),
        ("[1,\u{b}2]", 3),
        ("{\"\u{1f}\":1}", 2),
    ] {
        let error = Parser::new().push(text).map(drop).unwrap_err();
        assert_eq!(
            (error.kind(), error.offset()),
            (ErrorKind::Syntax, offset),
            "{text:?}"
        );
    }
}

#[test]
fn control_characters_are_stripped_inside_and_outside_of_strings() {
    for (text, expected) in [
        // Newline, carriage return and tab are content.
        ("\"x\ny\"", r#""x\ny""#),
        ("\"a\nb\tc\rd\u{0}e\u{1f}f\"", r#""a\nb\tc\rdef""#),
        ("\"\r\n\"", r#""\r\n""#),
        ("{\"a\tb\":\t1}", r#"{"a\tb":1}"#),
        ("\"\\\\\n\"", r#""\\\n""#),
        ("\"\\\"\n\"", r#""\"\n""#),
        ("\"\\u0041\n\"", r#""\u0041\n""#),
        ("\"\\ud83d\n\\ude00\"", r#""\ud83d\n\ude00""#),
        // After a backslash they are escaped.
        ("\"a\\\nb\"", r#""a\nb""#),
        ("\"a\\\u{1}\r\\\t\"", r#""a\r\t""#),
        ("\u{0}{\u{1}\"a\u{2}\"\u{3}:\u{4}1\u{5}}\u{6}", "{\"a\":1}"),
        ("[\n1\t,\r2 ]", "[1,2]"),
        ("1\u{0}2", "12"),
        ("tr\u{0}ue", "true"),
        ("\"\\\u{1}n\"", "\"\\n\""),
        // Inside of an escape nothing is content.
        ("\"\\u00\n41\"", "\"\\u0041\""),
        ("\"\\u\t0\r0\n4\u{0}1\n\"", r#""\u0041\n""#),
        ("\"\\\\\"\n", "\"\\\\\""),
        // JSON allows DEL and U+0080.
        ("\"\u{7f}\u{80}\"", "\"\u{7f}\u{80}\""),
        // Escaped ones are kept.
        ("\"\\u0000\\n\"", "\"\\u0000\\n\""),
    ] {
        let bytes = text.as_bytes();
        for split in 0..=bytes.len() {
            let mut parser = parser();
            parser.push(&bytes[..split]).unwrap();
            parser.push(&bytes[split..]).unwrap();
            parser.finish().unwrap();
            let json = parser.root().unwrap().to_json(PartialPolicy::default());
            assert_eq!(json, expected, "{text:?} split at {split}");
        }
    }
}

#[test]
fn offsets_count_in_text_of_document() {
    let error = parser()
        .push(b"\x00[\x00\"a\nb\",x]")
        .map(drop)
        .unwrap_err();
    // In `["a\nb",x]`, where the newline takes two bytes.
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Syntax, 8));
    let mut parser = parser();
    let update = parser.push(b"\x00[\x00\"a\nb").unwrap();
    assert_eq!(
        (update.start(), update.end(), update.text()),
        (0, 6, "[\"a\\nb")
    );
}

/// The rest is parsed strictly.
#[test]
fn only_control_characters_are_stripped() {
    for text in [
        "[1,]",
        "\"\\x\"",
        "\"\\\n",
        "\"\n",
        "\"\\u12\n\"",
        "01",
        "\u{0}",
        "1\n2",
    ] {
        let transcript = feed(&mut parser(), [text]);
        assert!(transcript.error.is_some(), "{text:?}");
    }
}

#[test]
fn reset_keeps_the_option_and_discards_the_string() {
    let mut parser = parser();
    parser.push(b"\"abc").unwrap();
    parser.reset();
    // Outside of strings a line feed is white space, and separates tokens.
    parser.push(b"1\n2").unwrap_err();
    parser.reset();
    parser.push(b"\"a\nb\"").unwrap();
    assert_eq!(parser.root().unwrap().as_str(), Some("a\nb"));
}

proptest! {
    #![proptest_config(config(500))]

    /// A text with control characters anywhere, split anywhere, gives the same as without them.
    #[test]
    fn stripped_control_characters_change_nothing_anywhere(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let mut dirty = text.clone().into_bytes();
        for _ in 0..=source.below(9) {
            let at = source.below(256) * dirty.len() / 256;
            dirty.insert(at, *source.choose(b"\x00\x01\x08\x0b\x0c\x0e\x1f"));
        }
        let clean = feed(&mut parser(), [&text]);
        prop_assert_eq!(clean.error, None);
        prop_assert_eq!(&feed(&mut parser(), [&dirty]), &clean);
        prop_assert_eq!(&feed(&mut parser(), pieces(&dirty, &mut source)), &clean);
        prop_assert_eq!(&feed(&mut parser(), dirty.chunks(1)), &clean);
    }

    /// Without control characters the option makes no difference.
    #[test]
    fn clean_text_is_unchanged(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let strict = feed(&mut Parser::new(), [&text]);
        prop_assert_eq!(feed(&mut parser(), pieces(text.as_bytes(), &mut source)), strict);
    }

    /// Unescaped newlines and tabs in strings are read as if they were escaped, and white space
    /// between tokens stays white space.
    #[test]
    fn unescaped_newlines_read_as_escaped_ones(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let mut style = Styles::any(&mut source).style(&mut source);
        style.escapes = Escapes::Few;
        let text = write(&document, style);
        // In a run of backslashes every second one is content, so it is skipped.
        if text.contains(r"\\") {
            return Ok(());
        }
        let dirty = text.replace(r"\n", "\n").replace(r"\t", "\t").replace(r"\r", "\r");
        let clean = feed(&mut Parser::new(), [&text]);
        prop_assert_eq!(&feed(&mut parser(), [&dirty]), &clean);
        prop_assert_eq!(&feed(&mut parser(), pieces(dirty.as_bytes(), &mut source)), &clean);
    }
}

/// What is removed starts no other value, so the complete one is kept.
#[test]
fn removed_characters_keep_the_last_of_several_values() {
    for dirty in ["\u{0}", "\u{1f} ", "\n\u{0}"] {
        let mut parser = parser().multiple_values(true);
        parser.push("[1] {}").unwrap();
        parser.push(dirty).unwrap();
        assert_eq!(parser.root().map(Value::raw), Some("{}"), "{dirty:?}");
        parser.push("\u{0}2").unwrap();
        parser.finish().unwrap();
        assert_eq!(parser.root().map(Value::raw), Some("2"), "{dirty:?}");
    }
}
