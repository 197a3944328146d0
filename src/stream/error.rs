//! What a fallible stream yields beside its items.

use core::error::Error as StdError;
use core::fmt;

use crate::{DeserializeError, Error, Revision};

/// An error of the inner stream, or something that is wrong with what it yields.
///
/// None of them ends a stream of chunks: polling on goes on, and the chunks stay valid JSON. (Of
/// fragments, nothing comes behind a [`Json`](Self::Json).) Whoever can live with our own kinds
/// stops at [`Upstream`](Self::Upstream) only:
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::stream::{StreamError, TryJsonStreamExt};
///
/// let snapshots = stream::iter([Ok::<_, &str>(r#"{"a":"x"}"#), Ok("oops"), Err("reset"), Ok("{}")]);
/// let mut chunks = snapshots.try_json_chunks();
/// let stopped_by = block_on(async {
///     while let Some(next) = chunks.next().await {
///         match next {
///             Ok(chunk) => assert_eq!(chunk, r#"{"a":"x"#),
///             Err(StreamError::Upstream(error)) => return Some(error),
///             Err(skipped) => assert!(skipped.to_string().starts_with("not JSON at byte 0")),
///         }
///     }
///     None
/// });
/// assert_eq!(stopped_by, Some("reset"));
/// ```
///
/// # Display
///
/// The text has no payload. That of an upstream error and of serde's may have, so it is left to
/// [`source`](core::error::Error::source).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamError<E> {
    /// The inner stream yielded an error.
    Upstream(E),
    /// A snapshot could not be used and was skipped; the next one supersedes it. Or a fragment could
    /// not be used, the text of all of them was cut off, or the time was up; the stream is over.
    Json(Error),
    /// A snapshot contradicts what was put out; the rest of it was used.
    Revision(Revision),
    /// A whole value is not of the type that was asked for. Values that come after it may be.
    Value(DeserializeError),
}

impl<E> StreamError<E> {
    /// Whether the inner stream failed, as opposed to what it yields.
    #[must_use]
    pub const fn is_upstream(&self) -> bool {
        matches!(self, Self::Upstream(_))
    }

    /// The error of the inner stream, if it is one.
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

impl<E> fmt::Display for StreamError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Upstream(_) => f.write_str("the inner stream failed"),
            Self::Json(error) => error.fmt(f),
            Self::Revision(revision) => revision.fmt(f),
            Self::Value(_) => f.write_str("a whole value is not of its type"),
        }
    }
}

impl<E: StdError + 'static> StdError for StreamError<E> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Upstream(error) => Some(error),
            Self::Value(error) => Some(error),
            // The text of these is already the text of this error.
            Self::Json(_) | Self::Revision(_) => None,
        }
    }
}
