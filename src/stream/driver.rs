//! The one loop behind every adapter: poll the inner stream, feed the machine, yield what it puts
//! out.
//!
//! Three things make an adapter: the inner stream `S`, the [`Machine`] that understands its items,
//! and what becomes of faults, [`OnFault`]. A public adapter is a [`Driver`] under a name of its
//! own; the `adapter!` macro writes the delegation. A new one takes a machine, a struct and one call
//! of that macro.

use alloc::{collections::VecDeque, string::String, vec::Vec};
use core::convert::Infallible;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::{Stream, TryStream};
use pin_project_lite::pin_project;

use super::{Report, StreamError, log};
use crate::{Chunker, Error, Revision, TextChunker};

/// How many items of the inner stream one poll takes in without yielding any itself.
///
/// An inner stream that is always ready would otherwise keep the executor's thread for as long as
/// its snapshots say nothing new. Tokio's own channels let a task go on for as many steps.
const STEPS_PER_POLL: u32 = 128;

/// A state machine that takes texts and puts out items.
pub(super) trait Machine {
    /// What one call puts out: a collection, or an `Option` where it is never more than one.
    type Items: IntoIterator;

    /// The most items that one call puts out, where there is a bound.
    const MOST_ITEMS: Option<usize>;

    /// Takes the next text.
    fn feed(&mut self, text: &str) -> Result<Self::Items, Error>;

    /// Takes the end of the stream.
    fn end(&mut self) -> Result<Self::Items, Error>;

    /// The revisions since the last call.
    fn take_revisions(&mut self) -> Vec<Revision>;
}

macro_rules! machine_of_text {
    ($($machine:ty),+) => {$(
        impl Machine for $machine {
            type Items = Option<String>;

            const MOST_ITEMS: Option<usize> = Some(1);

            fn feed(&mut self, snapshot: &str) -> Result<Self::Items, Error> {
                let chunk = self.push(snapshot)?;
                log::pushed(snapshot.len(), chunk.len());
                Ok(Some(chunk).filter(|chunk| !chunk.is_empty()))
            }

            fn end(&mut self) -> Result<Self::Items, Error> {
                let chunk = self.finish();
                log::finished(chunk.len());
                Ok(Some(chunk).filter(|chunk| !chunk.is_empty()))
            }

            fn take_revisions(&mut self) -> Vec<Revision> {
                self.take_revisions()
            }
        }
    )+};
}

machine_of_text!(Chunker, TextChunker);

/// What a machine finds wrong; the inner stream's own errors never pass through the queue.
type Fault = StreamError<Infallible>;

/// What becomes of the faults that a machine finds in the texts.
pub(super) trait OnFault {
    /// What the queue holds for a machine's item `T`.
    type Out<T>;

    fn item<T>(item: T) -> Self::Out<T>;

    fn fault<T>(fault: Fault) -> Option<Self::Out<T>>;
}

/// Faults are logged: the stream's items have no room for them.
pub(super) struct LogFaults;

impl OnFault for LogFaults {
    type Out<T> = T;

    fn item<T>(item: T) -> T {
        item
    }

    // At once and not when its turn in the queue comes: nobody may ever poll for it.
    fn fault<T>(fault: Fault) -> Option<T> {
        match fault {
            StreamError::Upstream(never) => match never {},
            StreamError::Json(error) => log::skipped(&error),
            StreamError::Revision(revision) => log::revised(&revision),
        }
        None
    }
}

/// Faults are yielded in place.
pub(super) struct YieldFaults;

impl OnFault for YieldFaults {
    type Out<T> = Result<T, Fault>;

    fn item<T>(item: T) -> Result<T, Fault> {
        Ok(item)
    }

    fn fault<T>(fault: Fault) -> Option<Result<T, Fault>> {
        Some(Err(fault))
    }
}

/// How far the stream has come.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The inner stream may have more.
    Flowing,
    /// The inner stream has ended and is not polled again; the queue holds all that is left.
    Draining,
    /// `None` was yielded.
    Over,
}

type Item<M> = <<M as Machine>::Items as IntoIterator>::Item;

