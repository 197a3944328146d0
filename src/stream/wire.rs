//! Replies in a wire dialect, over streams.

use alloc::string::{String, ToString as _};
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{FusedStream, Stream, TryStream};
use pin_project_lite::pin_project;

use super::log;
use crate::wire::{Aborted, Frame, Piece, Writer};

/// The maximum number of items of the inner stream that one poll accepts without yielding any.
const STEPS_PER_POLL: u32 = 128;

/// The frames of a reply whose pieces a stream yields.
pub trait WireStreamExt: Stream {
    /// Writes the items of this stream, text or pieces of calls, as a reply in the dialect of the
    /// [`Writer`].
    ///
    /// The items are `Into<Piece>`: the text of
    /// [`json_chunks`](super::SnapshotStreamExt::json_chunks), a
    /// [`ToolCallDelta`](crate::tool_call::ToolCallDelta), a
    /// [`ToolCallEvent`](crate::tool_call::ToolCallEvent), or the pieces that a
    /// [`Reader`](crate::wire::Reader) yields, so that a reply in one dialect can be served in
    /// another:
    ///
    /// ```
    /// use futures::{StreamExt, TryStreamExt, executor::block_on, stream};
    /// use json_chunks::stream::{MachineStreamExt, WireStreamExt};
    /// use json_chunks::wire::{Dialect, Reader, ReplyHead, Writer};
    ///
    /// let body = stream::iter([
    ///     r#"{"message":{"role":"assistant","content":"Hi"},"do"#,
    ///     "ne\":false}\n",
    ///     "{\"message\":{\"content\":\"\"},\"done\":true}\n",
    /// ]);
    /// let writer = Writer::new(Dialect::OpenAiChat, ReplyHead::new("chatcmpl-1", "kanazawa-1"));
    /// let frames = body.through(Reader::new(Dialect::Ollama)).wire(writer);
    /// // `axum::body::Body::from_stream(frames.map_ok(String::from))` with axum.
    /// let body: String = block_on(frames.map_ok(String::from).try_collect())?;
    /// assert!(body.contains(r#""delta":{"content":"Hi"}"#));
    /// assert!(body.ends_with("data: [DONE]\n\n"));
    /// # Ok::<(), json_chunks::wire::Aborted>(())
    /// ```
    ///
    /// The end of the stream is the end of a complete reply, unless a [`Finish`](Piece::Finish) or
    /// [`Failed`](Piece::Failed) precedes it; items after these are not read. A stream that may end
    /// early has to report that, with `Failed` or by [`try_wire`](Self::try_wire).
    ///
    /// # Errors
    ///
    /// [`Aborted`] as the last item, if the reply has failed and the dialect
    /// ([`PlainText`](crate::wire::Dialect::PlainText)) has no frame to report it: the body has to
    /// be aborted. Before it, the stream is `Pending` once, as in
    /// [`try_sse`](super::SseStreamExt::try_sse).
    ///
    /// A piece that the writer refuses, or an end in the middle of a call, makes the reply fail:
    /// the client receives the text of the [`WriteError`](crate::wire::WriteError), with the code
    /// `invalid_reply`. It is also logged at `warn` (feature `tracing`), without payload.
    fn wire(self, writer: Writer) -> WireStream<Self>
    where
        Self: Sized,
        Self::Item: Into<Piece>,
    {
        WireStream {
            inner: self,
            core: Core::new(writer),
        }
    }

    /// Like [`wire`](Self::wire), for a stream of results. An error makes the reply fail, and is
    /// the last item that is read.
    ///
    /// The text of the error is not sent to the client, because it may be internal; set what the
    /// client receives with [`TryWireStream::failure`]. By default the code is `upstream_lost` and
    /// the message "the reply was lost". For a message that depends on the error, map it to
    /// [`Piece::Failed`] and use [`wire`](Self::wire).
    ///
    /// ```
    /// use futures::{StreamExt, TryStreamExt, executor::block_on, stream};
    /// use json_chunks::stream::WireStreamExt;
    /// use json_chunks::wire::{Dialect, ReplyHead, Writer};
    ///
    /// let chunks = stream::iter([Ok(r#"{"city":"Kana"#), Err("connection to 10.0.0.7 reset")]);
    /// let writer = Writer::new(Dialect::AgUi, ReplyHead::new("run-1", "kanazawa-1"));
    /// let frames = chunks.try_wire(writer).failure("overloaded", "try again in a minute");
    /// let body: String = block_on(frames.map_ok(String::from).try_collect())?;
    /// let error = r#"{"type":"RUN_ERROR","message":"try again in a minute","code":"overloaded"}"#;
    /// assert!(body.ends_with(&format!("data: {error}\n\n")));
    /// # Ok::<(), json_chunks::wire::Aborted>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`wire`](Self::wire); an error of the inner stream is never an item.
    fn try_wire(self, writer: Writer) -> TryWireStream<Self>
    where
        Self: Sized + TryStream,
        Self::Ok: Into<Piece>,
    {
        TryWireStream {
            inner: self,
            core: Core::new(writer),
            code: String::from("upstream_lost"),
            message: String::from("the reply was lost"),
        }
    }
}

impl<S: Stream + ?Sized> WireStreamExt for S {}

