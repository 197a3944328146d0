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
/// tokenizer.push(br#"["a\u00"#)?;
/// assert_eq!(tokenizer.next_token()?, Some(Token::ArrayStart));
/// assert_eq!(tokenizer.next_token()?, None);
/// tokenizer.push(br#"e9", 12"#)?;
/// assert_eq!(tokenizer.next_token()?, Some(Token::String(r"a\u00e9")));
/// assert_eq!(tokenizer.next_token()?, Some(Token::Comma));
/// assert_eq!(tokenizer.next_token()?, None); // 12 may become 123
/// tokenizer.finish()?;
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

    /// Takes the next fragment.
    ///
    /// # Errors
    ///
    /// If the text is not UTF-8 or too large.
    pub fn push(&mut self, fragment: &[u8]) -> Result<(), Error> {
        self.drop_taken();
        let size = self.base + self.text.len() + fragment.len();
        if size > self.limits.document_bytes as usize {
            let limit = self.limits.document_bytes;
            return Err(Error::new(Reason::DocumentTooLarge(limit), limit as usize));
        }
        let base = self.base;
        self.utf8
            .append(fragment, &mut self.text)
            .map_err(|error| error.moved_by(base))
    }

    /// The end of the text: a number at its end is complete now.
    ///
    /// # Errors
    ///
    /// If the text ends inside of a character. Whether it ends inside of a token, the calls of
    /// [`next_token`](Self::next_token) tell.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.finished = true;
        self.utf8.finish(self.base + self.text.len())
    }

    /// The next token, if it is complete.
    ///
    /// # Errors
    ///
    /// If there is no token there, at the byte, counted from the start of the text, where that
    /// shows; each call says so again. At the end of the text also if a token is incomplete.
    pub fn next_token(&mut self) -> Result<Option<Token<'_>>, Error> {
        let base = self.base;
        let lexeme = self
            .lexer
            .next(self.text.as_bytes(), self.finished)
            .map_err(|error| error.moved_by(base))?;
        match &lexeme {
            Lexeme::End => {
                let unfinished = self.lexer.unfinished();
                self.check(unfinished.map_or(0, |token| token.range().len()))?;
                return Ok(None);
            }
            Lexeme::Structural(..) => {}
            Lexeme::String(range, _) | Lexeme::Number(range) | Lexeme::Literal(_, range) => {
                self.check(range.len())?;
            }
        }
        self.taken = self.lexer.at();
        Ok(Some(match lexeme {
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
        }))
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

    fn check(&self, length: usize) -> Result<(), Error> {
        let limit = self.limits.token_bytes;
        if length > limit as usize {
            let at = self.base + self.taken;
            return Err(Error::new(Reason::TokenTooLarge(limit), at));
        }
        Ok(())
    }

    /// Drops text whose tokens have been taken, when that is most of it.
    fn drop_taken(&mut self) {
        if self.taken * 2 >= self.text.len() && self.taken > 0 {
            self.text.drain(..self.taken);
            self.lexer.rebase(self.taken);
            self.base += self.taken;
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
