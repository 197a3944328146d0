//! Tokens, expectations and containers: the coordinates of the [table](super::rules).

use super::quote::Quote;

/// A token. White space, comments and the like are skipped before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    OpenBrace,
    OpenBracket,
    OpenParenthesis,
    /// `}`, `]` or `)`.
    Close,
    /// `,`
    Comma,
    /// `;`, used in place of a comma.
    Semicolon,
    Colon,
    /// `=` or `=>`, the colon of other languages.
    Equals,
    /// `+`, which concatenates strings or is the sign of a number.
    Plus,
    /// The quote that starts a string.
    Quote(Quote),
    /// Anything else: a number, a literal, a name or string without quotes.
    Word,
}

/// What the grammar expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// The value itself, or an element.
    Element,
    /// The value of a member.
    MemberValue,
    Name,
    Colon,
    CommaOrEnd,
    /// Nothing: the value is complete.
    Nothing,
}

/// The kind of a container in the grammar of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    Object,
    Array,
}

/// The role of a string in its object or array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Name,
    Value,
}
