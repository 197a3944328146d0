//! Reads the frames of a dialect and returns the pieces of the reply.

mod ag_ui;
mod anthropic;
mod chat;
mod frames;
mod gemini;
mod ollama;
mod reply;
mod responses;
mod ui;

use alloc::string::String;
use core::fmt;

use super::{Dialect, Finish, Piece};
use crate::error::{Error, Reason};
use crate::json::Utf8Decoder;
use crate::limits::Limits;
use crate::parser::Parser;
use frames::{Frames, Line};
use reply::Reply;

/// Reads the body of a reply of an API, or a recording of one, and returns the text and the tool
/// calls in it.
///
/// Frames are server-sent events (WHATWG HTML, section 9.2), or lines of JSON (NDJSON); both are
/// recognized. The bytes may be split anywhere. Frames of other types, unknown members and comments
/// are ignored.
///
/// ```
/// use json_chunks::tool_call::{ToolCallEvent, ToolCalls};
/// use json_chunks::wire::{Dialect, Piece, Reader};
///
/// let body = concat!(
///     r#"data: {"choices":[{"index":0,"delta":{"content":"One moment."}}]}"#, "\n\n",
///     r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","#,
///     r#""function":{"name":"read","arguments":"{\"path\""}}]}}]}"#, "\n\n",
///     r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"#,
///     r#""function":{"arguments":": \"/\"}"}}]}}]}"#, "\n\n",
///     r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#, "\n\n",
///     "data: [DONE]\n\n",
/// );
/// let mut reader = Reader::new(Dialect::OpenAiChat);
/// let mut calls = ToolCalls::new();
/// let mut log = String::new();
/// for bytes in body.as_bytes().chunks(16) {
///     for piece in reader.push(bytes) {
///         match piece? {
///             Piece::Text(text) => log += &text,
///             Piece::Call(delta) => {
///                 for event in calls.push(delta)? {
///                     if let ToolCallEvent::Completed(call) = event {
///                         log += &format!(" {}({})", call.name(), call.arguments());
///                     }
///                 }
///             }
///             _ => {}
///         }
///     }
/// }
/// assert!(reader.finish().all(|piece| piece.is_ok()));
/// assert_eq!(log, r#"One moment. read({"path": "/"})"#);
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// # Pieces
///
/// Text, calls and data in the order of the frames, then the [`Usage`](Piece::Usage) if there is
/// any, and one [`Finish`](Piece::Finish) or one [`Failed`](Piece::Failed); nothing follows that.
/// If there are several choices, the first is read.
///
/// A call [ends](crate::tool_call::ToolCallDelta::ended) where the API reports it: at the end of
/// its item, block or part, in chat completions with the finish reason. A reply that was cut off,
/// for example by the token limit, does not end an incomplete call. Because some APIs end the block
/// of a call before they report that it was cut off, a call without arguments ends only with the
/// reply. The index of a call is that of the API, if it has one, otherwise its position among the
/// calls, from 0.
///
/// In [`OpenAiChat`](Dialect::OpenAiChat) and [`Gemini`](Dialect::Gemini) the usage may follow the
/// finish reason, so `Finish` waits for `[DONE]` or the end of the body. In
/// [`PlainText`](Dialect::PlainText) the end of the body is the only end: do not call
/// [`finish`](Self::finish) if the body was aborted.
///
/// # Errors
///
/// An unusable frame is yielded as an error in its place. If it is not JSON, the error is that of
/// the [`Parser`] ([`ErrorKind::Syntax`](crate::error::ErrorKind::Syntax) and others), with the
/// offset from the start of the body. The next frames are read, unless it exceeds the limits. A
/// body that ends before the last frame of its reply is an error of kind
/// [`Incomplete`](crate::error::ErrorKind::Incomplete) from [`finish`](Self::finish): the reply was
/// lost, and the received part is not the answer.
///
/// # Cost
///
/// Linear in the body. One frame at a time is kept.
#[derive(Clone)]
pub struct Reader {
    dialect: Dialect,
    limits: Limits,
    frames: Frames,
    /// Decodes the characters of plain text.
    utf8: Utf8Decoder,
    /// The number of bytes of plain text that have been returned.
    text_bytes: usize,
    /// Whether the body may have been cut off after the last push.
    is_interrupted: bool,
    parser: Parser,
    reply: Reply,
}

