//! Take-over of runs that have lost their producer.

use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use futures_core::{Stream, TryStream};

use super::logged::{resumed, try_resumed};
use super::{EventLog, Lease, LogError, Logged, Read, TryLogged};
use crate::sse::SseEvent;

/// Claims a run that has lost its producer, with a lease for `duration`.
///
/// Returns `None` if the run has a producer or is closed. If several hosts try at once, one of them
/// claims it.
///
/// # Errors
///
/// [`LogError::UnknownRun`], and the errors of the log.
pub async fn take_over<L: EventLog + Clone + 'static>(
    log: L,
    run: &str,
    duration: Duration,
) -> Result<Option<LostRun<L>>, LogError<L::Error>> {
    match log.claim(run, duration).await {
        Ok(lease) => Ok(Some(LostRun { log, lease })),
        Err(LogError::Taken) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A run that has lost its producer and was claimed by this host: to be resumed, or to be ended.
///
/// It holds the lease, which is not renewed before the run is resumed: call the model inside of the
/// stream that is passed to [`resume`](Self::resume), not before.
///
/// ```
/// use std::time::Duration;
/// use futures::{FutureExt, StreamExt, stream};
/// use json_chunks::event_log::{EventLog, MemoryLog, follow, take_over};
/// use json_chunks::join::Accumulator;
/// use json_chunks::prelude::*;
/// use json_chunks::sse::SseEvent;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let log = MemoryLog::new();
/// // The first producer crashes.
/// let tokens = stream::iter([r#"{"city":"Kyo"#]).map(SseEvent::new).chain(stream::pending());
/// let mut first = tokens.logged(log.clone(), "trip-1");
/// first.next().await.expect("an event")?;
/// drop(first);
///
/// tokio::time::sleep(Duration::from_secs(5)).await;
/// let lost = take_over(log.clone(), "trip-1", Duration::from_secs(5)).await?;
/// let lost = lost.expect("its lease has lapsed");
/// // The text that clients have, which the model is asked to continue.
/// let text: String = lost.events().await?.iter().map(SseEvent::data).collect();
/// let rest = async move {
///     let mut document = Accumulator::new();
///     let _ = document.push(&text);
///     let reply = r#"to"}"#; // from the model
///     let outcome = document.push_continued(reply);
///     assert!(outcome.is_joined() && document.is_complete());
///     SseEvent::new(&document.text()[text.len()..])
/// };
/// tokio::spawn(lost.resume(rest.into_stream().sse()).drain());
///
/// let events: Vec<_> = follow(log, "trip-1", None).map(Result::unwrap).collect().await;
/// let text: String = events.iter().filter(|e| !e.is_close()).map(SseEvent::data).collect();
/// assert_eq!(text, r#"{"city":"Kyoto"}"#);
/// # Ok(())
/// # }
/// ```
#[must_use = "a run that is neither resumed nor ended is lost again when its lease lapses"]
pub struct LostRun<L> {
    log: L,
    lease: Lease,
}

impl<L: EventLog + Clone + 'static> LostRun<L> {
    pub(super) const fn new(log: L, lease: Lease) -> Self {
        Self { log, lease }
    }

    /// Returns the id of the run.
    #[must_use]
    pub fn run(&self) -> &str {
        self.lease.run()
    }

    /// Returns the number of its last event.
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.lease.last()
    }

    /// Reads all of its events, which clients have received or will receive.
    ///
    /// # Errors
    ///
    /// [`LogError::Gap`] if not all of them are kept, and the errors of the log.
    pub async fn events(&self) -> Result<Vec<SseEvent>, LogError<L::Error>> {
        let mut all = Vec::new();
        while (all.len() as u64) < self.last() {
            let after = all.len() as u64;
            match self.log.read(self.run(), after, Duration::ZERO).await? {
                Read::Events { first, events } if first == after + 1 => all.extend(events),
                _ => return Err(LogError::Gap),
            }
        }
        Ok(all)
    }

    /// Appends the events of a stream, from the next number on, as
    /// [`logged`](super::LogStreamExt::logged) does for a new run.
    pub fn resume<S: Stream<Item: Into<SseEvent>>>(self, stream: S) -> Logged<S, L> {
        resumed(stream, self.log, self.lease)
    }

    /// Like [`resume`](Self::resume), for a stream of results: see
    /// [`try_logged`](super::LogStreamExt::try_logged).
    pub fn try_resume<S: TryStream<Ok: Into<SseEvent>>>(self, stream: S) -> TryLogged<S, L> {
        try_resumed(stream, self.log, self.lease)
    }

    /// Closes the run with these events: the error and the end of its dialect.
    ///
    /// # Errors
    ///
    /// [`LogError::Fenced`] if the lease has lapsed and another host has claimed the run, and the
    /// errors of the log.
    pub async fn end(self, events: &[SseEvent]) -> Result<(), LogError<L::Error>> {
        self.log.close(&self.lease, self.last() + 1, events).await
    }
}

impl<L> fmt::Debug for LostRun<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LostRun")
            .field("lease", &self.lease)
            .finish_non_exhaustive()
    }
}
