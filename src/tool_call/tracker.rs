//! Turns the events of the parser into the events of calls.

use alloc::vec::Vec;

use super::call::{EventSink, PossibleCall};
use super::error::ToolCallError;
use super::event::ToolCallEvent;
use super::repeat::RepeatCheck;
use super::shape::{Role, ToolCallShape};
use crate::document::{Kind, Value};
use crate::error::Error;
use crate::json::{floor_char_boundary, skip_whitespace};
use crate::limits::Limits;
use crate::parser::{Change, Parser, Path, Tracker, Update};
use crate::schema::{CheckSchedule, ToolSchemas};

/// An open array or object outside of arguments.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// An array, with whether it is a value of the text.
    List { top: bool },
    /// The object of the innermost possible call.
    Call,
    /// The object in it that contains the name and the arguments.
    Wrapper,
    /// Any other object.
    Other,
}

/// The state for checking arguments before their end.
#[derive(Clone, Debug, Default)]
struct OpenArguments {
    /// Their distance from the root.
    at: usize,
    /// Their document, if they are in a string and a schema is set.
    in_string: Option<Parser>,
    schedule: CheckSchedule,
}

impl OpenArguments {
    /// Reads more arguments in a string. Mistakes in them are reported at the end of the string.
    fn grow(&mut self, text: &str) {
        if let Some(parser) = &mut self.in_string
            && parser.push(text).is_ok()
        {
            self.schedule.touched += parser.last_update().events().len();
        }
    }
}

/// Reads the events of the parser and decides what they mean for calls.
#[derive(Clone, Debug)]
pub(super) struct CallTracker {
    pub(super) shape: ToolCallShape,
    limits: Limits,
    pub(super) schemas: ToolSchemas,
    frames: Vec<Frame>,
    /// One for each [`Frame::Call`].
    calls: Vec<PossibleCall>,
    /// The role of the open scalar in the innermost possible call.
    open_scalar: Role,
    /// The number of open arrays and objects in the arguments, including the arguments themselves.
    in_arguments: usize,
    /// The check of the open arguments.
    arguments: OpenArguments,
    /// The number of started calls.
    started: usize,
    /// Whether the values of the text look like snapshots of one call.
    pub(super) repeats: RepeatCheck,
    pub(super) events: Vec<ToolCallEvent>,
}

impl Tracker for CallTracker {
    fn follow(&mut self, update: Update<'_>, error: Option<&Error>) -> Result<(), Error> {
        let text = valid_prefix(update, error);
        // The start of the text of open arguments that has not been added.
        let mut from = 0;
        for event in update.events() {
            self.arguments.schedule.touched += 1;
            if event.path.is_root() {
                self.repeats.follow_root(update, event);
            }
            match event.change {
                Change::Started(kind) if kind.is_container() => {
                    if self.open(kind, event.path) {
                        from = update.offset_of(event.path.value().span().start());
                    }
                }
                Change::Completed(value) if value.kind().is_container() => {
                    let end = update.offset_of(value.span().end());
                    self.close(update.text().get(from..end).unwrap_or_default());
                }
                Change::Started(_) if self.in_arguments == 0 => self.begin(event.path),
                Change::Appended(text) if self.open_scalar == Role::Arguments => {
                    self.grow(text);
                    self.arguments.grow(text);
                }
                Change::Completed(value) if self.in_arguments == 0 => self.complete(value),
                Change::Started(_) | Change::Appended(_) | Change::Completed(_) => {}
            }
        }
        if self.in_arguments > 0 {
            self.grow(text.get(from..).unwrap_or_default());
        }
        self.with_call(PossibleCall::emit_growth);
        self.check_open_arguments(update.root());
        if let Some(error) = error {
            let mut calls = core::mem::take(&mut self.calls);
            for call in &mut calls {
                call.fail(ToolCallError::Text(error.clone()), &mut self.sink());
            }
        }
        Ok(())
    }
}

impl CallTracker {
    pub(super) fn new(shape: ToolCallShape) -> Self {
        Self {
            shape,
            limits: Limits::default(),
            schemas: ToolSchemas::default(),
            frames: Vec::new(),
            calls: Vec::new(),
            open_scalar: Role::default(),
            in_arguments: 0,
            arguments: OpenArguments::default(),
            started: 0,
            repeats: RepeatCheck::default(),
            events: Vec::new(),
        }
    }

