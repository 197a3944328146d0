//! Replies of APIs, read from their frames.

use std::fmt::Write as _;

use json_chunks::tool_call::{ToolCallEvent, ToolCalls};
use json_chunks::wire::{Dialect, Finish, Piece, Reader};
use json_chunks::{ErrorKind, Limits};

/// What a reply says: its text, its calls as `+name(arguments)` or `-name`, its end or error.
fn log(pieces: impl IntoIterator<Item = Result<Piece, json_chunks::Error>>) -> String {
    let mut log = String::new();
    let mut calls = ToolCalls::new();
    let mut names = std::collections::BTreeMap::new();
    let mut show = |log: &mut String, events: Vec<ToolCallEvent>| {
        for event in events {
            match event {
                ToolCallEvent::Started { index, id, name } => {
                    write!(log, "[{index} {name} {}]", id.unwrap_or_default()).unwrap();
                    names.insert(index, name);
                }
                ToolCallEvent::Completed(call) => {
                    write!(log, "+{}({})", call.name(), call.arguments()).unwrap();
                }
                ToolCallEvent::Failed { index, .. } => write!(log, "-{}", names[&index]).unwrap(),
                _ => {}
            }
        }
    };
    for piece in pieces {
        match piece {
            Ok(Piece::Text(text)) => log += &text,
            Ok(Piece::Call(delta)) => show(&mut log, calls.push(delta).unwrap()),
            Ok(Piece::Finish(finish)) => {
                show(&mut log, calls.finish());
                write!(log, "|{finish:?}").unwrap();
            }
            Ok(Piece::Failed { code, message }) => {
                show(&mut log, calls.interrupt());
                write!(log, "|{code}: {message}").unwrap();
            }
            Ok(other) => panic!("{other:?}"),
            Err(error) => write!(log, "|{error}").unwrap(),
        }
    }
    show(&mut log, calls.interrupt());
    log
}

fn read<P: AsRef<[u8]>>(reader: &Reader, body: impl IntoIterator<Item = P>) -> String {
    let mut reader = reader.clone();
    let mut pieces = vec![];
    for bytes in body {
        pieces.extend(reader.push(bytes));
    }
    pieces.extend(reader.finish());
    assert!(reader.is_over());
    assert_eq!(reader.push("{\"a").count(), 0, "nothing follows the end");
    assert_eq!(reader.finish().count(), 0);
    log(pieces)
}

/// The log of a body, which must be the same for every split (of long ones for some of them).
fn split(dialect: Dialect, body: &str) -> String {
    let reader = Reader::new(dialect);
    let at_once = read(&reader, [body]);
    for split in (0..=body.len()).step_by(1 + body.len() / 250) {
        let (head, tail) = body.as_bytes().split_at(split);
        assert_eq!(read(&reader, [head, tail]), at_once, "{split}");
    }
    assert_eq!(read(&reader, body.as_bytes().chunks(1)), at_once);
    at_once
}

/// A body as server-sent events with every line end, and as lines.
fn bodies(frames: &[&str]) -> Vec<String> {
    let events = |end: &str| {
        let event = |frame: &&str| format!("event: x{end}data: {frame}{end}{end}");
        let frames: String = frames.iter().map(event).collect();
        format!(": ping{end}{end}{frames}data: [DONE]{end}{end}")
    };
    let lines = frames.join("\n");
    vec![
        events("\n"),
        events("\r\n"),
        events("\r"),
        lines.clone(),
        format!("\u{feff}{lines}\n"),
    ]
}

fn assert_log(dialect: Dialect, frames: &[&str], wanted: &str) {
    for body in bodies(frames) {
        assert_eq!(split(dialect, &body), wanted, "{body}");
    }
}

macro_rules! chat {
    ($delta:literal) => {
        concat!(
            r#"{"id":"x","choices":[{"index":0,"delta":"#,
            $delta,
            r#","finish_reason":null}]}"#
        )
    };
    ($delta:literal, $reason:literal) => {
        concat!(
            r#"{"choices":[{"index":0,"delta":"#,
            $delta,
            r#","finish_reason":""#,
            $reason,
            r#""}]}"#
        )
    };
}

const CHAT: &[&str] = &[
    chat!(r#"{"role":"assistant","content":""}"#),
    chat!(r#"{"content":"caf\u00e9 é"}"#),
    chat!(
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}},{"index":1,"id":"b","function":{"name":"g","arguments":""}}]}"#
    ),
    chat!(r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\""}}]}"#),
    chat!(r#"{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}"#),
];

