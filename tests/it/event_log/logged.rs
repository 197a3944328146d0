//! Streams into a log: batches, leases, and the ways in which a producer ends.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::stream::{self, FusedStream as _, Stream};
use futures::{FutureExt as _, StreamExt as _};
use json_chunks::event_log::{
    EventLog, Lease, LogError, LogStreamExt as _, MemoryLog, Read, take_over,
};
use json_chunks::sse::SseEvent;
use json_chunks::stream::SseStreamExt as _;
use tokio::sync::mpsc;
use tokio::time::advance;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready};

use super::contract::{LEASE, LONG, all, events, lost};

/// A log that fails, or is slow, and counts.
#[derive(Clone, Debug, Default)]
pub(super) struct TestLog {
    pub(super) log: MemoryLog,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    appends: Vec<usize>,
    renewals: usize,
    is_down: bool,
    /// How often an append is pending, with an immediate wake-up.
    delay: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Down;

impl std::fmt::Display for Down {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("connection refused")
    }
}

impl std::error::Error for Down {}

impl TestLog {
    pub(super) fn set_down(&self, is_down: bool) {
        self.state.lock().unwrap().is_down = is_down;
    }

    /// The sizes of the appends so far.
    fn appends(&self) -> Vec<usize> {
        self.state.lock().unwrap().appends.clone()
    }

    fn renewals(&self) -> usize {
        self.state.lock().unwrap().renewals
    }

    fn check(&self) -> Result<(), LogError<Down>> {
        let is_down = self.state.lock().unwrap().is_down;
        (!is_down).then_some(()).ok_or(LogError::Backend(Down))
    }

    async fn appending(&self, events: &[SseEvent]) -> Result<(), LogError<Down>> {
        let delay = {
            let mut state = self.state.lock().unwrap();
            state.appends.push(events.len());
            state.delay
        };
        for _ in 0..delay {
            tokio::task::yield_now().await;
        }
        self.check()
    }
}

fn down<T>(result: Result<T, LogError<std::convert::Infallible>>) -> Result<T, LogError<Down>> {
    result.map_err(|error| match error {
        LogError::Taken => LogError::Taken,
        LogError::Fenced => LogError::Fenced,
        LogError::UnknownRun => LogError::UnknownRun,
        LogError::Gap => LogError::Gap,
        other => panic!("{other}"),
    })
}

impl EventLog for TestLog {
    type Error = Down;

    async fn create(&self, run: &str, duration: Duration) -> Result<Lease, LogError<Down>> {
        self.check()?;
        down(self.log.create(run, duration).await)
    }

    async fn claim(&self, run: &str, duration: Duration) -> Result<Lease, LogError<Down>> {
        self.check()?;
        down(self.log.claim(run, duration).await)
    }

    async fn renew(&self, lease: &Lease) -> Result<(), LogError<Down>> {
        self.state.lock().unwrap().renewals += 1;
        self.check()?;
        down(self.log.renew(lease).await)
    }

    async fn append(
        &self,
        lease: &Lease,
        number: u64,
        events: &[SseEvent],
    ) -> Result<(), LogError<Down>> {
        self.appending(events).await?;
        down(self.log.append(lease, number, events).await)
    }

    async fn close(
        &self,
        lease: &Lease,
        number: u64,
        events: &[SseEvent],
    ) -> Result<(), LogError<Down>> {
        self.appending(events).await?;
        down(self.log.close(lease, number, events).await)
    }

    async fn read(&self, run: &str, after: u64, wait: Duration) -> Result<Read, LogError<Down>> {
        self.check()?;
        down(self.log.read(run, after, wait).await)
    }
}

/// A stream that the test feeds.
fn channel() -> (
    mpsc::UnboundedSender<SseEvent>,
    impl Stream<Item = SseEvent>,
) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (sender, UnboundedReceiverStream::new(receiver))
}

fn numbers(count: usize) -> impl Stream<Item = SseEvent> + Unpin {
    stream::iter((1..=count).map(|n| SseEvent::new(n.to_string())))
}

