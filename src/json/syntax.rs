//! The grammar of values as a resumable automaton: the [lexer](super::lexer) and what is expected
//! next.
//!
//! # For maintainers
//!
//! | expected | accepts | next |
//! | --- | --- | --- |
//! | `Value` | a scalar | `CommaOrEnd`, `Nothing` at depth 0 |
//! |  | `[`, `{` | `FirstElement`, `FirstName` |
//! | `FirstElement` | what `Value` does | as there |
//! |  | `]` | as after a scalar |
//! | `FirstName` | a string | `Colon` |
//! |  | `}` | as after a scalar |
//! | `Name` | a string | `Colon` |
//! | `Colon` | `:` | `Value` |
//! | `CommaOrEnd` | `,` | `Value` in an array, `Name` in an object |
//! |  | the closer of the container | as after a scalar |
//! | `Nothing` | nothing |  |
//!
//! - Whether a token is allowed is decided by its first byte, before any more of it is read, so
//!   that the error is the same wherever the text is split.
//! - The state contains no position except for [`Lexer::at`], and takes about 64 bytes as long as
//!   no more than 64 containers are open. To try a continuation, [fork](Automaton::fork) it and
//!   read the continuation; the original is unchanged.

use core::ops::Range;

use super::containers::{Container, OpenContainers};
use super::lexeme::{Lexeme, Literal};
use super::lexer::Lexer;
use crate::error::{Error, Reason};

/// What may be next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Expect {
    /// A value: at the start, after a colon, after a comma in an array.
    #[default]
    Value,
    /// An element or the end of the array.
    FirstElement,
    /// A member name or the end of the object.
    FirstName,
    /// A member name.
    Name,
    Colon,
    /// A comma or the end of the container.
    CommaOrEnd,
    /// White space, unless there may be several values.
    Nothing,
}

/// What may be next, and the containers that are open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Syntax {
    expect: Expect,
    open: OpenContainers,
}

impl Syntax {
    #[inline]
    pub(crate) fn expect(&self) -> Expect {
        self.expect
    }

    /// Sets what is expected, for callers that have read tokens up to there: names, colons and
    /// commas, or the start of a root.
    #[inline]
    pub(crate) fn set_expect(&mut self, expect: Expect) {
        self.expect = expect;
    }

    #[inline]
    pub(crate) fn depth(&self) -> u32 {
        self.open.depth
    }

    /// Returns the innermost open container.
    #[inline]
    pub(crate) fn container(&self) -> Option<Container> {
        self.open.innermost()
    }

    /// Returns whether a string at this place is the name of a member.
    #[inline]
    pub(crate) fn expects_name(&self) -> bool {
        matches!(self.expect, Expect::FirstName | Expect::Name)
    }

    /// Returns whether a token that starts with this byte is allowed here.
    #[inline]
    fn accepts(&self, first: u8) -> bool {
        match self.expect {
            Expect::Value => starts_value(first),
            Expect::FirstElement => starts_value(first) || first == b']',
            Expect::FirstName => matches!(first, b'"' | b'}'),
            Expect::Name => first == b'"',
            Expect::Colon => first == b':',
            Expect::CommaOrEnd => {
                first == b',' || self.container().is_some_and(|open| open.closer() == first)
            }
            Expect::Nothing => false,
        }
    }

    #[inline]
    pub(crate) fn open(&mut self, container: Container) {
        self.open.push(container);
        self.expect = match container {
            Container::Array => Expect::FirstElement,
            Container::Object => Expect::FirstName,
        };
    }

    #[inline]
    pub(crate) fn close(&mut self) {
        self.open.pop();
        self.end_value();
    }

    #[inline]
    pub(crate) fn end_value(&mut self) {
        self.expect = match self.open.depth {
            0 => Expect::Nothing,
            _ => Expect::CommaOrEnd,
        };
    }

    #[inline]
    fn comma(&mut self) {
        self.expect = match self.container() {
            Some(Container::Object) => Expect::Name,
            Some(Container::Array) | None => Expect::Value,
        };
    }

    /// Returns the error for a token at `at` that is not allowed there.
    #[cold]
    fn unexpected(&self, at: usize) -> Error {
        let expected = match (self.expect, self.container()) {
            (Expect::Value, _) => "a value",
            (Expect::FirstElement, _) => "a value or ']'",
            (Expect::FirstName, _) => "a member name or '}'",
            (Expect::Name, _) => "a member name",
            (Expect::Colon, _) => "':'",
            (Expect::CommaOrEnd, Some(Container::Object)) => "',' or '}'",
            (Expect::CommaOrEnd, Some(Container::Array) | None) => "',' or ']'",
            (Expect::Nothing, _) => return Error::new(Reason::Trailing, at),
        };
        Error::new(Reason::Expected(expected), at)
    }
}

/// Returns whether a value may start with this byte.
#[inline]
pub(crate) const fn starts_value(byte: u8) -> bool {
    matches!(
        byte,
        b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'
    )
}

/// What an [`Automaton`] reads next. Ranges are as those of a [`Lexeme`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A container opens at this place.
    Open(Container, usize),
    /// The innermost container closes at this place.
    Close(usize),
    /// A colon or a comma.
    Separator,
    /// The name of a member, and whether there are escapes in it.
    Name(Range<usize>, bool),
    /// A string, and whether there are escapes in it.
    String(Range<usize>, bool),
    Number(Range<usize>),
    Literal(Literal, Range<usize>),
    /// The text ends here.
    End,
}

