//! The pieces of a call that APIs stream.

use alloc::string::String;
use core::fmt;

/// A piece of a tool call, as APIs and SDKs stream it: the index of the call, and the new part.
///
/// An item of an SDK becomes one of these in a few lines; see the package `examples/sdks` for
/// `async-openai`, `anthropic-ai-sdk`, `rig`, `genai` and `ollama-rs`. [`ToolCalls`] assembles the
/// calls.
///
/// ```
/// use json_chunks::tool_call::ToolCallDelta;
///
/// // {"index":0,"id":"call_1","function":{"name":"read","arguments":""}}
/// let first = ToolCallDelta::new(0).id("call_1").name("read");
/// // {"index":0,"function":{"arguments":"{\"path\""}}
/// let next = ToolCallDelta::new(0).arguments("{\"path\"");
/// assert_eq!(first.name.as_deref(), Some("read"));
/// assert_eq!(next.arguments, "{\"path\"");
/// ```
///
/// `Debug` shows no arguments, only their size.
///
/// [`ToolCalls`]: super::ToolCalls
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolCallDelta {
    /// The index of the call: the producer's number, such as `index` of OpenAI's chat completions,
    /// `output_index` of its responses, the index of the content block of Anthropic's messages.
    pub index: usize,
    /// The id of the call, if this piece contains it. An empty one counts as none.
    pub id: Option<String>,
    /// The complete name of the tool, if this piece contains it. An empty one counts as none.
    pub name: Option<String>,
    /// More JSON text of the arguments, which may begin and end inside of any token.
    pub arguments: String,
    /// Whether the call ends with this piece: the model has written all of it.
    pub ended: bool,
}

impl ToolCallDelta {
    /// Returns an empty piece of the call with this index.
    #[must_use]
    pub fn new(index: usize) -> Self {
        Self {
            index,
            ..Self::default()
        }
    }

    /// Sets the id of the call. An empty one is none, so an SDK's `Option<String>` is passed with
    /// `unwrap_or_default()`.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into()).filter(|id| !id.is_empty());
        self
    }

    /// Sets the complete name of the tool. An empty one is none, as with [`id`](Self::id).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into()).filter(|name| !name.is_empty());
        self
    }

    /// Sets the new JSON text of the arguments.
    #[must_use]
    pub fn arguments(mut self, text: impl Into<String>) -> Self {
        self.arguments = text.into();
        self
    }

    /// Marks the call as ended with this piece. Use it only for an end that the API has reported
    /// (`content_block_stop`, `response.output_item.done`), never because nothing more arrives.
    #[must_use]
    pub const fn ended(mut self) -> Self {
        self.ended = true;
        self
    }

    /// Removes an empty id or name, which some producers send with every piece.
    pub(super) fn normalized(mut self) -> Self {
        self.id = self.id.filter(|id| !id.is_empty());
        self.name = self.name.filter(|name| !name.is_empty());
        self
    }

    /// Returns whether the piece contains nothing except, possibly, the end of the call.
    pub(super) fn is_empty(&self) -> bool {
        self.id.is_none() && self.name.is_none() && self.arguments.is_empty()
    }
}

/// Returns the delta itself, because the stream adapters read their items by reference.
impl AsRef<Self> for ToolCallDelta {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl fmt::Debug for ToolCallDelta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCallDelta")
            .field("index", &self.index)
            .field("id", &self.id)
            .field("name", &self.name)
            .field("argument_bytes", &self.arguments.len())
            .field("ended", &self.ended)
            .finish()
    }
}
