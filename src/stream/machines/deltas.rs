//! [`ToolCalls`] as a machine, and the items that it reads.

use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;

use futures_core::{Stream, TryStream};
use pin_project_lite::pin_project;

use crate::error::Error;
use crate::stream::machine::{ErrorRecovery, Machine, Output, sealed};
use crate::tool_call::{ToolCallDelta, ToolCallEvent, ToolCalls};

impl sealed::Sealed for ToolCalls {}

impl Machine for ToolCalls {
    type Input = ToolCallDelta;
    type Item = ToolCallEvent;

    const MOST_ITEMS: Option<usize> = None;
    const RECOVERY: ErrorRecovery = ErrorRecovery::Skip;

    fn feed(
        &mut self,
        delta: &ToolCallDelta,
        out: &mut Output<'_, ToolCallEvent>,
    ) -> Result<(), Error> {
        for event in self.push(delta.clone())? {
            out.item(event);
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Output<'_, ToolCallEvent>) -> Result<(), Error> {
        for event in self.finish() {
            out.item(event);
        }
        Ok(())
    }

    // If nothing follows, the end of the stream is not the end of the reply.
    fn interrupt(&mut self, _: &mut Output<'_, ToolCallEvent>) {
        self.mark_lost();
    }

    fn on_timeout(&mut self, _: &Error, out: &mut Output<'_, ToolCallEvent>) {
        for event in Self::interrupt(self) {
            out.item(event);
        }
    }

    fn time_limit(&self) -> Option<Duration> {
        self.time_limit()
    }
}

pin_project! {
    /// The [`ToolCallDelta`]s that the items of a stream are converted to, see
    /// [`tool_calls_from_deltas`](crate::stream::ToolCallStreamExt::tool_calls_from_deltas).
    #[must_use = "streams do nothing unless polled"]
    pub struct Deltas<S> {
        #[pin]
        inner: S,
    }
}

pin_project! {
    /// The [`ToolCallDelta`]s that the items of a stream of results are converted to, see
    /// [`try_tool_calls_from_deltas`].
    ///
    /// [`try_tool_calls_from_deltas`]: crate::stream::ToolCallStreamExt::try_tool_calls_from_deltas
    #[must_use = "streams do nothing unless polled"]
    pub struct TryDeltas<S> {
        #[pin]
        inner: S,
    }
}

impl<S: Stream<Item: Into<ToolCallDelta>>> Stream for Deltas<S> {
    type Item = ToolCallDelta;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.project().inner.poll_next(cx);
        next.map(|next| next.map(Into::into))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.inner.size_hint()
    }
}

impl<S: TryStream<Ok: Into<ToolCallDelta>>> Stream for TryDeltas<S> {
    type Item = Result<ToolCallDelta, S::Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.project().inner.try_poll_next(cx);
        next.map(|next| next.map(|next| next.map(Into::into)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.inner.size_hint()
    }
}

impl<S> Deltas<S> {
    pub(in crate::stream) const fn new(inner: S) -> Self {
        Self { inner }
    }

    /// Returns the inner stream.
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S> TryDeltas<S> {
    pub(in crate::stream) const fn new(inner: S) -> Self {
        Self { inner }
    }

    /// Returns the inner stream.
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S> fmt::Debug for Deltas<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deltas").finish_non_exhaustive()
    }
}

impl<S> fmt::Debug for TryDeltas<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TryDeltas").finish_non_exhaustive()
    }
}
