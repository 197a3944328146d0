//! What may come next, as a pushdown automaton over bytes.
//!
//! To ask whether a text goes on being JSON in some way must cost what that way is long, not what
//! the text is. So this is kept beside the parser: a state of a few bytes and the stack of open
//! containers. A [`Probe`] goes on from there without changing either: of the stack it keeps a
//! part and adds its own. It takes what the parser takes, within the same limits.

use alloc::vec::Vec;

use super::found::Spoken;
use crate::error::Reason;
use crate::json::{Literal, NumberState, plain_end};
use crate::limits::Limits;
use crate::parser::Expect;

/// An open container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    Array,
    Object,
}

/// Where in a token the text ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Token {
    #[default]
    Between,
    String,
    /// Behind the backslash.
    Escape,
    /// So many digits before the end of a `\u` escape.
    Hex(u8),
    Number(NumberState),
    /// So many letters of it have come.
    Literal(Literal, u8),
}

impl Token {
    /// Whether the text ends in a string.
    pub(super) const fn is_string(self) -> bool {
        matches!(self, Self::String | Self::Escape | Self::Hex(_))
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    token: Token,
    expect: Expect,
    /// How long the string or number is so far, without its quotes.
    token_bytes: usize,
}

/// The state behind a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Grammar {
    state: State,
    open: Vec<Container>,
}

impl Grammar {
    pub(super) fn token(&self) -> Token {
        self.state.token
    }

    /// Whether the root has ended.
    pub(super) fn is_complete(&self) -> bool {
        self.state.expect == Expect::Nothing
    }

    /// Takes what a probe has gone through.
    pub(super) fn apply(&mut self, step: Step) {
        self.state = step.state;
        self.open.truncate(step.kept);
        self.open.extend(step.opened);
    }
}

/// What a [`Probe`] has come to, free of what it started from.
#[derive(Clone, Debug)]
pub(super) struct Step {
    state: State,
    kept: usize,
    opened: Vec<Container>,
}

/// A member name that a probe has passed in an object that was open at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NewName {
    /// How many containers are around the member.
    pub(super) level: usize,
    /// Where it starts, unless it has begun before.
    pub(super) start: Option<usize>,
    pub(super) end: usize,
}

/// No more names than these are remembered.
const MOST_NAMES: usize = 16;

/// Goes on from a [`Grammar`].
#[derive(Clone, Debug)]
pub(super) struct Probe<'a> {
    base: &'a [Container],
    limits: Limits,
    step: Step,
    spoken: Spoken,
    name_start: Option<usize>,
    names: Vec<NewName>,
}

/// Where a probe could not go on, and whether that is for a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) at: usize,
    pub(super) limit: Option<Reason>,
}

impl<'a> Probe<'a> {
    pub(super) fn new(grammar: &'a Grammar, limits: Limits) -> Self {
        Self {
            base: &grammar.open,
            limits,
            step: Step {
                state: grammar.state,
                kept: grammar.open.len(),
                opened: Vec::new(),
            },
            spoken: Spoken::Nothing,
            name_start: None,
            names: Vec::new(),
        }
    }

    /// Goes through `bytes` from `at` to their end, or to where they are not what may come next.
    pub(super) fn run(&mut self, bytes: &[u8], mut at: usize) -> Result<(), Stop> {
        while let Some(&byte) = bytes.get(at) {
            if self.step.state.token == Token::String {
                let plain = plain_end(bytes, at);
                if plain > at {
                    self.lengthen(plain - at, at)?;
                    at = plain;
                    continue;
                }
            }
            self.byte(byte, at)?;
            at += 1;
        }
        Ok(())
    }

    pub(super) fn is_complete(&self) -> bool {
        self.step.state.expect == Expect::Nothing
    }

    pub(super) fn token(&self) -> Token {
        self.step.state.token
    }

    pub(super) fn spoken(&self) -> Spoken {
        self.spoken
    }

    pub(super) fn names(&self) -> &[NewName] {
        &self.names
    }

    pub(super) fn into_step(self) -> Step {
        self.step
    }

