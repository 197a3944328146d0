//! Single texts.

use json_chunks::repair::{RepairOptions, RepairRule, repair_with};
use json_chunks::{ErrorKind, Kind, Limits, repair};
use serde::Deserialize;

use super::repaired;

#[track_caller]
fn becomes(rows: &[(&str, &str)]) {
    for (before, after) in rows {
        let repaired = repaired(before);
        assert_eq!(repaired.text(), *after, "{before}: {:?}", repaired.edits());
    }
}

#[test]
fn valid_json_is_returned_unchanged() {
    for text in [
        "{}",
        " [1 , 2]\n\n",
        r#"{"a":1,"a":2}"#,
        r#""a \ud83d // # ``` ' b""#,
        "-0.0e+00",
        "null",
    ] {
        let repaired = repaired(text);
        assert!(repaired.is_unchanged());
        assert_eq!(repaired.text(), text);
        assert_eq!(repaired.into_text(), text);
    }
}

#[test]
fn byte_order_mark_is_removed() {
    let repaired = repaired("\u{FEFF}[1]");
    assert_eq!(repaired.text(), "[1]");
    assert_eq!(repaired.edits()[0].rule(), RepairRule::ByteOrderMark);
    assert_eq!(repaired.edits()[0].range(), 0..3);
}

