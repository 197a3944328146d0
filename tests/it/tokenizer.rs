//! The tokens of JSON text in fragments.

use std::borrow::Cow;

use json_chunks::tokens::{Token, Tokenizer};
use json_chunks::{ErrorKind, Limits};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::feed::{error_at, pieces};
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents};

/// Describes all tokens and the error.
type Read = (Vec<String>, Option<(ErrorKind, usize)>);

fn said(token: Token<'_>) -> String {
    match token {
        Token::String(text) => format!("String({:?})", text.raw()),
        other => format!("{other:?}"),
    }
}

fn tokens<'a>(tokenizer: &mut Tokenizer, pieces: impl IntoIterator<Item = &'a [u8]>) -> Read {
    let mut tokens = Vec::new();
    let mut take = |tokenizer: &mut Tokenizer| loop {
        match tokenizer.next_token() {
            Ok(Some(token)) => tokens.push(said(token)),
            Ok(None) => return None,
            Err(error) => return Some(error_at(&error)),
        }
    };
    for piece in pieces {
        tokenizer.push(piece);
        // Tokens before the wrong byte are returned.
        let error = take(tokenizer);
        if error.is_some() {
            return (tokens, error);
        }
    }
    tokenizer.finish();
    let error = take(tokenizer);
    (tokens, error)
}

/// The same at once, in every two pieces and byte by byte.
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
fn every_kind_of_token_is_read() {
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
        // The grammar of values is not checked by the tokenizer.
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
    let Ok(Some(Token::String(token))) = tokenizer.next_token() else {
        panic!("a string");
    };
    assert_eq!(token.raw(), r"a\n\u00e9\ud83d", "escapes as they are");
    assert_eq!(token.decode(), "a\né\u{FFFD}");
}

#[test]
fn string_token_decodes_its_text() {
    for (text, raw, decoded) in [
        (r#""""#, "", ""),
        (r#""plain é""#, "plain é", "plain é"),
        (
            r#""\"\\\/\b\f\n\r\t""#,
            r#"\"\\\/\b\f\n\r\t"#,
            "\"\\/\u{8}\u{c}\n\r\t",
        ),
        (r#""\ud83d\ude00""#, r"\ud83d\ude00", "😀"),
        // A name is a string.
        (r#"{"n\u0061me":1}"#, r"n\u0061me", "name"),
    ] {
        for split in 0..=text.len() {
            let (head, tail) = text.as_bytes().split_at(split);
            let mut tokenizer = Tokenizer::new();
            let mut strings = Vec::new();
            for piece in [head, tail] {
                tokenizer.push(piece);
                while let Some(token) = tokenizer.next_token().unwrap() {
                    if let Token::String(token) = token {
                        strings.push((token.raw().to_owned(), token.decode().into_owned()));
                        let is_borrowed = matches!(token.decode(), Cow::Borrowed(_));
                        assert_eq!(is_borrowed, !raw.contains('\\'), "{text}");
                    }
                }
            }
            assert_eq!(
                strings,
                [(raw.to_owned(), decoded.to_owned())],
                "{text} {split}"
            );
        }
    }
}

#[test]
fn invalid_token_returns_error_at_first_wrong_byte() {
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
fn error_is_permanent() {
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
fn invalid_utf8_returns_error() {
    let mut tokenizer = Tokenizer::new();
    tokenizer.push(b"\"a");
    tokenizer.push(b"b\xff");
    // Continuing after the error would read a string where there is none.
    tokenizer.push(b"c\"");
    let error = tokenizer.next_token().unwrap_err();
    assert_eq!(error_at(&error), (ErrorKind::Syntax, 3));
}

#[test]
fn limits_apply_to_tokens_and_to_the_text() {
    let limits = Limits::default().max_token_bytes(4);
    let too_large = |offset| Some((ErrorKind::TooLarge, offset));
    reads(
        limits,
        b"\"1234\"1234",
        &["String(\"1234\")", "Number(\"1234\")"],
        None,
    );
    // The offset is that of the token's text, as in the parser.
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
fn tokens_are_returned_when_complete() {
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
    // Tokens need not be taken after each push.
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
    fn any_split_gives_the_same_tokens(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let mut bytes = write(&document, Styles::any(&mut source).style(&mut source)).into_bytes();
        if source.one_in(2) {
            let at = source.below(256) * bytes.len() / 256;
            bytes.insert(at, *source.choose(b"\x01\\x,}\xff\"-"));
        }
        let whole = tokens(&mut Tokenizer::new(), [&bytes[..]]);
        let split = tokens(&mut Tokenizer::new(), pieces(&bytes, &mut source));
        prop_assert_eq!(&split, &whole);
        let split = tokens(&mut Tokenizer::new(), bytes.chunks(1));
        prop_assert_eq!(&split, &whole, "byte by byte");
    }

    /// Only white space is between the tokens, and none in them.
    #[test]
    fn tokens_concatenate_to_the_text(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let mut style = Styles::any(&mut source).style(&mut source);
        style.spaces = 0;
        let text = write(&document, style);
        let mut tokenizer = Tokenizer::new();
        let mut all = String::new();
        for piece in pieces(text.as_bytes(), &mut source) {
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
            text.push_str(raw.raw());
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
