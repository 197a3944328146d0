//! The log in memory: the contract, and its bounds.

use std::time::Duration;

use json_chunks::event_log::{EventLog as _, LogError, MemoryLog, Read};
use json_chunks::sse::SseEvent;
use tokio::time::{Instant, advance};

use super::contract::{LEASE, LONG, all, events, rules};

rules!(Some((MemoryLog::new(), ())) => #[tokio::test(start_paused = true)]);

/// The number of the first event that is kept, and the data of all.
async fn kept(log: &MemoryLog) -> (u64, String) {
    match log.read("run", 0, Duration::ZERO).await {
        Ok(Read::Events { first, events, .. }) => {
            (first, events.iter().map(SseEvent::data).collect())
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn oldest_events_are_dropped_beyond_the_count() {
    let log = MemoryLog::new().max_events(3);
    let lease = log.create("run", LONG).await.unwrap();
    for (number, data) in (1..).zip(["a", "b", "c"]) {
        log.append(&lease, number, &events([data])).await.unwrap();
    }
    assert_eq!(kept(&log).await, (1, "abc".to_owned()));
    log.append(&lease, 4, &events(["d", "e"])).await.unwrap();
    assert_eq!(kept(&log).await, (3, "cde".to_owned()));
    // A reader that is far enough misses nothing.
    let read = log.read("run", 4, Duration::ZERO).await;
    assert_eq!(
        read,
        Ok(Read::events(5, vec![SseEvent::new("e").with_id("5")]).unwrap())
    );
    // Numbers continue.
    log.append(&lease, 6, &events(["f"])).await.unwrap();
    assert_eq!(kept(&log).await, (4, "def".to_owned()));
}

#[tokio::test]
async fn oldest_events_are_dropped_beyond_the_size() {
    let log = MemoryLog::new().max_bytes(10);
    let lease = log.create("run", LONG).await.unwrap();
    log.append(&lease, 1, &events(["12345", "678", "90"]))
        .await
        .unwrap();
    assert_eq!(kept(&log).await, (1, "1234567890".to_owned()));
    log.append(&lease, 4, &[SseEvent::named("n", "1")])
        .await
        .unwrap();
    assert_eq!(kept(&log).await, (2, "678901".to_owned()));
    // The last event is kept in any case.
    log.append(&lease, 5, &events(["larger than all"]))
        .await
        .unwrap();
    assert_eq!(kept(&log).await, (5, "larger than all".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn run_is_removed_some_time_after_its_last_event() {
    let log = MemoryLog::new().keep(3 * LEASE);
    let lease = log.create("run", LEASE).await.unwrap();
    advance(2 * LEASE).await;
    log.append(&lease, 1, &events(["a"])).await.unwrap();
    advance(2 * LEASE).await;
    log.close(&lease, 2, &[]).await.unwrap();
    advance(2 * LEASE).await;
    assert_eq!(all(&log, "run").await, ["a"]);
    advance(LEASE).await;
    let gone = log.read("run", 0, LONG).await;
    assert_eq!(gone, Err(LogError::UnknownRun));
    assert_eq!(log.renew(&lease).await, Err(LogError::Gap));
    // The id may be used again.
    let lease = log.create("run", LEASE).await.unwrap();
    log.append(&lease, 1, &events(["b"])).await.unwrap();
    assert_eq!(all(&log, "run").await, ["b"]);
}

#[tokio::test(start_paused = true)]
async fn expired_runs_are_removed_from_memory() {
    let log = MemoryLog::new().keep(LEASE);
    for number in 0..10_000 {
        log.create(&format!("run-{number}"), LEASE).await.unwrap();
        advance(LEASE / 10).await;
    }
    let runs = format!("{log:?}");
    let runs: usize = runs
        .split(|c: char| !c.is_ascii_digit())
        .find(|n| !n.is_empty())
        .unwrap()
        .parse()
        .unwrap();
    assert!(runs <= 12, "{runs}");
}

#[tokio::test(start_paused = true)]
async fn read_waits_no_longer_than_asked() {
    let log = MemoryLog::new();
    let _lease = log.create("run", LONG).await.unwrap();
    let start = Instant::now();
    assert_eq!(
        log.read("run", 0, Duration::from_secs(7)).await,
        Ok(Read::Idle)
    );
    assert_eq!(start.elapsed(), Duration::from_secs(7));
}

#[tokio::test(start_paused = true)]
async fn endless_durations_do_not_panic() {
    let log = MemoryLog::new().keep(Duration::MAX);
    let lease = log.create("run", Duration::MAX).await.unwrap();
    let (read, closed) = tokio::join!(log.read("run", 0, Duration::MAX), log.close(&lease, 1, &[]));
    closed.unwrap();
    assert_eq!(read, Ok(Read::Closed));
}

#[test]
fn log_works_without_a_runtime() {
    let log = MemoryLog::new();
    futures::executor::block_on(async {
        let lease = log.create("run", LONG).await.unwrap();
        let secret = events(["secret"]);
        let (read, appended) =
            futures::join!(log.read("run", 0, LONG), log.append(&lease, 1, &secret));
        appended.unwrap();
        assert!(matches!(read, Ok(Read::Events { first: 1, .. })));
        assert!(!format!("{log:?}{read:?}").contains("secret"));
    });
}
