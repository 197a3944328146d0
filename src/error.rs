//! Errors: what is wrong, at which byte, and the likely fix.
//!
//! # For maintainers
//!
//! A new kind of error takes a variant of [`Reason`], a row in [`Error::kind`] and its text in
//! `Display`. A new hint takes a variant of `Hint` and the place that recognizes the mistake;
//! machines attach it where they return the error, and everything else (adapters, log, command)
//! passes it on. No text quotes the input.

mod hint;

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt::{self, Write as _};
use core::time::Duration;

use crate::revision::Revision;
pub(crate) use hint::{Hint, is_event_stream, may_be_event_stream, starts_prose};

/// An error of a machine: the mistake, its byte offset, and the likely fix.
///
/// Its text does not quote the input; only the text of a rejected revision contains names of
/// members, in a JSON Pointer.
///
/// ```
/// use json_chunks::Parser;
///
/// let error = Parser::new().push(b"[1, 2] [3]").unwrap_err();
/// assert_eq!(error.offset(), 7);
/// assert_eq!(
///     error.to_string(),
///     "trailing characters at byte 7 \
///      (several values? see `multiple_values`; snapshots? see `json_chunks`)"
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    reason: Reason,
    offset: usize,
    hint: Option<Hint>,
}

/// The classes of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text breaks the grammar of RFC 8259.
    Syntax,
    /// The text ends before its value does.
    Incomplete,
    /// Objects and arrays are nested deeper than [`Limits`](crate::limits::Limits) allow.
    TooDeep,
    /// A token or the entire document is larger than [`Limits`](crate::limits::Limits) allow.
    TooLarge,
    /// The stream took longer than [`Limits`](crate::limits::Limits) allow. Only stream adapters
    /// return this.
    TimedOut,
    /// The snapshot contradicts text that was already emitted, and the machine rejects that
    /// ([`RevisionPolicy::Reject`](crate::revision::RevisionPolicy::Reject)); or the text repeats a
    /// member whose text a [`FieldReader`](crate::field::FieldReader) has already returned.
    Revision,
    /// The value has another kind than the requested one
    /// ([`FieldReader::text`](crate::field::FieldReader::text)).
    UnexpectedKind,
    /// The value has no JSON text: its `Serialize` implementation returned an error, or the keys of
    /// a map are neither text nor numbers nor booleans
    /// ([`Chunker::push_value`](crate::chunker::Chunker::push_value)).
    Unserializable,
}

impl ErrorKind {
    /// Returns its name: `syntax error`, `incomplete text`, `nesting limit`, `size limit`, `time
    /// limit`, `revision`, `unexpected kind` or `unserializable value`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax error",
            Self::Incomplete => "incomplete text",
            Self::TooDeep => "nesting limit",
            Self::TooLarge => "size limit",
            Self::TimedOut => "time limit",
            Self::Revision => "revision",
            Self::UnexpectedKind => "unexpected kind",
            Self::Unserializable => "unserializable value",
        }
    }
}

/// The exact mistake. `Display` of [`Error`] has a text for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Something else is in place of this token.
    Expected(&'static str),
    /// An unescaped U+0000 to U+001F inside a string.
    ControlCharacter,
    /// A backslash that starts none of the escapes of RFC 8259, section 7.
    InvalidEscape,
    /// A sign, point or exponent without its digits, or a leading zero.
    InvalidNumber,
    /// More text after the one value.
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
    /// A value of another kind, where a string is read.
    NotAString,
    /// A repeated member whose text has been returned already.
    Restated,
    /// Arguments of a tool call after its end.
    CallEnded,
    /// More tool calls than this limit.
    TooManyCalls(usize),
    /// What a `Serialize` implementation returned.
    Unserializable(Box<str>),
    /// A map key that cannot be the name of a member.
    InvalidName,
}

impl Error {
    pub(crate) const fn new(reason: Reason, offset: usize) -> Self {
        Self {
            reason,
            offset,
            hint: None,
        }
    }

    /// Returns the error with its offset increased by `bytes`.
    pub(crate) fn moved_by(mut self, bytes: usize) -> Self {
        self.offset += bytes;
        self
    }

    /// Returns the same error with this hint, if there is one.
    pub(crate) fn with_hint(mut self, hint: Option<Hint>) -> Self {
        self.hint = hint;
        self
    }

    pub(crate) const fn reason(&self) -> &Reason {
        &self.reason
    }

