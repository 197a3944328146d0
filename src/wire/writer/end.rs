//! The end of a reply: complete, cut off, or failed.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::call::Completeness;
use super::parts::{Part, WaitingPart};
use super::pieces::Held;
use super::{Writer, WriterPhase};
use crate::wire::dialect::CutCall;
use crate::wire::{Finish, Usage, WriteError};

impl Writer {
    /// Ends the reply, with the reason that the model reported, and the numbers of tokens if they
    /// are known. Open calls are ended if their arguments are complete.
    ///
    /// After [`Finish::Length`] and [`Finish::ContentFilter`] arguments may be incomplete: such a
    /// call is not ended, and frames that are written only at its end are left out. If clients of
    /// the dialect would take such a reply for a complete one, this writes the same as
    /// [`fail`](Self::fail), with the [reason](Finish::as_str) as code: in `AgUi` and `PlainText`
    /// always; in `Anthropic` if a call is incomplete, because its clients close the brackets of
    /// the arguments themselves; in `OpenAiChat` if a call after the incomplete one is complete,
    /// because a client ends a call when the next one starts.
    ///
    /// The reason and the usage are left out in dialects that have none.
    ///
    /// # Errors
    ///
    /// If the reply has ended; after [`Finish::Stop`] and [`Finish::ToolCalls`] also if the
    /// arguments of a call are incomplete. Then the reply has not ended: call
    /// [`fail`](Self::fail).
    pub fn finish(&mut self, finish: Finish, usage: Option<Usage>) -> Result<(), WriteError> {
        self.check_writing()?;
        let (mut complete, mut cut) = (Vec::new(), BTreeSet::new());
        for call in self.calls.iter().filter(|call| !call.has_ended()) {
            match call.check.completeness() {
                Completeness::Terminated => complete.push(call.number),
                Completeness::Blank if !finish.is_cut() => complete.push(call.number),
                Completeness::Incomplete(error) if !finish.is_cut() => {
                    let index = call.index;
                    return Err(WriteError::Arguments { index, error });
                }
                Completeness::Blank | Completeness::Incomplete(_) => {
                    cut.insert(call.number);
                }
            }
        }
        if !finish.is_cut() {
            self.held.check_empty()?;
        }
        self.start()?;
        for number in complete {
            self.end_call(number);
            self.advance();
        }
        let rules = self.rules;
        let is_cut =
            |part: &WaitingPart| matches!(part, WaitingPart::Call(number) if cut.contains(number));
        self.waiting.retain(|part| !is_cut(part));
        let has_cut_call = match rules.cut_call {
            CutCall::Any => true,
            CutCall::Last => !self.waiting.iter().any(WaitingPart::is_call),
            CutCall::None => false,
        };
        let can_end = rules.has_cut_reply && (has_cut_call || cut.is_empty());
        if finish.is_cut() && !can_end {
            return self.fail(finish.as_str(), finish.message());
        }
        for &number in &cut {
            self.cut_call(number, finish.message());
        }
        if let Some(Part::Call(_)) = self.open {
            // The open call was cut off: complete ones have been closed.
            self.open = None;
        }
        self.advance();
        self.close_text(finish.is_cut());
        self.encoder.finish(finish, usage, &mut self.out);
        self.end(false);
        Ok(())
    }

    /// Ends the reply with an error, for example after the loss of its source: no part, call or
    /// reply is closed, and waiting parts are dropped. `message` is for the user of the client;
    /// `code` is for programs, such as `overloaded_error` or `PRODUCER_LOST`.
    ///
    /// `UiMessages` and `Ollama` have no codes; in `Anthropic` only codes that end in `_error` are
    /// written, all others become `api_error`. In [`PlainText`](crate::wire::Dialect::PlainText)
    /// nothing is written: see [`must_abort`](Self::must_abort).
    ///
    /// # Errors
    ///
    /// If the reply has ended.
    pub fn fail(&mut self, code: &str, message: &str) -> Result<(), WriteError> {
        self.start()?;
        for number in 0..self.calls.len() {
            self.cut_call(number, message);
        }
        self.encoder.fail(code, message, &mut self.out);
        self.end(!self.rules.has_error);
        Ok(())
    }

    /// Returns whether `finish` or `fail` has ended the reply.
    #[must_use]
    pub const fn is_ended(&self) -> bool {
        matches!(self.phase, WriterPhase::Ended { .. })
    }

    /// Returns whether the body has to be aborted after the frames that have been written, rather
    /// than ended: the reply has failed, and the dialect has no frame to report it. With hyper,
    /// return an `Err` from the body in a later poll than the last frame, which would be dropped
    /// otherwise.
    ///
    /// ```
    /// use json_chunks::wire::{Dialect, ReplyHead, Writer};
    ///
    /// let mut writer = Writer::new(Dialect::PlainText, ReplyHead::new("1", "kanazawa-1"));
    /// writer.text(r#"{"city":"Kana"#)?;
    /// writer.fail("PRODUCER_LOST", "the model was lost")?;
    /// assert_eq!(writer.take_body(), r#"{"city":"Kana"#);
    /// assert!(writer.must_abort());
    /// # Ok::<(), json_chunks::wire::WriteError>(())
    /// ```
    #[must_use]
    pub const fn must_abort(&self) -> bool {
        matches!(self.phase, WriterPhase::Ended { must_abort: true })
    }

    fn end(&mut self, must_abort: bool) {
        self.phase = WriterPhase::Ended { must_abort };
        self.calls.clear();
        self.by_index.clear();
        self.ids.clear();
        self.held = Held::default();
        self.waiting.clear();
        self.open = None;
    }
}
