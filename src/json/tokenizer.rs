//! The lexer as a type of its own.

use alloc::string::String;
use core::fmt;
use core::str;

use super::lexer::{Lexeme, Lexer, Literal};
use super::utf8::Utf8;
use crate::error::{Error, Reason};
use crate::limits::Limits;

/// A token of JSON text (RFC 8259, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Token<'a> {
    /// `{`
    ObjectStart,
    /// `}`
    ObjectEnd,
    /// `[`
    ArrayStart,
    /// `]`
    ArrayEnd,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// A string: its text without the quotes, escapes as they are.
    String(&'a str),
    /// A number as it is written.
    Number(&'a str),
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
}

/// Turns JSON text that comes in fragments into tokens, as they complete.
///
/// Fragments may end anywhere, inside of a character, an escape or a number. The grammar of
/// values is not checked, only that of tokens; [`Parser`](crate::Parser) does the rest.
///
/// ```
/// use json_chunks::{Token, Tokenizer};
///
/// let mut tokenizer = Tokenizer::new();
/// tokenizer.push(br#"["a\u00"#);
/// assert_eq!(tokenizer.next_token()?, Some(Token::ArrayStart));
/// assert_eq!(tokenizer.next_token()?, None);
/// tokenizer.push(br#"e9", 12"#);
/// assert_eq!(tokenizer.next_token()?, Some(Token::String(r"a\u00e9")));
/// assert_eq!(tokenizer.next_token()?, Some(Token::Comma));
/// assert_eq!(tokenizer.next_token()?, None); // 12 may become 123
/// tokenizer.finish();
/// assert_eq!(tokenizer.next_token()?, Some(Token::Number("12")));
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// Memory: the token at hand and the fragments whose tokens have not been taken. Time: linear in
/// the bytes, however they are split.
#[derive(Clone, Default)]
pub struct Tokenizer {
    text: String,
    utf8: Utf8,
    lexer: Lexer,
    limits: Limits,
    /// Bytes of text that have been dropped.
    base: usize,
    /// Up to where the tokens have been taken.
    taken: usize,
    finished: bool,
    /// What is wrong behind the text that there is.
    broken: Option<Error>,
    /// What has been told to be wrong.
    failed: Option<Error>,
}

impl Tokenizer {
    /// A tokenizer with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Bounds on the tokens and on the text as a whole.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Takes the next fragment. What is wrong with it, [`next_token`](Self::next_token) tells when
    /// it gets there.
    pub fn push(&mut self, fragment: &[u8]) {
        if self.broken.is_some() || self.failed.is_some() {
            return;
        }
        self.drop_taken();
        let limit = self.limits.document_bytes;
        let read = self.base + self.text.len() + self.utf8.pending();
        let room = (limit as usize).saturating_sub(read);
        let (fits, over) = fragment.split_at(fragment.len().min(room));
        let base = self.base;
        let valid = self.utf8.append(fits, &mut self.text);
        self.broken = match valid {
            Err(error) => Some(error.moved_by(base)),
            Ok(()) if over.is_empty() => None,
            Ok(()) => Some(Error::new(Reason::DocumentTooLarge(limit), limit as usize)),
        };
    }

    /// The end of the text: a number at its end is complete now.
    pub fn finish(&mut self) {
        self.finished = true;
        if self.broken.is_none() {
            self.broken = self.utf8.finish(self.base + self.text.len()).err();
        }
    }

    /// The next token, if it is complete.
    ///
    /// # Errors
    ///
    /// If there is no token there, at the byte, counted from the start of the text, where that
    /// shows, or if it exceeds the [`Limits`]; each call says so again. At the end of the text
    /// also if a token is incomplete.
    pub fn next_token(&mut self) -> Result<Option<Token<'_>>, Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        match self.lexeme() {
            Ok(Lexeme::End) => Ok(None),
            Ok(lexeme) => Ok(Some(self.token(lexeme))),
            Err(error) => {
                self.failed = Some(error.clone());
                Err(error)
            }
        }
    }

    fn lexeme(&mut self) -> Result<Lexeme, Error> {
        let base = self.base;
        let last = self.finished && self.broken.is_none();
        let lexeme = self.lexer.next(self.text.as_bytes(), last);
        let unfinished = self.lexer.unfinished().map(|token| token.range());
        let (token, result) = match lexeme {
            Ok(Lexeme::End) => (
                unfinished,
                match &self.broken {
                    Some(error) => Err(error.clone()),
                    None => Ok(Lexeme::End),
                },
            ),
            Ok(lexeme) => {
                self.taken = self.lexer.at();
                let range = match &lexeme {
                    Lexeme::Structural(..) | Lexeme::End => None,
                    Lexeme::String(range, _)
                    | Lexeme::Number(range)
                    | Lexeme::Literal(_, range) => Some(range.clone()),
                };
                (range, Ok(lexeme))
            }
            Err(error) => (unfinished, Err(error.moved_by(base))),
        };
        let limit = self.limits.token_bytes;
        match token {
            Some(token) if token.len() > limit as usize => {
                Err(Error::new(Reason::TokenTooLarge(limit), base + token.start))
            }
            Some(_) | None => result,
        }
    }

    fn token(&self, lexeme: Lexeme) -> Token<'_> {
        match lexeme {
            Lexeme::Structural(b'{', _) => Token::ObjectStart,
            Lexeme::Structural(b'}', _) => Token::ObjectEnd,
            Lexeme::Structural(b'[', _) => Token::ArrayStart,
            Lexeme::Structural(b']', _) => Token::ArrayEnd,
            Lexeme::Structural(b':', _) => Token::Colon,
            Lexeme::Structural(..) | Lexeme::End => Token::Comma,
            Lexeme::String(range, _) => Token::String(self.text.get(range).unwrap_or_default()),
            Lexeme::Number(range) => Token::Number(self.text.get(range).unwrap_or_default()),
            Lexeme::Literal(Literal::True, _) => Token::True,
            Lexeme::Literal(Literal::False, _) => Token::False,
            Lexeme::Literal(Literal::Null, _) => Token::Null,
        }
    }

    /// Makes a tokenizer for another text of this one, with the same limits.
    pub fn reset(&mut self) {
        let limits = self.limits;
        let mut text = core::mem::take(&mut self.text);
        text.clear();
        *self = Self {
            text,
            limits,
            ..Self::default()
        };
    }

    /// Drops text whose tokens have been taken and white space behind it, when that is most of it.
    fn drop_taken(&mut self) {
        let taken = if self.lexer.unfinished().is_none() {
            self.lexer.at()
        } else {
            self.taken
        };
        if taken * 2 >= self.text.len() && taken > 0 {
            self.text.drain(..taken);
            self.lexer.rebase(taken);
            self.base += taken;
            self.taken = 0;
        }
    }
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokenizer")
            .field("limits", &self.limits)
            .field("read_bytes", &(self.base + self.text.len()))
            .field("finished", &self.finished)
            .finish_non_exhaustive()
    }
}