    pub(super) fn limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    pub(super) fn reset(&mut self) {
        let shape = core::mem::replace(&mut self.shape, ToolCallShape::plain());
        let limits = self.limits;
        let schemas = core::mem::take(&mut self.schemas);
        *self = Self::new(shape);
        self.limits = limits;
        self.schemas = schemas;
    }

    /// Checks whether incomplete arguments contradict their schema already.
    fn check_open_arguments(&mut self, root: Option<Value<'_>>) {
        let arguments = match &self.arguments.in_string {
            Some(parser) => parser.root(),
            None if self.in_arguments > 0 => root.map(|root| root.at_distance(self.arguments.at)),
            None => None,
        };
        if let Some(arguments) = arguments
            && let Some((call, _)) = self.calls.split_last_mut()
            && let Some(check) = call.check(&self.schemas)
            && self.arguments.schedule.is_due()
            && let Some(error) = check.permanent_error(arguments)
        {
            let (events, started) = (&mut self.events, &mut self.started);
            call.fail(
                ToolCallError::Schema(error),
                &mut EventSink { events, started },
            );
        }
    }

    /// Handles the start of an array or object. Returns whether it is the arguments.
    fn open(&mut self, kind: Kind, path: Path<'_>) -> bool {
        if self.in_arguments > 0 {
            self.in_arguments += 1;
            return false;
        }
        let role = self.role(path);
        let place = match self.frames.last() {
            None => Some(true),
            Some(Frame::List { top }) => Some(*top),
            Some(Frame::Call | Frame::Wrapper | Frame::Other) => None,
        };
        match (role, kind, place) {
            (Role::Arguments, _, _) => {
                self.in_arguments = 1;
                self.arguments = OpenArguments {
                    at: path.value().distance_from(root_of(path.value())),
                    ..OpenArguments::default()
                };
                self.with_call(|call, _| call.begin_arguments());
                self.start_if_ready();
                return true;
            }
            (_, Kind::Object, Some(top)) => {
                let name_is_enough = top || self.shape.is_telling();
                self.calls.push(PossibleCall::new(name_is_enough));
                self.frames.push(Frame::Call);
                return false;
            }
            (Role::Wrapper, Kind::Object, _) => {
                self.frames.push(Frame::Wrapper);
                return false;
            }
            (Role::Name | Role::Wrapper, _, _) => self.with_call(PossibleCall::reject),
            (Role::Marker, _, _) => self.with_call(PossibleCall::ignore),
            (Role::Id | Role::Other, _, _) => {}
        }
        self.frames.push(match kind {
            Kind::Array => Frame::List {
                top: self.frames.is_empty(),
            },
            _ => Frame::Other,
        });
        false
    }

    /// Handles the end of an array or object; `rest` is the text that it adds to arguments.
    fn close(&mut self, rest: &str) {
        if self.in_arguments > 0 {
            self.in_arguments -= 1;
            if self.in_arguments == 0 {
                self.with_call(|call, sink| {
                    call.append_arguments(rest);
                    call.end_arguments(sink);
                });
            }
            return;
        }
        if let Some(Frame::Call) = self.frames.pop()
            && let Some(call) = self.calls.pop()
        {
            let optional = self.shape.are_arguments_optional();
            let (events, started) = (&mut self.events, &mut self.started);
            call.end(optional, &self.schemas, &mut EventSink { events, started });
            if let Some(ToolCallEvent::Completed(call)) = self.events.last() {
                self.repeats.complete(call);
            }
        }
    }

    /// Handles the start of a scalar.
    fn begin(&mut self, path: Path<'_>) {
        self.open_scalar = self.role(path);
        match self.open_scalar {
            Role::Arguments => {
                let is_checked = !self.schemas.is_empty();
                self.arguments = OpenArguments {
                    in_string: is_checked.then(|| Parser::new().limits(self.limits)),
                    ..OpenArguments::default()
                };
                self.with_call(|call, _| call.begin_arguments());
                self.start_if_ready();
            }
            Role::Wrapper => self.with_call(PossibleCall::reject),
            Role::Other | Role::Name | Role::Id | Role::Marker => {}
        }
    }

    fn grow(&mut self, text: &str) {
        self.with_call(|call, _| call.append_arguments(text));
    }