/// The phase of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WirePhase {
    /// The inner stream may have more.
    Flowing,
    /// The reply has ended; its frames are left, and `Aborted` after them.
    Aborting,
    /// The reply has ended; at most frames are left.
    Ended,
}

/// The state except for the inner stream.
struct Core {
    writer: Writer,
    phase: WirePhase,
    /// Whether a frame was yielded since the last `Pending`.
    yielded: bool,
}

impl Core {
    const fn new(writer: Writer) -> Self {
        Self {
            writer,
            phase: WirePhase::Flowing,
            yielded: false,
        }
    }

    fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
        mut poll_inner: impl FnMut(&mut Context<'_>) -> Poll<Option<Piece>>,
    ) -> Poll<Option<Result<Frame, Aborted>>> {
        let mut steps = STEPS_PER_POLL;
        loop {
            if let Some(frame) = self.writer.frames().next() {
                self.yielded = true;
                return Poll::Ready(Some(Ok(frame)));
            }
            match self.phase {
                WirePhase::Flowing => {}
                WirePhase::Ended => return Poll::Ready(None),
                // Otherwise hyper would drop the frames of this poll with the body.
                WirePhase::Aborting if self.yielded => {
                    self.yielded = false;
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                WirePhase::Aborting => {
                    self.phase = WirePhase::Ended;
                    return Poll::Ready(Some(Err(Aborted::new())));
                }
            }
            if steps == 0 {
                self.yielded = false;
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            steps -= 1;
            let written = match poll_inner(cx) {
                Poll::Ready(Some(piece)) => self.writer.push(piece),
                Poll::Ready(None) => self.writer.finish_complete(),
                Poll::Pending => {
                    self.yielded = false;
                    return Poll::Pending;
                }
            };
            if let Err(error) = written {
                log::refused(&error);
                // If the reply has ended already, there is nothing to report.
                let _ = self.writer.fail("invalid_reply", &error.to_string());
            }
            if self.writer.is_ended() {
                self.phase = if self.writer.must_abort() {
                    WirePhase::Aborting
                } else {
                    WirePhase::Ended
                };
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let queued = self.writer.queued() + usize::from(self.phase == WirePhase::Aborting);
        let most = match self.phase {
            // Any item may have several frames, and the end has at least one.
            WirePhase::Flowing => None,
            WirePhase::Aborting | WirePhase::Ended => Some(queued),
        };
        (queued, most)
    }

    fn is_terminated(&self) -> bool {
        self.phase == WirePhase::Ended && self.writer.queued() == 0
    }
}

macro_rules! accessors {
    ($name:ident $(: $bound:ident)?) => {
        impl<S $(: $bound)?> $name<S> {
            /// Returns the writer, to see what has been written.
            pub const fn writer(&self) -> &Writer {
                &self.core.writer
            }

            inner_accessors!("a frame that was");
        }

        impl<S $(: $bound)?> fmt::Debug for $name<S> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("writer", &self.core.writer)
                    .finish_non_exhaustive()
            }
        }
    };
}

pin_project! {
    /// The frames of a reply, see [`wire`](WireStreamExt::wire).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next frame loses nothing. Dropping the stream leaves
    /// the reply without an end, which a client treats as an error.
    #[must_use = "streams do nothing unless polled"]
    pub struct WireStream<S> {
        #[pin]
        inner: S,
        core: Core,
    }
}

accessors!(WireStream);

impl<S: Stream<Item: Into<Piece>>> Stream for WireStream<S> {
    type Item = Result<Frame, Aborted>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        this.core.poll_next(cx, |cx| {
            let next = this.inner.as_mut().poll_next(cx);
            next.map(|next| next.map(Into::into))
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.core.size_hint()
    }
}

impl<S: Stream<Item: Into<Piece>>> FusedStream for WireStream<S> {
    fn is_terminated(&self) -> bool {
        self.core.is_terminated()
    }
}

pin_project! {
    /// The frames of a reply that may be lost, see [`try_wire`](WireStreamExt::try_wire).
    ///
    /// # Cancel safety
    ///
    /// The same as of [`WireStream`](WireStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct TryWireStream<S: TryStream> {
        #[pin]
        inner: S,
        core: Core,
        code: String,
        message: String,
    }
}

accessors!(TryWireStream: TryStream);

impl<S: TryStream> TryWireStream<S> {
    /// Sets what the client receives after an error of the stream: a code for programs, and a
    /// message for its user. See [`Writer::fail`] for what dialects do with them.
    pub fn failure(mut self, code: impl Into<String>, message: impl Into<String>) -> Self {
        self.code = code.into();
        self.message = message.into();
        self
    }
}

impl<S: TryStream<Ok: Into<Piece>>> Stream for TryWireStream<S> {
    type Item = Result<Frame, Aborted>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        this.core.poll_next(cx, |cx| {
            let next = this.inner.as_mut().try_poll_next(cx);
            next.map(|next| match next? {
                Ok(item) => Some(item.into()),
                Err(_) => Some(Piece::Failed {
                    code: this.code.clone(),
                    message: this.message.clone(),
                }),
            })
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.core.size_hint()
    }
}

impl<S: TryStream<Ok: Into<Piece>>> FusedStream for TryWireStream<S> {
    fn is_terminated(&self) -> bool {
        self.core.is_terminated()
    }
}
