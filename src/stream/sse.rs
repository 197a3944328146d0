use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use alloc::string::ToString as _;
use futures_core::{FusedStream, Stream, TryStream};
use pin_project_lite::pin_project;

use crate::sse::SseEvent;

/// Server-sent events of a stream of items that are `Into<SseEvent>`.
pub trait SseStreamExt: Stream {
    /// Turns items into server-sent events: those that have no id are numbered from 1, and the
    /// last one is [`SseEvent::close`].
    ///
    /// A client that lost its connection sends the last id that it has received. To serve it, store
    /// the events in an event log (`event_log`, feature `tokio`); or, if the entire stream is
    /// available again, skip its first events with `items.sse().skip(n)`, which keeps the numbers
    /// of the others.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{FragmentStreamExt, SseStreamExt};
    /// use json_chunks::entity::{EntityDetector, EntityMode};
    /// use json_chunks::value::RawJson;
    ///
    /// let fragments = stream::iter([r#"{"files": [{"name": "a"#, r#".txt"}, {}]}"#]);
    /// let entities = EntityDetector::new(EntityMode::OneByOne).named("files");
    /// let events = fragments.json_entities::<RawJson>(entities).sse();
    /// let text: String = block_on(events.map(|event| event.to_string()).collect());
    /// let first = r#"{"index":0,"status":"COMPLETED","data":{"name":"a.txt"},"entity":"files"}"#;
    /// let second = r#"{"index":1,"status":"COMPLETED","data":{},"entity":"files"}"#;
    /// assert_eq!(
    ///     text,
    ///     format!(
    ///         "id: 1\ndata: {first}\n\n\
    ///          id: 2\ndata: {second}\n\n\
    ///          event: CLOSE\ndata: [DONE]\n\n"
    ///     ),
    /// );
    /// ```
    ///
    /// Text, such as the chunks of [`json_chunks`](super::SnapshotStreamExt::json_chunks), becomes
    /// the data of events with [`SseEvent::new`]:
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::sse::SseEvent;
    /// use json_chunks::stream::{SnapshotStreamExt, SseStreamExt};
    ///
    /// let snapshots = stream::iter(["[1]", "[1,2]"]);
    /// let events = snapshots.json_chunks().map(SseEvent::new).sse();
    /// let text: String = block_on(events.map(|event| event.to_string()).collect());
    /// assert!(text.starts_with("id: 1\ndata: [1\n\nid: 2\ndata: ,2\n\n"));
    /// ```
    fn sse(self) -> SseStream<Self>
    where
        Self: Sized,
        Self::Item: Into<SseEvent>,
    {
        SseStream {
            inner: self,
            count: Count::default(),
        }
    }

    /// Like [`sse`](Self::sse), for a stream of results: errors are yielded in their place, and the
    /// last event is [`SseEvent::close`] in any case.
    ///
    /// Before an error that follows events, the stream is `Pending` once, after waking its task:
    /// hyper, and so axum, would otherwise drop the frames that it has not written yet together
    /// with the body. With the pause, a client receives all events before the error, and then the
    /// body is aborted. With axum (feature `axum`):
    ///
    #[cfg_attr(feature = "axum", doc = "```")]
    #[cfg_attr(not(feature = "axum"), doc = "```ignore")]
    /// use axum::response::sse::{Event, Sse};
    /// use futures::{StreamExt, TryStreamExt, stream};
    /// use json_chunks::sse::SseEvent;
    /// use json_chunks::stream::SseStreamExt;
    ///
    /// let items = stream::iter([Ok("[1"), Err("connection reset")]).map_ok(SseEvent::new);
    /// let response = Sse::new(items.try_sse().map_ok(Event::from));
    /// # let _ = response;
    /// ```
    fn try_sse(self) -> TrySseStream<Self>
    where
        Self: Sized + TryStream,
        Self::Ok: Into<SseEvent>,
    {
        TrySseStream {
            inner: self,
            count: Count::default(),
            yielded: false,
            error: None,
        }
    }
}

