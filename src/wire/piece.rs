//! Pieces of a reply, independent of the dialect.

use alloc::borrow::ToOwned as _;
use alloc::string::{String, ToString as _};

use super::{Finish, Usage};
use crate::tool_call::{ToolCallDelta, ToolCallEvent};

/// A piece of a reply: more text, more of a tool call, or its end. The `Debug` text contains
/// payload.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece {
    /// More text. Never empty from a [`Reader`](super::Reader).
    Text(String),
    /// More of a tool call, or its end.
    Call(ToolCallDelta),
    /// A custom value: `data-{name}` of the UI message stream, `CUSTOM` of AG-UI.
    Data {
        /// Its name.
        name: String,
        /// Its JSON text.
        json: String,
    },
    /// The number of tokens. A [`Reader`](super::Reader) returns it directly before `Finish`.
    Usage(Usage),
    /// The end of the reply.
    Finish(Finish),
    /// The end of a reply that has failed.
    Failed {
        /// The code or type of the error, as the API sends it; empty if it sends none.
        code: String,
        /// The message of the error.
        message: String,
    },
}

impl From<String> for Piece {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Piece {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<ToolCallDelta> for Piece {
    fn from(delta: ToolCallDelta) -> Self {
        Self::Call(delta)
    }
}

/// A failed call becomes the failure of the reply, because no dialect can report that one call of
/// several must not be executed.
impl From<ToolCallEvent> for Piece {
    fn from(event: ToolCallEvent) -> Self {
        let delta = ToolCallDelta::new(event.index());
        Self::Call(match event {
            ToolCallEvent::Started { id, name, .. } => delta.id(id.unwrap_or_default()).name(name),
            ToolCallEvent::Identified { id, .. } => delta.id(id),
            ToolCallEvent::ArgumentsDelta { delta: json, .. } => delta.arguments(json),
            ToolCallEvent::Completed(_) => delta.ended(),
            ToolCallEvent::Failed { error, .. } => {
                return Self::Failed {
                    code: "invalid_tool_call".to_owned(),
                    message: error.to_string(),
                };
            }
        })
    }
}
