//! Streams of tool-call deltas, of the text of a model, and of one value.

use futures::executor::block_on;
use futures::{StreamExt, stream};
use json_chunks::extract::{Extracted, JsonExtractor};
use json_chunks::field::FieldReader;
use json_chunks::stream::{
    FragmentStreamExt, JsonTexts, MachineStreamExt, StreamError, ToolCallStreamExt,
    TryFragmentStreamExt,
};
use json_chunks::tool_call::{
    ToolCallDelta, ToolCallError, ToolCallEvent, ToolCallShape, ToolCalls,
};
use json_chunks::{ErrorKind, Partial};

fn pay(text: &str) -> ToolCallDelta {
    ToolCallDelta::new(0).id("c").name("pay").arguments(text)
}

fn is_completed(event: &ToolCallEvent) -> bool {
    matches!(event, ToolCallEvent::Completed(_))
}

#[test]
fn deltas_become_the_events_of_the_machine() {
    let deltas = [
        pay(r#"{"to": "#),
        pay(r#""bob"}"#),
        ToolCallDelta::new(1).name("now").ended(),
    ];
    let mut calls = ToolCalls::new();
    let mut expected: Vec<ToolCallEvent> = vec![];
    for delta in deltas.clone() {
        expected.extend(calls.push(delta).unwrap());
    }
    expected.extend(calls.finish());
    let events: Vec<_> = block_on(
        stream::iter(deltas.clone())
            .tool_calls_from_deltas()
            .collect(),
    );
    assert_eq!(events, expected);
    assert_eq!(events.iter().filter(|event| is_completed(event)).count(), 2);
    let items = stream::iter(deltas)
        .map(Ok::<_, ()>)
        .try_tool_calls_from_deltas();
    let items: Vec<_> = block_on(items.map(Result::unwrap).collect());
    assert_eq!(items, expected);
}

#[test]
fn delta_that_cannot_be_used_is_skipped() {
    let deltas = [
        pay("{}").ended(),
        pay("more"),
        ToolCallDelta::new(1).name("now").ended(),
    ];
    let mut events = stream::iter(deltas.clone()).tool_calls_from_deltas();
    let all: Vec<_> = block_on(events.by_ref().collect());
    assert_eq!(all.iter().filter(|event| is_completed(event)).count(), 2);
    assert_eq!(
        (events.report().accepted(), events.report().skipped()),
        (2, 1)
    );
    let items = stream::iter(deltas)
        .map(Ok::<_, ()>)
        .try_tool_calls_from_deltas();
    let items: Vec<_> = block_on(items.collect());
    let errors: Vec<_> = items
        .iter()
        .filter_map(|item| item.as_ref().err())
        .collect();
    let [StreamError::Json(error)] = errors.as_slice() else {
        panic!("{errors:?}")
    };
    assert_eq!(error.kind(), ErrorKind::Syntax);
}

#[test]
fn lost_source_completes_nothing_unless_it_recovers() {
    let last = |items: Vec<Result<ToolCallDelta, &'static str>>| {
        let items = stream::iter(items).try_tool_calls_from_deltas();
        let items: Vec<_> = block_on(items.collect());
        items.into_iter().last().unwrap().unwrap()
    };
    assert!(is_completed(&last(vec![Ok(pay("{}"))])));
    let failed = last(vec![Ok(pay("{}")), Err("reset")]);
    assert!(matches!(
        failed,
        ToolCallEvent::Failed { error: ToolCallError::Text(error), .. } if error.is_incomplete()
    ));
    assert!(is_completed(&last(vec![
        Ok(pay("{")),
        Err("reset"),
        Ok(pay("}"))
    ])));
}

#[test]
fn configured_machine_drives_a_stream_of_deltas() {
    let calls = ToolCalls::new().max_calls(1);
    let deltas = [pay("{}"), ToolCallDelta::new(1).name("now")];
    let mut events = stream::iter(deltas).through(calls);
    let all: Vec<_> = block_on(events.by_ref().collect());
    assert!(is_completed(all.last().unwrap()));
    assert_eq!(events.report().skipped(), 1);
}

const REPLY: &str = "<think>{\"a\": 0}</think>Sure:\n```json\n{\"a\": 1}\n```\nAnd {\"b\": 2}.";

#[test]
fn json_in_text_feeds_every_adapter_of_fragments() {
    for size in 1..REPLY.len() {
        let tokens = || stream::iter(REPLY.as_bytes().chunks(size));
        let json: String = block_on(tokens().extract_json().collect());
        assert_eq!(json, "{\"a\": 1}");
        let snapshots = tokens().extract_json().json_snapshots();
        let last: Partial<String> = block_on(snapshots.collect::<Vec<_>>()).pop().unwrap();
        assert_eq!(last, Partial::complete("{\"a\":1}".to_owned()));
        let all = JsonTexts::new(JsonExtractor::new().multiple_values(true));
        let json: String = block_on(tokens().through(all).collect());
        assert_eq!(json, "{\"a\": 1}\n{\"b\": 2}");
    }
}

#[test]
fn calls_in_text_are_found() {
    let reply = "Let me look.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"x\": 1}}\n</tool_call>\n\
                 <tool_call>\n{\"name\": \"g\", \"arguments\": {}}\n</tool_call>";
    for size in 1..reply.len() {
        let all = JsonTexts::new(JsonExtractor::new().multiple_values(true));
        let tokens = stream::iter(reply.as_bytes().chunks(size)).through(all);
        let events: Vec<_> = block_on(tokens.tool_calls(ToolCallShape::plain()).collect());
        let calls: Vec<_> = events
            .iter()
            .filter_map(|event| match event {
                ToolCallEvent::Completed(call) => Some((call.name(), call.arguments())),
                _ => None,
            })
            .collect();
        assert_eq!(calls, [("f", "{\"x\": 1}"), ("g", "{}")], "{size}");
    }
}

#[test]
fn cut_off_json_in_text_is_no_answer() {
    for cut in REPLY.find("{\"a\": 1").unwrap()..=REPLY.find("1}").unwrap() {
        let tokens = stream::iter([REPLY.split_at(cut).0]);
        let answer = block_on(tokens.extract_json().json_final::<serde_json::Value>());
        assert!(answer.is_err(), "{cut}");
    }
}

#[test]
fn pieces_of_a_reply_are_all_of_it() {
    let pieces: Vec<Extracted> = block_on(stream::iter([REPLY]).split_json().collect());
    let text: String = pieces.iter().map(Extracted::as_str).collect();
    assert_eq!(text, REPLY);
}

#[test]
fn invalid_utf8_ends_the_extraction_after_what_precedes_it() {
    let bytes: &[u8] = b"{\"a\": 1, \xff";
    let items = stream::iter([Ok::<_, ()>(bytes), Ok(b"}")]).try_extract_json();
    let items: Vec<_> = block_on(items.collect());
    assert_eq!(items[0].as_deref(), Ok("{\"a\": 1, "));
    let Err(StreamError::Json(error)) = &items[1] else {
        panic!("{items:?}")
    };
    assert_eq!((error.offset(), items.len()), (9, 2));
    let mut pieces = stream::iter([bytes]).split_json();
    assert_eq!(block_on(pieces.by_ref().collect::<Vec<_>>()).len(), 1);
    assert_eq!(pieces.report().ended_by(), Some(ErrorKind::Syntax));
}

#[test]
fn one_value_is_read_as_text() {
    let fragments = [
        "{\"thoughts\": \"no\", \"answer\": \"Caf",
        "\\u00e9",
        "\", \"x\": 1}",
    ];
    let texts = |stream: Vec<String>| stream.concat();
    let answer = block_on(stream::iter(fragments).json_text("/answer").collect());
    assert_eq!(texts(answer), "Caf\u{e9}");
    let answer = block_on(stream::iter(fragments).json_value_text("/answer").collect());
    assert_eq!(texts(answer), "\"Caf\\u00e9\"");
    let fragments = fragments.map(Ok::<_, ()>);
    let items: Vec<_> = block_on(stream::iter(fragments).try_json_value_text("/x").collect());
    assert_eq!(items, [Ok("1".to_owned())]);
}

#[test]
fn wrong_kind_of_value_is_an_error_in_its_place() {
    let fragments = stream::iter([Ok::<_, ()>("{\"answer\": [1]}")]);
    let items: Vec<_> = block_on(fragments.try_json_text("/answer").collect());
    let [Err(StreamError::Json(error))] = items.as_slice() else {
        panic!("{items:?}")
    };
    assert_eq!(
        (error.kind(), error.offset()),
        (ErrorKind::UnexpectedKind, 11)
    );
    let mut text = stream::iter(["{\"answer\": [1]}"]).json_text("/answer");
    assert_eq!(block_on(text.by_ref().count()), 0);
    assert_eq!(text.report().ended_by(), Some(ErrorKind::UnexpectedKind));
}

#[test]
fn number_that_may_have_been_cut_off_is_not_complete() {
    let reader = FieldReader::json("");
    let items = stream::iter([Ok("12"), Err("reset")]).try_through(reader);
    let items: Vec<_> = block_on(items.collect());
    assert_eq!(items[0].as_deref(), Ok("12"));
    assert!(matches!(&items[2], Err(StreamError::Json(error)) if error.is_incomplete()));
}

/// Nothing of the new streams keeps them from another thread, or from being moved.
#[test]
fn streams_are_send_and_unpin() {
    fn check<T: Send + Sync + Unpin>(_: &T) {}
    check(&stream::iter([pay("")]).tool_calls_from_deltas());
    check(&stream::iter([Ok::<_, ()>(pay(""))]).try_tool_calls_from_deltas());
    check(&stream::iter([""]).extract_json());
    check(&stream::iter([""]).split_json());
    check(&stream::iter([""]).json_text(""));
}
