//! Several values one after the other, as in JSON Lines.

use json_chunks::{ErrorKind, Limits, Parser, Partials};
use proptest::collection::vec;
use proptest::prelude::{prop_assert_eq, proptest};

use crate::DEPTH;
use crate::support::config;
use crate::support::feed::{Heard, feed, pieces, wrong};
use crate::support::json::Json;
use crate::support::outline::{Outline, Told};
use crate::support::tape::Tape;
use crate::support::write::{Hand, write};
use crate::support::writing::{documents, tapes};

fn parser() -> Parser {
    Parser::new().several_values(true)
}

/// The completed values, as they come.
fn roots(pieces: &[&str]) -> Result<Vec<String>, (ErrorKind, usize)> {
    let mut parser = parser();
    let mut roots = Vec::new();
    for step in 0..=pieces.len() {
        let growth = match pieces.get(step) {
            Some(piece) => parser.push_str(piece),
            None => parser.finish(),
        };
        let growth = growth.map_err(|error| wrong(&error))?;
        let completed = growth.completed_roots();
        roots.extend(completed.map(|root| root.to_json(Partials::default())));
    }
    Ok(roots)
}

#[test]
fn each_value_is_told_when_it_is_complete() {
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
fn no_value_at_all_is_fine() {
    for text in ["", " ", "\n\n", "\u{FEFF}", "\u{FEFF}\n"] {
        assert_eq!(roots(&[text]), Ok(Vec::new()), "{text:?}");
    }
}

#[test]
fn numbers_and_literals_need_white_space_in_between() {
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
fn what_stands_between_values_is_white_space() {
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

/// The last value stays in sight until another begins.
#[test]
fn the_last_value_is_the_document() {
    let mut parser = parser();
    let seen = |parser: &Parser| parser.root().map(|root| root.to_json(Partials::default()));
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
        parser.push_str(piece).unwrap();
        assert_eq!(seen(&parser).as_deref(), Some(expected), "after {piece:?}");
    }
    parser.finish().unwrap();
    assert_eq!(parser.get("").unwrap().as_number(), Some("123"));
    assert!(parser.root().unwrap().is_complete());
}

/// The limit is on a document, and each of these is one.
#[test]
fn each_value_may_be_as_large_as_the_limit_allows() {
    let line = "[\"0123456789\"]\n";
    let limits = Limits::default().max_document_bytes(40);
    let text = line.repeat(10);
    for size in [1, 7, 15, 16, 40, 149, 150] {
        let mut parser = parser().limits(limits);
        let heard = feed(&mut parser, text.as_bytes().chunks(size));
        assert_eq!(heard.error, None, "in pieces of {size}");
        let completed = heard.told.iter();
        let completed = completed.filter(|told| **told == Told::Completed(String::new()));
        assert_eq!(completed.count(), 10, "in pieces of {size}");
    }
}

proptest! {
    #![proptest_config(config(800))]

    #[test]
    fn any_split_tells_the_same(lines in vec(documents(), 0..6), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let (text, expected) = joined(&lines, &mut tape);
        for heard in heard_split(&text, &mut tape) {
            prop_assert_eq!(heard.error, None);
            prop_assert_eq!(&heard.told, &expected);
            prop_assert_eq!(&heard.text, &text);
        }
    }

    #[test]
    fn any_split_finds_the_same_error(lines in vec(documents(), 1..6), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let (text, _) = joined(&lines, &mut tape);
        let at = tape.below(256) * text.len() / 256;
        let (before, behind) = text.as_bytes().split_at(at);
        let wrong = *tape.one_of(b"\x01,}x\xff\"-");
        let text = [before, &[wrong], behind].concat();
        let whole = feed(&mut parser(), [&text]);
        let split = feed(&mut parser(), pieces(&text, &mut tape));
        prop_assert_eq!((split.told, split.error), (whole.told.clone(), whole.error));
        let split = feed(&mut parser(), text.chunks(1));
        prop_assert_eq!((split.told, split.error), (whole.told, whole.error), "byte by byte");
    }
}

fn heard_split(text: &str, tape: &mut Tape<'_>) -> [Heard; 3] {
    [
        feed(&mut parser(), [text]),
        feed(&mut parser(), pieces(text.as_bytes(), tape)),
        feed(&mut parser(), text.as_bytes().chunks(1)),
    ]
}

/// The documents with white space in between, where there must be some or by chance, and what a
/// parser tells of all of them.
fn joined(documents: &[Json], tape: &mut Tape<'_>) -> (String, Vec<Told>) {
    let mut text = String::new();
    let mut told = Vec::new();
    let bare = |value: &Json| value.is_literal() || matches!(value, Json::Num(_));
    for (index, document) in documents.iter().enumerate() {
        let written = write(document, Hand::any(tape).style(tape));
        if index > 0 {
            let between = *tape.one_of(&["\n", "", " ", "\r\n", "\n\n", "\t\n "]);
            let needed = bare(document) && bare(&documents[index - 1]);
            text.push_str(if needed && between.is_empty() {
                " "
            } else {
                between
            });
        }
        told.extend(Outline::of(written.as_bytes(), DEPTH).told);
        text.push_str(&written);
    }
    (text, told)
}