#[tokio::test]
async fn events_are_yielded_as_they_are_in_the_log() {
    let log = MemoryLog::new();
    let logged = numbers(3).sse().logged(log.clone(), "run");
    let yielded: Vec<SseEvent> = logged.map(Result::unwrap).collect().await;
    let ids: Vec<_> = yielded.iter().map(|event| event.id().unwrap()).collect();
    assert_eq!(ids, ["1", "2", "3", "4"]);
    assert!(yielded[3].is_close());
    assert_eq!(all(&log, "run").await, ["1", "2", "3", "[DONE]"]);
    assert_eq!(log.read("run", 4, LONG).await, Ok(Read::Closed));
}

#[tokio::test]
async fn stream_without_a_closing_event_closes_its_run() {
    let log = MemoryLog::new();
    let drained = numbers(2).logged(log.clone(), "run").drain().await;
    assert_eq!(drained, Ok(2));
    assert_eq!(log.read("run", 2, LONG).await, Ok(Read::Closed));
    // Also one without any event.
    let drained = numbers(0).logged(log.clone(), "empty").drain().await;
    assert_eq!(drained, Ok(0));
    assert_eq!(log.read("empty", 0, LONG).await, Ok(Read::Closed));
}

#[tokio::test]
async fn closing_event_ends_the_run_without_waiting_for_the_end_of_the_stream() {
    let log = MemoryLog::new();
    let endless = stream::iter([SseEvent::close()]).chain(stream::pending());
    let drained = endless.logged(log.clone(), "run").drain().now_or_never();
    // One more poll: after each batch other tasks have their turn.
    assert_eq!(drained, None);
    assert_eq!(log.read("run", 1, LONG).await, Ok(Read::Closed));
}

#[tokio::test]
async fn what_is_ready_at_a_wake_up_is_one_append() {
    let log = TestLog::default();
    let (sender, events) = channel();
    let mut logged = spawn(events.logged(log.clone(), "run"));
    assert_pending!(logged.poll_next());
    for count in [1, 5, 2] {
        for _ in 0..count {
            sender.send(SseEvent::new("x")).unwrap();
        }
        assert!(logged.is_woken());
        for _ in 0..count {
            assert!(assert_ready!(logged.poll_next()).unwrap().is_ok());
        }
        assert_pending!(logged.poll_next());
    }
    drop(sender);
    assert!(assert_ready!(logged.poll_next()).is_none());
    assert!(logged.is_terminated());
    assert_eq!(log.appends(), [1, 5, 2, 0]);
}

#[tokio::test]
async fn batches_are_bounded_in_events_and_bytes() {
    let log = TestLog::default();
    let drained = numbers(1000).logged(log.clone(), "count").drain().await;
    assert_eq!(drained, Ok(1000));
    assert_eq!(log.appends(), [256, 256, 256, 232]);

    let log = TestLog::default();
    let large = stream::iter((0..5).map(|_| SseEvent::new("x".repeat(100_000))));
    assert_eq!(large.logged(log.clone(), "size").drain().await, Ok(5));
    assert_eq!(log.appends(), [3, 2]);
}

#[tokio::test]
async fn events_that_arrive_during_an_append_are_the_next_batch() {
    let log = TestLog::default();
    log.state.lock().unwrap().delay = 3;
    let (sender, events) = channel();
    let mut logged = spawn(events.logged(log.clone(), "run"));
    assert_pending!(logged.poll_next());
    for _ in 0..3 {
        sender.send(SseEvent::new("x")).unwrap();
        assert_pending!(logged.poll_next());
    }
    assert_eq!(log.appends(), [1]);
    // Nothing is yielded before it is in the log.
    assert!(all(&log.log, "run").await.is_empty());
    assert!(assert_ready!(logged.poll_next()).unwrap().is_ok());
    assert_eq!(all(&log.log, "run").await.len(), 1);
    drop(sender);
    while let Some(event) = logged.next().await {
        event.unwrap();
    }
    assert_eq!(log.appends(), [1, 2]);
}

#[tokio::test(start_paused = true)]
async fn lease_is_renewed_while_there_is_nothing_to_append() {
    let log = TestLog::default();
    let (sender, silent) = channel();
    let task = tokio::spawn(silent.logged(log.clone(), "run").lease(LEASE).drain());
    // Reads wait on the same clock; the run is never lost in between.
    for _ in 0..20 {
        tokio::task::yield_now().await;
        advance(LEASE / 3).await;
        tokio::task::yield_now().await;
        assert_eq!(log.log.read("run", 0, Duration::ZERO).await, Ok(Read::Idle));
    }
    assert!((19..=21).contains(&log.renewals()), "{}", log.renewals());
    drop(sender);
    assert_eq!(task.await.unwrap(), Ok(0));
}