/// What the queue holds for a machine's items.
type Queued<M, F> = <F as OnFault>::Out<Item<M>>;

pin_project! {
    /// An inner stream, a machine, and what the machine put out and was not yielded yet.
    pub(super) struct Driver<S, M: Machine, F: OnFault> {
        #[pin]
        inner: S,
        machine: M,
        queue: VecDeque<Queued<M, F>>,
        phase: Phase,
        report: Report,
    }
}

impl<S, M: Machine, F: OnFault> Driver<S, M, F> {
    pub(super) fn new(inner: S, machine: M) -> Self {
        Self {
            inner,
            machine,
            queue: VecDeque::new(),
            phase: Phase::Flowing,
            report: Report::default(),
        }
    }

    /// The next item or error of the inner stream. The latter overtake nothing: the inner stream
    /// is polled only while the queue is empty.
    fn poll_item<T: AsRef<str>, E>(
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
            let put_out = match ready!(poll_inner(this.inner.as_mut(), cx)) {
                Some(Ok(text)) => {
                    let put_out = this.machine.feed(text.as_ref());
                    this.report.count_snapshot(put_out.is_ok());
                    put_out
                }
                Some(Err(upstream)) => return Poll::Ready(Some(Err(upstream))),
                None => {
                    *this.phase = Phase::Draining;
                    this.machine.end()
                }
            };
            match put_out {
                Ok(items) => this.queue.extend(items.into_iter().map(F::item)),
                Err(error) => this.queue.extend(F::fault(error.into())),
            }
            for revision in this.machine.take_revisions() {
                this.report.count_revision(revision.is_mended());
                this.queue.extend(F::fault(revision.into()));
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

impl<S: Stream<Item: AsRef<str>>, M: Machine> Stream for Driver<S, M, LogFaults> {
    type Item = Item<M>;

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

impl<S: TryStream<Ok: AsRef<str>>, M: Machine> Stream for Driver<S, M, YieldFaults> {
    type Item = Result<Item<M>, StreamError<S::Error>>;

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

/// Everything of an adapter that is the same for all, for a struct with the one field `driver`.
macro_rules! adapter {
    ($name:ident<S>($machine:ty) -> $item:ty where $($bounds:tt)+) => {
        impl<S> $name<S> {
            pub(super) fn new(inner: S, machine: $machine) -> Self {
                Self { driver: Driver::new(inner, machine) }
            }

            /// What became of the snapshots so far; up to date at every moment, also after the end.
            #[must_use]
            pub const fn report(&self) -> $crate::stream::Report {
                self.driver.report()
            }

            /// The inner stream.
            pub const fn get_ref(&self) -> &S {
                self.driver.get_ref()
            }

            /// The inner stream. The chunks may lack what a snapshot taken from it here had new.
            pub const fn get_mut(&mut self) -> &mut S {
                self.driver.get_mut()
            }

            /// The inner stream, pinned. The chunks may lack what a snapshot taken from it here had
            /// new.
            pub fn get_pin_mut(self: core::pin::Pin<&mut Self>) -> core::pin::Pin<&mut S> {
                self.project().driver.get_pin_mut()
            }

            /// The inner stream alone: what is held and the text that would close the value are
            /// lost.
            pub fn into_inner(self) -> S {
                self.driver.into_inner()
            }
        }

        impl<S> futures_core::Stream for $name<S>
        where
            $($bounds)+
        {
            type Item = $item;

            fn poll_next(
                self: core::pin::Pin<&mut Self>,
                cx: &mut core::task::Context<'_>,
            ) -> core::task::Poll<Option<Self::Item>> {
                futures_core::Stream::poll_next(self.project().driver, cx)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                futures_core::Stream::size_hint(&self.driver)
            }
        }

        impl<S> futures_core::FusedStream for $name<S>
        where
            $($bounds)+
        {
            fn is_terminated(&self) -> bool {
                self.driver.is_terminated()
            }
        }

        impl<S> core::fmt::Debug for $name<S> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.driver.fmt(stringify!($name), f)
            }
        }
    };
}

pub(super) use adapter;
