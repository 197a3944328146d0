//! Several members with the same name: the last one wins in every view and after every byte.

use json_chunks::{Kind, Parser, PartialMode, PartialPolicy};
use proptest::prelude::{prop_assert_eq, proptest};
use serde_json::Value as Model;

use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::feed::pieces;
use json_chunks_testing::writing::choice_bytes;

fn pushed(text: &str) -> Parser {
    let mut parser = Parser::new();
    parser.push(text).unwrap();
    parser
}

fn json(parser: &Parser) -> String {
    parser.root().unwrap().to_json(PartialPolicy::default())
}

#[test]
fn duplicate_member_last_wins_in_every_view() {
    let text = r#"{"city":"Tokio","n":1,"city":"Tokyo","days":3}"#;
    let parser = pushed(text);
    let root = parser.root().unwrap();
    assert_eq!(root.get("city").unwrap().as_str(), Some("Tokyo"));
    assert_eq!(root.pointer("/city").unwrap().as_str(), Some("Tokyo"));
    let members: Vec<_> = root.members().collect();
    let names: Vec<_> = members.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["n", "city", "days"]);
    assert_eq!(members[1].1.as_str(), Some("Tokyo"));
    assert_eq!(root.len(), 3);
    let expected = r#"{"n":1,"city":"Tokyo","days":3}"#;
    assert_eq!(json(&parser), expected);
    let expected: Model = serde_json::from_str(expected).unwrap();
    assert_eq!(serde_json::to_value(root).unwrap(), expected);
    let ours: Model = root.deserialize(PartialPolicy::default()).unwrap();
    assert_eq!(ours, expected);
    // The text is kept as it was.
    assert_eq!(parser.last_update().text(), text);
}

