//! How long an adapter waits: on tokio's clock, which stands still here.

#![cfg(feature = "tokio")]

use std::time::Duration;

use futures::executor::block_on;
use futures::stream::{self, Stream};
use futures::{FutureExt, StreamExt};
use json_chunks::stream::{
    FragmentStreamExt, JsonStreamExt, StreamError, TryFragmentStreamExt, TryJsonStreamExt,
};
use json_chunks::{
    Chunker, ErrorKind, Limits, Parser, Partials, TextChunker, ToolCallDetector, ToolCallEvent,
    ToolCallShape,
};
use tokio::sync::mpsc;
use tokio::time::{Instant, advance, sleep};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready, assert_ready_eq};

const SECOND: Duration = Duration::from_secs(1);

fn ten_seconds() -> Limits {
    Limits::default().max_duration(10 * SECOND)
}

fn parser() -> Parser {
    Parser::new().limits(ten_seconds())
}

/// Ends never.
fn hanging(items: &[&'static str]) -> impl Stream<Item = &'static str> + Unpin {
    stream::iter(items.to_vec()).chain(stream::pending())
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_hangs_is_ended() {
    let start = Instant::now();
    let inner = hanging(&["[1,\"x"]);
    let mut snapshots = inner.json_snapshots_with(parser(), Partials::default());
    assert_eq!(snapshots.next().await.as_deref(), Some(r#"[1,"x"]"#));
    assert_eq!(snapshots.next().await, None);
    assert_eq!(start.elapsed(), 10 * SECOND);
    assert_eq!(snapshots.report().ended_by(), Some(ErrorKind::TimedOut));
    assert_eq!(snapshots.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn the_error_is_the_last_item_and_completes_nothing() {
    let inner = hanging(&["[1,", "2"]).map(Ok::<_, ()>);
    let mut events = inner.try_json_events_with(parser());
    assert_eq!(events.by_ref().take(6).count().await, 6);
    let Some(Err(StreamError::Json(error))) = events.next().await else {
        panic!("no error")
    };
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TimedOut, 4));
    assert!(error.is_limit() && !error.is_syntax());
    assert_eq!(
        error.to_string(),
        "out of time at byte 4: no end within 10s"
    );
    assert_eq!(events.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn chunks_are_still_closed() {
    let chunker = Chunker::new().limits(ten_seconds());
    let chunks = hanging(&[r#"{"a":["x"]}"#]).json_chunks_with(chunker.clone());
    assert_eq!(chunks.collect::<Vec<_>>().await, [r#"{"a":["x"#, r#""]}"#]);

    let inner = hanging(&[r#"{"a":["x"]}"#]).map(Ok::<_, ()>);
    let items: Vec<_> = inner.try_json_chunks_with(chunker).collect().await;
    assert_eq!(items[0], Ok(r#"{"a":["x"#.to_owned()));
    assert_eq!(items[1], Ok(r#""]}"#.to_owned()));
    assert!(
        matches!(&items[2..], [Err(StreamError::Json(error))] if error.kind() == ErrorKind::TimedOut)
    );

    let text = TextChunker::new().limits(ten_seconds());
    let chunks = hanging(&["wa", "wa\u{FFFD}"]).text_chunks_with(text);
    assert_eq!(chunks.collect::<Vec<_>>().await, ["wa", "\u{FFFD}"]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_under_way_has_failed() {
    let detector = ToolCallDetector::new(ToolCallShape::plain()).limits(ten_seconds());
    let inner = hanging(&[r#"{"name":"remove","arguments":{"path":"/"}"#]);
    let events: Vec<_> = inner.tool_calls_with(detector.clone()).collect().await;
    assert!(matches!(
        events[..],
        [
            ToolCallEvent::Named { .. },
            ToolCallEvent::ArgumentsDelta { .. },
            ToolCallEvent::Failed { .. },
        ]
    ));

    let inner = hanging(&[r#"{"name":"remove","argu"#]).map(Ok::<_, ()>);
    let events: Vec<_> = inner.try_tool_calls_with(detector).collect().await;
    assert!(matches!(
        events[..],
        [
            Ok(ToolCallEvent::Named { .. }),
            Ok(ToolCallEvent::Failed { .. }),
            Err(StreamError::Json(_)),
        ]
    ));
}

#[tokio::test(start_paused = true)]
async fn the_task_is_woken_when_the_time_is_up() {
    let (fragments, inner) = mpsc::unbounded_channel();
    let inner = UnboundedReceiverStream::new(inner);
    let mut snapshots = spawn(inner.json_snapshots_with(parser(), Partials::default()));
    assert_pending!(snapshots.poll_next());
    advance(9 * SECOND).await;
    assert!(!snapshots.is_woken());
    fragments.send("[").unwrap();
    assert!(snapshots.is_woken());
    assert_ready_eq!(snapshots.poll_next(), Some("[]".to_owned()));
    assert_pending!(snapshots.poll_next());
    assert!(!snapshots.is_woken());
    advance(SECOND).await;
    assert!(snapshots.is_woken());
    assert_ready_eq!(snapshots.poll_next(), None);
}

#[tokio::test(start_paused = true)]
async fn the_time_starts_with_the_first_poll() {
    let mut snapshots =
        spawn(hanging(&["[", "1"]).json_snapshots_with(parser(), Partials::default()));
    advance(60 * SECOND).await;
    assert_ready_eq!(snapshots.poll_next(), Some("[]".to_owned()));
    advance(9 * SECOND).await;
    assert_ready_eq!(snapshots.poll_next(), Some("[1]".to_owned()));
    assert_pending!(snapshots.poll_next());
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_always_ready_is_ended_too() {
    // Never pending, it does not let the runtime look at its timers.
    let endless = stream::repeat("1 ").map(Ok::<_, ()>);
    let parser = parser().several_values(true);
    let mut snapshots = spawn(endless.try_json_snapshots_with(parser, Partials::default()));
    for _ in 0..1000 {
        assert_ready_eq!(snapshots.poll_next(), Some(Ok("1".to_owned())));
    }
    advance(11 * SECOND).await;
    let late = assert_ready!(snapshots.poll_next());
    assert!(
        matches!(late, Some(Err(StreamError::Json(error))) if error.kind() == ErrorKind::TimedOut)
    );
    assert_ready_eq!(snapshots.poll_next(), None);
}

#[tokio::test(start_paused = true)]
async fn what_came_in_time_is_yielded_late() {
    let mut events = spawn(hanging(&["[1]"]).json_events_with(parser()));
    assert_ready!(events.poll_next());
    advance(60 * SECOND).await;
    for _ in 0..4 {
        assert!(assert_ready!(events.poll_next()).is_some());
    }
    assert_ready_eq!(events.poll_next(), None);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_ends_in_time_never_hears_of_it() {
    let inner = stream::iter(["[", "1", "]"]).then(async |fragment| {
        sleep(3 * SECOND).await;
        fragment
    });
    let snapshots = inner
        .boxed()
        .json_snapshots_with(parser(), Partials::default());
    let mut snapshots = snapshots;
    assert_eq!(snapshots.by_ref().collect::<Vec<_>>().await, ["[]", "[1]"]);
    assert!(snapshots.report().is_clean());
}

#[tokio::test(start_paused = true)]
async fn errors_of_the_inner_stream_don_t_stop_the_clock() {
    let inner = stream::repeat(Err::<&str, _>("down")).then(async |error| {
        sleep(SECOND).await;
        error
    });
    let mut snapshots = inner
        .boxed()
        .try_json_snapshots_with(parser(), Partials::default());
    assert_eq!(snapshots.by_ref().take(9).count().await, 9);
    assert!(matches!(
        snapshots.next().await,
        Some(Err(StreamError::Json(_)))
    ));
    assert_eq!(snapshots.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn strict_limits_have_thirty_seconds_and_default_ones_no_end() {
    let start = Instant::now();
    let strict = Parser::new().limits(Limits::strict());
    assert_eq!(hanging(&[]).json_events_with(strict).next().await, None);
    assert_eq!(start.elapsed(), 30 * SECOND);

    let mut patient = hanging(&[]).json_events();
    advance(100_000 * SECOND).await;
    assert_eq!(patient.next().now_or_never(), None);
}

#[test]
fn outside_of_a_runtime_there_is_no_clock() {
    let limits = Limits::default().max_duration(Duration::ZERO);
    let parser = Parser::new().limits(limits);
    let snapshots = stream::iter(["[1]"]).json_snapshots_with(parser, Partials::default());
    assert_eq!(block_on(snapshots.collect::<Vec<_>>()), ["[1]"]);
}

#[tokio::test(start_paused = true)]
async fn a_limit_does_not_change_the_type_of_the_stream() {
    fn all<T: Send + Sync + Unpin>(stream: T) -> T {
        stream
    }
    let mut snapshots = all(hanging(&["[]"]).json_snapshots_with(parser(), Partials::default()));
    assert_eq!(snapshots.next().await.as_deref(), Some("[]"));
    let task = tokio::spawn(async move { snapshots.next().await });
    assert_eq!(task.await.unwrap(), None);
}
