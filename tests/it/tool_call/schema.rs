//! Arguments of tools that do not conform to a schema.

use json_chunks::schema::Schema;
use json_chunks::tool_call::{
    ToolCallDelta, ToolCallDetector, ToolCallError, ToolCallEvent, ToolCallShape, ToolCalls,
};

const SCHEMA: &str = r#"{
    "type": "object",
    "properties": {"path": {"type": "string"}, "lines": {"type": "array", "maxItems": 2}},
    "required": ["path"],
    "additionalProperties": false
}"#;

/// Arguments, how many of their bytes are enough to refuse them, and why.
const REFUSED: &[(&str, usize, &str)] = &[
    (
        r#"{"path": [1], "lines": []}"#,
        10,
        r#"is not of type "string" at /path"#,
    ),
    (
        r#"{"path": "/", "lines": [1, 2, 3, 4]}"#,
        30,
        "has more than 2 items at /lines",
    ),
    (
        r#"{"path": "/", "mode": "x"}"#,
        23,
        "Additional properties are not allowed",
    ),
    (r#"["path"]"#, 1, r#"is not of type "object""#),
    (r#"{"lines": []}"#, 13, r#""path" is a required property"#),
];

const ACCEPTED: &[&str] = &[
    r#"{"path": "/"}"#,
    r#"{"lines": [1, 2], "path": ""}"#,
    r#"{"path": "Additional"}"#,
];

fn schema() -> Schema {
    SCHEMA.parse().unwrap()
}

/// The last event, and how many bytes of the arguments were read before it.
fn deltas(tool: &str, arguments: &str) -> (usize, ToolCallEvent) {
    let mut calls = ToolCalls::new().schema("read", schema());
    calls.push(ToolCallDelta::new(0).name(tool)).unwrap();
    let mut deltas: Vec<ToolCallDelta> = arguments
        .chars()
        .map(|char| ToolCallDelta::new(0).arguments(char))
        .collect();
    deltas.push(ToolCallDelta::new(0).ended());
    for (n, delta) in deltas.into_iter().enumerate() {
        for event in calls.push(delta).unwrap() {
            if !matches!(event, ToolCallEvent::ArgumentsDelta { .. }) {
                return (n + 1, event);
            }
        }
    }
    panic!("the call has no end: {arguments}")
}

/// The same for a text with the arguments in it, as an object or in a string.
fn text(
    shape: ToolCallShape,
    before: &str,
    arguments: &str,
    after: &str,
) -> (usize, ToolCallEvent) {
    let mut detector = ToolCallDetector::new(shape).schema("read", schema());
    let text = [before, arguments, after].concat();
    for (at, byte) in text.bytes().enumerate() {
        for event in detector.push(&[byte]).unwrap() {
            if matches!(
                event,
                ToolCallEvent::Completed(_) | ToolCallEvent::Failed { .. }
            ) {
                return ((at + 1).saturating_sub(before.len()), event);
            }
        }
    }
    panic!("the call has no end: {text}")
}

fn reason(event: &ToolCallEvent) -> &str {
    match event {
        ToolCallEvent::Failed {
            error: ToolCallError::Schema(reason),
            ..
        } => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn arguments_are_refused_as_soon_as_nothing_can_save_them() {
    for &(arguments, enough, why) in REFUSED {
        let (read, event) = deltas("read", arguments);
        assert!(
            reason(&event).contains(why),
            "{arguments}: {}",
            reason(&event)
        );
        let is_complete_only = enough == arguments.len();
        let (least, most) = (
            enough,
            if is_complete_only {
                enough + 1
            } else {
                enough + 4
            },
        );
        assert!((least..=most).contains(&read), "{arguments}: {read}");

        let (read, event) = text(
            ToolCallShape::plain(),
            r#"{"name":"read","arguments":"#,
            arguments,
            "}",
        );
        assert!(
            reason(&event).contains(why),
            "{arguments}: {}",
            reason(&event)
        );
        assert!(
            (least..=most).contains(&read),
            "{arguments} in an object: {read}"
        );

        let escaped = serde_json::to_string(arguments).unwrap();
        let before = r#"{"function":{"name":"read","arguments":"#;
        let (read, event) = text(ToolCallShape::openai(), before, &escaped, "}}");
        assert!(
            reason(&event).contains(why),
            "{arguments}: {}",
            reason(&event)
        );
        assert!(read <= escaped.len() + 2, "{arguments} in a string: {read}");
        if !is_complete_only {
            assert!(read < escaped.len(), "{arguments} in a string: {read}");
        }
    }
}

#[test]
fn arguments_that_conform_complete() {
    for arguments in ACCEPTED {
        let completed = |event: &ToolCallEvent| matches!(event, ToolCallEvent::Completed(_));
        assert!(completed(&deltas("read", arguments).1), "{arguments}");
        let plain = r#"{"name":"read","arguments":"#;
        assert!(completed(
            &text(ToolCallShape::plain(), plain, arguments, "}").1
        ));
        let last = r#"{"arguments":"#;
        assert!(completed(
            &text(
                ToolCallShape::plain(),
                last,
                arguments,
                r#","name":"read"}"#
            )
            .1
        ));
        let string = serde_json::to_string(arguments).unwrap();
        assert!(completed(
            &text(ToolCallShape::plain(), plain, &string, "}").1
        ));
    }
}

#[test]
fn name_after_the_arguments_still_checks_them() {
    for &(arguments, _, why) in REFUSED {
        let (_, event) = text(
            ToolCallShape::plain(),
            r#"{"arguments":"#,
            arguments,
            r#","name":"read"}"#,
        );
        assert!(reason(&event).contains(why), "{arguments}");
        let mut calls = ToolCalls::new().schema("read", schema());
        calls
            .push(ToolCallDelta::new(0).arguments(arguments))
            .unwrap();
        let events = calls
            .push(ToolCallDelta::new(0).name("read").ended())
            .unwrap();
        assert!(reason(events.last().unwrap()).contains(why), "{arguments}");
    }
}

#[test]
fn empty_arguments_are_checked_as_an_object() {
    let mut calls = ToolCalls::new().schema("read", schema());
    let events = calls
        .push(ToolCallDelta::new(0).name("read").ended())
        .unwrap();
    assert_eq!(
        reason(events.last().unwrap()),
        r#""path" is a required property"#
    );
}

#[test]
fn tools_without_a_schema_are_not_checked() {
    let (_, event) = deltas("write", r#"{"path": 1}"#);
    assert!(matches!(event, ToolCallEvent::Completed(_)));
}

#[test]
fn error_text_does_not_quote_the_arguments() {
    let (_, event) = deltas("read", r#"{"path": {"secret": 1}}"#);
    let ToolCallEvent::Failed { error, .. } = event else {
        panic!("{event:?}")
    };
    assert_eq!(
        error.to_string(),
        "the arguments do not conform to the schema of the tool"
    );
}

#[test]
fn reset_detector_keeps_its_schemas() {
    let mut detector = ToolCallDetector::new(ToolCallShape::plain()).schema("read", schema());
    for _ in 0..2 {
        let mut events = detector
            .push(r#"{"name":"read","arguments":{"path":1}}"#)
            .unwrap();
        assert!(events.any(|event| matches!(event, ToolCallEvent::Failed { .. })));
        drop(events);
        detector.reset();
    }
}
