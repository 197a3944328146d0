//! Writes a reply in a dialect.
//!
//! The writer decides which step is next, in an order that every client of the dialect reads; the
//! `Encoder` of the dialect writes the frames of that step.
//!
//! # For maintainers
//!
//! | file | has |
//! | --- | --- |
//! | `dialect` | what each dialect can express, as a table of `Rules` |
//! | `writer` | the operations of a reply, for all dialects |
//! | `writer/calls` | those of its calls |
//! | `writer/end` | the end of a reply: complete, cut off, or failed |
//! | `writer/parts` | the texts and calls of a reply: which is open, and which wait |
//! | `writer/call` | whether the arguments of a call are complete JSON |
//! | `writer/pieces` | pieces of a reply, in any order that SDKs have, to steps |
//! | `writer/encoder` | the steps, as a trait with an implementation for each dialect |
//! | `writer/{chat, responses, …}` | the frames of a step, one file for each dialect |
//! | `reader`, `reader/frames` | pieces of a reply from frames, frames from bytes |
//! | `reader/{chat, responses, …}` | the pieces in a frame, one file for each dialect |
//! | `frame`, `object` | frames, and the JSON objects in them |
//!
//! The states of a call, in a dialect where parts interleave and in one where they do not:
//!
//! | state | event | next |
//! | --- | --- | --- |
//! | none | `call`, parts interleave or no other part is open | `Open`: its first frame |
//! | none | `call`, another part is open | `Waiting` |
//! | `Waiting` | the part before it has ended | `Open`: its first frame, and the arguments so far |
//! | `Open` | `arguments` | `Open`: a delta |
//! | `Open` | `call_end`, or terminated arguments while a part waits | `Closed`: its last frame |
//! | `Waiting`, `Open` | `finish` after a cut, `fail` | none: no last frame |
//!
//! Invariants, which the tests check for random replies in every dialect: at most one text is open;
//! where parts don't interleave nothing waits unless a call is open; an operation that returns an
//! error has written nothing; a last frame is written only after the arguments were accepted by
//! [`ArgumentsCheck`](call::ArgumentsCheck).
//!
//! A new dialect takes a variant of [`Dialect`] with its rows in `as_str`, `headers` and `rules`, a
//! file in `writer` and one in `reader`, and a reply in the table of the tests. Before a frame or a
//! field is left out, serve it to the real clients.

mod ag_ui;
mod anthropic;
mod call;
mod calls;
mod chat;
mod encoder;
mod end;
mod gemini;
mod ollama;
mod parts;
mod pieces;
mod responses;
mod text;
mod ui;

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use super::dialect::Rules;
use super::frame::Output;
use super::{Dialect, Frame, ReplyHead, WriteError};
use crate::json::validate;
use crate::limits::Limits;
use call::Call;
use encoder::{Encoder, encoder};
use parts::{Part, WaitingPart};
use pieces::Held;

/// Writes one reply as the frames that clients of a [`Dialect`] read.
///
/// Texts and calls are added as a model emits them; the writer opens and closes the parts that the
/// dialect divides them into. What has been written is taken as [`frames`](Self::frames) or as the
/// [bytes](Self::take_body) of the body. A machine without I/O, clock or random numbers.
///
/// ```
/// use json_chunks::wire::{Dialect, Finish, ReplyHead, Usage, Writer};
///
/// let head = ReplyHead::new("chatcmpl-1", "kanazawa-1").created(1_763_805_600);
/// let mut writer = Writer::new(Dialect::OpenAiChat, head);
/// writer.text("Three days ")?;
/// writer.text("in Kanazawa")?;
/// writer.call(0, "call_1", "save")?;
/// writer.arguments(0, r#"{"days":"#)?;
/// writer.arguments(0, "3}")?;
/// writer.call_end(0)?;
/// writer.finish(Finish::ToolCalls, Some(Usage::new(12, 9)))?;
///
/// let body = writer.take_body();
/// assert!(body.starts_with(r#"data: {"id":"chatcmpl-1","object":"chat.completion.chunk","#));
/// assert!(body.contains(r#""delta":{"content":"Three days "},"#));
/// assert!(body.ends_with("data: [DONE]\n\n"));
/// # Ok::<(), json_chunks::wire::WriteError>(())
/// ```
///
/// # Rules
///
/// Found by serving each frame and each field to the clients, and leaving it out.
///
/// 1. Nothing follows [`finish`](Self::finish) or [`fail`](Self::fail): every later call returns
///    [`WriteError::Ended`], and writes nothing.
/// 2. A reply whose source was lost never ends cleanly. Clients take any clean end for success, and
///    return half an object or half a call, so call [`fail`](Self::fail). A writer that is dropped
///    writes nothing. Text is not checked: if it is JSON that a parser says is incomplete, call
///    `finish` with `Finish::Length` if the model has reported its token limit, and `fail`
///    otherwise, because `Finish::Stop` says that the reply is complete.
/// 3. A call ends only if its arguments are complete JSON. An error or a cut writes no end of a
///    part, call or reply.
/// 4. The concatenated text deltas are the text; the concatenated deltas of a call are its
///    arguments. Empty ones have no frame.
/// 5. Parts interleave where the clients allow it. In `OpenAiChat`, `OpenAiResponses` and
///    `Anthropic` one part is open at a time: what is added to another one waits until that has
///    ended. It has ended with [`call_end`](Self::call_end), or when its arguments are terminated
///    and another part waits. In `Ollama` and `Gemini` a call is written when it ends.
///
/// # Cost
///
/// Linear in the text and the arguments. Memory: the frames that have not been taken, and what has
/// to wait or be repeated: in `OpenAiResponses` the reply, in `UiMessages`, `Ollama` and `Gemini`
/// the arguments of the calls that have not ended, otherwise some 300 bytes for each call.
pub struct Writer {
    dialect: Dialect,
    rules: Rules,
    limits: Limits,
    id: String,
    phase: WriterPhase,
    encoder: Box<dyn Encoder>,
    /// In the order in which they were started.
    calls: Vec<Call>,
    /// The last call with each of the caller's indexes.
    by_index: BTreeMap<usize, usize>,
    /// The ids of the calls, as they are written.
    ids: BTreeSet<String>,
    /// What [`push`](Self::push) holds back.
    held: Held,
    /// The part that is open. Where parts interleave, only whether a text is.
    open: Option<Part>,
    /// The parts that wait for the end of the open one; empty where parts interleave.
    waiting: VecDeque<WaitingPart>,
    out: Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WriterPhase {
    /// Nothing has been written.
    New,
    Writing,
    /// After `finish` or `fail`.
    Ended {
        must_abort: bool,
    },
}

impl Writer {
    /// Returns a writer for one reply in this dialect.
    #[must_use]
    pub fn new(dialect: Dialect, head: ReplyHead) -> Self {
        let rules = dialect.rules();
        Self {
            dialect,
            rules,
            limits: Limits::default(),
            id: head.id.clone(),
            phase: WriterPhase::New,
            encoder: encoder(dialect, head),
            calls: Vec::new(),
            by_index: BTreeMap::new(),
            ids: BTreeSet::new(),
            held: Held::default(),
            open: None,
            waiting: VecDeque::new(),
            out: Output::new(rules.framing),
        }
    }

