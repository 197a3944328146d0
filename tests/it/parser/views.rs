//! The growing document: its values, their states, and how they are found.

use json_chunks::{Kind, Parser, PartialPolicy, Value};

fn parsed(text: &str) -> Parser {
    let mut parser = Parser::new();
    parser.push(text).unwrap();
    parser
}

fn shown(parser: &Parser, pointer: &str) -> Option<String> {
    parser
        .pointer(pointer)
        .map(|value| value.to_json(PartialPolicy::default()))
}

/// RFC 6901, section 5.
#[test]
fn rfc_6901_examples_are_found() {
    let document = r#"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#;
    let parser = parsed(document);
    for (pointer, expected) in [
        ("", document),
        ("/foo", r#"["bar","baz"]"#),
        ("/foo/0", r#""bar""#),
        ("/", "0"),
        ("/a~1b", "1"),
        ("/c%d", "2"),
        ("/e^f", "3"),
        ("/g|h", "4"),
        (r"/i\j", "5"),
        ("/k\"l", "6"),
        ("/ ", "7"),
        ("/m~0n", "8"),
    ] {
        assert_eq!(
            shown(&parser, pointer).as_deref(),
            Some(expected),
            "{pointer}"
        );
    }
}

#[test]
fn pointer_finds_one_value_or_none() {
    let parser =
        parsed(r#"{"a":[10,[20]],"~1":1,"/":2,"~":3,"~01":4,"01":5,"-":6,"":{"":7},"s":"x"}"#);
    for (pointer, expected) in [
        ("/a/0", Some("10")),
        ("/a/1/0", Some("20")),
        // An index has no leading zeros, no sign, and is in bounds.
        ("/a/00", None),
        ("/a/01", None),
        ("/a/+1", None),
        ("/a/-1", None),
        ("/a/-", None),
        ("/a/2", None),
        ("/a/", None),
        ("/a/1.0", None),
        ("/a/٠", None),
        ("/a/18446744073709551616", None),
        ("/a/4294967296", None),
        ("/~01", Some("1")),
        ("/~1", Some("2")),
        ("/~0", Some("3")),
        ("/~001", Some("4")),
        ("/01", Some("5")),
        ("/-", Some("6")),
        ("/", Some(r#"{"":7}"#)),
        ("//", Some("7")),
        ("///", None),
        ("/b", None),
        ("/A", None),
        ("/s/0", None),
        ("/a/0/0", None),
        // A pointer starts with a slash.
        ("a", None),
        ("a/0", None),
        ("#/a", None),
    ] {
        assert_eq!(shown(&parser, pointer).as_deref(), expected, "{pointer}");
    }
}

#[test]
fn names_are_compared_decoded() {
    let parser = parsed(r#"{"\u00e9":1,"\ud83d\ude00":2,"a\/b":3,"\n":4}"#);
    for (name, expected) in [("é", "1"), ("😀", "2"), ("a/b", "3"), ("\n", "4")] {
        let root = parser.root().unwrap();
        assert_eq!(
            root.get(name).unwrap().as_number(),
            Some(expected),
            "{name}"
        );
    }
    assert_eq!(shown(&parser, "/é").as_deref(), Some("1"));
    assert_eq!(shown(&parser, "/a~1b").as_deref(), Some("3"));
    assert!(parser.root().unwrap().get(r"\u00e9").is_none());
}

/// Absent, partial or complete, byte by byte.
#[test]
fn every_value_knows_whether_it_is_complete() {
    let text = r#"{"ab":12,"c":["x",true]}"#;
    let moments = [
        ("", 1, 24),
        ("/ab", 7, 9),
        ("/c", 14, 23),
        ("/c/0", 15, 17),
        ("/c/1", 19, 22),
    ];
    let mut parser = Parser::new();
    for length in 0..=text.len() {
        if length > 0 {
            parser.push(&text.as_bytes()[length - 1..length]).unwrap();
        }
        for (pointer, begun, complete) in moments {
            let expected = (length >= begun).then_some(length >= complete);
            let seen = parser.pointer(pointer).map(Value::is_complete);
            assert_eq!(seen, expected, "{pointer} after {length}");
        }
    }
}

#[test]
fn an_unfinished_name_is_invisible() {
    let mut parser = Parser::new();
    for fragment in [r#"{"a":1,"#, r#""na"#, r"me\u00", r#"e9""#, " ", ":", " "] {
        parser.push(fragment).unwrap();
        let root = parser.root().unwrap();
        assert_eq!(
            root.to_json(PartialPolicy::default()),
            r#"{"a":1}"#,
            "after {fragment}"
        );
        assert_eq!((root.len(), root.members().count()), (1, 1));
    }
    parser.push(b"n").unwrap();
    assert_eq!(parser.pointer("/nameé").unwrap().kind(), Kind::Null);
}

#[test]
fn partial_string_has_only_complete_characters() {
    let mut parser = Parser::new();
    for (fragment, shown) in [
        (&b"\""[..], ""),
        (b"a", "a"),
        (b"\\", "a"),
        (b"\"b", "a\"b"),
        (b"\\u00", "a\"b"),
        (b"e9\xc3", "a\"bé"),
        (b"\xa9", "a\"béé"),
        (b"\\\\", "a\"béé\\"),
        (b"\\ud83d", "a\"béé\\"),
        (b"\\ude00", "a\"béé\\😀"),
        (b"\\ud83d", "a\"béé\\😀"),
        (b"\\ud83d", "a\"béé\\😀\u{FFFD}"),
        (b"\"", "a\"béé\\😀\u{FFFD}\u{FFFD}"),
    ] {
        parser.push(fragment).unwrap();
        assert_eq!(parser.root().unwrap().as_str(), Some(shown));
    }
    let raw = r#""a\"b\u00e9é\\\ud83d\ude00\ud83d\ud83d""#;
    assert_eq!(parser.root().unwrap().raw(), raw);
}

#[test]
fn accessors_return_none_for_other_kinds() {
    let parser = parsed(r#"["x",-1.50,true,false,null,[1,2],{"a":1}]"#);
    let root = parser.root().unwrap();
    let seen: Vec<_> = root
        .elements()
        .map(|value| {
            (
                value.kind(),
                value.as_str(),
                value.as_number(),
                value.as_bool(),
                value.len(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (Kind::String, Some("x"), None, None, 0),
            (Kind::Number, None, Some("-1.50"), None, 0),
            (Kind::True, None, None, Some(true), 0),
            (Kind::False, None, None, Some(false), 0),
            (Kind::Null, None, None, None, 0),
            (Kind::Array, None, None, None, 2),
            (Kind::Object, None, None, None, 1),
        ]
    );
    let raw: Vec<_> = root.elements().map(Value::raw).collect();
    assert_eq!(
        raw,
        [
            r#""x""#,
            "-1.50",
            "true",
            "false",
            "null",
            "[1,2]",
            r#"{"a":1}"#
        ]
    );
    let object = root.get(6).unwrap();
    assert!(object.elements().next().is_none() && object.get(0).is_none());
    let array = root.get(5).unwrap();
    assert!(array.members().next().is_none() && array.get("0").is_none());
    assert!(root.get(4).unwrap().is_empty() && !array.is_empty());
    assert_eq!(array.pointer("/1").unwrap().as_number(), Some("2"));
    assert!(root.get(7).is_none());
}

#[test]
fn root_is_none_before_the_first_byte() {
    let mut parser = Parser::new();
    for blank in ["", "\u{FEFF}", " \n"] {
        parser.push(blank).unwrap();
        assert!(
            parser.root().is_none()
                && parser.pointer("").is_none()
                && parser.pointer("/a").is_none()
        );
    }
    parser.push(b"-").unwrap();
    assert_eq!(parser.root().unwrap().as_number(), Some("-"));
}

#[test]
fn numbers_and_literals_convert_when_complete() {
    let parser = parsed(r#"[-7,18446744073709551615,1.5e1,7.0,1e400,null,"x",42"#);
    let root = parser.root().unwrap();
    let get = |index: usize| root.get(index).unwrap();
    assert_eq!(
        (get(0).as_i64(), get(0).as_u64(), get(0).as_f64()),
        (Some(-7), None, Some(-7.0))
    );
    assert_eq!((get(1).as_i64(), get(1).as_u64()), (None, Some(u64::MAX)));
    assert_eq!((get(2).as_i64(), get(2).as_f64()), (None, Some(15.0)));
    assert_eq!((get(3).as_u64(), get(3).as_f64()), (None, Some(7.0)));
    assert_eq!((get(4).as_f64(), get(5).as_f64()), (None, None));
    assert!(get(5).is_null() && !get(0).is_null());
    assert!(get(6) == "x" && get(6) == *"x" && get(0) != "-7");
    // 42 may become 420.
    assert_eq!(
        (get(7).as_i64(), get(7).as_u64(), get(7).as_f64()),
        (None, None, None)
    );
    assert!(root.get(8).is_none());
    assert_eq!(
        root.to_string(),
        r#"[-7,18446744073709551615,1.5e1,7.0,1e400,null,"x",42]"#
    );
}
