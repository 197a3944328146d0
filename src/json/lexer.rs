//! The resumable lexer.
//!
//! It works on all of the text so far and remembers where in a token that text ended, so that any
//! split of the text gives the same tokens and no byte is looked at more than a constant number of
//! times. What a token means for a tree is not its business.

use core::ops::Range;

use super::number::State as Number;
use super::string::{escape_end, plain_end};
use super::{skip_whitespace, unexpected};
use crate::error::{Error, Reason};

/// A literal of RFC 8259, section 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    Null,
    True,
    False,
}

impl Literal {
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::True => "true",
            Self::False => "false",
        }
    }
}

/// What the lexer finds next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lexeme {
    /// One of `{`, `}`, `[`, `]`, `:` and `,`, and where it is.
    Structural(u8, usize),
    /// A string: its text without the quotes, and whether there are escapes in it.
    String(Range<usize>, bool),
    Number(Range<usize>),
    Literal(Literal, Range<usize>),
    /// The text ends here: between tokens, or in the [token](Lexer::unfinished) that it begins.
    End,
}

/// A token that the text ends in, as far as it is certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// Up to the last whole character: half an escape, or half a surrogate pair, is left out.
    String(Range<usize>, bool),
    Number(Range<usize>),
    Literal(Literal, Range<usize>),
}

impl Unfinished {
    /// Where it stands in the text.
    pub(crate) fn range(&self) -> Range<usize> {
        match self {
            Self::String(range, _) | Self::Number(range) | Self::Literal(_, range) => range.clone(),
        }
    }
}

/// Where the text ends so far.
#[derive(Clone, Copy, Debug, Default)]
enum Place {
    #[default]
    Between,
    String {
        start: usize,
        escaped: bool,
        /// Whether an escaped high surrogate is what came last.
        half: bool,
    },
    Number {
        start: usize,
        state: Number,
    },
    Literal {
        start: usize,
        literal: Literal,
    },
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Lexer {
    at: usize,
    place: Place,
    /// Whether the start of the text, where a byte order mark may be, has been passed.
    begun: bool,
}

impl Lexer {
    /// Up to where the text has been read.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Follows the text when its first `bytes` bytes, which no unfinished token is in, are dropped.
    pub(crate) fn rebase(&mut self, bytes: usize) {
        self.at -= bytes;
        match &mut self.place {
            Place::Between => {}
            Place::String { start, .. }
            | Place::Number { start, .. }
            | Place::Literal { start, .. } => *start -= bytes,
        }
    }

    /// The next token of `text`, which is the text of the call before and perhaps more. `last`
    /// says that it is all there will be. An error comes again with each call; what was right of
    /// the token before it is [unfinished](Self::unfinished).
    #[inline]
    pub(crate) fn next(&mut self, text: &[u8], last: bool) -> Result<Lexeme, Error> {
        if !self.begun && !text.is_empty() {
            self.begun = true;
            if text.starts_with("\u{FEFF}".as_bytes()) {
                self.at = '\u{FEFF}'.len_utf8();
            }
        }
        if let Place::Between = self.place {
            self.at = skip_whitespace(text, self.at);
            let start = self.at;
            let Some(&byte) = text.get(start) else {
                return Ok(Lexeme::End);
            };
            self.at += 1;
            self.place = match byte {
                b'{' | b'}' | b'[' | b']' | b':' | b',' => {
                    return Ok(Lexeme::Structural(byte, start));
                }
                b'"' => Place::String {
                    start: start + 1,
                    escaped: false,
                    half: false,
                },
                b't' => Place::Literal {
                    start,
                    literal: Literal::True,
                },
                b'f' => Place::Literal {
                    start,
                    literal: Literal::False,
                },
                b'n' => Place::Literal {
                    start,
                    literal: Literal::Null,
                },
                _ => {
                    let Some(state) = Number::start(byte) else {
                        self.at = start;
                        return Err(unexpected(text, start, "a value"));
                    };
                    Place::Number { start, state }
                }
            };
        }
        let lexeme = match self.place {
            Place::Between => Lexeme::End,
            Place::String {
                start,
                escaped,
                half,
            } => self.string(text, start, escaped, half)?,
            Place::Number { start, state } => self.number(text, start, state, last)?,
            Place::Literal { start, literal } => self.literal(text, start, literal)?,
        };
        match lexeme {
            Lexeme::End if last => Err(Error::new(Reason::Incomplete, text.len())),
            Lexeme::End => Ok(Lexeme::End),
            lexeme => {
                self.place = Place::Between;
                Ok(lexeme)
            }
        }
    }

    /// What there is of the token that the text ends in.
    pub(crate) fn unfinished(&self) -> Option<Unfinished> {
        match self.place {
            Place::Between => None,
            Place::String {
                start,
                escaped,
                half,
            } => {
                let end = if half { self.at - 6 } else { self.at };
                Some(Unfinished::String(start..end, escaped))
            }
            Place::Number { start, .. } => Some(Unfinished::Number(start..self.at)),
            Place::Literal { start, literal } => Some(Unfinished::Literal(literal, start..self.at)),
        }
    }

    fn string(
        &mut self,
        text: &[u8],
        start: usize,
        mut escaped: bool,
        mut half: bool,
    ) -> Result<Lexeme, Error> {
        let error = loop {
            let plain = plain_end(text, self.at);
            half &= plain == self.at;
            self.at = plain;
            match text.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Lexeme::String(start..self.at - 1, escaped));
                }
                Some(b'\\') => match escape_end(text, self.at) {
                    Ok(end) => {
                        escaped = true;
                        half = is_high_surrogate(&text[self.at..end]);
                        self.at = end;
                    }
                    Err(error) if error.is_incomplete() => break None,
                    Err(error) => break Some(error),
                },
                Some(_) => break Some(Error::new(Reason::ControlCharacter, self.at)),
                None => break None,
            }
        };
        self.place = Place::String {
            start,
            escaped,
            half,
        };
        error.map_or(Ok(Lexeme::End), Err)
    }

    fn number(
        &mut self,
        text: &[u8],
        start: usize,
        mut state: Number,
        last: bool,
    ) -> Result<Lexeme, Error> {
        while let Some(&byte) = text.get(self.at) {
            match state.step(byte) {
                Some(next) => state = next,
                None if state.is_whole() && !byte.is_ascii_digit() => {
                    return Ok(Lexeme::Number(start..self.at));
                }
                None => {
                    self.place = Place::Number { start, state };
                    return Err(Error::new(Reason::InvalidNumber, self.at));
                }
            }
            self.at += 1;
        }
        if last && state.is_whole() {
            return Ok(Lexeme::Number(start..self.at));
        }
        self.place = Place::Number { start, state };
        Ok(Lexeme::End)
    }

    fn literal(&mut self, text: &[u8], start: usize, literal: Literal) -> Result<Lexeme, Error> {
        for &expected in &literal.text().as_bytes()[self.at - start..] {
            match text.get(self.at) {
                Some(byte) if *byte == expected => self.at += 1,
                Some(_) => return Err(unexpected(text, self.at, literal.text())),
                None => return Ok(Lexeme::End),
            }
        }
        Ok(Lexeme::Literal(literal, start..self.at))
    }
}

/// Whether an escape is the first half of a surrogate pair.
fn is_high_surrogate(escape: &[u8]) -> bool {
    matches!(
        escape,
        [
            b'\\',
            b'u',
            b'd' | b'D',
            b'8' | b'9' | b'a' | b'b' | b'A' | b'B',
            ..
        ]
    )
}
