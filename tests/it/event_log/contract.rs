//! What every log has to do, whatever it is made from.
//!
//! Each function is one rule, for a log without runs. `LEASE` is short enough to wait for.

use std::fmt::Debug;
use std::time::Duration;

use json_chunks::event_log::{EventLog, Lease, LogError, Read};
use json_chunks::sse::SseEvent;

pub(crate) const LEASE: Duration = Duration::from_millis(900);

/// Longer than any wait that has an event.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// Every rule, for logs that `$log` creates in a test of its own: with a guard for its server, or
/// none if the server is not installed.
macro_rules! rules {
    ($log:expr => #[$test:meta]) => {
        $crate::event_log::contract::rules!(@ #[$test] $log;
            created_run_is_taken
            appended_events_are_read_with_their_numbers
            number_that_is_taken_is_refused
            number_after_a_gap_is_refused
            repeated_append_changes_nothing
            closed_run_accepts_nothing
            run_of_a_producer_is_not_claimed
            lost_run_is_claimed_once
            producer_is_fenced_when_another_has_claimed
            lapsed_lease_is_renewed_if_nobody_has_claimed
            waiting_reader_is_woken
            waiting_reader_is_woken_by_the_end
            unknown_run_is_an_error
            read_beyond_the_end_is_a_gap
            data_survives
            long_run_is_read_in_parts
        );
    };
    (@ #[$test:meta] $log:expr; $($rule:ident)*) => {
        $(
            #[$test]
            async fn $rule() {
                let Some((log, _guard)) = $log else {
                    return;
                };
                $crate::event_log::contract::$rule(log).await;
            }
        )*
    };
}
pub(crate) use rules;

pub(crate) fn events<'a>(data: impl IntoIterator<Item = &'a str>) -> Vec<SseEvent> {
    data.into_iter().map(SseEvent::new).collect()
}

/// Waits until the lease of a run has lapsed.
pub(crate) async fn lost<L: EventLog>(log: &L, run: &str) {
    let last = all(log, run).await.len() as u64;
    while log.read(run, last, LEASE).await.unwrap() != Read::Lost {}
}

/// The data of all events, whose ids are checked.
pub(crate) async fn all<L: EventLog>(log: &L, run: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    loop {
        let after = all.len() as u64;
        match log.read(run, after, Duration::ZERO).await {
            Ok(Read::Events { first, events, .. }) => {
                assert_eq!(first, after + 1);
                for event in events {
                    all.push(event.data().to_owned());
                    assert_eq!(event.id(), Some(all.len().to_string().as_str()));
                }
            }
            Ok(_) => return all,
            Err(error) => panic!("{error}"),
        }
    }
}

fn assert_is<T: Debug, E: Debug>(result: Result<T, LogError<E>>, wanted: &str) {
    match result {
        Err(error) => assert_eq!(format!("{error:?}"), wanted),
        Ok(value) => panic!("{value:?} in place of {wanted}"),
    }
}

pub(crate) async fn created_run_is_taken<L: EventLog>(log: L) {
    let lease = log.create("run", LEASE).await.unwrap();
    assert_eq!(
        (lease.run(), lease.last(), lease.duration()),
        ("run", 0, LEASE)
    );
    assert_is(log.create("run", LEASE).await, "Taken");
    assert_eq!(
        log.read("run", 0, Duration::ZERO).await.unwrap(),
        Read::Idle
    );
    // Also when it was lost, and when it is closed.
    lost(&log, "run").await;
    assert_is(log.create("run", LEASE).await, "Taken");
    let lease = log.claim("run", LEASE).await.unwrap();
    log.close(&lease, 1, &[]).await.unwrap();
    assert_is(log.create("run", LEASE).await, "Taken");
    let other = log.create("other", LEASE).await.unwrap();
    assert_ne!(other, lease);
}

pub(crate) async fn appended_events_are_read_with_their_numbers<L: EventLog>(log: L) {
    let lease = log.create("run", LONG).await.unwrap();
    log.append(&lease, 1, &events(["a", "b"])).await.unwrap();
    let own_id = SseEvent::named("n", "c").with_id("77").with_retry(LEASE);
    log.append(&lease, 3, &[own_id]).await.unwrap();
    assert_eq!(all(&log, "run").await, ["a", "b", "c"]);
    let Ok(Read::Events { first, events, .. }) = log.read("run", 1, Duration::ZERO).await else {
        panic!("there are events");
    };
    assert_eq!(first, 2);
    let expected = [
        SseEvent::new("b").with_id("2"),
        SseEvent::named("n", "c").with_id("3").with_retry(LEASE),
    ];
    assert_eq!(events, expected);
    assert_eq!(
        log.read("run", 3, Duration::ZERO).await.unwrap(),
        Read::Idle
    );
}

