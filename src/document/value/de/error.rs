//! Why a value is not what a type wants.

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use core::fmt;

use serde_core::de::{Expected, Unexpected};

use super::Value;

/// Why a value could not be read as the type asked for: what serde says, and where.
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
}

impl DeserializeError {
    /// The same error, of this value unless it is known to be of another.
    #[cold]
    pub(super) fn at(mut self, value: Value<'_>) -> Self {
        if self.0.pointer.is_none() {
            self.0.pointer = Some(value.doc.pointer(value.id));
        }
        self
    }

    /// What serde says.
    #[cfg(feature = "schema")]
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    /// Where the value is in the document, as a JSON Pointer (RFC 6901): empty for the root.
    #[must_use]
    pub fn pointer(&self) -> &str {
        self.0.pointer.as_deref().unwrap_or_default()
    }
}

impl serde_core::de::Error for DeserializeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Box::new(Inner {
            message: message.to_string(),
            pointer: None,
        }))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match unexpected {
            Unexpected::Unit => {
                Self::custom(format_args!("invalid type: null, expected {expected}"))
            }
            _ => Self::custom(format_args!(
                "invalid type: {unexpected}, expected {expected}"
            )),
        }
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
