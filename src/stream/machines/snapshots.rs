//! The [`Chunker`] as a machine of bytes and of values, and the items of the latter.

use core::fmt;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;

use alloc::string::String;

use futures_core::{Stream, TryStream};
use pin_project_lite::pin_project;
use serde_core::Serialize;

use crate::chunker::Chunker;
use crate::error::Error;
use crate::json::skip_whitespace;
use crate::stream::log;
use crate::stream::machine::{ErrorRecovery, Machine, Output, SnapshotMachine, sealed};

/// A [`Chunker`] of snapshots that are UTF-8 bytes, see
/// [`json_chunks_from_bytes`](crate::stream::ValueStreamExt::json_chunks_from_bytes).
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::{Chunker, RevisionPolicy};
/// use json_chunks::stream::{ByteChunker, MachineStreamExt};
///
/// let snapshots = stream::iter([b"[1]".to_vec(), b"[]".to_vec()]);
/// let machine = ByteChunker::from(Chunker::new().revision_policy(RevisionPolicy::Reject));
/// let chunks: Vec<String> = block_on(snapshots.through(machine).collect());
/// assert_eq!(chunks, ["[1", "]"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ByteChunker(Chunker);

impl From<Chunker> for ByteChunker {
    fn from(chunker: Chunker) -> Self {
        Self(chunker)
    }
}

/// A [`Chunker`] of snapshots that are values, see
/// [`json_chunks_from_values`](crate::stream::ValueStreamExt::json_chunks_from_values).
pub struct ValueChunker<T> {
    chunker: Chunker,
    values: PhantomData<fn(&T)>,
}

impl<T> From<Chunker> for ValueChunker<T> {
    fn from(chunker: Chunker) -> Self {
        Self {
            chunker,
            values: PhantomData,
        }
    }
}

impl<T> Default for ValueChunker<T> {
    fn default() -> Self {
        Chunker::new().into()
    }
}

impl<T> Clone for ValueChunker<T> {
    fn clone(&self) -> Self {
        self.chunker.clone().into()
    }
}

impl<T> fmt::Debug for ValueChunker<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ValueChunker").field(&self.chunker).finish()
    }
}

/// A value that is a snapshot: the input of a [`ValueChunker`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueSnapshot<T>(pub T);

impl<T> AsRef<Self> for ValueSnapshot<T> {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// Emits a chunk, and the revisions of the same push.
fn emit(chunker: &mut Chunker, chunk: String, out: &mut Output<'_, String>) {
    out.chunk(chunk);
    for revision in chunker.take_revisions() {
        out.report.count_revision(revision.is_restated());
        out.fault(revision.into());
    }
}

fn finish(chunker: &mut Chunker, out: &mut Output<'_, String>) {
    let chunk = chunker.finish();
    log::finished(chunk.len());
    emit(chunker, chunk, out);
}

impl sealed::Sealed for ByteChunker {}

impl SnapshotMachine for ByteChunker {}

impl Machine for ByteChunker {
    type Input = [u8];
    type Item = String;

    const MOST_ITEMS: Option<usize> = Some(1);
    const RECOVERY: ErrorRecovery = ErrorRecovery::Skip;

    fn feed(&mut self, snapshot: &[u8], out: &mut Output<'_, String>) -> Result<(), Error> {
        let chunk = self.0.push_bytes(snapshot)?;
        log::pushed(snapshot.len(), chunk.len());
        emit(&mut self.0, chunk, out);
        Ok(())
    }

    fn end(&mut self, out: &mut Output<'_, String>) -> Result<(), Error> {
        finish(&mut self.0, out);
        Ok(())
    }

    fn on_timeout(&mut self, _: &Error, out: &mut Output<'_, String>) {
        finish(&mut self.0, out);
    }

    fn text(snapshot: &[u8]) -> &[u8] {
        snapshot
    }

    fn is_blank(snapshot: &[u8]) -> bool {
        skip_whitespace(snapshot, 0) == snapshot.len()
    }

    fn time_limit(&self) -> Option<Duration> {
        self.0.time_limit()
    }
}

impl<T> sealed::Sealed for ValueChunker<T> {}

impl<T: Serialize> SnapshotMachine for ValueChunker<T> {}

impl<T: Serialize> Machine for ValueChunker<T> {
    type Input = ValueSnapshot<T>;
    type Item = String;

    const MOST_ITEMS: Option<usize> = Some(1);
    const RECOVERY: ErrorRecovery = ErrorRecovery::Skip;

    fn feed(
        &mut self,
        snapshot: &ValueSnapshot<T>,
        out: &mut Output<'_, String>,
    ) -> Result<(), Error> {
        let chunk = self.chunker.push_value(&snapshot.0)?;
        log::pushed(self.chunker.last_len(), chunk.len());
        emit(&mut self.chunker, chunk, out);
        Ok(())
    }

    fn end(&mut self, out: &mut Output<'_, String>) -> Result<(), Error> {
        finish(&mut self.chunker, out);
        Ok(())
    }

    fn on_timeout(&mut self, _: &Error, out: &mut Output<'_, String>) {
        finish(&mut self.chunker, out);
    }

    fn time_limit(&self) -> Option<Duration> {
        self.chunker.time_limit()
    }
}

pin_project! {
    /// The items of a stream as [`ValueSnapshot`]s, see
    /// [`json_chunks_from_values`](crate::stream::ValueStreamExt::json_chunks_from_values).
    #[must_use = "streams do nothing unless polled"]
    pub struct ValueSnapshots<S> {
        #[pin]
        inner: S,
    }
}

pin_project! {
    /// The items of a stream of results as [`ValueSnapshot`]s, see
    /// [`try_json_chunks_from_values`](crate::stream::ValueStreamExt::try_json_chunks_from_values).
    #[must_use = "streams do nothing unless polled"]
    pub struct TryValueSnapshots<S> {
        #[pin]
        inner: S,
    }
}

impl<S: Stream> Stream for ValueSnapshots<S> {
    type Item = ValueSnapshot<S::Item>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.project().inner.poll_next(cx);
        next.map(|next| next.map(ValueSnapshot))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.inner.size_hint()
    }
}

impl<S: TryStream> Stream for TryValueSnapshots<S> {
    type Item = Result<ValueSnapshot<S::Ok>, S::Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.project().inner.try_poll_next(cx);
        next.map(|next| next.map(|next| next.map(ValueSnapshot)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.inner.size_hint()
    }
}

macro_rules! wrapper {
    ($name:ident) => {
        impl<S> $name<S> {
            pub(in crate::stream) const fn new(inner: S) -> Self {
                Self { inner }
            }

            /// Returns the stream of values.
            pub fn into_inner(self) -> S {
                self.inner
            }
        }

        impl<S> fmt::Debug for $name<S> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}

wrapper!(ValueSnapshots);
wrapper!(TryValueSnapshots);