#[test]
fn text_without_a_value_returns_an_error() {
    for text in [
        "",
        " \n",
        "Sorry, I can't do that.",
        "- one\n- two",
        "-",
        "1. First",
        "``` ```",
        "// nothing\n",
        "\u{FEFF}",
        "}",
        "see [the notes] for {name}",
        "3 items follow",
    ] {
        let error = repair(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{text}");
        assert_eq!(error.offset(), text.len(), "{text}");
        assert!(
            error.to_string().starts_with("expected a value at byte"),
            "{error}"
        );
    }
}

#[test]
fn value_is_found_in_other_text() {
    becomes(&[
        ("Result: [1,2] (two)", "[1,2]"),
        ("As in [1] and {}: {\"a\":1}", "{\"a\":1}"),
        ("It is [5].", "[5]"),
        ("As [the docs] say: {\"a\":1}", "{\"a\":1}"),
        ("Use {name} like so: {name: 1}", "{\"name\": 1}"),
        ("```\n\"text\"\n```", "\"text\""),
        ("```json\n[1]\n```\nand\n```json\n[2]\n```", "[1]"),
        ("# Result\n{\"a\":1}", "{\"a\":1}"),
        ("\"a\": {\"b\":1}", "{\"a\": {\"b\":1}}"),
        ("1\n2\n3", "1"),
        ("True", "true"),
        ("'it''s'", "\"it''s\""),
        ("\"say \"hi\" now\"", "\"say \\\"hi\\\" now\""),
        ("{\"a\":1}, \"b\":2}", "{\"a\":1, \"b\":2}"),
    ]);
}

#[test]
fn fence_closes_what_is_open() {
    becomes(&[
        ("```json\n{\"a\":[1,\n```\nThat's it!", "{\"a\":[1\n]}"),
        (
            "```json\n{\"a\":\"text\n```\nThat's it!",
            "{\"a\":\"text\"\n}",
        ),
    ]);
    let repaired = repaired("{\"a\":\"```js\nx\n```\ny\"}");
    assert_eq!(
        repaired.value().get("a").unwrap().as_str(),
        Some("```js\nx\n```\ny")
    );
}

#[test]
fn strings_with_a_plus_are_concatenated() {
    becomes(&[
        ("{\"a\": \"x\" +\n  'y' + \"z\"}", "{\"a\": \"xyz\"}"),
        ("\"x\" + \"y\"", "\"xy\""),
        ("[\"x\" + ", "[\"x\"  ]"),
        ("[\"x\" + \"", "[\"x\"]"),
    ]);
}

#[test]
fn closers_match_their_openers() {
    becomes(&[
        ("[{\"a\":1}}, {\"b\":2}]", "[{\"a\":1}, {\"b\":2}]"),
        (
            "{\"x\":[{\"a\":1}}, {\"b\":2}]}",
            "{\"x\":[{\"a\":1}, {\"b\":2}]}",
        ),
        (
            "{\"a\":[{\"b\":1,\"c\":[2}, {\"d\":3}]}",
            "{\"a\":[{\"b\":1,\"c\":[2]}, {\"d\":3}]}",
        ),
        ("{\"a\":1]", "{\"a\":1}"),
        ("[1,2}", "[1,2]"),
        ("[[1,2}", "[[1,2]]"),
        (
            "{\"a\":[1,2,\"b\":3,\"c\":4}",
            "{\"a\":[1,2],\"b\":3,\"c\":4}",
        ),
        ("{\"a\":[1,'b':3]}", "{\"a\":[1],\"b\":3}"),
        ("{\"a\":[1 \"b\":3", "{\"a\":[1], \"b\":3}"),
        ("{\"a\":[1,\"b\":", "{\"a\":[1]}"),
        ("[[1,\"b\":3]", "[[1,\"b\",3]]"),
        ("{\"a\":{{\"b\":1}},\"c\":2}", "{\"a\":{\"b\":1},\"c\":2}"),
    ]);
}

#[test]
fn quotes_in_a_string_do_not_end_it() {
    becomes(&[
        (
            r#"{"a":"he said "yes", and left","b":1}"#,
            r#"{"a":"he said \"yes\", and left","b":1}"#,
        ),
        (r#"["a "b"","c"]"#, r#"["a \"b\"","c"]"#),
        (
            r#"["see [the "docs"] for more"]"#,
            r#"["see [the \"docs\"] for more"]"#,
        ),
        (
            r#"{"a":"say "b": loud","c":1}"#,
            r#"{"a":"say \"b\": loud","c":1}"#,
        ),
        (r#"{"the "name"":1}"#, r#"{"the \"name\"":1}"#),
        (
            "{'a':'it's fine','b':'so'}",
            r#"{"a":"it's fine","b":"so"}"#,
        ),
        (
            r#"{"a":"if (b == "c") { return "d"; }","e":1}"#,
            r#"{"a":"if (b == \"c\") { return \"d\"; }","e":1}"#,
        ),
        ("{\"a\":\"x\n \"b\":1}", "{\"a\":\"x\",\n \"b\":1}"),
    ]);
}

#[test]
fn quoted_word_may_end_a_string() {
    becomes(&[
        (r#"{"a":"say "x""}"#, r#"{"a":"say \"x\""}"#),
        (
            r#"{"a":"one","c":"say "x""}"#,
            r#"{"a":"one","c":"say \"x\""}"#,
        ),
        (r#"["a", "the "end""]"#, r#"["a", "the \"end\""]"#),
        (
            r#"{"list": ["a", "the "end""]}"#,
            r#"{"list": ["a", "the \"end\""]}"#,
        ),
    ]);
}

#[test]
fn undone_edits_leave_no_trace() {
    becomes(&[
        (r#"{"a":1[]] "b":2}"#, r#"{"a":1, "b":2}"#),
        (r#"{"a":1"b",[]]"b",[]]"#, r#"{"a":1,"b":null,"b":null}"#),
        (r#"{"a":{}a":]]"x"#, r#"{"a":{},"a":null}"#),
        ("{\"a\":“b\\“c”}", r#"{"a":"b“c"}"#),
    ]);
}

#[test]
fn words_and_numbers_are_distinguished() {
    becomes(&[
        ("[1 2 -3 .5]", "[1, 2, -3, 0.5]"),
        ("[true false]", "[true, false]"),
        ("[true story]", "[\"true story\"]"),
        (
            "[2024-01-02, 5 kg, 1/2, 50%]",
            "[\"2024-01-02\", \"5 kg\", \"1/2\", \"50%\"]",
        ),
        ("{a: true b: 2}", "{\"a\": true, \"b\": 2}"),
        (
            "{a: https://b.c/d?e=f, g: 1}",
            "{\"a\": \"https://b.c/d?e=f\", \"g\": 1}",
        ),
        (
            "{a: Paris, France, b: 1}",
            "{\"a\": \"Paris, France\", \"b\": 1}",
        ),
        (
            "{a: one\n b: two\n}",
            "{\"a\": \"one\",\n \"b\": \"two\"\n}",
        ),
        ("{a\\b\u{1}: 1}", "{\"a\\\\b\\u0001\": 1}"),
        ("{a: b\"}", "{\"a\": \"b\"}"),
        ("[0x1f, -0x1, 1.2.3]", "[31, \"-0x1\", \"1.2.3\"]"),
    ]);
}

#[test]
fn invalid_utf8_keeps_byte_offsets() {
    let repaired = repaired(b"\xff{'a\xe2\x82': \xf0'\xff\xfe', 'b': 1} \xff");
    assert_eq!(
        repaired.text(),
        "{\"a\u{FFFD}\": \"\u{FFFD}\u{FFFD}\", \"b\": 1} "
    );
    let half = super::repaired(b"[\"a\xf0\x9f\x98");
    assert_eq!(half.text(), "[\"a\"]");
    assert_eq!(half.edits()[0].range(), 3..6);
}

#[test]
fn edits_serialize_as_json() {
    let repaired = repaired("[1,]");
    let edits = serde_json::to_value(repaired.edits()).unwrap();
    assert_eq!(
        edits,
        serde_json::json!([{"start": 2, "end": 3, "rule": "trailing_comma", "replacement": ""}])
    );
    assert_eq!(serde_json::to_value(RepairRule::Fence).unwrap(), "fence");
}

#[test]
fn repaired_value_deserializes() {
    #[derive(Deserialize)]
    struct Trip<'a> {
        title: &'a str,
        days: u8,
    }
    let repaired = repaired("{title: 'Three', days: +03");
    let trip: Trip<'_> = repaired.deserialize().unwrap();
    assert_eq!((trip.title, trip.days), ("Three", 3));
    assert_eq!(repaired.value().kind(), Kind::Object);
    assert!(repaired.deserialize::<u8>().is_err());
}

#[test]
fn exceeded_limits_return_an_error() {
    let limits = Limits::default()
        .max_depth(3)
        .max_token_bytes(8)
        .max_document_bytes(64);
    let options = RepairOptions::default().limits(limits);
    for (text, kind, offset) in [
        ("x [[[[1", ErrorKind::TooDeep, 5),
        ("[[[[1]]]]", ErrorKind::TooDeep, 3),
        ("['123456789'", ErrorKind::TooLarge, 2),
    ] {
        let error = repair_with(text, options).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, offset), "{text}");
    }
    let long = format!("[{}", "1,".repeat(40));
    assert_eq!(
        repair_with(long, options).unwrap_err().kind(),
        ErrorKind::TooLarge
    );
    let deep = "[".repeat(100_000);
    let options = RepairOptions::default().limits(Limits::default().max_depth(u32::MAX));
    assert_eq!(repair_with(deep, options).unwrap().text().len(), 200_000);
}

#[test]
fn debug_output_has_no_payload() {
    let shown = format!("{:?}", repaired("{secret: 'token'"));
    assert!(
        !shown.contains("secret") && !shown.contains("token"),
        "{shown}"
    );
}