    /// Handles the end of a scalar.
    fn complete(&mut self, value: Value<'_>) {
        let string = value.as_str();
        self.arguments.in_string = None;
        match (core::mem::take(&mut self.open_scalar), string) {
            (Role::Name, Some(name)) if !name.is_empty() => {
                self.with_call(|call, _| call.set_name(name));
                self.start_if_ready();
            }
            (Role::Marker, Some(marker)) if self.shape.is_marked_by(marker) => {
                self.with_call(|call, _| call.set_name_is_enough());
                self.start_if_ready();
            }
            (Role::Name, _) => self.with_call(PossibleCall::reject),
            (Role::Marker, _) => self.with_call(PossibleCall::ignore),
            (Role::Id, _) => {
                if let Some(id) = string.or(value.as_number()) {
                    self.with_call(|call, sink| call.set_id(id, sink));
                }
            }
            (Role::Arguments, None) => {
                self.grow(value.kind().literal());
                self.with_call(PossibleCall::end_arguments);
            }
            (Role::Arguments, Some(text)) => {
                let is_blank = skip_whitespace(text.as_bytes(), 0) == text.len();
                if is_blank && self.shape.are_empty_arguments_allowed() && !is_in_delta(value) {
                    self.grow("{}");
                }
                let limits = self.limits;
                self.with_call(|call, sink| {
                    call.end_arguments(sink);
                    if let Err(error) = Parser::of_whole(call.arguments().as_bytes(), limits) {
                        call.fail(ToolCallError::Arguments(error), sink);
                    }
                });
            }
            (Role::Other | Role::Wrapper, _) => {}
        }
    }

    /// Returns the role of the started value in the innermost call.
    fn role(&mut self, path: Path<'_>) -> Role {
        let inner = match self.frames.last() {
            Some(Frame::Call) => false,
            Some(Frame::Wrapper) => true,
            Some(Frame::List { .. } | Frame::Other) | None => return Role::Other,
        };
        if self.calls.last().is_none_or(PossibleCall::is_ignored) {
            return Role::Other;
        }
        let Some(name) = path.name() else {
            return Role::Other;
        };
        let role = if inner {
            self.shape.inner_role(&name)
        } else {
            self.shape.outer_role(&name)
        };
        self.with_call(|call, sink| {
            if !call.claim(role) {
                call.fail(ToolCallError::Repeated, sink);
            }
        });
        role
    }

    /// Starts the innermost call, if enough is known. The objects around it are not calls then.
    fn start_if_ready(&mut self) {
        let (events, started) = (&mut self.events, &mut self.started);
        let mut sink = EventSink { events, started };
        if let Some((call, around)) = self.calls.split_last_mut()
            && call.is_ready_to_start()
        {
            for call in around {
                call.reject(&mut sink);
            }
            call.emit_start(&mut sink);
        }
    }

    fn with_call(&mut self, act: impl FnOnce(&mut PossibleCall, &mut EventSink<'_>)) {
        let (events, started) = (&mut self.events, &mut self.started);
        if let Some(call) = self.calls.last_mut() {
            act(call, &mut EventSink { events, started });
        }
    }

    fn sink(&mut self) -> EventSink<'_> {
        EventSink {
            events: &mut self.events,
            started: &mut self.started,
        }
    }
}

/// Returns the document that the value is in.
fn root_of(value: Value<'_>) -> Value<'_> {
    let around = core::iter::successors(Some(value), |value| value.parent());
    around.last().unwrap_or(value)
}

/// Returns whether the value is in a member called `delta`.
///
/// The first frame of a streamed call of OpenAI's is
/// `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":""}}]}}]}`.
/// Its arguments are in the next frames, so they must not be read as `{}` and executed. The same
/// applies to the element alone, because in a complete message no call has an `index`.
fn is_in_delta(value: Value<'_>) -> bool {
    let mut around = core::iter::successors(Some(value), |value| value.parent());
    around.any(|value| {
        value.name() == "delta" || (value.kind() == Kind::Object && value.get("index").is_some())
    })
}

/// Returns the text of a push, up to its error.
fn valid_prefix<'a>(update: Update<'a>, error: Option<&Error>) -> &'a str {
    let text = update.text();
    let end = error.map_or(text.len(), |error| {
        error.offset().saturating_sub(update.start())
    });
    let end = floor_char_boundary(text, end);
    text.get(..end).unwrap_or_default()
}
