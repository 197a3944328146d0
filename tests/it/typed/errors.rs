//! Errors about values of another type, and the depth of types.

use std::collections::BTreeMap;
use std::fmt;

use json_chunks::{Limits, Parser, PartialPolicy};
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

use super::types::{Decimal, External, Untagged};
use super::{as_type, begun, parsed};

#[test]
fn errors_have_message_and_pointer() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "read for its errors")]
    struct Outer {
        list: Vec<Inner>,
        #[serde(default)]
        by_number: BTreeMap<u8, bool>,
        #[serde(default)]
        decimal: Option<Decimal>,
        #[serde(default)]
        choice: Option<External>,
    }
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "read for its errors")]
    struct Inner {
        n: u8,
    }
    for (text, message) in [
        (
            "[",
            "invalid length 0, expected struct Outer with 4 elements",
        ),
        ("7", "invalid type: integer `7`, expected struct Outer"),
        ("{}", "missing field `list`"),
        (
            r#"{"list":[{"n":1},{"n":"x"}]}"#,
            r#"invalid type: string "x", expected u8 at /list/1/n"#,
        ),
        (r#"{"list":[{"n":1},{}"#, "missing field `n` at /list/1"),
        (
            r#"{"list":[{"n":300}]}"#,
            "invalid value: integer `300`, expected u8 at /list/0/n",
        ),
        (
            r#"{"list":[],"a/b~":1}"#,
            "unknown field `a/b~`, expected one of `list`, `by_number`, `decimal`, `choice` \
             at /a~1b~0",
        ),
        (
            r#"{"list":[],"by_number":{"x":true}}"#,
            r#"invalid value: string "x", expected a number as the name of a member at /by_number/x"#,
        ),
        (r#"{"list":[],"decimal":"x"}"#, "not a decimal at /decimal"),
        (
            r#"{"list":[],"choice":"X"}"#,
            "unknown variant `X`, expected one of `A`, `B`, `C`, `D` at /choice",
        ),
        (
            r#"{"list":[],"choice":{"B":300}}"#,
            "invalid value: integer `300`, expected i8 at /choice/B",
        ),
        (
            r#"{"list":[],"choice":{"C":[1,true,2]}}"#,
            "invalid length 3, expected fewer elements in array at /choice/C",
        ),
        (
            r#"{"list":[],"choice":{"B":1,"A":null}}"#,
            "invalid value: map, expected map with a single key at /choice",
        ),
    ] {
        let parser = begun(text);
        let error = as_type::<Outer>(&parser).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
        let pointer = message
            .rsplit_once(" at ")
            .map_or("", |(_, pointer)| pointer);
        assert_eq!(error.pointer(), pointer, "{text}");
    }
}

#[test]
fn pointers_start_at_the_root_for_any_value() {
    let parser = parsed(r#"{"a":[0,{"b":true}]}"#);
    let value = parser.pointer("/a/1").unwrap();
    let error = value.deserialize::<BTreeMap<String, u8>>(PartialPolicy::default());
    assert_eq!(error.unwrap_err().pointer(), "/a/1/b");
}

#[test]
fn no_depth_overflows_the_stack() {
    #[derive(Debug, Deserialize)]
    #[serde(transparent)]
    #[expect(dead_code, reason = "read for its depth")]
    struct Nested(Vec<Self>);

    let nested = |levels: usize| {
        let mut parser = Parser::new().limits(Limits::default().max_depth(u32::MAX));
        parser.push("[".repeat(levels)).unwrap();
        parser.push("]".repeat(levels)).unwrap();
        parser
    };
    assert!(as_type::<Nested>(&nested(128)).is_ok());
    let error = as_type::<Nested>(&nested(129)).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("recursion limit exceeded at {}", "/0".repeat(128))
    );

    let deep = nested(200_000);
    assert!(as_type::<Nested>(&deep).is_err());
    assert!(as_type::<Json>(&deep).is_err());
    assert!(as_type::<Untagged>(&deep).is_err());
    as_type::<IgnoredAny>(&deep).unwrap();

    let mut parser = Parser::new().limits(Limits::default().max_depth(u32::MAX));
    parser.push(r#"{"B":"#.repeat(200_000)).unwrap();
    assert!(as_type::<External>(&parser).is_err());
    // Deeper values can still be read.
    let mut value = deep.root().unwrap();
    for _ in 0..199_900 {
        value = value.get(0).unwrap();
    }
    value
        .deserialize::<Nested>(PartialPolicy::default())
        .unwrap();
}

#[test]
fn message_that_can_not_be_formatted_is_an_error() {
    struct Unformattable;
    impl fmt::Display for Unformattable {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the start")?;
            Err(fmt::Error)
        }
    }
    #[derive(Debug)]
    struct Refused;
    impl<'de> Deserialize<'de> for Refused {
        fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            Err(D::Error::custom(Unformattable))
        }
    }
    let parser = parsed("[1]");
    let root = parser.root().unwrap();
    let error = root.deserialize::<Refused>(PartialPolicy::default());
    assert_eq!(error.unwrap_err().to_string(), "the start");
}