impl Reader {
    /// Creates a reader of the body of a reply in this dialect.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            limits: Limits::default(),
            frames: Frames::default(),
            utf8: Utf8Decoder::default(),
            text_bytes: 0,
            is_interrupted: false,
            parser: Parser::new(),
            reply: Reply::default(),
        }
    }

    /// Sets limits on each frame.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.parser = self.parser.limits(limits);
        self
    }

    /// Reads the next bytes of the body and returns the pieces in them. Pieces that are not
    /// consumed are dropped.
    pub fn push(&mut self, bytes: impl AsRef<[u8]>) -> impl Iterator<Item = Result<Piece, Error>> {
        self.take(bytes.as_ref());
        self.reply.pieces.drain(..)
    }

    fn take(&mut self, mut bytes: &[u8]) {
        self.is_interrupted &= bytes.is_empty();
        if self.dialect == Dialect::PlainText {
            return self.take_text(bytes);
        }
        let limit = self.limits.document_bytes as usize;
        while !self.reply.is_over
            && let Some(line) = self.frames.next(&mut bytes, limit)
        {
            match line {
                Ok(line) => self.read(&line),
                Err(error) => {
                    self.reply.pieces.push_back(Err(error));
                    self.reply.is_over = true;
                }
            }
        }
    }

    fn take_text(&mut self, bytes: &[u8]) {
        if self.reply.is_over {
            return;
        }
        let mut text = String::new();
        let valid = self.utf8.append(bytes, &mut text);
        self.reply.text(&text);
        if let Err(error) = valid {
            let error = error.moved_by(self.text_bytes);
            self.reply.pieces.push_back(Err(error));
            self.reply.is_over = true;
        }
        self.text_bytes += text.len();
    }

    /// Ends the body and returns the last pieces, or an error if the reply has not ended.
    pub fn finish(&mut self) -> impl Iterator<Item = Result<Piece, Error>> {
        if self.dialect == Dialect::PlainText && !self.reply.is_over {
            match self.utf8.finish(self.text_bytes) {
                // The error follows below.
                Ok(()) if self.is_interrupted => {}
                Ok(()) => self.reply.finish(Finish::Stop, false),
                Err(error) => {
                    self.reply.pieces.push_back(Err(error));
                    self.reply.is_over = true;
                }
            }
        }
        while let Some(line) = self.frames.finish() {
            self.read(&line);
        }
        self.reply.conclude();
        if !self.reply.is_over {
            // The body ends inside a frame: `data: {"cho`. The error of the frame reports the same.
            let last = self.reply.pieces.back();
            let in_frame = matches!(last, Some(Err(error)) if error.is_incomplete());
            if !in_frame {
                let read = self.frames.offset() + self.text_bytes;
                let error = Error::new(Reason::Incomplete, read);
                self.reply.pieces.push_back(Err(error));
            }
            self.reply.is_over = true;
        }
        self.reply.pieces.drain(..)
    }

    /// Records that the source of the body has failed. If the end follows, it completes nothing.
    #[cfg(feature = "stream")]
    pub(crate) const fn interrupt(&mut self) {
        self.is_interrupted = true;
    }

    /// Returns how many bytes have been read.
    #[cfg(feature = "stream")]
    pub(crate) const fn offset(&self) -> usize {
        self.frames.offset() + self.text_bytes
    }

    /// Returns the maximum duration of a stream, for the adapters, which have a clock.
    #[cfg(feature = "stream")]
    pub(crate) const fn time_limit(&self) -> Option<core::time::Duration> {
        self.limits.duration
    }

    /// Returns whether the last frame of the reply has been read.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.reply.is_over
    }

    /// Resets the reader for another body, keeping its options.
    pub fn reset(&mut self) {
        *self = Self::new(self.dialect).limits(self.limits);
    }

    fn read(&mut self, line: &Line) {
        if self.reply.is_over {
            return;
        }
        if line.data.trim_ascii() == b"[DONE]" {
            return self.reply.conclude();
        }
        self.parser.reset();
        let read = self.parser.push(&line.data).map(drop);
        let read = read.and_then(|()| self.parser.finish().map(drop));
        match (read, self.parser.root()) {
            (Err(error), _) => {
                let error = error.with_hint(None).moved_by(line.offset);
                self.reply.pieces.push_back(Err(error));
            }
            (Ok(()), Some(frame)) => {
                let read = match self.dialect {
                    Dialect::OpenAiChat => chat::read,
                    Dialect::OpenAiResponses => responses::read,
                    Dialect::Anthropic => anthropic::read,
                    Dialect::UiMessages => ui::read,
                    Dialect::AgUi => ag_ui::read,
                    Dialect::Ollama => ollama::read,
                    Dialect::Gemini => gemini::read,
                    Dialect::PlainText => return,
                };
                read(&mut self.reply, frame);
            }
            (Ok(()), None) => {}
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("dialect", &self.dialect)
            .field("bytes", &self.frames.offset())
            .field("over", &self.reply.is_over)
            .finish_non_exhaustive()
    }
}