#[test]
fn chat_completions_are_read() {
    use Dialect::OpenAiChat as Chat;
    let with = |last: &'static str| [CHAT, &[last]].concat();
    let start = "caf\u{e9} \u{e9}[0 f a][1 g b]";
    for (last, wanted) in [
        (chat!("{}", "tool_calls"), r#"+f({"x":1})+g({})|ToolCalls"#),
        (chat!("{}", "stop"), r#"+f({"x":1})+g({})|Stop"#),
        // Nobody says that the call without arguments was all there.
        (chat!("{}", "length"), r#"+f({"x":1})-g|Length"#),
        (
            chat!("{}", "content_filter"),
            r#"+f({"x":1})-g|ContentFilter"#,
        ),
        (
            r#"{"error":{"message":"Overloaded","code":"503"}}"#,
            "-f-g|503: Overloaded",
        ),
    ] {
        assert_log(Chat, &with(last), &format!("{start}{wanted}"));
    }
    assert_log(
        Chat,
        &[
            r#"{"choices":[{"index":1,"delta":{"content":"no"}}]}"#,
            r#"{"choices":[]}"#,
            r#"{"choices":[{"message":{"content":"Yes.","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}]}"#,
        ],
        "Yes.[0 f a]+f({})|Stop",
    );
}

#[test]
fn responses_are_read() {
    use Dialect::OpenAiResponses as Responses;
    let call = |n: u8, id: &str| {
        format!(
            r#"{{"type":"response.output_item.added","output_index":{n},"item":{{"type":"function_call","call_id":"{id}","name":"f","arguments":""}}}}"#
        )
    };
    let done = |n: u8, arguments: &str, status: &str| {
        format!(
            r#"{{"type":"response.output_item.done","output_index":{n},"item":{{"type":"function_call","call_id":"c","name":"f","arguments":{arguments:?},"status":"{status}"}}}}"#
        )
    };
    let delta =
        r#"{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"x\":"}"#;
    let delta_end =
        r#"{"type":"response.function_call_arguments.delta","output_index":1,"delta":"1}"}"#;
    let all = r#"{"type":"response.function_call_arguments.done","output_index":1,"arguments":"{\"x\":1}"}"#;
    let completed = r#"{"type":"response.completed","response":{"status":"completed"}}"#;
    assert_log(
        Responses,
        &[
            r#"{"type":"response.created","response":{}}"#,
            r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","content":[]}}"#,
            r#"{"type":"response.output_text.delta","output_index":0,"delta":"Hi."}"#,
            r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"message"}}"#,
            &call(1, "c"),
            delta,
            delta_end,
            all,
            &done(1, "{\"x\":1}", "completed"),
            completed,
        ],
        r#"Hi.[1 f c]+f({"x":1})|ToolCalls"#,
    );
    // Without deltas; without the start; without arguments.
    let done_one = done(1, "{\"x\":1}", "completed");
    assert_log(
        Responses,
        &[&call(1, "c"), all, &done_one, completed],
        r#"[1 f c]+f({"x":1})|ToolCalls"#,
    );
    assert_log(
        Responses,
        &[&done_one, completed],
        r#"[1 f c]+f({"x":1})|ToolCalls"#,
    );
    assert_log(
        Responses,
        &[&done(1, "", "completed"), completed],
        "[1 f c]+f({})|ToolCalls",
    );
    // Cut off.
    let incomplete = r#"{"type":"response.incomplete","response":{"incomplete_details":{"reason":"max_output_tokens"}}}"#;
    let cut = done(1, "", "incomplete");
    assert_log(
        Responses,
        &[&call(1, "c"), &cut, incomplete],
        "[1 f c]-f|Length",
    );
    assert_log(
        Responses,
        &[&call(1, "c"), delta, incomplete],
        "[1 f c]-f|Length",
    );
    // Failed.
    let error = r#"{"type":"error","code":"server_error","message":"Sorry"}"#;
    assert_log(Responses, &[error, completed], "|server_error: Sorry");
    let failed = r#"{"type":"response.failed","response":{"error":{"code":"x","message":"y"}}}"#;
    assert_log(Responses, &[&call(1, "c"), failed], "[1 f c]-f|x: y");
}

#[test]
fn messages_are_read() {
    use Dialect::Anthropic;
    let start = [
        r#"{"type":"message_start","message":{"content":[]}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"ping"}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi."}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}"#,
    ];
    let delta = r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"x\":1}"}}"#;
    let stop = r#"{"type":"content_block_stop","index":1}"#;
    let end = r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#;
    let cut = r#"{"type":"message_delta","delta":{"stop_reason":"max_tokens"}}"#;
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    for (frames, wanted) in [
        ([delta, stop, end], r#"+f({"x":1})|ToolCalls"#),
        (["{}", stop, end], "+f({})|ToolCalls"),
        ([delta, stop, cut], r#"+f({"x":1})|Length"#),
        // The block is closed at the limit as well.
        (["{}", stop, cut], "-f|Length"),
        (["{}", delta, error], "-f|overloaded_error: Overloaded"),
    ] {
        let frames = [&start[..], &frames].concat();
        assert_log(Anthropic, &frames, &format!("Hi.[1 f a]{wanted}"));
    }
    let at_start = r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{"y": [2]}}}"#;
    let stop = r#"{"type":"content_block_stop","index":0}"#;
    assert_log(
        Anthropic,
        &[at_start, stop, end],
        r#"[0 f a]+f({"y": [2]})|ToolCalls"#,
    );
    let server_tool = r#"{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"a","name":"f","input":{}}}"#;
    let delta = r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}"#;
    assert_log(Anthropic, &[server_tool, delta, stop, end], "|ToolCalls");
}

