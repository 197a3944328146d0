//! A page that updates while a model writes: snapshots, chunks and entities side by side.
//!
//! Run it with `cargo run --example live`, and open the URL that it prints. Drop the connection or
//! reload the page at any time: the run continues, and the page resumes where it was.

#![allow(clippy::print_stdout, reason = "the first line tells where it listens")]

use std::collections::VecDeque;
use std::convert::Infallible;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Html;
use axum::response::sse::{Event, Sse};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::{Stream, StreamExt as _, stream};
use json_chunks::entity::{EntityDetector, EntityMode};
use json_chunks::sse::{ReplayBuffer, SseEvent};
use json_chunks::stream::{FragmentStreamExt as _, SnapshotStreamExt as _, SseStreamExt as _};
use json_chunks::value::RawJson;
use serde_json::{Value, json};
use tokio::sync::watch;

/// The maximum number of events that are kept for replay. A run has fewer.
const KEPT_EVENTS: usize = 1000;

/// How many runs can be resumed. The oldest is dropped first.
const KEPT_RUNS: usize = 16;

/// A running model, independent of connected clients.
#[derive(Clone)]
struct Run {
    id: String,
    /// The events so far. Watchers are notified of new ones.
    events: watch::Receiver<ReplayBuffer>,
    /// Whether the model has to wait.
    is_paused: Arc<watch::Sender<bool>>,
    /// Notified when all connections of the run are to be closed.
    disconnect: Arc<watch::Sender<()>>,
}

impl Run {
    fn start(pace: Pace) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let id = format!("{:x}", now.unwrap_or_default().as_nanos());
        let buffer = ReplayBuffer::new(KEPT_EVENTS).id_prefix(format!("{id}-"));
        let (sender, events) = watch::channel(buffer);
        let is_paused = Arc::new(watch::Sender::new(false));
        tokio::spawn(generate(pace, Arc::clone(&is_paused), sender));
        let disconnect = Arc::new(watch::Sender::new(()));
        Self {
            id,
            events,
            is_paused,
            disconnect,
        }
    }

    /// Returns all events after the given one, or all events: first the replay, then new ones.
    fn after(&self, last_event_id: Option<String>) -> impl Stream<Item = SseEvent> + use<> {
        let mut events = self.events.clone();
        // So that the replay is sent immediately.
        events.mark_changed();
        let batches = stream::unfold((events, last_event_id), async |(mut events, mut last)| {
            // The end of the run is an error of the receiver, and ends this stream.
            events.changed().await.ok()?;
            let mut batch = Vec::new();
            {
                let buffer = events.borrow_and_update();
                let missed = buffer.after(last.as_deref());
                if !missed.is_gapless() {
                    last = None;
                    let why = "Some events are no longer kept.";
                    batch.push(SseEvent::named("restart", why));
                }
                batch.extend(missed.cloned());
            }
            if let Some(id) = batch.last().and_then(SseEvent::id) {
                last = Some(id.to_owned());
            }
            Some((stream::iter(batch), (events, last)))
        });
        let mut disconnect = self.disconnect.subscribe();
        batches
            .flatten()
            .take_until(async move { disconnect.changed().await })
    }
}

/// Runs the model: snapshots become chunks, chunks become entities, and all of them become events.
async fn generate(
    pace: Pace,
    is_paused: Arc<watch::Sender<bool>>,
    events: watch::Sender<ReplayBuffer>,
) {
    let send = |event| {
        events.send_modify(|buffer| {
            buffer.push(event);
        });
    };

    // A stand-in for the model.
    let lines = include_str!("data/itinerary.jsonl").lines();
    let total = json!({ "snapshots": lines.clone().count() });
    send(SseEvent::named("run", total.to_string()));
    let snapshots = tokio_stream::iter(lines.enumerate());
    let snapshots = tokio_stream::StreamExt::throttle(snapshots, pace.delay);
    let snapshots = snapshots.then(async |(number, snapshot)| {
        if pace.pause_at == Some(number) {
            is_paused.send_replace(true);
        }
        let mut pauses = is_paused.subscribe();
        if *pauses.borrow_and_update() {
            send(SseEvent::named("pause", "true"));
            // There is no error, because the sender is owned by the run.
            let _ = pauses.wait_for(|is_paused| !is_paused).await;
            send(SseEvent::named("pause", "false"));
        }
        snapshot
    });

    let chunks = snapshots
        .inspect(|snapshot| send(SseEvent::named("snapshot", *snapshot)))
        .json_chunks()
        .inspect(|chunk| send(SseEvent::named("chunk", json!(chunk).to_string())));

    // Each day whenever it grows; finally the event that closes the stream.
    let days = EntityDetector::new(EntityMode::Realtime).pointer("/days");
    let days = chunks.json_entities::<RawJson>(days).sse();
    days.for_each(async |event| send(event)).await;
}