#[test]
fn duplicate_member_counts_from_its_first_byte() {
    let mut parser = pushed(r#"{"a":{"b":1},"c":true,"a"#);
    assert_eq!(json(&parser), r#"{"a":{"b":1},"c":true}"#);
    parser.push(r#"":"#).unwrap();
    assert_eq!(json(&parser), r#"{"a":{"b":1},"c":true}"#);
    parser.push("[").unwrap();
    assert_eq!(json(&parser), r#"{"c":true,"a":[]}"#);
    assert_eq!(parser.pointer("/a").unwrap().kind(), Kind::Array);
    assert!(parser.pointer("/a/b").is_none());
    assert_eq!(parser.root().unwrap().len(), 2);
}

/// An omitted member is absent, so the previous one is still visible.
#[test]
fn omitted_duplicate_leaves_the_member_before_it() {
    let omit = PartialPolicy::complete_only();
    let zero = PartialPolicy::default().strings(PartialMode::Zero);
    for (text, shown, omitted, zeroed) in [
        (
            r#"{"a":"x","b":1,"a":"y"#,
            r#"{"b":1,"a":"y"}"#,
            r#"{"a":"x","b":1}"#,
            r#"{"b":1,"a":""}"#,
        ),
        (
            r#"{"a":"x","a":"y","a":"z"#,
            r#"{"a":"z"}"#,
            r#"{"a":"y"}"#,
            r#"{"a":""}"#,
        ),
        // A number without digits cannot be shown.
        (r#"{"a":1,"a":-"#, r#"{"a":1}"#, r#"{"a":1}"#, r#"{"a":1}"#),
        (
            r#"{"a":1,"a":{"b":tr"#,
            r#"{"a":{"b":true}}"#,
            r#"{"a":{}}"#,
            r#"{"a":{"b":true}}"#,
        ),
    ] {
        let parser = pushed(text);
        let root = parser.root().unwrap();
        for (policy, expected) in [
            (PartialPolicy::default(), shown),
            (omit, omitted),
            (zero, zeroed),
        ] {
            assert_eq!(root.to_json(policy), expected, "{text}");
            let ours: Model = root.deserialize(policy).unwrap();
            let expected: Model = serde_json::from_str(expected).unwrap();
            assert_eq!(ours, expected, "{text}");
        }
    }
}

#[test]
fn names_are_one_whatever_their_spelling() {
    for (text, expected) in [
        (r#"{"a":1,"\u0061":2}"#, r#"{"\u0061":2}"#),
        (r#"{"\u0061":1,"a":2}"#, r#"{"a":2}"#),
        (r#"{"\u00e9":1,"\u00E9":2,"é":3}"#, r#"{"é":3}"#),
        (r#"{"a\/b":1,"a/b":2}"#, r#"{"a/b":2}"#),
        (r#"{"\ud83d\ude00":1,"😀":2}"#, r#"{"😀":2}"#),
        (r#"{"":1,"":2}"#, r#"{"":2}"#),
        // These look the same but differ.
        (r#"{"\ud800":1,"\ud801":2}"#, r#"{"\ud800":1,"\ud801":2}"#),
        (
            r#"{"a":1,"A":2,"a ":3,"aa":4}"#,
            r#"{"a":1,"A":2,"a ":3,"aa":4}"#,
        ),
    ] {
        assert_eq!(json(&pushed(text)), expected, "{text}");
    }
}

#[test]
fn events_report_every_member() {
    let mut parser = Parser::new();
    let update = parser.push(br#"{"a":1,"a":2}"#).unwrap();
    let paths: Vec<_> = update
        .events()
        .map(|event| event.path.to_pointer())
        .collect();
    assert_eq!(paths, ["", "/a", "/a", "/a", "/a", "/a", "/a", ""]);
    // The view of a superseded member is unchanged.
    let first = update.events().nth(1).unwrap().path.value();
    assert_eq!(first.to_json(PartialPolicy::default()), "1");
    let path = update.events().nth(4).unwrap().path;
    assert_eq!(path.value().as_number(), Some("2"));
}

/// Numbers of members that the parser treats differently, and objects in wide objects.
#[test]
fn wide_objects_keep_the_last_of_each_name() {
    for names in [1, 2, 9, 31, 32, 33, 63, 64, 65, 66, 300] {
        for times in 1..=3 {
            let members = (0..names * times).map(|n| {
                let inner: Vec<_> = (0..20).map(|i| format!(r#""i{}":{i}"#, i % 19)).collect();
                let inner = if n % 50 == 7 {
                    inner.join(",")
                } else {
                    String::new()
                };
                format!(r#""n{}":[{n},{{{inner}}}]"#, n % names)
            });
            let text = format!("{{{}}}", members.collect::<Vec<_>>().join(","));
            let parser = pushed(&text);
            let expected: Model = serde_json::from_str(&text).unwrap();
            let ours: Model = serde_json::from_str(&json(&parser)).unwrap();
            assert_eq!(ours, expected);
            let root = parser.root().unwrap();
            assert_eq!((root.len(), root.members().count()), (names, names));
            let direct: Model = root.deserialize(PartialPolicy::default()).unwrap();
            assert_eq!(direct, expected);
        }
    }
}

/// Also while previous values are dropped and an object is open.
#[test]
fn duplicates_survive_the_values_before_them() {
    let mut parser = Parser::new().multiple_values(true);
    let names: Vec<_> = (0..30).map(|n| format!(r#""n{n}":{n},"a":"x""#)).collect();
    let object = format!("{{\"a\":1,{}", names.join(","));
    for text in ["[1,2] {\"a\":1,\"a\":2} ", &object] {
        parser.push(text).unwrap();
    }
    for text in [",\"a\"", ":7,", "\"n3\":8", "}"] {
        parser.push(text).unwrap();
    }
    let root = parser.root().unwrap();
    assert_eq!(root.len(), 31);
    assert_eq!(root.get("a").unwrap().as_number(), Some("7"));
    assert_eq!(root.get("n3").unwrap().as_number(), Some("8"));
    assert_eq!(root.members().count(), 31);
    parser.reset();
    parser.push("{\"a\":1,\"b\":2}").unwrap();
    assert_eq!(parser.root().unwrap().len(), 2);
}

/// An object with a few names that repeat, nested or not.
fn restating(source: &mut ByteSource<'_>, levels: usize, out: &mut String) {
    out.push('{');
    for n in 0..source.below(30) {
        if n > 0 {
            out.push(',');
        }
        let names: &[&str] = &["a", "b", r"\u0061", "c", "", "long name of 16+ bytes", "d"];
        let name = *source.choose(names);
        out.extend(["\"", name, "\":"]);
        match source.below(6) {
            0 => out.push_str("null"),
            1 => out.push_str("-12.5e1"),
            2 => out.push_str(r#""x\ny""#),
            3 => out.push_str("[true,{\"a\":1,\"a\":2}]"),
            _ if levels > 0 => restating(source, levels - 1, out),
            _ => out.push_str("\"\""),
        }
    }
    out.push('}');
}

proptest! {
    #![proptest_config(config(500))]

    /// All views equal what `serde_json` reads, for any duplicates and any split.
    #[test]
    fn views_agree_with_serde_json_on_restating_text(source in choice_bytes()) {
        let source = &mut ByteSource::new(&source);
        let mut text = String::new();
        restating(source, 2, &mut text);
        let mut parser = Parser::new();
        for piece in pieces(text.as_bytes(), source) {
            parser.push(piece).unwrap();
            let Some(root) = parser.root() else { continue };
            for policy in [PartialPolicy::default(), PartialPolicy::complete_only()] {
                let written: Model = serde_json::from_str(&root.to_json(policy)).unwrap();
                let direct: Model = root.deserialize(policy).unwrap();
                prop_assert_eq!(&direct, &written, "{}", text);
            }
            let serialized = serde_json::to_value(root).unwrap();
            let shown: Model = root.deserialize(PartialPolicy::default()).unwrap();
            prop_assert_eq!(serialized, shown, "{}", text);
        }
        let model: Model = serde_json::from_str(&text).unwrap();
        let direct: Model = parser.root().unwrap().deserialize(PartialPolicy::default()).unwrap();
        prop_assert_eq!(direct, model);
    }
}
