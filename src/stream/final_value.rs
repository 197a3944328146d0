//! The value of a terminated text, as a future.

use core::convert::Infallible;
use core::fmt;
use core::future::Future;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::{FusedFuture, Stream, TryStream};
use pin_project_lite::pin_project;
use serde_core::de::DeserializeOwned;

use super::fault::OnFault;
use super::machine::{ErrorRecovery, Machine, Output, sealed};
use super::poll::Core;
use super::{StreamError, log};
use crate::document::PartialPolicy;
use crate::error::{Error, Reason};
use crate::parser::Parser;

/// Emits one `T` at the end of the text, if the text is one JSON value.
pub(super) struct Final<T> {
    parser: Parser,
    of: PhantomData<fn() -> T>,
}

impl<T> Final<T> {
    fn new(parser: Parser) -> Self {
        Self {
            parser: parser.multiple_values(false),
            of: PhantomData,
        }
    }
}

impl<T> sealed::Sealed for Final<T> {}

impl<T: DeserializeOwned> Machine for Final<T> {
    type Input = [u8];
    type Item = T;

    const MOST_ITEMS: Option<usize> = Some(1);
    const RECOVERY: ErrorRecovery = ErrorRecovery::Stop;

    fn feed(&mut self, fragment: &[u8], _: &mut Output<'_, T>) -> Result<(), Error> {
        let update = self.parser.push(fragment)?;
        log::grown(fragment, update);
        Ok(())
    }

    fn end(&mut self, out: &mut Output<'_, T>) -> Result<(), Error> {
        self.parser.finish()?;
        let Some(root) = self.parser.root() else {
            return Err(Error::new(Reason::Incomplete, self.offset()));
        };
        match root.deserialize(PartialPolicy::default()) {
            Ok(value) => out.item(value),
            Err(error) => out.fault(error.into()),
        }
        Ok(())
    }

    fn on_timeout(&mut self, _: &Error, _: &mut Output<'_, T>) {}

    fn parser(&self) -> Option<&Parser> {
        Some(&self.parser)
    }
}

/// A stream and its machine, which emits one item.
///
/// A future that is polled after it has resolved resolves to an error, because the library does not
/// panic.
macro_rules! future {
    ($name:ident $(: $bound:ident)?) => {
        impl<S $(: $bound)?, T: DeserializeOwned> $name<S, T> {
            pub(super) fn new(inner: S) -> Self {
                Self {
                    inner,
                    core: Core::new(Final::new(Parser::new()), OnFault::Yield),
                    resolved: false,
                }
            }

            /// Sets the parser, for example one with other limits. It reads one value; its option
            /// [`multiple_values`](Parser::multiple_values) is ignored.
            ///
            /// ```
            /// use futures::{executor::block_on, stream};
            /// use json_chunks::{ErrorKind, Limits, Parser};
            /// use json_chunks::stream::FragmentStreamExt;
            ///
            /// let flat = Parser::new().limits(Limits::default().max_depth(1));
            /// let list = stream::iter(["[1", "]"]).json_final::<Vec<u8>>().parser(flat);
            /// assert_eq!(block_on(list).unwrap(), [1]);
            /// ```
            pub fn parser(mut self, parser: Parser) -> Self {
                self.core = Core::new(Final::new(parser), OnFault::Yield);
                self
            }
        }

        impl<S $(: $bound)?, T: DeserializeOwned> fmt::Debug for $name<S, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.core.fmt(stringify!($name), f)
            }
        }
    };
}

pin_project! {
    /// The complete value of a stream of fragments, or why there is none: the future of
    /// [`json_final`](super::FragmentStreamExt::json_final).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the stream and the text that was read. To wait for something else
    /// at the same time, as in `select!`, poll `&mut` the future, which loses nothing. If it is
    /// polled again after it has resolved, it returns an error of kind
    /// [`Incomplete`](crate::error::ErrorKind::Incomplete).
    #[must_use = "futures do nothing unless polled"]
    pub struct JsonFinal<S, T: DeserializeOwned> {
        #[pin]
        inner: S,
        core: Core<Final<T>, Infallible>,
        resolved: bool,
    }
}

pin_project! {
    /// The complete value of a stream of fragments, or why there is none: the future of
    /// [`try_json_final`](super::TryFragmentStreamExt::try_json_final).
    ///
    /// # Cancel safety
    ///
    /// The same as of [`JsonFinal`](JsonFinal#cancel-safety).
    #[must_use = "futures do nothing unless polled"]
    pub struct TryJsonFinal<S: TryStream, T: DeserializeOwned> {
        #[pin]
        inner: S,
        core: Core<Final<T>, S::Error>,
        resolved: bool,
    }
}

future!(JsonFinal);
future!(TryJsonFinal: TryStream);

/// Polls for the one item.
fn poll_final<T: DeserializeOwned, E, I: AsRef<[u8]>>(
    core: &mut Core<Final<T>, E>,
    resolved: &mut bool,
    cx: &mut Context<'_>,
    poll_inner: impl FnMut(&mut Context<'_>) -> Poll<Option<Result<I, E>>>,
) -> Poll<Result<T, StreamError<E>>> {
    let next = if *resolved {
        None
    } else {
        ready!(core.poll_next(cx, poll_inner))
    };
    *resolved = true;
    Poll::Ready(next.unwrap_or_else(|| {
        let offset = core.machine.offset();
        Err(Error::new(Reason::Incomplete, offset).into())
    }))
}

impl<S: Stream<Item: AsRef<[u8]>>, T: DeserializeOwned> Future for JsonFinal<S, T> {
    type Output = Result<T, StreamError<Infallible>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        poll_final(this.core, this.resolved, cx, |cx| {
            let next = this.inner.as_mut().poll_next(cx);
            next.map(|next| next.map(Ok))
        })
    }
}

impl<S: TryStream<Ok: AsRef<[u8]>>, T: DeserializeOwned> Future for TryJsonFinal<S, T> {
    type Output = Result<T, StreamError<S::Error>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        poll_final(this.core, this.resolved, cx, |cx| {
            this.inner.as_mut().try_poll_next(cx)
        })
    }
}

impl<S: Stream<Item: AsRef<[u8]>>, T: DeserializeOwned> FusedFuture for JsonFinal<S, T> {
    fn is_terminated(&self) -> bool {
        self.resolved
    }
}

impl<S: TryStream<Ok: AsRef<[u8]>>, T: DeserializeOwned> FusedFuture for TryJsonFinal<S, T> {
    fn is_terminated(&self) -> bool {
        self.resolved
    }
}
