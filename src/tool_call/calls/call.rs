//! One call: turns its deltas into events by the table of [`calls`](super).

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::{Error, Reason};
use crate::json::{floor_char_boundary, skip_whitespace};
use crate::limits::Limits;
use crate::parser::{Change, Parser};
use crate::schema::{CheckSchedule, SchemaCheck, ToolSchemas};
use crate::tool_call::{ToolCall, ToolCallDelta, ToolCallError, ToolCallEvent};

/// What ends a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The end of the call.
    OfCall,
    /// The end of the reply, without an end of the call.
    OfReply,
    /// The loss of the rest of the reply.
    Lost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallState {
    Open,
    Completed,
    Failed,
}

#[derive(Clone)]
pub(super) struct Call {
    pub(super) state: CallState,
    id: Option<String>,
    /// The call has been started exactly if there is a name.
    name: Option<String>,
    /// The arguments.
    pub(super) parser: Parser,
    /// The number of bytes of their text that have been emitted.
    emitted: usize,
    /// The error of the arguments, to be reported after the name.
    error: Option<Error>,
    check: SchemaCheck,
    schedule: CheckSchedule,
}

/// The queue of the events of a call.
pub(super) struct Sink<'a> {
    index: usize,
    events: &'a mut Vec<ToolCallEvent>,
}

impl<'a> Sink<'a> {
    pub(super) const fn new(index: usize, events: &'a mut Vec<ToolCallEvent>) -> Self {
        Self { index, events }
    }

    fn emit(&mut self, event: impl FnOnce(usize) -> ToolCallEvent) {
        self.events.push(event(self.index));
    }
}

impl Call {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            state: CallState::Open,
            id: None,
            name: None,
            parser: Parser::new().limits(limits),
            emitted: 0,
            error: None,
            check: SchemaCheck::default(),
            schedule: CheckSchedule::default(),
        }
    }

    /// Returns whether the piece belongs to another call with the same index.
    pub(super) fn is_followed_by(&self, delta: &ToolCallDelta) -> bool {
        match (&self.id, &delta.id, &self.name, &delta.name) {
            // `{"index":0,"id":"call_2","function":{"name":"f",…` after `call_1`. Without a name
            // this would be a changed id, which is a mistake.
            (Some(id), Some(next), _, Some(_)) => id != next,
            // The same from servers without ids, where only another name is certain. A server that
            // repeats the call so far repeats its name as well.
            (None, None, Some(name), Some(next)) => name != next && self.is_terminated(),
            _ => false,
        }
    }

    /// Returns whether the arguments are complete JSON.
    fn is_terminated(&self) -> bool {
        self.error.is_none() && self.parser.last_update().is_complete()
    }

    pub(super) fn take(
        &mut self,
        delta: ToolCallDelta,
        schemas: &ToolSchemas,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let differs = |known: &Option<String>, new: &Option<String>| match (known, new) {
            (Some(known), Some(new)) => known != new,
            (None, Some(_)) => self.state == CallState::Completed,
            (_, None) => false,
        };
        let is_repeated = differs(&self.id, &delta.id) || differs(&self.name, &delta.name);
        match self.state {
            CallState::Open => {}
            CallState::Failed => return Ok(()),
            CallState::Completed => {
                let text = delta.arguments.as_bytes();
                if is_repeated || skip_whitespace(text, 0) < text.len() {
                    return Err(Error::new(Reason::CallEnded, self.parser.text().len()));
                }
                return Ok(());
            }
        }
        if is_repeated {
            self.fail(ToolCallError::Repeated, sink);
            return Ok(());
        }
        if self.id.is_none()
            && let Some(id) = delta.id
        {
            self.id = Some(id.clone());
            if self.name.is_some() {
                sink.emit(|index| ToolCallEvent::Identified { index, id });
            }
        }
        if self.name.is_none()
            && let Some(name) = delta.name
        {
            self.name = Some(name.clone());
            self.check = schemas.of(&name);
            let id = self.id.clone();
            sink.emit(|index| ToolCallEvent::Started { index, id, name });
        }
        if self.error.is_none() {
            self.error = self.parser.push(&delta.arguments).err();
            let events = self.parser.last_update().events();
            let touched = events.filter(|event| !matches!(event.change, Change::Appended(_)));
            self.schedule.touched += touched.count();
        }
        if self.name.is_some() {
            self.emit_growth(sink);
            if let Some(error) = self.error.take() {
                self.fail(ToolCallError::Arguments(error), sink);
            } else if self.schedule.is_due()
                && let Some(arguments) = self.parser.root()
                && let Some(error) = self.check.permanent_error(arguments)
            {
                self.fail(ToolCallError::Schema(error), sink);
            }
        }
        if delta.ended {
            self.end(End::OfCall, sink);
        }
        Ok(())
    }

    /// Emits the part of the arguments that has not been emitted, up to an error in them.
    fn emit_growth(&mut self, sink: &mut Sink<'_>) {
        let text = self.parser.text();
        let end = self.error.as_ref().map_or(text.len(), Error::offset);
        let end = floor_char_boundary(text, end);
        let delta = text.get(self.emitted..end).unwrap_or_default();
        if !delta.is_empty() {
            let delta = delta.into();
            sink.emit(|index| ToolCallEvent::ArgumentsDelta { index, delta });
            self.emitted = end;
        }
    }

    pub(super) fn end(&mut self, end: End, sink: &mut Sink<'_>) {
        if self.state != CallState::Open {
            return;
        }
        let Some(name) = self.name.clone() else {
            return self.fail(ToolCallError::NoName, sink);
        };
        let text = self.parser.text();
        let is_blank = skip_whitespace(text.as_bytes(), 0) == text.len();
        match end {
            End::OfCall if is_blank => {
                self.error = self.parser.push("{}").err();
                self.emit_growth(sink);
            }
            End::OfReply if is_blank => return self.fail(ToolCallError::NoArguments, sink),
            End::OfCall | End::OfReply => {}
            End::Lost => {
                let error = Error::new(Reason::Incomplete, text.len());
                return self.fail(ToolCallError::Text(error), sink);
            }
        }
        if !self.is_terminated() {
            let incomplete = Error::new(Reason::Incomplete, self.parser.text().len());
            let error = self.error.take().unwrap_or(incomplete);
            return self.fail(ToolCallError::Arguments(error), sink);
        }
        if let Some(arguments) = self.parser.root()
            && let Some(error) = self.check.error(arguments)
        {
            return self.fail(ToolCallError::Schema(error), sink);
        }
        self.state = CallState::Completed;
        let (id, arguments) = (self.id.clone(), self.parser.text().into());
        sink.emit(|index| {
            ToolCallEvent::Completed(ToolCall {
                index,
                id,
                name,
                arguments,
            })
        });
    }

    fn fail(&mut self, error: ToolCallError, sink: &mut Sink<'_>) {
        self.state = CallState::Failed;
        sink.emit(|index| ToolCallEvent::Failed { index, error });
    }
}
