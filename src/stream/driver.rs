//! The one loop behind every adapter: poll the inner stream, feed the machine, yield what it puts
//! out.
//!
//! Three things make an adapter: the inner stream `S`, the [`Machine`] that understands its items,
//! and what becomes of faults, [`OnFault`]. A public adapter is a [`Driver`] under a name of its
//! own; the [`adapter!`](super::adapter) macro writes the delegation. A new one takes a machine, a
//! struct and one call of that macro.

use alloc::collections::VecDeque;
use core::convert::Infallible;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{Stream, TryStream};
use pin_project_lite::pin_project;

use super::deadline::Deadline;
use super::fault::{LogFaults, OnFault, YieldFaults};
use super::machine::{AfterError, Machine, Outbox};
use super::{Report, StreamError};
use crate::Error;
use crate::error::Reason;

/// How many items of the inner stream one poll takes in without yielding any itself.
///
/// An inner stream that is always ready would otherwise keep the executor's thread for as long as
/// its snapshots say nothing new. Tokio's own channels let a task go on for as many steps.
const STEPS_PER_POLL: u32 = 128;

/// How far the stream has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The inner stream may have more.
    Flowing,
    /// The inner stream is not polled again; the queue holds all that is left.
    Draining,
    /// `None` was yielded.
    Over,
}

/// What the queue holds for a machine's items.
type Queued<M, F> = <F as OnFault>::Out<<M as Machine>::Item>;

pin_project! {
    /// An inner stream, a machine, and what the machine put out and was not yielded yet.
    pub(super) struct Driver<S, M: Machine, F: OnFault> {
        #[pin]
        inner: S,
        machine: M,
        queue: VecDeque<Queued<M, F>>,
        phase: Phase,
        deadline: Deadline,
        report: Report,
    }
}

impl<S, M: Machine, F: OnFault> Driver<S, M, F> {
    pub(super) fn new(inner: S, machine: M) -> Self {
        let deadline = Deadline::new(machine.time_limit());
        Self {
            inner,
            machine,
            queue: VecDeque::new(),
            phase: Phase::Flowing,
            deadline,
            report: Report::default(),
        }
    }

    /// The next item or error of the inner stream. The latter overtake nothing: the inner stream
    /// is polled only while the queue is empty.
    fn poll_item<T: AsRef<M::Input>, E>(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        poll_inner: impl Fn(Pin<&mut S>, &mut Context<'_>) -> Poll<Option<Result<T, E>>>,
    ) -> Poll<Option<Result<Queued<M, F>, E>>> {
        let mut this = self.project();
        let mut steps = STEPS_PER_POLL;
        loop {
            if let Some(item) = this.queue.pop_front() {
                return Poll::Ready(Some(Ok(item)));
            }
            match this.phase {
                Phase::Flowing => {}
                Phase::Draining | Phase::Over => {
                    *this.phase = Phase::Over;
                    return Poll::Ready(None);
                }
            }
            if steps == 0 {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            steps -= 1;
            let next = if this.deadline.is_over() {
                Poll::Pending
            } else {
                poll_inner(this.inner.as_mut(), cx)
            };
            let mut out = Outbox::<_, F> {
                queue: this.queue,
                report: this.report,
            };
            match next {
                Poll::Ready(Some(Ok(input))) => {
                    let taken = this.machine.feed(input.as_ref(), &mut out);
                    out.report.count_input(taken.is_ok());
                    match (taken, M::AFTER_ERROR) {
                        (Ok(()), _) => {}
                        (Err(error), AfterError::GoesOn) => out.fault(error.into()),
                        (Err(error), AfterError::Ends) => {
                            out.ended_by(error);
                            *this.phase = Phase::Draining;
                        }
                    }
                }
                Poll::Ready(Some(Err(upstream))) => return Poll::Ready(Some(Err(upstream))),
                Poll::Ready(None) => {
                    if let Err(error) = this.machine.end(&mut out) {
                        out.ended_by(error);
                    }
                    *this.phase = Phase::Draining;
                }
                Poll::Pending => {
                    let Poll::Ready(limit) = this.deadline.poll(cx) else {
                        return Poll::Pending;
                    };
                    let error = Error::new(Reason::TimedOut(limit), this.machine.offset());
                    this.machine.give_up(&error, &mut out);
                    out.ended_by(error);
                    *this.phase = Phase::Draining;
                }
            }
            if *this.phase == Phase::Draining {
                // Or the timer would stay with the runtime for as long as this is not dropped.
                *this.deadline = Deadline::None;
            }
        }
    }

    /// Bounds on what still comes, given the most that can come of the inner stream and its end.
    fn bounds(&self, from_inner: Option<usize>) -> (usize, Option<usize>) {
        let queued = self.queue.len();
        let upper = match self.phase {
            // No lower bound beyond the queue: a snapshot, and the end too, may put out nothing.
            Phase::Flowing => from_inner.and_then(|most| most.checked_add(queued)),
            Phase::Draining | Phase::Over => Some(queued),
        };
        (queued, upper)
    }

    pub(super) const fn is_terminated(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    pub(super) const fn report(&self) -> Report {
        self.report
    }

    pub(super) const fn get_ref(&self) -> &S {
        &self.inner
    }

    pub(super) const fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    pub(super) fn get_pin_mut(self: Pin<&mut Self>) -> Pin<&mut S> {
        self.project().inner
    }

    pub(super) fn into_inner(self) -> S {
        self.inner
    }

    /// No inner stream, machine or queue: there is payload in all three.
    pub(super) fn fmt(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("phase", &self.phase)
            .field("queued", &self.queue.len())
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

impl<S: Stream<Item: AsRef<M::Input>>, M: Machine> Stream for Driver<S, M, LogFaults> {
    type Item = M::Item;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_item(cx, |inner, cx| inner.poll_next(cx).map(|next| next.map(Ok)))
            .map(|next| next.map(|Ok::<_, Infallible>(item)| item))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let calls = self
            .inner
            .size_hint()
            .1
            .and_then(|most| most.checked_add(1));
        let items = calls
            .zip(M::MOST_ITEMS)
            .and_then(|(calls, most)| calls.checked_mul(most));
        self.bounds(items)
    }
}

impl<S: TryStream<Ok: AsRef<M::Input>>, M: Machine> Stream for Driver<S, M, YieldFaults> {
    type Item = Result<M::Item, StreamError<S::Error>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_item(cx, S::try_poll_next).map(|next| {
            next.map(|item| match item {
                Ok(Ok(item)) => Ok(item),
                Ok(Err(fault)) => Err(fault.map_upstream(|never| match never {})),
                Err(upstream) => Err(StreamError::Upstream(upstream)),
            })
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // One snapshot may have any number of revisions.
        self.bounds(None)
    }
}
