//! Why a value cannot be read as a type.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use serde_core::de::{Expected, Unexpected};

use super::Value;
use crate::document::NodeId;
use crate::error::message_text;

/// Why a value cannot be read as the requested type: serde's message, and the place.
///
/// The text may quote the value, as serde does (`invalid type: string "x", expected u8 at
/// /days/0`). To log it without payload, log [`pointer`](Self::pointer).
#[derive(Clone, PartialEq, Eq)]
pub struct DeserializeError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    message: String,
    /// None until the error has left the value that it is about.
    pointer: Option<String>,
    /// Whether the value is of another kind than the type is read from.
    is_invalid_type: bool,
    trace: Trace,
}

/// Which values the omission of might cure the error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Trace {
    /// The value that the error is about.
    pub(super) place: Option<NodeId>,
    /// The innermost value at that place or around it without which its container can be read for
    /// sure: an `Option`, an element of a sequence of any length, an entry of a map.
    pub(super) spare: Option<NodeId>,
    /// The outermost such value.
    pub(super) outermost_spare: Option<NodeId>,
    /// Whether the error is that something is missing in the value, so that nothing can be cured by
    /// omitting a part of it.
    pub(super) is_missing: bool,
}

impl DeserializeError {
    /// Sets the place of the error, unless it is known already.
    #[cold]
    pub(crate) fn at(mut self, value: Value<'_>) -> Self {
        if self.0.pointer.is_none() {
            self.0.pointer = Some(value.doc.pointer(None, value.id));
            self.0.trace.place = Some(value.id);
        }
        self
    }

    /// Records that what is around `value` can be read without it.
    #[cold]
    pub(super) fn spares(mut self, value: Value<'_>) -> Self {
        self.0.trace.spare.get_or_insert(value.id);
        self.0.trace.outermost_spare = Some(value.id);
        self
    }

    /// Whether the value is of another kind than the type is read from, which its first byte shows.
    pub(crate) fn is_invalid_type_of(&self, value: Value<'_>) -> bool {
        self.0.is_invalid_type && self.pointer() == value.to_pointer()
    }

    pub(super) fn trace(&self) -> Trace {
        self.0.trace
    }

    /// Returns the error as it is outside of this room: ids mean nothing without their document.
    pub(super) fn without_trace(mut self) -> Self {
        self.0.trace = Trace::default();
        self
    }

    /// Returns serde's message.
    #[cfg(feature = "schema")]
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the place of the value in the document, as a JSON Pointer (RFC 6901): empty for the
    /// root.
    #[must_use]
    pub fn pointer(&self) -> &str {
        self.0.pointer.as_deref().unwrap_or_default()
    }
}

impl serde_core::de::Error for DeserializeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Box::new(Inner {
            message: message_text(message),
            pointer: None,
            is_invalid_type: false,
            trace: Trace::default(),
        }))
    }

    fn missing_field(field: &'static str) -> Self {
        let mut error = Self::custom(format_args!("missing field `{field}`"));
        error.0.trace.is_missing = true;
        error
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let mut error = match unexpected {
            Unexpected::Unit => {
                Self::custom(format_args!("invalid type: null, expected {expected}"))
            }
            _ => Self::custom(format_args!(
                "invalid type: {unexpected}, expected {expected}"
            )),
        };
        error.0.is_invalid_type = true;
        error
    }
}

impl fmt::Display for DeserializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        match self.pointer() {
            "" => Ok(()),
            pointer => write!(f, " at {pointer}"),
        }
    }
}

impl fmt::Debug for DeserializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeserializeError")
            .field("message", &self.0.message)
            .field("pointer", &self.pointer())
            .finish_non_exhaustive()
    }
}

impl core::error::Error for DeserializeError {}
