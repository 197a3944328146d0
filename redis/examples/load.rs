//! Many clients and many runs, over Redis and in process: events per second, latency, memory.
//!
//! ```sh
//! cargo run --release --manifest-path redis/Cargo.toml --example load -- [CLIENTS]
//! ```
//!
//! Starts a `redis-server` of its own. Producers and clients are two hosts: they have connections
//! of their own, in one process, so that both have the same clock. Every client checks that it
//! receives every event once and in order.

#![allow(clippy::print_stdout, reason = "the figures")]
#![allow(
    clippy::unwrap_used,
    reason = "a panic is how a program of figures fails"
)]

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/it/server.rs"]
mod server;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::{StreamExt as _, future, stream};
use json_chunks::event_log::{EventLog, LogStreamExt as _, MemoryLog, follow};
use json_chunks::sse::SseEvent;
use json_chunks::stream::SseStreamExt as _;
use tokio::time::sleep;

use server::Server;

/// The size of an event's data: that of a token in a frame of a dialect.
const BYTES_PER_EVENT: usize = 200;

/// What was measured, over all clients.
#[derive(Clone)]
struct Figures {
    start: Instant,
    latencies: Arc<Mutex<Vec<u32>>>,
}

impl Figures {
    fn new() -> Self {
        Self {
            start: Instant::now(),
            latencies: Arc::default(),
        }
    }

    /// An event that says when it was produced.
    fn event(&self) -> SseEvent {
        let mut data = self.start.elapsed().as_micros().to_string();
        data.push(' ');
        let rest = BYTES_PER_EVENT.saturating_sub(data.len());
        data.extend(std::iter::repeat_n('x', rest));
        SseEvent::new(data)
    }

    /// How long ago it was produced, in microseconds.
    fn latency(&self, event: &SseEvent) -> u32 {
        let (sent, _) = event.data().split_once(' ').unwrap();
        let received = self.start.elapsed().as_micros();
        u32::try_from(received - sent.parse::<u128>().unwrap()).unwrap()
    }

    fn print(&self, name: &str, log: &str) {
        let seconds = self.start.elapsed().as_secs_f64();
        let mut latencies = self.latencies.lock().unwrap();
        latencies.sort_unstable();
        let at = |permille: usize| {
            let index = (latencies.len() * permille / 1000).min(latencies.len() - 1);
            f64::from(latencies[index]) / 1000.0
        };
        println!(
            "{name:<34} {log:<7} {:>9.0} events/s  p50 {:>8.2} ms  p99 {:>8.2} ms  max {:>8.2} ms  {:>4} MiB",
            f64::from(u32::try_from(latencies.len()).unwrap()) / seconds,
            at(500),
            at(990),
            at(1000),
            resident() / 1024,
        );
    }
}

/// The memory of this process, in KiB.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

/// Starts a run of `count` events with a pause before each, and `phase` before all of them.
async fn produce<L: EventLog + Clone + 'static>(
    log: L,
    run: String,
    count: usize,
    (phase, pause): (Duration, Duration),
    figures: Figures,
) {
    let events = stream::iter(0..count).then(move |number| {
        let figures = figures.clone();
        async move {
            let pause = if number == 0 { phase + pause } else { pause };
            if !pause.is_zero() {
                sleep(pause).await;
            }
            figures.event()
        }
    });
    let run = Box::pin(events)
        .sse()
        .logged(log, run)
        .open()
        .await
        .unwrap();
    tokio::spawn(run.drain());
}

/// When the run of this number starts, so that not all are in step.
fn phase(pause: Duration, number: usize, runs: usize) -> Duration {
    let count = |number| u32::try_from(number).unwrap();
    pause * count(number) / count(runs)
}

/// How a client reads.
#[derive(Clone, Copy)]
struct Client {
    /// Connects again after this many events.
    per_connection: usize,
    /// What it does after each event, for so long.
    pause: Duration,
    is_measured: bool,
}

const EAGER: Client = Client {
    per_connection: usize::MAX,
    pause: Duration::ZERO,
    is_measured: true,
};

