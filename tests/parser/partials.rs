//! How values look that have not ended.

use json_chunks::Partial::{Omitted, Shown, Zero};
use json_chunks::{Parser, Partial, Partials};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use crate::support::config;
use crate::support::json::Json;
use crate::support::read::{Duplicates, read};
use crate::support::tape::Tape;
use crate::support::write::{Hand, write};
use crate::support::writing::{documents, tapes};

fn shown(text: &str, partials: Partials) -> String {
    let mut parser = Parser::new();
    parser.push_str(text).unwrap();
    parser.root().unwrap().to_json(partials)
}

fn all(partial: Partial) -> Partials {
    Partials::default()
        .strings(partial)
        .numbers(partial)
        .literals(partial)
        .arrays(partial)
        .objects(partial)
}

/// What has not ended, how it looks shown, and its zero value.
const SCALARS: &[(&str, &str, &str)] = &[
    ("\"", "\"\"", "\"\""),
    ("\"ab", "\"ab\"", "\"\""),
    (r#""a\n\u00e"#, r#""a\n""#, "\"\""),
    (r#""a\ud83d"#, "\"a\"", "\"\""),
    // No digit, nothing to show.
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
fn each_kind_of_scalar_under_each_policy() {
    for &(text, as_shown, as_zero) in SCALARS {
        for (policy, expected) in [(Shown, as_shown), (Zero, as_zero), (Omitted, "")] {
            let partials = all(policy).arrays(Shown).objects(Shown);
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
fn each_policy_is_of_its_own_kind_only() {
    let default = Partials::default();
    for (text, own, as_omitted) in [
        ("[\"a", default.strings(Omitted), "[]"),
        ("[12", default.numbers(Omitted), "[]"),
        ("[tr", default.literals(Omitted), "[]"),
        ("[n", default.literals(Omitted), "[]"),
        ("{\"x\":[1", default.arrays(Omitted), "{}"),
        ("[{\"x\":\"y\"", default.objects(Omitted), "[]"),
    ] {
        assert_eq!(shown(text, own), as_omitted, "{text}");
        assert_ne!(shown(text, default), as_omitted, "{text}");
        let others = [
            default.strings(Omitted),
            default.numbers(Omitted),
            default.literals(Omitted),
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
fn containers_are_shown_with_what_is_in_them() {
    let text = r#"{"a":[1,{"b":[2],"c":"x"#;
    let default = Partials::default();
    for (partials, expected) in [
        (default, r#"{"a":[1,{"b":[2],"c":"x"}]}"#),
        (Partials::complete_only(), r#"{"a":[1,{"b":[2]}]}"#),
        (default.arrays(Zero), r#"{"a":[]}"#),
        (default.arrays(Omitted), "{}"),
        (default.objects(Zero), "{}"),
        (default.objects(Omitted), "null"),
        (all(Omitted), "null"),
        (all(Zero), "{}"),
    ] {
        assert_eq!(shown(text, partials), expected, "{partials:?}");
    }
    assert_eq!(
        shown(r#"[{"a":[]},[{"b":"#, default.objects(Zero)),
        r#"[{"a":[]},[{}]]"#
    );
    assert_eq!(
        shown(r#"[{"a":[]},[{"b":"#, default.objects(Omitted)),
        r#"[{"a":[]},[]]"#
    );
    assert_eq!(
        shown(r#"{"a":{},"b":[["#, default.arrays(Omitted)),
        r#"{"a":{}}"#
    );
}

/// Once it has ended, a value looks as it is, whatever the policy.
#[test]
fn what_is_complete_is_shown() {
    let whole = r#"{"a":["x",1.50,true,false,null,[],{}]}"#;
    for policy in [Shown, Omitted, Zero] {
        assert_eq!(shown(whole, all(policy)), whole);
        for text in ["\"x\"", "true", "null", "[]", "{}"] {
            assert_eq!(shown(text, all(policy)), text);
        }
        // Only what follows upon a number ends it.
        assert_eq!(shown("12 ", all(policy)), "12");
    }
    let mut parser = Parser::new();
    parser.push(b"12").unwrap();
    parser.finish().unwrap();
    assert_eq!(parser.root().unwrap().to_json(all(Omitted)), "12");
}

#[test]
fn a_part_of_the_document_is_shown_alike() {
    let mut parser = Parser::new();
    parser.push_str(r#"{"a":[1,["x"],{"k":"v"#).unwrap();
    for (pointer, partials, expected) in [
        ("/a/0", Partials::default(), "1"),
        ("/a/1", Partials::default(), r#"["x"]"#),
        ("/a/2", Partials::default(), r#"{"k":"v"}"#),
        ("/a/2", Partials::complete_only(), "{}"),
        ("/a/2/k", Partials::default(), "\"v\""),
        ("/a/2/k", Partials::complete_only(), "null"),
        ("/a", Partials::complete_only(), r#"[1,["x"],{}]"#),
    ] {
        assert_eq!(
            parser.get(pointer).unwrap().to_json(partials),
            expected,
            "{pointer}"
        );
    }
    let mut out = "so far: ".to_owned();
    parser
        .get("/a/1")
        .unwrap()
        .write_json(Partials::default(), &mut out);
    assert_eq!(out, r#"so far: ["x"]"#);
}

proptest! {
    #![proptest_config(config(400))]

    /// Whatever the policy and wherever the text stops, it is JSON without white space, and what
    /// has ended is in it.
    #[test]
    fn every_moment_is_json_under_every_policy(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        let mut policy = || *tape.one_of(&[Shown, Omitted, Zero]);
        let partials = Partials::default()
            .strings(policy())
            .numbers(policy())
            .literals(policy())
            .arrays(policy())
            .objects(policy());
        let mut parser = Parser::new();
        for byte in text.as_bytes() {
            parser.push(&[*byte]).unwrap();
            let Some(root) = parser.root() else { continue };
            let json = root.to_json(partials);
            prop_assert!(read(&json, Duplicates::Refused).is_ok(), "{json} of {text}");
            let complete = read(&root.to_json(Partials::complete_only()), Duplicates::Refused).unwrap();
            let default = read(&root.to_json(Partials::default()), Duplicates::Refused).unwrap();
            prop_assert!(omits_only(&complete, &default), "{complete:?} of {default:?}");
        }
        parser.finish().unwrap();
        let json = parser.root().unwrap().to_json(partials);
        prop_assert_eq!(read(&json, Duplicates::Refused), Ok(document));
    }
}

/// Whether one is the other without some of its last values.
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
