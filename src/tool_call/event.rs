//! The events of calls.

use alloc::string::{String, ToString as _};
use core::fmt;

use serde_core::de::DeserializeOwned;
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::error::ToolCallError;
use crate::document::DeserializeError;
use crate::parser::Parser;

/// An event of a tool call. The `Debug` text contains payload.
///
/// As JSON it is one object, with the names of the fields; the arguments are a string:
/// `{"event":"started","index":0,"id":"toolu_1","name":"Read"}`,
/// `{"event":"identified","index":0,"id":"toolu_1"}`,
/// `{"event":"arguments_delta","index":0,"delta":"{\"pa"}`,
/// `{"event":"completed","index":0,"id":"toolu_1","name":"Read","arguments":"{\"path\":\"/\"}"}`,
/// `{"event":"failed","index":0,"error":"the arguments are not JSON"}`. A missing id is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolCallEvent {
    /// A call has started, and its name is complete.
    Started {
        /// The index of the call in the text, from 0, in the order of these events; from
        /// [`ToolCalls`](super::ToolCalls) the index of its deltas.
        index: usize,
        /// The id, if it precedes the name.
        id: Option<String>,
        /// The name of the tool.
        name: String,
    },
    /// The id of a call whose name preceded it.
    Identified {
        /// Which call.
        index: usize,
        /// Its id.
        id: String,
    },
    /// More JSON text of the arguments. All deltas concatenated are the
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
    /// Returns the index of the call: in the text, from 0, or that of its
    /// [deltas](super::ToolCallDelta::index).
    #[must_use]
    pub const fn index(&self) -> usize {
        match self {
            Self::Started { index, .. }
            | Self::Identified { index, .. }
            | Self::ArgumentsDelta { index, .. }
            | Self::Failed { index, .. } => *index,
            Self::Completed(call) => call.index,
        }
    }
}

/// A tool call that has been received completely, including the end of its arguments and of its
/// object.
///
/// It is created only from a completely received call, so a program that executes it never acts on
/// a truncated one.
#[derive(Clone, PartialEq, Eq)]
pub struct ToolCall {
    pub(super) index: usize,
    pub(super) id: Option<String>,
    pub(super) name: String,
    /// One JSON value, validated by a parser.
    pub(super) arguments: String,
}

impl ToolCall {
    /// Returns the index of the call: in the text, from 0, or that of its
    /// [deltas](super::ToolCallDelta::index).
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// Returns the id, if there is one.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the name of the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the JSON text of the arguments, as the model wrote it; `{}` if there were none and
    /// the [shape](super::ToolCallShape) allows that.
    #[must_use]
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// Deserializes the arguments, as [`Value::deserialize`](crate::document::Value::deserialize)
    /// does. Linear in their length.
    ///
    /// # Errors
    ///
    /// If the arguments are not a `T`. Pointers start from the arguments.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, DeserializeError> {
        Parser::read_whole(&self.arguments)
    }
}

/// Omits the payload except for the name of the tool.
impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("index", &self.index)
            .field("name", &self.name)
            .field("argument_bytes", &self.arguments.len())
            .finish_non_exhaustive()
    }
}

/// Serializes like its event, without `event`: `index`, `id`, `name` and `arguments`, which are a
/// string.
impl Serialize for ToolCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut call = serializer.serialize_struct("ToolCall", 4)?;
        call.serialize_field("index", &self.index)?;
        match &self.id {
            Some(id) => call.serialize_field("id", id)?,
            None => call.skip_field("id")?,
        }
        call.serialize_field("name", &self.name)?;
        call.serialize_field("arguments", &self.arguments)?;
        call.end()
    }
}

impl Serialize for ToolCallEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut event = serializer.serialize_struct("ToolCallEvent", 5)?;
        let (kind, id) = match self {
            Self::Started { id, .. } => ("started", id.as_deref()),
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
            Self::Started { name, .. } => event.serialize_field("name", name)?,
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
