//! Replies on the wire, over streams.

use futures::executor::block_on;
use futures::stream::FusedStream;
use futures::{Stream, StreamExt, TryStreamExt, stream};
use json_chunks::stream::{MachineStreamExt, SnapshotStreamExt, WireStreamExt};
use json_chunks::tool_call::ToolCallDelta;
use json_chunks::wire::{Aborted, Dialect, Finish, Frame, Piece, Reader, ReplyHead, Writer};
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready};

fn writer(dialect: Dialect) -> Writer {
    Writer::new(dialect, ReplyHead::new("r1", "m"))
}

fn body(frames: impl Stream<Item = Result<Frame, Aborted>>) -> Result<String, Aborted> {
    block_on(frames.map_ok(String::from).try_collect())
}

/// The text and the last piece of a body.
fn read(dialect: Dialect, body: &str) -> (String, Piece) {
    let mut reader = Reader::new(dialect);
    let mut pieces: Vec<Piece> = reader.push(body).map(Result::unwrap).collect();
    pieces.extend(reader.finish().map(Result::unwrap));
    let last = pieces.pop().unwrap();
    let text = |piece: Piece| match piece {
        Piece::Text(text) => text,
        _ => String::new(),
    };
    (pieces.into_iter().map(text).collect(), last)
}

fn failed(code: &str, message: &str) -> Piece {
    let (code, message) = (code.to_owned(), message.to_owned());
    Piece::Failed { code, message }
}

#[test]
fn chunks_of_snapshots_are_a_reply_in_every_dialect() {
    let snapshots = [r#"{"a":"x"}"#, r#"{"a":"xy"}"#, r#"{"a":"xy","b":1}"#];
    for dialect in Dialect::ALL {
        let frames = stream::iter(snapshots).json_chunks().wire(writer(dialect));
        let (text, end) = read(dialect, &body(frames).unwrap());
        assert_eq!(text, snapshots[2], "{dialect}");
        assert_eq!(end, Piece::Finish(Finish::Stop));
    }
}

#[test]
fn body_in_one_dialect_is_served_in_another() {
    let calls = [
        Piece::from("One moment."),
        ToolCallDelta::new(0)
            .id("c1")
            .name("save")
            .arguments("{\"a\":")
            .into(),
        ToolCallDelta::new(0).arguments("1}").ended().into(),
    ];
    for from in Dialect::ALL {
        if from == Dialect::PlainText {
            continue;
        }
        let first = body(stream::iter(calls.clone()).wire(writer(from))).unwrap();
        for to in Dialect::ALL {
            if to == Dialect::PlainText {
                continue;
            }
            let bytes = stream::iter(first.as_bytes().chunks(5));
            let second = body(bytes.through(Reader::new(from)).wire(writer(to))).unwrap();
            let (text, end) = read(to, &second);
            assert_eq!(text, "One moment.", "{from} as {to}");
            assert_eq!(end, Piece::Finish(Finish::ToolCalls));
        }
    }
}

#[test]
fn upstream_error_is_the_failure_of_the_reply_and_nothing_follows() {
    let items = [Ok("Hi"), Err("10.0.0.7"), Ok(" there")];
    for dialect in Dialect::ALL {
        let frames = stream::iter(items).try_wire(writer(dialect));
        let frames = frames.failure("overloaded_error", "later");
        let body = body(frames);
        if dialect == Dialect::PlainText {
            assert!(body.is_err());
            continue;
        }
        let body = body.unwrap();
        assert!(!body.contains("10.0.0.7"));
        let (text, end) = read(dialect, &body);
        let has_code = !matches!(dialect, Dialect::UiMessages | Dialect::Ollama);
        let code = if has_code { "overloaded_error" } else { "" };
        assert_eq!(
            (text.as_str(), end),
            ("Hi", failed(code, "later")),
            "{dialect}"
        );
    }
    let frames = stream::iter([Err::<String, _>("x")]).try_wire(writer(Dialect::AgUi));
    let (_, end) = read(Dialect::AgUi, &body(frames).unwrap());
    assert_eq!(end, failed("upstream_lost", "the reply was lost"));
}

#[test]
fn plain_text_breaks_off_in_a_poll_of_its_own() {
    let items = stream::iter([Ok("Hi"), Err("reset")]);
    let mut frames = spawn(items.try_wire(writer(Dialect::PlainText)));
    let frame = assert_ready!(frames.poll_next()).unwrap().unwrap();
    assert_eq!(String::from(frame), "Hi");
    assert_pending!(frames.poll_next());
    assert!(frames.is_woken());
    assert!(frames.writer().must_abort() && !frames.is_terminated());
    assert_eq!(frames.size_hint(), (1, Some(1)));
    let error = assert_ready!(frames.poll_next()).unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the reply has failed, and its dialect has no frame for errors"
    );
    assert!(frames.is_terminated());
    assert!(assert_ready!(frames.poll_next()).is_none());
}