#[tokio::test(start_paused = true)]
async fn lease_is_renewed_while_the_consumer_takes_what_is_in_the_log() {
    let log = TestLog::default();
    let endless = numbers(20).chain(stream::pending());
    let mut logged = endless.logged(log.clone(), "run").lease(LEASE);
    for _ in 0..20 {
        logged.next().await.unwrap().unwrap();
        advance(LEASE / 2).await;
        let read = log.log.read("run", 20, Duration::ZERO).await;
        assert_eq!(read, Ok(Read::Idle));
    }
    assert_eq!(log.appends(), [20]);
    // If that fails, the error follows the events that are in the log.
    let endless = numbers(3).chain(stream::pending());
    let mut logged = endless.logged(log.clone(), "other").lease(LEASE);
    logged.next().await.unwrap().unwrap();
    log.set_down(true);
    advance(LEASE).await;
    let rest: Vec<_> = logged.map(|event| event.is_ok()).collect().await;
    assert_eq!(rest, [true, true, false]);
}

#[tokio::test(start_paused = true)]
async fn lease_of_no_time_is_renewed_with_pauses() {
    let log = TestLog::default();
    let silent = stream::pending::<SseEvent>().logged(log.clone(), "run");
    let mut idle = spawn(silent.lease(Duration::ZERO));
    assert_pending!(idle.poll_next());
    assert_eq!(log.renewals(), 0);
    advance(Duration::from_secs(1)).await;
    let claimed = take_over(log.clone(), "run", Duration::ZERO).await;
    let resumed = claimed
        .unwrap()
        .unwrap()
        .resume(stream::pending::<SseEvent>());
    let mut resumed = spawn(resumed);
    assert_pending!(resumed.poll_next());
    assert_eq!(log.renewals(), 0);
    advance(Duration::from_millis(2)).await;
    assert!(resumed.is_woken());
    assert_pending!(resumed.poll_next());
    assert_eq!(log.renewals(), 1);
}

#[tokio::test(start_paused = true)]
async fn dropped_producer_loses_its_run_when_the_lease_lapses() {
    let log = MemoryLog::new();
    let endless = numbers(1).chain(stream::pending());
    let mut logged = endless.logged(log.clone(), "run").lease(LEASE);
    logged.next().await.unwrap().unwrap();
    drop(logged);
    assert_eq!(log.read("run", 1, LEASE / 2).await, Ok(Read::Idle));
    assert_eq!(log.read("run", 1, LEASE).await, Ok(Read::Lost));
}

#[tokio::test]
async fn run_that_exists_is_an_error() {
    let log = MemoryLog::new();
    let first = numbers(1).logged(log.clone(), "run").open().await.unwrap();
    let error = numbers(1).logged(log.clone(), "run").open().await.err();
    assert_eq!(error, Some(LogError::Taken));
    let mut second = numbers(1).logged(log.clone(), "run");
    assert_eq!(second.next().await, Some(Err(LogError::Taken)));
    assert_eq!(second.next().await, None);
    assert!(second.is_terminated());
    assert_eq!(first.drain().await, Ok(1));
    let closed = numbers(1).logged(log.clone(), "run").drain().await;
    assert_eq!(closed, Err(LogError::Taken));
    assert_eq!(all(&log, "run").await, ["1"]);
}

