//! Redis stops in mid-stream: clients see a break and never a clean end, and where Redis has its
//! data again, nothing is lost.

use std::time::Duration;

use futures::StreamExt as _;
use futures::future::join_all;
use json_chunks::event_log::{EventLog as _, Follow, LogError, LogStreamExt as _, follow};
use json_chunks::sse::SseEvent;
use json_chunks::stream::SseStreamExt as _;
use json_chunks_redis::RedisLog;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::UnboundedReceiverStream;

use crate::event_log::contract::LONG;
use crate::server::Server;

/// A producer that the test feeds.
async fn producer(
    log: RedisLog,
) -> (
    mpsc::UnboundedSender<SseEvent>,
    JoinHandle<Result<u64, LogError<redis::RedisError>>>,
) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let run = UnboundedReceiverStream::new(receiver)
        .sse()
        .logged(log, "run");
    (sender, tokio::spawn(run.open().await.unwrap().drain()))
}

async fn next(client: &mut Follow<RedisLog>) -> Result<String, LogError<redis::RedisError>> {
    let next = tokio::time::timeout(LONG, client.next()).await;
    let event = next.expect("in time").expect("not a clean end")?;
    Ok(format!("{} {}", event.id().unwrap_or("-"), event.data()))
}

#[tokio::test]
async fn nothing_is_lost_when_redis_restarts_with_its_data() {
    let Some(mut server) = Server::start_durable().await else {
        return;
    };
    let (events, run) = producer(server.log()).await;
    let mut client = follow(server.log(), "run", None);
    events.send(SseEvent::new("a")).unwrap();
    assert_eq!(next(&mut client).await.unwrap(), "1 a");
    for round in 1..=2 {
        server.kill();
        for number in 0..300 {
            events
                .send(SseEvent::new(format!("{round}.{number}")))
                .unwrap();
        }
        // The client waits while there is no Redis.
        let (first, ()) = tokio::join!(next(&mut client), server.restart());
        let start = 300 * (round - 1) + 2;
        assert_eq!(first.unwrap(), format!("{start} {round}.0"));
        for number in 1..300 {
            let expected = format!("{} {round}.{number}", start + number);
            assert_eq!(next(&mut client).await.unwrap(), expected);
        }
    }
    drop(events);
    assert_eq!(next(&mut client).await.unwrap(), "602 [DONE]");
    assert!(client.next().await.is_none());
    assert_eq!(run.await.unwrap().unwrap(), 602);
}

#[tokio::test]
async fn client_breaks_off_when_redis_has_lost_its_data() {
    let Some(mut server) = Server::start().await else {
        return;
    };
    let (events, run) = producer(server.log()).await;
    let mut client = follow(server.log(), "run", None);
    events.send(SseEvent::new("a")).unwrap();
    assert_eq!(next(&mut client).await.unwrap(), "1 a");
    server.kill();
    events.send(SseEvent::new("b")).unwrap();
    let (next, ()) = tokio::join!(next(&mut client), server.restart());
    assert!(matches!(next, Err(LogError::UnknownRun)), "{next:?}");
    assert!(client.next().await.is_none());
    // The producer stops as well; it can't append to what is no longer there.
    assert!(matches!(run.await.unwrap(), Err(LogError::Gap)));
    let again = follow(server.log(), "run", Some("1")).open().await;
    assert!(matches!(again, Err(LogError::UnknownRun)));
}

#[tokio::test]
async fn client_breaks_off_when_redis_stays_away() {
    let Some(mut server) = Server::start().await else {
        return;
    };
    let patience = Duration::from_millis(300);
    let (events, run) = producer(server.log().patience(patience)).await;
    let mut client = follow(server.log().patience(patience), "run", None);
    events.send(SseEvent::new("a")).unwrap();
    assert_eq!(next(&mut client).await.unwrap(), "1 a");
    server.kill();
    events.send(SseEvent::new("b")).unwrap();
    let broken = next(&mut client).await;
    assert!(matches!(broken, Err(LogError::Backend(_))), "{broken:?}");
    assert!(client.next().await.is_none());
    assert!(matches!(run.await.unwrap(), Err(LogError::Backend(_))));
    let unreachable = server.log().patience(patience).create("new", LONG).await;
    assert!(matches!(unreachable, Err(LogError::Backend(_))));
}

#[tokio::test]
async fn subscription_that_breaks_delays_events_and_loses_none() {
    let Some(server) = Server::start().await else {
        return;
    };
    let (events, run) = producer(server.log()).await;
    let mut client = follow(server.log(), "run", None);
    let mut broken = 0;
    for number in 1..=20 {
        events.send(SseEvent::new("x")).unwrap();
        assert_eq!(next(&mut client).await.unwrap(), format!("{number} x"));
        broken += server.break_subscriptions().await;
    }
    assert!(broken > 1, "it was made again");
    drop(events);
    assert_eq!(next(&mut client).await.unwrap(), "21 [DONE]");
    assert_eq!(run.await.unwrap().unwrap(), 21);
}

#[tokio::test]
async fn all_clients_of_a_run_break_off_at_once() {
    let Some(mut server) = Server::start().await else {
        return;
    };
    // If they failed one after the other, it would take five minutes.
    let patience = Duration::from_millis(300);
    let (events, _run) = producer(server.log().patience(patience)).await;
    let serving = server.log().patience(patience);
    let mut clients: Vec<_> = (0..1000)
        .map(|_| follow(serving.clone(), "run", None))
        .collect();
    events.send(SseEvent::new("a")).unwrap();
    for received in join_all(clients.iter_mut().map(next)).await {
        assert_eq!(received.unwrap(), "1 a");
    }
    server.kill();
    for broken in join_all(clients.iter_mut().map(next)).await {
        assert!(matches!(broken, Err(LogError::Backend(_))), "{broken:?}");
    }
}

#[tokio::test]
async fn producer_is_not_lost_because_redis_was_away() {
    let Some(mut server) = Server::start_durable().await else {
        return;
    };
    let log = server.log();
    let lease = log.create("run", Duration::from_millis(1)).await.unwrap();
    let other = server.log();
    assert!(other.read("run", 0, Duration::ZERO).await.is_ok());
    server.kill();
    server.restart().await;
    // The lease has lapsed, but its producer had no chance to renew it.
    let read = other.read("run", 0, Duration::ZERO).await.unwrap();
    assert_eq!(read, json_chunks::event_log::Read::Idle);
    log.renew(&lease).await.unwrap();
    // A host without such patience declares it lost.
    let strict = server.log().grace(Duration::ZERO);
    while strict.read("run", 0, Duration::ZERO).await.unwrap() == json_chunks::event_log::Read::Idle
    {
    }
}
