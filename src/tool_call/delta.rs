//! What APIs stream of a call.

use alloc::string::String;
use core::fmt;

/// A piece of a tool call, as every API and SDK streams it: which call, and what is new of it.
///
/// An item of an SDK becomes one of these in a few lines; see the package `examples/sdks` for
/// `async-openai`, `anthropic-ai-sdk`, `rig`, `genai` and `ollama-rs`. [`ToolCalls`] puts them
/// together.
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
    /// Which call: the producer's own number, such as `index` of OpenAI's chat completions,
    /// `output_index` of its responses, the index of the content block of Anthropic's messages.
    pub index: usize,
    /// The id of the call, where this piece has it. An empty one counts as none.
    pub id: Option<String>,
    /// The complete name of the tool, where this piece has it. An empty one counts as none.
    pub name: Option<String>,
    /// More of the JSON text of the arguments; it may begin and end inside of any token.
    pub arguments: String,
    /// Whether the call has ended with this piece: the model has written all of it.
    pub ended: bool,
}

impl ToolCallDelta {
    /// Returns a piece of this call with nothing in it.
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

    /// Sets what is new of the JSON text of the arguments.
    #[must_use]
    pub fn arguments(mut self, text: impl Into<String>) -> Self {
        self.arguments = text.into();
        self
    }

    /// Sets that the call has ended with this piece. Only for an end that the API has announced
    /// (`content_block_stop`, `response.output_item.done`), never because nothing more arrives.
    #[must_use]
    pub const fn ended(mut self) -> Self {
        self.ended = true;
        self
    }

    /// Takes an empty id or name, which some producers send with every piece, for none.
    pub(super) fn normalized(mut self) -> Self {
        self.id = self.id.filter(|id| !id.is_empty());
        self.name = self.name.filter(|name| !name.is_empty());
        self
    }

    /// Whether the piece says nothing of a call but, at most, that it has ended.
    pub(super) fn is_empty(&self) -> bool {
        self.id.is_none() && self.name.is_none() && self.arguments.is_empty()
    }
}

/// Itself: the adapters of streams read their items by reference.
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
