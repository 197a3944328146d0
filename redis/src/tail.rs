//! The last events of a run, shared by all that follow it in this process.
//!
//! Of all readers that wait for the next event, one asks Redis, and the others take what it found
//! from here. A reader that is further back than these events asks on its own.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use json_chunks::event_log::{LogError, Read};
use json_chunks::sse::SseEvent;
use redis::RedisError;
use tokio::sync::{Mutex, Notify};
use tokio::time::Instant;

use crate::scripts::Reading;

/// How many events are kept here, and how many bytes of their data.
const MOST_EVENTS: usize = 512;
const MOST_BYTES: usize = 512 * 1024;

/// The most events that one read returns.
const EVENTS_PER_READ: usize = 256;

/// How long the answer that there is nothing new is valid, unless a notice contradicts it.
const VALID_FOR: Duration = Duration::from_millis(500);

#[derive(Default)]
pub(crate) struct Tail {
    changed: Notify,
    /// There was a notice since Redis was asked.
    is_stale: AtomicBool,
    events: Mutex<Events>,
}

impl Tail {
    /// Wakes the readers, because there is something new.
    pub(crate) fn wake(&self) {
        self.is_stale.store(true, Ordering::Release);
        self.changed.notify_waiters();
    }

    /// Completes at the next notice; created before the run is looked at.
    pub(crate) fn changed(&self) -> tokio::sync::futures::Notified<'_> {
        self.changed.notified()
    }

    /// Returns the events after a number: from here, or with `ask`, which reads Redis after the
    /// same number.
    pub(crate) async fn read(
        &self,
        after: u64,
        ask: impl Future<Output = Result<Reading, LogError<RedisError>>>,
    ) -> Result<Read, LogError<RedisError>> {
        let began = Instant::now();
        let mut events = self.events.lock().await;
        // Redis was asked in vain while this reader waited, for as long as it would be asked now.
        if let Some((error, failed)) = &events.failure
            && *failed >= began
        {
            return Err(error.clone());
        }
        match events.after(after) {
            Some(found) if !found.is_empty() => {
                return Read::events(after + 1, found).ok_or(LogError::Gap);
            }
            Some(_) => {}
            None if after < events.last => {
                drop(events);
                return ask.await.map(|reading| reading.read);
            }
            None => events.start_over(after),
        }
        if !self.is_stale.swap(false, Ordering::AcqRel)
            && let Some((state, asked)) = &events.state
            && asked.elapsed() < VALID_FOR
        {
            return Ok(state.clone());
        }
        // Of no value if this future is dropped while Redis is asked.
        events.state = None;
        let asked = Instant::now();
        let Reading { read, next } = match ask.await {
            Ok(reading) => reading,
            Err(error) => {
                events.start_over(0);
                events.failure = Some((error.clone(), Instant::now()));
                return Err(error);
            }
        };
        let state = match &read {
            Read::Events {
                first, events: new, ..
            } => {
                events.extend(*first, new);
                next
            }
            state => Some(state.clone()),
        };
        // Whoever reads that the producer is lost acts on it at once: that is always asked for.
        let state = state.filter(|state| *state != Read::Lost);
        events.state = state.map(|state| (state, asked));
        Ok(read)
    }
}

#[derive(Default)]
struct Events {
    queue: VecDeque<SseEvent>,
    bytes: usize,
    /// The number of the last one, or of the one before the first if there are none.
    last: u64,
    /// What Redis answered last after that number, and when.
    state: Option<(Read, Instant)>,
    /// Why Redis did not answer, and when that was known.
    failure: Option<(LogError<RedisError>, Instant)>,
}

impl Events {
    /// Returns the events after a number, none if it is the last one; `None` if they are not here.
    fn after(&self, number: u64) -> Option<Vec<SseEvent>> {
        let unread = usize::try_from(self.last.checked_sub(number)?).ok()?;
        let skipped = self.queue.len().checked_sub(unread)?;
        let events = self.queue.range(skipped..).take(EVENTS_PER_READ);
        Some(events.cloned().collect())
    }

    fn start_over(&mut self, last: u64) {
        *self = Self {
            last,
            ..Self::default()
        };
    }

    fn extend(&mut self, first: u64, new: &[SseEvent]) {
        if first != self.last + 1 {
            self.start_over(first - 1);
        }
        self.state = None;
        for event in new {
            self.bytes += event.data().len();
            self.last += 1;
            self.queue.push_back(event.clone());
        }
        while self.queue.len() > MOST_EVENTS || self.bytes > MOST_BYTES {
            let Some(dropped) = self.queue.pop_front() else {
                break;
            };
            self.bytes -= dropped.data().len();
        }
    }
}
