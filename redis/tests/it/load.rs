//! Many clients, slow ones, and such that vanish: each receives every event once and in order.

use futures::{StreamExt as _, future, stream};
use json_chunks::event_log::{LogStreamExt as _, follow};
use json_chunks::sse::SseEvent;
use json_chunks::stream::SseStreamExt as _;
use json_chunks_redis::RedisLog;

use crate::server::Server;

/// Appends events, a few at a time.
async fn produce(log: RedisLog, run: String, count: usize) {
    let events = stream::iter(0..count).then(async |number| {
        if number % 7 == 0 {
            tokio::task::yield_now().await;
        }
        SseEvent::new(number.to_string())
    });
    let run = events.sse().logged(log, run).open().await.unwrap();
    tokio::spawn(run.drain());
}

/// Follows a run, connecting again after each `per_connection` events; returns how many it
/// received.
async fn client(log: RedisLog, run: String, per_connection: usize) -> usize {
    let mut received = 0;
    loop {
        let last = (received > 0).then(|| received.to_string());
        let mut events = follow(log.clone(), run.clone(), last.as_deref());
        for _ in 0..per_connection {
            let Some(event) = events.next().await else {
                return received;
            };
            received += 1;
            assert_eq!(event.unwrap().id(), Some(received.to_string().as_str()));
            // A slow reader: others have their turn after each event.
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn many_clients_of_one_run_receive_everything() {
    let Some(server) = Server::start().await else {
        return;
    };
    let log = server.log();
    produce(server.log(), "run".to_owned(), 1500).await;
    // Some vanish early and return, some read everything at once; most follow on one host.
    let clients = (0..200).map(|n| {
        let log = if n % 50 == 0 {
            server.log()
        } else {
            log.clone()
        };
        client(log, "run".to_owned(), 100 + 40 * n)
    });
    for received in future::join_all(clients).await {
        assert_eq!(received, 1501);
    }
}

#[tokio::test]
async fn many_runs_with_one_client_each_receive_everything() {
    let Some(server) = Server::start().await else {
        return;
    };
    let (producing, serving) = (server.log(), server.log());
    let runs = (0..200).map(async |n| {
        let run = format!("run-{n}");
        produce(producing.clone(), run.clone(), 20 + n).await;
        assert_eq!(client(serving.clone(), run, 50).await, 21 + n);
    });
    future::join_all(runs).await;
}
