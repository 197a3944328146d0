//! The serving side: the events of a run, from where a client stopped.
//!
//! # For maintainers
//!
//! One read is in flight at a time, and the next one starts when its events have been yielded, so a
//! slow client costs the memory of one batch. The result of a read decides:
//!
//! | read | at the start | later |
//! | --- | --- | --- |
//! | `Events` that follow | yields them | yields them |
//! | `Events` after a gap | `restart`, or the error `Gap` | the same |
//! | the error `Gap` | reads from the start, after a `restart` | the error: the log was emptied |
//! | `Idle` | reads again | reads again |
//! | `Lost` | claims the run, gives it an end, reads again | the same |
//! | `Closed` | ends | ends |
//! | another error | yields it | yields it |

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use core::time::Duration;

use futures_core::{FusedStream, Stream};

use super::{DEFAULT_LEASE, EventLog, LogError, LostRun, Read, SHORTEST_LEASE, failure_events};
use crate::sse::SseEvent;

/// The maximum wait of one read; a lost producer is noticed after it.
const WAIT: Duration = Duration::from_secs(1);

/// Follows a run of a log: yields the events after the last one that a client has received, first
/// those in the log, then new ones as they are appended.
///
/// `last_event_id` is the header `Last-Event-ID` of the client. Without it, or if it is empty,
/// which means no id in the HTML standard, the client receives all events. Any number of clients on
/// any number of hosts may follow a run, reconnect and resume; each receives every event once and
/// in order, and all receive the same end.
///
/// ```
/// use futures::{StreamExt, TryStreamExt, stream};
/// use json_chunks::event_log::{LogError, MemoryLog, follow};
/// use json_chunks::prelude::*;
/// use json_chunks::sse::SseEvent;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let log = MemoryLog::new();
/// let events = stream::iter(["[1", "]"]).map(SseEvent::new).sse();
/// tokio::spawn(events.logged(log.clone(), "trip-1").open().await?.drain());
///
/// // `open` reads once, for the status of the response: 204 if there is nothing to follow.
/// let events = follow(log.clone(), "trip-1", None).open().await?;
/// let body: String = events.map_ok(|event| event.to_string()).try_collect().await?;
/// assert_eq!(body, "id: 1\ndata: [1\n\nid: 2\ndata: ]\n\nid: 3\nevent: CLOSE\ndata: [DONE]\n\n");
///
/// let unknown = follow(log, "trip-2", None).open().await;
/// assert_eq!(unknown.err(), Some(LogError::UnknownRun));
/// # Ok(())
/// # }
/// ```
///
/// # End
///
/// The stream ends after the last event of a closed run, and in no other way: if the producer is
/// lost, the run gets an [end](Follow::lost_events) or [another producer](Follow::on_lost); if the
/// log is lost, the last item is an error, so that the body is aborted and the client reconnects.
/// Before an error that follows events the stream is `Pending` once.
///
/// # Missing events
///
/// If the log no longer keeps the next event of the client, or never had as many events as the
/// client has received, an event `restart` with `{"first":57}` precedes the rest, which starts with
/// that number: the client has to drop the events that it has. For clients that do not know this
/// event use [`fail_on_gap`](Follow::fail_on_gap).
///
/// # Errors
///
/// [`LogError::UnknownRun`] for a run that does not exist, [`LogError::Gap`] if the log was emptied
/// while it was followed, [`LogError::Backend`] if it failed.
///
/// # Cost
///
/// Between polls the stream holds the events of at most one read, so a slow client, or one that
/// does not read at all, costs a bounded amount of memory.
pub fn follow<L: EventLog + Clone + 'static>(
    log: L,
    run: impl Into<String>,
    last_event_id: Option<&str>,
) -> Follow<L> {
    Follow {
        log,
        run: run.into().into(),
        last: match last_event_id {
            None | Some("") => 0,
            // An id that no log assigns counts as one after the end of every run.
            Some(id) => number(id).unwrap_or(u64::MAX),
        },
        is_start: true,
        is_restart: false,
        duration: DEFAULT_LEASE,
        on_gap: OnGap::Restart,
        lost_events: None,
        on_lost: None,
        in_flight: None,
        queue: VecDeque::new(),
        phase: FollowPhase::Flowing,
        yielded: false,
    }
}

/// Returns the number in an id that a log has assigned.
fn number(id: &str) -> Option<u64> {
    let is_plain = id.bytes().all(|byte| byte.is_ascii_digit()) && !id.starts_with('0');
    id.parse().ok().filter(|_| is_plain)
}

/// How missing events are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OnGap {
    Restart,
    Fail,
}

