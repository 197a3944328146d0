//! What a writer refuses, in which words, and what a caller asks it.

use json_chunks::sse::SseEvent;
use json_chunks::wire::{Dialect, Finish, ReplyHead, WriteError, Writer};
use json_chunks::{ErrorKind, Limits};

use super::steps::{Do, arguments, body, call, fail, text, writer};

#[test]
fn errors_say_what_and_where() {
    let started = [call(3, "c1", "save"), arguments(3, "{\"a\":")];
    for (dialect, steps, mistake, expected) in [
        (
            Dialect::OpenAiChat,
            &[fail("x", "y")][..],
            text("more"),
            "the reply has ended: nothing follows `finish` or `fail`",
        ),
        (
            Dialect::PlainText,
            &[],
            call(0, "c1", "save"),
            "the dialect `text` has no frame for tool calls",
        ),
        (
            Dialect::Gemini,
            &[],
            Do::Data("x".to_owned(), "1".to_owned()),
            "the dialect `gemini` has no frame for data",
        ),
        (Dialect::AgUi, &[], call(3, "c1", ""), "call 3 has no name"),
        (
            Dialect::AgUi,
            &started,
            call(3, "c2", "load"),
            "call 3 has been started before",
        ),
        (
            Dialect::AgUi,
            &started,
            arguments(0, "{}"),
            "call 0 has not been started (see `Writer::call`)",
        ),
        (
            Dialect::AgUi,
            &[call(3, "c1", "save"), Do::End(3)],
            arguments(3, " "),
            "call 3 has ended",
        ),
        (
            Dialect::AgUi,
            &started,
            arguments(3, "]"),
            "the arguments of call 3 are not JSON: expected a value at byte 5",
        ),
        (
            Dialect::AgUi,
            &started,
            Do::Finish(Finish::ToolCalls, None),
            "the arguments of call 3 are incomplete: unexpected end of JSON at byte 5 \
             (if the reply was cut off, see `Writer::fail` and `Finish::Length`)",
        ),
        (
            Dialect::UiMessages,
            &[],
            Do::Data("x".to_owned(), "{\"a\"}".to_owned()),
            "the data is not JSON: expected a colon at byte 4",
        ),
    ] {
        let mut writer = writer(dialect);
        for step in steps {
            step.apply(&mut writer).unwrap();
        }
        assert_eq!(
            mistake.apply(&mut writer).unwrap_err().to_string(),
            expected
        );
    }
}

#[test]
fn arguments_over_the_limits_return_an_error() {
    let limits = Limits::default().max_depth(1).max_document_bytes(8);
    let mut writer = writer(Dialect::OpenAiChat).limits(limits);
    writer.call(0, "c1", "save").unwrap();
    for (delta, kind) in [
        ("{\"a\":[", ErrorKind::TooDeep),
        ("{\"a\":123}", ErrorKind::TooLarge),
    ] {
        match writer.arguments(0, delta) {
            Err(WriteError::Arguments { index: 0, error }) => assert_eq!(error.kind(), kind),
            other => panic!("{other:?}"),
        }
    }
    writer.arguments(0, "{\"a\":12}").unwrap();
    writer.call_end(0).unwrap();
}

#[test]
fn byte_order_mark_before_arguments_is_not_json() {
    let mut writer = writer(Dialect::OpenAiChat);
    writer.call(0, "c1", "save").unwrap();
    assert!(writer.arguments(0, "\u{feff}{}").is_err());
}

#[test]
fn call_without_arguments_has_an_empty_object() {
    for dialect in Dialect::ALL {
        if dialect != Dialect::PlainText {
            let steps = [call(0, "c1", "save"), Do::End(0), Do::End(0)];
            let mut steps = steps.to_vec();
            steps.push(Do::Finish(Finish::ToolCalls, None));
            let reply = super::naive::read(dialect, &body(dialect, &steps));
            assert_eq!(reply.calls[0].arguments, "{}", "{dialect}");
            assert!(reply.calls[0].ended);
        }
    }
}

#[test]
fn number_alone_is_no_complete_arguments() {
    // More digits could follow.
    let mut writer = writer(Dialect::OpenAiChat);
    writer.call(0, "c1", "save").unwrap();
    writer.arguments(0, "12").unwrap();
    assert!(writer.call_end(0).is_err());
    writer.arguments(0, "\n").unwrap();
    writer.call_end(0).unwrap();
}

