//! Why a started call is not completed.

use alloc::string::String;
use core::fmt;

use crate::error::Error;

/// Why a call that has [started](super::ToolCallEvent::Started) will not be completed. Its
/// `Display` text does not quote the call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolCallError {
    /// The text is not JSON, exceeds the limits, or ends before the call does.
    Text(Error),
    /// The text of the arguments is not one JSON value, is cut off, or exceeds the limits. Offsets
    /// count from the start of that text; if it is in a string, from the start of the unescaped
    /// text.
    Arguments(Error),
    /// The object has no arguments, and they are [not
    /// optional](super::ToolCallShape::arguments_optional); or the reply ends before the arguments
    /// start, and no piece has reported that the call has [ended](super::ToolCallDelta::ended).
    NoArguments,
    /// The name, the id, the arguments, or the object that contains them, is repeated; in a call in
    /// [deltas](super::ToolCallDelta), with a different text. Readers differ in which of the two
    /// they use, so neither is executed.
    Repeated,
    /// The object is not a call: its marker has another value, or it contains calls.
    NoCall,
    /// The arguments do not conform to the [schema](super::ToolCalls::schema) of the tool. The text
    /// has the reason and the place, which may quote the arguments.
    Schema(String),
    /// The call has ended without a name. Only [`ToolCalls`](super::ToolCalls) emits it, without a
    /// `Started` event before it.
    NoName,
}

impl fmt::Display for ToolCallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(_) => f.write_str("the text failed or ended before the call was complete"),
            Self::Arguments(error) if error.is_incomplete() => {
                f.write_str("the arguments are incomplete")
            }
            Self::Arguments(_) => f.write_str("the arguments are not JSON"),
            Self::NoArguments => f.write_str("the call has no arguments"),
            Self::Repeated => f.write_str("the call has one of its members twice"),
            Self::NoCall => f.write_str("the object is not a call"),
            Self::Schema(_) => {
                f.write_str("the arguments do not conform to the schema of the tool")
            }
            Self::NoName => f.write_str("the call has no name"),
        }
    }
}

impl core::error::Error for ToolCallError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Text(error) | Self::Arguments(error) => Some(error),
            Self::NoArguments | Self::Repeated | Self::NoCall | Self::Schema(_) | Self::NoName => {
                None
            }
        }
    }
}