#[test]
fn lost_reply_is_an_error_at_every_cut() {
    let all = [CHAT, &[chat!("{}", "tool_calls")]].concat();
    for body in bodies(&all).into_iter().take(2) {
        let end = body.find("\"finish_reason\":\"").unwrap();
        for cut in 0..end {
            let log = read(&Reader::new(Dialect::OpenAiChat), [&body.as_bytes()[..cut]]);
            // Once, even if the cut is inside a frame, which is no JSON either.
            let errors = log.matches("|unexpected end of JSON at byte ").count();
            assert_eq!(errors, 1, "{cut}: {log}");
            assert!(!log.contains('+'), "nothing is executed: {cut}: {log}");
        }
    }
}

#[test]
fn broken_frame_is_an_error_with_its_offset_and_the_next_is_read() {
    let body = "data: {\"choices\":\n\ndata: nope\n\ndata: {\"choices\":[]}\n\n{\"choices\"]\n";
    let log = split(Dialect::OpenAiChat, body);
    assert_eq!(
        log,
        "|unexpected end of JSON at byte 17|expected null at byte 26|expected ':' at byte 63\
         |unexpected end of JSON at byte 65"
    );
}

#[test]
fn frame_of_several_lines_is_one() {
    let body = "data: {\"choices\":\ndata:[{\"delta\":{\"content\":\"x\"},\ndata: \"finish_reason\":\"stop\"}]}\n\n";
    assert_eq!(split(Dialect::OpenAiChat, body), "x|Stop");
}

#[test]
fn frame_that_exceeds_the_limits_ends_the_reading() {
    let reader = Reader::new(Dialect::OpenAiChat).limits(Limits::default().max_document_bytes(30));
    let long = format!("data: {{\"x\":\"{}\"}}\n\n", "y".repeat(100));
    for body in [long.as_str(), &long.replace('y', "\ndata: ")] {
        let body = ["\n", body, chat!("{}", "stop"), "\n"].concat();
        let mut reader = reader.clone();
        let pieces: Vec<_> = body
            .as_bytes()
            .chunks(7)
            .flat_map(|bytes| reader.push(bytes).collect::<Vec<_>>())
            .collect();
        let [Err(error)] = pieces.as_slice() else {
            panic!("{pieces:?}")
        };
        assert_eq!(error.kind(), ErrorKind::TooLarge);
        assert_eq!(reader.finish().count(), 0);
        reader.reset();
        assert!(!reader.is_over());
    }
}

#[test]
fn finish_says_whether_the_reply_was_cut() {
    assert!(Finish::Length.is_cut() && Finish::ContentFilter.is_cut());
    assert!(!Finish::Stop.is_cut() && !Finish::ToolCalls.is_cut());
}

#[test]
fn debug_has_no_payload() {
    let mut reader = Reader::new(Dialect::OpenAiChat);
    reader.push("data: secret").for_each(drop);
    assert!(!format!("{reader:?}").contains("secret"));
}
