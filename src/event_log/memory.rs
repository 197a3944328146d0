//! A log in the memory of one process.

use alloc::collections::VecDeque;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use core::convert::Infallible;
use core::fmt;
use core::pin::pin;
use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;

use super::clock::{later, until};
use super::{EventLog, Lease, LogError, Read};
use crate::sse::SseEvent;

/// The maximum number of events that one read returns, and the size after which it returns no more.
const EVENTS_PER_READ: usize = 256;
const BYTES_PER_READ: usize = 256 * 1024;

/// The number of runs up to which each creation removes expired ones.
const FEW_RUNS: usize = 64;

/// A log in the memory of one process, for a server that is one process, and for tests.
///
/// Clones share the same runs.
///
/// ```
/// use std::time::Duration;
/// use json_chunks::event_log::{EventLog, LogError, MemoryLog};
/// use json_chunks::sse::SseEvent;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let log = MemoryLog::new();
/// let lease = log.create("trip-1", Duration::from_secs(5)).await?;
/// log.append(&lease, 1, &[SseEvent::new("[1")]).await?;
/// log.close(&lease, 2, &[SseEvent::new("]")]).await?;
/// assert_eq!(log.append(&lease, 3, &[]).await, Err(LogError::Fenced));
/// # Ok(())
/// # }
/// ```
///
/// # Bounds
///
/// A run keeps its last 100,000 events, and at most 16 MiB of them, until five minutes after the
/// last write. A slow reader does not keep events in memory: events that are dropped before it has
/// read them are a gap for it.
///
/// # Clock
///
/// Leases and waits are measured on tokio's clock. Outside of a tokio runtime a read waits without
/// a limit.
#[derive(Clone)]
pub struct MemoryLog {
    runs: Arc<Mutex<Runs>>,
    max_events: usize,
    max_bytes: usize,
    keep: Duration,
}

impl MemoryLog {
    /// Returns a log without runs.
    #[must_use]
    pub fn new() -> Self {
        Self {
            runs: Arc::default(),
            max_events: 100_000,
            max_bytes: 16 * 1024 * 1024,
            keep: Duration::from_secs(5 * 60),
        }
    }

    /// Sets the maximum number of events of a run that are kept, at least one.
    #[must_use]
    pub fn max_events(mut self, events: usize) -> Self {
        self.max_events = events;
        self
    }

    /// Sets the maximum size of a run in bytes of data and names. The last event is kept in any
    /// case.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets how long a run is kept after the last write. Renewing the lease counts as a write.
    #[must_use]
    pub fn keep(mut self, duration: Duration) -> Self {
        self.keep = duration;
        self
    }

    fn runs(&self) -> MutexGuard<'_, Runs> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies a change to a run, if the lease is the current one.
    fn write(
        &self,
        lease: &Lease,
        number: Option<u64>,
        events: &[SseEvent],
        closes: bool,
    ) -> Result<(), LogError<Infallible>> {
        let now = Instant::now();
        let mut runs = self.runs();
        let run = runs.get(lease.run(), now).ok_or(LogError::Gap)?;
        if run.token != lease.token() {
            return Err(LogError::Fenced);
        }
        let next = run.last() + 1;
        let is_repeated = match number {
            // This append has been made: its answer was lost, or the caller repeats it.
            Some(number) if number < next => {
                if number.checked_add(events.len() as u64) != Some(next) {
                    return Err(LogError::Fenced);
                }
                true
            }
            Some(number) if number > next => return Err(LogError::Gap),
            Some(_) | None => false,
        };
        if run.is_closed {
            // Closing again is a repetition; any other operation would follow the end.
            let is_repeated = closes && (is_repeated || events.is_empty());
            return is_repeated.then_some(()).ok_or(LogError::Fenced);
        }
        if !is_repeated {
            for event in events {
                run.push(event);
            }
            run.trim(self.max_events, self.max_bytes);
        }
        run.is_closed = closes;
        run.leased_until = later(now, lease.duration());
        run.kept_until = later(now, self.keep.max(lease.duration()));
        if closes || !events.is_empty() {
            run.changed.notify_waiters();
        }
        Ok(())
    }
}

impl Default for MemoryLog {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryLog")
            .field("runs", &self.runs().by_id.len())
            .finish_non_exhaustive()
    }
}

impl EventLog for MemoryLog {
    type Error = Infallible;

    async fn create(&self, run: &str, duration: Duration) -> Result<Lease, LogError<Infallible>> {
        let now = Instant::now();
        let mut runs = self.runs();
        if runs.get(run, now).is_some() {
            return Err(LogError::Taken);
        }
        let token = runs.token();
        let new = Run::new(
            token,
            later(now, duration),
            later(now, self.keep.max(duration)),
        );
        runs.insert(run.to_string(), new, now);
        Ok(Lease::new(run, token, 0, duration))
    }

