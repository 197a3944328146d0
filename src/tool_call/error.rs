//! Why a call that was told about does not complete.

use core::fmt;

use crate::error::Error;

/// Why a call that was [named](super::ToolCallEvent::Named) will not be completed. None of its
/// texts quotes the call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolCallError {
    /// The text is not JSON, exceeds the limits, or ends before the call does.
    Text(Error),
    /// The string that the arguments are in is not one JSON value, or exceeds the limits. Offsets
    /// count in what the string says.
    Arguments(Error),
    /// The object has no arguments, where they are
    /// [not optional](super::ToolCallShape::arguments_optional).
    NoArguments,
    /// The name, the id, the arguments, or what they are in, is there twice.
    Repeated,
    /// The object is no call: its marker says something else, or it holds calls.
    NoCall,
}

impl fmt::Display for ToolCallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(_) => f.write_str("the text broke off before the call was complete"),
            Self::Arguments(_) => f.write_str("the arguments are not JSON"),
            Self::NoArguments => f.write_str("the call has no arguments"),
            Self::Repeated => f.write_str("the call has one of its members twice"),
            Self::NoCall => f.write_str("the object turned out to be no call"),
        }
    }
}

impl core::error::Error for ToolCallError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Text(error) | Self::Arguments(error) => Some(error),
            Self::NoArguments | Self::Repeated | Self::NoCall => None,
        }
    }
}
