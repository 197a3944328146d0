//! Replies that outlive their connection and their host: logs of events, which several hosts share.
//!
//! A reply takes longer than many connections last. So its producer appends its events to a *log*,
//! and every client, on whatever host, follows the log:
//!
//! ```text
//! model → .sse() or .wire() → .logged(log, run)      one host, a task of its own
//!                                    │
//!                                   log               MemoryLog, or Redis
//!                                    │
//!              follow(log, run, last_event_id) → client    any host, again and again
//! ```
//!
//! [`EventLog`] is what a log has to do; [`MemoryLog`] is one for a server that is one process, and
//! the package `json-chunks-redis` has one for several. Everything here needs a tokio runtime.
//!
//! # One process
//!
//! The reply is produced by a task of its own, whether or not a client is connected. A client that
//! connects again sends the id of the last event that it has received, and gets the rest. With axum
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
//!     let run = String::from("trip-1"); // random, and noted as that of this user
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
//!     // Here the server checks whose run it is.
//!     let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
//!     match follow(log, run, last).open().await {
//!         // Nothing is left to send: this status stops an `EventSource`.
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
//! With a log that the hosts share, the same handlers work on any of them: the balancer needs no
//! sticky sessions. The host that received the request produces the reply; a client that connects
//! again may reach another host and follows the run there.
//!
//! The producer has a *lease*, by default for five seconds, that it renews three times as often. If
//! it crashes, the lease lapses, and whoever follows the run notices. By default, one of them
//! closes the run with an error that all clients receive, now and later. Give
//! [`Follow::lost_events`] the error of the dialect, if it is not that of `.sse()`.
//!
//! A producer that was only suspended, and wakes up after its run was closed or claimed, is
//! *fenced*: its append is refused, and its stream ends with [`LogError::Fenced`]. So a client
//! never receives the words of two producers in turn. On shutdown nothing has to be done: it is
//! like a crash.
//!
//! If the log itself is lost, bodies break off rather than end, because a clean end is taken for a
//! complete reply. Producers stop; the text that is not in the log was seen by nobody.
//!
//! # Take-over
//!
//! In place of an error, the reply can be continued by another host. [`Follow::on_lost`] hands a
//! claimed [`LostRun`] to one host, and [`take_over`] claims one without following it:
//!
//! 1. Read the events that clients have: [`LostRun::events`]. Their data is the text so far; of a
//!    [dialect](crate::wire), [`wire::Reader`](crate::wire::Reader) reads it.
//! 2. Ask the model to continue that text. A model that is given the text as the start of its reply
//!    continues at the exact byte: `push_continued` of the `Accumulator` (feature `continuation`)
//!    checks that. Other replies are joined by its `push`.
//! 3. Append what is new: [`LostRun::resume`] continues with the next number. Clients notice a
//!    pause, and nothing else. In a dialect, frames have to continue in the middle of the reply:
//!    leave out those that a [`Writer`](crate::wire::Writer) starts a reply with, and keep the ids
//!    of its parts.
//!
//! [`LostRun`] has an example. The pause is the lease, up to a second until it is noticed, and the
//! time that the model takes.
#![doc = include_str!("event_log/clients.md")]
//!
//! # What to authorize
//!
//! - Each request that follows a run, on each host: that it is the user's own. Knowing the id must
//!   not be enough, and ids should be random in any case.
//! - Each request that starts one: how many runs a user may have. A run keeps its events for
//!   minutes after its end.
//! - Take-over: a request that follows a lost run may be the one that has the model called again.
//! - The log: it has the replies in plain text. Give Redis a password, a user of its own that may
//!   only use the keys of the prefix, and TLS where the network is not private.
//!
//! # For maintainers
//!
//! | file | has |
//! | --- | --- |
//! | `log` | the contract of a log |
//! | `memory` | the log in memory |
//! | `logged`, `logged/producer` | the producing side |
//! | `follow` | the serving side |
//! | `lost_run` | take-over |
//! | `clock` | tokio's clock |
//!
//! - *Only the holder of the lease writes*, also the end of a lost run: there is no other way to
//!   append. What a follower decides about a lost run it therefore reads back from the log, like
//!   everybody else.
//! - *The log decides when*: clocks are compared in the log, so hosts need no common time.
//! - *A retry changes nothing*: token and number identify an append.
//!
//! `tests/it/event_log/contract.rs` has the rules for logs, which run for the log in memory and for
//! that in Redis. A new log has to pass them.

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

/// How long a run stays reserved for a producer that does not renew its lease.
const DEFAULT_LEASE: Duration = Duration::from_secs(5);

/// No lease is shorter: one that has lapsed at once would be renewed, or claimed, without a pause.
const SHORTEST_LEASE: Duration = Duration::from_millis(1);

/// The end of a run that has failed, for clients that read the project's own events. Both texts are
/// written as they are, so they need no escapes.
fn failure_events(code: &str, message: &str) -> Vec<SseEvent> {
    let data = format!(r#"{{"code":"{code}","message":"{message}"}}"#);
    vec![SseEvent::named("error", data), SseEvent::close()]
}
