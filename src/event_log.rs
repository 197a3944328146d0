//! Replies that outlive their connection and their host: logs of events, which several hosts share.
//!
//! Connections often break before a reply is complete. So the producer of the reply appends its
//! events to a *log*, and every client, on any host, follows the log:
//!
//! ```text
//! model → .sse() or .wire() → .logged(log, run)      one host, a task of its own
//!                                    │
//!                                   log               MemoryLog, or Redis
//!                                    │
//!              follow(log, run, last_event_id) → client    any host, again and again
//! ```
//!
//! [`EventLog`] is the trait of a log; [`MemoryLog`] implements it for a server that is one
//! process, and the package `json-chunks-redis` for several processes. Everything here needs a
//! tokio runtime.
//!
//! # One process
//!
//! A separate task produces the reply, whether or not a client is connected. A client that
//! reconnects sends the id of the last event that it has received, and receives the rest. With axum
//! (feature `axum`, which converts the events):
//!
#![cfg_attr(feature = "axum", doc = "```")]
#![cfg_attr(not(feature = "axum"), doc = "```ignore")]
//! use axum::Router;
//! use axum::extract::{Path, State};
//! use axum::http::{HeaderMap, StatusCode};
//! use axum::response::sse::{Event, Sse};
//! use axum::response::{IntoResponse, Response};
//! use axum::routing::{get, post};
//! use futures::TryStreamExt;
//! use futures::stream::{self, FusedStream, StreamExt};
//! use json_chunks::event_log::{LogError, LogStreamExt, MemoryLog, follow};
//! use json_chunks::sse::SseEvent;
//! use json_chunks::stream::SseStreamExt;
//!
//! /// POST: starts a reply. The run exists before its id is known to the client.
//! async fn start(State(log): State<MemoryLog>) -> Result<String, StatusCode> {
//!     let run = String::from("trip-1"); // random, and stored with the user
//!     let tokens = stream::iter(["[1", "]"]); // a model
//!     let events = tokens.map(SseEvent::new).sse().logged(log, run.clone()).open().await;
//!     tokio::spawn(events.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?.drain());
//!     Ok(run)
//! }
//!
//! /// GET: follows it, for the first time or again.
//! async fn events(
//!     State(log): State<MemoryLog>,
//!     Path(run): Path<String>,
//!     headers: HeaderMap,
//! ) -> Response {
//!     // Here the server checks that the run belongs to the user.
//!     let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
//!     match follow(log, run, last).open().await {
//!         // Nothing remains to be sent: this status stops an `EventSource`.
//!         Ok(events) if events.is_terminated() => StatusCode::NO_CONTENT.into_response(),
//!         Err(LogError::UnknownRun) => StatusCode::NO_CONTENT.into_response(),
//!         Ok(events) => Sse::new(events.map_ok(Event::from)).into_response(),
//!         Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
//!     }
//! }
//!
//! let log = MemoryLog::new();
//! let routes = Router::new().route("/runs", post(start)).route("/runs/{run}", get(events));
//! let routes: Router = routes.with_state(log);
//! ```
//!
//! If the process ends, its runs are gone, and clients that connect again receive 204.
//!
//! # Several processes and a balancer
//!
//! With a log that the hosts share, the same handlers work on all of them, and the balancer needs
//! no sticky sessions. The host that receives the request produces the reply; a client that
//! reconnects may reach another host and follows the run there.
//!
//! The producer has a *lease*, by default for five seconds, which it renews three times in that
//! time. If it crashes, the lease lapses, and the followers of the run notice. By default, one of
//! them closes the run with an error that all clients receive, now and later. If the events are
//! those of another dialect than `.sse()`, pass its error to [`Follow::lost_events`].
//!
//! A producer that was only suspended, and wakes up after its run was closed or claimed, is
//! *fenced*: its append is refused, and its stream ends with [`LogError::Fenced`]. So a client
//! never receives the text of two producers at once. A shutdown needs no special handling: it is
//! treated like a crash.
//!
//! If the log itself is lost, bodies are aborted rather than ended, because clients take a clean
//! end for a complete reply. Producers stop; no client has received text that is not in the log.
//!
//! # Take-over
//!
//! Instead of ending with an error, the reply can be continued by another host. [`Follow::on_lost`]
//! passes a claimed [`LostRun`] to one host, and [`take_over`] claims one without following it:
//!
//! 1. Read the events that clients have: [`LostRun::events`]. Their data is the text so far, or the
//!    frames of a [dialect](crate::wire), which [`wire::Reader`](crate::wire::Reader) reads.
//! 2. Ask the model to continue that text. A model that receives the text as the start of its reply
//!    continues at the exact byte: `push_continued` of the `Accumulator` (feature `continuation`)
//!    checks that. Its `push` joins other replies.
//! 3. Append the new text: [`LostRun::resume`] continues with the next number. Clients notice only
//!    a pause. In a dialect, frames have to continue in the middle of the reply: leave out the
//!    frames with which a [`Writer`](crate::wire::Writer) starts a reply, and keep the ids of its
//!    parts.
//!
//! [`LostRun`] has an example. The pause consists of the rest of the lease, up to a second until a
//! follower notices, and the time that the model takes.
#![doc = include_str!("event_log/clients.md")]
//!
//! # What to authorize
//!
//! - Each request that follows a run, on each host: the run must belong to the user. Knowing the id
//!   must not be enough, and ids should be random in any case.
//! - Each request that starts a run: limit the number of runs of a user. A run keeps its events for
//!   minutes after its end.
//! - Take-over: a request that follows a lost run may cause another call of the model.
//! - The log: it contains the replies in plain text. Give Redis a password, a separate user that
//!   may only use the keys of the prefix, and TLS if the network is not private.
//!
//! # For maintainers
//!
//! | file | content |
//! | --- | --- |
//! | `log` | the contract of a log |
//! | `memory` | the log in memory |
//! | `logged`, `logged/producer` | the producing side |
//! | `follow` | the serving side |
//! | `lost_run` | take-over |
//! | `clock` | tokio's clock |
//!
//! - *Only the holder of the lease writes*, including the end of a lost run. A follower that ends a
//!   lost run therefore reads that end from the log, like every other follower.
//! - *Time is measured in the log*: the log decides when a lease has lapsed, so hosts need no
//!   common time.
//! - *A retry changes nothing*: token and number identify an append.
//!
//! `tests/it/event_log/contract.rs` has the rules for logs, which run for the logs in memory and in
//! Redis. A new log has to pass them.

mod clock;
mod error;
mod follow;
mod log;
mod logged;
mod lost_run;
mod memory;

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;

pub use error::LogError;
pub use follow::{Follow, follow};
pub use log::{EventLog, Lease, Read};
pub use logged::{LogStreamExt, Logged, TryLogged};
pub use lost_run::{LostRun, take_over};
pub use memory::MemoryLog;

use crate::sse::SseEvent;

/// The default lease: how long a run stays reserved for a producer that does not renew it.
const DEFAULT_LEASE: Duration = Duration::from_secs(5);

/// The minimum lease: one that lapses at once would be renewed, or claimed, without a pause.
const SHORTEST_LEASE: Duration = Duration::from_millis(1);

/// Returns the end of a failed run, for clients that read the events of `.sse()`. Both texts are
/// written verbatim, so they must not need escapes.
fn failure_events(code: &str, message: &str) -> Vec<SseEvent> {
    let data = format!(r#"{{"code":"{code}","message":"{message}"}}"#);
    vec![SseEvent::named("error", data), SseEvent::close()]
}
