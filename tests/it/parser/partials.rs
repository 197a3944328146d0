//! The text of incomplete values, by policy.

use json_chunks::PartialMode::{Keep, Omit, Zero};
use json_chunks::{Parser, PartialMode, PartialPolicy};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::json::Json;
use json_chunks_testing::read::{Duplicates, read};
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents};

fn shown(text: &str, partials: PartialPolicy) -> String {
    let mut parser = Parser::new();
    parser.push(text).unwrap();
    parser.root().unwrap().to_json(partials)
}

fn all(partial: PartialMode) -> PartialPolicy {
    PartialPolicy::default()
        .strings(partial)
        .numbers(partial)
        .literals(partial)
        .arrays(partial)
        .objects(partial)
}

/// Incomplete text, its visible value, and its zero value.
const SCALARS: &[(&str, &str, &str)] = &[
    ("\"", "\"\"", "\"\""),
    ("\"ab", "\"ab\"", "\"\""),
    (r#""a\n\u00e"#, r#""a\n""#, "\"\""),
    (r#""a\ud83d"#, "\"a\"", "\"\""),
    // Without a digit there is nothing to show.
    ("-", "", "0"),
    ("0", "0", "0"),
    ("-0", "-0", "0"),
    ("12", "12", "0"),
    ("1.", "1", "0"),
    ("-0.", "-0", "0"),
    ("1.50", "1.50", "0"),
    ("1e", "1", "0"),
    ("1.5E", "1.5", "0"),
    ("1e+", "1", "0"),
    ("12e-3", "12e-3", "0"),
    ("t", "true", "false"),
    ("tru", "true", "false"),
    ("f", "false", "false"),
    ("fals", "false", "false"),
    ("n", "null", "null"),
    ("nul", "null", "null"),
];

#[test]
fn each_partial_scalar_follows_each_policy() {
    for &(text, as_shown, as_zero) in SCALARS {
        for (policy, expected) in [(Keep, as_shown), (Zero, as_zero), (Omit, "")] {
            let partials = all(policy).arrays(Keep).objects(Keep);
            let is = |text: &str, inside: &str| {
                assert_eq!(shown(text, partials), inside, "{text} {policy:?}");
            };
            if expected.is_empty() {
                is(text, "null");
                is(&format!("[{text}"), "[]");
                is(&format!("[1,{text}"), "[1]");
                is(&format!(r#"{{"a":{text}"#), "{}");
                is(&format!(r#"{{"b":[],"a":{text}"#), r#"{"b":[]}"#);
                is(&format!("[[{text}"), "[[]]");
            } else {
                is(text, expected);
                is(&format!("[{text}"), &format!("[{expected}]"));
                is(&format!("[1,{text}"), &format!("[1,{expected}]"));
                is(
                    &format!(r#"{{"a":{text}"#),
                    &format!(r#"{{"a":{expected}}}"#),
                );
                let members = format!(r#"{{"b":[],"a":{expected}}}"#);
                is(&format!(r#"{{"b":[],"a":{text}"#), &members);
                is(&format!("[[{text}"), &format!("[[{expected}]]"));
            }
        }
    }
}

#[test]
fn policy_affects_only_its_own_kind() {
    let default = PartialPolicy::default();
    for (text, own, as_omitted) in [
        ("[\"a", default.strings(Omit), "[]"),
        ("[12", default.numbers(Omit), "[]"),
        ("[tr", default.literals(Omit), "[]"),
        ("[n", default.literals(Omit), "[]"),
        ("{\"x\":[1", default.arrays(Omit), "{}"),
        ("[{\"x\":\"y\"", default.objects(Omit), "[]"),
    ] {
        assert_eq!(shown(text, own), as_omitted, "{text}");
        assert_ne!(shown(text, default), as_omitted, "{text}");
        let others = [
            default.strings(Omit),
            default.numbers(Omit),
            default.literals(Omit),
            default.arrays(Zero).objects(Zero),
        ];
        let by_others = others.iter().filter(|partials| **partials != own);
        let by_others: Vec<_> = by_others.map(|partials| shown(text, *partials)).collect();
        let unchanged = by_others
            .iter()
            .filter(|json| **json == shown(text, default));
        assert!(unchanged.count() >= 2, "{text}: {by_others:?}");
    }
}

#[test]
fn partial_containers_contain_their_children() {
    let text = r#"{"a":[1,{"b":[2],"c":"x"#;
    let default = PartialPolicy::default();
    for (partials, expected) in [
        (default, r#"{"a":[1,{"b":[2],"c":"x"}]}"#),
        (PartialPolicy::complete_only(), r#"{"a":[1,{"b":[2]}]}"#),
        (default.arrays(Zero), r#"{"a":[]}"#),
        (default.arrays(Omit), "{}"),
        (default.objects(Zero), "{}"),
        (default.objects(Omit), "null"),
        (all(Omit), "null"),
        (all(Zero), "{}"),
    ] {
        assert_eq!(shown(text, partials), expected, "{partials:?}");
    }
    assert_eq!(
        shown(r#"[{"a":[]},[{"b":"#, default.objects(Zero)),
        r#"[{"a":[]},[{}]]"#
    );
    assert_eq!(
        shown(r#"[{"a":[]},[{"b":"#, default.objects(Omit)),
        r#"[{"a":[]},[]]"#
    );
    assert_eq!(
        shown(r#"{"a":{},"b":[["#, default.arrays(Omit)),
        r#"{"a":{}}"#
    );
}

/// A complete value is the same under every policy.
#[test]
fn complete_values_ignore_the_policy() {
    let whole = r#"{"a":["x",1.50,true,false,null,[],{}]}"#;
    for policy in [Keep, Omit, Zero] {
        assert_eq!(shown(whole, all(policy)), whole);
        for text in ["\"x\"", "true", "null", "[]", "{}"] {
            assert_eq!(shown(text, all(policy)), text);
        }
        // A number is complete only when another token follows.
        assert_eq!(shown("12 ", all(policy)), "12");
    }
    let mut parser = Parser::new();
    parser.push(b"12").unwrap();
    parser.finish().unwrap();
    assert_eq!(parser.root().unwrap().to_json(all(Omit)), "12");
}

#[test]
fn policies_apply_to_any_part_of_the_document() {
    let mut parser = Parser::new();
    parser.push(r#"{"a":[1,["x"],{"k":"v"#).unwrap();
    for (pointer, partials, expected) in [
        ("/a/0", PartialPolicy::default(), "1"),
        ("/a/1", PartialPolicy::default(), r#"["x"]"#),
        ("/a/2", PartialPolicy::default(), r#"{"k":"v"}"#),
        ("/a/2", PartialPolicy::complete_only(), "{}"),
        ("/a/2/k", PartialPolicy::default(), "\"v\""),
        ("/a/2/k", PartialPolicy::complete_only(), "null"),
        ("/a", PartialPolicy::complete_only(), r#"[1,["x"],{}]"#),
    ] {
        assert_eq!(
            parser.pointer(pointer).unwrap().to_json(partials),
            expected,
            "{pointer}"
        );
    }
    let mut out = "so far: ".to_owned();
    parser
        .pointer("/a/1")
        .unwrap()
        .write_json(PartialPolicy::default(), &mut out);
    assert_eq!(out, r#"so far: ["x"]"#);
}

proptest! {
    #![proptest_config(config(400))]

    /// For every policy and every prefix, the result is JSON without white space, and contains all
    /// complete values.
    #[test]
    fn every_prefix_is_json_under_every_policy(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let mut policy = || *source.choose(&[Keep, Omit, Zero]);
        let partials = PartialPolicy::default()
            .strings(policy())
            .numbers(policy())
            .literals(policy())
            .arrays(policy())
            .objects(policy());
        let mut parser = Parser::new();
        for byte in text.as_bytes() {
            parser.push([*byte]).unwrap();
            let Some(root) = parser.root() else { continue };
            let json = root.to_json(partials);
            prop_assert!(read(&json, Duplicates::Rejected).is_ok(), "{json} of {text}");
            let complete = read(&root.to_json(PartialPolicy::complete_only()), Duplicates::Rejected).unwrap();
            let default = read(&root.to_json(PartialPolicy::default()), Duplicates::Rejected).unwrap();
            prop_assert!(omits_only(&complete, &default), "{complete:?} of {default:?}");
        }
        parser.finish().unwrap();
        let json = parser.root().unwrap().to_json(partials);
        prop_assert_eq!(read(&json, Duplicates::Rejected), Ok(document));
    }
}

/// Returns whether `fewer` is `all` without some of its last values.
fn omits_only(fewer: &Json, all: &Json) -> bool {
    match (fewer, all) {
        (Json::Arr(fewer), Json::Arr(all)) => {
            fewer.len() <= all.len() && fewer.iter().zip(all).all(|(one, all)| omits_only(one, all))
        }
        (Json::Obj(fewer), Json::Obj(all)) => {
            let mut both = fewer.iter().zip(all);
            fewer.len() <= all.len()
                && both.all(|((name, one), (own, all))| name == own && omits_only(one, all))
        }
        (Json::Null, _) => true,
        _ => fewer == all,
    }
}
