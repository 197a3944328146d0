//! The limits of the parser, and its state after an error.

use json_chunks::{Error, ErrorKind, Limits, Parser, PartialPolicy};

use json_chunks_testing::feed::{error_at, feed, rows};

/// Returns the error, which has to be the same for every split into two and byte by byte.
#[track_caller]
fn stops(limits: Limits, text: &str, expected: Option<(ErrorKind, usize)>) {
    let bytes = text.as_bytes();
    let mut parser = Parser::new().limits(limits);
    let whole = feed(&mut parser, [bytes]);
    assert_eq!(whole.error, expected, "{text} in one piece");
    let mut same = |how: &str, pieces: &mut dyn Iterator<Item = &[u8]>| {
        parser.reset();
        let transcript = feed(&mut parser, pieces);
        assert!(
            transcript.agrees(&whole),
            "{text} {how}: {transcript:?}, not {whole:?}"
        );
    };
    for split in 0..=bytes.len() {
        let (before, behind) = bytes.split_at(split);
        same(
            &format!("split at {split}"),
            &mut [before, behind].into_iter(),
        );
    }
    same("byte by byte", &mut bytes.chunks(1));
}

#[test]
fn nesting_over_the_limit_returns_error() {
    let limits = |levels| Limits::default().max_depth(levels);
    for (levels, text, offset) in [
        (0, "1", None),
        (0, "\"[\"", None),
        (0, "[]", Some(0)),
        (0, " {}", Some(1)),
        (1, "[]", None),
        (1, "[1,2]", None),
        (1, "{\"a\":1}", None),
        (1, "[[]]", Some(1)),
        (1, "{\"a\":{}}", Some(5)),
        (2, "[[],{},[[]]]", Some(8)),
        (2, "[[],{},[]]", None),
        (3, "{\"a\":[{\"b\":1}]}", None),
        (3, "{\"a\":[{\"b\":[]}]}", Some(11)),
    ] {
        stops(
            limits(levels),
            text,
            offset.map(|at| (ErrorKind::TooDeep, at)),
        );
    }
    let strict = ["[".repeat(64), "]".repeat(64)].concat();
    stops(Limits::strict(), &strict, None);
    let strict = "[".repeat(65);
    stops(Limits::strict(), &strict, Some((ErrorKind::TooDeep, 64)));
}

#[test]
fn token_over_the_limit_returns_error() {
    let limits = Limits::default().max_token_bytes(5);
    for (text, offset) in [
        ("\"12345\"", None),
        ("\"123456\"", Some(1)),
        ("\"123456", Some(1)),
        ("12345", None),
        ("123456", Some(0)),
        ("-12345", Some(0)),
        ("1.2e+5", Some(0)),
        ("[1234,\"abcde\",{\"abcde\":12345}]", None),
        ("[12,123456]", Some(4)),
        ("{\"abcde\":1}", None),
        ("{\"abcdef\":1}", Some(2)),
        ("{\"a\":\"abcdef\"}", Some(6)),
        // The limit is in bytes of JSON text: an escape has six, `€` has three.
        ("\"\\u0041\"", Some(1)),
        ("\"ab€\"", None),
        ("\"€€\"", Some(1)),
        ("\"a\\n\\n\"", None),
        ("\"ab\\n\\n\"", Some(1)),
        // Literals and white space are bounded by their length and by the document.
        ("[true,          false]", None),
    ] {
        stops(limits, text, offset.map(|at| (ErrorKind::TooLarge, at)));
    }
    stops(Limits::default().max_token_bytes(0), "[\"\",true,{}]", None);
    stops(
        Limits::default().max_token_bytes(0),
        "[1]",
        Some((ErrorKind::TooLarge, 1)),
    );
}

/// Not at the end of the token, which may never arrive.
#[test]
fn too_large_token_is_reported_at_once() {
    let limits = Limits::default().max_token_bytes(5);
    for (start, offset) in [("\"", 1), ("[\"", 2), ("{\"", 2), ("{\"a\":\"", 6)] {
        let mut parser = Parser::new().limits(limits);
        parser.push(start).unwrap();
        for _ in 0..5 {
            parser.push(b"x").unwrap();
        }
        let error = parser.push(b"x").map(drop).unwrap_err();
        assert_eq!(error_at(&error), (ErrorKind::TooLarge, offset), "{start}");
    }
    let mut parser = Parser::new().limits(limits);
    parser.push(b"[1234").unwrap();
    parser.push(b"5").unwrap();
    let error = parser.push(b"6").map(drop).unwrap_err();
    assert_eq!(error_at(&error), (ErrorKind::TooLarge, 1));
}

