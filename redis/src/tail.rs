//! The last events of a run, shared by all readers in this process.
//!
//! Of all readers that wait for the next event, one asks Redis, and the others take the result from
//! here. A reader that is further back than these events asks Redis itself.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use json_chunks::event_log::{LogError, Read};
use json_chunks::sse::SseEvent;
use redis::RedisError;
use tokio::sync::{Mutex, Notify};
use tokio::time::Instant;

use crate::scripts::Reading;

/// The maximum number of events that are kept here, and of bytes of their data.
const MOST_EVENTS: usize = 512;
const MOST_BYTES: usize = 512 * 1024;

/// The maximum number of events that one read returns.
const EVENTS_PER_READ: usize = 256;

/// How long an answer without new events is valid, unless a notice contradicts it.
const VALID_FOR: Duration = Duration::from_millis(500);

#[derive(Default)]
pub(crate) struct Tail {
    changed: Notify,
    /// Whether there was a notice since Redis was asked.
    is_stale: AtomicBool,
    events: Mutex<Events>,
}

impl Tail {
    /// Wakes the readers, because there are new events.
    pub(crate) fn wake(&self) {
        self.is_stale.store(true, Ordering::Release);
        self.changed.notify_waiters();
    }

    /// Completes at the next notice; created before the run is checked.
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
        // Redis was asked without a result while this reader waited, for as long as it would be
        // asked now.
        if let Some((error, failed)) = &events.failure
            && *failed >= began
        {
            return Err(error.clone());
        }
        let is_next = after == events.last;
        match events.after(after) {
            Some(found) if !found.is_empty() => {
                return Read::events(after + 1, found).ok_or(LogError::Gap);
            }
            None if after < events.last => {
                drop(events);
                return ask.await.map(|reading| reading.read);
            }
            Some(_) | None => {}
        }
        if is_next
            && !self.is_stale.swap(false, Ordering::AcqRel)
            && let Some((state, asked)) = &events.state
            && asked.elapsed() < VALID_FOR
        {
            return Ok(state.clone());
        }
        // Outdated if this future is dropped while Redis is asked.
        events.state = None;
        let asked = Instant::now();
        let Reading { read, next } = match ask.await {
            Ok(reading) => reading,
            Err(error) => {
                match &error {
                    LogError::Backend(_) => {
                        events.failure = Some((error.clone(), Instant::now()));
                    }
                    // The run is gone, or has been replaced.
                    _ if is_next => events.start_over(0),
                    // A number that the run never had is an error of this reader alone.
                    _ => {}
                }
                return Err(error);
            }
        };
        if !is_next {
            events.start_over(after);
        }
        let state = match &read {
            Read::Events {
                first, events: new, ..
            } => {
                events.extend(*first, new);
                next
            }
            state => Some(state.clone()),
        };
        // A reader acts at once on a lost producer, so that answer is never taken from here.
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
    /// The last answer of Redis after that number, and when.
    state: Option<(Read, Instant)>,
    /// The last failure of Redis, and when.
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

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use futures_util::future::{lazy, pending, ready};

    use super::*;

    fn events(first: u64, data: &[&str]) -> Reading {
        let events = data.iter().map(|data| SseEvent::new(*data)).collect();
        Reading {
            read: Read::events(first, events).expect("there are events"),
            next: Some(Read::Idle),
        }
    }

    fn found(result: Result<Read, LogError<RedisError>>) -> String {
        match result {
            Ok(Read::Events { first, events, .. }) => {
                let data: Vec<&str> = events.iter().map(SseEvent::data).collect();
                format!("{first}: {}", data.join(" "))
            }
            other => format!("{other:?}"),
        }
    }

    fn down() -> LogError<RedisError> {
        LogError::Backend((redis::ErrorKind::Io, "down").into())
    }

    /// What must not be asked.
    fn never() -> impl Future<Output = Result<Reading, LogError<RedisError>>> {
        lazy(|_| panic!("Redis is asked"))
    }

    #[tokio::test]
    async fn readers_share_what_one_of_them_has_read() {
        let tail = Tail::default();
        let read = tail.read(0, ready(Ok(events(1, &["a", "b"])))).await;
        assert_eq!(found(read), "1: a b");
        assert_eq!(found(tail.read(0, never()).await), "1: a b");
        assert_eq!(found(tail.read(1, never()).await), "2: b");
        assert_eq!(found(tail.read(2, never()).await), "Ok(Idle)");
        tail.wake();
        let read = tail.read(2, ready(Ok(events(3, &["c"])))).await;
        assert_eq!(found(read), "3: c");
    }

    #[tokio::test]
    async fn reader_with_a_number_beyond_the_end_disturbs_nobody() {
        let tail = Tail::default();
        tail.read(0, ready(Ok(events(1, &["a"]))))
            .await
            .expect("an event");
        let gap = tail.read(1000, ready(Err(LogError::Gap)));
        assert_eq!(found(gap.await), "Err(Gap)");
        assert_eq!(found(tail.read(0, never()).await), "1: a");
        // A reader that is ahead of this process, because another one served it.
        let ahead = tail.read(5, ready(Ok(events(6, &["f"])))).await;
        assert_eq!(found(ahead), "6: f");
        let late = tail.read(0, ready(Ok(events(1, &["a"])))).await;
        assert_eq!(found(late), "1: a");
        assert_eq!(found(tail.read(5, never()).await), "6: f");
    }

    #[tokio::test]
    async fn readers_that_waited_for_a_failure_share_it() {
        let tail = Tail::default();
        let (failed, shared) = tokio::join!(
            tail.read(0, async {
                tokio::task::yield_now().await;
                Err(down())
            }),
            tail.read(0, never()),
        );
        assert!(matches!(failed, Err(LogError::Backend(_))));
        assert!(matches!(shared, Err(LogError::Backend(_))));
        // Later ones ask again.
        let read = tail.read(0, ready(Ok(events(1, &["a"])))).await;
        assert_eq!(found(read), "1: a");
    }

    #[tokio::test]
    async fn reader_that_is_dropped_while_it_asks_leaves_the_others_to_ask() {
        let tail = Tail::default();
        tail.read(0, ready(Ok(events(1, &["a"]))))
            .await
            .expect("an event");
        tail.wake();
        assert!(tail.read(1, pending()).now_or_never().is_none());
        let read = tail.read(1, ready(Ok(events(2, &["b"])))).await;
        assert_eq!(found(read), "2: b");
    }

    #[tokio::test]
    async fn old_events_are_dropped() {
        let tail = Tail::default();
        let data = vec!["x"; MOST_EVENTS + 1];
        tail.read(0, ready(Ok(events(1, &data))))
            .await
            .expect("events");
        let direct = tail.read(0, ready(Ok(events(1, &["from Redis"])))).await;
        assert_eq!(found(direct), "1: from Redis");
        let large = "x".repeat(MOST_BYTES);
        tail.wake();
        let last = MOST_EVENTS as u64 + 1;
        tail.read(last, ready(Ok(events(last + 1, &[&large, "end"]))))
            .await
            .expect("events");
        assert_eq!(
            found(tail.read(last + 1, never()).await),
            format!("{}: end", last + 2)
        );
    }
}