type OnLost<L> = Box<dyn FnMut(LostRun<L>) + Send>;

/// The result of a read, or of the claim of a lost run.
enum FollowStep<L> {
    Read(Read),
    Claimed(LostRun<L>),
    /// The run has its end, written by this host or another.
    Settled,
}

type FollowFuture<L> =
    Pin<Box<dyn Future<Output = Result<FollowStep<L>, LogError<<L as EventLog>::Error>>> + Send>>;

enum FollowPhase<E> {
    Flowing,
    Failed(LogError<E>),
    Over,
}

/// The events of a run, see [`follow`].
///
/// # Cancel safety
///
/// Dropping a future that waits for the next event loses nothing. Dropping the stream leaves the
/// run as it is.
#[must_use = "streams do nothing unless polled"]
pub struct Follow<L: EventLog> {
    log: L,
    run: Arc<str>,
    /// The number of the last event that was read.
    last: u64,
    /// Nothing has been read yet.
    is_start: bool,
    /// The client has events that the log never had: an event `restart` precedes the next ones.
    is_restart: bool,
    duration: Duration,
    on_gap: OnGap,
    lost_events: Option<Vec<SseEvent>>,
    on_lost: Option<OnLost<L>>,
    in_flight: Option<FollowFuture<L>>,
    queue: VecDeque<SseEvent>,
    phase: FollowPhase<L::Error>,
    /// Whether an event was yielded since the last `Pending`.
    yielded: bool,
}

