//! The producing side: a stream of events into a log.

mod producer;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::future::poll_fn;
use core::mem;
use core::pin::{Pin, pin};
use core::task::{Context, Poll};
use core::time::Duration;

use futures_core::{FusedStream, Stream, TryStream};
use pin_project_lite::pin_project;

use self::producer::{Inner, Producer};
use super::{EventLog, Lease, LogError, SHORTEST_LEASE, failure_events};
use crate::sse::SseEvent;

/// Adapters that append a stream of events to a log.
pub trait LogStreamExt: Stream {
    /// Appends the events of this stream to a new run of the log, and yields them with their
    /// numbers as ids.
    ///
    /// The run is created by the first poll, or by [`open`](Logged::open). It is closed when this
    /// stream ends, or after [`SseEvent::close`], and the events are then all in the log. Spawn a
    /// task that runs the stream ([`drain`](Logged::drain)), so that it does not depend on the
    /// connection of a client, and serve every client with [`follow`](super::follow()):
    ///
    /// ```
    /// use futures::{StreamExt, stream};
    /// use json_chunks::event_log::{MemoryLog, follow};
    /// use json_chunks::prelude::*;
    /// use json_chunks::sse::SseEvent;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let log = MemoryLog::new();
    /// let events = stream::iter(["[1", ",2", "]"]).map(SseEvent::new).sse();
    /// let run = events.logged(log.clone(), "trip-1").open().await?;
    /// let task = tokio::spawn(run.drain());
    /// # task.await??;
    ///
    /// // A client that has received the first event already.
    /// let missed: Vec<_> = follow(log, "trip-1", Some("1")).collect().await;
    /// assert_eq!(missed[0].as_ref().map(|event| event.data()), Ok(",2"));
    /// assert_eq!(missed.len(), 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Everything that is ready at a wake-up is one append, of at most 256 events or about 256 KiB.
    /// The lease is renewed while the stream is polled, even without events; so slow operations,
    /// such as connecting to a model, have to be part of the stream:
    /// `stream::once(connect()).flatten()`.
    ///
    /// # Errors
    ///
    /// The last item is an error, before which the stream is `Pending` once (as in
    /// [`try_sse`](crate::stream::SseStreamExt::try_sse)), if the run [exists](LogError::Taken),
    /// the producer is [fenced](LogError::Fenced) because another has claimed the run, or the log
    /// [failed](LogError::Backend) or was [emptied](LogError::Gap). The events in the log stay
    /// valid, and readers receive the end that another host writes.
    fn logged<L>(self, log: L, run: impl Into<String>) -> Logged<Self, L>
    where
        Self: Sized,
        Self::Item: Into<SseEvent>,
        L: EventLog + Clone + 'static,
    {
        Logged {
            inner: self,
            producer: Producer::new(log, run.into()),
        }
    }

    /// Like [`logged`](Self::logged), for a stream of results. An error makes the reply fail, and
    /// is the last item that is read.
    ///
    /// The run is then closed with the events of [`failure`](TryLogged::failure), so that all
    /// clients receive the same end. By default, they are `error` with
    /// `{"code":"UPSTREAM_LOST",…}`, and [`SseEvent::close`].
    ///
    /// The frames of a [dialect](crate::wire) are logged unchanged. Its writer turns the errors of
    /// its source into frames as well:
    ///
    /// ```
    /// use futures::{StreamExt, TryStreamExt, stream};
    /// use json_chunks::event_log::{MemoryLog, follow};
    /// use json_chunks::prelude::*;
    /// use json_chunks::sse::SseEvent;
    /// use json_chunks::wire::{Dialect, ReplyHead, Writer};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let log = MemoryLog::new();
    /// let writer = Writer::new(Dialect::UiMessages, ReplyHead::new("msg-1", "kanazawa-1"));
    /// let frames = stream::iter([Ok("Hi"), Err("connection reset")]).try_wire(writer);
    /// frames.try_logged(log.clone(), "chat-1").drain().await?;
    ///
    /// let events: Vec<SseEvent> = follow(log, "chat-1", None).try_collect().await?;
    /// assert_eq!(events[0].data(), r#"{"type":"start","messageId":"msg-1"}"#);
    /// let end = r#"{"type":"error","errorText":"the reply was lost"}"#;
    /// assert_eq!(events.last().map(SseEvent::data), Some(end));
    /// # Ok(())
    /// # }
    /// ```
    fn try_logged<L>(self, log: L, run: impl Into<String>) -> TryLogged<Self, L>
    where
        Self: Sized + TryStream,
        Self::Ok: Into<SseEvent>,
        L: EventLog + Clone + 'static,
    {
        TryLogged {
            inner: self,
            producer: Producer::new(log, run.into()),
            failure: upstream_lost(),
        }
    }
}

impl<S: Stream + ?Sized> LogStreamExt for S {}

/// Returns the stream of a claimed run.
pub(super) fn resumed<S, L: EventLog + Clone + 'static>(
    inner: S,
    log: L,
    lease: Lease,
) -> Logged<S, L> {
    Logged {
        inner,
        producer: Producer::resumed(log, lease),
    }
}

/// Like [`resumed`], for a stream of results.
pub(super) fn try_resumed<S, L: EventLog + Clone + 'static>(
    inner: S,
    log: L,
    lease: Lease,
) -> TryLogged<S, L> {
    TryLogged {
        inner,
        producer: Producer::resumed(log, lease),
        failure: upstream_lost(),
    }
}

