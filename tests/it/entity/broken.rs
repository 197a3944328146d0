//! Invalid and truncated texts: complete entities are kept.

use json_chunks::Limits;
use json_chunks::entity::{EntityDetector, EntityErrorCode, EntityMode};

use super::{line, lines, listen, tells};

const TORN: &str = r#"{"list":[{"a":1},{"b":[true,"x"],"c":"ye"#;

fn reported(mode: EntityMode, text: &str) -> Vec<String> {
    tells(&EntityDetector::new(mode).named("list"), mode, text)
}

#[test]
fn truncated_text_gives_error_events() {
    let why = "[INVALID_JSON: unexpected end of JSON at byte 40]";
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
        assert_eq!(reported(mode, TORN), expected, "{mode}");
    }
}

#[test]
fn invalid_text_gives_error_events() {
    for (text, expected) in [
        (
            r#"{"list":[{"a":1},{"b":2]}"#,
            &[
                r#"0 COMPLETED {"a":1}"#,
                r#"1 ERROR {"b":2} [INVALID_JSON: expected ',' or '}' at byte 23]"#,
            ][..],
        ),
        (
            r#"{"list":[1}"#,
            &[
                "0 COMPLETED 1",
                "- ERROR [INVALID_JSON: expected ',' or ']' at byte 10]",
            ],
        ),
        (
            r#"{"list":[1]]"#,
            &[
                "0 COMPLETED 1",
                "- ERROR [INVALID_JSON: expected ',' or '}' at byte 11]",
            ],
        ),
        (
            r#"{"list":[1]} x"#,
            &[
                "0 COMPLETED 1",
                "- ERROR [INVALID_JSON: trailing characters at byte 13]",
            ],
        ),
        (
            r#"{"list":[{"a":x"#,
            &["0 ERROR [INVALID_JSON: expected a value at byte 14]"],
        ),
        (
            "",
            &["- ERROR [INVALID_JSON: unexpected end of JSON at byte 0]"],
        ),
        (
            "oops",
            &["- ERROR [INVALID_JSON: expected a value at byte 0]"],
        ),
    ] {
        assert_eq!(reported(EntityMode::OneByOne, text), expected, "{text}");
    }
}

#[test]
fn no_event_follows_the_error() {
    let mode = EntityMode::Realtime;
    let mut entities = EntityDetector::new(mode);
    let events = listen(&mut entities, mode, ["[1,", "x", ",2]", "[3]"]);
    assert_eq!(
        lines(&events),
        [
            "0 COMPLETED 1",
            "- ERROR [INVALID_JSON: expected a value at byte 3]"
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
fn limits_give_error_events() {
    let limits = Limits::default().max_depth(2);
    let mut entities = EntityDetector::new(EntityMode::OneByOne).limits(limits);
    let events: Vec<_> = entities.push("[[1],[[2]]]").collect();
    assert_eq!(line(&events[0]), "0 COMPLETED [1]");
    let error = events[1].error.as_ref().unwrap();
    assert_eq!(
        (events.len(), error.code),
        (2, EntityErrorCode::InvalidJson)
    );
}
