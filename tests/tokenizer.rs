//! The tokens of JSON text in fragments.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use json_chunks::{ErrorKind, Limits, Token, Tokenizer};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use support::config;
use support::feed::{pieces, wrong};
use support::tape::Tape;
use support::write::{Hand, write};
use support::writing::{documents, tapes};

/// All tokens, each in its own words, and the error.
type Read = (Vec<String>, Option<(ErrorKind, usize)>);

fn said(token: Token<'_>) -> String {
    format!("{token:?}")
}

fn tokens<'a>(tokenizer: &mut Tokenizer, pieces: impl IntoIterator<Item = &'a [u8]>) -> Read {
    let mut tokens = Vec::new();
    let mut take = |tokenizer: &mut Tokenizer| loop {
        match tokenizer.next_token() {
            Ok(Some(token)) => tokens.push(said(token)),
            Ok(None) => return None,
            Err(error) => return Some(wrong(&error)),
        }
    };
    for piece in pieces {
        tokenizer.push(piece);
        // The tokens before the byte that is wrong are tokens.
        let error = take(tokenizer);
        if error.is_some() {
            return (tokens, error);
        }
    }
    tokenizer.finish();
    let error = take(tokenizer);
    (tokens, error)
}

/// The same whole, in every two pieces and byte by byte.
#[track_caller]
fn reads(limits: Limits, bytes: &[u8], expected: &[&str], error: Option<(ErrorKind, usize)>) {
    let shown = bytes.escape_ascii();
    let mut tokenizer = Tokenizer::new().limits(limits);
    let whole = tokens(&mut tokenizer, [bytes]);
    assert_eq!(whole.0, expected, "{shown}");
    assert_eq!(whole.1, error, "{shown}");
    for split in 0..=bytes.len() {
        tokenizer.reset();
        let (before, behind) = bytes.split_at(split);
        assert_eq!(
            tokens(&mut tokenizer, [before, behind]),
            whole,
            "{shown} at {split}"
        );
    }
    tokenizer.reset();
    assert_eq!(
        tokens(&mut tokenizer, bytes.chunks(1)),
        whole,
        "{shown} byte by byte"
    );
}