impl<S: Stream + ?Sized> SseStreamExt for S {}

/// How far the stream is.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    sent: u64,
    /// The inner stream has ended.
    closed: bool,
}

impl Count {
    fn number(&mut self, event: SseEvent) -> SseEvent {
        self.sent += 1;
        if event.id().is_some() {
            event
        } else {
            event.with_id(self.sent.to_string())
        }
    }

    fn close(&mut self) -> SseEvent {
        self.closed = true;
        SseEvent::close()
    }

    fn size_hint(self, inner: (usize, Option<usize>)) -> (usize, Option<usize>) {
        if self.closed {
            return (0, Some(0));
        }
        let (least, most) = inner;
        (
            least.saturating_add(1),
            most.and_then(|most| most.checked_add(1)),
        )
    }
}

macro_rules! shell {
    ($name:ident $(: $bound:ident)?) => {
        impl<S $(: $bound)?> $name<S> {
            inner_accessors!("an error that was");
        }

        impl<S $(: $bound)?> fmt::Debug for $name<S> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("sent", &self.count.sent)
                    .field("closed", &self.count.closed)
                    .finish_non_exhaustive()
            }
        }
    };
}

pin_project! {
    /// The server-sent events of a stream of items, see [`sse`](SseStreamExt::sse).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next event loses nothing.
    #[must_use = "streams do nothing unless polled"]
    pub struct SseStream<S> {
        #[pin]
        inner: S,
        count: Count,
    }
}

shell!(SseStream);

impl<S: Stream<Item: Into<SseEvent>>> Stream for SseStream<S> {
    type Item = SseEvent;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<SseEvent>> {
        let this = self.project();
        if this.count.closed {
            return Poll::Ready(None);
        }
        Poll::Ready(Some(match ready!(this.inner.poll_next(cx)) {
            Some(item) => this.count.number(item.into()),
            None => this.count.close(),
        }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.count.size_hint(self.inner.size_hint())
    }
}

impl<S: Stream<Item: Into<SseEvent>>> FusedStream for SseStream<S> {
    fn is_terminated(&self) -> bool {
        self.count.closed
    }
}

pin_project! {
    /// The server-sent events of a stream of results, or errors, see
    /// [`try_sse`](SseStreamExt::try_sse).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next item loses nothing.
    #[must_use = "streams do nothing unless polled"]
    pub struct TrySseStream<S: TryStream> {
        #[pin]
        inner: S,
        count: Count,
        // Whether an event was yielded since the last `Pending`.
        yielded: bool,
        // The error that waits for one `Pending`, see below.
        error: Option<S::Error>,
    }
}

shell!(TrySseStream: TryStream);

impl<S: TryStream<Ok: Into<SseEvent>>> Stream for TrySseStream<S> {
    type Item = Result<SseEvent, S::Error>;

    // As the other adapters, `Pending` once before an error that follows events of the same poll:
    // hyper would drop the frames of these events with the body.
    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.project();
        if let Some(error) = this.error.take() {
            return Poll::Ready(Some(Err(error)));
        }
        if this.count.closed {
            return Poll::Ready(None);
        }
        let Poll::Ready(next) = this.inner.try_poll_next(cx) else {
            *this.yielded = false;
            return Poll::Pending;
        };
        let event = match next {
            Some(Ok(item)) => this.count.number(item.into()),
            None => this.count.close(),
            Some(Err(error)) if *this.yielded => {
                *this.yielded = false;
                *this.error = Some(error);
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            Some(Err(error)) => return Poll::Ready(Some(Err(error))),
        };
        *this.yielded = true;
        Poll::Ready(Some(Ok(event)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let waiting = usize::from(self.error.is_some());
        let (least, most) = self.count.size_hint(self.inner.size_hint());
        (
            least.saturating_add(waiting),
            most.and_then(|most| most.checked_add(waiting)),
        )
    }
}

impl<S: TryStream<Ok: Into<SseEvent>>> FusedStream for TrySseStream<S> {
    fn is_terminated(&self) -> bool {
        self.count.closed
    }
}