pub(crate) async fn number_that_is_taken_is_refused<L: EventLog>(log: L) {
    let lease = log.create("run", LONG).await.unwrap();
    log.append(&lease, 1, &events(["a", "b"])).await.unwrap();
    for number in [0, 1, 2] {
        let result = log
            .append(&lease, number, &events(["x", "y", "z", "z"]))
            .await;
        assert_is(result, "Fenced");
    }
    assert_is(log.append(&lease, u64::MAX, &events(["x"])).await, "Gap");
    assert_eq!(all(&log, "run").await, ["a", "b"]);
}

pub(crate) async fn number_after_a_gap_is_refused<L: EventLog>(log: L) {
    let lease = log.create("run", LONG).await.unwrap();
    assert_is(log.append(&lease, 2, &events(["b"])).await, "Gap");
    assert_is(log.close(&lease, 2, &events(["b"])).await, "Gap");
    // A run that is gone lacks its events.
    let gone = Lease::new("gone", lease.token(), 0, LONG);
    assert_is(log.append(&gone, 1, &events(["a"])).await, "Gap");
    assert_is(log.renew(&gone).await, "Gap");
    assert_is(log.close(&gone, 1, &[]).await, "Gap");
    assert_is(log.read("gone", 0, Duration::ZERO).await, "UnknownRun");
    assert!(all(&log, "run").await.is_empty());
}

pub(crate) async fn repeated_append_changes_nothing<L: EventLog>(log: L) {
    let lease = log.create("run", LONG).await.unwrap();
    for _ in 0..2 {
        log.append(&lease, 1, &events(["a", "b"])).await.unwrap();
    }
    for _ in 0..2 {
        log.append(&lease, 3, &events(["c"])).await.unwrap();
    }
    for _ in 0..2 {
        log.close(&lease, 4, &events(["d"])).await.unwrap();
    }
    assert_eq!(all(&log, "run").await, ["a", "b", "c", "d"]);
}

pub(crate) async fn closed_run_accepts_nothing<L: EventLog>(log: L) {
    let lease = log.create("run", LONG).await.unwrap();
    log.append(&lease, 1, &events(["a"])).await.unwrap();
    for _ in 0..2 {
        log.close(&lease, 2, &[]).await.unwrap();
    }
    assert_is(log.append(&lease, 2, &events(["x"])).await, "Fenced");
    assert_is(log.close(&lease, 2, &events(["x"])).await, "Fenced");
    assert_is(log.append(&lease, 2, &[]).await, "Fenced");
    assert_is(log.renew(&lease).await, "Fenced");
    assert_is(log.claim("run", LONG).await, "Taken");
    assert_eq!(all(&log, "run").await, ["a"]);
    assert_eq!(log.read("run", 1, LONG).await.unwrap(), Read::Closed);
}

pub(crate) async fn run_of_a_producer_is_not_claimed<L: EventLog>(log: L) {
    let lease = log.create("run", LONG).await.unwrap();
    assert_is(log.claim("run", LONG).await, "Taken");
    log.append(&lease, 1, &events(["a"])).await.unwrap();
    assert_is(log.claim("run", LONG).await, "Taken");
    assert_is(log.claim("other", LONG).await, "UnknownRun");
    // Asking did not create it.
    assert_is(log.read("other", 0, Duration::ZERO).await, "UnknownRun");
}

pub(crate) async fn lost_run_is_claimed_once<L: EventLog>(log: L) {
    let lease = log.create("run", LEASE).await.unwrap();
    log.append(&lease, 1, &events(["a", "b"])).await.unwrap();
    lost(&log, "run").await;
    // What there is can still be read.
    assert_eq!(all(&log, "run").await, ["a", "b"]);
    let (one, two) = tokio::join!(log.claim("run", LONG), log.claim("run", LONG));
    assert_ne!(one.is_ok(), two.is_ok());
    let claimed = one.or(two).unwrap();
    assert_eq!(claimed.last(), 2);
    assert_ne!(claimed.token(), lease.token());
    log.append(&claimed, 3, &events(["c"])).await.unwrap();
    assert_eq!(all(&log, "run").await, ["a", "b", "c"]);
}

