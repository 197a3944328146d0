//! The shapes of calls: which objects are calls.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::config::fields;

/// Defines which members make an object a tool call. All names can be changed; start from a preset.
///
/// ```
/// use json_chunks::tool_call::ToolCallShape;
///
/// // Llama: {"name": "f", "parameters": {}}
/// let llama = ToolCallShape::plain().arguments("parameters");
/// // OpenAI's Responses: {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
/// let responses = ToolCallShape::plain().id("call_id").marker("type", "function_call");
/// // Gemini: {"functionCall": {"name": "f", "args": {}}}
/// let gemini = ToolCallShape::plain()
///     .inside("functionCall")
///     .arguments("args")
///     .arguments_optional(true);
/// // MCP: {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "f"}}
/// let mcp = ToolCallShape::plain()
///     .marker("method", "tools/call")
///     .inside("params")
///     .arguments_optional(true);
/// ```
///
/// Members may have any order, and there may be others. If one of these is repeated, the call
/// fails, because readers differ in which of the two they use.
///
/// The id is a string or a number; a number keeps its text. The arguments are any JSON value; if it
/// is a string, the string contains the JSON text of the arguments, as in OpenAI's API. An empty
/// string means [no arguments](Self::allow_empty_arguments), `{}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCallShape {
    name: Cow<'static, str>,
    id: Cow<'static, str>,
    arguments: Cow<'static, str>,
    marker: Option<(Cow<'static, str>, Cow<'static, str>)>,
    inside: Option<Cow<'static, str>>,
    arguments_optional: bool,
    empty_arguments: bool,
}

/// The role of a member in a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Other,
    Name,
    Id,
    Arguments,
    Marker,
    /// The object that contains the name and the arguments.
    Wrapper,
}

impl ToolCallShape {
    /// Returns `{"id", "name", "arguments"}`, as models write it themselves.
    #[must_use]
    pub const fn plain() -> Self {
        Self {
            name: Cow::Borrowed("name"),
            id: Cow::Borrowed("id"),
            arguments: Cow::Borrowed("arguments"),
            marker: None,
            inside: None,
            arguments_optional: false,
            empty_arguments: true,
        }
    }

    /// Returns `{"type": "tool_use", "id", "name", "input"}`, as in the `content` of Anthropic's
    /// messages.
    #[must_use]
    pub fn anthropic() -> Self {
        Self::plain().arguments("input").marker("type", "tool_use")
    }

    /// Returns `{"id", "type": "function", "function": {"name", "arguments"}}`, as in the
    /// `tool_calls` of OpenAI's chat completions.
    #[must_use]
    pub fn openai() -> Self {
        Self::plain().inside("function").marker("type", "function")
    }

    /// Sets the member that has the name of the tool.
    #[must_use]
    pub fn name(mut self, member: impl Into<Cow<'static, str>>) -> Self {
        self.name = member.into();
        self
    }

    /// Sets the member that has the id of the call.
    #[must_use]
    pub fn id(mut self, member: impl Into<Cow<'static, str>>) -> Self {
        self.id = member.into();
        self
    }

    /// Sets the member that has the arguments.
    #[must_use]
    pub fn arguments(mut self, member: impl Into<Cow<'static, str>>) -> Self {
        self.arguments = member.into();
        self
    }

    /// Sets the member that distinguishes calls from other objects, and its value in calls. An
    /// object with another value is not a call; one without that member may be.
    #[must_use]
    pub fn marker(
        mut self,
        member: impl Into<Cow<'static, str>>,
        value: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.marker = Some((member.into(), value.into()));
        self
    }

    /// Sets the member whose value is an object that has the name and the arguments; the marker is
    /// beside it, the id beside it or in it.
    #[must_use]
    pub fn inside(mut self, member: impl Into<Cow<'static, str>>) -> Self {
        self.inside = Some(member.into());
        self
    }

    /// Sets whether an object that ends without a member for arguments is a call with none, `{}`,
    /// as in MCP and in Gemini's API; `false` by default and in all presets. In APIs that always
    /// send arguments, an object without them is something else: the definition of a tool, or a
    /// call of another shape whose arguments have another name. For empty arguments see
    /// [`allow_empty_arguments`](Self::allow_empty_arguments).
    #[must_use]
    pub const fn arguments_optional(mut self, optional: bool) -> Self {
        self.arguments_optional = optional;
        self
    }

