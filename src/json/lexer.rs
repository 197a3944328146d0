//! The resumable lexer.
//!
//! It reads all of the text so far and keeps the place inside a token where that text ended, so
//! that any split of the text gives the same tokens and each byte is read a constant number of
//! times. Which token may be where is decided by the [syntax](super::syntax).

use super::chars::{byte_order_mark_len, skip_whitespace};
use super::lexeme::{Lexeme, Literal, PartialToken, TokenPlace};
use super::number::NumberState;
use super::scan::skip_plain;
use super::unexpected;
use crate::error::{Error, Reason};

/// The place in a token where the text ends.
#[derive(Clone, Copy, Debug, Default)]
enum TokenState {
    #[default]
    Between,
    String(StringState),
    Number {
        /// How many bytes of it have been read.
        len: usize,
        state: NumberState,
    },
    Literal {
        literal: Literal,
        len: u8,
    },
}

impl TokenState {
    /// Returns the state after the first letter of a literal.
    const fn of(literal: Literal) -> Self {
        Self::Literal { literal, len: 1 }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct StringState {
    /// How many bytes have been read, without the opening quote.
    len: usize,
    /// Whether there are escapes in it.
    is_escaped: bool,
    /// Whether the text before `escape` ends in the escape of a high surrogate.
    is_half: bool,
    escape: EscapeState,
}

/// The part of an escape that has been read.
#[derive(Clone, Copy, Debug, Default)]
enum EscapeState {
    /// The text does not end in an escape.
    #[default]
    None,
    Backslash,
    /// `\u` and that number of digits, of which the last four bits of each are in `unit`.
    Unicode {
        digits: u8,
        unit: u16,
    },
}

impl EscapeState {
    /// How many bytes have been read.
    const fn len(self) -> usize {
        match self {
            Self::None => 0,
            Self::Backslash => 1,
            Self::Unicode { digits, .. } => 2 + digits as usize,
        }
    }
}

/// Finds tokens. Its state has no position in the text but [`at`](Self::at).
#[derive(Clone, Debug, Default)]
pub(crate) struct Lexer {
    at: usize,
    state: TokenState,
    /// Whether the start of the text, where a byte order mark may be, has been passed.
    has_started: bool,
}

impl Lexer {
    /// The offset up to which the text has been read.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Sets the position, for callers that have read tokens up to `at`, or that move the text.
    #[inline]
    pub(crate) fn set_at(&mut self, at: usize) {
        self.at = at;
    }

    /// Continues at `at` of another text, which has no byte order mark.
    pub(super) fn continue_at(&mut self, at: usize) {
        self.at = at;
        self.has_started = true;
    }

    /// Returns in what kind of token the text ends.
    pub(crate) fn place(&self) -> TokenPlace {
        match self.state {
            TokenState::Between => TokenPlace::Between,
            TokenState::String(state) => match state.escape {
                EscapeState::None => TokenPlace::String,
                EscapeState::Backslash | EscapeState::Unicode { .. } => TokenPlace::Escape,
            },
            TokenState::Number { state, .. } => TokenPlace::Number {
                is_whole: state.is_whole(),
            },
            TokenState::Literal { .. } => TokenPlace::Literal,
        }
    }

    /// Returns how many bytes have been read of the string (without its quote) or number that the
    /// text ends in.
    pub(crate) fn token_len(&self) -> usize {
        match self.state {
            TokenState::String(StringState { len, .. }) | TokenState::Number { len, .. } => len,
            TokenState::Between | TokenState::Literal { .. } => 0,
        }
    }

    /// Returns whether the text ends between tokens, after its start.
    #[inline]
    pub(crate) fn is_between_tokens(&self) -> bool {
        self.has_started && matches!(self.state, TokenState::Between)
    }

    /// Adjusts the position when the first `bytes` bytes of the text, which contain no part of an
    /// incomplete token, are dropped.
    pub(crate) fn rebase(&mut self, bytes: usize) {
        self.at -= bytes;
    }

    /// Returns where the next token starts and its first byte, unless the text ends before it or
    /// in a token.
    #[inline]
    pub(crate) fn peek(&mut self, text: &[u8]) -> Option<(usize, u8)> {
        if !self.has_started && !text.is_empty() {
            self.has_started = true;
            self.at = byte_order_mark_len(text);
        }
        let TokenState::Between = self.state else {
            return None;
        };
        self.at = skip_whitespace(text, self.at);
        text.get(self.at).map(|byte| (self.at, *byte))
    }

    /// Returns the next token of `text`, which is the text of the call before and perhaps more.
    /// `last` says that no more text follows.
    ///
    /// The same call returns the same error again; the valid part of the token with the error is
    /// the [partial token](Self::partial_token).
    #[inline]
    pub(crate) fn next(&mut self, text: &[u8], last: bool) -> Result<Lexeme, Error> {
        match self.peek(text) {
            Some((start, first)) => self.start(text, start, first, last),
            None => self.resume(text, last),
        }
    }

    /// Reads the token whose first byte [`peek`](Self::peek) has returned.
    #[inline]
    pub(super) fn start(
        &mut self,
        text: &[u8],
        start: usize,
        first: u8,
        last: bool,
    ) -> Result<Lexeme, Error> {
        self.state = match first {
            b'{' | b'}' | b'[' | b']' | b':' | b',' => {
                self.at = start + 1;
                return Ok(Lexeme::Structural(first, start));
            }
            b'"' => TokenState::String(StringState::default()),
            b't' => TokenState::of(Literal::True),
            b'f' => TokenState::of(Literal::False),
            b'n' => TokenState::of(Literal::Null),
            _ => match NumberState::start(first) {
                Some(state) => TokenState::Number { len: 1, state },
                None => return Err(unexpected(text, start, "a value")),
            },
        };
        self.at = start + 1;
        self.resume(text, last)
    }

    /// Continues the incomplete string or number with plain bytes, and returns whether the text
    /// still ends in it. Most small fragments are a piece of a string: ` 1: Arr`.
    ///
    /// If it does not, [`resume`](Self::resume) continues where this stopped.
    #[inline]
    pub(crate) fn is_still_in_token(&mut self, text: &[u8]) -> bool {
        match &mut self.state {
            TokenState::String(state) if matches!(state.escape, EscapeState::None) => {
                let plain = skip_plain(text, self.at);
                state.is_half &= plain == self.at;
                state.len += plain - self.at;
                self.at = plain;
            }
            TokenState::Number { len, state } => {
                let rest = text.get(self.at..).unwrap_or_default();
                for byte in rest {
                    let Some(next) = state.step(*byte) else {
                        return false;
                    };
                    *state = next;
                    *len += 1;
                    self.at += 1;
                }
            }
            TokenState::Between | TokenState::String(_) | TokenState::Literal { .. } => {
                return false;
            }
        }
        self.at == text.len()
    }

    /// Continues the token that the text ended in.
    #[inline]
    pub(super) fn resume(&mut self, text: &[u8], last: bool) -> Result<Lexeme, Error> {
        let lexeme = match self.state {
            TokenState::Between => return Ok(Lexeme::End),
            TokenState::String(state) => self.string(text, state)?,
            TokenState::Number { len, state } => self.number(text, len, state, last)?,
            TokenState::Literal { literal, len } => self.literal(text, literal, len)?,
        };
        match lexeme {
            Lexeme::End if last => Err(Error::new(Reason::Incomplete, text.len())),
            Lexeme::End => Ok(Lexeme::End),
            lexeme => {
                self.state = TokenState::Between;
                Ok(lexeme)
            }
        }
    }

    /// Returns the incomplete token that the text ends in.
    pub(crate) fn partial_token(&self) -> Option<PartialToken> {
        match self.state {
            TokenState::Between => None,
            TokenState::String(state) => {
                let start = self.back(state.len);
                let half = if state.is_half { 6 } else { 0 };
                let end = self.back(state.escape.len() + half);
                Some(PartialToken::String(start..end, state.is_escaped))
            }
            TokenState::Number { len, .. } => Some(PartialToken::Number(self.back(len)..self.at)),
            TokenState::Literal { literal, len } => Some(PartialToken::Literal(
                literal,
                self.back(usize::from(len))..self.at,
            )),
        }
    }

    /// Returns the offset this many bytes before the end of the read text, at least 0.
    #[inline]
    fn back(&self, bytes: usize) -> usize {
        self.at.saturating_sub(bytes)
    }

    fn string(&mut self, text: &[u8], mut state: StringState) -> Result<Lexeme, Error> {
        let error = loop {
            if let EscapeState::None = state.escape {
                let plain = skip_plain(text, self.at);
                state.is_half &= plain == self.at;
                state.len += plain - self.at;
                self.at = plain;
            }
            let Some(&byte) = text.get(self.at) else {
                break None;
            };
            state.escape = match (state.escape, byte) {
                (EscapeState::None, b'"') => {
                    let range = self.back(state.len)..self.at;
                    self.at += 1;
                    return Ok(Lexeme::String(range, state.is_escaped));
                }
                (EscapeState::None, b'\\') => EscapeState::Backslash,
                (EscapeState::None, _) => break Some(Reason::ControlCharacter),
                (EscapeState::Backslash, b'u') => EscapeState::Unicode { digits: 0, unit: 0 },
                (
                    EscapeState::Backslash,
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
                ) => {
                    state.is_escaped = true;
                    state.is_half = false;
                    EscapeState::None
                }
                (EscapeState::Backslash, _) => break Some(Reason::InvalidEscape),
                (EscapeState::Unicode { digits, unit }, _) => {
                    let Some(digit) = char::from(byte).to_digit(16) else {
                        break Some(Reason::InvalidEscape);
                    };
                    let unit = unit << 4 | digit as u16;
                    if digits == 3 {
                        state.is_escaped = true;
                        state.is_half = matches!(unit, 0xD800..=0xDBFF);
                        EscapeState::None
                    } else {
                        let digits = digits + 1;
                        EscapeState::Unicode { digits, unit }
                    }
                }
            };
            self.at += 1;
            state.len += 1;
        };
        self.state = TokenState::String(state);
        match error {
            None => Ok(Lexeme::End),
            Some(reason) => Err(Error::new(reason, self.at)),
        }
    }

    fn number(
        &mut self,
        text: &[u8],
        mut len: usize,
        mut state: NumberState,
        last: bool,
    ) -> Result<Lexeme, Error> {
        while let Some(&byte) = text.get(self.at) {
            match state.step(byte) {
                Some(next) => state = next,
                None if state.is_whole() && !byte.is_ascii_digit() => {
                    return Ok(Lexeme::Number(self.back(len)..self.at));
                }
                None => {
                    self.state = TokenState::Number { len, state };
                    return Err(Error::new(Reason::InvalidNumber, self.at));
                }
            }
            self.at += 1;
            len += 1;
        }
        if last && state.is_whole() {
            return Ok(Lexeme::Number(self.back(len)..self.at));
        }
        self.state = TokenState::Number { len, state };
        Ok(Lexeme::End)
    }

    fn literal(&mut self, text: &[u8], literal: Literal, mut len: u8) -> Result<Lexeme, Error> {
        let expected = literal.text();
        let mut result = Ok(Lexeme::End);
        for expected_byte in expected.as_bytes().iter().skip(usize::from(len)) {
            match text.get(self.at) {
                Some(byte) if byte == expected_byte => {
                    self.at += 1;
                    len += 1;
                }
                Some(_) => {
                    result = Err(unexpected(text, self.at, expected));
                    break;
                }
                None => break,
            }
        }
        if usize::from(len) == expected.len() {
            let range = self.back(expected.len())..self.at;
            return Ok(Lexeme::Literal(literal, range));
        }
        self.state = TokenState::Literal { literal, len };
        result
    }
}