#[test]
fn first_of_several_mistakes_is_reported() {
    let limits = Limits::default()
        .max_token_bytes(5)
        .max_depth(1)
        .max_document_bytes(20);
    for (text, kind, offset) in [
        ("[\"123456\u{1}\"]", ErrorKind::TooLarge, 2),
        ("[\"1234\u{1}56\"]", ErrorKind::Syntax, 6),
        ("[123456.x]", ErrorKind::TooLarge, 1),
        ("[1234.x]", ErrorKind::Syntax, 6),
        ("[1 \"1234567\"]", ErrorKind::Syntax, 3),
        ("[1 1234567]", ErrorKind::Syntax, 3),
        ("[1]          1234567    ", ErrorKind::Syntax, 13),
        ("[1,2,3,4,5,6,7,8,9,10,x]", ErrorKind::TooLarge, 20),
        ("[1,x,3,4,5,6,7,8,9,10,x]", ErrorKind::Syntax, 3),
        ("[1,[,3,4,5,6,7,8,9,10,x]", ErrorKind::TooDeep, 3),
    ] {
        stops(limits, text, Some((kind, offset)));
    }
}

#[test]
fn document_over_the_limit_returns_error() {
    let limits = |bytes| Limits::default().max_document_bytes(bytes);
    for (bytes, text, offset) in [
        (7, "[12345]", None),
        (7, " [12345]", Some(7)),
        (7, "[12345] ", Some(7)),
        (7, "[123456]", Some(7)),
        (7, "        ", Some(7)),
        (3, "\"€\"", Some(3)),
        (3, "\"€", Some(3)),
        (4, "\"€\"", Some(4)),
        (5, "\"€\"", None),
        (4, "\"😀\"", Some(4)),
        (5, "\"😀\"", Some(5)),
        (6, "\"😀\"", None),
        (4, "\u{FEFF}12", Some(4)),
        (5, "\u{FEFF}12", None),
    ] {
        stops(
            limits(bytes),
            text,
            offset.map(|at| (ErrorKind::TooLarge, at)),
        );
    }
    stops(limits(0), "", Some((ErrorKind::Incomplete, 0)));
    stops(limits(0), "1", Some((ErrorKind::TooLarge, 0)));
}

