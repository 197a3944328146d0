//! What a fallible stream yields beside its items.

use core::error::Error as StdError;
use core::fmt;

use crate::document::DeserializeError;
use crate::error::Error;
use crate::revision::Revision;

/// An error of the inner stream, or something that is wrong with what it yields.
///
/// None of them ends a stream of chunks: polling may continue, and the chunks stay valid JSON. (Of
/// fragments, nothing follows a [`Json`](Self::Json).) A program that accepts our own kinds stops
/// at [`Upstream`](Self::Upstream) only:
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
/// The text has no payload, except for that of an upstream error, which is part of it: `upstream
/// error: connection reset`. What serde reports of a value may quote it, so that is left to
/// [`source`](core::error::Error::source). The causes of an upstream error are those of the error
/// in [`Upstream`](Self::Upstream).
///
/// It is an [`Error`](core::error::Error) for every upstream error that has a text, `Box<dyn
/// Error>` and `String` included.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamError<E> {
    /// The inner stream yielded an error.
    Upstream(E),
    /// A snapshot could not be used and was skipped; the next one supersedes it. Or a fragment
    /// could not be used, the text of all of them was cut off, or the stream timed out; then the
    /// stream is over. Its [hint](Error::hint) names the cure where the cause is likely.
    Json(Error),
    /// A snapshot contradicts what was emitted; the rest of it was used.
    Revision(Revision),
    /// A complete value is not of the type that was asked for. Values after it may be.
    Value(DeserializeError),
}

impl<E> StreamError<E> {
    /// Whether the inner stream failed, as opposed to what it yields.
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

// Without `E: StdError`, so that boxed errors are served as well: `Box<dyn Error>` is none itself.
impl<E: fmt::Debug + fmt::Display> StdError for StreamError<E> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Value(error) => Some(error),
            // The text of these is already in the text of this error.
            Self::Upstream(_) | Self::Json(_) | Self::Revision(_) => None,
        }
    }
}
