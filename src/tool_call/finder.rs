//! The parser's events → calls.

use alloc::vec::Vec;

use super::brackets::Brackets;
use super::candidate::{Candidate, News};
use super::shape::{Role, ToolCallShape};
use super::{ToolCallError, ToolCallEvent};
use crate::document::{Kind, Value};
use crate::error::Error;
use crate::limits::Limits;
use crate::parser::{Change, Growth, Parser, Path};

/// An open array or object outside of arguments.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// An array; whether it is a value of the text.
    List { top: bool },
    /// The object of the innermost candidate.
    Call,
    /// The object in there that has the name and the arguments.
    Function,
    /// Any other object.
    Other,
}

/// Follows the parser and knows what its events mean for calls.
#[derive(Clone, Debug)]
pub(super) struct Finder {
    pub(super) shape: ToolCallShape,
    limits: Limits,
    brackets: Brackets,
    frames: Vec<Frame>,
    /// One for each [`Frame::Call`].
    candidates: Vec<Candidate>,
    /// What the scalar at hand is to the innermost candidate.
    leaf: Role,
    /// How many arrays and objects are open in the arguments, themselves included.
    in_arguments: usize,
    /// How many calls have been named.
    named: usize,
    pub(super) events: Vec<ToolCallEvent>,
}

impl Finder {
    pub(super) fn new(shape: ToolCallShape) -> Self {
        Self {
            shape,
            limits: Limits::default(),
            brackets: Brackets::default(),
            frames: Vec::new(),
            candidates: Vec::new(),
            leaf: Role::default(),
            in_arguments: 0,
            named: 0,
            events: Vec::new(),
        }
    }

    pub(super) fn limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    pub(super) fn reset(&mut self) {
        let shape = core::mem::replace(&mut self.shape, ToolCallShape::plain());
        let limits = self.limits;
        *self = Self::new(shape);
        self.limits = limits;
    }

    /// Takes what a push has brought, and how it failed.
    pub(super) fn follow(&mut self, growth: Growth<'_>, error: Option<&Error>) {
        let text = sound(growth, error);
        let mut at = 0;
        // From where on the arguments have not been taken, while they are open.
        let mut from = 0;
        for event in growth.events() {
            match event.change {
                Change::Started(kind) if kind.is_container() => {
                    let bracket = self.brackets.next(growth.text(), at);
                    at = bracket + 1;
                    if self.open(kind, event.path) {
                        from = bracket;
                    }
                }
                Change::Completed(value) if value.kind().is_container() => {
                    at = self.brackets.next(growth.text(), at) + 1;
                    self.close(growth.text().get(from..at).unwrap_or_default());
                }
                Change::Started(_) if self.in_arguments == 0 => self.begin(event.path),
                Change::Appended(text) if self.leaf == Role::Arguments => self.grow(text),
                Change::Completed(value) if self.in_arguments == 0 => self.complete(value),
                Change::Started(_) | Change::Appended(_) | Change::Completed(_) => {}
            }
        }
        self.brackets.next(growth.text(), at);
        if self.in_arguments > 0 {
            self.grow(text.get(from..).unwrap_or_default());
        }
        self.with_candidate(Candidate::tell_growth);
        if let Some(error) = error {
            let mut candidates = core::mem::take(&mut self.candidates);
            for candidate in &mut candidates {
                candidate.fail(ToolCallError::Text(error.clone()), &mut self.news());
            }
        }
    }

