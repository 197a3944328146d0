//! The operations of a producer: create, append, renew, close.
//!
//! # For maintainers
//!
//! | phase | in flight | next |
//! | --- | --- | --- |
//! | `New` | `create` | `Open` |
//! | `Open` | `append` or `renew`, one at a time | `Closing` after the last event |
//! | `Closing` | `close` | `Over` |
//! | `Failed` | nothing | `Over`, when the error is yielded |
//!
//! - *In the log first*: an event is yielded after it was appended, so that no client receives an
//!   event that a fenced producer could not append.
//! - *One append per wake-up*: while an operation is in flight, the inner stream is read into the
//!   next batch, until that is full.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::future::poll_fn;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use core::time::Duration;

use crate::event_log::clock::Timer;
use crate::event_log::{DEFAULT_LEASE, EventLog, Lease, LogError, SHORTEST_LEASE};
use crate::sse::SseEvent;

/// A batch is full with this many events, or this many bytes of data and names.
const EVENTS_PER_BATCH: usize = 256;
const BYTES_PER_BATCH: usize = 256 * 1024;

/// A lease is renewed this many times before it lapses.
const RENEWALS_PER_LEASE: u32 = 3;

enum ProducerPhase<E> {
    New(String),
    Open,
    Closing,
    Failed(LogError<E>),
    Over,
}

enum Done {
    Created(Lease),
    Renewed,
    Appended(Vec<SseEvent>),
    Closed(Vec<SseEvent>),
}

type ProducerFuture<E> = Pin<Box<dyn Future<Output = Result<Done, LogError<E>>> + Send>>;

/// The state except for the inner stream.
pub(super) struct Producer<L: EventLog> {
    log: L,
    pub(super) duration: Duration,
    /// Shared with the operation in flight.
    pub(super) lease: Option<Arc<Lease>>,
    phase: ProducerPhase<L::Error>,
    in_flight: Option<ProducerFuture<L::Error>>,
    /// When the lease has to be renewed.
    renewal: Timer,
    /// The number of the last event that is in the log.
    pub(super) last: u64,
    /// The next append, and its size.
    pub(super) batch: Vec<SseEvent>,
    bytes: usize,
    /// Nothing more is read from the inner stream.
    has_ended: bool,
    /// The events that are in the log and were not yielded yet.
    pub(super) output: VecDeque<SseEvent>,
    /// Whether an event was yielded since the last `Pending`.
    yielded: bool,
}