    fn byte(&mut self, byte: u8, at: usize) -> Result<(), Stop> {
        let stop = Stop { at, limit: None };
        match self.step.state.token {
            Token::Between => return self.between(byte, at),
            Token::String => match byte {
                b'"' => {
                    self.spoken = Spoken::Structure;
                    self.end_string(at);
                    return Ok(());
                }
                b'\\' => {
                    self.spoken = self.spoken.max(Spoken::Escape);
                    self.step.state.token = Token::Escape;
                }
                0..=0x1f => return Err(stop),
                _ => {}
            },
            Token::Escape => {
                self.step.state.token = match byte {
                    b'u' => Token::Hex(4),
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Token::String,
                    _ => return Err(stop),
                };
            }
            Token::Hex(left) => {
                if !byte.is_ascii_hexdigit() {
                    return Err(stop);
                }
                self.step.state.token = match left {
                    0 | 1 => Token::String,
                    _ => Token::Hex(left - 1),
                };
            }
            Token::Number(number) => match number.step(byte) {
                Some(next) => self.step.state.token = Token::Number(next),
                None if number.is_whole() && !byte.is_ascii_digit() => {
                    self.end_value();
                    return self.between(byte, at);
                }
                None => return Err(stop),
            },
            Token::Literal(literal, come) => {
                let text = literal.text().as_bytes();
                if text.get(usize::from(come)) != Some(&byte) {
                    return Err(stop);
                }
                if usize::from(come) + 1 == text.len() {
                    self.end_value();
                } else {
                    self.step.state.token = Token::Literal(literal, come + 1);
                }
                return Ok(());
            }
        }
        self.lengthen(1, at)
    }

    fn between(&mut self, byte: u8, at: usize) -> Result<(), Stop> {
        let stop = Stop { at, limit: None };
        if matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
            return Ok(());
        }
        let expect = self.step.state.expect;
        let value = matches!(expect, Expect::Value | Expect::FirstElement);
        let name = matches!(expect, Expect::Name | Expect::FirstName);
        match byte {
            b'{' if value => self.open(Container::Object, Expect::FirstName, at)?,
            b'[' if value => self.open(Container::Array, Expect::FirstElement, at)?,
            b'}' if matches!(expect, Expect::FirstName) || self.closes(Container::Object) => {
                self.close();
            }
            b']' if matches!(expect, Expect::FirstElement) || self.closes(Container::Array) => {
                self.close();
            }
            b',' if expect == Expect::CommaOrEnd => {
                self.step.state.expect = match self.innermost() {
                    Some(Container::Object) => Expect::Name,
                    Some(Container::Array) | None => Expect::Value,
                };
            }
            b':' if expect == Expect::Colon => self.step.state.expect = Expect::Value,
            b'"' if value || name => {
                self.name_start = Some(at + 1);
                self.begin(Token::String, 0);
            }
            b't' if value => self.begin(Token::Literal(Literal::True, 1), 1),
            b'f' if value => self.begin(Token::Literal(Literal::False, 1), 1),
            b'n' if value => self.begin(Token::Literal(Literal::Null, 1), 1),
            _ if value => match NumberState::start(byte) {
                Some(number) => {
                    self.begin(Token::Number(number), 0);
                    return self.lengthen(1, at);
                }
                None => return Err(stop),
            },
            _ => return Err(stop),
        }
        if matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':' | b'"') {
            self.spoken = Spoken::Structure;
        }
        Ok(())
    }

    fn begin(&mut self, token: Token, token_bytes: usize) {
        self.step.state.token = token;
        self.step.state.token_bytes = token_bytes;
    }

    fn lengthen(&mut self, bytes: usize, at: usize) -> Result<(), Stop> {
        self.step.state.token_bytes += bytes;
        let limit = self.limits.token_bytes;
        if self.step.state.token_bytes > limit as usize {
            let limit = Some(Reason::TokenTooLarge(limit));
            return Err(Stop { at, limit });
        }
        Ok(())
    }

    fn end_string(&mut self, at: usize) {
        if !matches!(self.step.state.expect, Expect::Name | Expect::FirstName) {
            return self.end_value();
        }
        self.step.state.token = Token::Between;
        self.step.state.expect = Expect::Colon;
        if self.step.opened.is_empty() && self.names.len() < MOST_NAMES {
            self.names.push(NewName {
                level: self.step.kept,
                start: self.name_start,
                end: at,
            });
        }
    }

    fn end_value(&mut self) {
        self.step.state.token = Token::Between;
        self.step.state.expect = match self.innermost() {
            Some(_) => Expect::CommaOrEnd,
            None => Expect::Nothing,
        };
    }

    fn innermost(&self) -> Option<Container> {
        let below = || self.base.get(..self.step.kept)?.last();
        self.step.opened.last().or_else(below).copied()
    }

    fn closes(&self, container: Container) -> bool {
        self.step.state.expect == Expect::CommaOrEnd && self.innermost() == Some(container)
    }

    fn open(&mut self, container: Container, expect: Expect, at: usize) -> Result<(), Stop> {
        let depth = self.step.kept + self.step.opened.len();
        let limit = self.limits.depth;
        if depth >= limit as usize {
            let limit = Some(Reason::TooDeep(limit));
            return Err(Stop { at, limit });
        }
        self.step.opened.push(container);
        self.step.state.expect = expect;
        Ok(())
    }

    fn close(&mut self) {
        if self.step.opened.pop().is_none() {
            self.step.kept = self.step.kept.saturating_sub(1);
        }
        self.end_value();
    }
}

#[cfg(test)]
mod tests;