fn upstream_lost() -> Vec<SseEvent> {
    failure_events("UPSTREAM_LOST", "the reply was lost")
}

macro_rules! shell {
    ($name:ident $(: $bound:ident)?) => {
        impl<S $(: $bound)?, L: EventLog + Clone + 'static> $name<S, L> {
            /// Sets the lease: how long the run stays reserved for this producer after it was
            /// suspended or lost. The default is 5 seconds, the minimum a millisecond. The lease is
            /// renewed three times in that time. This has no effect on a run that was claimed or
            /// created already.
            pub fn lease(mut self, duration: Duration) -> Self {
                if self.producer.lease.is_none() {
                    self.producer.duration = duration.max(SHORTEST_LEASE);
                }
                self
            }

            /// Creates the run, unless it has been created. Call it before a client receives the
            /// id, because the client may follow the run at once.
            ///
            /// # Errors
            ///
            /// [`Taken`](LogError::Taken) if the run exists, and the errors of the log.
            pub async fn open(mut self) -> Result<Self, LogError<L::Error>> {
                self.producer.open().await?;
                Ok(self)
            }

            /// Returns the number of the last event that is in the log.
            pub const fn last(&self) -> u64 {
                self.producer.last
            }
        }

        impl<S $(: $bound)?, L: EventLog> fmt::Debug for $name<S, L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("last", &self.producer.last)
                    .field("waiting", &self.producer.batch.len())
                    .finish_non_exhaustive()
            }
        }
    };
}

macro_rules! drain {
    () => {
        /// Runs the stream to its end and returns the number of the last event, for a task that
        /// serves no client itself.
        ///
        /// # Errors
        ///
        /// The error that is the last item of the stream.
        ///
        /// # Cancel safety
        ///
        /// Dropping the future drops the stream: the run is lost when its lease lapses.
        pub async fn drain(self) -> Result<u64, LogError<L::Error>> {
            let mut stream = pin!(self);
            poll_fn(|cx| {
                while let Poll::Ready(next) = stream.as_mut().poll_next(cx) {
                    match next {
                        Some(Ok(_)) if stream.producer.output.is_empty() => {
                            // Yields to the other tasks of the executor after each batch.
                            cx.waker().wake_by_ref();
                            return Poll::Pending;
                        }
                        Some(Ok(_)) => {}
                        Some(Err(error)) => return Poll::Ready(Err(error)),
                        None => return Poll::Ready(Ok(stream.producer.last)),
                    }
                }
                Poll::Pending
            })
            .await
        }
    };
}

pin_project! {
    /// The events of a stream, yielded as they are stored in a log, see
    /// [`logged`](LogStreamExt::logged).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next event loses nothing. Dropping the stream before
    /// its end leaves the run without a producer: its lease lapses, and another may claim it.
    #[must_use = "streams do nothing unless polled"]
    pub struct Logged<S, L: EventLog> {
        #[pin]
        inner: S,
        producer: Producer<L>,
    }
}

shell!(Logged);

impl<S: Stream<Item: Into<SseEvent>>, L: EventLog + Clone + 'static> Logged<S, L> {
    drain!();
}

impl<S: Stream<Item: Into<SseEvent>>, L: EventLog + Clone + 'static> Stream for Logged<S, L> {
    type Item = Result<SseEvent, LogError<L::Error>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        this.producer.poll_next(cx, |cx| {
            this.inner.as_mut().poll_next(cx).map(|next| match next {
                Some(event) => Inner::Event(event.into()),
                None => Inner::End,
            })
        })
    }
}

impl<S: Stream<Item: Into<SseEvent>>, L: EventLog + Clone + 'static> FusedStream for Logged<S, L> {
    fn is_terminated(&self) -> bool {
        self.producer.is_terminated()
    }
}

pin_project! {
    /// The events of a stream that may fail, yielded as they are stored in a log, see
    /// [`try_logged`](LogStreamExt::try_logged).
    ///
    /// # Cancel safety
    ///
    /// The same as of [`Logged`](Logged#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct TryLogged<S, L: EventLog> {
        #[pin]
        inner: S,
        producer: Producer<L>,
        failure: Vec<SseEvent>,
    }
}

shell!(TryLogged);

impl<S: TryStream<Ok: Into<SseEvent>>, L: EventLog + Clone + 'static> TryLogged<S, L> {
    /// Sets the events that end the run after an error of the inner stream: those of its dialect,
    /// as [`Writer::fail`](crate::wire::Writer::fail) writes them. The error itself is not sent to
    /// clients, because it may be internal.
    pub fn failure(mut self, events: impl IntoIterator<Item = SseEvent>) -> Self {
        self.failure = events.into_iter().collect();
        self
    }

    drain!();
}

impl<S: TryStream<Ok: Into<SseEvent>>, L: EventLog + Clone + 'static> Stream for TryLogged<S, L> {
    type Item = Result<SseEvent, LogError<L::Error>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        this.producer.poll_next(cx, |cx| {
            this.inner
                .as_mut()
                .try_poll_next(cx)
                .map(|next| match next {
                    Some(Ok(event)) => Inner::Event(event.into()),
                    Some(Err(_)) => Inner::Failed(mem::take(this.failure)),
                    None => Inner::End,
                })
        })
    }
}

impl<S: TryStream<Ok: Into<SseEvent>>, L: EventLog + Clone + 'static> FusedStream
    for TryLogged<S, L>
{
    fn is_terminated(&self) -> bool {
        self.producer.is_terminated()
    }
}
