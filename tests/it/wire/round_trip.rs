//! Law 11: a reader of a dialect returns what a writer was given, and each dialect can be served as
//! each other one.

use std::collections::BTreeSet;

use json_chunks::tool_call::{ToolCallDelta, ToolCallEvent, ToolCalls};
use json_chunks::wire::{Dialect, Finish, Piece, Reader, Usage, Writer};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::feed::pieces;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use serde_json::Value;

use super::laws::Script;
use super::steps::{Do, writer};

/// The pieces of a body, or none if the reader has found an error.
fn read<P: AsRef<[u8]>>(dialect: Dialect, body: impl IntoIterator<Item = P>) -> Option<Vec<Piece>> {
    let mut reader = Reader::new(dialect);
    let mut all = Vec::new();
    for bytes in body {
        all.extend(reader.push(bytes));
    }
    all.extend(reader.finish());
    let all: Result<Vec<Piece>, _> = all.into_iter().collect();
    let all = all.ok()?;
    let ends = |piece: &&Piece| matches!(piece, Piece::Finish(_) | Piece::Failed { .. });
    assert_eq!(all.iter().filter(ends).count(), 1);
    assert!(all.last().is_some_and(|last| ends(&last)));
    Some(all)
}

/// The body that a script writes in a dialect.
fn write(dialect: Dialect, steps: &[Do]) -> (String, Writer) {
    let mut writer = writer(dialect);
    for step in steps {
        step.apply(&mut writer).unwrap();
    }
    (writer.take_body(), writer)
}

/// The id, the name and the arguments of a call.
type Completed = (Option<String>, String, String);

/// What pieces say, however they are divided.
#[derive(Clone, Debug, Default, PartialEq)]
struct Said {
    text: String,
    /// Those that can be executed, in order.
    completed: Vec<Completed>,
    started: usize,
    data: Vec<(String, Value)>,
    usage: Option<Usage>,
    finish: Option<Finish>,
    error: Option<String>,
}

fn said(pieces: Vec<Piece>) -> Said {
    let mut said = Said::default();
    let mut calls = ToolCalls::new();
    let mut events = Vec::new();
    let mut done: Vec<(usize, Completed)> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => said.text += &text,
            Piece::Call(delta) => events.extend(calls.push(delta).unwrap()),
            Piece::Data { name, json } => {
                said.data.push((name, serde_json::from_str(&json).unwrap()));
            }
            Piece::Usage(usage) => said.usage = Some(usage),
            Piece::Finish(finish) => said.finish = Some(finish),
            Piece::Failed { message, .. } => said.error = Some(message),
            other => panic!("{other:?}"),
        }
    }
    for event in events {
        match event {
            ToolCallEvent::Started { .. } => said.started += 1,
            ToolCallEvent::Completed(call) => done.push((
                call.index(),
                (
                    call.id().map(str::to_owned),
                    call.name().to_owned(),
                    call.arguments().to_owned(),
                ),
            )),
            ToolCallEvent::Failed { error, .. } => panic!("{error}"),
            _ => {}
        }
    }
    done.sort_by_key(|(index, _)| *index);
    said.completed = done.into_iter().map(|(_, call)| call).collect();
    said
}

/// The same as far as a dialect can say it.
fn as_in(dialect: Dialect, said: &Said) -> Said {
    let mut said = said.clone();
    for (id, _, arguments) in &mut said.completed {
        // As values, because white space may be lost.
        *arguments = serde_json::from_str::<Value>(arguments)
            .unwrap()
            .to_string();
        if dialect == Dialect::Ollama {
            *id = None;
        }
    }
    match dialect {
        Dialect::AgUi => said.usage = None,
        Dialect::Anthropic => {
            said.usage = said.usage.map(|usage| usage.reasoning_tokens(0));
        }
        Dialect::Ollama => {
            said.usage = said
                .usage
                .map(|usage| Usage::new(usage.input_tokens, usage.output_tokens));
        }
        _ => {}
    }
    if !matches!(dialect, Dialect::UiMessages | Dialect::AgUi) {
        said.data.clear();
    }
    if matches!(dialect, Dialect::Ollama | Dialect::Gemini) {
        // They are written as they end.
        said.completed.sort();
    }
    said
}

