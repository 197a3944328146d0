//! The one loop of every adapter: poll the inner stream, feed the machine, yield what it emits.
//!
//! # For maintainers
//!
//! | phase | the inner stream | the queue | next |
//! | --- | --- | --- | --- |
//! | `Flowing` | is polled while the queue is empty | the output of the last item | `Draining` |
//! | `Draining` | is not polled | all that is left | `Over`, with the `None` that follows it |
//! | `Over` | is not polled | empty | |
//!
//! `Flowing` becomes `Draining` at the end of the inner stream, at an error that ends the stream,
//! and at the deadline.
//!
//! - *In order*: items, faults and upstream errors are yielded in the order in which they arose.
//!   There is an `upstream` error only while the phase is `Flowing`, and it is after the queue.
//! - *No error with an item*: an error is never returned by the poll that returned an item, see
//!   [`Core::poll_next`].
//! - *Always woken*: `Pending` is returned only after the inner stream was polled, the task was
//!   woken, or the deadline has passed.
//! - A new adapter takes a [`Machine`], an alias with its docs, and a method on one of the traits.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::fmt;
use core::task::{Context, Poll, ready};

use super::fault::{Fault, OnFault};
use super::machine::{ErrorRecovery, Machine, Output};
use super::timer::{Deadline, Throttle};
use super::{StreamError, StreamReport};
use crate::error::{Error, Reason};

/// The maximum number of items of the inner stream that one poll accepts without yielding any.
///
/// An inner stream that is always ready would otherwise keep the executor's thread for as long as
/// its snapshots add nothing. Tokio's channels have the same budget.
const STEPS_PER_POLL: u32 = 128;

/// The phase of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StreamPhase {
    /// The inner stream may have more.
    Flowing,
    /// The inner stream is not polled again; the queue holds the remaining output.
    Draining,
    /// `None` was yielded.
    Over,
}

/// The state of an adapter except for the inner stream, whose errors are `E`.
pub(super) struct Core<M: Machine, E> {
    pub(super) machine: M,
    on_fault: OnFault,
    /// The output of the machine that was not yielded yet.
    queue: VecDeque<Result<M::Item, Box<Fault>>>,
    /// The error of the inner stream that is yielded after the queue.
    upstream: Option<E>,
    phase: StreamPhase,
    /// Whether an item was yielded since the last `Pending`.
    yielded: bool,
    /// Whether only the last of several ready items is used.
    pub(super) latest_only: bool,
    deadline: Deadline,
    throttle: Throttle,
    pub(super) report: StreamReport,
}

impl<M: Machine, E> Core<M, E> {
    pub(super) fn new(machine: M, on_fault: OnFault) -> Self {
        let deadline = Deadline::new(machine.time_limit());
        let throttle = Throttle::new(machine.interval());
        Self {
            machine,
            on_fault,
            queue: VecDeque::new(),
            upstream: None,
            phase: StreamPhase::Flowing,
            yielded: false,
            latest_only: false,
            deadline,
            throttle,
            report: StreamReport::default(),
        }
    }

    /// Changes an option of the machine.
    pub(super) fn with(mut self, set: impl FnOnce(M) -> M) -> Self {
        self.machine = set(self.machine);
        self.throttle = Throttle::new(self.machine.interval());
        self
    }

    /// Uses another machine, with its limits.
    pub(super) fn with_machine(mut self, machine: M) -> Self {
        self.throttle = Throttle::new(machine.interval());
        self.deadline = Deadline::new(machine.time_limit());
        self.machine = machine;
        self
    }

    pub(super) fn is_over(&self) -> bool {
        self.phase == StreamPhase::Over
    }

