//! Multiple values, as in JSON Lines.

use json_chunks::{ErrorKind, Limits, Parser, PartialPolicy};
use proptest::collection::vec;
use proptest::prelude::{prop_assert_eq, proptest};

use super::DEPTH;
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::feed::{Transcript, error_at, feed, pieces};
use json_chunks_testing::json::Json;
use json_chunks_testing::outline::{Outline, ParseEvent};
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents};

fn parser() -> Parser {
    Parser::new().multiple_values(true)
}

/// Returns the values in the order of their completion.
fn roots(pieces: &[&str]) -> Result<Vec<String>, (ErrorKind, usize)> {
    let mut parser = parser();
    let mut roots = Vec::new();
    for step in 0..=pieces.len() {
        let update = match pieces.get(step) {
            Some(piece) => parser.push(piece),
            None => parser.finish(),
        };
        let update = update.map_err(|error| error_at(&error))?;
        let completed = update.completed_roots();
        roots.extend(completed.map(|root| root.to_json(PartialPolicy::default())));
    }
    Ok(roots)
}

#[test]
fn each_value_is_reported_on_completion() {
    for (pieces, expected) in [
        (
            &["{\"a\":1}\n[2]\n\"x\"\n3\n"][..],
            &["{\"a\":1}", "[2]", "\"x\"", "3"][..],
        ),
        (&["1", "2\n3"], &["12", "3"]),
        (&["tr", "ue\nfal", "se"], &["true", "false"]),
        (
            &["{}", "{}", "\n", "\n", "{\"a\"", ":1}"],
            &["{}", "{}", "{\"a\":1}"],
        ),
        (
            &["[1][2]\"a\"\"b\"{}"],
            &["[1]", "[2]", "\"a\"", "\"b\"", "{}"],
        ),
        (&["1[2]3\"4\"5"], &["1", "[2]", "3", "\"4\"", "5"]),
        (
            &["null true\tfalse\r\n-0\n1.10"],
            &["null", "true", "false", "-0", "1.10"],
        ),
        (&["\u{FEFF}1\n2"], &["1", "2"]),
    ] {
        let expected: Vec<_> = expected.iter().map(ToString::to_string).collect();
        assert_eq!(roots(pieces), Ok(expected), "{pieces:?}");
    }
}

#[test]
fn empty_input_is_accepted() {
    for text in ["", " ", "\n\n", "\u{FEFF}", "\u{FEFF}\n"] {
        assert_eq!(roots(&[text]), Ok(Vec::new()), "{text:?}");
    }
}

#[test]
fn numbers_and_literals_need_white_space_between_them() {
    for (text, offset) in [
        ("truefalse", 4),
        ("nullnull", 4),
        ("true1", 4),
        ("1true", 1),
        ("[1]\n1null", 5),
        ("1-2", 1),
    ] {
        for split in 0..=text.len() {
            let (before, behind) = text.split_at(split);
            let error = Err((ErrorKind::Syntax, offset));
            assert_eq!(roots(&[before, behind]), error, "{text} split at {split}");
        }
    }
}

#[test]
fn only_white_space_may_separate_values() {
    for (text, kind, offset) in [
        ("1,2", ErrorKind::Syntax, 1),
        ("{}\n,{}", ErrorKind::Syntax, 3),
        ("[]]", ErrorKind::Syntax, 2),
        ("1\n\u{FEFF}2", ErrorKind::Syntax, 2),
        ("{}\n{\"a\":", ErrorKind::Incomplete, 8),
        ("{}\nnul", ErrorKind::Incomplete, 6),
        ("{}\n\"a", ErrorKind::Incomplete, 5),
        ("{}\n[1}", ErrorKind::Syntax, 5),
        ("{}\nx", ErrorKind::Syntax, 3),
        ("\n\n\"\u{1}\"", ErrorKind::Syntax, 3),
    ] {
        for (split, _) in text.char_indices() {
            let (before, behind) = text.split_at(split);
            assert_eq!(
                roots(&[before, behind]),
                Err((kind, offset)),
                "{text:?} at {split}"
            );
        }
    }
}

