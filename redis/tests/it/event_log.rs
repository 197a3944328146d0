//! The contract of a log, as the library tests it on its own.

#[allow(
    clippy::missing_panics_doc,
    reason = "the file is shared with the tests of the library"
)]
#[path = "../../../tests/it/event_log/contract.rs"]
pub(crate) mod contract;

use std::time::Duration;

use json_chunks::event_log::EventLog as _;
use json_chunks_redis::RedisLog;

use crate::server::Server;
use contract::{LEASE, LONG, all, events, lost, rules};

async fn log() -> Option<(RedisLog, Server)> {
    let server = Server::start().await?;
    Some((server.log(), server))
}

rules!(log().await => #[tokio::test]);

#[tokio::test]
async fn hosts_see_the_same_run() {
    let Some(server) = Server::start().await else {
        return;
    };
    let (one, two) = (server.log(), server.log());
    let lease = one.create("run", LEASE).await.unwrap();
    one.append(&lease, 1, &events(["a", "b"])).await.unwrap();
    assert_eq!(all(&two, "run").await, ["a", "b"]);
    let appended = events(["c"]);
    let (read, appended) = tokio::join!(two.read("run", 2, LONG), one.append(&lease, 3, &appended));
    appended.unwrap();
    assert!(matches!(
        read,
        Ok(json_chunks::event_log::Read::Events { first: 3, .. })
    ));
    lost(&two, "run").await;
    let claimed = two.claim("run", LEASE).await.unwrap();
    assert_eq!(claimed.last(), 3);
}

#[tokio::test]
async fn prefixes_keep_logs_apart() {
    let Some(server) = Server::start().await else {
        return;
    };
    let (one, two) = (server.log().prefix("one"), server.log().prefix("two"));
    one.create("run", LONG).await.unwrap();
    two.create("run", LONG).await.unwrap();
}

#[tokio::test]
async fn run_expires_in_redis() {
    let Some(server) = Server::start().await else {
        return;
    };
    let log = server.log().keep(LEASE);
    let lease = log.create("run", LEASE).await.unwrap();
    log.close(&lease, 1, &events(["a"])).await.unwrap();
    assert_eq!(server.keys().await.len(), 2);
    // Redis removes them on its own; there is nothing to wait for but the clock.
    while !server.keys().await.is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn oldest_events_are_trimmed() {
    let Some(server) = Server::start().await else {
        return;
    };
    // Redis trims nodes of 100 events.
    let log = server.log().max_events(100);
    let lease = log.create("run", LONG).await.unwrap();
    let data: Vec<String> = (1..=1000).map(|n| n.to_string()).collect();
    log.append(&lease, 1, &events(data.iter().map(String::as_str)))
        .await
        .unwrap();
    let read = log.read("run", 0, LONG).await.unwrap();
    let json_chunks::event_log::Read::Events { first, events, .. } = read else {
        panic!("there are events");
    };
    assert!((700..=901).contains(&first), "{first}");
    assert_eq!(events[0].data(), first.to_string());
    // The number of the last event is still known.
    log.append(&lease, 1001, &contract::events(["end"]))
        .await
        .unwrap();
}

#[tokio::test]
async fn last_event_is_kept_in_any_case() {
    let Some(server) = Server::start().await else {
        return;
    };
    let log = server.log().max_events(0);
    let lease = log.create("run", LONG).await.unwrap();
    log.append(&lease, 1, &events(["a"])).await.unwrap();
    assert_eq!(all(&log, "run").await, ["a"]);
}

#[tokio::test]
async fn extreme_durations_and_numbers_are_those_of_the_contract() {
    let Some(server) = Server::start().await else {
        return;
    };
    let log = server.log().keep(Duration::MAX).grace(Duration::ZERO);
    let lease = log.create("{run}", Duration::MAX).await.unwrap();
    log.append(&lease, 1, &events(["a"])).await.unwrap();
    for number in [0, 3, u64::MAX] {
        assert!(log.append(&lease, number, &events(["x"])).await.is_err());
    }
    assert!(log.read("{run}", u64::MAX, Duration::MAX).await.is_err());
    assert_eq!(all(&log, "{run}").await, ["a"]);
    log.create("", Duration::ZERO).await.unwrap();
    lost(&log, "").await;
    let claimed = log.claim("", Duration::ZERO).await.unwrap();
    log.close(&claimed, 1, &events(["b"])).await.unwrap();
    assert_eq!(all(&log, "").await, ["b"]);
}
