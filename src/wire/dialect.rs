//! The dialects and what they can express.

use core::fmt;
use core::str::FromStr;

/// A wire format in which clients of language models read a reply.
///
/// | dialect | [name](Self::as_str) | request | body | calls | finish reason | usage | error |
/// | --- | --- | --- | --- | --- | --- | --- | --- |
/// | `OpenAiChat` | `openai` | `POST /v1/chat/completions` | SSE | deltas | yes | yes | frame |
/// | `OpenAiResponses` | `responses` | `POST /v1/responses` | SSE | deltas | yes | yes | frames |
/// | `Anthropic` | `anthropic` | `POST /v1/messages` | SSE | deltas | yes | yes | frame |
/// | `UiMessages` | `ui` | `POST /api/chat` | SSE | deltas | yes | metadata | frame |
/// | `PlainText` | `text` | `POST` | text | none | none | none | the body is aborted |
/// | `AgUi` | `agui` | `POST` | SSE | deltas | none | none | frame |
/// | `Ollama` | `ollama` | `POST /api/chat` | NDJSON | complete ones | yes | yes | frame |
/// | `Gemini` | `gemini` | `POST …:stream…` | SSE | complete ones | yes | yes | frame |
///
/// The request of `Gemini` is `POST …:streamGenerateContent?alt=sse`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Dialect {
    /// The chunks of OpenAI's Chat Completions.
    OpenAiChat,
    /// The events of OpenAI's Responses.
    OpenAiResponses,
    /// The events of Anthropic's Messages.
    Anthropic,
    /// The UI message stream, version 1, of Vercel's AI SDK (`useChat`).
    UiMessages,
    /// The text alone: the text stream of Vercel's AI SDK (`useObject`, `useCompletion`).
    PlainText,
    /// The events of AG-UI 1.0.
    AgUi,
    /// The lines of Ollama's chat API.
    Ollama,
    /// The responses of Gemini's `streamGenerateContent`.
    Gemini,
}

/// How frames are delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// Server-sent events.
    Events,
    /// One JSON text a line.
    Lines,
    /// No frames: the text itself.
    Text,
}

/// Whether a reply that was cut off can end with an incomplete call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CutCall {
    /// With any call: an incomplete call has no last frame.
    Any,
    /// If it is the last call. OpenAI's client for JavaScript ends a call when the next one starts.
    Last,
    /// With none. Anthropic's clients close the brackets of the arguments and return the call.
    None,
}

/// What a dialect can express. The [writer](super::Writer) handles what it cannot.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the columns of a table")]
pub(super) struct Rules {
    pub(super) framing: Framing,
    /// Whether several parts, texts and calls, may be open at once.
    pub(super) interleaves: bool,
    pub(super) has_calls: bool,
    /// Whether a frame contains the complete arguments, so that they have to be kept.
    pub(super) keeps_arguments: bool,
    pub(super) has_data: bool,
    /// Whether an end can report that the reply was cut off by a limit.
    pub(super) has_cut_reply: bool,
    /// Whether that end is safe while a call is incomplete.
    pub(super) cut_call: CutCall,
    pub(super) has_error: bool,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 8] = [
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::UiMessages,
        Self::PlainText,
        Self::AgUi,
        Self::Ollama,
        Self::Gemini,
    ];

    /// Returns the short name, which [`FromStr`] reads.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai",
            Self::OpenAiResponses => "responses",
            Self::Anthropic => "anthropic",
            Self::UiMessages => "ui",
            Self::PlainText => "text",
            Self::AgUi => "agui",
            Self::Ollama => "ollama",
            Self::Gemini => "gemini",
        }
    }

    /// Returns the headers of a response in this dialect: its content type, and those that keep
    /// caches and proxies from buffering frames.
    ///
    /// ```
    /// use json_chunks::wire::Dialect;
    ///
    /// assert_eq!(Dialect::Ollama.headers()[0], ("content-type", "application/x-ndjson"));
    /// assert!(Dialect::UiMessages.headers().contains(&("x-vercel-ai-ui-message-stream", "v1")));
    /// ```
    #[must_use]
    pub const fn headers(self) -> &'static [(&'static str, &'static str)] {
        const CACHE: (&str, &str) = ("cache-control", "no-cache");
        const BUFFERING: (&str, &str) = ("x-accel-buffering", "no");
        const EVENTS: (&str, &str) = ("content-type", "text/event-stream");
        match self {
            Self::UiMessages => &[
                EVENTS,
                CACHE,
                BUFFERING,
                ("x-vercel-ai-ui-message-stream", "v1"),
            ],
            Self::PlainText => &[
                ("content-type", "text/plain; charset=utf-8"),
                CACHE,
                BUFFERING,
            ],
            Self::Ollama => &[("content-type", "application/x-ndjson"), CACHE, BUFFERING],
            Self::OpenAiChat
            | Self::OpenAiResponses
            | Self::Anthropic
            | Self::AgUi
            | Self::Gemini => &[EVENTS, CACHE, BUFFERING],
        }
    }

    pub(super) const fn rules(self) -> Rules {
        let all = Rules {
            framing: Framing::Events,
            interleaves: true,
            has_calls: true,
            keeps_arguments: false,
            has_data: false,
            has_cut_reply: true,
            cut_call: CutCall::Any,
            has_error: true,
        };
        match self {
            Self::OpenAiChat => Rules {
                interleaves: false,
                cut_call: CutCall::Last,
                ..all
            },
            Self::OpenAiResponses => Rules {
                interleaves: false,
                keeps_arguments: true,
                ..all
            },
            Self::Anthropic => Rules {
                interleaves: false,
                cut_call: CutCall::None,
                ..all
            },
            Self::UiMessages => Rules {
                keeps_arguments: true,
                has_data: true,
                ..all
            },
            Self::PlainText => Rules {
                framing: Framing::Text,
                has_calls: false,
                has_cut_reply: false,
                has_error: false,
                ..all
            },
            Self::AgUi => Rules {
                has_data: true,
                has_cut_reply: false,
                ..all
            },
            Self::Ollama => Rules {
                framing: Framing::Lines,
                keeps_arguments: true,
                ..all
            },
            Self::Gemini => Rules {
                keeps_arguments: true,
                ..all
            },
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Parses the [short name](Dialect::as_str).
impl FromStr for Dialect {
    type Err = ParseDialectError;

    fn from_str(text: &str) -> Result<Self, ParseDialectError> {
        let dialect = Self::ALL
            .into_iter()
            .find(|dialect| dialect.as_str() == text);
        dialect.ok_or(ParseDialectError(()))
    }
}

/// The text is not the name of a [`Dialect`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseDialectError(());

impl fmt::Display for ParseDialectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown dialect: expected")?;
        for (n, dialect) in Dialect::ALL.iter().enumerate() {
            write!(f, "{} {dialect}", if n == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for ParseDialectError {}
