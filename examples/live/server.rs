//! The server of the live page, for any log of events.
//!
//! A run is a reply in the log. Whichever process a client connects to follows it there, and if the
//! process that produces it is lost, another one resumes it.

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, Sse};
use axum::response::{Html, IntoResponse};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::{Stream, StreamExt as _, TryStreamExt as _, stream};
use json_chunks::entity::{EntityDetector, EntityMode};
use json_chunks::event_log::{EventLog, LogError, LogStreamExt as _, LostRun, follow};
use json_chunks::sse::SseEvent;
use json_chunks::stream::{FragmentStreamExt as _, SnapshotStreamExt as _, SseStreamExt as _};
use json_chunks::value::RawJson;
use serde_json::{Value, json};
use tokio::sync::{broadcast, mpsc, watch};

/// How long a run stays without a producer before another process resumes it.
const LEASE: Duration = Duration::from_millis(1500);

#[derive(Clone, Copy)]
pub(crate) struct Pace {
    /// The time between two snapshots.
    pub(crate) delay: Duration,
    /// The number of snapshots after which the model pauses.
    pub(crate) pause_at: Option<usize>,
}

#[derive(Clone)]
struct Server<L> {
    log: L,
    pace: Pace,
    /// Whether the model has to wait, for each run that this process produces.
    producing: Arc<Mutex<HashMap<String, watch::Sender<bool>>>>,
    /// The runs whose connections to this process are to be closed.
    disconnect: broadcast::Sender<String>,
}

/// What the log has of a run already.
#[derive(Default)]
struct Progress {
    snapshots: usize,
    /// All events but those of pauses, which depend on the user.
    events: usize,
    is_paused: bool,
}

impl Progress {
    fn of(events: &[SseEvent]) -> Self {
        let (pauses, others): (Vec<_>, Vec<_>) =
            events.iter().partition(|event| event.name() == "pause");
        let snapshots = others.iter().filter(|event| event.name() == "snapshot");
        Self {
            snapshots: snapshots.count(),
            events: others.len(),
            is_paused: pauses.last().is_some_and(|event| event.data() == "true"),
        }
    }
}

