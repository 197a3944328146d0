//! An object that may be a call: its state, and the events that it emits.

use alloc::string::String;
use alloc::vec::Vec;

use super::error::ToolCallError;
use super::event::{ToolCall, ToolCallEvent};
use super::shape::Role;
use crate::limits::Limits;
use crate::parser::Parser;
use crate::schema::{SchemaCheck, ToolSchemas};

/// The state of an object. The table in the docs of the [room](super) has the transitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ObjectState {
    /// It may be a call. Nothing has been reported.
    #[default]
    Possible,
    /// It is this call, and has been reported.
    Started(usize),
    /// It has failed or was rejected. Its members are still read as those of a call.
    Failed,
    /// It is another object, and its members have no meaning for calls.
    Ignored,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ArgumentsState {
    #[default]
    Missing,
    Open,
    Complete,
}

/// An object that may be a call.
#[derive(Clone, Debug, Default)]
pub(super) struct PossibleCall {
    state: ObjectState,
    /// Whether the name is enough to report a call: it is if `{"name":"Read"` is a value of the
    /// text, and is not in `{"users":[{"name":"Ann"`.
    name_is_enough: bool,
    id: Option<String>,
    name: Option<String>,
    arguments: String,
    /// The number of bytes of the arguments that have been emitted.
    emitted: usize,
    arguments_state: ArgumentsState,
    /// The error to be emitted after its name.
    error: Option<ToolCallError>,
    /// One bit for each role that a member has had.
    roles: u8,
}

/// The queue of the events of calls.
#[derive(Debug)]
pub(super) struct EventSink<'a> {
    pub(super) events: &'a mut Vec<ToolCallEvent>,
    /// The number of started calls.
    pub(super) started: &'a mut usize,
}

impl PossibleCall {
    pub(super) fn new(name_is_enough: bool) -> Self {
        Self {
            name_is_enough,
            ..Self::default()
        }
    }

    pub(super) fn is_ignored(&self) -> bool {
        self.state == ObjectState::Ignored
    }

    pub(super) fn is_ready_to_start(&self) -> bool {
        self.state == ObjectState::Possible && self.name_is_enough && self.name.is_some()
    }

    /// Records that a member has this role. Returns `false` if another member has had it.
    pub(super) fn claim(&mut self, role: Role) -> bool {
        let bit = 1 << role as u8;
        let free = role == Role::Other || self.roles & bit == 0;
        self.roles |= bit;
        free
    }

    pub(super) fn set_name(&mut self, name: &str) {
        self.name = Some(name.into());
    }

    pub(super) fn set_name_is_enough(&mut self) {
        self.name_is_enough = true;
    }

    pub(super) fn set_id(&mut self, id: &str, sink: &mut EventSink<'_>) {
        self.id = Some(id.into());
        if let ObjectState::Started(index) = self.state {
            let id = id.into();
            sink.events.push(ToolCallEvent::Identified { index, id });
        }
    }

    pub(super) fn begin_arguments(&mut self) {
        self.name_is_enough = true;
        self.arguments_state = ArgumentsState::Open;
    }

    pub(super) fn append_arguments(&mut self, text: &str) {
        let counts = matches!(self.state, ObjectState::Possible | ObjectState::Started(_));
        if counts && self.error.is_none() {
            self.arguments.push_str(text);
        }
    }

    pub(super) fn arguments(&self) -> &str {
        &self.arguments
    }

    pub(super) fn end_arguments(&mut self, sink: &mut EventSink<'_>) {
        self.arguments_state = ArgumentsState::Complete;
        self.emit_growth(sink);
    }

    /// Emits the start of the call, and the events that were held because there was no name.
    pub(super) fn emit_start(&mut self, sink: &mut EventSink<'_>) {
        let Some(name) = self.name.clone() else {
            return;
        };
        let index = *sink.started;
        *sink.started += 1;
        self.state = ObjectState::Started(index);
        let id = self.id.clone();
        sink.events.push(ToolCallEvent::Started { index, id, name });
        self.emit_growth(sink);
        if let Some(error) = self.error.take() {
            self.fail(error, sink);
        }
    }

    /// Emits the part of the arguments that has not been emitted.
    pub(super) fn emit_growth(&mut self, sink: &mut EventSink<'_>) {
        let ObjectState::Started(index) = self.state else {
            return;
        };
        let more = self.arguments.get(self.emitted..).unwrap_or_default();
        if !more.is_empty() {
            let delta = more.into();
            self.emitted = self.arguments.len();
            sink.events
                .push(ToolCallEvent::ArgumentsDelta { index, delta });
        }
    }

    /// Makes the call fail.
    pub(super) fn fail(&mut self, error: ToolCallError, sink: &mut EventSink<'_>) {
        match self.state {
            ObjectState::Possible => {
                self.error.get_or_insert(error);
            }
            ObjectState::Started(index) => {
                self.emit_growth(sink);
                sink.events.push(ToolCallEvent::Failed { index, error });
                self.state = ObjectState::Failed;
            }
            ObjectState::Failed | ObjectState::Ignored => {}
        }
    }

    /// Handles an object that is not a call, because of a member or because it contains calls.
    pub(super) fn reject(&mut self, sink: &mut EventSink<'_>) {
        self.fail(ToolCallError::NoCall, sink);
        self.state = ObjectState::Failed;
    }

    /// Handles an object whose marker says that it is not a call, so nothing in it belongs to one.
    pub(super) fn ignore(&mut self, sink: &mut EventSink<'_>) {
        let was_valid = self.state != ObjectState::Failed && self.error.is_none();
        self.reject(sink);
        if was_valid {
            self.state = ObjectState::Ignored;
        }
    }

    /// Returns the check of its arguments, once its name is known.
    pub(super) fn check(&self, schemas: &ToolSchemas) -> Option<SchemaCheck> {
        let name = self.name.as_ref().filter(|_| !schemas.is_empty())?;
        Some(schemas.of(name))
    }

    /// Handles the end of the object.
    pub(super) fn end(
        mut self,
        arguments_optional: bool,
        schemas: &ToolSchemas,
        sink: &mut EventSink<'_>,
    ) {
        if self.arguments_state == ArgumentsState::Missing && arguments_optional {
            self.append_arguments("{}");
            self.end_arguments(sink);
        }
        let check = self.check(schemas);
        let (ObjectState::Started(index), Some(name)) = (self.state, self.name.take()) else {
            return;
        };
        if self.arguments_state != ArgumentsState::Complete {
            return self.fail(ToolCallError::NoArguments, sink);
        }
        // The text has been checked against the limits before.
        if let Some(check) = check
            && let Ok(parser) = Parser::of_whole(self.arguments.as_bytes(), Limits::unlimited())
            && let Some(error) = parser.root().and_then(|arguments| check.error(arguments))
        {
            return self.fail(ToolCallError::Schema(error), sink);
        }
        sink.events.push(ToolCallEvent::Completed(ToolCall {
            index,
            id: self.id,
            name,
            arguments: self.arguments,
        }));
    }
}
