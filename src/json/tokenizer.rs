//! The lexer as a public type.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::str;

use super::escape::decode;
use super::lexeme::{Lexeme, Literal};
use super::lexer::Lexer;
use super::phase::Phase;
use super::utf8::Utf8Decoder;
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
    /// A string, or the name of a member.
    String(StringToken<'a>),
    /// A number as it is written.
    Number(&'a str),
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
}

/// The text of a string or of a member's name.
///
/// ```
/// use json_chunks::tokens::{Token, Tokenizer};
///
/// let mut tokenizer = Tokenizer::new();
/// tokenizer.push(br#""Caf\u00e9""#);
/// let Some(Token::String(name)) = tokenizer.next_token()? else {
///     panic!("a string is complete with its closing quote");
/// };
/// assert_eq!(name.raw(), r"Caf\u00e9");
/// assert_eq!(name.decode(), "Café");
/// # Ok::<(), json_chunks::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StringToken<'a> {
    raw: &'a str,
    escaped: bool,
}

impl<'a> StringToken<'a> {
    /// Returns the text between the quotes, with its escapes as they are written.
    #[must_use]
    pub const fn raw(self) -> &'a str {
        self.raw
    }

    /// Returns the text of the string with its escapes resolved. A surrogate escaped alone, which
    /// is not a character, becomes U+FFFD.
    ///
    /// Borrowed, at no cost, if there are no escapes; otherwise linear in the length.
    #[must_use]
    pub fn decode(self) -> Cow<'a, str> {
        if self.escaped {
            decode(self.raw)
        } else {
            Cow::Borrowed(self.raw)
        }
    }
}

/// Splits JSON text that arrives in fragments into tokens, as they complete.
///
/// Fragments may end anywhere, inside a character, an escape or a number. Only the grammar of
/// tokens is checked, not the grammar of values; see [`Parser`](crate::parser::Parser).
///
/// ```
/// use json_chunks::tokens::{Token, Tokenizer};
///
/// let mut tokenizer = Tokenizer::new();
/// tokenizer.push(br#"["a\u00"#);
/// assert_eq!(tokenizer.next_token()?, Some(Token::ArrayStart));
/// assert_eq!(tokenizer.next_token()?, None);
/// tokenizer.push(br#"e9", 12"#);
/// assert!(matches!(tokenizer.next_token()?, Some(Token::String(text)) if text.decode() == "aé"));
/// assert_eq!(tokenizer.next_token()?, Some(Token::Comma));
/// assert_eq!(tokenizer.next_token()?, None); // 12 may become 123
/// tokenizer.finish();
/// assert_eq!(tokenizer.next_token()?, Some(Token::Number("12")));
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// # Cost
///
/// Memory: the incomplete token and the fragments whose tokens have not been returned. Time: linear
/// in the bytes, however they are split.
#[derive(Clone, Default)]
pub struct Tokenizer {
    text: String,
    utf8: Utf8Decoder,
    lexer: Lexer,
    limits: Limits,
    /// Bytes of text that have been dropped.
    base: usize,
    /// The end of the last token that was returned.
    taken: usize,
    phase: Phase,
    /// The error that follows the text, to be returned after the tokens before it.
    broken: Option<Error>,
}

impl Tokenizer {
    /// Creates a tokenizer with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets limits on the tokens and on the entire text.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds the next fragment, bytes or text. Its errors are returned by
    /// [`next_token`](Self::next_token), after the tokens before them.
    pub fn push(&mut self, fragment: impl AsRef<[u8]>) {
        self.push_bytes(fragment.as_ref());
    }

    fn push_bytes(&mut self, fragment: &[u8]) {
        if self.broken.is_some() || matches!(self.phase, Phase::Failed(_)) {
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

    /// Ends the text, which completes a number at its end.
    pub fn finish(&mut self) {
        if let Phase::Reading = self.phase {
            self.phase = Phase::Finished;
        }
        if self.broken.is_none() {
            self.broken = self.utf8.finish(self.base + self.text.len()).err();
        }
    }

    /// Returns the next token, if it is complete.
    ///
    /// # Errors
    ///
    /// If the text is not a token, or exceeds the [`Limits`], with the offset from the start of the
    /// text; each later call returns the same error. At the end of the text also if a token is
    /// incomplete.
    pub fn next_token(&mut self) -> Result<Option<Token<'_>>, Error> {
        self.phase.check()?;
        match self.lexeme() {
            Ok(Lexeme::End) => Ok(None),
            Ok(lexeme) => Ok(Some(self.token(lexeme))),
            Err(error) => {
                self.phase = Phase::Failed(error.clone());
                Err(error)
            }
        }
    }

    fn lexeme(&mut self) -> Result<Lexeme, Error> {
        let base = self.base;
        let last = matches!(self.phase, Phase::Finished) && self.broken.is_none();
        let lexeme = self.lexer.next(self.text.as_bytes(), last);
        let partial = self.lexer.partial_token().map(|token| token.range());
        let (token, result) = match lexeme {
            Ok(Lexeme::End) => (
                partial,
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
            Err(error) => (partial, Err(error.moved_by(base))),
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
            Lexeme::String(range, escaped) => Token::String(StringToken {
                raw: self.text.get(range).unwrap_or_default(),
                escaped,
            }),
            Lexeme::Number(range) => Token::Number(self.text.get(range).unwrap_or_default()),
            Lexeme::Literal(Literal::True, _) => Token::True,
            Lexeme::Literal(Literal::False, _) => Token::False,
            Lexeme::Literal(Literal::Null, _) => Token::Null,
        }
    }

    /// Resets the tokenizer for another text, keeping its limits and allocations.
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

    /// Drops text whose tokens have been returned, and white space after it, once that is most of
    /// the text.
    fn drop_taken(&mut self) {
        let taken = if self.lexer.partial_token().is_none() {
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
            .field("phase", &self.phase)
            .finish_non_exhaustive()
    }
}