fn random(source: &mut ByteSource<'_>) -> (Script, Said) {
    let mut script = Script::random(source);
    script.end_all();
    let usage = source
        .one_in(2)
        .then(|| Usage::new(20, 7).cached_tokens(5).reasoning_tokens(3));
    let finish = if script.calls.is_empty() {
        Finish::Stop
    } else {
        Finish::ToolCalls
    };
    script.steps.push(Do::Finish(finish, usage));
    let call = |(_, call): &(usize, super::naive::Call)| {
        (call.id.clone(), call.name.clone(), call.arguments.clone())
    };
    let said = Said {
        text: script.text.clone(),
        completed: script.calls.iter().map(call).collect(),
        started: script.calls.len(),
        data: script.data.clone(),
        usage,
        finish: Some(finish),
        error: None,
    };
    (script, said)
}

/// All but plain text, which has no calls.
const DIALECTS: [Dialect; 7] = [
    Dialect::OpenAiChat,
    Dialect::OpenAiResponses,
    Dialect::Anthropic,
    Dialect::UiMessages,
    Dialect::AgUi,
    Dialect::Ollama,
    Dialect::Gemini,
];

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn reader_of_each_dialect_returns_what_was_written(bytes in any::<Vec<u8>>()) {
        let mut source = ByteSource::new(&bytes);
        let (script, expected) = random(&mut source);
        for dialect in DIALECTS {
            let (body, _) = write(dialect, &script.steps(dialect));
            let pieces = pieces(body.as_bytes(), &mut source);
            let mut found = said(read(dialect, pieces).unwrap());
            // The writer adds the ids and the usage that clients require.
            if dialect == Dialect::Anthropic && expected.usage.is_none() {
                prop_assert_eq!(found.usage.take(), Some(Usage::new(12, 0)));
            }
            prop_assert_eq!(as_in(dialect, &found), as_in(dialect, &expected), "{}", dialect);
        }
    }

    #[test]
    fn lost_body_is_an_error_in_every_dialect(bytes in any::<Vec<u8>>()) {
        let mut source = ByteSource::new(&bytes);
        let (script, _) = random(&mut source);
        for dialect in DIALECTS {
            let steps = script.steps(dialect);
            let (_, unfinished) = steps.split_last().unwrap();
            let (body, _) = write(dialect, unfinished);
            let cut = body.len() * source.below(257).min(256) / 256;
            prop_assert_eq!(read(dialect, [&body.as_bytes()[..cut]]), None, "{}", dialect);
        }
    }

    #[test]
    fn failure_is_read_as_it_was_written(bytes in any::<Vec<u8>>()) {
        let mut source = ByteSource::new(&bytes);
        let mut script = Script::random(&mut source);
        script.steps.push(super::steps::fail("overloaded_error", "too much"));
        for dialect in DIALECTS {
            let (body, _) = write(dialect, &script.steps(dialect));
            let pieces = read(dialect, [body]).unwrap();
            let has_code = !matches!(dialect, Dialect::UiMessages | Dialect::Ollama);
            let code = if has_code { "overloaded_error" } else { "" }.to_owned();
            let failed = Piece::Failed { code, message: "too much".to_owned() };
            prop_assert_eq!(pieces.last(), Some(&failed));
        }
    }

    #[test]
    fn cut_is_read_as_it_was_written(bytes in any::<Vec<u8>>()) {
        let mut source = ByteSource::new(&bytes);
        let mut script = Script::random(&mut source);
        let finish = *source.choose(&[Finish::Length, Finish::ContentFilter]);
        script.steps.push(Do::Finish(finish, None));
        for dialect in DIALECTS {
            let (body, _) = write(dialect, &script.steps(dialect));
            let pieces = read(dialect, [body]).unwrap();
            let has_failed = matches!(pieces.last(), Some(Piece::Failed { .. }));
            let may_fail = matches!(dialect, Dialect::Anthropic | Dialect::OpenAiChat);
            prop_assert!(!has_failed || may_fail);
            if !has_failed {
                prop_assert_eq!(pieces.last(), Some(&Piece::Finish(finish)));
                prop_assert_eq!(&said(pieces).text, &script.text);
            }
        }
    }

    #[test]
    fn plain_text_is_read_at_every_split(text in ".{0,40}", bytes in any::<Vec<u8>>()) {
        let mut source = ByteSource::new(&bytes);
        let (body, _) = write(
            Dialect::PlainText,
            &[Do::Text(text.clone()), Do::Finish(Finish::Stop, None)],
        );
        let found = said(read(Dialect::PlainText, pieces(body.as_bytes(), &mut source)).unwrap());
        prop_assert_eq!((found.text, found.finish), (text, Some(Finish::Stop)));
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn each_dialect_is_served_as_each_other_one(bytes in any::<Vec<u8>>()) {
        let mut source = ByteSource::new(&bytes);
        let (script, _) = random(&mut source);
        for from in DIALECTS {
            let (body, _) = write(from, &script.steps(from));
            let first = read(from, [&body]).unwrap();
            for to in DIALECTS {
                let mut writer = writer(to);
                for piece in first.clone() {
                    writer.push(piece).unwrap();
                }
                let mut again = said(read(to, [writer.take_body()]).unwrap());
                let mut first = said(first.clone());
                if to == Dialect::Anthropic && first.usage.is_none() {
                    again.usage = None;
                }
                if from == Dialect::Ollama {
                    // Ids were missing, and have been made.
                    for (id, _, _) in again.completed.iter_mut().chain(&mut first.completed) {
                        *id = None;
                    }
                }
                prop_assert_eq!(as_in(to, &again), as_in(to, &first), "{} as {}", from, to);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn damaged_body_never_panics_and_ends_once(bytes in any::<Vec<u8>>()) {
        let mut source = ByteSource::new(&bytes);
        let (script, _) = random(&mut source);
        for dialect in Dialect::ALL {
            let (body, _) = write(dialect, &script.steps(dialect));
            let mut body = body.into_bytes();
            for _ in 0..=source.below(4) {
                let place = body.len() * source.below(256) / 256;
                let byte = *source.choose(b"\"{}[],:\\\n\r 0x\xff");
                match body.get_mut(place) {
                    Some(there) if source.one_in(2) => *there = byte,
                    _ => body.insert(place, byte),
                }
            }
            let mut reader = Reader::new(dialect);
            let mut writer = writer(Dialect::UiMessages);
            let mut ends = 0;
            let mut found: Vec<_> = pieces(&body, &mut source)
                .into_iter()
                .flat_map(|bytes| reader.push(bytes).collect::<Vec<_>>())
                .collect();
            found.extend(reader.finish());
            prop_assert!(reader.is_over());
            for piece in found.into_iter().flatten() {
                prop_assert_eq!(ends, 0, "nothing follows the end");
                ends += usize::from(matches!(piece, Piece::Finish(_) | Piece::Failed { .. }));
                // Whatever it says, what is written of it can be read.
                if writer.push(piece).is_err() {
                    break;
                }
            }
            // Damage may give two calls the same id, and no client distinguishes those.
            let written = writer.take_body();
            let ids = ids_of_calls(&written);
            if ids.iter().collect::<BTreeSet<_>>().len() == ids.len() {
                super::naive::read(Dialect::UiMessages, &written);
            }
        }
    }
}

/// The ids of the calls that a reply in the UI message stream starts.
fn ids_of_calls(body: &str) -> Vec<String> {
    let frames = body
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok());
    frames
        .filter(|frame| frame["type"] == "tool-input-start")
        .map(|frame| frame["toolCallId"].to_string())
        .collect()
}

#[test]
fn plain_text_that_is_no_text_is_an_error() {
    for body in [&b"a\xff"[..], b"a\xc3"] {
        let mut reader = Reader::new(Dialect::PlainText);
        let mut found: Vec<_> = reader.push(body).collect();
        found.extend(reader.finish());
        assert_eq!(found[0], Ok(Piece::Text("a".to_owned())));
        assert_eq!(found[1].as_ref().unwrap_err().offset(), 1);
        assert_eq!(found.len(), 2);
    }
}

/// The body that pieces write.
fn push_all<T: Into<Piece>>(dialect: Dialect, pieces: impl IntoIterator<Item = T>) -> String {
    let mut writer = writer(dialect);
    for piece in pieces {
        writer.push(piece).unwrap();
    }
    writer.finish_complete().unwrap();
    writer.take_body()
}

#[test]
fn name_after_the_arguments_is_written_before_them() {
    let body = push_all(
        Dialect::OpenAiChat,
        [
            ToolCallDelta::new(4).arguments("{\"a\""),
            ToolCallDelta::new(4).id("c1"),
            ToolCallDelta::new(4).arguments(":1}"),
            ToolCallDelta::new(4).name("save"),
            ToolCallDelta::new(4).ended(),
            ToolCallDelta::new(9).ended(),
        ],
    );
    let reply = super::naive::read(Dialect::OpenAiChat, &body);
    let [call] = reply.calls.as_slice() else {
        panic!("{body}")
    };
    assert_eq!((call.id.as_deref(), &*call.name), (Some("c1"), "save"));
    assert_eq!(call.arguments, "{\"a\":1}");
}

#[test]
fn call_without_a_name_can_only_be_cut_off() {
    let delta = ToolCallDelta::new(4).arguments("{");
    let mut writer = writer(Dialect::OpenAiChat);
    writer.push(delta).unwrap();
    let error = writer.push(Piece::Finish(Finish::Stop)).unwrap_err();
    assert_eq!(error.to_string(), "call 4 has no name");
    writer.push(Piece::Finish(Finish::Length)).unwrap();
    assert!(writer.is_ended());
}

#[test]
fn id_of_an_earlier_call_is_replaced() {
    let start = |index, id: &str| ToolCallDelta::new(index).id(id).name("save").ended();
    for dialect in DIALECTS
        .into_iter()
        .filter(|&dialect| dialect != Dialect::Ollama)
    {
        // The third one is the id that the second call gets.
        let calls = [start(0, "c1"), start(1, "c1"), start(2, "call_r1_1")];
        let reply = super::naive::read(dialect, &push_all(dialect, calls));
        let ids: Vec<_> = reply.calls.iter().map(|call| call.id.as_deref()).collect();
        assert_eq!(
            ids,
            [Some("c1"), Some("call_r1_1"), Some("call_r1_2")],
            "{dialect}"
        );
        let calls = [start(0, "call_r1_1"), start(1, "")];
        let reply = super::naive::read(dialect, &push_all(dialect, calls));
        assert_eq!(reply.calls[1].id.as_deref(), Some("call_r1_1_"));
    }
}

#[test]
fn another_id_with_the_same_index_is_the_next_call() {
    let start = |id: &str| ToolCallDelta::new(0).id(id).name("save").arguments("{}");
    for dialect in DIALECTS {
        let body = push_all(
            dialect,
            [start("c1"), start("c2"), start("c2").name("")]
                .into_iter()
                .take(2),
        );
        assert_eq!(
            super::naive::read(dialect, &body).calls.len(),
            2,
            "{dialect}"
        );
    }
}

#[test]
fn another_name_with_the_same_index_is_the_next_call_after_terminated_arguments() {
    let piece = |name: &str, json: &str| ToolCallDelta::new(0).name(name).arguments(json);
    let body = push_all(Dialect::AgUi, [piece("save", "{}"), piece("load", "[]")]);
    let reply = super::naive::read(Dialect::AgUi, &body);
    let names: Vec<&str> = reply.calls.iter().map(|call| &*call.name).collect();
    assert_eq!(names, ["save", "load"]);
    for open in ["", "{"] {
        let mut writer = writer(Dialect::AgUi);
        writer.push(piece("save", open)).unwrap();
        let error = writer.push(piece("load", "}")).unwrap_err();
        assert_eq!(error.to_string(), "call 0 has been started before");
    }
}

#[test]
fn id_and_name_that_are_repeated_are_ignored() {
    let piece = |json: &str| ToolCallDelta::new(0).id("c1").name("save").arguments(json);
    let body = push_all(Dialect::AgUi, [piece(""), piece("{\"a\""), piece(":1}")]);
    let reply = super::naive::read(Dialect::AgUi, &body);
    assert_eq!(reply.calls[0].arguments, "{\"a\":1}");
    assert_eq!(reply.calls.len(), 1);
}

#[test]
fn events_of_calls_are_pieces() {
    let mut calls = ToolCalls::new();
    let mut pieces = Vec::new();
    for delta in [
        ToolCallDelta::new(0).name("save").arguments("{\"a\":"),
        ToolCallDelta::new(0).id("late").arguments("1}"),
    ] {
        pieces.extend(calls.push(delta).unwrap());
    }
    pieces.extend(calls.end_all());
    let body = push_all(Dialect::UiMessages, pieces);
    let reply = super::naive::read(Dialect::UiMessages, &body);
    assert_eq!(reply.calls[0].arguments, "{\"a\":1}");
    assert!(reply.calls[0].ended);

    calls.reset();
    calls
        .push(ToolCallDelta::new(0).name("save").arguments("{\"a\":"))
        .unwrap();
    let failed = calls.finish().pop().unwrap();
    assert!(matches!(Piece::from(failed), Piece::Failed { .. }));
}
