//! The table: expected × token → action.
//!
//! [`action`] is the grammar of malformed JSON outside of strings; [`cues`](super::cues) is its
//! counterpart inside of them. It decides by the kind of the token alone. An action that depends on
//! more (a closer of a container that is not open, a `+` that follows no string) decides when it is
//! [applied](super::apply).

use super::quote::Quote;
use super::token::{Container, Expected, Token};

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
    token: Token,
) -> Action {
    match expected {
        Expected::Element | Expected::MemberValue => match token {
            Token::OpenBrace => Action::OpenObject,
            Token::OpenBracket => Action::OpenArray,
            Token::OpenParenthesis => Action::OpenTuple,
            Token::Close => Action::Close,
            Token::Comma | Token::Semicolon => match expected {
                Expected::MemberValue => Action::InsertValue,
                _ => Action::DropComma,
            },
            Token::Colon => Action::DropColon,
            Token::Quote(quote) => Action::QuotedValue(quote),
            Token::Equals | Token::Plus | Token::Word => Action::BareValue,
        },
        Expected::Name => match token {
            Token::OpenBrace => Action::OpenInPlaceOfName,
            Token::OpenBracket => Action::DropOpener,
            Token::Close => Action::Close,
            Token::Comma | Token::Semicolon => Action::DropComma,
            Token::Colon | Token::Equals => Action::DropColon,
            Token::Quote(quote) => Action::QuotedName(quote),
            Token::OpenParenthesis | Token::Plus | Token::Word => Action::BareName,
        },
        Expected::Colon => match token {
            Token::Colon => Action::TakeColon,
            Token::Equals => Action::ReplaceWithColon,
            Token::Comma | Token::Semicolon => Action::InsertValue,
            Token::Close => Action::Close,
            Token::OpenBrace
            | Token::OpenBracket
            | Token::OpenParenthesis
            | Token::Plus
            | Token::Quote(_)
            | Token::Word => Action::InsertColon,
        },
        Expected::CommaOrEnd => match (token, container) {
            (Token::Close, _) => Action::Close,
            (Token::Comma, _) => Action::TakeComma,
            (Token::Plus, _) => Action::Concatenate,
            (Token::Colon | Token::Equals, Some(Container::Object)) => Action::DropColon,
            (Token::Colon, _) => Action::NameInArray,
            (Token::Semicolon | Token::Equals, _) => Action::ReplaceWithComma,
            (
                Token::OpenBrace
                | Token::OpenBracket
                | Token::OpenParenthesis
                | Token::Quote(_)
                | Token::Word,
                _,
            ) => Action::InsertComma,
        },
        Expected::Nothing => match token {
            Token::Plus => Action::Concatenate,
            _ => Action::Stop,
        },
    }
}

#[cfg(test)]
mod tests;
