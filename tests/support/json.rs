//! JSON values as exact as JSON text: numbers by their text, strings by their code points.

use std::fmt;

use super::write::{Escapes, Style, write};

/// Code points of a string. Surrogates are only in here alone: a pair is one code point.
pub(crate) type Text = Vec<u32>;

#[derive(Clone)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// The text of the number, `1.10` not being `1.1`.
    Num(String),
    Str(Text),
    Arr(Vec<Self>),
    /// In the order of the text; names are unique.
    Obj(Vec<(Text, Self)>),
}

pub(crate) const REPLACEMENT: u32 = 0xFFFD;

pub(crate) fn text(text: &str) -> Text {
    text.chars().map(u32::from).collect()
}

pub(crate) fn is_high_surrogate(code_point: u32) -> bool {
    (0xD800..0xDC00).contains(&code_point)
}

pub(crate) fn is_low_surrogate(code_point: u32) -> bool {
    (0xDC00..0xE000).contains(&code_point)
}

/// The start of an open string that can stand: without the characters that a decoder has only
/// half of, which show as U+FFFD or as the first half of a surrogate pair.
pub(crate) fn standing(text: &[u32]) -> &[u32] {
    let waits = |&code_point: &u32| code_point == REPLACEMENT || is_high_surrogate(code_point);
    let end = text.iter().rposition(|code_point| !waits(code_point));
    &text[..end.map_or(0, |last| last + 1)]
}

/// How much of the snapshot may be missing where the text put out is still open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Whatever has to wait.
    Anything,
    /// Nothing but half a character at the end of the open string.
    HalfCharacter,
}

impl Json {
    pub(crate) fn is_literal(&self) -> bool {
        matches!(self, Self::Null | Self::Bool(_))
    }

    pub(crate) fn member(&self, name: &[u32]) -> Option<&Self> {
        match self {
            Self::Obj(members) => members
                .iter()
                .find(|(own, _)| own == name)
                .map(|(_, value)| value),
            Self::Null | Self::Bool(_) | Self::Num(_) | Self::Str(_) | Self::Arr(_) => None,
        }
    }

    /// What this JSON Pointer leads to.
    pub(crate) fn at(&self, pointer: &str) -> Option<&Self> {
        let Some(path) = pointer.strip_prefix('/') else {
            return Some(self).filter(|_| pointer.is_empty());
        };
        path.split('/').try_fold(self, |here, token| match here {
            Self::Arr(elements) => elements.get(token.parse::<usize>().ok()?),
            Self::Obj(members) => members
                .iter()
                .find(|(name, _)| pointer_token(name) == token)
                .map(|(_, value)| value),
            Self::Null | Self::Bool(_) | Self::Num(_) | Self::Str(_) => None,
        })
    }

    /// Whether this is what may have been put out of `whole`: its last `open` nodes, from the root
    /// down along the last children, may lack their ends, everything else is there whole.
    pub(crate) fn is_part_of(&self, whole: &Self, open: usize, missing: Missing) -> bool {
        if open == 0 {
            return self == whole;
        }
        let may_lack = missing == Missing::Anything;
        match (self, whole) {
            (Self::Str(part), Self::Str(whole)) => {
                open == 1 && whole.starts_with(part) && (may_lack || part == standing(whole))
            }
            (Self::Num(part), Self::Num(whole)) => {
                open == 1 && whole.starts_with(part.as_str()) && (may_lack || part == whole)
            }
            (Self::Arr(part), Self::Arr(whole)) => {
                let Some((last, done)) = part.split_last() else {
                    return open == 1 && (may_lack || whole.is_empty());
                };
                whole.starts_with(done)
                    && (may_lack || part.len() == whole.len())
                    && whole
                        .get(done.len())
                        .is_some_and(|whole| last.is_part_of(whole, open - 1, missing))
            }
            (Self::Obj(part), Self::Obj(members)) => {
                let Some(((name, last), done)) = part.split_last() else {
                    return open == 1 && (may_lack || members.is_empty());
                };
                done.iter()
                    .all(|(name, value)| whole.member(name) == Some(value))
                    && (may_lack || part.len() == members.len())
                    && whole
                        .member(name)
                        .is_some_and(|whole| last.is_part_of(whole, open - 1, missing))
            }
            _ => false,
        }
    }

    /// Whether both are equal wherever none of these JSON Pointers leads.
    pub(crate) fn equals_except(&self, other: &Self, pointers: &[String]) -> bool {
        self.equals_except_at("", other, pointers)
    }

    fn equals_except_at(&self, here: &str, other: &Self, pointers: &[String]) -> bool {
        if pointers.iter().any(|pointer| pointer == here) {
            return true;
        }
        match (self, other) {
            (Self::Arr(a), Self::Arr(b)) => {
                a.len() == b.len()
                    && a.iter().zip(b).enumerate().all(|(index, (a, b))| {
                        a.equals_except_at(&format!("{here}/{index}"), b, pointers)
                    })
            }
            (Self::Obj(a), Self::Obj(b)) => {
                let names = a.iter().chain(b).map(|(name, _)| name);
                names.into_iter().all(|name| {
                    let there = format!("{here}/{}", pointer_token(name));
                    match (self.member(name), other.member(name)) {
                        (Some(a), Some(b)) => a.equals_except_at(&there, b, pointers),
                        _ => pointers.contains(&there),
                    }
                })
            }
            _ => self == other,
        }
    }
}

/// A member name as RFC 6901 writes it.
fn pointer_token(name: &[u32]) -> String {
    name.iter()
        .map(|&code_point| char::from_u32(code_point).unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect::<String>()
        .replace('~', "~0")
        .replace('/', "~1")
}

/// The order of members means nothing, everything else does.
impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Num(a), Self::Num(b)) => a == b,
            (Self::Str(a), Self::Str(b)) => a == b,
            (Self::Arr(a), Self::Arr(b)) => a == b,
            (Self::Obj(a), Self::Obj(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .all(|(name, value)| other.member(name) == Some(value))
            }
            _ => false,
        }
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write(self, Style::plain(Escapes::Few)))
    }
}
