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

/// The end of a run that has failed, for clients that read the project's own events. Both texts are
/// written as they are, so they need no escapes.
fn failure_events(code: &str, message: &str) -> Vec<SseEvent> {
    let data = format!(r#"{{"code":"{code}","message":"{message}"}}"#);
    vec![SseEvent::named("error", data), SseEvent::close()]
}
