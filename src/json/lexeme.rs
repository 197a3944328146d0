//! What the [lexer](super::lexer) returns: tokens, complete and incomplete.

use core::ops::Range;

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

/// The next token, or the end of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lexeme {
    /// One of `{`, `}`, `[`, `]`, `:` and `,`, and its index.
    Structural(u8, usize),
    /// A string: its text without the quotes, and whether it has escapes.
    String(Range<usize>, bool),
    Number(Range<usize>),
    Literal(Literal, Range<usize>),
    /// The text ends here: between tokens, or in a [token](super::lexer::Lexer::partial_token).
    End,
}

/// The part of an incomplete token at the end of the text that cannot change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PartialToken {
    /// Up to the last complete character, without half an escape or half a surrogate pair.
    String(Range<usize>, bool),
    Number(Range<usize>),
    Literal(Literal, Range<usize>),
}

impl PartialToken {
    /// Returns its range in the text.
    pub(crate) fn range(&self) -> Range<usize> {
        match self {
            Self::String(range, _) | Self::Number(range) | Self::Literal(_, range) => range.clone(),
        }
    }
}

/// The kind of token that a text ends in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenPlace {
    Between,
    String,
    /// In an escape of a string.
    Escape,
    /// In a number, which may end here if it is complete.
    Number {
        is_whole: bool,
    },
    Literal,
}

impl TokenPlace {
    /// Returns whether the text ends in a string.
    pub(crate) const fn is_string(self) -> bool {
        matches!(self, Self::String | Self::Escape)
    }
}