async fn consume<L: EventLog + Clone + 'static>(
    log: L,
    run: String,
    client: Client,
    figures: Figures,
) -> usize {
    let mut latencies = Vec::new();
    let mut received = 0;
    'connections: loop {
        let last = (received > 0).then(|| received.to_string());
        let mut events = follow(log.clone(), run.clone(), last.as_deref());
        for _ in 0..client.per_connection {
            let Some(event) = events.next().await else {
                break 'connections;
            };
            let event = event.unwrap();
            received += 1;
            assert_eq!(event.id(), Some(received.to_string().as_str()));
            if client.is_measured && !event.is_close() {
                latencies.push(figures.latency(&event));
            }
            if !client.pause.is_zero() {
                sleep(client.pause).await;
            }
        }
    }
    figures.latencies.lock().unwrap().extend(latencies);
    received
}

/// `clients` on each of `runs`.
#[derive(Clone, Copy)]
struct Load {
    name: &'static str,
    runs: usize,
    clients: usize,
    events: usize,
    pause: Duration,
    /// Of eight clients, four read slowly, and two vanish again and again.
    is_mixed: bool,
}

async fn run<L: EventLog + Clone + 'static>(log: &str, producing: L, serving: L, load: Load) {
    let figures = Figures::new();
    let mut clients = Vec::new();
    for number in 0..load.runs {
        let run = format!("{}-{number}", load.name);
        produce(
            producing.clone(),
            run.clone(),
            load.events,
            (phase(load.pause, number, load.runs), load.pause),
            figures.clone(),
        )
        .await;
        for number in 0..load.clients {
            let client = match number % 8 {
                0..4 if load.is_mixed => Client {
                    pause: Duration::from_millis(40),
                    is_measured: false,
                    ..EAGER
                },
                4..6 if load.is_mixed => Client {
                    per_connection: 1 + number % 17,
                    is_measured: false,
                    ..EAGER
                },
                _ => EAGER,
            };
            let client = consume(serving.clone(), run.clone(), client, figures.clone());
            clients.push(tokio::spawn(client));
        }
    }
    for received in future::join_all(clients).await {
        assert_eq!(received.unwrap(), load.events + 1);
    }
    figures.print(load.name, log);
}

/// Redis is killed in mid-stream and started again, with its data.
async fn restart(server: &mut Server, runs: usize) {
    let figures = Figures::new();
    let (producing, serving) = (server.log(), server.log());
    let mut clients = Vec::new();
    for number in 0..runs {
        let run = format!("restart-{number}");
        let pause = Duration::from_millis(50);
        let phase = phase(pause, number, runs);
        let pace = (phase, pause);
        produce(producing.clone(), run.clone(), 60, pace, figures.clone()).await;
        clients.push(tokio::spawn(consume(
            serving.clone(),
            run,
            EAGER,
            figures.clone(),
        )));
    }
    sleep(Duration::from_secs(1)).await;
    server.kill();
    let killed = Instant::now();
    server.restart().await;
    let away = killed.elapsed();
    for received in future::join_all(clients).await {
        assert_eq!(received.unwrap(), 61);
    }
    figures.print("Redis killed and restarted", "redis");
    println!("{:<34} away for {:.2} s", "", away.as_secs_f64());
}

#[tokio::main]
async fn main() {
    let clients = std::env::args()
        .nth(1)
        .map_or(2000, |clients| clients.parse().unwrap());
    let (pause, once) = (Duration::from_millis(50), Duration::ZERO);
    let loads = [
        Load {
            name: "one client, as fast as it goes",
            runs: 1,
            clients: 1,
            events: 200_000,
            pause: once,
            is_mixed: false,
        },
        Load {
            name: "one client, a token per 5 ms",
            runs: 1,
            clients: 1,
            events: 400,
            pause: Duration::from_millis(5),
            is_mixed: false,
        },
        Load {
            name: "one run, many clients",
            runs: 1,
            clients,
            events: 100,
            pause,
            is_mixed: false,
        },
        Load {
            name: "many runs, one client each",
            runs: clients,
            clients: 1,
            events: 60,
            pause: 10 * pause,
            is_mixed: false,
        },
        Load {
            name: "one run, slow and vanishing clients",
            runs: 1,
            clients,
            events: 100,
            pause,
            is_mixed: true,
        },
    ];
    for load in loads {
        let log = MemoryLog::new().max_events(1_000_000).max_bytes(1 << 30);
        run("memory", log.clone(), log, load).await;
        let Some(server) = Server::start().await else {
            continue;
        };
        run(
            "redis",
            server.log().max_events(1_000_000),
            server.log(),
            load,
        )
        .await;
    }
    if let Some(mut server) = Server::start_durable().await {
        restart(&mut server, clients / 10).await;
    }
}
