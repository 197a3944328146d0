//! Texts that are not JSON, or end too early: what was complete is kept.

use json_chunks::{Entities, EntityErrorCode, EntityMode, Limits};

use super::{line, lines, listen, tells};

const TORN: &str = r#"{"list":[{"a":1},{"b":[true,"x"],"c":"ye"#;

fn told(mode: EntityMode, text: &str) -> Vec<String> {
    tells(&Entities::new(mode).named("list"), mode, text)
}

#[test]
fn a_text_that_ends_too_early() {
    let why = "[INVALID_JSON: not JSON at byte 40: the text ends too early]";
    for (mode, last) in [
        (EntityMode::Batch, vec![r#"0 ERROR [{"a":1}]"#]),
        (
            EntityMode::AllTogether,
            vec![r#"0 COMPLETED {"a":1}"#, r#"1 ERROR {"b":[true,"x"]}"#],
        ),
        (
            EntityMode::OneByOne,
            vec![r#"0 COMPLETED {"a":1}"#, r#"1 ERROR {"b":[true,"x"]}"#],
        ),
        (
            EntityMode::Progressive,
            vec![r#"0 COMPLETED {"a":1}"#, r#"1 ERROR {"b":[true,"x"]}"#],
        ),
        (
            EntityMode::Realtime,
            vec![
                r#"0 COMPLETED {"a":1}"#,
                r#"1 ERROR {"b":[true,"x"],"c":"ye"}"#,
            ],
        ),
    ] {
        let (error, before) = last.split_last().unwrap();
        let mut expected: Vec<_> = before.iter().map(|&line| line.to_owned()).collect();
        expected.push(format!("{error} {why}"));
        assert_eq!(told(mode, TORN), expected, "{mode}");
    }
}

#[test]
fn a_text_that_is_not_json() {
    for (text, expected) in [
        (
            r#"{"list":[{"a":1},{"b":2]}"#,
            &[
                r#"0 COMPLETED {"a":1}"#,
                r#"1 ERROR {"b":2} [INVALID_JSON: not JSON at byte 23: expected ',' or '}']"#,
            ][..],
        ),
        (
            r#"{"list":[1}"#,
            &[
                "0 COMPLETED 1",
                "- ERROR [INVALID_JSON: not JSON at byte 10: expected ',' or ']']",
            ],
        ),
        (
            r#"{"list":[1]]"#,
            &[
                "0 COMPLETED 1",
                "- ERROR [INVALID_JSON: not JSON at byte 11: expected ',' or '}']",
            ],
        ),
        (
            r#"{"list":[1]} x"#,
            &[
                "0 COMPLETED 1",
                "- ERROR [INVALID_JSON: not JSON at byte 13: more text after the value]",
            ],
        ),
        (
            r#"{"list":[{"a":x"#,
            &["0 ERROR [INVALID_JSON: not JSON at byte 14: expected a value]"],
        ),
        (
            "",
            &["- ERROR [INVALID_JSON: not JSON at byte 0: the text ends too early]"],
        ),
        (
            "oops",
            &["- ERROR [INVALID_JSON: not JSON at byte 0: expected a value]"],
        ),
    ] {
        assert_eq!(told(EntityMode::OneByOne, text), expected, "{text}");
    }
}

#[test]
fn nothing_comes_behind_the_error() {
    let mode = EntityMode::Realtime;
    let mut entities = Entities::new(mode);
    let events = listen(&mut entities, mode, ["[1,", "x", ",2]", "[3]"]);
    assert_eq!(
        lines(&events),
        [
            "0 COMPLETED 1",
            "- ERROR [INVALID_JSON: not JSON at byte 3: expected a value]"
        ]
    );
    assert_eq!(entities.error().map(json_chunks::Error::offset), Some(3));
    entities.reset();
    assert_eq!(entities.error(), None);
    assert_eq!(
        lines(&listen(&mut entities, mode, ["[4]"])),
        ["0 COMPLETED 4"]
    );
}

#[test]
fn limits_apply() {
    let limits = Limits::default().max_depth(2);
    let mut entities = Entities::new(EntityMode::OneByOne).limits(limits);
    let events: Vec<_> = entities.push_str("[[1],[[2]]]").collect();
    assert_eq!(line(&events[0]), "0 COMPLETED [1]");
    let error = events[1].error.as_ref().unwrap();
    assert_eq!(
        (events.len(), error.code),
        (2, EntityErrorCode::InvalidJson)
    );
}