impl<L: EventLog + Clone + 'static> Follow<L> {
    /// Sets the events that end a run whose producer was lost: those of its dialect. By default,
    /// they are `error` with `{"code":"PRODUCER_LOST",…}`, and [`SseEvent::close`].
    ///
    /// ```
    /// use json_chunks::event_log::{MemoryLog, follow};
    /// use json_chunks::sse::SseEvent;
    /// use json_chunks::wire::{Dialect, ReplyHead, Writer};
    ///
    /// let mut writer = Writer::new(Dialect::Anthropic, ReplyHead::new("msg_1", "kanazawa-1"));
    /// writer.start()?;
    /// // The reply has its start already.
    /// drop(writer.frames());
    /// writer.fail("api_error", "the reply was lost")?;
    /// let events = follow(MemoryLog::new(), "msg_1", None)
    ///     .lost_events(writer.frames().map(SseEvent::from))
    ///     .fail_on_gap();
    /// # Ok::<(), json_chunks::wire::WriteError>(())
    /// ```
    pub fn lost_events(mut self, events: impl IntoIterator<Item = SseEvent>) -> Self {
        self.lost_events = Some(events.into_iter().collect());
        self
    }

    /// Sets a closure that continues the run if its producer is lost, so that the run does not end
    /// with an error: the closure receives the claimed run, and spawns a task that
    /// [resumes](LostRun::resume) it. This stream then continues with the events of the new
    /// producer. Of all followers on all hosts, only one calls its closure.
    pub fn on_lost(mut self, resume: impl FnMut(LostRun<L>) + Send + 'static) -> Self {
        self.on_lost = Some(Box::new(resume));
        self
    }

    /// Sets the duration of the lease with which a lost run is claimed. The default is 5 seconds,
    /// the minimum a millisecond.
    pub fn lease(mut self, duration: Duration) -> Self {
        self.duration = duration.max(SHORTEST_LEASE);
        self
    }

    /// Reports missing events as the error [`LogError::Gap`] rather than as an event `restart`.
    pub fn fail_on_gap(mut self) -> Self {
        self.on_gap = OnGap::Fail;
        self
    }

    /// Reads for the first time, so that the server knows the status of its response. If the stream
    /// [is terminated](FusedStream::is_terminated) now, the client has received everything.
    ///
    /// Does not wait for events.
    ///
    /// # Errors
    ///
    /// The error that would have been the first item: [`LogError::UnknownRun`], for which the
    /// status 204 keeps an `EventSource` from reconnecting, or the error of the log.
    pub async fn open(mut self) -> Result<Self, LogError<L::Error>> {
        poll_fn(|cx| {
            while self.is_start && self.queue.is_empty() {
                ready!(self.poll_step(cx, Duration::ZERO));
                if let FollowPhase::Failed(_) = self.phase {
                    break;
                }
            }
            Poll::Ready(())
        })
        .await;
        match self.phase {
            FollowPhase::Failed(error) => Err(error),
            FollowPhase::Flowing | FollowPhase::Over => Ok(self),
        }
    }

    /// Returns the number of the last event that was read from the log.
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// Polls the operation in flight, or starts the next read.
    fn poll_step(&mut self, cx: &mut Context<'_>, wait: Duration) -> Poll<()> {
        let in_flight = self.in_flight.get_or_insert_with(|| {
            let (log, run, last) = (self.log.clone(), Arc::clone(&self.run), self.last);
            Box::pin(async move { log.read(&run, last, wait).await.map(FollowStep::Read) })
        });
        let done = ready!(in_flight.as_mut().poll(cx));
        self.in_flight = None;
        match done {
            Ok(FollowStep::Read(Read::Events { first, events })) => self.received(first, events),
            Ok(FollowStep::Read(Read::Idle) | FollowStep::Settled) => self.is_start = false,
            Ok(FollowStep::Read(Read::Closed)) => {
                self.is_start = false;
                self.phase = FollowPhase::Over;
            }
            Ok(FollowStep::Read(Read::Lost)) => {
                self.is_start = false;
                self.in_flight = Some(self.settle());
            }
            Ok(FollowStep::Claimed(lost)) => {
                if let Some(on_lost) = &mut self.on_lost {
                    on_lost(lost);
                }
            }
            Err(LogError::Gap)
                if self.is_start && self.last > 0 && self.on_gap == OnGap::Restart =>
            {
                self.last = 0;
                self.is_restart = true;
            }
            Err(error) => self.phase = FollowPhase::Failed(error),
        }
        Poll::Ready(())
    }

    fn received(&mut self, first: u64, events: Vec<SseEvent>) {
        self.is_start = false;
        let before = first.saturating_sub(1);
        let is_gap = before > self.last;
        if is_gap && self.on_gap == OnGap::Fail {
            self.phase = FollowPhase::Failed(LogError::Gap);
            return;
        }
        if core::mem::take(&mut self.is_restart) || is_gap {
            let restart = SseEvent::named("restart", format!("{{\"first\":{first}}}"));
            self.queue.push_back(restart);
        }
        self.last = before;
        for event in events {
            self.last += 1;
            let is_close = event.is_close();
            self.queue.push_back(event);
            if is_close {
                self.phase = FollowPhase::Over;
                return;
            }
        }
    }

    /// Claims a run that has lost its producer. Without a closure that resumes it, writes its end.
    fn settle(&self) -> FollowFuture<L> {
        let (log, run, duration) = (self.log.clone(), Arc::clone(&self.run), self.duration);
        let end = match (&self.on_lost, &self.lost_events) {
            (Some(_), _) => None,
            (None, Some(events)) => Some(events.clone()),
            (None, None) => Some(failure_events("PRODUCER_LOST", "the reply was lost")),
        };
        Box::pin(async move {
            let lost = match log.claim(&run, duration).await {
                Ok(lease) => LostRun::new(log, lease),
                // Another host has claimed it first.
                Err(LogError::Taken) => return Ok(FollowStep::Settled),
                Err(error) => return Err(error),
            };
            let Some(events) = end else {
                return Ok(FollowStep::Claimed(lost));
            };
            match lost.end(&events).await {
                // This host reads the end from the log, like all others.
                Ok(()) | Err(LogError::Fenced) => Ok(FollowStep::Settled),
                Err(error) => Err(error),
            }
        })
    }
}

impl<L: EventLog + Clone + 'static> Stream for Follow<L> {
    type Item = Result<SseEvent, LogError<L::Error>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(event) = this.queue.pop_front() {
                this.yielded = true;
                return Poll::Ready(Some(Ok(event)));
            }
            match this.phase {
                FollowPhase::Over => return Poll::Ready(None),
                // Otherwise hyper would drop the frames of this poll with the body.
                FollowPhase::Failed(_) if this.yielded => {
                    this.yielded = false;
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                FollowPhase::Failed(_) => {
                    let failed = core::mem::replace(&mut this.phase, FollowPhase::Over);
                    if let FollowPhase::Failed(error) = failed {
                        return Poll::Ready(Some(Err(error)));
                    }
                }
                FollowPhase::Flowing => {
                    if this.poll_step(cx, WAIT).is_pending() {
                        this.yielded = false;
                        return Poll::Pending;
                    }
                }
            }
        }
    }
}

impl<L: EventLog + Clone + 'static> FusedStream for Follow<L> {
    fn is_terminated(&self) -> bool {
        matches!(self.phase, FollowPhase::Over) && self.queue.is_empty()
    }
}

// No field is pinned.
impl<L: EventLog> Unpin for Follow<L> {}

impl<L: EventLog> fmt::Debug for Follow<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Follow")
            .field("run", &self.run)
            .field("last", &self.last)
            .finish_non_exhaustive()
    }
}
