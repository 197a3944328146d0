use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use alloc::string::ToString as _;
use futures_core::{FusedStream, Stream, TryStream};
use pin_project_lite::pin_project;

use crate::SseEvent;

/// Server-sent events of a stream of whatever becomes one.
pub trait SseStreamExt: Stream {
    /// Turns items into server-sent events: those that have no id are numbered from 1, and the
    /// last one is [`SseEvent::close`].
    ///
    /// A client that lost its connection tells the last id that it has seen. To serve it, keep what
    /// was sent in a [`ReplayBuffer`](crate::ReplayBuffer), or, where the whole stream can be had
    /// again, skip so many of its events: `items.sse().skip(n)`, which keeps their numbers.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{FragmentStreamExt, SseStreamExt};
    /// use json_chunks::{Entities, EntityMode, JsonText};
    ///
    /// let fragments = stream::iter([r#"{"files": [{"name": "a"#, r#".txt"}, {}]}"#]);
    /// let entities = Entities::new(EntityMode::OneByOne).named("files");
    /// let events = fragments.json_entities::<JsonText>(entities).sse();
    /// let text: String = block_on(events.map(|event| event.to_string()).collect());
    /// assert_eq!(
    ///     text,
    ///     "id: 1\n\
    ///      data: {\"index\":0,\"status\":\"COMPLETED\",\"data\":{\"name\":\"a.txt\"},\"entity\":\"files\"}\n\
    ///      \n\
    ///      id: 2\n\
    ///      data: {\"index\":1,\"status\":\"COMPLETED\",\"data\":{},\"entity\":\"files\"}\n\
    ///      \n\
    ///      event: CLOSE\n\
    ///      data: [DONE]\n\
    ///      \n"
    /// );
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

    /// As [`sse`](Self::sse), for a stream of results: errors are passed on as they come, and the
    /// end is [`SseEvent::close`] all the same.
    fn try_sse(self) -> TrySseStream<Self>
    where
        Self: Sized + TryStream,
        Self::Ok: Into<SseEvent>,
    {
        TrySseStream {
            inner: self,
            count: Count::default(),
        }
    }
}

impl<S: Stream + ?Sized> SseStreamExt for S {}

/// How far the stream has come.
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
    ($name:ident) => {
        impl<S> $name<S> {
            /// The inner stream.
            pub const fn get_ref(&self) -> &S {
                &self.inner
            }

            /// The inner stream. This stream never sees an item that is taken from it here.
            pub const fn get_mut(&mut self) -> &mut S {
                &mut self.inner
            }

            /// The inner stream, pinned. This stream never sees an item that is taken from it here.
            pub fn get_pin_mut(self: Pin<&mut Self>) -> Pin<&mut S> {
                self.project().inner
            }

            /// The inner stream alone.
            pub fn into_inner(self) -> S {
                self.inner
            }
        }

        impl<S> fmt::Debug for $name<S> {
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
    /// Items in, server-sent events out: the stream of [`sse`](SseStreamExt::sse).
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
    /// Results in, server-sent events or errors out: the stream of
    /// [`try_sse`](SseStreamExt::try_sse).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next item loses nothing.
    #[must_use = "streams do nothing unless polled"]
    pub struct TrySseStream<S> {
        #[pin]
        inner: S,
        count: Count,
    }
}

shell!(TrySseStream);

impl<S: TryStream<Ok: Into<SseEvent>>> Stream for TrySseStream<S> {
    type Item = Result<SseEvent, S::Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.project();
        if this.count.closed {
            return Poll::Ready(None);
        }
        Poll::Ready(Some(match ready!(this.inner.try_poll_next(cx)) {
            Some(Ok(item)) => Ok(this.count.number(item.into())),
            Some(Err(error)) => Err(error),
            None => Ok(this.count.close()),
        }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.count.size_hint(self.inner.size_hint())
    }
}

impl<S: TryStream<Ok: Into<SseEvent>>> FusedStream for TrySseStream<S> {
    fn is_terminated(&self) -> bool {
        self.count.closed
    }
}
