//! Deadlines of adapters, on the paused clock of tokio.

use std::time::Duration;

use futures::executor::block_on;
use futures::stream::{self, Stream};
use futures::{FutureExt, StreamExt};
use json_chunks::stream::{
    EventReader, FragmentStreamExt, MachineStreamExt, SnapshotReader, StreamError,
};
use json_chunks::tool_call::{ToolCallDetector, ToolCallEvent, ToolCallShape};
use json_chunks::{Chunker, ErrorKind, Limits, Parser, Partial, TextChunker};
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

fn partial(text: &str) -> Partial<String> {
    Partial::incomplete(text.to_owned())
}

fn complete(text: &str) -> Partial<String> {
    Partial::complete(text.to_owned())
}

/// A stream that never ends.
fn hanging(items: &[&'static str]) -> impl Stream<Item = &'static str> + Unpin {
    stream::iter(items.to_vec()).chain(stream::pending())
}

#[tokio::test(start_paused = true)]
async fn hanging_stream_is_ended_at_the_deadline() {
    let start = Instant::now();
    let inner = hanging(&["[1,\"x"]);
    let mut snapshots = inner.through(SnapshotReader::new(parser()));
    assert_eq!(snapshots.next().await, Some(partial(r#"[1,"x"]"#)));
    assert_eq!(snapshots.next().await, None);
    assert_eq!(start.elapsed(), 10 * SECOND);
    assert_eq!(snapshots.report().ended_by(), Some(ErrorKind::TimedOut));
    assert_eq!(snapshots.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn timeout_error_is_the_last_item_and_completes_nothing() {
    let inner = hanging(&["[1,", "2"]).map(Ok::<_, ()>);
    let mut events = inner.try_through(EventReader::new(parser()));
    assert_eq!(events.by_ref().take(6).count().await, 6);
    let Some(Err(StreamError::Json(error))) = events.next().await else {
        panic!("no error")
    };
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TimedOut, 4));
    assert!(error.is_limit() && !error.is_syntax());
    assert_eq!(error.to_string(), "timed out after 10 s");
    assert_eq!(events.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn chunks_are_closed_at_the_deadline() {
    let chunker = Chunker::new().limits(ten_seconds());
    let chunks = hanging(&[r#"{"a":["x"]}"#]).through(chunker.clone());
    assert_eq!(chunks.collect::<Vec<_>>().await, [r#"{"a":["x"#, r#""]}"#]);

    let inner = hanging(&[r#"{"a":["x"]}"#]).map(Ok::<_, ()>);
    let items: Vec<_> = inner.try_through(chunker).collect().await;
    assert_eq!(items[0], Ok(r#"{"a":["x"#.to_owned()));
    assert_eq!(items[1], Ok(r#""]}"#.to_owned()));
    assert!(
        matches!(&items[2..], [Err(StreamError::Json(error))] if error.kind() == ErrorKind::TimedOut)
    );

    let text = TextChunker::new().limits(ten_seconds());
    let chunks = hanging(&["wa", "wa\u{FFFD}"]).through(text);
    assert_eq!(chunks.collect::<Vec<_>>().await, ["wa", "\u{FFFD}"]);
}

#[tokio::test(start_paused = true)]
async fn open_call_fails_at_the_deadline() {
    let detector = ToolCallDetector::new(ToolCallShape::plain()).limits(ten_seconds());
    let inner = hanging(&[r#"{"name":"remove","arguments":{"path":"/"}"#]);
    let events: Vec<_> = inner.through(detector.clone()).collect().await;
    assert!(matches!(
        events[..],
        [
            ToolCallEvent::Started { .. },
            ToolCallEvent::ArgumentsDelta { .. },
            ToolCallEvent::Failed { .. },
        ]
    ));

    let inner = hanging(&[r#"{"name":"remove","argu"#]).map(Ok::<_, ()>);
    let events: Vec<_> = inner.try_through(detector).collect().await;
    assert!(matches!(
        events[..],
        [
            Ok(ToolCallEvent::Started { .. }),
            Ok(ToolCallEvent::Failed { .. }),
            Err(StreamError::Json(_)),
        ]
    ));
}

#[tokio::test(start_paused = true)]
async fn task_is_woken_at_the_deadline() {
    let (fragments, inner) = mpsc::unbounded_channel();
    let inner = UnboundedReceiverStream::new(inner);
    let mut snapshots = spawn(inner.through(SnapshotReader::new(parser())));
    assert_pending!(snapshots.poll_next());
    advance(9 * SECOND).await;
    assert!(!snapshots.is_woken());
    fragments.send("[").unwrap();
    assert!(snapshots.is_woken());
    assert_ready_eq!(snapshots.poll_next(), Some(partial("[]")));
    assert_pending!(snapshots.poll_next());
    assert!(!snapshots.is_woken());
    advance(SECOND).await;
    assert!(snapshots.is_woken());
    assert_ready_eq!(snapshots.poll_next(), None);
}

#[tokio::test(start_paused = true)]
async fn deadline_starts_with_the_first_poll() {
    let mut snapshots = spawn(hanging(&["[", "1"]).through(SnapshotReader::new(parser())));
    advance(60 * SECOND).await;
    assert_ready_eq!(snapshots.poll_next(), Some(partial("[]")));
    advance(9 * SECOND).await;
    assert_ready_eq!(snapshots.poll_next(), Some(partial("[1]")));
    assert_pending!(snapshots.poll_next());
}

#[tokio::test(start_paused = true)]
async fn always_ready_stream_is_ended_at_the_deadline() {
    // A stream that is never pending does not let the runtime check its timers.
    let endless = stream::repeat("1 ").map(Ok::<_, ()>);
    let parser = parser().multiple_values(true);
    let mut snapshots = spawn(endless.try_through(SnapshotReader::new(parser)));
    for _ in 0..1000 {
        assert_ready_eq!(snapshots.poll_next(), Some(Ok(complete("1"))));
    }
    advance(11 * SECOND).await;
    assert_pending!(snapshots.poll_next());
    assert!(snapshots.is_woken());
    let late = assert_ready!(snapshots.poll_next());
    assert!(
        matches!(late, Some(Err(StreamError::Json(error))) if error.kind() == ErrorKind::TimedOut)
    );
    assert_ready_eq!(snapshots.poll_next(), None);
}

#[tokio::test(start_paused = true)]
async fn items_received_in_time_are_yielded_late() {
    let mut events = spawn(hanging(&["[1]"]).through(EventReader::new(parser())));
    assert_ready!(events.poll_next());
    advance(60 * SECOND).await;
    for _ in 0..4 {
        assert!(assert_ready!(events.poll_next()).is_some());
    }
    assert_ready_eq!(events.poll_next(), None);
}

#[tokio::test(start_paused = true)]
async fn stream_that_ends_in_time_has_no_timeout() {
    let inner = stream::iter(["[", "1", "]"]).then(async |fragment| {
        sleep(3 * SECOND).await;
        fragment
    });
    let snapshots = inner.boxed().through(SnapshotReader::new(parser()));
    let mut snapshots = snapshots;
    let expected = [partial("[]"), partial("[1]"), complete("[1]")];
    assert_eq!(snapshots.by_ref().collect::<Vec<_>>().await, expected);
    assert!(snapshots.report().is_clean());
}

#[tokio::test(start_paused = true)]
async fn upstream_errors_do_not_stop_the_clock() {
    let inner = stream::repeat(Err::<&str, _>("down")).then(async |error| {
        sleep(SECOND).await;
        error
    });
    let mut snapshots = inner.boxed().try_through(SnapshotReader::new(parser()));
    assert_eq!(snapshots.by_ref().take(9).count().await, 9);
    assert!(matches!(
        snapshots.next().await,
        Some(Err(StreamError::Json(_)))
    ));
    assert_eq!(snapshots.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn strict_limits_end_after_30_seconds_and_default_ones_never() {
    let start = Instant::now();
    let strict = Parser::new().limits(Limits::strict());
    assert_eq!(
        hanging(&[]).through(EventReader::new(strict)).next().await,
        None
    );
    assert_eq!(start.elapsed(), 30 * SECOND);

    let mut patient = hanging(&[]).json_events();
    advance(100_000 * SECOND).await;
    assert_eq!(patient.next().now_or_never(), None);
}

#[test]
fn deadline_is_not_checked_outside_of_a_runtime() {
    let limits = Limits::default().max_duration(Duration::ZERO);
    let parser = Parser::new().limits(limits);
    let snapshots = stream::iter(["[1]"]).through(SnapshotReader::new(parser));
    assert_eq!(block_on(snapshots.collect::<Vec<_>>()), [complete("[1]")]);
}

#[tokio::test(start_paused = true)]
async fn limit_does_not_change_the_stream_type() {
    fn all<T: Send + Sync + Unpin>(stream: T) -> T {
        stream
    }
    let mut snapshots = all(hanging(&["[]"]).through(SnapshotReader::new(parser())));
    assert_eq!(snapshots.next().await, Some(complete("[]")));
    let task = tokio::spawn(async move { snapshots.next().await });
    assert_eq!(task.await.unwrap(), None);
}