#[test]
fn index_of_an_ended_call_may_be_used_again() {
    for dialect in Dialect::ALL
        .into_iter()
        .filter(|dialect| *dialect != Dialect::PlainText)
    {
        let mut steps = vec![];
        for id in ["c1", "c2"] {
            steps.extend([call(0, id, "save"), arguments(0, "{}"), Do::End(0)]);
        }
        steps.push(Do::Finish(Finish::ToolCalls, None));
        let reply = super::naive::read(dialect, &body(dialect, &steps));
        assert_eq!(reply.calls.len(), 2, "{dialect}");
    }
}

#[test]
fn call_without_id_gets_one_of_the_reply() {
    let steps = [
        call(5, "", "save"),
        call(2, "", "load"),
        Do::Finish(Finish::ToolCalls, None),
    ];
    let reply = super::naive::read(Dialect::UiMessages, &body(Dialect::UiMessages, &steps));
    let ids: Vec<_> = reply.calls.iter().map(|call| call.id.as_deref()).collect();
    assert_eq!(ids, [Some("call_r1_0"), Some("call_r1_1")]);
}

#[test]
fn part_after_terminated_arguments_is_written_at_once() {
    // As Chat Completions are: no frame says that a call has ended.
    let steps = [
        call(0, "c1", "save"),
        arguments(0, "{\"a\":1}"),
        call(1, "c2", "load"),
    ];
    for dialect in [Dialect::OpenAiResponses, Dialect::Anthropic] {
        let reply = super::naive::read(dialect, &body(dialect, &steps));
        let ended: Vec<_> = reply.calls.iter().map(|call| call.ended).collect();
        assert_eq!(ended, [true, false], "{dialect}");
        // White space may still follow, and is no part of the arguments on the wire.
        let mut steps = steps.to_vec();
        steps.extend([arguments(0, "\n"), Do::End(0)]);
        assert_eq!(super::naive::read(dialect, &body(dialect, &steps)), reply);
    }
}

#[test]
fn start_writes_the_first_frames_once() {
    for dialect in Dialect::ALL {
        let mut started = writer(dialect);
        started.start().unwrap();
        let first = started.take_body();
        started.start().unwrap();
        started.text("").unwrap();
        assert_eq!(started.take_body(), "");
        started.text("Hi").unwrap();
        assert_eq!(first + &started.take_body(), body(dialect, &[text("Hi")]));
    }
}

#[test]
fn frames_that_are_not_taken_stay() {
    let mut writer = writer(Dialect::Anthropic);
    writer.text("Hi").unwrap();
    let first = writer.frames().next().unwrap();
    assert_eq!(first.name(), Some("message_start"));
    let names: Vec<_> = writer.frames().map(|frame| frame.name()).collect();
    assert_eq!(
        names,
        [Some("content_block_start"), Some("content_block_delta")]
    );
    assert_eq!(writer.frames().count(), 0);
}

#[test]
fn frame_is_the_same_as_text_event_and_bytes() {
    for dialect in Dialect::ALL {
        let mut writer = writer(dialect);
        writer.text("a\nb").unwrap();
        for frame in writer.frames() {
            assert_eq!(String::from(frame.clone()), frame.to_string());
            let is_event = !matches!(dialect, Dialect::PlainText | Dialect::Ollama);
            if is_event {
                assert_eq!(SseEvent::from(frame.clone()).to_string(), frame.to_string());
            }
            assert_eq!(SseEvent::from(frame.clone()).data(), frame.data());
        }
    }
}

#[test]
fn writer_and_frames_show_no_payload() {
    let mut writer = Writer::new(Dialect::OpenAiResponses, ReplyHead::new("r1", "m"));
    writer.text("SECRET").unwrap();
    assert!(!format!("{writer:?}").contains("SECRET"));
    assert!(
        writer
            .frames()
            .all(|frame| !format!("{frame:?}").contains("SECRET"))
    );
}

#[test]
fn dialect_is_parsed_from_its_name() {
    for dialect in Dialect::ALL {
        assert_eq!(dialect.to_string().parse(), Ok(dialect));
        assert!(
            dialect
                .headers()
                .iter()
                .any(|(name, _)| *name == "content-type")
        );
    }
    assert_eq!(
        "grpc".parse::<Dialect>().unwrap_err().to_string(),
        "unknown dialect: expected openai, responses, anthropic, ui, text, agui, ollama, gemini"
    );
}