#[tokio::test(start_paused = true)]
async fn suspended_producer_is_fenced_and_changes_nothing() {
    let log = MemoryLog::new();
    let (sender, inner) = channel();
    let mut suspended = spawn(inner.logged(log.clone(), "run").lease(LEASE));
    sender.send(SseEvent::new("a")).unwrap();
    assert!(assert_ready!(suspended.poll_next()).unwrap().is_ok());
    lost(&log, "run").await;
    let other = take_over(log.clone(), "run", LONG).await.unwrap().unwrap();
    assert_eq!((other.run(), other.last()), ("run", 1));
    assert_eq!(other.events().await.unwrap()[0].data(), "a");
    // It wakes up, with more events.
    sender.send(SseEvent::new("x")).unwrap();
    assert!(suspended.is_woken());
    assert_pending!(suspended.poll_next());
    assert_eq!(
        assert_ready!(suspended.poll_next()),
        Some(Err(LogError::Fenced))
    );
    assert_eq!(assert_ready!(suspended.poll_next()), None);
    let resumed = other.resume(stream::iter(["b", "c"]).map(SseEvent::new).sse());
    assert_eq!(resumed.last(), 1);
    assert_eq!(resumed.drain().await, Ok(4));
    assert_eq!(all(&log, "run").await, ["a", "b", "c", "[DONE]"]);
    assert!(take_over(log, "run", LONG).await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn producer_that_is_fenced_while_idle_stops() {
    let log = MemoryLog::new();
    let mut idle = spawn(
        stream::pending::<SseEvent>()
            .logged(log.clone(), "run")
            .lease(LEASE),
    );
    assert_pending!(idle.poll_next());
    lost(&log, "run").await;
    let _other = take_over(log.clone(), "run", LONG).await.unwrap().unwrap();
    // Its timer was due when the lease lapsed.
    assert!(idle.is_woken());
    assert_eq!(assert_ready!(idle.poll_next()), Some(Err(LogError::Fenced)));
}

#[tokio::test]
async fn log_that_fails_is_the_last_item() {
    let log = TestLog::default();
    let (sender, inner) = channel();
    let mut logged = spawn(inner.logged(log.clone(), "run"));
    sender.send(SseEvent::new("a")).unwrap();
    assert!(assert_ready!(logged.poll_next()).unwrap().is_ok());
    log.set_down(true);
    sender.send(SseEvent::new("b")).unwrap();
    // Hyper would drop the frame of the first event, if the error were in the same poll.
    assert_pending!(logged.poll_next());
    assert!(logged.is_woken());
    assert_eq!(
        assert_ready!(logged.poll_next()),
        Some(Err(LogError::Backend(Down)))
    );
    assert_eq!(assert_ready!(logged.poll_next()), None);
    log.set_down(false);
    assert_eq!(all(&log, "run").await, ["a"]);

    log.set_down(true);
    let error = numbers(1).logged(log.clone(), "new").open().await.err();
    let error = error.unwrap();
    assert_eq!(error.to_string(), "event log: connection refused");
    assert!(std::error::Error::source(&error).is_none());
}

#[tokio::test]
async fn upstream_error_is_the_end_that_all_clients_see() {
    let log = MemoryLog::new();
    let items = [Ok("a"), Err("reset by 10.0.0.7"), Ok("never read")];
    let items = || stream::iter(items).map(|item| item.map(SseEvent::new));
    assert_eq!(items().try_logged(log.clone(), "run").drain().await, Ok(3));
    let data = all(&log, "run").await;
    let error = r#"{"code":"UPSTREAM_LOST","message":"the reply was lost"}"#;
    assert_eq!(data, ["a", error, "[DONE]"]);

    let custom = items()
        .try_logged(log.clone(), "custom")
        .failure(events(["bye"]));
    assert_eq!(custom.drain().await, Ok(2));
    assert_eq!(all(&log, "custom").await, ["a", "bye"]);
    assert_eq!(log.read("custom", 2, LONG).await, Ok(Read::Closed));
}

#[tokio::test]
async fn open_after_a_poll_waits_for_the_same_creation() {
    let log = TestLog::default();
    let mut logged = numbers(2).logged(log.clone(), "run");
    logged.next().await.unwrap().unwrap();
    let mut logged = logged.open().await.unwrap();
    assert_eq!(logged.next().await.unwrap().unwrap().id(), Some("2"));
    assert!(!format!("{logged:?}").contains('1'));
}

#[test]
fn streams_can_be_spawned() {
    fn assert_send<T: Send>(_: &T) {}
    let logged = numbers(1).logged(MemoryLog::new(), "run");
    assert_send(&logged);
    assert_send(&logged.drain());
    let tried = numbers(1)
        .map(Ok::<_, ()>)
        .try_logged(MemoryLog::new(), "run");
    assert_send(&tried.drain());
}
