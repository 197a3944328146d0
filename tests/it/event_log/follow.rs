//! What clients see of a run: on time, late, again, after losses.

use std::time::Duration;

use futures::stream::{self, FusedStream as _};
use futures::{StreamExt as _, TryStreamExt as _};
use json_chunks::event_log::{
    EventLog as _, Follow, Lease, LogError, LogStreamExt as _, MemoryLog, follow,
};
use json_chunks::sse::SseEvent;
use json_chunks::stream::SseStreamExt as _;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_test::task::spawn;
use tokio_test::{assert_pending, assert_ready};

use super::contract::{LEASE, LONG, all, events};
use super::logged::{Down, TestLog};

/// Events as `id:name:data`, where they have an id and a name.
fn outline(event: &SseEvent) -> String {
    let id = event.id().unwrap_or("-");
    match event.name() {
        "message" => format!("{id} {}", event.data()),
        name => format!("{id} {name} {}", event.data()),
    }
}

/// Everything that a client receives.
async fn received(follow: Follow<MemoryLog>) -> Vec<String> {
    follow.map(|event| outline(&event.unwrap())).collect().await
}

/// A closed run of three events and the closing one.
async fn closed() -> MemoryLog {
    let log = MemoryLog::new();
    let run = stream::iter(events(["a", "b", "c"])).sse();
    run.logged(log.clone(), "run").drain().await.unwrap();
    log
}

/// A run with these events, and its lease.
async fn running<'a>(log: &MemoryLog, data: impl IntoIterator<Item = &'a str>) -> Lease {
    let lease = log.create("run", LEASE).await.unwrap();
    log.append(&lease, 1, &events(data)).await.unwrap();
    lease
}

const LOST: &str = r#"error {"code":"PRODUCER_LOST","message":"the reply was lost"}"#;

#[tokio::test]
async fn late_client_receives_all_events() {
    let log = closed().await;
    let expected = ["1 a", "2 b", "3 c", "4 CLOSE [DONE]"];
    for no_id in [None, Some("")] {
        assert_eq!(received(follow(log.clone(), "run", no_id)).await, expected);
    }
}

#[tokio::test]
async fn reconnecting_client_receives_what_it_missed() {
    let log = closed().await;
    for (last, missed) in [
        ("1", ["2 b", "3 c", "4 CLOSE [DONE]"].as_slice()),
        ("3", &["4 CLOSE [DONE]"]),
        ("4", &[]),
    ] {
        assert_eq!(
            received(follow(log.clone(), "run", Some(last))).await,
            missed
        );
    }
    let seen_all = follow(log, "run", Some("4")).open().await.unwrap();
    assert!(seen_all.is_terminated());
}

