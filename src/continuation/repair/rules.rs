//! The table: expected × token → action.
//!
//! [`action`] is the grammar of malformed JSON outside of strings; [`cues`](super::cues) is its
//! counterpart inside of them. It decides by the kind of the token alone. An action that depends on
//! more (a closer of a container that is not open, a `+` that follows no string) decides when it is
//! [applied](super::apply).

use super::quote::Quote;
use super::token::{Container, Expected, TokenKind};

/// What to do with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    OpenObject,
    OpenArray,
    /// `(`: a tuple, or a value in parentheses.
    OpenTuple,
    /// A closer, of the innermost container or not: see [`closers`](super::closers).
    Close,
    QuotedValue(Quote),
    QuotedName(Quote),
    /// A number, a literal, or a string without quotes.
    BareValue,
    BareName,
    TakeComma,
    /// `;`, `=` or `:` in place of a comma.
    ReplaceWithComma,
    /// A missing comma, inserted directly after the previous value.
    InsertComma,
    DropComma,
    TakeColon,
    /// `=` or `=>` in place of a colon.
    ReplaceWithColon,
    InsertColon,
    DropColon,
    /// A missing value: `null`.
    InsertValue,
    /// `{` in place of a name: the next element, or a doubled brace.
    OpenInPlaceOfName,
    DropOpener,
    /// `+` after a string, before another; a missing comma elsewhere.
    Concatenate,
    /// A string in an array before a colon: the name of the next member, after the array.
    NameInArray,
    /// The value is complete.
    Stop,
}

/// Returns what to do with a token, in the innermost container; `None` at the root.
pub(super) const fn action(
    expected: Expected,
    container: Option<Container>,
    token: TokenKind,
) -> Action {
    match expected {
        Expected::Element | Expected::MemberValue => match token {
            TokenKind::OpenBrace => Action::OpenObject,
            TokenKind::OpenBracket => Action::OpenArray,
            TokenKind::OpenParenthesis => Action::OpenTuple,
            TokenKind::Close => Action::Close,
            TokenKind::Comma | TokenKind::Semicolon => match expected {
                Expected::MemberValue => Action::InsertValue,
                _ => Action::DropComma,
            },
            TokenKind::Colon => Action::DropColon,
            TokenKind::Quote(quote) => Action::QuotedValue(quote),
            TokenKind::Equals | TokenKind::Plus | TokenKind::Word => Action::BareValue,
        },
        Expected::Name => match token {
            TokenKind::OpenBrace => Action::OpenInPlaceOfName,
            TokenKind::OpenBracket => Action::DropOpener,
            TokenKind::Close => Action::Close,
            TokenKind::Comma | TokenKind::Semicolon => Action::DropComma,
            TokenKind::Colon | TokenKind::Equals => Action::DropColon,
            TokenKind::Quote(quote) => Action::QuotedName(quote),
            TokenKind::OpenParenthesis | TokenKind::Plus | TokenKind::Word => Action::BareName,
        },
        Expected::Colon => match token {
            TokenKind::Colon => Action::TakeColon,
            TokenKind::Equals => Action::ReplaceWithColon,
            TokenKind::Comma | TokenKind::Semicolon => Action::InsertValue,
            TokenKind::Close => Action::Close,
            TokenKind::OpenBrace
            | TokenKind::OpenBracket
            | TokenKind::OpenParenthesis
            | TokenKind::Plus
            | TokenKind::Quote(_)
            | TokenKind::Word => Action::InsertColon,
        },
        Expected::CommaOrEnd => match (token, container) {
            (TokenKind::Close, _) => Action::Close,
            (TokenKind::Comma, _) => Action::TakeComma,
            (TokenKind::Plus, _) => Action::Concatenate,
            (TokenKind::Colon | TokenKind::Equals, Some(Container::Object)) => Action::DropColon,
            (TokenKind::Colon, _) => Action::NameInArray,
            (TokenKind::Semicolon | TokenKind::Equals, _) => Action::ReplaceWithComma,
            (
                TokenKind::OpenBrace
                | TokenKind::OpenBracket
                | TokenKind::OpenParenthesis
                | TokenKind::Quote(_)
                | TokenKind::Word,
                _,
            ) => Action::InsertComma,
        },
        Expected::Nothing => match token {
            TokenKind::Plus => Action::Concatenate,
            _ => Action::Stop,
        },
    }
}

#[cfg(test)]
mod tests;