    async fn claim(&self, run: &str, duration: Duration) -> Result<Lease, LogError<Infallible>> {
        let now = Instant::now();
        let mut runs = self.runs();
        let token = runs.token();
        let found = runs.get(run, now).ok_or(LogError::UnknownRun)?;
        if found.is_closed || now < found.leased_until {
            return Err(LogError::Taken);
        }
        found.token = token;
        found.leased_until = later(now, duration);
        found.kept_until = later(now, self.keep.max(duration));
        Ok(Lease::new(run, token, found.last(), duration))
    }

    async fn renew(&self, lease: &Lease) -> Result<(), LogError<Infallible>> {
        self.write(lease, None, &[], false)
    }

    async fn append(
        &self,
        lease: &Lease,
        number: u64,
        events: &[SseEvent],
    ) -> Result<(), LogError<Infallible>> {
        self.write(lease, Some(number), events, false)
    }

    async fn close(
        &self,
        lease: &Lease,
        number: u64,
        events: &[SseEvent],
    ) -> Result<(), LogError<Infallible>> {
        self.write(lease, Some(number), events, true)
    }

    async fn read(
        &self,
        run: &str,
        after: u64,
        wait: Duration,
    ) -> Result<Read, LogError<Infallible>> {
        let deadline = later(Instant::now(), wait);
        loop {
            let now = Instant::now();
            let changed = match self.runs().get(run, now) {
                Some(run) => Arc::clone(&run.changed),
                None => return Err(LogError::UnknownRun),
            };
            // Enabled before the run is checked, so that no change in between is missed.
            let mut changed = pin!(changed.notified());
            changed.as_mut().enable();
            let read = match self.runs().get(run, now) {
                Some(run) => run.read(after, now)?,
                None => return Err(LogError::UnknownRun),
            };
            if read != Read::Idle || now >= deadline {
                return Ok(read);
            }
            until(deadline, changed).await;
        }
    }
}

/// All runs.
#[derive(Default)]
struct Runs {
    by_id: HashMap<String, Run>,
    /// The token of the last lease.
    token: u64,
    /// If there are more than a few runs, expired ones are removed when there are this many, so
    /// that the cost for each creation is constant.
    sweep_at: usize,
}

impl Runs {
    fn get(&mut self, run: &str, now: Instant) -> Option<&mut Run> {
        self.by_id.get_mut(run).filter(|run| now < run.kept_until)
    }

    fn token(&mut self) -> u64 {
        self.token += 1;
        self.token
    }

    fn insert(&mut self, name: String, run: Run, now: Instant) {
        if self.by_id.len() <= FEW_RUNS || self.by_id.len() >= self.sweep_at {
            self.by_id.retain(|_, run| now < run.kept_until);
            self.sweep_at = FEW_RUNS.max(2 * self.by_id.len());
        }
        self.by_id.insert(name, run);
    }
}

struct Run {
    events: VecDeque<SseEvent>,
    /// The number of events at the start that are no longer kept.
    dropped: u64,
    bytes: usize,
    /// The token of the current lease.
    token: u64,
    leased_until: Instant,
    kept_until: Instant,
    is_closed: bool,
    changed: Arc<Notify>,
}

impl Run {
    fn new(token: u64, leased_until: Instant, kept_until: Instant) -> Self {
        Self {
            events: VecDeque::new(),
            dropped: 0,
            bytes: 0,
            token,
            leased_until,
            kept_until,
            is_closed: false,
            changed: Arc::default(),
        }
    }

    fn last(&self) -> u64 {
        self.dropped + self.events.len() as u64
    }

    fn push(&mut self, event: &SseEvent) {
        let number = self.last() + 1;
        self.bytes += event.size();
        self.events
            .push_back(event.clone().with_id(number.to_string()));
    }

    fn trim(&mut self, max_events: usize, max_bytes: usize) {
        while self.events.len() > 1 && (self.events.len() > max_events || self.bytes > max_bytes) {
            if let Some(dropped) = self.events.pop_front() {
                self.bytes -= dropped.size();
                self.dropped += 1;
            }
        }
    }

    fn read(&self, after: u64, now: Instant) -> Result<Read, LogError<Infallible>> {
        let unread = self.last().checked_sub(after).ok_or(LogError::Gap)?;
        let unread = usize::try_from(unread).unwrap_or(usize::MAX);
        let skipped = self.events.len().saturating_sub(unread);
        let mut bytes = 0;
        let events = self.events.range(skipped..).take(EVENTS_PER_READ);
        let events = events.take_while(|event| {
            let is_within = bytes < BYTES_PER_READ;
            bytes += event.size();
            is_within
        });
        let first = self.dropped + skipped as u64 + 1;
        Ok(match Read::events(first, events.cloned().collect()) {
            Some(read) => read,
            None if self.is_closed => Read::Closed,
            None if now < self.leased_until => Read::Idle,
            None => Read::Lost,
        })
    }
}