impl<L: EventLog + Clone + 'static> Server<L> {
    /// Starts a run, and returns its id.
    async fn start(&self) -> Result<String, LogError<L::Error>> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let id = format!("{:x}", now.unwrap_or_default().as_nanos());
        let events = self.produce(&id, Progress::default());
        let run = events.logged(self.log.clone(), &*id).lease(LEASE);
        let run = run.open().await?;
        let (server, name) = (self.clone(), id.clone());
        tokio::spawn(async move {
            // What the log can't keep, other processes see as lost.
            let _ = run.drain().await;
            server.producing().remove(&name);
        });
        Ok(id)
    }

    /// Continues a run whose process was lost.
    async fn resume(self, run: LostRun<L>) -> Result<(), LogError<L::Error>> {
        // This model always writes the same. Another one would be asked to continue its text.
        let progress = Progress::of(&run.events().await?);
        let id = run.run().to_owned();
        let events = self.produce(&id, progress);
        let drained = run.resume(events).drain().await;
        self.producing().remove(&id);
        drained.map(drop)
    }

    /// Returns the events of a run after those that the log has.
    fn produce(&self, run: &str, known: Progress) -> impl Stream<Item = SseEvent> + use<L> {
        let (sender, events) = mpsc::unbounded_channel();
        let (is_paused, pauses) = watch::channel(known.is_paused);
        self.producing().insert(run.to_owned(), is_paused.clone());
        let pace = self.pace;
        let mut skipped = known.events;
        tokio::spawn(async move {
            tokio::select! {
                () = generate(pace, known, is_paused, pauses, &sender) => {}
                () = sender.closed() => {}
            }
        });
        let events = stream::unfold(events, async |mut events| {
            Some((events.recv().await?, events))
        });
        events.filter(move |event| {
            let is_new = event.name() == "pause" || skipped == 0;
            skipped -= usize::from(!is_new);
            async move { is_new }
        })
    }

    /// Returns all events of a run after the given one: first those in the log, then new ones.
    async fn follow(
        &self,
        run: String,
        last_event_id: Option<&str>,
    ) -> Result<impl Stream<Item = Result<SseEvent, LogError<L::Error>>> + use<L>, LogError<L::Error>>
    {
        let server = self.clone();
        let events = follow(self.log.clone(), &*run, last_event_id)
            .lease(LEASE)
            .on_lost(move |lost| _ = tokio::spawn(server.clone().resume(lost)))
            .open()
            .await?;
        let mut disconnect = self.disconnect.subscribe();
        let disconnected =
            async move { while disconnect.recv().await.is_ok_and(|other| other != run) {} };
        Ok(events.take_until(Box::pin(disconnected)))
    }

    fn producing(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<bool>>> {
        self.producing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs the model: snapshots become chunks, chunks become entities, and all of them become events.
async fn generate(
    pace: Pace,
    known: Progress,
    is_paused: watch::Sender<bool>,
    pauses: watch::Receiver<bool>,
    events: &mpsc::UnboundedSender<SseEvent>,
) {
    // If nobody receives them any more, this future is dropped.
    let send = |event| _ = events.send(event);

    // A stand-in for the model.
    let lines = include_str!("../data/itinerary.jsonl").lines();
    let total = json!({ "snapshots": lines.clone().count() });
    send(SseEvent::named("run", total.to_string()));
    let snapshots = stream::iter(lines.enumerate()).then(async |(number, snapshot)| {
        if number < known.snapshots {
            return snapshot;
        }
        tokio::time::sleep(pace.delay).await;
        if pace.pause_at == Some(number) {
            is_paused.send_replace(true);
        }
        // A pause outlasts the process that it began in.
        let was_paused = known.is_paused && number == known.snapshots;
        if was_paused || *pauses.borrow() {
            if !was_paused {
                send(SseEvent::named("pause", "true"));
            }
            // There is no error, because there is a sender.
            let _ = pauses.clone().wait_for(|is_paused| !is_paused).await;
            send(SseEvent::named("pause", "false"));
        }
        snapshot
    });

    let chunks = snapshots
        .inspect(|snapshot| send(SseEvent::named("snapshot", *snapshot)))
        .json_chunks()
        .inspect(|chunk| send(SseEvent::named("chunk", json!(chunk).to_string())));

    // What is new of each day whenever it grows; finally the event that closes the stream.
    let days = EntityDetector::new(EntityMode::Realtime)
        .pointer("/days")
        .partial_data(false);
    let days = chunks.json_entities::<RawJson>(days).sse();
    days.for_each(async |event| send(event)).await;
}

async fn page() -> Html<&'static str> {
    Html(include_str!("page.html"))
}

/// The module that applies deltas in the browser.
async fn module() -> impl IntoResponse {
    let javascript = [(CONTENT_TYPE, "text/javascript; charset=utf-8")];
    (javascript, include_str!("json-chunks.mjs"))
}

fn status<E>(error: &LogError<E>) -> StatusCode {
    match error {
        LogError::UnknownRun => StatusCode::NOT_FOUND,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    }
}

async fn start<L: EventLog + Clone + 'static>(
    State(server): State<Server<L>>,
) -> Result<(StatusCode, Json<Value>), StatusCode> {
    let id = server.start().await.map_err(|error| status(&error))?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))))
}

async fn events<L: EventLog + Clone + 'static>(
    State(server): State<Server<L>>,
    Path(run): Path<String>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, LogError<L::Error>>>>, StatusCode> {
    // A browser sends this header when it reconnects.
    let last = headers.get("last-event-id");
    let last = last.and_then(|id| id.to_str().ok());
    let events = server.follow(run, last).await;
    let frames = events.map_err(|error| status(&error))?.map_ok(Event::from);
    let retry = Event::default().retry(Duration::from_millis(500));
    Ok(Sse::new(stream::iter([Ok(retry)]).chain(frames)))
}

/// Commands to a run. The model waits and continues where this process produces the run.
async fn command<L: EventLog + Clone + 'static>(
    State(server): State<Server<L>>,
    Path((run, command)): Path<(String, String)>,
) -> Result<StatusCode, StatusCode> {
    let is_paused = match command.as_str() {
        "pause" => true,
        "continue" => false,
        "disconnect" => {
            // There is no receiver if nobody is connected.
            let _ = server.disconnect.send(run);
            return Ok(StatusCode::NO_CONTENT);
        }
        _ => return Err(StatusCode::NOT_FOUND),
    };
    let producing = server.producing();
    let model = producing.get(&run).ok_or(StatusCode::NOT_FOUND)?;
    model.send_replace(is_paused);
    Ok(StatusCode::NO_CONTENT)
}

/// Serves the page on this port, and prints its URL.
pub(crate) async fn serve<L: EventLog + Clone + 'static>(
    log: L,
    port: u16,
    pace: Pace,
) -> Result<(), Box<dyn Error>> {
    let server = Server {
        log,
        pace,
        producing: Arc::default(),
        disconnect: broadcast::Sender::new(64),
    };
    let routes = Router::new()
        .route("/", get(page))
        .route("/json-chunks.mjs", get(module))
        .route("/runs", post(start::<L>))
        .route("/runs/{id}/events", get(events::<L>))
        .route("/runs/{id}/{command}", post(command::<L>))
        .with_state(server);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, routes).await?;
    Ok(())
}
