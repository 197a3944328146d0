//! What is told of a call.

use alloc::string::{String, ToString as _};
use core::fmt;

use serde_core::de::DeserializeOwned;
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::ToolCallError;
use crate::document::DeserializeError;
use crate::parser::Parser;

/// News of a tool call. Shows payload in its `Debug` text.
///
/// As JSON it is one object, its members named as here; the arguments are a string:
/// `{"event":"named","index":0,"id":"toolu_1","name":"Read"}`,
/// `{"event":"identified","index":0,"id":"toolu_1"}`,
/// `{"event":"arguments_delta","index":0,"delta":"{\"pa"}`,
/// `{"event":"completed","index":0,"id":"toolu_1","name":"Read","arguments":"{\"path\":\"/\"}"}`,
/// `{"event":"failed","index":0,"error":"the arguments are not JSON"}`. An id that is not there is
/// left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolCallEvent {
    /// There is a call, and its name is complete.
    Named {
        /// Which call of the text it is, from 0, by the order of these events.
        index: usize,
        /// Its id, if that has come already.
        id: Option<String>,
        /// The name of the tool.
        name: String,
    },
    /// The id has come after the name.
    Identified {
        /// Which call.
        index: usize,
        /// Its id.
        id: String,
    },
    /// More of the JSON text of the arguments. All of these together are the
    /// [arguments](ToolCall::arguments).
    ArgumentsDelta {
        /// Which call.
        index: usize,
        /// The text, which may begin and end inside of any token.
        delta: String,
    },
    /// The call is complete.
    Completed(ToolCall),
    /// The call will not be completed.
    Failed {
        /// Which call.
        index: usize,
        /// Why not.
        error: ToolCallError,
    },
}

impl ToolCallEvent {
    /// Which call of the text it is about, from 0.
    #[must_use]
    pub const fn index(&self) -> usize {
        match self {
            Self::Named { index, .. }
            | Self::Identified { index, .. }
            | Self::ArgumentsDelta { index, .. }
            | Self::Failed { index, .. } => *index,
            Self::Completed(call) => call.index,
        }
    }
}

/// A tool call whose every byte has come, the end of its arguments and of its object included.
///
/// There is no way to make one but to receive the whole call, so whatever is executed from this is
/// what the model wrote to its end.
#[derive(Clone, PartialEq, Eq)]
pub struct ToolCall {
    pub(super) index: usize,
    pub(super) id: Option<String>,
    pub(super) name: String,
    /// One JSON value, which a parser has taken.
    pub(super) arguments: String,
}

impl ToolCall {
    /// Which call of the text it is, from 0.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// Its id, if it has one.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The name of the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The JSON text of the arguments, as the model wrote it.
    #[must_use]
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// The arguments as a `T`, as [`Value::deserialize`](crate::Value::deserialize) reads it.
    /// Linear in their length.
    ///
    /// # Errors
    ///
    /// If no `T` can be made of them. Pointers start from the arguments.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, DeserializeError> {
        Parser::read_whole(&self.arguments)
    }
}

/// Shows no payload but the name of the tool.
impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("index", &self.index)
            .field("name", &self.name)
            .field("argument_bytes", &self.arguments.len())
            .finish_non_exhaustive()
    }
}

impl Serialize for ToolCallEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut event = serializer.serialize_struct("ToolCallEvent", 5)?;
        let (kind, id) = match self {
            Self::Named { id, .. } => ("named", id.as_deref()),
            Self::Identified { id, .. } => ("identified", Some(id.as_str())),
            Self::ArgumentsDelta { .. } => ("arguments_delta", None),
            Self::Completed(call) => ("completed", call.id()),
            Self::Failed { .. } => ("failed", None),
        };
        event.serialize_field("event", kind)?;
        event.serialize_field("index", &self.index())?;
        match id {
            Some(id) => event.serialize_field("id", id)?,
            None => event.skip_field("id")?,
        }
        match self {
            Self::Named { name, .. } => event.serialize_field("name", name)?,
            Self::Identified { .. } => {}
            Self::ArgumentsDelta { delta, .. } => event.serialize_field("delta", delta)?,
            Self::Completed(call) => {
                event.serialize_field("name", call.name())?;
                event.serialize_field("arguments", call.arguments())?;
            }
            Self::Failed { error, .. } => event.serialize_field("error", &error.to_string())?,
        }
        event.end()
    }
}