    /// Sets limits on the nesting and on the size of the arguments of each call.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Writes the first frames of the reply, if the dialect has any, before there is any content.
    /// Does nothing if the reply has started: all other methods start it, too.
    ///
    /// # Errors
    ///
    /// If the reply has ended.
    pub fn start(&mut self) -> Result<(), WriteError> {
        match self.phase {
            WriterPhase::New => {
                self.phase = WriterPhase::Writing;
                self.encoder.start(&mut self.out);
                Ok(())
            }
            WriterPhase::Writing => Ok(()),
            WriterPhase::Ended { .. } => Err(WriteError::Ended),
        }
    }

    /// Adds to the text of the reply. Empty text writes nothing.
    ///
    /// Cost: linear in the text.
    ///
    /// # Errors
    ///
    /// If the reply has ended.
    pub fn text(&mut self, delta: &str) -> Result<(), WriteError> {
        self.check_writing()?;
        if delta.is_empty() {
            return Ok(());
        }
        self.start()?;
        if self.open == Some(Part::Text) && self.waiting.is_empty() {
            self.encoder.text(delta, &mut self.out);
        } else if self.rules.interleaves {
            self.open_text(delta);
        } else {
            match self.waiting.back_mut() {
                Some(WaitingPart::Text(text)) => text.push_str(delta),
                Some(WaitingPart::Call(_)) | None => {
                    self.waiting
                        .push_back(WaitingPart::Text(String::from(delta)));
                }
            }
            self.advance();
        }
        Ok(())
    }

    /// Writes a custom value under a name: in `UiMessages` a `data-{name}` part, which replaces the
    /// previous one of that name; in `AgUi` a `CUSTOM` event.
    ///
    /// Cost: linear in the value, each time it is written.
    ///
    /// # Errors
    ///
    /// If the reply has ended, the dialect has no such frames (all others: their clients fail at
    /// a frame that they don't know), or `json` is not one JSON value within the
    /// [limits](Self::limits).
    pub fn data(&mut self, name: &str, json: &str) -> Result<(), WriteError> {
        self.check_writing()?;
        if !self.rules.has_data {
            return Err(self.unsupported("data"));
        }
        validate(json, self.limits).map_err(WriteError::Data)?;
        self.start()?;
        self.encoder.data(name, json, &mut self.out);
        Ok(())
    }

    /// Takes the frames that have been written, in their order. Frames that are not taken stay.
    pub fn frames(&mut self) -> impl Iterator<Item = Frame> {
        core::iter::from_fn(|| self.out.pop())
    }

    /// Takes the frames that have been written as the bytes of the body.
    #[must_use]
    pub fn take_body(&mut self) -> String {
        self.frames().fold(String::new(), |mut body, frame| {
            let _ = write!(body, "{frame}");
            body
        })
    }

    /// Returns how many frames have not been taken.
    #[cfg(feature = "stream")]
    pub(crate) fn queued(&self) -> usize {
        self.out.len()
    }

    fn check_writing(&self) -> Result<(), WriteError> {
        if self.is_ended() {
            return Err(WriteError::Ended);
        }
        Ok(())
    }

    const fn unsupported(&self, what: &'static str) -> WriteError {
        let dialect = self.dialect;
        WriteError::Unsupported { dialect, what }
    }
}

/// Has no payload: what is open and how much waits.
impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("dialect", &self.dialect)
            .field("phase", &self.phase)
            .field("calls", &self.calls.len())
            .field("waiting", &self.waiting.len())
            .field("frames", &self.out.len())
            .finish_non_exhaustive()
    }
}
