//! Frames: the units of a reply on the wire.

use alloc::collections::VecDeque;
use alloc::string::{String, ToString as _};
use core::fmt;

use super::dialect::Framing;
use crate::sse::SseEvent;

/// One frame of a reply: a server-sent event, a line, or a piece of text, depending on the dialect.
/// `Display` writes its bytes, including the line breaks at the end.
///
/// Line breaks are LF only, and the data of an event is one line: `@ag-ui/client` fails on CRLF.
///
/// ```
/// use json_chunks::sse::SseEvent;
/// use json_chunks::wire::{Dialect, ReplyHead, Writer};
///
/// let mut writer = Writer::new(Dialect::Anthropic, ReplyHead::new("msg_1", "kanazawa-1"));
/// writer.text("Hi")?;
/// let frame = writer.frames().last().expect("text has a frame");
/// let data =
///     r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}"#;
/// assert_eq!(frame.name(), Some("content_block_delta"));
/// assert_eq!(frame.data(), data);
/// assert_eq!(frame.to_string(), format!("event: content_block_delta\ndata: {data}\n\n"));
/// assert_eq!(SseEvent::from(frame).data(), data);
/// # Ok::<(), json_chunks::wire::WriteError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    framing: Framing,
    name: Option<&'static str>,
    data: String,
}

impl Frame {
    /// Returns the name of the event, in dialects that have names.
    #[must_use]
    pub const fn name(&self) -> Option<&'static str> {
        self.name
    }

    /// Returns the data of the event, the line without its end, or the piece of text.
    #[must_use]
    pub fn data(&self) -> &str {
        &self.data
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let data = &self.data;
        match (self.framing, self.name) {
            (Framing::Events, Some(name)) => write!(f, "event: {name}\ndata: {data}\n\n"),
            (Framing::Events, None) => write!(f, "data: {data}\n\n"),
            (Framing::Lines, _) => writeln!(f, "{data}"),
            (Framing::Text, _) => f.write_str(data),
        }
    }
}

/// Converts the frame to its text on the wire.
impl From<Frame> for String {
    fn from(frame: Frame) -> Self {
        match frame.framing {
            Framing::Text => frame.data,
            Framing::Events | Framing::Lines => frame.to_string(),
        }
    }
}

/// Converts the frame to an event, for a log or a framework that writes events.
///
/// An event without a name has to be written without an `event:` line, and for
/// [`Gemini`](super::Dialect::Gemini) without an `id:` line: otherwise its client for JavaScript
/// yields nothing, and reports no error. Frames of [`Ollama`](super::Dialect::Ollama) and
/// [`PlainText`](super::Dialect::PlainText) are not events on the wire; a log may store them as
/// events.
impl From<Frame> for SseEvent {
    fn from(frame: Frame) -> Self {
        match frame.name {
            Some(name) => Self::named(name, frame.data),
            None => Self::new(frame.data),
        }
    }
}

/// Shows the name and the size, without the payload.
impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frame")
            .field("name", &self.name)
            .field("data_bytes", &self.data.len())
            .finish_non_exhaustive()
    }
}

/// The frames that have been written and not yet taken.
#[derive(Debug)]
pub(super) struct Output {
    framing: Framing,
    frames: VecDeque<Frame>,
}

impl Output {
    pub(super) const fn new(framing: Framing) -> Self {
        Self {
            framing,
            frames: VecDeque::new(),
        }
    }

    /// Adds a frame without a name.
    pub(super) fn push(&mut self, data: String) {
        self.push_named(None, data);
    }

    /// Adds a frame. `data` is one line, except for plain text.
    pub(super) fn push_named(&mut self, name: Option<&'static str>, data: String) {
        debug_assert!(
            self.framing == Framing::Text || !data.contains(['\n', '\r']),
            "the data of a frame is one line"
        );
        self.frames.push_back(Frame {
            framing: self.framing,
            name,
            data,
        });
    }

    pub(super) fn pop(&mut self) -> Option<Frame> {
        self.frames.pop_front()
    }

    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }
}
