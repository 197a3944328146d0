//! The law of logs: readers on any host, reconnecting at any event, receive each event once and in
//! order; after the producer is lost, all receive the same end; a fenced producer changes nothing.

use std::time::Duration;

use futures::StreamExt as _;
use futures::stream::{self, Stream};
use json_chunks::event_log::{LogStreamExt as _, MemoryLog, follow};
use json_chunks::sse::SseEvent;
use json_chunks::stream::SseStreamExt as _;
use json_chunks_testing::{CASES, config};
use proptest::collection::vec;
use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};
use tokio::time::sleep;

use super::contract::{LEASE, all};

/// A stream of as many events as the numbers add up to, with a pause before each burst.
fn bursts(bursts: Vec<(u16, u8)>) -> impl Stream<Item = SseEvent> {
    let bursts = stream::iter(bursts).then(async |(pause, count)| {
        sleep(Duration::from_millis(pause.into())).await;
        stream::iter((0..count).map(|n| SseEvent::new(n.to_string())))
    });
    bursts.flatten()
}

/// What a client receives that disconnects after each number of events, for some time, and connects
/// again.
async fn client(log: MemoryLog, connections: Vec<(u8, u16)>, is_resuming: bool) -> Vec<String> {
    let mut received: Vec<String> = Vec::new();
    let mut connections = connections
        .into_iter()
        .chain(std::iter::repeat((u8::MAX, 0)));
    loop {
        let (count, pause) = connections.next().expect("it is endless");
        let last = (!received.is_empty()).then(|| received.len().to_string());
        let mut follow = follow(log.clone(), "run", last.as_deref()).lease(LEASE);
        if is_resuming {
            follow = follow.on_lost(|lost| {
                let rest = bursts(vec![(1, 2), (50, 1)]).sse();
                tokio::spawn(lost.resume(rest).drain());
            });
        }
        for _ in 0..count {
            match follow.next().await {
                Some(event) => {
                    let event = event.expect("the log is not lost");
                    let number = received.len() + 1;
                    assert_eq!(event.id(), Some(number.to_string().as_str()));
                    received.push(event.data().to_owned());
                }
                None => return received,
            }
        }
        drop(follow);
        sleep(Duration::from_millis(pause.into())).await;
    }
}

/// What the producer does before it is lost, if it is.
fn producer() -> impl Strategy<Value = (Vec<(u16, u8)>, Option<u16>)> {
    (
        vec((0..700_u16, 0..6_u8), 0..6),
        proptest::option::of(0..2000_u16),
    )
}

proptest! {
    #![proptest_config(config(CASES / 4))]

    #[test]
    fn each_client_receives_each_event_once(
        (events, lost_after) in producer(),
        clients in vec(vec((1..5_u8, 0..400_u16), 0..6), 1..5),
        is_resuming in proptest::bool::ANY,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let log = MemoryLog::new();
        let (received, in_the_log) = runtime.block_on(async {
            let run = bursts(events).sse().logged(log.clone(), "run").lease(LEASE);
            let run = tokio::spawn(run.open().await.unwrap().drain());
            if let Some(lost_after) = lost_after {
                tokio::spawn(async move {
                    sleep(Duration::from_millis(lost_after.into())).await;
                    run.abort();
                });
            }
            let clients = clients.into_iter().map(|reads| client(log.clone(), reads, is_resuming));
            (futures::future::join_all(clients).await, all(&log, "run").await)
        });
        prop_assert!(in_the_log.last().is_some_and(|last| last == "[DONE]"));
        for received in received {
            prop_assert_eq!(&received, &in_the_log);
        }
    }
}