    /// Polls for the next item or error.
    ///
    /// Before an error that follows items yielded since the last `Pending`, this returns `Pending`
    /// once, after waking the task. This gives consumers that read until `Pending` the opportunity
    /// to pass the items on: when a body fails, hyper drops the frames that it has not written yet,
    /// so a client would not receive the items of the poll that found the error.
    pub(super) fn poll_next<T: AsRef<M::Input>>(
        &mut self,
        cx: &mut Context<'_>,
        mut poll_inner: impl FnMut(&mut Context<'_>) -> Poll<Option<Result<T, E>>>,
    ) -> Poll<Option<Result<M::Item, StreamError<E>>>> {
        let mut steps = STEPS_PER_POLL;
        loop {
            if let Some(next) = ready!(self.take_queued(cx)) {
                return Poll::Ready(Some(next));
            }
            if self.phase != StreamPhase::Flowing {
                self.phase = StreamPhase::Over;
                return Poll::Ready(None);
            }
            if steps == 0 {
                self.yielded = false;
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            steps -= 1;
            let mut next = if self.deadline.is_over() {
                Poll::Pending
            } else {
                poll_inner(cx)
            };
            if self.latest_only
                && let Poll::Ready(Some(Ok(first))) = next
            {
                let mut inputs = alloc::vec![first];
                next = loop {
                    if steps == 0 {
                        break Poll::Pending;
                    }
                    steps -= 1;
                    match poll_inner(cx) {
                        Poll::Ready(Some(Ok(input))) => inputs.push(input),
                        other => break other,
                    }
                };
                self.feed_latest(inputs);
                if next.is_pending() {
                    continue;
                }
            }
            match next {
                Poll::Ready(Some(Ok(input))) => {
                    self.feed(input.as_ref());
                }
                Poll::Ready(Some(Err(error))) => {
                    self.run(M::interrupt);
                    self.upstream = Some(error);
                }
                Poll::Ready(None) => {
                    if let Err(error) = self.run(M::end) {
                        self.end_by(error);
                    }
                    self.on_fault.close();
                    self.drain();
                }
                Poll::Pending => {
                    if self.machine.is_holding() && self.throttle.poll(cx).is_ready() {
                        self.run(M::release);
                    } else if let Poll::Ready(limit) = self.deadline.poll(cx) {
                        let error = Error::new(Reason::TimedOut(limit), self.machine.offset());
                        self.run(|machine, out| machine.on_timeout(&error, out));
                        self.end_by(error);
                        self.drain();
                    } else {
                        self.yielded = false;
                        return Poll::Pending;
                    }
                }
            }
        }
    }

    /// Takes the next item, fault or upstream error to yield, if there is one.
    fn take_queued(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<M::Item, StreamError<E>>>> {
        let is_error = match self.queue.front() {
            Some(next) => next.is_err(),
            None if self.upstream.is_some() => true,
            None => return Poll::Ready(None),
        };
        if is_error && self.yielded {
            self.yielded = false;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.yielded = !is_error;
        Poll::Ready(match self.queue.pop_front() {
            Some(Ok(item)) => Some(Ok(item)),
            Some(Err(fault)) => Some(Err(fault.map_upstream(|never| match never {}))),
            None => self
                .upstream
                .take()
                .map(|error| Err(StreamError::Upstream(error))),
        })
    }

    /// Feeds one item of the inner stream. Returns whether it could be used.
    fn feed(&mut self, input: &M::Input) -> bool {
        let result = self.run(|machine, out| machine.feed(input, out));
        self.report.count_input(result.is_ok());
        match result {
            Ok(()) => {
                self.on_fault.accept(M::text(input));
                true
            }
            Err(error) if M::RECOVERY == ErrorRecovery::Skip => {
                let (hint, is_syntax) = (error.hint(), error.is_syntax());
                self.run(|_, out| out.fault(error.into()));
                self.on_fault.skip(M::text(input), hint, is_syntax);
                false
            }
            Err(error) => {
                self.end_by(error);
                self.drain();
                false
            }
        }
    }

    /// Feeds the last of several ready items. If it is not usable, feeds the ones before it, the
    /// last first, until one is: of `[1]`, `[1,2]` and a blank one, the second is used.
    fn feed_latest<T: AsRef<M::Input>>(&mut self, mut inputs: Vec<T>) {
        while let Some(input) = inputs.pop() {
            let input = input.as_ref();
            let is_used = self.feed(input) && !M::is_blank(input);
            if is_used {
                break;
            }
        }
        self.report.count_superseded(inputs.len());
    }

    /// Runs a step of the machine, and restarts the interval if it emitted something.
    fn run<R>(&mut self, step: impl FnOnce(&mut M, &mut Output<'_, M::Item>) -> R) -> R {
        let mut out = Output {
            queue: &mut self.queue,
            on_fault: &mut self.on_fault,
            report: &mut self.report,
            is_paused: self.throttle.is_running(),
        };
        let result = step(&mut self.machine, &mut out);
        if !self.queue.is_empty() {
            self.throttle.start();
        }
        result
    }

    /// Reports the error that ends the stream, or that is found at its end.
    fn end_by(&mut self, error: Error) {
        self.report.end_by(error.kind());
        self.run(|_, out| out.end(error));
    }

    /// Enters the phase in which only the remaining output is yielded.
    fn drain(&mut self) {
        self.phase = StreamPhase::Draining;
        // Deregisters the timers now rather than when the adapter is dropped.
        self.deadline = Deadline::None;
        self.throttle = Throttle::Off;
    }

    /// Returns bounds on the number of items that are still to be yielded, given the maximum that
    /// the rest of the inner stream and its end can add.
    pub(super) fn bounds(&self, from_inner: Option<usize>) -> (usize, Option<usize>) {
        let queued = self.queue.len() + usize::from(self.upstream.is_some());
        let upper = match self.phase {
            // The lower bound is the queue, because a snapshot, and the end as well, may add
            // nothing.
            StreamPhase::Flowing => from_inner.and_then(|most| most.checked_add(queued)),
            StreamPhase::Draining | StreamPhase::Over => Some(queued),
        };
        (queued, upper)
    }

    /// Omits the machine and the queue, because both contain payload.
    pub(super) fn fmt(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("phase", &self.phase)
            .field("queued", &self.queue.len())
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}
