//! An error is never yielded in the poll that yielded items, because hyper would drop these.

use std::convert::Infallible;
use std::fmt::Debug;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::task::Poll;

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use futures::stream::{self, FusedStream, Stream as _};
use futures::{StreamExt, TryStreamExt};
use json_chunks::entity::{EntityDetector, EntityMode};
use json_chunks::sse::SseEvent;
use json_chunks::stream::{
    SseStreamExt, StreamError, TryFragmentStreamExt, TrySnapshotStreamExt, WireStreamExt,
};
use json_chunks::tool_call::ToolCallShape;
use json_chunks::value::RawJson;
use json_chunks::wire::{Dialect, ReplyHead, Writer};
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready};

type Item = Result<&'static str, &'static str>;

/// The result of each poll as a letter: an item, an error, pending, the end.
///
/// Asserts that a pending stream has woken its task, that a delayed error is counted, and that the
/// stream is terminated only after its end.
fn polls<T: Debug, E: Debug>(stream: impl FusedStream<Item = Result<T, E>>) -> String {
    let mut stream = spawn(Box::pin(stream));
    let mut polls = String::new();
    loop {
        if stream.is_terminated() {
            assert_eq!(stream.size_hint(), (0, Some(0)));
            assert!(assert_ready!(stream.poll_next()).is_none());
            return polls;
        }
        let (least, most) = stream.size_hint();
        let polled = stream.poll_next();
        polls.push(match polled {
            Poll::Ready(Some(Ok(_))) => 'i',
            Poll::Ready(Some(Err(_))) => 'e',
            Poll::Pending => 'p',
            Poll::Ready(None) => {
                assert_eq!(least, 0, "{polls}");
                assert!(stream.is_terminated());
                continue;
            }
        });
        assert_ne!(most, Some(0), "{polls}");
        if polls.ends_with('p') {
            assert!(stream.is_woken(), "{polls}");
            assert!(stream.size_hint().0 >= 1, "{polls}: an error is waiting");
        }
    }
}

/// Every fallible adapter over the same items, and its expected polls. A truncated number is not
/// complete, so the end of the fragments is another error.
fn all(items: &'static [Item], chunks: &str, values: &str, sse: &str) {
    let inner = || stream::iter(items.iter().copied());
    assert_eq!(polls(inner().try_json_chunks()), chunks);
    assert_eq!(polls(inner().try_text_chunks()), chunks);
    assert_eq!(polls(inner().try_json_snapshots()), values);
    assert_eq!(polls(inner().try_json_partials::<u8>()), values);
    let events = inner().map_ok(SseEvent::new).fuse();
    assert_eq!(polls(events.try_sse()), sse);
}

#[test]
fn error_after_items_is_pending_once() {
    all(&[Ok("1"), Err("reset")], "ipe", "ipee", "ipei");
}

#[test]
fn error_without_an_item_before_it_is_ready_at_once() {
    all(&[Err("reset"), Err("again")], "ee", "eee", "eei");
    // A second error follows no item.
    all(
        &[Ok("1"), Err("reset"), Err("again")],
        "ipee",
        "ipeee",
        "ipeei",
    );
}

