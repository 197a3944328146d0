//! The faults that a machine finds in its input: yielded or logged.

use core::convert::Infallible;

use super::{StreamError, log};
use crate::error::Error;
use crate::json::skip_whitespace;

/// A fault that a machine finds in its input.
pub(super) type Fault = StreamError<Infallible>;

/// What an adapter does with faults.
#[derive(Debug)]
pub(super) enum OnFault {
    /// They are logged at once, because the stream's items cannot be errors. They are not queued,
    /// because the stream may not be polled again.
    Log(FaultLog),
    /// They are yielded in place.
    Yield,
}

/// The log of one stream: what was logged, and the hint that may have to be.
#[derive(Debug, Default)]
pub(super) struct FaultLog {
    suspicion: Suspicion,
    /// Whether the machine emitted anything.
    emitted: bool,
}

/// Decides when the hint of an error is logged: once per stream, at `error`.
///
/// The first hint may be wrong: in `{"a":1`, `{"a":1}`, `{"a":1,"b":2}` one snapshot is damaged,
/// and the stream is healthy. So a second sign is required:
///
/// - another error: in `{"a":1`, `,"b":`, `2}` the items are pieces of one text. The last piece of
///   an object or array is always an error, because it contains the closing bracket without the
///   opening one;
/// - an item that can be used but starts differently: in `{"a": `, `12` the second item is a piece,
///   because all snapshots have a root of the same kind;
/// - an end without any output.
#[derive(Clone, Copy, Debug, Default)]
enum Suspicion {
    #[default]
    None,
    /// One error had this hint.
    Suspected {
        hint: &'static str,
        /// The first byte of the item.
        first: Option<u8>,
    },
    Logged,
}

impl OnFault {
    pub(super) fn log() -> Self {
        Self::Log(FaultLog::default())
    }

    /// Records that an item of the inner stream was usable.
    pub(super) fn accept(&mut self, input: &[u8]) {
        if let Self::Log(log) = self
            && let Suspicion::Suspected { hint, first } = log.suspicion
            && first_byte(input).is_some_and(|byte| Some(byte) != first)
        {
            log.hint(hint);
        }
    }

    /// Records that an item of the inner stream was not usable: it is not JSON, if `is_syntax`, or
    /// was rejected. The next one supersedes it. `hint` is the hint of its error.
    pub(super) fn skip(&mut self, input: &[u8], hint: Option<&'static str>, is_syntax: bool) {
        let Self::Log(log) = self else { return };
        match (log.suspicion, hint) {
            (Suspicion::None, Some(hint)) => {
                let first = first_byte(input);
                log.suspicion = Suspicion::Suspected { hint, first };
            }
            (Suspicion::Suspected { hint, .. }, _) if is_syntax => log.hint(hint),
            (Suspicion::None | Suspicion::Suspected { .. } | Suspicion::Logged, _) => {}
        }
    }

    /// Records that the machine emitted an item.
    pub(super) fn emit(&mut self) {
        if let Self::Log(log) = self {
            log.emitted = true;
        }
    }

    /// Returns the fault if it is to be yielded.
    pub(super) fn fault(&mut self, fault: Fault) -> Option<Fault> {
        if matches!(self, Self::Yield) {
            return Some(fault);
        }
        match fault {
            StreamError::Upstream(never) => match never {},
            StreamError::Json(error) => log::skipped(&error),
            StreamError::Revision(revision) => log::revised(&revision),
            StreamError::Value(_) => log::mismatched(),
        }
        None
    }

    /// Like [`fault`](Self::fault), for the fault that ends the stream.
    pub(super) fn end(&mut self, error: Error) -> Option<Fault> {
        let Self::Log(log) = self else {
            return Some(error.into());
        };
        log::ended(&error);
        if let Some(hint) = error.hint() {
            log.hint(hint);
        }
        None
    }

    /// Called at the end of the inner stream.
    pub(super) fn close(&mut self) {
        if let Self::Log(log) = self
            && let Suspicion::Suspected { hint, .. } = log.suspicion
            && !log.emitted
        {
            log.hint(hint);
        }
    }

    /// Logs a hint without an error: the input has no fault, so nothing is yielded.
    pub(super) fn hint(&mut self, hint: &'static str) {
        match self {
            Self::Log(log) => log.hint(hint),
            Self::Yield => log::hint(hint),
        }
    }
}

impl FaultLog {
    fn hint(&mut self, hint: &'static str) {
        if !matches!(self.suspicion, Suspicion::Logged) {
            self.suspicion = Suspicion::Logged;
            log::hint(hint);
        }
    }
}

/// Returns the first byte of a text that is not white space.
fn first_byte(text: &[u8]) -> Option<u8> {
    text.get(skip_whitespace(text, 0)).copied()
}