#[test]
fn error_is_permanent_and_document_is_kept() {
    let mut parser = Parser::new();
    parser.push(br#"{"a":[1,"x"#).unwrap();
    let error = parser.push(br#"y"],"b":tru}"#).map(drop).unwrap_err();
    assert_eq!(error_at(&error), (ErrorKind::Syntax, 21));
    let seen = rows(&parser);
    assert_eq!(parser.pointer("/a/1").unwrap().as_str(), Some("xy"));
    assert!(parser.pointer("/a").unwrap().is_complete());
    assert!(!parser.root().unwrap().is_complete());
    for fragment in [&b"e}"[..], b"", b" ", b"\xff", b"{}"] {
        assert_eq!(parser.push(fragment).map(drop).unwrap_err(), error);
    }
    assert_eq!(parser.finish().map(drop).unwrap_err(), error);
    assert_eq!(parser.finish().map(drop).unwrap_err(), error);
    assert_eq!(rows(&parser), seen);
    assert!(!parser.last_update().is_complete());
}

#[test]
fn reset_after_every_kind_of_error_restores_the_parser() {
    let limits = Limits::default()
        .max_depth(2)
        .max_token_bytes(8)
        .max_document_bytes(30);
    let mut parser = Parser::new().limits(limits);
    let good = r#"{"a":["x",1.5]}"#;
    let new = feed(&mut parser, [good]);
    assert_eq!(new.error, None);
    for (bad, kind) in [
        ("[1,]", ErrorKind::Syntax),
        ("[1", ErrorKind::Incomplete),
        ("[[[", ErrorKind::TooDeep),
        ("\"123456789", ErrorKind::TooLarge),
        ("[1,2,3,4,5,6,7,8,9,10,11,12,13,14]", ErrorKind::TooLarge),
        ("\"\\", ErrorKind::Incomplete),
        ("-", ErrorKind::Incomplete),
    ] {
        for size in [1, 3, 100] {
            parser.reset();
            let transcript = feed(&mut parser, bad.as_bytes().chunks(size));
            assert_eq!(transcript.error.map(|(kind, _)| kind), Some(kind), "{bad}");
            parser.reset();
            assert!(parser.root().is_none());
            assert_eq!(
                feed(&mut parser, good.as_bytes().chunks(size)),
                new,
                "after {bad}"
            );
        }
    }
    parser.reset();
    // Half a character.
    assert_eq!(
        feed(&mut parser, [b"\"\xf0\x9f"]).error,
        Some((ErrorKind::Incomplete, 1))
    );
    parser.reset();
    assert_eq!(feed(&mut parser, [good]), new);
    // The limits are unchanged.
    parser.reset();
    assert_eq!(
        feed(&mut parser, ["[[["]).error,
        Some((ErrorKind::TooDeep, 2))
    );
}

#[test]
fn only_white_space_may_follow_finish() {
    let mut parser = Parser::new();
    parser.push(b"12").unwrap();
    parser.finish().unwrap();
    parser.push(b" \n").unwrap();
    parser.finish().unwrap();
    // A finished input cannot be continued.
    let error = parser.push(b"3").map(drop).unwrap_err();
    assert_eq!(error_at(&error), (ErrorKind::Syntax, 4));
    assert_eq!(parser.root().unwrap().as_number(), Some("12"));
}

#[test]
fn errors_have_kind_and_offset_without_payload() {
    let limits = Limits::default()
        .max_depth(1)
        .max_token_bytes(9)
        .max_document_bytes(30);
    let error = |text: &str| -> Error {
        let mut parser = Parser::new().limits(limits);
        let pushed = parser.push(text).map(drop);
        pushed.and_then(|()| parser.finish().map(drop)).unwrap_err()
    };
    for (text, said) in [
        ("[secret]", "expected a value or ']' at byte 1"),
        ("[1,secret]", "expected a value at byte 3"),
        ("{secret}", "expected a member name or '}' at byte 1"),
        ("{\"secret\" 1}", "expected ':' at byte 10"),
        ("{\"secret\":1,}", "expected a member name at byte 12"),
        ("{\"secret\":1]", "expected ',' or '}' at byte 11"),
        ("[\"secret\"}", "expected ',' or ']' at byte 9"),
        (
            "\"secret\" 1",
            "trailing characters at byte 9 \
             (several values? see `multiple_values`; snapshots? see `json_chunks`)",
        ),
        ("\"secret\\q\"", "invalid escape at byte 8"),
        ("-secret", "invalid number at byte 1"),
        ("\"secret", "unexpected end of JSON at byte 7"),
        (
            "[[\"secret",
            "nested too deeply at byte 1: more than 1 levels",
        ),
        (
            "\"secretsecret",
            "string or number too large at byte 1: more than 9 bytes",
        ),
        (
            "[\"secret\",\"secret\",\"secret\",\"secret\"]",
            "document too large at byte 30: more than 30 bytes",
        ),
    ] {
        let error = error(text);
        assert_eq!(error.to_string(), said, "{text}");
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
    }
}

/// Every traversal of the document is a loop, so nesting takes memory but no stack.
#[test]
fn hundred_thousand_levels_are_parsed() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        deep(100_000, open, close);
    }
}

#[test]
fn ten_million_levels_are_parsed() {
    let parser = opened(10_000_000, "[");
    let json = parser.root().unwrap().to_json(PartialPolicy::default());
    assert_eq!(json.len(), 20_000_000);
}

/// A parser with this many open levels.
fn opened(levels: usize, open: &str) -> Parser {
    const STEP: usize = 100_000;
    let limits = Limits::default().max_depth(u32::MAX);
    let mut parser = Parser::new().limits(limits);
    let fragment = open.repeat(STEP);
    for _ in 0..levels / STEP {
        parser.push(&fragment).unwrap();
    }
    parser
}

fn deep(levels: usize, open: &str, close: &str) {
    let mut parser = opened(levels, open);
    let (inner, pointer) = if open == "[" { ("", "/0") } else { ("1", "/a") };
    parser.push(inner).unwrap();
    let partial = parser.root().unwrap().to_json(PartialPolicy::default());
    assert!(partial.ends_with(&close.repeat(levels)));
    parser.push(close.repeat(levels)).unwrap();
    assert!(parser.finish().unwrap().is_complete());
    let json = parser.root().unwrap().to_json(PartialPolicy::default());
    assert_eq!(
        json,
        [&open.repeat(levels), inner, &close.repeat(levels)].concat()
    );
    let innermost = parser.pointer(&pointer.repeat(levels - 1)).unwrap();
    assert_eq!(innermost.len(), inner.len());
    drop(parser.clone());
    parser.reset();
    assert!(parser.root().is_none());
}
