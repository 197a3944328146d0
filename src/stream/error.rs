//! The errors that a fallible stream yields between its items.

use core::error::Error as StdError;
use core::fmt;

use crate::document::DeserializeError;
use crate::error::Error;
use crate::revision::Revision;

/// An error of the inner stream, or a fault in an item that it yields.
///
/// None of them ends a stream of chunks: polling may continue, and the chunks stay valid JSON. (A
/// stream of fragments ends after a [`Json`](Self::Json).) A program that tolerates faulty items
/// stops at [`Upstream`](Self::Upstream) only:
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::stream::{StreamError, TrySnapshotStreamExt};
///
/// let snapshots = [Ok::<_, &str>(r#"{"a":"x"}"#), Ok("oops"), Err("reset"), Ok("{}")];
/// let mut chunks = stream::iter(snapshots).try_json_chunks();
/// let stopped_by = block_on(async {
///     while let Some(next) = chunks.next().await {
///         match next {
///             Ok(chunk) => assert_eq!(chunk, r#"{"a":"x"#),
///             Err(StreamError::Upstream(error)) => return Some(error),
///             Err(skipped) => assert!(skipped.to_string().starts_with("expected a value")),
///         }
///     }
///     None
/// });
/// assert_eq!(stopped_by, Some("reset"));
/// ```
///
/// # Display
///
/// The text contains no payload, except for the text of an upstream error:
/// `upstream error: connection reset`. The error of serde may quote the value, so it is available
/// only from [`source`](core::error::Error::source). The source of an upstream error is the source
/// of the error in [`Upstream`](Self::Upstream).
///
/// It implements [`Error`](core::error::Error) for every upstream error that implements `Display`,
/// including `Box<dyn Error>` and `String`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamError<E> {
    /// The inner stream yielded an error.
    Upstream(E),
    /// A snapshot could not be used and was skipped; the next one supersedes it. Or a fragment
    /// could not be used, the text was truncated, or the stream timed out; then the stream is over.
    /// Its [hint](Error::hint) names the likely fix, if there is one.
    Json(Error),
    /// A snapshot contradicts what was emitted; the rest of it was used.
    Revision(Revision),
    /// A complete value is not of the requested type. Values after it may be.
    Value(DeserializeError),
}

impl<E> StreamError<E> {
    /// Returns whether the inner stream failed, rather than one of its items being faulty.
    #[must_use]
    pub const fn is_upstream(&self) -> bool {
        matches!(self, Self::Upstream(_))
    }

    /// Returns the error of the inner stream, if it is one.
    #[must_use]
    pub fn into_upstream(self) -> Option<E> {
        match self {
            Self::Upstream(error) => Some(error),
            Self::Json(_) | Self::Revision(_) | Self::Value(_) => None,
        }
    }

    /// Replaces the error of the inner stream, if it is one.
    #[must_use]
    pub fn map_upstream<T>(self, op: impl FnOnce(E) -> T) -> StreamError<T> {
        match self {
            Self::Upstream(error) => StreamError::Upstream(op(error)),
            Self::Json(error) => StreamError::Json(error),
            Self::Revision(revision) => StreamError::Revision(revision),
            Self::Value(error) => StreamError::Value(error),
        }
    }
}

impl<E> From<Error> for StreamError<E> {
    fn from(error: Error) -> Self {
        Self::Json(error)
    }
}

impl<E> From<Revision> for StreamError<E> {
    fn from(revision: Revision) -> Self {
        Self::Revision(revision)
    }
}

impl<E> From<DeserializeError> for StreamError<E> {
    fn from(error: DeserializeError) -> Self {
        Self::Value(error)
    }
}

impl<E: fmt::Display> fmt::Display for StreamError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Upstream(error) => write!(f, "upstream error: {error}"),
            Self::Json(error) => error.fmt(f),
            Self::Revision(revision) => revision.fmt(f),
            Self::Value(_) => f.write_str("a complete value is not of the type asked for"),
        }
    }
}

// There is no bound `E: StdError`, because `Box<dyn Error>` does not implement it.
impl<E: fmt::Debug + fmt::Display> StdError for StreamError<E> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Value(error) => Some(error),
            // The text of this error contains their text already.
            Self::Upstream(_) | Self::Json(_) | Self::Revision(_) => None,
        }
    }
}
