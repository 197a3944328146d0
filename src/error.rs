//! What can go wrong, and where.

use alloc::boxed::Box;
use core::fmt;
use core::time::Duration;

use crate::revision::Revision;

/// Why a machine could not use a text: what is wrong and at which byte.
///
/// An error never changes the machine that returned it. Its text does not quote what was pushed; only that
/// of a rejected revision names members, in a JSON Pointer.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    reason: Reason,
    offset: usize,
}

/// The classes of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text breaks the grammar of RFC 8259.
    Syntax,
    /// The text ends before its value does.
    Incomplete,
    /// Objects and arrays are nested deeper than [`Limits`](crate::Limits) allow.
    TooDeep,
    /// A token or the whole document is larger than [`Limits`](crate::Limits) allow.
    TooLarge,
    /// The stream took longer than [`Limits`](crate::Limits) allow. Only stream adapters say so.
    TimedOut,
    /// The snapshot contradicts text that was already put out, and the machine was told to reject
    /// that ([`OnRevision::Reject`](crate::OnRevision::Reject)).
    Revision,
}

/// What exactly is wrong. The names are what [`Error`]'s text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Something else stands where this was expected.
    Expected(&'static str),
    /// An unescaped U+0000 to U+001F inside a string.
    ControlCharacter,
    /// A backslash that starts none of the escapes of RFC 8259, section 7.
    InvalidEscape,
    /// A sign, point or exponent without its digits, or a leading zero.
    InvalidNumber,
    /// More text behind the one value.
    Trailing,
    /// Bytes that are not UTF-8 (RFC 8259, section 8.1).
    InvalidUtf8,
    Incomplete,
    TooDeep(u32),
    TokenTooLarge(u32),
    DocumentTooLarge(u32),
    #[cfg_attr(
        not(feature = "stream"),
        expect(dead_code, reason = "only adapters have a clock")
    )]
    TimedOut(Duration),
    Revision(Box<Revision>),
}

impl Error {
    pub(crate) const fn new(reason: Reason, offset: usize) -> Self {
        Self { reason, offset }
    }

    /// The same error, `bytes` further on.
    pub(crate) fn moved_by(mut self, bytes: usize) -> Self {
        self.offset += bytes;
        self
    }

    /// The class of the error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self.reason {
            Reason::Expected(_)
            | Reason::ControlCharacter
            | Reason::InvalidEscape
            | Reason::InvalidNumber
            | Reason::Trailing
            | Reason::InvalidUtf8 => ErrorKind::Syntax,
            Reason::Incomplete => ErrorKind::Incomplete,
            Reason::TooDeep(_) => ErrorKind::TooDeep,
            Reason::TokenTooLarge(_) | Reason::DocumentTooLarge(_) => ErrorKind::TooLarge,
            Reason::TimedOut(_) => ErrorKind::TimedOut,
            Reason::Revision(_) => ErrorKind::Revision,
        }
    }

    /// Where it was noticed: bytes from the start of the text that was pushed, 0 for its first.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Whether the text is not JSON ([`ErrorKind::Syntax`] or [`ErrorKind::Incomplete`]).
    #[must_use]
    pub const fn is_syntax(&self) -> bool {
        matches!(self.kind(), ErrorKind::Syntax | ErrorKind::Incomplete)
    }

    /// Whether the text merely stops too early ([`ErrorKind::Incomplete`]).
    #[must_use]
    pub const fn is_incomplete(&self) -> bool {
        matches!(self.reason, Reason::Incomplete)
    }

    /// Whether a limit was exceeded ([`ErrorKind::TooDeep`], [`ErrorKind::TooLarge`] or
    /// [`ErrorKind::TimedOut`]).
    #[must_use]
    pub const fn is_limit(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::TooDeep | ErrorKind::TooLarge | ErrorKind::TimedOut
        )
    }

    /// Whether the text contradicts what was put out ([`ErrorKind::Revision`]).
    #[must_use]
    pub const fn is_revision(&self) -> bool {
        matches!(self.reason, Reason::Revision(_))
    }

    /// The contradiction, where there is one. Unlike the error's own text it holds payload.
    #[must_use]
    pub fn revision(&self) -> Option<&Revision> {
        match &self.reason {
            Reason::Revision(revision) => Some(revision),
            Reason::Expected(_)
            | Reason::ControlCharacter
            | Reason::InvalidEscape
            | Reason::InvalidNumber
            | Reason::Trailing
            | Reason::InvalidUtf8
            | Reason::Incomplete
            | Reason::TooDeep(_)
            | Reason::TokenTooLarge(_)
            | Reason::DocumentTooLarge(_)
            | Reason::TimedOut(_) => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.offset;
        match &self.reason {
            Reason::Expected(what) => write!(f, "not JSON at byte {at}: expected {what}"),
            Reason::ControlCharacter => write!(
                f,
                "not JSON at byte {at}: a control character in a string must be escaped"
            ),
            Reason::InvalidEscape => write!(f, "not JSON at byte {at}: invalid escape"),
            Reason::InvalidNumber => write!(f, "not JSON at byte {at}: invalid number"),
            Reason::Trailing => write!(f, "not JSON at byte {at}: more text after the value"),
            Reason::InvalidUtf8 => write!(f, "not JSON at byte {at}: not UTF-8"),
            Reason::Incomplete => write!(f, "not JSON at byte {at}: the text ends too early"),
            Reason::TooDeep(limit) => {
                write!(f, "too deep at byte {at}: more than {limit} levels")
            }
            Reason::TokenTooLarge(limit) => write!(
                f,
                "too large at byte {at}: a string or number of more than {limit} bytes"
            ),
            Reason::DocumentTooLarge(limit) => write!(
                f,
                "too large at byte {at}: a document of more than {limit} bytes"
            ),
            Reason::TimedOut(limit) => {
                write!(f, "out of time at byte {at}: no end within {limit:?}")
            }
            Reason::Revision(revision) => write!(f, "{revision} (at byte {at})"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.kind())
            .field("offset", &self.offset)
            .field("message", &format_args!("{self}"))
            .finish_non_exhaustive()
    }
}

impl core::error::Error for Error {}
