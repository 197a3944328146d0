//! A call that is being written.

use alloc::string::String;

use crate::error::{Error, Reason};
use crate::json::{Automaton, Expect, Step};
use crate::limits::Limits;

/// A call, and the part of it that has been received.
#[derive(Debug)]
pub(super) struct Call {
    /// Its position among the calls of the reply, from 0. Clients of Chat Completions use it as the
    /// index of an array, so it must not have gaps, unlike the caller's index.
    pub(super) number: usize,
    /// The caller's index.
    pub(super) index: usize,
    pub(super) id: String,
    pub(super) name: String,
    /// The JSON text of the arguments: all of it, or the part that has not been sent.
    pub(super) arguments: String,
    /// The number of bytes of `arguments` that have been sent.
    pub(super) sent: usize,
    pub(super) check: ArgumentsCheck,
    pub(super) state: CallState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallState {
    /// Started by the caller; its first frame waits for the end of another part.
    Waiting { ended: bool },
    /// Its first frame has been written.
    Open,
    /// Its last frame has been written. If the caller has not ended it, white space may follow.
    Closed { ended: bool },
}

impl Call {
    /// Returns whether the caller has ended it.
    pub(super) const fn has_ended(&self) -> bool {
        match self.state {
            CallState::Waiting { ended } | CallState::Closed { ended } => ended,
            CallState::Open => false,
        }
    }

    /// Returns the part of the arguments that has not been sent.
    pub(super) fn unsent(&self) -> &str {
        self.arguments.get(self.sent..).unwrap_or_default()
    }
}

/// Checks the grammar of the arguments as they arrive, without keeping their text: about 100 bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct ArgumentsCheck {
    automaton: Automaton,
    bytes: usize,
}

/// The part of the arguments that has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Completeness {
    /// Nothing except white space.
    Blank,
    /// The start of a value. The error says where it ends.
    Incomplete(Error),
    /// A value that only white space can follow. A number alone is never terminated: more digits
    /// could follow.
    Terminated,
}

impl ArgumentsCheck {
    /// Reads more of the arguments, or returns an error and stays as it is. Linear in `text`.
    pub(super) fn push(&mut self, text: &str, limits: Limits) -> Result<(), Error> {
        let room = (limits.document_bytes as usize).saturating_sub(self.bytes);
        // A fork expects no byte order mark, which parsers may accept, and `JSON.parse` does not.
        let mut next = self.automaton.fork(0);
        run(&mut next, text, limits).map_err(|error| error.moved_by(self.bytes))?;
        if text.len() > room {
            let limit = limits.document_bytes;
            return Err(Error::new(Reason::DocumentTooLarge(limit), limit as usize));
        }
        self.automaton = next;
        self.bytes += text.len();
        Ok(())
    }

    pub(super) fn completeness(&self) -> Completeness {
        let syntax = &self.automaton.syntax;
        if syntax.expect() == Expect::Nothing {
            return Completeness::Terminated;
        }
        let is_between = self.automaton.lexer.partial_token().is_none();
        if syntax.expect() == Expect::Value && syntax.depth() == 0 && is_between {
            return Completeness::Blank;
        }
        Completeness::Incomplete(Error::new(Reason::Incomplete, self.bytes))
    }
}

fn run(automaton: &mut Automaton, text: &str, limits: Limits) -> Result<(), Error> {
    loop {
        match automaton.next(text.as_bytes(), false, limits.depth)? {
            Step::End => return Ok(()),
            Step::Number(_) => automaton.syntax.end_value(),
            Step::Open(..)
            | Step::Close(_)
            | Step::Separator
            | Step::Name(..)
            | Step::String(..)
            | Step::Literal(..) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_agrees_with_validation_at_every_split() {
        for text in [
            "",
            " ",
            "{}",
            r#" {"a": [1, -2.5e3, "x\ud83d\ude00\n", true, null]} "#,
            r#"{"a": 1"#,
            r#"{"a": "x\"#,
            "tru",
            "true ",
            r#""text""#,
            "{} {}",
            "{}}",
            "{\"a\":\u{1}}",
            "[1,]",
            "\u{feff}{}",
            "[[[[1]]]]",
        ] {
            let limits = Limits::default().max_depth(3);
            let whole = crate::json::validate(text, limits);
            for split in (0..=text.len()).filter(|split| text.is_char_boundary(*split)) {
                let (start, rest) = text.split_at(split);
                let mut check = ArgumentsCheck::default();
                let pushed = check
                    .push(start, limits)
                    .and_then(|()| check.push(rest, limits));
                let actual = pushed.and_then(|()| match check.completeness() {
                    Completeness::Blank => Err(Error::new(Reason::Incomplete, text.len())),
                    Completeness::Incomplete(error) => Err(error),
                    Completeness::Terminated => Ok(()),
                });
                let place = |error: Error| (error.kind(), error.offset());
                assert_eq!(
                    actual.map_err(place),
                    whole.clone().map_err(place),
                    "{text:?} at {split}"
                );
            }
        }
    }

    #[test]
    fn number_is_terminated_by_white_space_only() {
        for (text, terminated) in [("12", false), ("-", false), ("1.", false), ("12 ", true)] {
            let mut check = ArgumentsCheck::default();
            check.push(text, Limits::default()).unwrap();
            let is_terminated = check.completeness() == Completeness::Terminated;
            assert_eq!(is_terminated, terminated, "{text}");
        }
    }

    #[test]
    fn error_leaves_the_check_as_it_was() {
        let limits = Limits::default().max_document_bytes(10);
        let mut check = ArgumentsCheck::default();
        check.push(r#"{"a":"#, limits).unwrap();
        let error = check.push("1}}", limits).unwrap_err();
        assert_eq!((error.is_syntax(), error.offset()), (true, 7));
        let error = check.push("123456}", limits).unwrap_err();
        assert_eq!((error.is_limit(), error.offset()), (true, 10));
        check.push("1234}", limits).unwrap();
        assert_eq!(check.completeness(), Completeness::Terminated);
    }
}
