//! The parts of a reply besides its content: its head, the reason for its end, the number of
//! tokens.

use alloc::string::String;

/// The values that all frames of one reply share. The caller chooses them, because the writer has
/// neither a clock nor random numbers.
///
/// ```
/// use json_chunks::wire::ReplyHead;
///
/// let head = ReplyHead::new("chatcmpl-7d1c", "kanazawa-1").created(1_763_805_600);
/// assert_eq!(head.id, "chatcmpl-7d1c");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplyHead {
    /// The id of the reply, which has to be unique. The ids of its texts, and of calls that have
    /// none, start with it or end in it.
    pub id: String,
    /// The name of the model.
    pub model: String,
    /// When the reply was created, in seconds since 1970-01-01T00:00:00Z.
    pub created: u64,
    /// The id of the conversation, which AG-UI calls thread; the id of the reply by default.
    pub thread: Option<String>,
    /// The number of tokens of the request, if it is known before the reply. Anthropic's first
    /// frame contains it.
    pub input_tokens: u64,
}

impl ReplyHead {
    /// Returns the head of a reply with this id, of this model, created at time 0.
    #[must_use]
    pub fn new(id: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            model: model.into(),
            ..Self::default()
        }
    }

    /// Sets when the reply was created, in seconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn created(mut self, seconds: u64) -> Self {
        self.created = seconds;
        self
    }

    /// Sets the id of the conversation (AG-UI).
    #[must_use]
    pub fn thread(mut self, id: impl Into<String>) -> Self {
        self.thread = Some(id.into());
        self
    }

    /// Sets the number of tokens of the request (Anthropic).
    #[must_use]
    pub const fn input_tokens(mut self, tokens: u64) -> Self {
        self.input_tokens = tokens;
        self
    }
}

/// Why a model ended its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Finish {
    /// The reply is complete.
    Stop,
    /// The reply is complete, and waits for the results of its calls.
    ToolCalls,
    /// The reply was cut off by its token limit.
    Length,
    /// The reply was cut off because of its content.
    ContentFilter,
}

impl Finish {
    /// Returns the reason as OpenAI's Chat Completions spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::ToolCalls => "tool_calls",
            Self::Length => "length",
            Self::ContentFilter => "content_filter",
        }
    }

    /// Returns whether the reply was cut off, so that its text and its last call may be incomplete.
    #[must_use]
    pub const fn is_cut(self) -> bool {
        matches!(self, Self::Length | Self::ContentFilter)
    }

    /// Returns why the reply is incomplete, for dialects where that is an error.
    pub(super) const fn message(self) -> &'static str {
        match self {
            Self::Stop | Self::ToolCalls => "the reply ended",
            Self::Length => "the reply was cut off by the limit of its tokens",
            Self::ContentFilter => "the reply was cut off because of its content",
        }
    }
}

/// The numbers of tokens of a request and its reply.
///
/// ```
/// use json_chunks::wire::Usage;
///
/// let usage = Usage::new(120, 80).cached_tokens(100);
/// assert_eq!(usage.total_tokens(), 200);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Usage {
    /// The tokens of the request, including those read from a cache.
    pub input_tokens: u64,
    /// The tokens of the reply, including those of its reasoning.
    pub output_tokens: u64,
    /// The tokens of the request that were read from a cache.
    pub cached_tokens: u64,
    /// The tokens of the reply that are reasoning.
    pub reasoning_tokens: u64,
}

impl Usage {
    /// Returns the usage of a request and a reply with these numbers of tokens.
    #[must_use]
    pub const fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self {
            input_tokens,
            output_tokens,
            cached_tokens: 0,
            reasoning_tokens: 0,
        }
    }

    /// Sets the number of tokens of the request that were read from a cache.
    #[must_use]
    pub const fn cached_tokens(mut self, tokens: u64) -> Self {
        self.cached_tokens = tokens;
        self
    }

    /// Sets the number of tokens of the reply that are reasoning.
    #[must_use]
    pub const fn reasoning_tokens(mut self, tokens: u64) -> Self {
        self.reasoning_tokens = tokens;
        self
    }

    /// Returns the sum of the tokens of the request and of the reply.
    #[must_use]
    pub const fn total_tokens(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}
