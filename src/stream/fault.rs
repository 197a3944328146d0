//! What becomes of what a machine finds wrong.

use core::convert::Infallible;

use super::{StreamError, log};
use crate::Error;

/// What a machine finds wrong; the inner stream's own errors never pass through the queue.
pub(super) type Fault = StreamError<Infallible>;

/// What becomes of the faults that a machine finds in its input.
pub(super) trait OnFault {
    /// What the queue holds for a machine's item `T`.
    type Out<T>;

    fn item<T>(item: T) -> Self::Out<T>;

    fn fault<T>(fault: Fault) -> Option<Self::Out<T>>;

    /// The fault behind which nothing more comes.
    fn end<T>(error: Error) -> Option<Self::Out<T>>;
}

/// Faults are logged: the stream's items have no room for them.
pub(super) struct LogFaults;

// At once and not when its turn in the queue comes: nobody may ever poll for it.
impl OnFault for LogFaults {
    type Out<T> = T;

    fn item<T>(item: T) -> T {
        item
    }

    fn fault<T>(fault: Fault) -> Option<T> {
        match fault {
            StreamError::Upstream(never) => match never {},
            StreamError::Json(error) => log::skipped(&error),
            StreamError::Revision(revision) => log::revised(&revision),
            StreamError::Value(_) => log::mismatched(),
        }
        None
    }

    fn end<T>(error: Error) -> Option<T> {
        log::ended(&error);
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

    fn end<T>(error: Error) -> Option<Result<T, Fault>> {
        Some(Err(error.into()))
    }
}
