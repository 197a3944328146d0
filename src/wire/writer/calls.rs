//! The calls of a reply: their start, their arguments and their end.

use alloc::format;
use alloc::string::String;

use super::Writer;
use super::call::{ArgumentsCheck, Call, CallState, Completeness};
use super::parts::WaitingPart;
use crate::wire::WriteError;

impl Writer {
    /// Starts a call of the tool `name`. `index` is the caller's number for it, which may have
    /// gaps, and may be used again when its call has ended; the number on the wire is the order in
    /// which calls are started. If `id` is empty, or that of another call of the reply, the call
    /// gets an id that consists of the reply's id and that number: clients take calls with one id
    /// for one call.
    ///
    /// Text that follows is another part, where the dialect has parts.
    ///
    /// # Errors
    ///
    /// If the reply has ended, the dialect has no calls ([`PlainText`]), the name is empty, or a
    /// call with this index has not ended.
    ///
    /// [`PlainText`]: crate::wire::Dialect::PlainText
    pub fn call(&mut self, index: usize, id: &str, name: &str) -> Result<(), WriteError> {
        self.check_writing()?;
        if !self.rules.has_calls {
            return Err(self.unsupported("tool calls"));
        }
        if name.is_empty() {
            return Err(WriteError::NoName { index });
        }
        if self.call_at(index).is_some_and(|call| !call.has_ended()) {
            return Err(WriteError::CallExists { index });
        }
        self.start()?;
        let number = self.calls.len();
        let mut id = String::from(id);
        if id.is_empty() || self.ids.contains(&id) {
            id = format!("call_{}_{number}", self.id);
        }
        // `call_r1_1` may be the caller's.
        while !self.ids.insert(id.clone()) {
            id.push('_');
        }
        self.calls.push(Call {
            number,
            index,
            id,
            name: String::from(name),
            arguments: String::new(),
            sent: 0,
            check: ArgumentsCheck::default(),
            state: CallState::Waiting { ended: false },
        });
        self.by_index.insert(index, number);
        if self.rules.interleaves {
            self.close_text(false);
            self.open_call(number);
        } else {
            self.waiting.push_back(WaitingPart::Call(number));
            self.advance();
        }
        Ok(())
    }

    /// Adds to the JSON text of the arguments of a call; `delta` may begin and end inside of any
    /// token. Empty text writes nothing.
    ///
    /// Clients expect the arguments to be an object; that is not checked.
    ///
    /// Cost: linear in the text.
    ///
    /// # Errors
    ///
    /// If the reply or the call has ended, the call has not been started, or the arguments are not
    /// JSON or exceed the [limits](Self::limits). The offset is that in the arguments of this call.
    ///
    /// ```
    /// use json_chunks::wire::{Dialect, ReplyHead, WriteError, Writer};
    ///
    /// let mut writer = Writer::new(Dialect::AgUi, ReplyHead::new("run_1", "kanazawa-1"));
    /// writer.call(0, "call_1", "save")?;
    /// writer.arguments(0, r#"{"days":"#)?;
    /// let error = writer.arguments(0, "3,}").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the arguments of call 0 are not JSON: expected a member name at byte 10"
    /// );
    /// // Nothing of it has been written, so this continues after the colon.
    /// writer.arguments(0, "3}")?;
    /// # Ok::<(), WriteError>(())
    /// ```
    pub fn arguments(&mut self, index: usize, delta: &str) -> Result<(), WriteError> {
        self.check_writing()?;
        let limits = self.limits;
        let call = self.call_mut(index)?;
        if call.has_ended() {
            return Err(WriteError::CallEnded { index });
        }
        let checked = call.check.push(delta, limits);
        checked.map_err(|error| WriteError::Arguments { index, error })?;
        let number = call.number;
        self.add_arguments(number, delta);
        self.advance();
        Ok(())
    }

    /// Ends a call. Empty arguments become `{}`, which is a delta. Does nothing if the call has
    /// already ended.
    ///
    /// # Errors
    ///
    /// If the reply has ended, the call has not been started, or its arguments are not complete
    /// JSON.
    ///
    /// ```
    /// use json_chunks::wire::{Dialect, Finish, ReplyHead, Writer};
    ///
    /// let mut writer = Writer::new(Dialect::Anthropic, ReplyHead::new("msg_1", "kanazawa-1"));
    /// writer.call(0, "toolu_1", "save")?;
    /// writer.arguments(0, r#"{"city":"Kana"#)?;
    /// assert_eq!(
    ///     writer.call_end(0).unwrap_err().to_string(),
    ///     "the arguments of call 0 are incomplete: unexpected end of JSON at byte 13 \
    ///      (if the reply was cut off, see `Writer::fail` and `Finish::Length`)"
    /// );
    /// # Ok::<(), json_chunks::wire::WriteError>(())
    /// ```
    pub fn call_end(&mut self, index: usize) -> Result<(), WriteError> {
        self.check_writing()?;
        let call = self.call_mut(index)?;
        match call.check.completeness() {
            Completeness::Incomplete(error) => return Err(WriteError::Arguments { index, error }),
            Completeness::Blank | Completeness::Terminated => {}
        }
        let number = call.number;
        self.end_call(number);
        self.advance();
        Ok(())
    }

    /// The last call with the caller's index.
    pub(super) fn call_at(&self, index: usize) -> Option<&Call> {
        self.calls.get(*self.by_index.get(&index)?)
    }

    /// As [`call_at`](Self::call_at), to change it.
    fn call_mut(&mut self, index: usize) -> Result<&mut Call, WriteError> {
        let number = self.by_index.get(&index);
        let call = number.and_then(|number| self.calls.get_mut(*number));
        call.ok_or(WriteError::UnknownCall { index })
    }
}
