//! Truncated, invalid and too large texts, and calls that contradict themselves.

use json_chunks::tool_call::{ToolCallDetector, ToolCallError, ToolCallEvent, ToolCallShape};
use json_chunks::{Error, ErrorKind, Limits};

use super::{story, tells, whole_story};

#[test]
fn failed_calls_have_a_reason() {
    let (plain, anthropic) = (ToolCallShape::plain(), ToolCallShape::anthropic());
    let strict = ToolCallShape::plain().allow_empty_arguments(false);
    let (twice, not_json, incomplete) = (
        "0 failed: the call has one of its members twice",
        "0 failed: the arguments are not JSON",
        "0 failed: the arguments are incomplete",
    );
    let cases: &[(_, _, &[&str])] = &[
        (
            &plain,
            r#"{"name":"a","arguments":{"x":1},"arguments":{"x":2}}"#,
            &["0 named a", r#"0 + {"x":1}"#, twice],
        ),
        (
            &plain,
            r#"{"arguments":{"x":1},"arguments":"2","name":"a"}"#,
            &["0 named a", r#"0 + {"x":1}"#, twice],
        ),
        (
            &plain,
            r#"{"name":"a","id":"1","id":"2"}"#,
            &["0 named a", "0 id 1", twice],
        ),
        (
            &plain,
            r#"{"name":"a","n\u0061me":"b"}"#,
            &["0 named a", twice],
        ),
        (
            &anthropic,
            r#"{"type":"tool_use","name":"a","type":"tool_use"}"#,
            &["0 named a", twice],
        ),
        (
            &ToolCallShape::openai(),
            r#"{"function":{"name":"a","arguments":"1"},"function":{"name":"b"}}"#,
            &["0 named a", "0 + 1", twice],
        ),
        (
            &plain,
            r#"{"name":"a","age":4}"#,
            &["0 named a", "0 failed: the call has no arguments"],
        ),
        (
            &plain,
            r#"{"type":"tool_use","id":"t","name":"a","input":{"x":1}}"#,
            &["0 named a t", "0 failed: the call has no arguments"],
        ),
        (
            &anthropic,
            r#"{"type":"tool_use","name":"a"}"#,
            &["0 named a", "0 failed: the call has no arguments"],
        ),
        (
            &strict,
            r#"{"name":"a","arguments":""}"#,
            &["0 named a", incomplete],
        ),
        (
            &strict,
            r#"{"name":"a","arguments":"  "}"#,
            &["0 named a", "0 +   ", incomplete],
        ),
        // U+00A0 is not white space in JSON.
        (
            &plain,
            r#"{"name":"a","arguments":"\u00a0"}"#,
            &["0 named a", "0 + \u{a0}", not_json],
        ),
        (
            &plain,
            r#"{"name":"a","arguments":"Paris"}"#,
            &["0 named a", "0 + Paris", not_json],
        ),
        (
            &plain,
            r#"{"name":"a","arguments":"{\"a\":1"}"#,
            &["0 named a", r#"0 + {"a":1"#, incomplete],
        ),
        (
            &plain,
            r#"{"name":"a","arguments":"{}{}"}"#,
            &["0 named a", "0 + {}{}", not_json],
        ),
        (
            &plain,
            r#"{"arguments":"{},","name":"a"}"#,
            &["0 named a", "0 + {},", not_json],
        ),
    ];
    for (shape, text, lines) in cases {
        assert_eq!(tells(shape, text), *lines, "{text}");
    }
}

#[test]
fn error_offset_is_within_decoded_arguments() {
    let mut detector = ToolCallDetector::new(ToolCallShape::plain());
    let events = detector
        .push(r#"{"name":"a","arguments":"{\"\u00e9\":x}"}"#)
        .unwrap();
    let Some(ToolCallEvent::Failed {
        error: ToolCallError::Arguments(error),
        ..
    }) = events.last()
    else {
        panic!("the arguments are not JSON");
    };
    assert_eq!(
        (error.kind(), error.offset()),
        (ErrorKind::Syntax, "{\"é\":".len())
    );
}

/// Calls of every shape, in texts that end with their last call.
const WHOLE: &[&str] = &[
    r#"{"name":"a","arguments":{"x":[1,"}"]}}"#,
    r#"{"arguments":{"x":1},"name":"a"}"#,
    r#"{"name":"a","arguments":"{\"x\":\"\\u00e9\"}"}"#,
    r#"{"name":"a","arguments":12}"#,
    r#"{"name":"a","arguments":true,"id":"1"}"#,
    r#"{"type":"tool_use","id":"t","name":"é","input":{"x":{}}}"#,
    r#"{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}"#,
];

#[test]
fn call_completes_only_with_its_last_byte() {
    let shapes = [
        ToolCallShape::plain(),
        ToolCallShape::anthropic(),
        ToolCallShape::openai(),
    ];
    let mut completed = 0;
    for shape in &shapes {
        for text in WHOLE {
            let is_done = |line: &String| line.contains(" done ");
            for end in 0..text.len() {
                let mut detector = ToolCallDetector::new(shape.clone());
                let story = story(&mut detector, [&text.as_bytes()[..end]]);
                assert!(
                    !story.lines.iter().any(is_done),
                    "{end} bytes of {text}: {story:?}"
                );
                assert_eq!(story.error.is_some(), end > 0, "{end} bytes of {text}");
            }
            completed += whole_story(shape, text)
                .lines
                .iter()
                .filter(|line| is_done(line))
                .count();
        }
    }
    assert_eq!(completed, WHOLE.len());
}

#[test]
fn truncated_text_fails_the_call() {
    for (text, lines, kind, offset) in [
        (
            r#"{"name":"a","arguments":{"x":1"#,
            vec!["0 named a", r#"0 + {"x":1"#],
            ErrorKind::Incomplete,
            30,
        ),
        (
            r#"{"name":"a","arguments":{}"#,
            vec!["0 named a", "0 + {}"],
            ErrorKind::Incomplete,
            26,
        ),
        (
            r#"{"name":"a","arguments":tru"#,
            vec!["0 named a"],
            ErrorKind::Incomplete,
            27,
        ),
        (
            r#"{"name":"a""#,
            vec!["0 named a"],
            ErrorKind::Incomplete,
            11,
        ),
        (
            r#"{"name":"a","arguments":{"x":}}"#,
            vec!["0 named a", r#"0 + {"x":"#],
            ErrorKind::Syntax,
            29,
        ),
        (
            r#"{"name":"a","arguments":{"x":"é"]}"#,
            vec!["0 named a", r#"0 + {"x":"é""#],
            ErrorKind::Syntax,
            33,
        ),
        (r#"{"name":"a",}"#, vec!["0 named a"], ErrorKind::Syntax, 12),
    ] {
        let shape = ToolCallShape::plain();
        let mut reported = whole_story(&shape, text);
        let by_bytes = story(&mut ToolCallDetector::new(shape), text.as_bytes().chunks(1));
        assert_eq!(by_bytes, reported, "{text}");
        let error = reported.error.unwrap();
        assert_eq!((error.kind(), error.offset()), (kind, offset), "{text}");
        assert_eq!(
            reported.lines.pop().unwrap(),
            "0 failed: the text failed or ended before the call was complete",
            "{text}"
        );
        assert_eq!(reported.lines, lines, "{text}");
    }
}

#[test]
fn events_before_an_error_are_reported_and_error_is_permanent() {
    let mut detector = ToolCallDetector::new(ToolCallShape::plain());
    let error = detector
        .push(r#"{"name":"a","arguments":0} {"name":"b","arguments":[1,}"#)
        .unwrap_err();
    let events: Vec<_> = detector.events().collect();
    assert!(matches!(&events[2], ToolCallEvent::Completed(call) if call.name() == "a"));
    let Some(ToolCallEvent::Failed {
        index: 1,
        error: ToolCallError::Text(cause),
    }) = events.last()
    else {
        panic!("{events:?}");
    };
    assert_eq!(*cause, error);
    assert_eq!(detector.events().len(), 0);

    for _ in 0..2 {
        assert_eq!(detector.push("]}").unwrap_err(), error);
        assert_eq!(detector.finish().unwrap_err(), error);
        assert_eq!(detector.events().len(), 0);
    }
    detector.reset();
    assert_eq!(
        story(&mut detector, [r#"{"name":"c","arguments":{}}"#]).lines,
        ["0 named c", "0 + {}", "0 done c"]
    );
}

#[test]
fn limits_apply_to_the_text_and_to_arguments_in_strings() {
    let limited = |limits| ToolCallDetector::new(ToolCallShape::plain()).limits(limits);
    let kind = |error: Option<Error>| error.map(|error| error.kind());

    let reported = story(
        &mut limited(Limits::default().max_depth(3)),
        [r#"{"name":"a","arguments":{"x":[[]]}}"#],
    );
    assert_eq!(kind(reported.error), Some(ErrorKind::TooDeep));
    assert!(reported.lines[2].starts_with("0 failed: the text failed or ended"));

    let mut detector = limited(Limits::default().max_depth(3));
    for (arguments, holds) in [("[[[]]]", true), ("[[[[]]]]", false)] {
        detector.reset();
        let text = format!(r#"{{"name":"a","arguments":"{arguments}"}}"#);
        let reported = story(&mut detector, [text]);
        assert_eq!(reported.error, None);
        assert_eq!(reported.lines[2] == "0 done a", holds, "{reported:?}");
    }

    let reported = story(
        &mut limited(Limits::default().max_token_bytes(4)),
        [r#"{"name":"abcde"}"#],
    );
    assert_eq!(kind(reported.error), Some(ErrorKind::TooLarge));
}

#[test]
fn control_characters_can_be_removed() {
    let text = "{\"name\":\"Re\u{1}ad\",\"arguments\":{\"a\":\"b\u{0}[\"}}";
    let mut strict = ToolCallDetector::new(ToolCallShape::plain());
    assert!(strict.push(text).is_err());
    let mut lenient = strict.clone().strip_control_characters(true);
    lenient.reset();
    assert_eq!(
        story(&mut lenient, text.as_bytes().chunks(1)).lines,
        ["0 named Read", r#"0 + {"a":"b["}"#, "0 done Read"]
    );
}