#[test]
fn every_token() {
    let limits = Limits::default();
    for (text, expected) in [
        ("", &[][..]),
        (" \n", &[]),
        ("\u{FEFF}", &[]),
        (
            "{}[]:,",
            &[
                "ObjectStart",
                "ObjectEnd",
                "ArrayStart",
                "ArrayEnd",
                "Colon",
                "Comma",
            ],
        ),
        ("true false null", &["True", "False", "Null"]),
        ("truefalse", &["True", "False"]),
        ("0 -1.50e+3", &["Number(\"0\")", "Number(\"-1.50e+3\")"]),
        ("\"\"\"é😀\"", &["String(\"\")", "String(\"é😀\")"]),
        (
            "\u{FEFF}{\"a\": [1]}",
            &[
                "ObjectStart",
                "String(\"a\")",
                "Colon",
                "ArrayStart",
                "Number(\"1\")",
                "ArrayEnd",
                "ObjectEnd",
            ],
        ),
        // The grammar of values is someone else's business.
        (
            "]1\"\"{,",
            &[
                "ArrayEnd",
                "Number(\"1\")",
                "String(\"\")",
                "ObjectStart",
                "Comma",
            ],
        ),
    ] {
        reads(limits, text.as_bytes(), expected, None);
    }
    let mut tokenizer = Tokenizer::new();
    tokenizer.push(br#""a\n\u00e9\ud83d""#);
    let raw = Token::String(r"a\n\u00e9\ud83d");
    assert_eq!(
        tokenizer.next_token(),
        Ok(Some(raw)),
        "escapes stay as they are"
    );
}

#[test]
fn what_is_no_token_is_an_error_where_that_shows() {
    use ErrorKind::{Incomplete, Syntax};
    for (bytes, expected, kind, offset) in [
        (&b"[x"[..], &["ArrayStart"][..], Syntax, 1),
        (b"tru,", &[], Syntax, 3),
        (b"tru", &[], Incomplete, 3),
        (b"[01", &["ArrayStart"], Syntax, 2),
        (b"1.,", &[], Syntax, 2),
        (b"1.", &[], Incomplete, 2),
        (b"-", &[], Incomplete, 1),
        (b"\"a\nb\"", &[], Syntax, 2),
        (b"\"\\q\"", &[], Syntax, 2),
        (b"\"a", &[], Incomplete, 2),
        (b"\"\"\"\\u12", &["String(\"\")"], Incomplete, 7),
        (b",\xff", &["Comma"], Syntax, 1),
        (b",\"\xc3", &["Comma"], Incomplete, 2),
        (
            b"[1,\xef\xbb\xbf",
            &["ArrayStart", "Number(\"1\")", "Comma"],
            Syntax,
            3,
        ),
    ] {
        reads(Limits::default(), bytes, expected, Some((kind, offset)));
    }
}

#[test]
fn an_error_is_said_again_and_again() {
    for bytes in [
        &b"[x"[..],
        b"[\"\x01\"",
        b"[1.x",
        b"[trux",
        b"[\"123456789\"1",
    ] {
        let mut tokenizer = Tokenizer::new().limits(Limits::default().max_token_bytes(8));
        tokenizer.push(bytes);
        assert_eq!(tokenizer.next_token(), Ok(Some(Token::ArrayStart)));
        let error = tokenizer.next_token().unwrap_err();
        for _ in 0..3 {
            let again = tokenizer.next_token().map(|token| token.map(said));
            assert_eq!(again, Err(error.clone()), "{}", bytes.escape_ascii());
        }
        tokenizer.reset();
        tokenizer.push(b"1 ");
        assert_eq!(tokenizer.next_token(), Ok(Some(Token::Number("1"))));
    }
}

#[test]
fn bytes_that_are_no_text_are_not_passed_over() {
    let mut tokenizer = Tokenizer::new();
    tokenizer.push(b"\"a");
    tokenizer.push(b"b\xff");
    // To go on as if there had been nothing would make a string of what is none.
    tokenizer.push(b"c\"");
    let error = tokenizer.next_token().unwrap_err();
    assert_eq!(wrong(&error), (ErrorKind::Syntax, 3));
}

#[test]
fn limits_on_tokens_and_on_the_text() {
    let limits = Limits::default().max_token_bytes(4);
    let too_large = |offset| Some((ErrorKind::TooLarge, offset));
    reads(
        limits,
        b"\"1234\"1234",
        &["String(\"1234\")", "Number(\"1234\")"],
        None,
    );
    // The offset is that of the text of the token, as the parser has it.
    for (text, offset) in [("[ \"12345\"]", 3), ("[ 12345]", 2), ("[ \"12345", 3)] {
        reads(limits, text.as_bytes(), &["ArrayStart"], too_large(offset));
    }
    let limits = Limits::default().max_document_bytes(4);
    reads(
        limits,
        b"[1,2",
        &["ArrayStart", "Number(\"1\")", "Comma", "Number(\"2\")"],
        None,
    );
    let all = &["ArrayStart", "ArrayEnd", "ArrayStart", "ArrayEnd"];
    reads(limits, b"[][][", all, too_large(4));
    reads(limits, b"\"\xe2\x82\xac\"", &[], too_large(4));
}

#[test]
fn tokens_come_when_they_are_complete() {
    let mut tokenizer = Tokenizer::new();
    for (fragment, expected) in [
        (&b"tru"[..], &[][..]),
        (b"e", &["True"]),
        (b" 1", &[]),
        (b"2", &[]),
        (b".5,", &["Number(\"12.5\")", "Comma"]),
        (b"\"a\\", &[]),
        (b"\"\xc3", &[]),
        (b"\xa9\"[", &["String(\"a\\\\\\\"é\")", "ArrayStart"]),
    ] {
        tokenizer.push(fragment);
        for expected in expected {
            assert_eq!(said(tokenizer.next_token().unwrap().unwrap()), *expected);
        }
        assert_eq!(tokenizer.next_token(), Ok(None));
    }
    // Tokens may also be left lying for a while.
    let mut tokenizer = Tokenizer::new();
    for fragment in ["[1,", "\"a", "b\",", "2]"] {
        tokenizer.push(fragment.as_bytes());
    }
    tokenizer.finish();
    let rest = std::iter::from_fn(|| tokenizer.next_token().unwrap().map(said));
    assert_eq!(rest.count(), 7);
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn any_split_gives_the_same_tokens(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let mut bytes = write(&document, Hand::any(&mut tape).style(&mut tape)).into_bytes();
        if tape.once_in(2) {
            let at = tape.below(256) * bytes.len() / 256;
            bytes.insert(at, *tape.one_of(b"\x01\\x,}\xff\"-"));
        }
        let whole = tokens(&mut Tokenizer::new(), [&bytes[..]]);
        let split = tokens(&mut Tokenizer::new(), pieces(&bytes, &mut tape));
        prop_assert_eq!(&split, &whole);
        let split = tokens(&mut Tokenizer::new(), bytes.chunks(1));
        prop_assert_eq!(&split, &whole, "byte by byte");
    }

    /// Nothing but white space is between the tokens, and nothing else is in them.
    #[test]
    fn the_tokens_are_the_text(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let mut style = Hand::any(&mut tape).style(&mut tape);
        style.spaces = 0;
        let text = write(&document, style);
        let mut tokenizer = Tokenizer::new();
        let mut all = String::new();
        for piece in pieces(text.as_bytes(), &mut tape) {
            tokenizer.push(piece);
            while let Some(token) = tokenizer.next_token().unwrap() {
                add(&mut all, token);
            }
            prop_assert!(text.starts_with(&all), "{all} of {text}");
        }
        tokenizer.finish();
        while let Some(token) = tokenizer.next_token().unwrap() {
            add(&mut all, token);
        }
        prop_assert_eq!(all, text);
    }
}

fn add(text: &mut String, token: Token<'_>) {
    match token {
        Token::String(raw) => {
            text.push('"');
            text.push_str(raw);
            text.push('"');
        }
        Token::Number(number) => text.push_str(number),
        Token::ObjectStart => text.push('{'),
        Token::ObjectEnd => text.push('}'),
        Token::ArrayStart => text.push('['),
        Token::ArrayEnd => text.push(']'),
        Token::Colon => text.push(':'),
        Token::Comma => text.push(','),
        Token::True => text.push_str("true"),
        Token::False => text.push_str("false"),
        Token::Null => text.push_str("null"),
        other => panic!("{other:?}"),
    }
}