    /// Sets whether arguments in an empty or blank string are read as no arguments, `{}`; `true` by
    /// default and in all presets. With `false`, such a call fails: the string is not JSON.
    ///
    /// APIs that send arguments as a string send `""` for a tool that takes none. A string in a
    /// member called `delta` is never read as `{}`: that is the first frame of a streamed call,
    /// whose arguments are in the next frames.
    ///
    /// ```
    /// use json_chunks::tool_call::{ToolCallDetector, ToolCallEvent, ToolCallShape};
    ///
    /// let text = r#"{"name": "now", "arguments": ""}"#;
    /// let mut detector = ToolCallDetector::new(ToolCallShape::plain());
    /// let mut events = detector.push(text)?;
    /// assert!(events.any(|event| matches!(event, ToolCallEvent::Completed(call)
    ///     if call.arguments() == "{}")));
    /// drop(events);
    ///
    /// let strict = ToolCallShape::plain().allow_empty_arguments(false);
    /// let mut detector = ToolCallDetector::new(strict);
    /// let mut events = detector.push(text)?;
    /// assert!(events.any(|event| matches!(event, ToolCallEvent::Failed { .. })));
    /// # Ok::<(), json_chunks::Error>(())
    /// ```
    #[must_use]
    pub const fn allow_empty_arguments(mut self, allow: bool) -> Self {
        self.empty_arguments = allow;
        self
    }

    /// Returns the role of the member in the object of the call itself.
    pub(super) fn outer_role(&self, member: &str) -> Role {
        let marker = self.marker.as_ref().map(|(member, _)| member);
        if marker.is_some_and(|marker| marker == member) {
            Role::Marker
        } else if member == self.id {
            Role::Id
        } else {
            match &self.inside {
                Some(inside) if inside == member => Role::Wrapper,
                Some(_) => Role::Other,
                None => self.inner_role(member),
            }
        }
    }

    /// Returns the role of the member in the object that contains the name and the arguments.
    pub(super) fn inner_role(&self, member: &str) -> Role {
        if member == self.name {
            Role::Name
        } else if member == self.arguments {
            Role::Arguments
        } else if member == self.id {
            Role::Id
        } else {
            Role::Other
        }
    }

    pub(super) fn is_marked_by(&self, value: &str) -> bool {
        let marker = self.marker.as_ref().map(|(_, value)| value);
        marker.is_some_and(|marker| marker == value)
    }

    /// Returns whether an object with a name is almost certainly a call.
    pub(super) const fn is_telling(&self) -> bool {
        self.inside.is_some()
    }

    pub(super) const fn are_empty_arguments_allowed(&self) -> bool {
        self.empty_arguments
    }

    pub(super) const fn are_arguments_optional(&self) -> bool {
        self.arguments_optional
    }
}

// `marker` is the member and its value. All other options are those of `plain`.
fields!(ToolCallShape, "the shape of a tool call", ToolCallShape::plain(), {
    "name": String => |shape| shape.name.clone().into(), |shape, member| shape.name(member);
    "id": String => |shape| shape.id.clone().into(), |shape, member| shape.id(member);
    "arguments": String =>
        |shape| shape.arguments.clone().into(), |shape, member| shape.arguments(member);
    "marker": Option<(String, String)> =>
        |shape| shape.marker.clone().map(|(member, value)| (member.into(), value.into())),
        |shape, marker| ToolCallShape {
            marker: marker.map(|(member, value)| (member.into(), value.into())),
            ..shape
        };
    "inside": Option<String> =>
        |shape| shape.inside.clone().map(String::from),
        |shape, member| ToolCallShape { inside: member.map(Cow::from), ..shape };
    "arguments_optional": bool =>
        |shape| shape.arguments_optional, |shape, optional| shape.arguments_optional(optional);
    "allow_empty_arguments": bool =>
        |shape| shape.empty_arguments, |shape, allow| shape.allow_empty_arguments(allow);
});