/// Reads tokens in places where the grammar allows them, across any split of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Automaton {
    pub(crate) lexer: Lexer,
    pub(crate) syntax: Syntax,
}

impl Automaton {
    /// Reads the next token of `text`, which is the text of the call before and perhaps more.
    /// `last` says that no more text follows. A number that ends a value has to be reported by
    /// [`Syntax::end_value`], because at the end of the text only the caller knows whether it does.
    ///
    /// # Errors
    ///
    /// If the text is not JSON, or opens more than `depth` containers. The same call returns the
    /// same error again.
    #[inline]
    pub(crate) fn next(&mut self, text: &[u8], last: bool, depth: u32) -> Result<Step, Error> {
        let lexeme = match self.lexer.peek(text) {
            None => self.lexer.resume(text, last),
            Some((at, first)) => {
                if !self.syntax.accepts(first) {
                    return Err(self.syntax.unexpected(at));
                }
                if matches!(first, b'{' | b'[') && self.syntax.depth() >= depth {
                    return Err(Error::new(Reason::TooDeep(depth), at));
                }
                self.lexer.start(text, at, first, last)
            }
        };
        let syntax = &mut self.syntax;
        let step = match lexeme? {
            Lexeme::Structural(b'{', at) => {
                syntax.open(Container::Object);
                Step::Open(Container::Object, at)
            }
            Lexeme::Structural(b'[', at) => {
                syntax.open(Container::Array);
                Step::Open(Container::Array, at)
            }
            Lexeme::Structural(b':', _) => {
                syntax.expect = Expect::Value;
                Step::Separator
            }
            Lexeme::Structural(b',', _) => {
                syntax.comma();
                Step::Separator
            }
            Lexeme::Structural(_, at) => {
                syntax.close();
                Step::Close(at)
            }
            Lexeme::String(range, escaped) if syntax.expects_name() => {
                syntax.expect = Expect::Colon;
                Step::Name(range, escaped)
            }
            Lexeme::String(range, escaped) => {
                syntax.end_value();
                Step::String(range, escaped)
            }
            Lexeme::Literal(literal, range) => {
                syntax.end_value();
                Step::Literal(literal, range)
            }
            Lexeme::Number(range) => Step::Number(range),
            Lexeme::End => Step::End,
        };
        Ok(step)
    }

    /// Returns an automaton that continues at `at` of another text, which is read as the
    /// continuation of this one. Of a token that started in this text, only the end of the range is
    /// meaningful. A byte order mark is not expected there.
    pub(crate) fn fork(&self, at: usize) -> Self {
        let mut fork = self.clone();
        fork.lexer.continue_at(at);
        fork
    }

    /// Expects another root if a value starts at the next token, for texts of several values.
    /// `touches` decides from the offset and the first byte of the value whether a separator is
    /// required before it and missing.
    pub(crate) fn start_next_root(&mut self, text: &[u8], touches: impl FnOnce(usize, u8) -> bool) {
        if self.syntax.expect == Expect::Nothing
            && let Some((at, first)) = self.lexer.peek(text)
            && starts_value(first)
            && !touches(at, first)
        {
            self.syntax.expect = Expect::Value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs all of `text`.
    fn run(automaton: &mut Automaton, text: &str, last: bool) -> Result<usize, Error> {
        let mut steps = 0;
        loop {
            match automaton.next(text.as_bytes(), last, 1000)? {
                Step::End => return Ok(steps),
                Step::Number(_) => automaton.syntax.end_value(),
                Step::Open(..)
                | Step::Close(_)
                | Step::Separator
                | Step::Name(..)
                | Step::String(..)
                | Step::Literal(..) => {}
            }
            steps += 1;
        }
    }

    #[test]
    fn fork_at_every_byte_reads_the_rest_as_the_original_would() {
        let text = r#" {"a\u00e9": [1, -2.5e+3, "x\ud83d\ude00\n", true], "b": {"c": null}} "#;
        let mut entire = Automaton::default();
        let steps = run(&mut entire, text, true).unwrap();
        for split in (0..=text.len()).filter(|split| text.is_char_boundary(*split)) {
            let (start, rest) = text.split_at(split);
            let mut automaton = Automaton::default();
            let before = run(&mut automaton, start, false).unwrap();
            let mut fork = automaton.fork(0);
            assert_eq!(
                before + run(&mut fork, rest, true).unwrap(),
                steps,
                "{split}"
            );
            assert_eq!(fork.syntax.expect(), Expect::Nothing);
            // Neither the original nor another fork is affected.
            assert!(run(&mut automaton.fork(0), "\u{1}", true).is_err());
            assert_eq!(before + run(&mut automaton, text, true).unwrap(), steps);
        }
    }

    #[test]
    fn every_first_byte_is_accepted_where_the_table_says() {
        let value: &[u8] = b"\"{[-0123456789tfn";
        for (text, accepted) in [
            ("", value),
            ("[", &[value, b"]"].concat()),
            ("[1 ", b",]"),
            ("[1,", value),
            ("{", b"\"}"),
            ("{\"a\"", b":"),
            ("{\"a\":", value),
            ("{\"a\":1 ", b",}"),
            ("{\"a\":1,", b"\""),
            ("1 ", b""),
        ] {
            let mut automaton = Automaton::default();
            run(&mut automaton, text, false).unwrap();
            for byte in (0..=u8::MAX).filter(|byte| !b" \t\r\n".contains(byte)) {
                let wanted = accepted.contains(&byte);
                assert_eq!(automaton.syntax.accepts(byte), wanted, "{text} {byte}");
            }
        }
    }
}
