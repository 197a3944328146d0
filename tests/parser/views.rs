//! The document while it grows: what is there, what is known of it, how it is found.

use json_chunks::{Kind, Parser, Partials, Value};

fn parsed(text: &str) -> Parser {
    let mut parser = Parser::new();
    parser.push_str(text).unwrap();
    parser
}

fn shown(parser: &Parser, pointer: &str) -> Option<String> {
    parser
        .get(pointer)
        .map(|value| value.to_json(Partials::default()))
}

/// RFC 6901, section 5.
#[test]
fn the_examples_of_rfc_6901() {
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
fn a_pointer_leads_to_one_value_or_nowhere() {
    let parser =
        parsed(r#"{"a":[10,[20]],"~1":1,"/":2,"~":3,"~01":4,"01":5,"-":6,"":{"":7},"s":"x"}"#);
    for (pointer, expected) in [
        ("/a/0", Some("10")),
        ("/a/1/0", Some("20")),
        // An index has no leading zeros, no sign, and is of an element that is there.
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
fn names_are_compared_as_they_read() {
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

#[test]
fn of_several_members_with_one_name_the_last_counts() {
    let mut parser = parsed(r#"{"a":1,"b":2,"\u0061":3"#);
    assert_eq!(shown(&parser, "/a").as_deref(), Some("3"));
    // As soon as it begins.
    parser.push_str(r#","a":{"x":"#).unwrap();
    assert_eq!(shown(&parser, "/a").as_deref(), Some("{}"));
    assert!(parser.get("/a/x").is_none());
    parser.push_str("[]}}").unwrap();
    let root = parser.root().unwrap();
    assert_eq!(root.len(), 4, "all are kept");
    let names: Vec<_> = root.members().map(|(name, _)| name.into_owned()).collect();
    assert_eq!(names, ["a", "b", "a", "a"]);
    let json = root.to_json(Partials::default());
    assert_eq!(json, r#"{"a":1,"b":2,"\u0061":3,"a":{"x":[]}}"#);
    let model: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(model["a"], serde_json::json!({"x": []}));
}

/// Absent, partial or complete, byte by byte.
#[test]
fn every_value_knows_how_far_it_has_come() {
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
            let seen = parser.get(pointer).map(Value::is_complete);
            assert_eq!(seen, expected, "{pointer} after {length}");
        }
    }
}

#[test]
fn an_unfinished_name_is_invisible() {
    let mut parser = Parser::new();
    for fragment in [r#"{"a":1,"#, r#""na"#, r"me\u00", r#"e9""#, " ", ":", " "] {
        parser.push_str(fragment).unwrap();
        let root = parser.root().unwrap();
        assert_eq!(
            root.to_json(Partials::default()),
            r#"{"a":1}"#,
            "after {fragment}"
        );
        assert_eq!((root.len(), root.members().count()), (1, 1));
    }
    parser.push(b"n").unwrap();
    assert_eq!(parser.get("/nameé").unwrap().kind(), Kind::Null);
}

#[test]
fn a_string_shows_its_whole_characters() {
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
    let raw = r#"a\"b\u00e9é\\\ud83d\ude00\ud83d\ud83d"#;
    assert_eq!(parser.root().unwrap().raw(), raw);
}

#[test]
fn each_kind_answers_for_itself_only() {
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
    assert_eq!(raw, ["x", "-1.50", "", "", "", "", ""]);
    let object = root.at(6).unwrap();
    assert!(object.elements().next().is_none() && object.at(0).is_none());
    let array = root.at(5).unwrap();
    assert!(array.members().next().is_none() && array.get("0").is_none());
    assert!(root.at(4).unwrap().is_empty() && !array.is_empty());
    assert_eq!(array.pointer("/1").unwrap().as_number(), Some("2"));
    assert!(root.at(7).is_none());
}

#[test]
fn before_the_first_byte_there_is_nothing() {
    let mut parser = Parser::new();
    for blank in ["", "\u{FEFF}", " \n"] {
        parser.push_str(blank).unwrap();
        assert!(parser.root().is_none() && parser.get("").is_none() && parser.get("/a").is_none());
    }
    parser.push(b"-").unwrap();
    assert_eq!(parser.root().unwrap().as_number(), Some("-"));
}
