//! One object that may be a call.

use alloc::string::String;
use alloc::vec::Vec;

use super::shape::Role;
use super::{ToolCall, ToolCallError, ToolCallEvent};

/// How far a candidate has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// It may be a call. Nothing has been told.
    #[default]
    Possible,
    /// It is this call.
    Named(usize),
    /// It has failed. Its members are still what they are in a call.
    Over,
    /// It is some other object.
    Other,
}

/// How far the arguments have come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Progress {
    #[default]
    None,
    Begun,
    Whole,
}

/// What is known of an object that may be a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidate {
    state: State,
    /// Whether a name is enough to speak of a call.
    likely: bool,
    id: Option<String>,
    name: Option<String>,
    arguments: String,
    /// How much of that has been told.
    told: usize,
    progress: Progress,
    /// What is wrong with it, to be told behind its name.
    fault: Option<ToolCallError>,
    /// A bit for each role that a member has had.
    roles: u8,
}

/// Where candidates tell of themselves.
#[derive(Debug)]
pub(super) struct News<'a> {
    pub(super) events: &'a mut Vec<ToolCallEvent>,
    /// How many calls have been named.
    pub(super) named: &'a mut usize,
}

impl Candidate {
    pub(super) fn new(likely: bool) -> Self {
        Self {
            likely,
            ..Self::default()
        }
    }

    pub(super) fn is_other(&self) -> bool {
        self.state == State::Other
    }

    pub(super) fn is_ready_to_be_named(&self) -> bool {
        self.state == State::Possible && self.likely && self.name.is_some()
    }

    /// Notes that a member has that role. False if another has had it.
    pub(super) fn claim(&mut self, role: Role) -> bool {
        let bit = 1 << role as u8;
        let free = role == Role::Other || self.roles & bit == 0;
        self.roles |= bit;
        free
    }

    pub(super) fn set_name(&mut self, name: &str) {
        self.name = Some(name.into());
    }

    pub(super) fn set_likely(&mut self) {
        self.likely = true;
    }

    pub(super) fn set_id(&mut self, id: &str, news: &mut News<'_>) {
        self.id = Some(id.into());
        if let State::Named(index) = self.state {
            let id = id.into();
            news.events.push(ToolCallEvent::Identified { index, id });
        }
    }

    pub(super) fn begin_arguments(&mut self) {
        self.likely = true;
        self.progress = Progress::Begun;
    }

    pub(super) fn grow_arguments(&mut self, text: &str) {
        let counts = matches!(self.state, State::Possible | State::Named(_));
        if counts && self.fault.is_none() {
            self.arguments.push_str(text);
        }
    }

    pub(super) fn arguments(&self) -> &str {
        &self.arguments
    }

    pub(super) fn end_arguments(&mut self, news: &mut News<'_>) {
        self.progress = Progress::Whole;
        self.tell_growth(news);
    }

    /// Tells of the call, and what was held back for lack of a name.
    pub(super) fn tell_name(&mut self, news: &mut News<'_>) {
        let Some(name) = self.name.clone() else {
            return;
        };
        let index = *news.named;
        *news.named += 1;
        self.state = State::Named(index);
        let id = self.id.clone();
        news.events.push(ToolCallEvent::Named { index, id, name });
        self.tell_growth(news);
        if let Some(fault) = self.fault.take() {
            self.fail(fault, news);
        }
    }

    /// Tells what of the arguments has not been told.
    pub(super) fn tell_growth(&mut self, news: &mut News<'_>) {
        let State::Named(index) = self.state else {
            return;
        };
        let Some(delta) = self
            .arguments
            .get(self.told..)
            .filter(|new| !new.is_empty())
        else {
            return;
        };
        let delta = delta.into();
        self.told = self.arguments.len();
        news.events
            .push(ToolCallEvent::ArgumentsDelta { index, delta });
    }

    /// The call can't be completed any more.
    pub(super) fn fail(&mut self, error: ToolCallError, news: &mut News<'_>) {
        match self.state {
            State::Possible => {
                self.fault.get_or_insert(error);
            }
            State::Named(index) => {
                self.tell_growth(news);
                news.events.push(ToolCallEvent::Failed { index, error });
                self.state = State::Over;
            }
            State::Over | State::Other => {}
        }
    }

    /// The object is no call, because of a member or because there are calls in it.
    pub(super) fn dismiss(&mut self, news: &mut News<'_>) {
        self.fail(ToolCallError::NoCall, news);
        self.state = State::Over;
    }

    /// The object says that it is something else.
    pub(super) fn disown(&mut self, news: &mut News<'_>) {
        let sound = self.state != State::Over && self.fault.is_none();
        self.dismiss(news);
        if sound {
            self.state = State::Other;
        }
    }

    /// The object has ended.
    pub(super) fn end(mut self, arguments_optional: bool, news: &mut News<'_>) {
        if self.progress == Progress::None && arguments_optional {
            self.grow_arguments("{}");
            self.end_arguments(news);
        }
        let (State::Named(index), Some(name)) = (self.state, self.name.take()) else {
            return;
        };
        if self.progress != Progress::Whole {
            return self.fail(ToolCallError::NoArguments, news);
        }
        news.events.push(ToolCallEvent::Completed(ToolCall {
            index,
            id: self.id,
            name,
            arguments: self.arguments,
        }));
    }
}
