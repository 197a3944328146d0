//! Errors of a writer.

use core::fmt;

use super::Dialect;
use crate::error::Error;

/// Why a [`Writer`](super::Writer) refuses an operation. Nothing is written then, and the writer is
/// unchanged.
///
/// `Debug` and `Display` quote neither text nor arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// The reply has been ended by `finish` or `fail`; a client would not read what follows.
    Ended,
    /// The dialect has no frame for it.
    Unsupported {
        /// The dialect.
        dialect: Dialect,
        /// The content that it has no frame for.
        what: &'static str,
    },
    /// The call has no name. Clients need it in the first frame of a call.
    NoName {
        /// The caller's index of the call.
        index: usize,
    },
    /// A call with this index has been started, and has not ended.
    CallExists {
        /// The caller's index of the call.
        index: usize,
    },
    /// No call with this index has been started.
    UnknownCall {
        /// The caller's index of the call.
        index: usize,
    },
    /// The call has been ended, and nothing can be added to its arguments.
    CallEnded {
        /// The caller's index of the call.
        index: usize,
    },
    /// The arguments of the call are not JSON, exceed the limits, or are incomplete where they have
    /// to be complete.
    Arguments {
        /// The caller's index of the call.
        index: usize,
        /// The error, with the offset in the arguments of this call.
        error: Error,
    },
    /// The data is not JSON, or exceeds the limits.
    Data(Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended => f.write_str("the reply has ended: nothing follows `finish` or `fail`"),
            Self::Unsupported { dialect, what } => {
                write!(f, "the dialect `{dialect}` has no frame for {what}")
            }
            Self::NoName { index } => write!(f, "call {index} has no name"),
            Self::CallExists { index } => write!(f, "call {index} has been started before"),
            Self::UnknownCall { index } => {
                write!(f, "call {index} has not been started (see `Writer::call`)")
            }
            Self::CallEnded { index } => write!(f, "call {index} has ended"),
            Self::Arguments { index, error } if error.is_incomplete() => write!(
                f,
                "the arguments of call {index} are incomplete: {error} \
                 (if the reply was cut off, see `Writer::fail` and `Finish::Length`)"
            ),
            Self::Arguments { index, error } => {
                write!(f, "the arguments of call {index} are not JSON: {error}")
            }
            Self::Data(error) => write!(f, "the data is not JSON: {error}"),
        }
    }
}

impl core::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Arguments { error, .. } | Self::Data(error) => Some(error),
            Self::Ended
            | Self::Unsupported { .. }
            | Self::NoName { .. }
            | Self::CallExists { .. }
            | Self::UnknownCall { .. }
            | Self::CallEnded { .. } => None,
        }
    }
}

/// The error of a reply that has failed in a dialect that has no frame to report it: the body has
/// to be aborted. See [`Writer::must_abort`](super::Writer::must_abort).
///
/// If an HTTP body yields it, the server closes the connection before the end of the body, which is
/// the only error that a client of plain text can detect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aborted(());

impl Aborted {
    #[cfg(feature = "stream")]
    pub(crate) const fn new() -> Self {
        Self(())
    }
}

impl fmt::Display for Aborted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the reply has failed, and its dialect has no frame for errors")
    }
}

impl core::error::Error for Aborted {}
