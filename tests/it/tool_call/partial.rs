//! The arguments so far of a call that is being written.

use json_chunks::Partial;
use json_chunks::tool_call::{ToolCallDelta, ToolCalls};
use serde::Deserialize;

fn delta(index: usize) -> ToolCallDelta {
    ToolCallDelta::new(index)
}

#[test]
fn partial_arguments_are_typed_and_complete_with_the_call() {
    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Read {
        path: String,
        lines: Vec<u32>,
    }
    let mut calls = ToolCalls::new();
    calls.push(delta(4).name("read")).unwrap();
    assert_eq!(calls.partial(4), Ok(Partial::incomplete(Read::default())));
    let error = calls.partial::<Read>(0).unwrap_err();
    assert_eq!(error.to_string(), "there is no call with the index 0");
    calls.push(delta(4).arguments(r#"{"path": "/sr"#)).unwrap();
    let read = calls.partial::<Read>(4).unwrap();
    assert_eq!((read.value.path.as_str(), read.is_complete), ("/sr", false));
    assert_eq!(calls.arguments(4).unwrap().pointer("/path").unwrap(), "/sr");
    calls
        .push(delta(4).arguments(r#"c", "lines": [1]}"#))
        .unwrap();
    assert!(
        !calls.partial::<Read>(4).unwrap().is_complete,
        "the call has not ended"
    );
    calls.push(delta(4).ended()).unwrap();
    let read = calls.partial::<Read>(4).unwrap().into_complete().unwrap();
    assert_eq!(
        read,
        Read {
            path: "/src".into(),
            lines: vec![1]
        }
    );
}

/// A type whose value is no value before its last byte.
#[derive(Debug, PartialEq, Deserialize)]
enum Mode {
    Read,
    ReadWrite,
}

#[test]
fn argument_that_is_being_written_and_does_not_fit_yet_is_omitted() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Open {
        path: String,
        mode: Option<Mode>,
    }
    let mut calls = ToolCalls::new();
    let open = |path: &str, mode| {
        let path = path.into();
        Ok(Partial::incomplete(Open { path, mode }))
    };
    for (text, expected) in [
        (r#"{"path": "/s"#, open("/s", None)),
        (r#"rc", "mode": "Re"#, open("/src", None)),
        ("ad", open("/src", Some(Mode::Read))),
        ("Wr", open("/src", None)),
        (r#"ite"}"#, open("/src", Some(Mode::ReadWrite))),
    ] {
        calls.push(delta(0).name("open").arguments(text)).unwrap();
        assert_eq!(calls.partial::<Open>(0), expected, "{text}");
    }
    let mut calls = ToolCalls::new();
    calls.push(delta(0).name("open").arguments("{")).unwrap();
    let error = calls.partial::<Open>(0).unwrap_err();
    assert_eq!(error.to_string(), "missing field `path`");
    calls.push(delta(0).arguments(r#""path": true"#)).unwrap();
    calls.push(delta(0).arguments(",")).unwrap();
    let error = calls.partial::<Open>(0).unwrap_err();
    assert_eq!(error.pointer(), "/path", "{error}");
}

#[test]
fn blank_arguments_are_those_of_an_object_without_members() {
    let mut calls = ToolCalls::new();
    for text in ["", " ", "\n"] {
        calls.push(delta(0).name("list").arguments(text)).unwrap();
        let arguments = calls.partial::<serde_json::Value>(0).unwrap();
        assert_eq!(arguments, Partial::incomplete(serde_json::json!({})));
    }
    calls.push(delta(0).ended()).unwrap();
    let arguments = calls.partial::<serde_json::Value>(0).unwrap();
    assert_eq!(arguments, Partial::complete(serde_json::json!({})));
}

#[cfg(feature = "derive")]
#[test]
fn partial_form_has_a_value_from_the_first_byte_on() {
    #[derive(Partial)]
    struct Move {
        from: String,
        #[partial(done)]
        to: String,
    }
    let mut calls = ToolCalls::new();
    let mut seen = vec![];
    for text in ["", r#"{"from""#, r#": "/a", "to": "/b"#, r#"c"}"#] {
        calls.push(delta(0).name("move").arguments(text)).unwrap();
        let so_far = calls.partial::<PartialMove>(0).unwrap();
        assert!(!so_far.is_complete);
        seen.push((so_far.value.from, so_far.value.to));
    }
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        seen,
        [
            (None, None),
            (None, None),
            (text("/a"), None),
            (text("/a"), text("/bc"))
        ]
    );
}