/// The last value stays accessible until another one starts.
#[test]
fn root_is_the_last_value() {
    let mut parser = parser();
    let seen = |parser: &Parser| {
        parser
            .root()
            .map(|root| root.to_json(PartialPolicy::default()))
    };
    for (piece, expected) in [
        ("{\"a\":1}", "{\"a\":1}"),
        ("\n", "{\"a\":1}"),
        ("", "{\"a\":1}"),
        ("[", "[]"),
        ("1]\n{}\n\"b", "\"b\""),
        ("c", "\"bc\""),
        ("\" 12", "12"),
        ("3", "123"),
    ] {
        parser.push(piece).unwrap();
        assert_eq!(seen(&parser).as_deref(), Some(expected), "after {piece:?}");
    }
    parser.finish().unwrap();
    assert_eq!(parser.pointer("").unwrap().as_number(), Some("123"));
    assert!(parser.root().unwrap().is_complete());
}

/// The limit applies to each document separately.
#[test]
fn limits_apply_to_each_value() {
    let line = "[\"0123456789\"]\n";
    let limits = Limits::default().max_document_bytes(40);
    let text = line.repeat(10);
    for size in [1, 7, 15, 16, 40, 149, 150] {
        let mut parser = parser().limits(limits);
        let transcript = feed(&mut parser, text.as_bytes().chunks(size));
        assert_eq!(transcript.error, None, "in pieces of {size}");
        let completed = transcript.events.iter();
        let completed =
            completed.filter(|reported| **reported == ParseEvent::Completed(String::new()));
        assert_eq!(completed.count(), 10, "in pieces of {size}");
    }
}

proptest! {
    #![proptest_config(config(800))]

    #[test]
    fn any_split_reports_the_same_events(lines in vec(documents(), 0..6), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let (text, expected) = joined(&lines, &mut source);
        for transcript in heard_split(&text, &mut source) {
            prop_assert_eq!(transcript.error, None);
            prop_assert_eq!(&transcript.events, &expected);
            prop_assert_eq!(&transcript.text, &text);
        }
    }

    #[test]
    fn any_split_reports_the_same_error(lines in vec(documents(), 1..6), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let (text, _) = joined(&lines, &mut source);
        let at = source.below(256) * text.len() / 256;
        let (before, behind) = text.as_bytes().split_at(at);
        let wrong = *source.choose(b"\x01,}x\xff\"-");
        let text = [before, &[wrong], behind].concat();
        let whole = feed(&mut parser(), [&text]);
        let split = feed(&mut parser(), pieces(&text, &mut source));
        prop_assert_eq!((split.events, split.error), (whole.events.clone(), whole.error));
        let split = feed(&mut parser(), text.chunks(1));
        prop_assert_eq!((split.events, split.error), (whole.events, whole.error), "byte by byte");
    }
}

fn heard_split(text: &str, source: &mut ByteSource<'_>) -> [Transcript; 3] {
    [
        feed(&mut parser(), [text]),
        feed(&mut parser(), pieces(text.as_bytes(), source)),
        feed(&mut parser(), text.as_bytes().chunks(1)),
    ]
}

/// The documents with white space between them, where it is required or by chance, and the expected
/// transcript.
fn joined(documents: &[Json], source: &mut ByteSource<'_>) -> (String, Vec<ParseEvent>) {
    let mut text = String::new();
    let mut reported = Vec::new();
    let bare = |value: &Json| value.is_literal() || matches!(value, Json::Num(_));
    for (index, document) in documents.iter().enumerate() {
        let written = write(document, Styles::any(source).style(source));
        if index > 0 {
            let between = *source.choose(&["\n", "", " ", "\r\n", "\n\n", "\t\n "]);
            let needed = bare(document) && bare(&documents[index - 1]);
            text.push_str(if needed && between.is_empty() {
                " "
            } else {
                between
            });
        }
        reported.extend(Outline::of(written.as_bytes(), DEPTH).events);
        text.push_str(&written);
    }
    (text, reported)
}