#[derive(Clone, Copy)]
struct Pace {
    /// The time between two snapshots.
    delay: Duration,
    /// The number of snapshots after which the model pauses.
    pause_at: Option<usize>,
}

/// All runs that can be resumed, and the pace of new ones.
#[derive(Clone)]
struct Server {
    runs: Arc<Mutex<VecDeque<Run>>>,
    pace: Pace,
}

impl Server {
    fn run(&self, id: &str) -> Result<Run, StatusCode> {
        let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let run = runs.iter().find(|run| run.id == id);
        run.cloned().ok_or(StatusCode::NOT_FOUND)
    }
}

async fn page() -> Html<&'static str> {
    Html(include_str!("live/page.html"))
}

async fn start(State(server): State<Server>) -> (StatusCode, Json<Value>) {
    let run = Run::start(server.pace);
    let id = json!({ "id": run.id });
    let mut runs = server.runs.lock().unwrap_or_else(PoisonError::into_inner);
    runs.push_back(run);
    if runs.len() > KEPT_RUNS
        && let Some(oldest) = runs.pop_front()
    {
        // So that it ends.
        oldest.is_paused.send_replace(false);
    }
    (StatusCode::CREATED, Json(id))
}

async fn events(
    State(server): State<Server>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, StatusCode> {
    let run = server.run(&id)?;
    // A browser sends this header when it reconnects.
    let last = headers.get("last-event-id");
    let last = last.and_then(|id| id.to_str().ok()).map(str::to_owned);
    let retry = Event::default().retry(Duration::from_millis(500));
    let frames = run.after(last).map(|event| {
        let frame = Event::default().event(event.name()).data(event.data());
        match event.id() {
            Some(id) => frame.id(id),
            None => frame,
        }
    });
    Ok(Sse::new(stream::iter([retry]).chain(frames).map(Ok)))
}

/// Commands to a run.
async fn command(
    State(server): State<Server>,
    Path((id, command)): Path<(String, String)>,
) -> Result<StatusCode, StatusCode> {
    let run = server.run(&id)?;
    match command.as_str() {
        "pause" => _ = run.is_paused.send_replace(true),
        "continue" => _ = run.is_paused.send_replace(false),
        "disconnect" => run.disconnect.send_replace(()),
        _ => return Err(StatusCode::NOT_FOUND),
    }
    Ok(StatusCode::NO_CONTENT)
}

const USAGE: &str = "usage: live [--port N] [--delay MS] [--pause-at SNAPSHOT], port 0 for any";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (mut port, mut delay, mut pause_at) = (8788, 160, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        match (flag.as_str(), arguments.next()) {
            ("--port", Some(number)) => port = number.parse()?,
            ("--delay", Some(milliseconds)) => delay = milliseconds.parse()?,
            ("--pause-at", Some(snapshots)) => pause_at = Some(snapshots.parse()?),
            _ => return Err(USAGE.into()),
        }
    }
    let delay = Duration::from_millis(delay);
    let server = Server {
        runs: Arc::default(),
        pace: Pace { delay, pause_at },
    };
    let routes = Router::new()
        .route("/", get(page))
        .route("/runs", post(start))
        .route("/runs/{id}/events", get(events))
        .route("/runs/{id}/{command}", post(command))
        .with_state(server);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, routes).await?;
    Ok(())
}