impl<L: EventLog + Clone + 'static> Producer<L> {
    /// Returns the producer of a run that is to be created.
    pub(super) fn new(log: L, run: String) -> Self {
        Self {
            log,
            duration: DEFAULT_LEASE,
            lease: None,
            phase: ProducerPhase::New(run),
            in_flight: None,
            renewal: Timer::default(),
            last: 0,
            batch: Vec::new(),
            bytes: 0,
            has_ended: false,
            output: VecDeque::new(),
            yielded: false,
        }
    }

    /// Returns the producer of a claimed run.
    pub(super) fn resumed(log: L, lease: Lease) -> Self {
        let mut producer = Self::new(log, String::new());
        producer.duration = lease.duration();
        producer.created(lease);
        producer
    }

    /// Creates the run, unless it has been created.
    pub(super) async fn open(&mut self) -> Result<(), LogError<L::Error>> {
        poll_fn(|cx| {
            while matches!(self.phase, ProducerPhase::New(_)) {
                if self.in_flight.is_none() {
                    self.begin(cx);
                }
                if let Some(in_flight) = &mut self.in_flight {
                    let done = ready!(in_flight.as_mut().poll(cx));
                    self.in_flight = None;
                    self.completed(done?);
                }
            }
            Poll::Ready(Ok(()))
        })
        .await
    }

    pub(super) fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
        poll_inner: impl FnMut(&mut Context<'_>) -> Poll<Inner>,
    ) -> Poll<Option<Result<SseEvent, LogError<L::Error>>>> {
        self.advance(cx, poll_inner);
        if let Some(event) = self.output.pop_front() {
            self.yielded = true;
            return Poll::Ready(Some(Ok(event)));
        }
        match self.phase {
            ProducerPhase::Over => return Poll::Ready(None),
            ProducerPhase::Failed(_) if !self.yielded => {
                if let ProducerPhase::Failed(error) =
                    mem::replace(&mut self.phase, ProducerPhase::Over)
                {
                    return Poll::Ready(Some(Err(error)));
                }
            }
            // Otherwise hyper would drop the frames of this poll with the body.
            ProducerPhase::Failed(_) => cx.waker().wake_by_ref(),
            ProducerPhase::New(_) | ProducerPhase::Open | ProducerPhase::Closing => {}
        }
        self.yielded = false;
        Poll::Pending
    }

    /// Makes all progress that is possible without waiting.
    fn advance(
        &mut self,
        cx: &mut Context<'_>,
        mut poll_inner: impl FnMut(&mut Context<'_>) -> Poll<Inner>,
    ) {
        loop {
            if let Some(in_flight) = &mut self.in_flight
                && let Poll::Ready(done) = in_flight.as_mut().poll(cx)
            {
                self.in_flight = None;
                match done {
                    Ok(done) => self.completed(done),
                    Err(error) => return self.fail(error),
                }
            }
            if matches!(self.phase, ProducerPhase::Open) {
                self.fill(cx, &mut poll_inner);
            }
            if self.in_flight.is_some() || !self.begin(cx) {
                return;
            }
        }
    }

    /// Starts the operation that is due, if there is one.
    fn begin(&mut self, cx: &mut Context<'_>) -> bool {
        // The consumer sets the pace: the next append starts after it has received the events of
        // this one.
        let is_idle = !self.output.is_empty() || (!self.has_ended && self.batch.is_empty());
        let must_renew =
            is_idle && matches!(self.phase, ProducerPhase::Open) && self.must_renew(cx);
        let (log, duration, lease) = (self.log.clone(), self.duration, self.lease.clone());
        self.in_flight = match (&self.phase, lease) {
            (ProducerPhase::New(run), _) => {
                let run = run.clone();
                Some(Box::pin(async move {
                    Ok(Done::Created(log.create(&run, duration).await?))
                }))
            }
            (ProducerPhase::Open, Some(lease)) if !is_idle => {
                let (events, number) = (mem::take(&mut self.batch), self.last + 1);
                self.bytes = 0;
                if self.has_ended {
                    self.phase = ProducerPhase::Closing;
                    Some(Box::pin(async move {
                        log.close(&lease, number, &events).await?;
                        Ok(Done::Closed(events))
                    }))
                } else {
                    Some(Box::pin(async move {
                        log.append(&lease, number, &events).await?;
                        Ok(Done::Appended(events))
                    }))
                }
            }
            (ProducerPhase::Open, Some(lease)) if must_renew => Some(Box::pin(async move {
                log.renew(&lease).await?;
                Ok(Done::Renewed)
            })),
            _ => None,
        };
        self.in_flight.is_some()
    }

    /// Returns whether the lease has to be renewed; if not yet, the task is woken when it is due.
    fn must_renew(&mut self, cx: &mut Context<'_>) -> bool {
        let interval = (self.duration / RENEWALS_PER_LEASE).max(SHORTEST_LEASE);
        self.renewal.poll(cx, interval).is_ready()
    }

    /// Reads the ready items of the inner stream into the batch, up to its bounds.
    fn fill(
        &mut self,
        cx: &mut Context<'_>,
        poll_inner: &mut impl FnMut(&mut Context<'_>) -> Poll<Inner>,
    ) {
        while !self.has_ended && self.batch.len() < EVENTS_PER_BATCH && self.bytes < BYTES_PER_BATCH
        {
            match poll_inner(cx) {
                Poll::Ready(Inner::Event(event)) => self.add(event),
                Poll::Ready(Inner::Failed(events)) => {
                    self.has_ended = true;
                    for event in events {
                        self.add(event);
                    }
                }
                Poll::Ready(Inner::End) => self.has_ended = true,
                Poll::Pending => return,
            }
        }
    }

    fn add(&mut self, event: SseEvent) {
        self.has_ended |= event.is_close();
        self.bytes += event.size();
        self.batch.push(event);
    }

    fn created(&mut self, lease: Lease) {
        self.last = lease.last();
        self.lease = Some(Arc::new(lease));
        self.phase = ProducerPhase::Open;
    }

    fn completed(&mut self, done: Done) {
        match done {
            Done::Created(lease) => return self.created(lease),
            Done::Renewed => {}
            Done::Appended(events) => self.appended(events),
            Done::Closed(events) => {
                self.appended(events);
                self.phase = ProducerPhase::Over;
            }
        }
        self.renewal.restart();
    }

    fn appended(&mut self, events: Vec<SseEvent>) {
        for event in events {
            self.last += 1;
            self.output.push_back(event.with_id(self.last.to_string()));
        }
    }

    fn fail(&mut self, error: LogError<L::Error>) {
        self.batch = Vec::new();
        self.phase = ProducerPhase::Failed(error);
    }

    /// Returns whether the stream has yielded its last item.
    pub(super) fn is_terminated(&self) -> bool {
        matches!(self.phase, ProducerPhase::Over) && self.output.is_empty()
    }
}

/// The result of one poll of the inner stream.
pub(super) enum Inner {
    Event(SseEvent),
    /// The stream failed, and the run ends with these events.
    Failed(Vec<SseEvent>),
    End,
}
