//! Why an operation on a log failed.

use core::error::Error as StdError;
use core::fmt;

/// An error of an [`EventLog`](super::EventLog), or of the streams over one.
///
/// Its text contains no payload, except for the text of [`Backend`](Self::Backend).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogError<E> {
    /// The run cannot be created because it exists, or cannot be claimed because it is closed or
    /// another producer has the lease.
    Taken,
    /// Another producer has claimed the run since: nothing was appended, and the producer has to
    /// stop.
    Fenced,
    /// There is no such run, or it is no longer kept.
    UnknownRun,
    /// The log lacks events that it contained before: it was emptied or trimmed.
    Gap,
    /// The log itself failed, and it is not known whether the operation had an effect.
    Backend(E),
}

impl<E: fmt::Display> fmt::Display for LogError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken => f.write_str("the run exists already, or has another producer"),
            Self::Fenced => f.write_str("another producer has claimed the run"),
            Self::UnknownRun => f.write_str("there is no such run"),
            Self::Gap => f.write_str("the log lacks events of the run"),
            Self::Backend(error) => write!(f, "event log: {error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display + StdError + 'static> StdError for LogError<E> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            // The text of this error contains its text already.
            Self::Backend(error) => error.source(),
            Self::Taken | Self::Fenced | Self::UnknownRun | Self::Gap => None,
        }
    }
}
