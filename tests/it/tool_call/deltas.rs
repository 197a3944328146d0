//! Tool calls that arrive in deltas with an index.

use std::collections::BTreeMap;

use json_chunks::tool_call::{ToolCallDelta, ToolCallError, ToolCallEvent, ToolCalls};
use json_chunks::{ErrorKind, Limits};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::write::{Escapes, Style, write};
use json_chunks_testing::writing::{choice_bytes, documents};
use json_chunks_testing::{CASES, config};
use proptest::prelude::{Strategy, prop_assert_eq, proptest};

/// The events, one a line, for each index; adjacent deltas of one call are one:
/// `started read call_1`, `id call_1`, `+ {"path":"/"}`, `completed read call_1`, `failed: why`.
#[derive(Debug, Default, PartialEq)]
struct Log(BTreeMap<usize, (Vec<String>, String)>);

impl Log {
    fn add(&mut self, events: impl IntoIterator<Item = ToolCallEvent>) {
        for event in events {
            let (lines, arguments) = self.0.entry(event.index()).or_default();
            let id = |id: Option<&str>| id.map_or(String::new(), |id| format!(" {id}"));
            let line = match &event {
                ToolCallEvent::Started {
                    id: known, name, ..
                } => {
                    arguments.clear();
                    format!("started {name}{}", id(known.as_deref()))
                }
                ToolCallEvent::Identified { id, .. } => format!("id {id}"),
                ToolCallEvent::ArgumentsDelta { delta, .. } => {
                    assert!(!delta.is_empty());
                    arguments.push_str(delta);
                    if let Some(last) = lines.last_mut()
                        && last.starts_with("+ ")
                    {
                        last.push_str(delta);
                        continue;
                    }
                    format!("+ {delta}")
                }
                ToolCallEvent::Completed(call) => {
                    assert_eq!(call.arguments(), *arguments);
                    format!("completed {}{}", call.name(), id(call.id()))
                }
                ToolCallEvent::Failed { error, .. } => format!("failed: {error}"),
                other => panic!("{other:?}"),
            };
            lines.push(line);
        }
    }

    fn of(&self, index: usize) -> Vec<&str> {
        let lines = self.0.get(&index);
        let lines = lines.into_iter().flat_map(|(lines, _)| lines);
        lines.map(String::as_str).collect()
    }
}

fn delta(index: usize) -> ToolCallDelta {
    ToolCallDelta::new(index)
}

/// The log of deltas and the end of the reply.
fn log(deltas: impl IntoIterator<Item = ToolCallDelta>) -> Log {
    let mut calls = ToolCalls::new();
    let mut log = Log::default();
    for delta in deltas {
        log.add(calls.push(delta).unwrap());
    }
    log.add(calls.finish());
    log
}