#[tokio::test]
async fn client_with_an_id_of_another_run_starts_over() {
    let log = closed().await;
    for last in [
        "5",
        "77",
        "0",
        "04",
        "+4",
        "x",
        " 1",
        "99999999999999999999",
    ] {
        let events = received(follow(log.clone(), "run", Some(last))).await;
        assert_eq!(events[0], r#"- restart {"first":1}"#, "{last:?}");
        assert_eq!(
            events[1..],
            ["1 a", "2 b", "3 c", "4 CLOSE [DONE]"],
            "{last:?}"
        );
        let strict = follow(log.clone(), "run", Some(last)).fail_on_gap();
        assert_eq!(strict.open().await.err(), Some(LogError::Gap), "{last:?}");
    }
}

#[tokio::test]
async fn events_that_are_no_longer_kept_are_a_restart() {
    let log = MemoryLog::new().max_events(2);
    let lease = running(&log, ["a", "b", "c", "d"]).await;
    log.close(&lease, 5, &[]).await.unwrap();
    // An id of another run, too, restarts only once.
    for last in [None, Some("1"), Some("77"), Some("18446744073709551615")] {
        let events = received(follow(log.clone(), "run", last)).await;
        assert_eq!(events, [r#"- restart {"first":3}"#, "3 c", "4 d"]);
        let mut strict = follow(log.clone(), "run", last).fail_on_gap();
        assert_eq!(strict.next().await, Some(Err(LogError::Gap)));
        assert_eq!(strict.next().await, None);
    }
    assert_eq!(
        received(follow(log, "run", Some("2"))).await,
        ["3 c", "4 d"]
    );
}

#[tokio::test]
async fn slow_client_that_falls_too_far_back_is_restarted() {
    let log = MemoryLog::new().max_events(2);
    let lease = log.create("run", LONG).await.unwrap();
    log.append(&lease, 1, &events(["a"])).await.unwrap();
    let mut slow = follow(log.clone(), "run", None);
    assert_eq!(outline(&slow.next().await.unwrap().unwrap()), "1 a");
    log.append(&lease, 2, &events(["b", "c", "d"]))
        .await
        .unwrap();
    log.close(&lease, 5, &[]).await.unwrap();
    assert_eq!(
        received(slow).await,
        [r#"- restart {"first":3}"#, "3 c", "4 d"]
    );
}

#[tokio::test]
async fn waiting_client_is_woken_by_events_and_by_the_end() {
    let log = MemoryLog::new();
    let lease = log.create("run", LONG).await.unwrap();
    let mut client = spawn(follow(log.clone(), "run", None));
    assert_pending!(client.poll_next());
    log.append(&lease, 1, &events(["a", "b"])).await.unwrap();
    assert!(client.is_woken());
    for expected in ["1 a", "2 b"] {
        assert_eq!(
            outline(&assert_ready!(client.poll_next()).unwrap().unwrap()),
            expected
        );
    }
    assert_pending!(client.poll_next());
    log.close(&lease, 3, &[]).await.unwrap();
    assert!(client.is_woken());
    assert!(assert_ready!(client.poll_next()).is_none());
}

#[tokio::test]
async fn unknown_run_is_an_error() {
    let log = MemoryLog::new();
    let error = follow(log.clone(), "run", None).open().await.err();
    assert_eq!(error, Some(LogError::UnknownRun));
    let mut events = follow(log, "run", None);
    assert_eq!(events.next().await, Some(Err(LogError::UnknownRun)));
    assert_eq!(events.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn opening_does_not_wait_for_the_first_event() {
    let log = MemoryLog::new();
    let _lease = log.create("run", LONG).await.unwrap();
    let start = Instant::now();
    let opened = follow(log, "run", None).open().await.unwrap();
    assert!(!opened.is_terminated());
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn lost_producer_gives_all_clients_the_same_end() {
    let log = MemoryLog::new();
    running(&log, ["a", "b"]).await;
    let clients = [None, Some("1"), Some("2"), None].map(|last| follow(log.clone(), "run", last));
    let received = futures::future::join_all(clients.map(received)).await;
    let end = [format!("3 {LOST}"), "4 CLOSE [DONE]".to_owned()];
    assert_eq!(received[0][..2], ["1 a", "2 b"]);
    assert_eq!(received[1][..1], ["2 b"]);
    for client in &received {
        assert_eq!(client[client.len() - 2..], end);
    }
    // One who connects later, too.
    assert_eq!(received[0], self::received(follow(log, "run", None)).await);
}

#[tokio::test(start_paused = true)]
async fn lost_run_ends_in_the_events_of_its_dialect() {
    let log = MemoryLog::new();
    running(&log, ["a"]).await;
    let client = follow(log.clone(), "run", Some("1")).lost_events(events(["{\"error\":{}}"]));
    assert_eq!(received(client).await, ["2 {\"error\":{}}"]);
    assert_eq!(all(&log, "run").await, ["a", "{\"error\":{}}"]);
}

#[tokio::test(start_paused = true)]
async fn lost_run_is_resumed_by_one_of_the_hosts() {
    let log = MemoryLog::new();
    running(&log, ["a", "b"]).await;
    let (sender, mut resumed) = mpsc::unbounded_channel();
    let clients: Vec<_> = (0..5)
        .map(|host| {
            let sender = sender.clone();
            let client = follow(log.clone(), "run", None).lease(LEASE);
            client.on_lost(move |lost| {
                assert_eq!(lost.last(), 2);
                sender.send(host).unwrap();
                let rest = stream::once(async { SseEvent::new("c") });
                tokio::spawn(lost.resume(rest.sse()).drain());
            })
        })
        .collect();
    for client in futures::future::join_all(clients.into_iter().map(received)).await {
        assert_eq!(client, ["1 a", "2 b", "3 c", "4 CLOSE [DONE]"]);
    }
    assert!(resumed.try_recv().is_ok());
    assert!(resumed.try_recv().is_err(), "one host was asked");
}

#[tokio::test(start_paused = true)]
async fn run_that_is_lost_again_is_resumed_again() {
    let log = MemoryLog::new();
    running(&log, ["a"]).await;
    let mut calls = 0;
    let client = follow(log.clone(), "run", None)
        .lease(LEASE)
        .on_lost(move |lost| {
            calls += 1;
            if calls == 3 {
                tokio::spawn(async move { lost.end(&[SseEvent::close()]).await.unwrap() });
            }
            // The others crash at once.
        });
    assert_eq!(received(client).await, ["1 a", "2 CLOSE [DONE]"]);
}

#[tokio::test(start_paused = true)]
async fn run_that_is_claimed_for_no_time_is_offered_with_pauses() {
    let log = MemoryLog::new();
    running(&log, []).await;
    let (sender, mut offered) = mpsc::unbounded_channel();
    let client = follow(log.clone(), "run", None).lease(Duration::ZERO);
    let mut client = client.on_lost(move |_| {
        // Else this thread would never look at the clock again.
        assert!(sender.send(()).is_ok(), "nobody waits any longer");
    });
    let offers = async {
        offered.recv().await.unwrap();
        offered.recv().await.unwrap();
        offered.close();
    };
    tokio::select! {
        _ = client.next() => panic!("there is nothing to receive"),
        () = offers => {}
    }
}

#[tokio::test(start_paused = true)]
async fn upstream_error_of_a_resumed_run_is_its_end() {
    let log = MemoryLog::new();
    running(&log, ["a"]).await;
    let client = follow(log.clone(), "run", None)
        .lease(LEASE)
        .on_lost(|lost| {
            let rest = stream::iter([Ok(SseEvent::new("b")), Err("reset")]);
            tokio::spawn(lost.try_resume(rest).failure(events(["bye"])).drain());
        });
    assert_eq!(received(client).await, ["1 a", "2 b", "3 bye"]);
}

#[tokio::test]
async fn lost_log_breaks_the_stream_off() {
    let log = TestLog::default();
    let lease = log.create("run", LONG).await.unwrap();
    log.append(&lease, 1, &events(["a"])).await.unwrap();
    let mut client = spawn(follow(log.clone(), "run", None));
    assert!(assert_ready!(client.poll_next()).unwrap().is_ok());
    log.set_down(true);
    // `Pending` once, so that hyper sends what it has.
    assert_pending!(client.poll_next());
    assert!(client.is_woken());
    assert_eq!(
        assert_ready!(client.poll_next()),
        Some(Err(LogError::Backend(Down)))
    );
    assert_eq!(assert_ready!(client.poll_next()), None);
    assert_eq!(
        follow(log.clone(), "run", None).open().await.err(),
        Some(LogError::Backend(Down))
    );
    // The client connects again, and nothing was lost.
    log.set_down(false);
    log.close(&lease, 2, &events(["b"])).await.unwrap();
    let rest: Vec<SseEvent> = follow(log, "run", Some("1")).try_collect().await.unwrap();
    assert_eq!(rest.iter().map(outline).collect::<Vec<_>>(), ["2 b"]);
}

#[tokio::test(start_paused = true)]
async fn log_that_was_emptied_breaks_the_stream_off() {
    let log = MemoryLog::new().keep(LEASE);
    running(&log, ["a"]).await;
    let mut client = follow(log.clone(), "run", None).on_lost(|_| {});
    client.next().await.unwrap().unwrap();
    tokio::time::advance(2 * LEASE).await;
    assert_eq!(client.next().await, Some(Err(LogError::UnknownRun)));

    let log = MemoryLog::new().keep(LEASE);
    running(&log, ["a", "b"]).await;
    let mut client = follow(log.clone(), "run", None);
    for _ in 0..2 {
        client.next().await.unwrap().unwrap();
    }
    tokio::time::advance(2 * LEASE).await;
    // Another run of the same id, which is shorter: not what the client has the start of.
    running(&log, ["x"]).await;
    assert_eq!(client.next().await, Some(Err(LogError::Gap)));
}

#[test]
fn follower_can_be_spawned_and_shows_no_payload() {
    fn assert_bounds<T: Send + Unpin>(value: T) -> T {
        value
    }
    let client = assert_bounds(follow(MemoryLog::new(), "run", Some("3")));
    assert_eq!(client.last(), 3);
    assert_eq!(
        format!("{client:?}"),
        r#"Follow { run: "run", last: 3, .. }"#
    );
}