#[test]
fn end_in_the_middle_of_a_call_is_a_failure() {
    let delta = ToolCallDelta::new(0).id("c1").name("save").arguments("{");
    let frames = stream::iter([delta]).wire(writer(Dialect::OpenAiChat));
    let (_, end) = read(Dialect::OpenAiChat, &body(frames).unwrap());
    let Piece::Failed { code, message } = end else {
        panic!("{end:?}")
    };
    assert_eq!(code, "invalid_reply");
    assert!(message.starts_with("the arguments of call 0 are incomplete"));
}

#[test]
fn piece_that_is_refused_is_a_failure() {
    let deltas = [
        ToolCallDelta::new(0).id("c1").name("save").arguments("{]"),
        ToolCallDelta::new(1).id("c2").name("load").arguments("{}"),
    ];
    let frames = stream::iter(deltas).wire(writer(Dialect::UiMessages));
    let body = body(frames).unwrap();
    assert!(!body.contains("load"), "nothing follows");
    assert!(matches!(
        read(Dialect::UiMessages, &body).1,
        Piece::Failed { .. }
    ));
}

#[test]
fn nothing_is_read_after_the_end_of_the_reply() {
    let mut polled = 0;
    let pieces = [
        Piece::from("Hi"),
        Piece::Finish(Finish::Length),
        Piece::from("more"),
        Piece::from("more"),
    ];
    let pieces = stream::iter(pieces).inspect(|_| polled += 1);
    let body = body(pieces.wire(writer(Dialect::Gemini))).unwrap();
    let (text, end) = read(Dialect::Gemini, &body);
    assert_eq!((text.as_str(), end), ("Hi", Piece::Finish(Finish::Length)));
    assert_eq!(polled, 2);
}

#[test]
fn lost_body_is_never_served_as_a_complete_one() {
    let first = body(stream::iter(["One ", "moment."]).wire(writer(Dialect::OpenAiChat))).unwrap();
    let last = first.find("\"finish_reason\":\"stop\"").unwrap();
    for cut in 0..last {
        let bytes = stream::iter([&first.as_bytes()[..cut]]);
        let frames = bytes.through(Reader::new(Dialect::OpenAiChat));
        let second = body(frames.wire(writer(Dialect::Anthropic))).unwrap();
        assert!(
            matches!(read(Dialect::Anthropic, &second).1, Piece::Failed { .. }),
            "{cut}"
        );
    }
    // Plain text has no last frame: only the stream can say that it was lost.
    for (items, is_lost) in [
        (vec![Ok("Hi")], false),
        (vec![Ok("Hi"), Err("reset")], true),
    ] {
        let pieces = stream::iter(items).try_through(Reader::new(Dialect::PlainText));
        let second = body(pieces.try_wire(writer(Dialect::AgUi))).unwrap();
        let end = read(Dialect::AgUi, &second).1;
        assert_eq!(matches!(end, Piece::Failed { .. }), is_lost);
    }
    let items = [Ok("Hi"), Err("reset")];
    let pieces = stream::iter(items).try_through(Reader::new(Dialect::PlainText));
    let pieces: Vec<_> = block_on(pieces.collect());
    assert!(!pieces.contains(&Ok(Piece::Finish(Finish::Stop))));
}

#[test]
fn broken_frame_fails_the_reply() {
    let bytes = stream::iter(["data: {\"choices\"\n\n", "data: [DONE]\n\n"]);
    let pieces: Vec<_> = block_on(bytes.through(Reader::new(Dialect::OpenAiChat)).collect());
    let [Piece::Failed { code, .. }] = pieces.as_slice() else {
        panic!("{pieces:?}")
    };
    assert_eq!(code, "invalid_frame");
}

#[test]
fn items_without_frames_leave_the_executor_its_turn() {
    let mut frames = spawn(stream::repeat("").wire(writer(Dialect::OpenAiChat)));
    for _ in 0..3 {
        assert_pending!(frames.poll_next());
        assert!(frames.is_woken());
    }
}

#[test]
fn streams_have_the_auto_traits_of_their_inner_ones() {
    fn check<T: Send + Sync + Unpin>(_: &T) {}
    check(&stream::iter(["a"]).wire(writer(Dialect::Gemini)));
    check(&stream::iter([Ok::<_, String>("a")]).try_wire(writer(Dialect::Gemini)));
}

#[test]
fn streams_show_no_payload() {
    let mut frames = Box::pin(stream::iter(["SECRET"]).wire(writer(Dialect::OpenAiResponses)));
    block_on(frames.next()).unwrap().unwrap();
    assert!(!format!("{frames:?}").contains("SECRET"));
}
