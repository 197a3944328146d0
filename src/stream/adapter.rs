//! The two adapters: they pin the inner stream, and run the loop of [`poll`](super::poll) on it.

use core::convert::Infallible;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::{FusedStream, Stream, TryStream};
use pin_project_lite::pin_project;

use super::fault::OnFault;
use super::machine::Machine;
use super::poll::Core;
use super::{StreamError, StreamReport};

pin_project! {
    /// A stream of the items that a [machine](Machine) emits, driven by a stream that cannot fail.
    ///
    /// The machine defines the items. Each use has an alias with its own docs, such as
    /// [`ChunkerStream`](super::ChunkerStream) and [`PartialStream`](super::PartialStream);
    /// [`through`](super::MachineStreamExt::through) creates an adapter from a configured machine.
    ///
    /// Unusable items are logged (feature `tracing`) and counted in the [`report`](Self::report).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next item, such as `StreamExt::next`, loses nothing:
    /// the inner stream is read only while this stream is polled, and the resulting items stay here
    /// until they are yielded. Dropping the stream drops what was not yielded.
    #[must_use = "streams do nothing unless polled"]
    pub struct Adapter<S, M: Machine> {
        #[pin]
        inner: S,
        core: Core<M, Infallible>,
    }
}

pin_project! {
    /// A stream of the items that a [machine](Machine) emits, driven by a stream of results: the
    /// items of the machine, and errors in their place.
    ///
    /// Like [`Adapter`], except that an unusable item is yielded as a [`StreamError`]. Whether the
    /// stream ends with it depends on the machine: an unusable snapshot is superseded by the next
    /// one; after an unusable fragment the rest of the text cannot be read.
    ///
    /// # Cancel safety
    ///
    /// The same as of [`Adapter`](Adapter#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct TryAdapter<S: TryStream, M: Machine> {
        #[pin]
        inner: S,
        core: Core<M, S::Error>,
    }
}

impl<S, M: Machine> Adapter<S, M> {
    pub(super) fn new(inner: S, machine: M) -> Self {
        Self {
            inner,
            core: Core::new(machine, OnFault::log()),
        }
    }
}

impl<S: TryStream, M: Machine> TryAdapter<S, M> {
    pub(super) fn new(inner: S, machine: M) -> Self {
        Self {
            inner,
            core: Core::new(machine, OnFault::Yield),
        }
    }
}

/// The methods that both adapters have.
macro_rules! accessors {
    ($name:ident $(: $bound:ident)?) => {
        impl<S $(: $bound)?, M: Machine> $name<S, M> {
            /// Changes an option of the machine.
            pub(super) fn with(mut self, set: impl FnOnce(M) -> M) -> Self {
                self.core = self.core.with(set);
                self
            }

            /// Uses another machine, with its limits.
            pub(super) fn with_machine(mut self, machine: M) -> Self {
                self.core = self.core.with_machine(machine);
                self
            }

            /// See the public method for machines of snapshots.
            pub(super) fn with_latest_only(mut self) -> Self {
                self.core.latest_only = true;
                self
            }

            /// Returns the counts of accepted and unusable items so far. It is up to date at any
            /// time, including after the end.
            #[must_use]
            pub const fn report(&self) -> StreamReport {
                self.core.report
            }

            inner_accessors!("what was");
        }

        impl<S $(: $bound)?, M: Machine> fmt::Debug for $name<S, M> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.core.fmt(stringify!($name), f)
            }
        }
    };
}

accessors!(Adapter);
accessors!(TryAdapter: TryStream);

impl<S: Stream<Item: AsRef<M::Input>>, M: Machine> Stream for Adapter<S, M> {
    type Item = M::Item;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        loop {
            let next = this.core.poll_next(cx, |cx| {
                let next = this.inner.as_mut().poll_next(cx);
                next.map(|next| next.map(Ok))
            });
            match ready!(next) {
                Some(Ok(item)) => return Poll::Ready(Some(item)),
                // Faults are logged where they arise and never queued.
                Some(Err(_)) => {}
                None => return Poll::Ready(None),
            }
        }
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
        self.core.bounds(items)
    }
}

impl<S: TryStream<Ok: AsRef<M::Input>>, M: Machine> Stream for TryAdapter<S, M> {
    type Item = Result<M::Item, StreamError<S::Error>>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut this = self.project();
        this.core
            .poll_next(cx, |cx| this.inner.as_mut().try_poll_next(cx))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // One snapshot may have any number of revisions.
        self.core.bounds(None)
    }
}

impl<S: Stream<Item: AsRef<M::Input>>, M: Machine> FusedStream for Adapter<S, M> {
    fn is_terminated(&self) -> bool {
        self.core.is_over()
    }
}

impl<S: TryStream<Ok: AsRef<M::Input>>, M: Machine> FusedStream for TryAdapter<S, M> {
    fn is_terminated(&self) -> bool {
        self.core.is_over()
    }
}