#[test]
fn call_completes_at_its_announced_end() {
    let mut calls = ToolCalls::new();
    let mut log = Log::default();
    log.add(calls.push(delta(3).id("c").name("read")).unwrap());
    assert_eq!(log.of(3), ["started read c"]);
    log.add(calls.push(delta(3).arguments(r#"{"a": 1}"#)).unwrap());
    assert_eq!(log.of(3), ["started read c", r#"+ {"a": 1}"#]);
    log.add(calls.push(delta(3).ended()).unwrap());
    let completed = ["started read c", r#"+ {"a": 1}"#, "completed read c"];
    assert_eq!(log.of(3), completed);
    log.add(calls.finish());
    assert_eq!(log.of(3), completed);
}

#[test]
fn terminated_call_completes_at_the_end_of_the_reply() {
    let log = log([delta(0).id("c").name("f").arguments("[1]")]);
    assert_eq!(log.of(0), ["started f c", "+ [1]", "completed f c"]);
}

#[test]
fn call_that_was_cut_off_never_completes() {
    let text = r#"{"to": "bob", "amount": 1000}"#;
    for cut in 0..text.len() {
        let start = delta(0).id("c").name("pay").arguments(text.split_at(cut).0);
        for end in [start.clone(), start.clone().ended()] {
            let is_empty_and_ended = cut == 0 && end.ended;
            let log = log([end]);
            let last = *log.of(0).last().unwrap();
            if is_empty_and_ended {
                assert_eq!(last, "completed pay c");
            } else if cut == 0 {
                assert_eq!(last, "failed: the call has no arguments");
            } else {
                assert_eq!(last, "failed: the arguments are incomplete");
            }
        }
    }
}

#[test]
fn number_alone_is_never_terminated() {
    let deltas = delta(0).name("f").arguments("12").ended();
    assert_eq!(
        log([deltas]).of(0).last(),
        Some(&"failed: the arguments are incomplete")
    );
    let deltas = delta(0).name("f").arguments("12 ").ended();
    assert_eq!(log([deltas]).of(0).last(), Some(&"completed f"));
}

#[test]
fn empty_arguments_are_an_object_once_the_call_has_ended() {
    for text in ["", " ", "\n\t "] {
        let filled = format!("+ {text}{{}}");
        let events = log([
            delta(0).id("c").name("now").arguments(text),
            delta(0).ended(),
        ]);
        assert_eq!(events.of(0), ["started now c", &filled, "completed now c"]);
        let mut calls = ToolCalls::new();
        let start = delta(0).id("c").name("now").arguments(text);
        let mut events = Log::default();
        events.add(calls.push(start).unwrap());
        events.add(calls.end_all());
        assert_eq!(events.of(0), ["started now c", &filled, "completed now c"]);
    }
}

#[test]
fn late_name_starts_the_call_with_what_has_waited() {
    let log = log([
        delta(0).arguments(r#"{"a""#),
        delta(0).id("c").arguments(":1}"),
        delta(0).name("f"),
    ]);
    assert_eq!(log.of(0), ["started f c", r#"+ {"a":1}"#, "completed f c"]);
}

#[test]
fn late_id_is_reported() {
    let log = log([
        delta(0).name("f").arguments("{"),
        delta(0).id("c"),
        delta(0).arguments("}").ended(),
    ]);
    assert_eq!(
        log.of(0),
        ["started f", "+ {", "id c", "+ }", "completed f c"]
    );
}

#[test]
fn call_without_a_name_fails() {
    for end in [delta(0).ended(), delta(1)] {
        let log = log([delta(0).id("c").arguments("{}"), end]);
        assert_eq!(log.of(0), ["failed: the call has no name"]);
    }
}

#[test]
fn broken_call_has_no_effect_on_a_sound_one() {
    let log = log([
        delta(0).id("a").name("f").arguments("{\"x\": nope"),
        delta(1).id("b").name("g").arguments("{\"y\":"),
        delta(0).arguments("}").ended(),
        delta(1).arguments("1}").ended(),
    ]);
    let failed = "failed: the arguments are not JSON";
    assert_eq!(log.of(0), ["started f a", "+ {\"x\": n", failed]);
    assert_eq!(log.of(1), ["started g b", "+ {\"y\":1}", "completed g b"]);
}

#[test]
fn text_after_the_arguments_fails_the_call() {
    let log = log([delta(0).name("f").arguments("{} {}")]);
    assert_eq!(
        log.of(0),
        ["started f", "+ {} ", "failed: the arguments are not JSON"]
    );
}

#[test]
fn repeated_id_and_name_are_ignored() {
    let log = log([
        delta(0).id("c").name("f"),
        delta(0).id("c").name("f").arguments("{"),
        delta(0).id("").name("").arguments("}"),
        delta(0).id("c").name("f").ended(),
        delta(0).ended(),
        delta(0).id("c").name("f").arguments("\n"),
    ]);
    assert_eq!(log.of(0), ["started f c", "+ {}", "completed f c"]);
}

#[test]
fn empty_id_and_name_set_as_fields_are_none() {
    let mut first = delta(0);
    (first.id, first.name) = (Some(String::new()), Some(String::new()));
    let log = log([first, delta(0).id("c").name("f").arguments("{}").ended()]);
    assert_eq!(log.of(0), ["started f c", "+ {}", "completed f c"]);
}

#[test]
fn changed_name_or_id_fails_the_call() {
    for next in [delta(0).name("g"), delta(0).id("d")] {
        let log = log([delta(0).id("c").name("f").arguments("{"), next]);
        let failed = "failed: the call has one of its members twice";
        assert_eq!(log.of(0), ["started f c", "+ {", failed]);
    }
}

#[test]
fn next_id_with_a_name_is_the_next_call_of_the_index() {
    let log = log([
        delta(0).id("a").name("f").arguments("{\"x\":1}"),
        delta(0).id("b").name("f").arguments("{\"x\":2}"),
        delta(0).id("c").name("f").arguments("{\"x\":"),
        delta(0).id("d").name("f").ended(),
    ]);
    assert_eq!(
        log.of(0),
        [
            "started f a",
            "+ {\"x\":1}",
            "completed f a",
            "started f b",
            "+ {\"x\":2}",
            "completed f b",
            "started f c",
            "+ {\"x\":",
            "failed: the arguments are incomplete",
            "started f d",
            "+ {}",
            "completed f d",
        ]
    );
}

#[test]
fn next_name_without_ids_is_the_next_call_if_the_last_is_terminated() {
    let call = |name: &str, text: &str| delta(0).name(name).arguments(text);
    let lines = log([call("f", "{}"), call("g", "[]")]);
    let both = [
        "started f",
        "+ {}",
        "completed f",
        "started g",
        "+ []",
        "completed g",
    ];
    assert_eq!(lines.of(0), both);
    let lines = log([call("f", "{"), call("g", "}")]);
    assert_eq!(
        lines.of(0).last(),
        Some(&"failed: the call has one of its members twice")
    );
    // The call so far, sent twice: never executed twice.
    let lines = log([call("f", "{}"), call("f", "{}")]);
    assert_eq!(
        lines.of(0).last(),
        Some(&"failed: the arguments are not JSON")
    );
}

#[test]
fn end_of_something_else_is_ignored() {
    assert_eq!(log([delta(0).ended(), delta(1)]), Log::default());
}

#[test]
fn text_after_the_end_is_an_error_and_changes_nothing() {
    let mut calls = ToolCalls::new();
    calls
        .push(delta(0).name("f").arguments("{}").ended())
        .unwrap();
    for late in [
        delta(0).arguments("{}"),
        delta(0).name("g"),
        delta(0).id("late"),
    ] {
        let is_next_call = late.name.is_some();
        let mut calls = calls.clone();
        match calls.push(late) {
            Ok(events) => assert!(is_next_call && !events.is_empty()),
            Err(error) => {
                assert_eq!((error.kind(), error.offset()), (ErrorKind::Syntax, 2));
                let text = "more of a tool call after its end at byte 2 of its arguments";
                assert_eq!(error.to_string(), text);
                assert!(calls.push(delta(1).name("g")).is_ok());
            }
        }
    }
    calls.finish();
    assert!(calls.push(delta(0).ended()).unwrap().is_empty());
    assert!(calls.push(delta(5).name("f")).is_err());
    calls.reset();
    assert_eq!(calls.push(delta(5).name("f")).unwrap().len(), 1);
}

#[test]
fn interrupted_reply_completes_nothing() {
    let mut calls = ToolCalls::new();
    calls.push(delta(0).name("f").arguments("{}")).unwrap();
    calls
        .push(delta(1).name("g").arguments("{}").ended())
        .unwrap();
    let events = calls.interrupt();
    assert!(matches!(
        events.as_slice(),
        [ToolCallEvent::Failed { index: 0, error: ToolCallError::Text(error) }]
            if error.is_incomplete()
    ));
    assert!(calls.finish().is_empty());
}

#[test]
fn too_many_calls_are_an_error() {
    let mut calls = ToolCalls::new().max_calls(2);
    let call = |index| {
        delta(index)
            .id(format!("c{index}"))
            .name("f")
            .arguments("{}")
    };
    calls.push(call(0)).unwrap();
    calls.push(call(7)).unwrap();
    for next in [call(8), delta(7).id("x").name("f")] {
        let error = calls.push(next).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooLarge);
        assert_eq!(error.to_string(), "more than 2 tool calls");
    }
    assert_eq!(calls.finish().len(), 2);
}

#[test]
fn arguments_that_exceed_the_limits_fail_the_call() {
    let mut calls = ToolCalls::new().limits(Limits::default().max_depth(1));
    let events = calls
        .push(delta(0).name("f").arguments("{\"a\":[]}"))
        .unwrap();
    let Some(ToolCallEvent::Failed {
        error: ToolCallError::Arguments(error),
        ..
    }) = events.last()
    else {
        panic!("{events:?}")
    };
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TooDeep, 5));
}

#[test]
fn debug_has_no_payload() {
    let delta = delta(0).id("c").name("f").arguments("secret");
    let text = format!("{delta:?} {:?}", ToolCalls::new());
    assert!(!text.contains("secret"), "{text}");
    assert!(text.contains("argument_bytes: 6"), "{text}");
}

/// A call, how its text may be damaged, and what the API says of it.
#[derive(Clone, Debug)]
struct Planned {
    name: String,
    id: String,
    text: String,
    ended: bool,
}

/// The pieces of a call: id and name somewhere, the text in random pieces.
fn deltas(index: usize, call: &Planned, source: &mut ByteSource<'_>) -> Vec<ToolCallDelta> {
    let mut deltas = vec![];
    let mut rest = call.text.as_str();
    while !rest.is_empty() {
        let ends: Vec<usize> = (1..=rest.len())
            .filter(|end| rest.is_char_boundary(*end))
            .collect();
        let end = *source.choose(&ends);
        let (piece, after) = rest.split_at(end);
        deltas.push(delta(index).arguments(piece));
        rest = after;
    }
    deltas.push(delta(index));
    let at: Vec<usize> = (0..deltas.len()).collect();
    let (id, name) = (*source.choose(&at), *source.choose(&at));
    deltas[id].id = Some(call.id.clone());
    deltas[name].name = Some(call.name.clone());
    if call.ended {
        deltas.push(delta(index).ended());
    }
    deltas
}

/// Returns whether more text can make the text JSON. A `-` at the end is no end of the text to
/// `serde_json`, but an invalid number.
fn is_prefix(text: &str) -> bool {
    [text, &format!("{text}0")].iter().any(|text| {
        let read = serde_json::from_str::<serde::de::IgnoredAny>(text);
        read.map_or_else(|error| error.is_eof(), |_| true)
    })
}

/// What must be reported of the call, the place of the late id aside.
fn expected(call: &Planned) -> (String, &'static str) {
    let started = format!("started {}", call.name);
    let is_blank = call.text.trim_matches([' ', '\t', '\n', '\r']).is_empty();
    // Not as a `Value`, which refuses surrogates escaped alone and large numbers.
    let value = serde_json::from_str::<serde::de::IgnoredAny>(&call.text);
    let is_number = call
        .text
        .starts_with(|first: char| first == '-' || first.is_ascii_digit());
    let ends_open = call.text.ends_with(|last: char| last.is_ascii_digit());
    let last = match value {
        _ if is_blank && call.ended => "completed",
        _ if is_blank => "failed: the call has no arguments",
        Ok(_) if is_number && ends_open => "failed: the arguments are incomplete",
        Ok(_) => "completed",
        Err(_) if is_prefix(&call.text) => "failed: the arguments are incomplete",
        Err(_) => "failed: the arguments are not JSON",
    };
    (started, last)
}

fn planned() -> impl Strategy<
    Value = Vec<(
        proptest::sample::Index,
        bool,
        json_chunks_testing::json::Json,
    )>,
> {
    let damage = proptest::prelude::any::<proptest::sample::Index>();
    proptest::collection::vec(
        (damage, proptest::prelude::any::<bool>(), documents()),
        1..4,
    )
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn any_interleaving_and_split_gives_the_same_events(
        plan in planned(),
        source in choice_bytes(),
    ) {
        let mut source = ByteSource::new(&source);
        let mut calls = vec![];
        for (n, (damage, ended, json)) in plan.into_iter().enumerate() {
            let mut text = write(&json, Style::plain(Escapes::Few));
            if source.one_in(3) {
                let mut cut = damage.index(text.len() + 1);
                while !text.is_char_boundary(cut) {
                    cut -= 1;
                }
                if source.one_in(2) {
                    text.truncate(cut);
                } else {
                    text.insert(cut, '}');
                }
            }
            calls.push(Planned { name: format!("f{n}"), id: format!("c{n}"), text, ended });
        }
        let mut queues: Vec<_> = calls.iter().enumerate()
            .map(|(index, call)| deltas(index, call, &mut source).into_iter().peekable())
            .collect();
        let mut machine = ToolCalls::new();
        let mut log = Log::default();
        loop {
            let open: Vec<usize> = (0..queues.len())
                .filter(|queue| queues[*queue].peek().is_some())
                .collect();
            if open.is_empty() {
                break;
            }
            let next = *source.choose(&open);
            let delta = queues[next].next().unwrap();
            log.add(machine.push(delta).unwrap());
        }
        log.add(machine.finish());
        // One delta a call, one call after the other.
        let mut at_once = ToolCalls::new();
        let mut plain = Log::default();
        for (index, call) in calls.iter().enumerate() {
            let mut entire = delta(index).id(&call.id).name(&call.name).arguments(&call.text);
            entire.ended = call.ended;
            plain.add(at_once.push(entire).unwrap());
        }
        plain.add(at_once.finish());
        let without_id = |log: &Log, index: usize, id: &str| -> Vec<String> {
            let mut lines: Vec<String> = vec![];
            for line in log.of(index).into_iter().filter(|line| !line.starts_with("id ")) {
                let line = line.strip_suffix(&format!(" {id}")).unwrap_or(line);
                if let Some(more) = line.strip_prefix("+ ")
                    && let Some(last) = lines.last_mut()
                    && last.starts_with("+ ")
                {
                    last.push_str(more);
                } else {
                    lines.push(line.to_owned());
                }
            }
            lines
        };
        for (index, call) in calls.iter().enumerate() {
            let lines = without_id(&log, index, &call.id);
            prop_assert_eq!(&lines, &without_id(&plain, index, &call.id));
            let (first, last) = expected(call);
            prop_assert_eq!(&lines[0], &first);
            let last = match last {
                "completed" => format!("completed {}", call.name),
                failed => failed.to_owned(),
            };
            prop_assert_eq!(lines.last(), Some(&last), "{:?}", call);
        }
    }
}
