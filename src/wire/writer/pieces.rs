//! Turns the pieces of a reply, as readers and SDKs yield them, into the steps of a writer.
//!
//! | received | then |
//! | --- | --- |
//! | a piece of a call before its name | held: clients need the name in the first frame |
//! | the name | the call starts, and what was held follows |
//! | an id after that | ignored: the call already has one |
//! | another id with an index in use, as some servers send | the call ends, the next one starts |
//! | another name, no other id, after terminated arguments | the same |
//! | another name otherwise | an error |
//! | the end | the call ends |

use alloc::collections::BTreeMap;
use alloc::string::String;

use super::Writer;
use super::call::Completeness;
use crate::tool_call::ToolCallDelta;
use crate::wire::{Finish, Piece, Usage, WriteError};

/// The pieces that cannot be written yet.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// Calls without a name, by the caller's index.
    unnamed: BTreeMap<usize, ToolCallDelta>,
    /// The ids that the caller has given to calls, by its index.
    ids: BTreeMap<usize, String>,
    /// Until the end of the reply.
    usage: Option<Usage>,
}

impl Held {
    /// Returns an error if a call has no name.
    pub(super) fn check_empty(&self) -> Result<(), WriteError> {
        match self.unnamed.keys().next() {
            Some(&index) => Err(WriteError::NoName { index }),
            None => Ok(()),
        }
    }
}

impl Writer {
    /// Writes a piece of a reply: a piece from a [`Reader`](crate::wire::Reader), text, or a piece
    /// of a call from an SDK. With a reader, a reply in one dialect is served in another:
    ///
    /// ```
    /// use json_chunks::wire::{Dialect, Reader, ReplyHead, Writer};
    ///
    /// let body = concat!(
    ///     r#"{"model":"m","message":{"role":"assistant","content":"Hi"},"done":false}"#, "\n",
    ///     r#"{"model":"m","message":{"role":"assistant","content":""},"done":true}"#, "\n",
    /// );
    /// let mut reader = Reader::new(Dialect::Ollama);
    /// let mut writer = Writer::new(Dialect::UiMessages, ReplyHead::new("r1", "m"));
    /// for piece in reader.push(body) {
    ///     writer.push(piece?)?;
    /// }
    /// for piece in reader.finish() {
    ///     writer.push(piece?)?;
    /// }
    /// assert!(writer.take_body().contains(r#""delta":"Hi""#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// - Arguments of a call that precede its name are held until it arrives. An id that follows
    ///   the name is ignored, because the call already has one.
    /// - A call with the index of an earlier one and another id is the next call with that index,
    ///   and ends the earlier one. The same applies to a call with another name, if the arguments
    ///   were terminated.
    /// - The end of a call whose arguments are incomplete is ignored: either the reply was cut off,
    ///   or [`Finish`](Piece::Finish) returns the error.
    /// - [`Usage`](Piece::Usage) is written at the end.
    /// - [`Data`](Piece::Data) is left out in dialects that have none.
    ///
    /// # Errors
    ///
    /// Those of [`text`](Self::text), [`call`](Self::call), [`arguments`](Self::arguments),
    /// [`call_end`](Self::call_end), [`data`](Self::data), [`finish`](Self::finish) and
    /// [`fail`](Self::fail). If one piece starts a call, has arguments and ends it, a part of it
    /// may have been written.
    pub fn push(&mut self, piece: impl Into<Piece>) -> Result<(), WriteError> {
        match piece.into() {
            Piece::Text(delta) => self.text(&delta),
            Piece::Call(delta) => self.delta(delta),
            Piece::Data { name, json } if self.rules.has_data => self.data(&name, &json),
            Piece::Data { .. } => self.check_writing(),
            Piece::Usage(usage) => {
                self.check_writing()?;
                self.held.usage = Some(usage);
                Ok(())
            }
            Piece::Finish(finish) => {
                let usage = self.held.usage;
                self.finish(finish, usage)
            }
            Piece::Failed { code, message } => self.fail(&code, &message),
        }
    }

    /// Ends the reply as complete, for a source that ends without a reason: the reason follows from
    /// whether there are calls.
    ///
    /// # Errors
    ///
    /// Those of [`finish`](Self::finish).
    pub fn finish_complete(&mut self) -> Result<(), WriteError> {
        let finish = if self.calls.is_empty() {
            Finish::Stop
        } else {
            Finish::ToolCalls
        };
        let usage = self.held.usage;
        self.finish(finish, usage)
    }

    fn delta(&mut self, delta: ToolCallDelta) -> Result<(), WriteError> {
        self.check_writing()?;
        let index = delta.index;
        let id = delta.id.as_deref().filter(|id| !id.is_empty());
        let known = self.held.ids.get(&index).map(String::as_str);
        let mut is_next = id.is_some() && known.is_some() && id != known;
        let started = self.call_at(index);
        let name = delta.name.as_ref().filter(|name| !name.is_empty());
        if let Some(call) = started
            && !is_next
            && name.is_some_and(|name| *name != call.name)
        {
            // `{"index":0,"function":{"name":"g",…` after `f`, from a server without ids.
            is_next = call.check.completeness() == Completeness::Terminated;
            if !is_next {
                return Err(WriteError::CallExists { index });
            }
        }
        let is_started = started.is_some();
        if is_started && !is_next {
            return self.more(&delta);
        }
        let mut call = delta;
        if is_next && is_started {
            self.call_end(index)?;
            self.by_index.remove(&index);
            self.held.ids.remove(&index);
        } else if let Some(held) = self.held.unnamed.remove(&index) {
            call.id = call.id.or(held.id);
            call.arguments.insert_str(0, &held.arguments);
            call.ended |= held.ended;
        }
        let id = call.id.clone().filter(|id| !id.is_empty());
        if call.name.as_ref().is_none_or(String::is_empty) {
            let is_nothing = id.is_none() && call.arguments.is_empty();
            if !is_nothing {
                self.held.unnamed.insert(index, call);
            }
            return Ok(());
        }
        let name = call.name.clone().unwrap_or_default();
        self.call(index, id.as_deref().unwrap_or_default(), &name)?;
        match id {
            Some(id) => self.held.ids.insert(index, id),
            None => self.held.ids.remove(&index),
        };
        self.more(&call)
    }

    /// Writes a piece of a call that has been started.
    fn more(&mut self, delta: &ToolCallDelta) -> Result<(), WriteError> {
        if !delta.arguments.is_empty() {
            self.arguments(delta.index, &delta.arguments)?;
        }
        if !delta.ended {
            return Ok(());
        }
        match self.call_end(delta.index) {
            // `{"a":` and the end of its block, which Anthropic sends at the token limit as well:
            // the reason of the reply follows, and decides.
            Err(WriteError::Arguments { error, .. }) if error.is_incomplete() => Ok(()),
            result => result,
        }
    }
}