pub(crate) async fn producer_is_fenced_when_another_has_claimed<L: EventLog>(log: L) {
    let suspended = log.create("run", LEASE).await.unwrap();
    log.append(&suspended, 1, &events(["a"])).await.unwrap();
    lost(&log, "run").await;
    let current = log.claim("run", LONG).await.unwrap();
    // Before and after the new producer has written.
    for appended in [0, 1] {
        assert_is(log.append(&suspended, 2, &events(["x"])).await, "Fenced");
        assert_is(log.append(&suspended, 1, &events(["a"])).await, "Fenced");
        assert_is(log.close(&suspended, 2, &[]).await, "Fenced");
        assert_is(log.renew(&suspended).await, "Fenced");
        if appended == 0 {
            log.append(&current, 2, &events(["b"])).await.unwrap();
        }
    }
    assert_eq!(all(&log, "run").await, ["a", "b"]);
}

pub(crate) async fn lapsed_lease_is_renewed_if_nobody_has_claimed<L: EventLog>(log: L) {
    let lease = log.create("run", LEASE).await.unwrap();
    for number in 1..=2 {
        lost(&log, "run").await;
        match number {
            1 => log.renew(&lease).await.unwrap(),
            _ => log.append(&lease, 1, &events(["a"])).await.unwrap(),
        }
        assert_is(log.claim("run", LEASE).await, "Taken");
    }
}

pub(crate) async fn waiting_reader_is_woken<L: EventLog>(log: L) {
    let lease = log.create("run", LONG).await.unwrap();
    for number in 1..=3_u64 {
        let data = number.to_string();
        let appended = events([data.as_str()]);
        let (read, appended) = tokio::join!(
            log.read("run", number - 1, LONG),
            log.append(&lease, number, &appended)
        );
        appended.unwrap();
        let expected = vec![SseEvent::new(data.clone()).with_id(data)];
        assert_eq!(read.unwrap(), Read::events(number, expected).unwrap());
    }
}

pub(crate) async fn waiting_reader_is_woken_by_the_end<L: EventLog>(log: L) {
    let lease = log.create("run", LONG).await.unwrap();
    let (read, closed) = tokio::join!(log.read("run", 0, LONG), log.close(&lease, 1, &[]));
    closed.unwrap();
    assert_eq!(read.unwrap(), Read::Closed);
}

pub(crate) async fn unknown_run_is_an_error<L: EventLog>(log: L) {
    assert_is(log.read("run", 0, LONG).await, "UnknownRun");
    assert_is(log.read("run", 5, LONG).await, "UnknownRun");
    assert_is(log.claim("run", LONG).await, "UnknownRun");
}

pub(crate) async fn read_beyond_the_end_is_a_gap<L: EventLog>(log: L) {
    let lease = log.create("run", LONG).await.unwrap();
    log.append(&lease, 1, &events(["a"])).await.unwrap();
    for after in [2, 1000, u64::MAX] {
        assert_is(log.read("run", after, LONG).await, "Gap");
    }
    log.close(&lease, 2, &[]).await.unwrap();
    assert_is(log.read("run", 2, LONG).await, "Gap");
}

pub(crate) async fn data_survives<L: EventLog>(log: L) {
    let lease = log.create("run: {a} b\n\u{e9}", LONG).await.unwrap();
    let sent = [
        SseEvent::new(""),
        SseEvent::new("a\nb\r\n\0\u{1F600}"),
        SseEvent::named("message", "default"),
        SseEvent::named("n m", "{\"a\":\"\\u0000\"}"),
        SseEvent::close(),
    ];
    log.append(&lease, 1, &sent).await.unwrap();
    let Ok(Read::Events { events, .. }) = log.read(lease.run(), 0, Duration::ZERO).await else {
        panic!("there are events");
    };
    assert_eq!(events.len(), sent.len());
    for (event, sent) in events.iter().zip(&sent) {
        assert_eq!((event.name(), event.data()), (sent.name(), sent.data()));
    }
}

pub(crate) async fn long_run_is_read_in_parts<L: EventLog>(log: L) {
    let lease = log.create("run", LONG).await.unwrap();
    let data: Vec<String> = (1..=1500).map(|n| n.to_string()).collect();
    let sent = events(data.iter().map(String::as_str));
    log.append(&lease, 1, &sent).await.unwrap();
    let Ok(Read::Events { events, .. }) = log.read("run", 0, LONG).await else {
        panic!("there are events");
    };
    assert!(events.len() < 1500, "{}", events.len());
    assert_eq!(all(&log, "run").await, data);
}