    /// An array or object begins. Gives whether that is where arguments do.
    fn open(&mut self, kind: Kind, path: Path<'_>) -> bool {
        if self.in_arguments > 0 {
            self.in_arguments += 1;
            return false;
        }
        let role = self.role(path);
        let place = match self.frames.last() {
            None => Some(true),
            Some(Frame::List { top }) => Some(*top),
            Some(Frame::Call | Frame::Function | Frame::Other) => None,
        };
        match (role, kind, place) {
            (Role::Arguments, _, _) => {
                self.in_arguments = 1;
                self.with_candidate(|candidate, _| candidate.begin_arguments());
                self.name_if_ready();
                return true;
            }
            (_, Kind::Object, Some(top)) => {
                let likely = top || self.shape.is_telling();
                self.candidates.push(Candidate::new(likely));
                self.frames.push(Frame::Call);
                return false;
            }
            (Role::Function, Kind::Object, _) => {
                self.frames.push(Frame::Function);
                return false;
            }
            (Role::Name | Role::Function, _, _) => self.with_candidate(Candidate::dismiss),
            (Role::Marker, _, _) => self.with_candidate(Candidate::disown),
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

    /// An array or object ends; of arguments this is the rest.
    fn close(&mut self, rest: &str) {
        if self.in_arguments > 0 {
            self.in_arguments -= 1;
            if self.in_arguments == 0 {
                self.with_candidate(|candidate, news| {
                    candidate.grow_arguments(rest);
                    candidate.end_arguments(news);
                });
            }
            return;
        }
        if let Some(Frame::Call) = self.frames.pop()
            && let Some(candidate) = self.candidates.pop()
        {
            let optional = self.shape.are_arguments_optional();
            candidate.end(optional, &mut self.news());
        }
    }

    /// A scalar begins.
    fn begin(&mut self, path: Path<'_>) {
        self.leaf = self.role(path);
        match self.leaf {
            Role::Arguments => {
                self.with_candidate(|candidate, _| candidate.begin_arguments());
                self.name_if_ready();
            }
            Role::Function => self.with_candidate(Candidate::dismiss),
            Role::Other | Role::Name | Role::Id | Role::Marker => {}
        }
    }

    fn grow(&mut self, text: &str) {
        self.with_candidate(|candidate, _| candidate.grow_arguments(text));
    }

    /// A scalar ends.
    fn complete(&mut self, value: Value<'_>) {
        let string = value.as_str();
        match (core::mem::take(&mut self.leaf), string) {
            (Role::Name, Some(name)) if !name.is_empty() => {
                self.with_candidate(|candidate, _| candidate.set_name(name));
                self.name_if_ready();
            }
            (Role::Marker, Some(marker)) if self.shape.is_marked_by(marker) => {
                self.with_candidate(|candidate, _| candidate.set_likely());
                self.name_if_ready();
            }
            (Role::Name, _) => self.with_candidate(Candidate::dismiss),
            (Role::Marker, _) => self.with_candidate(Candidate::disown),
            (Role::Id, _) => {
                if let Some(id) = string.or(value.as_number()) {
                    self.with_candidate(|candidate, news| candidate.set_id(id, news));
                }
            }
            (Role::Arguments, None) => {
                self.grow(value.kind().literal());
                self.with_candidate(Candidate::end_arguments);
            }
            (Role::Arguments, Some(_)) => {
                let limits = self.limits;
                self.with_candidate(|candidate, news| {
                    candidate.end_arguments(news);
                    if let Err(error) = Parser::of_whole(candidate.arguments().as_bytes(), limits) {
                        candidate.fail(ToolCallError::Arguments(error), news);
                    }
                });
            }
            (Role::Other | Role::Function, _) => {}
        }
    }

    /// What the value that begins is to the innermost candidate.
    fn role(&mut self, path: Path<'_>) -> Role {
        let inner = match self.frames.last() {
            Some(Frame::Call) => false,
            Some(Frame::Function) => true,
            Some(Frame::List { .. } | Frame::Other) | None => return Role::Other,
        };
        if self.candidates.last().is_none_or(Candidate::is_other) {
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
        self.with_candidate(|candidate, news| {
            if !candidate.claim(role) {
                candidate.fail(ToolCallError::Repeated, news);
            }
        });
        role
    }

    /// Tells of the innermost candidate, if enough is known. What is around it is no call then.
    fn name_if_ready(&mut self) {
        let (events, named) = (&mut self.events, &mut self.named);
        let mut news = News { events, named };
        if let Some((candidate, around)) = self.candidates.split_last_mut()
            && candidate.is_ready_to_be_named()
        {
            for candidate in around {
                candidate.dismiss(&mut news);
            }
            candidate.tell_name(&mut news);
        }
    }

    fn with_candidate(&mut self, act: impl FnOnce(&mut Candidate, &mut News<'_>)) {
        let (events, named) = (&mut self.events, &mut self.named);
        if let Some(candidate) = self.candidates.last_mut() {
            act(candidate, &mut News { events, named });
        }
    }

    fn news(&mut self) -> News<'_> {
        News {
            events: &mut self.events,
            named: &mut self.named,
        }
    }
}

/// The text of a push, up to where it went wrong.
fn sound<'a>(growth: Growth<'a>, error: Option<&Error>) -> &'a str {
    let text = growth.text();
    let mut end = error.map_or(text.len(), |error| {
        error
            .offset()
            .saturating_sub(growth.start())
            .min(text.len())
    });
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