    /// Returns the class of the error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self.reason {
            Reason::Expected(_)
            | Reason::ControlCharacter
            | Reason::InvalidEscape
            | Reason::InvalidNumber
            | Reason::Trailing
            | Reason::InvalidUtf8
            | Reason::CallEnded => ErrorKind::Syntax,
            Reason::Incomplete => ErrorKind::Incomplete,
            Reason::TooDeep(_) => ErrorKind::TooDeep,
            Reason::TokenTooLarge(_) | Reason::DocumentTooLarge(_) | Reason::TooManyCalls(_) => {
                ErrorKind::TooLarge
            }
            Reason::TimedOut(_) => ErrorKind::TimedOut,
            Reason::Revision(_) | Reason::Restated => ErrorKind::Revision,
            Reason::NotAString => ErrorKind::UnexpectedKind,
            Reason::Unserializable(_) | Reason::InvalidName => ErrorKind::Unserializable,
        }
    }

    /// Returns the byte offset of the error, where 0 is the first byte. For a
    /// [`Chunker`](crate::chunker::Chunker) it counts from the start of the snapshot; for a
    /// [`Parser`](crate::parser::Parser) and everything built on it, from the start of the input,
    /// that is, of all fragments.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the likely fix, if the error looks like a common mistake. The hint is also part of
    /// the error's text, in parentheses.
    ///
    /// These mistakes are recognized:
    ///
    /// - Pieces of one text pushed to a [`Chunker`](crate::chunker::Chunker), which takes
    ///   snapshots: the text is incomplete, and no snapshot before it was usable.
    /// - Several values, or snapshots, pushed to a [`Parser`](crate::parser::Parser): the trailing
    ///   characters start another value.
    /// - The server-sent events of an API in place of the JSON text in them: the text starts with
    ///   `data:`, `event:`, `id:`, `retry:` or `:`.
    /// - JSON inside other text: it starts like prose, with a code fence or with a tag (`<think>`),
    ///   or such text follows it.
    ///
    /// ```
    /// use json_chunks::Chunker;
    ///
    /// let error = Chunker::new().push(r#"{"title": "Thr"#).unwrap_err();
    /// let hint = "if the stream yields pieces of one text, use `json_snapshots`";
    /// assert_eq!(error.hint(), Some(hint));
    /// assert_eq!(error.to_string(), format!("unexpected end of JSON at byte 14 ({hint})"));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        self.hint.map(Hint::as_str)
    }

    /// Returns whether the text is not JSON ([`ErrorKind::Syntax`] or [`ErrorKind::Incomplete`]).
    #[must_use]
    pub const fn is_syntax(&self) -> bool {
        matches!(self.kind(), ErrorKind::Syntax | ErrorKind::Incomplete)
    }

    /// Returns whether the text merely ends too early ([`ErrorKind::Incomplete`]).
    #[must_use]
    pub const fn is_incomplete(&self) -> bool {
        matches!(self.reason, Reason::Incomplete)
    }

    /// Returns whether a limit was exceeded ([`ErrorKind::TooDeep`], [`ErrorKind::TooLarge`] or
    /// [`ErrorKind::TimedOut`]).
    #[must_use]
    pub const fn is_limit(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::TooDeep | ErrorKind::TooLarge | ErrorKind::TimedOut
        )
    }

    /// Returns whether the text contradicts what was emitted ([`ErrorKind::Revision`]).
    #[must_use]
    pub const fn is_revision(&self) -> bool {
        matches!(self.reason, Reason::Revision(_) | Reason::Restated)
    }

    /// Returns the contradiction, if the error is one. Unlike the error's own text it holds
    /// payload.
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
            | Reason::TimedOut(_)
            | Reason::NotAString
            | Reason::Restated
            | Reason::CallEnded
            | Reason::TooManyCalls(_)
            | Reason::Unserializable(_)
            | Reason::InvalidName => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.offset;
        match &self.reason {
            Reason::Expected(what) => write!(f, "expected {what} at byte {at}"),
            Reason::ControlCharacter => {
                write!(f, "unescaped control character in a string at byte {at}")
            }
            Reason::InvalidEscape => write!(f, "invalid escape at byte {at}"),
            Reason::InvalidNumber => write!(f, "invalid number at byte {at}"),
            Reason::Trailing => write!(f, "trailing characters at byte {at}"),
            Reason::InvalidUtf8 => write!(f, "invalid UTF-8 at byte {at}"),
            Reason::Incomplete => write!(f, "unexpected end of JSON at byte {at}"),
            Reason::TooDeep(limit) => {
                write!(
                    f,
                    "nested too deeply at byte {at}: more than {limit} levels"
                )
            }
            Reason::TokenTooLarge(limit) => write!(
                f,
                "string or number too large at byte {at}: more than {limit} bytes"
            ),
            Reason::DocumentTooLarge(limit) => {
                write!(
                    f,
                    "document too large at byte {at}: more than {limit} bytes"
                )
            }
            Reason::TimedOut(limit) => write!(f, "timed out after {}", Seconds(*limit)),
            Reason::Revision(revision) => write!(f, "{revision} (at byte {at})"),
            Reason::NotAString => write!(
                f,
                "expected a string, found another kind of value at byte {at}"
            ),
            Reason::Restated => write!(
                f,
                "a member that was read already is there again at byte {at}"
            ),
            Reason::CallEnded => {
                write!(
                    f,
                    "more of a tool call after its end at byte {at} of its arguments"
                )
            }
            Reason::TooManyCalls(limit) => write!(f, "more than {limit} tool calls"),
            Reason::Unserializable(message) => {
                write!(f, "value can't be serialized at byte {at}: {message}")
            }
            Reason::InvalidName => {
                write!(f, "map key is not a string, number or boolean at byte {at}")
            }
        }?;
        match self.hint {
            Some(hint) => write!(f, " ({})", hint.as_str()),
            None => Ok(()),
        }
    }
}

/// Writes a duration with its unit: `30 s`, `1.5 s`, `250 ms`.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < Duration::from_secs(1) {
            write!(f, "{} ms", self.0.as_secs_f64() * 1000.0)
        } else {
            write!(f, "{} s", self.0.as_secs_f64())
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

/// Returns the message of an error of serde as text, up to where it can't be formatted, which would
/// be a panic of `to_string`.
pub(crate) fn message_text(message: impl fmt::Display) -> String {
    let mut text = String::new();
    let _ = write!(text, "{message}");
    text
}

#[cfg(all(test, feature = "stream"))]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn timed_out_error_writes_the_limit_with_its_unit() {
        let text = |limit| Error::new(Reason::TimedOut(limit), 4).to_string();
        assert_eq!(text(Duration::from_secs(30)), "timed out after 30 s");
        assert_eq!(text(Duration::from_millis(1500)), "timed out after 1.5 s");
        assert_eq!(text(Duration::from_millis(250)), "timed out after 250 ms");
    }
}
