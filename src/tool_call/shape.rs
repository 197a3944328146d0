//! What a call looks like.

use alloc::borrow::Cow;

/// Which members make an object a tool call. All names are free to choose; start from a preset.
///
/// ```
/// use json_chunks::ToolCallShape;
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
/// Members may come in any order, and others may be there. If one of these is there twice, the
/// call fails: readers differ in which of the two counts.
///
/// The id is a string or a number; a number is given as it is written. The arguments are any JSON
/// value; if it is a string, that holds the JSON text of the arguments, as OpenAI does it. An
/// empty string holds none, so that call fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCallShape {
    name: Cow<'static, str>,
    id: Cow<'static, str>,
    arguments: Cow<'static, str>,
    marker: Option<(Cow<'static, str>, Cow<'static, str>)>,
    inside: Option<Cow<'static, str>>,
    arguments_optional: bool,
}

/// What a member is to a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Other,
    Name,
    Id,
    Arguments,
    Marker,
    /// The object that name and arguments are in.
    Function,
}

impl ToolCallShape {
    /// `{"id", "name", "arguments"}`, as models write it themselves.
    #[must_use]
    pub const fn plain() -> Self {
        Self {
            name: Cow::Borrowed("name"),
            id: Cow::Borrowed("id"),
            arguments: Cow::Borrowed("arguments"),
            marker: None,
            inside: None,
            arguments_optional: false,
        }
    }

    /// `{"type": "tool_use", "id", "name", "input"}`, as in the `content` of Anthropic's messages.
    #[must_use]
    pub fn anthropic() -> Self {
        Self::plain().arguments("input").marker("type", "tool_use")
    }

    /// `{"id", "type": "function", "function": {"name", "arguments"}}`, as in the `tool_calls` of
    /// OpenAI's chat completions.
    #[must_use]
    pub fn openai() -> Self {
        Self::plain().inside("function").marker("type", "function")
    }

    /// The member that has the name of the tool.
    #[must_use]
    pub fn name(mut self, member: impl Into<Cow<'static, str>>) -> Self {
        self.name = member.into();
        self
    }

    /// The member that has the id of the call.
    #[must_use]
    pub fn id(mut self, member: impl Into<Cow<'static, str>>) -> Self {
        self.id = member.into();
        self
    }

    /// The member that has the arguments.
    #[must_use]
    pub fn arguments(mut self, member: impl Into<Cow<'static, str>>) -> Self {
        self.arguments = member.into();
        self
    }

    /// The member that tells calls from other objects, and what it says in calls. An object that
    /// says something else is no call; one without that member may be.
    #[must_use]
    pub fn marker(
        mut self,
        member: impl Into<Cow<'static, str>>,
        value: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.marker = Some((member.into(), value.into()));
        self
    }

    /// The member whose value is an object that has the name and the arguments, while the marker
    /// is beside it. The id may be here or there.
    #[must_use]
    pub fn inside(mut self, member: impl Into<Cow<'static, str>>) -> Self {
        self.inside = Some(member.into());
        self
    }

    /// Whether an object that ends without arguments is a call with none, `{}`, as in MCP and in
    /// Gemini's API; `false` by default. Where they are always sent, `{}` if need be, an object
    /// without is something else: the definition of a tool, or a call of some other shape whose
    /// arguments have another name.
    #[must_use]
    pub const fn arguments_optional(mut self, optional: bool) -> Self {
        self.arguments_optional = optional;
        self
    }

    /// What the member is in the call's own object.
    pub(super) fn outer_role(&self, member: &str) -> Role {
        let marker = self.marker.as_ref().map(|(member, _)| member);
        if marker.is_some_and(|marker| marker == member) {
            Role::Marker
        } else if member == self.id {
            Role::Id
        } else {
            match &self.inside {
                Some(inside) if inside == member => Role::Function,
                Some(_) => Role::Other,
                None => self.inner_role(member),
            }
        }
    }

    /// What the member is in the object that has the name and the arguments.
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

    /// Whether an object with a name can hardly be anything but a call.
    pub(super) const fn is_telling(&self) -> bool {
        self.inside.is_some()
    }

    pub(super) const fn are_arguments_optional(&self) -> bool {
        self.arguments_optional
    }
}