#[test]
fn own_errors_are_delayed_as_well() {
    let inner = || stream::iter([Ok::<_, Infallible>("[1"), Ok("]!")]);
    // `[1` is no snapshot, and nothing was yielded before it.
    assert_eq!(polls(inner().try_json_chunks()), "ee");
    assert_eq!(polls(inner().try_json_snapshots()), "iipe");
    assert_eq!(polls(inner().try_json_partials::<Vec<u8>>()), "iipe");
    assert_eq!(polls(inner().try_json_events()), "iiiiipe");
    assert_eq!(polls(inner().try_json_deltas()), "iipe");
    assert_eq!(polls(inner().try_json_patches()), "iipe");
    let entities = EntityDetector::new(EntityMode::OneByOne);
    assert_eq!(
        polls(inner().try_json_entities::<RawJson>(entities)),
        "iipe"
    );
    let call = stream::iter([Ok::<_, Infallible>(r#"{"name":"read","arguments":{"#)]);
    assert_eq!(polls(call.try_tool_calls(ToolCallShape::plain())), "iiipe");
}

#[test]
fn pending_of_the_inner_stream_is_enough() {
    let (items, inner) = tokio::sync::mpsc::unbounded_channel();
    let inner = tokio_stream::wrappers::UnboundedReceiverStream::new(inner);
    let events = inner
        .try_json_snapshots()
        .map_ok(|snapshot| SseEvent::new(snapshot.value));
    let mut events = spawn(events.try_sse());
    items.send(Ok("[")).unwrap();
    assert!(assert_ready!(events.poll_next()).unwrap().is_ok());
    assert_pending!(events.poll_next());
    assert!(!events.is_woken());
    items.send(Err("reset")).unwrap();
    assert!(events.is_woken());
    let error = assert_ready!(events.poll_next()).unwrap().unwrap_err();
    assert_eq!(error, StreamError::Upstream("reset"));
}

/// The body that a client reads from a socket until the connection ends.
fn body_of(handler: impl Fn() -> Body + Clone + Send + Sync + 'static) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new().route("/", get(async move || handler()));
        let client = tokio::task::spawn_blocking(move || read_reply(address));
        tokio::select! {
            _ = axum::serve(listener, app) => unreachable!("it serves for ever"),
            reply = client => reply.unwrap(),
        }
    })
}

fn read_reply(address: SocketAddr) -> String {
    let mut connection = TcpStream::connect(address).unwrap();
    let request = "GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    connection.write_all(request.as_bytes()).unwrap();
    let mut reply = Vec::new();
    // A failed connection may be reset.
    let _ = connection.read_to_end(&mut reply);
    String::from_utf8(reply).unwrap()
}

const FRAGMENTS: [Item; 3] = [Ok(r#"[{"a":"x"},"#), Ok(r#"{"a":"y"},{"#), Err("reset")];

/// The regular end of the body: the last chunk of chunked transfer coding is empty.
const CLEAN_END: &str = "\r\n0\r\n\r\n";

#[test]
fn client_receives_all_events_before_the_body_fails() {
    let reply = body_of(|| {
        let entities = EntityDetector::new(EntityMode::OneByOne);
        let events = stream::iter(FRAGMENTS).try_json_entities::<RawJson>(entities);
        Body::from_stream(events.try_sse().map_ok(|event| event.to_string()))
    });
    for event in [
        "id: 1\ndata: {\"index\":0,\"status\":\"COMPLETED\",\"data\":{\"a\":\"x\"}}\n\n",
        "id: 2\ndata: {\"index\":1,\"status\":\"COMPLETED\",\"data\":{\"a\":\"y\"}}\n\n",
    ] {
        assert!(reply.contains(event), "{reply}");
    }
    assert!(
        !reply.contains("CLOSE") && !reply.ends_with(CLEAN_END),
        "{reply}"
    );
}

#[test]
fn client_receives_all_chunks_before_the_body_fails() {
    let reply = body_of(|| {
        let snapshots = stream::iter([Ok(r#"{"a":"x"}"#), Ok(r#"{"a":"xy"}"#), Err("reset")]);
        Body::from_stream(snapshots.try_json_chunks())
    });
    assert!(reply.contains("{\"a\":\"x\r\n1\r\ny\r\n"), "{reply}");
    assert!(!reply.ends_with(CLEAN_END), "{reply}");
}

/// Plain text has no frame for an error: a client can only see that the body breaks off.
#[test]
fn client_of_plain_text_receives_all_text_before_the_body_breaks_off() {
    for (items, is_lost) in [
        (&[Ok("Hi"), Ok(" there"), Err("reset")][..], true),
        (&[Ok("Hi"), Ok(" there")][..], false),
    ] {
        let reply = body_of(move || {
            let writer = Writer::new(Dialect::PlainText, ReplyHead::new("r1", "m"));
            let frames = stream::iter(items.iter().copied()).try_wire(writer);
            Body::from_stream(frames.map_ok(String::from))
        });
        assert!(reply.contains("2\r\nHi\r\n6\r\n there\r\n"), "{reply}");
        assert_eq!(reply.ends_with(CLEAN_END), !is_lost, "{reply}");
    }
}

#[test]
fn client_sees_a_clean_end_without_an_error() {
    let reply = body_of(|| {
        let items = FRAGMENTS.into_iter().take(2).chain([Ok("}]")]);
        let entities = EntityDetector::new(EntityMode::OneByOne);
        let events = stream::iter(items).try_json_entities::<RawJson>(entities);
        Body::from_stream(events.try_sse().map_ok(|event| event.to_string()))
    });
    assert!(reply.contains("event: CLOSE\ndata: [DONE]\n\n"), "{reply}");
    assert!(reply.ends_with(CLEAN_END), "{reply}");
}

#[test]
fn adapters_hold_no_error_longer_than_one_poll() {
    let mut events = spawn(stream::iter(FRAGMENTS).map_ok(SseEvent::new).try_sse());
    assert_ready!(events.poll_next());
    assert_ready!(events.poll_next());
    assert_pending!(events.poll_next());
    assert!(events.is_woken());
    assert_eq!(events.size_hint().0, 2, "the error and the end");
    assert!(assert_ready!(events.poll_next()).unwrap().is_err());
    assert!(
        assert_ready!(events.poll_next())
            .unwrap()
            .unwrap()
            .is_close()
    );
    assert!(assert_ready!(events.poll_next()).is_none());
}
