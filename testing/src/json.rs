//! JSON values that are as exact as JSON text: numbers as text, strings as code points.

use std::fmt;

use crate::write::{Escapes, Style, write};

/// The code points of a string. A surrogate pair is one code point; only unpaired surrogates occur.
pub type Text = Vec<u32>;

#[derive(Clone)]
pub enum Json {
    Null,
    Bool(bool),
    /// The text of the number, because `1.10` differs from `1.1`.
    Num(String),
    Str(Text),
    Arr(Vec<Self>),
    /// In the order of the text; names are unique.
    Obj(Vec<(Text, Self)>),
}

pub const REPLACEMENT: u32 = 0xFFFD;

pub fn text(text: &str) -> Text {
    text.chars().map(u32::from).collect()
}

pub fn is_high_surrogate(code_point: u32) -> bool {
    (0xD800..0xDC00).contains(&code_point)
}

pub fn is_low_surrogate(code_point: u32) -> bool {
    (0xDC00..0xE000).contains(&code_point)
}

/// Returns the part of an open string that can no longer change: without incomplete characters at
/// its end, which a decoder shows as U+FFFD or as the first half of a surrogate pair.
pub fn stable_text(text: &[u32]) -> &[u32] {
    let waits = |&code_point: &u32| code_point == REPLACEMENT || is_high_surrogate(code_point);
    let end = text.iter().rposition(|code_point| !waits(code_point));
    &text[..end.map_or(0, |last| last + 1)]
}

/// What may be missing at the end of the emitted text, compared to the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Anything that is held.
    Anything,
    /// Only half a character at the end of the open string.
    HalfCharacter,
    /// Half a character, and members that are null or objects that contain only such members.
    Nulls,
}

/// Returns the part of a growing number that can no longer change: 1.0 may become 1.5 or 12.0.
pub fn stable_number(number: &str) -> &str {
    number.strip_suffix(".0").unwrap_or(number)
}

impl Json {
    pub fn is_literal(&self) -> bool {
        matches!(self, Self::Null | Self::Bool(_))
    }

    pub fn member(&self, name: &[u32]) -> Option<&Self> {
        match self {
            Self::Obj(members) => members
                .iter()
                .find(|(own, _)| own == name)
                .map(|(_, value)| value),
            Self::Null | Self::Bool(_) | Self::Num(_) | Self::Str(_) | Self::Arr(_) => None,
        }
    }

    /// Returns the value at a JSON Pointer.
    pub fn at(&self, pointer: &str) -> Option<&Self> {
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

    /// Returns whether this is a valid emitted part of `snapshot`: the last `open` nodes, from the
    /// root along the last children, may be incomplete; everything else is equal.
    pub fn is_part_of(&self, snapshot: &Self, open: usize, missing: Missing) -> bool {
        if open == 0 {
            return self == snapshot;
        }
        let may_lack = missing == Missing::Anything;
        match (self, snapshot) {
            (Self::Str(part), Self::Str(all)) => {
                open == 1 && all.starts_with(part) && (may_lack || part == stable_text(all))
            }
            (Self::Num(part), Self::Num(all)) => {
                open == 1
                    && all.starts_with(part.as_str())
                    && (may_lack || part == stable_number(all))
            }
            (Self::Arr(part), Self::Arr(all)) => {
                let Some((last, done)) = part.split_last() else {
                    return open == 1 && (may_lack || all.is_empty());
                };
                all.starts_with(done)
                    && (may_lack || part.len() == all.len())
                    && all
                        .get(done.len())
                        .is_some_and(|value| last.is_part_of(value, open - 1, missing))
            }
            (Self::Obj(part), Self::Obj(_)) => {
                let Some(((name, last), done)) = part.split_last() else {
                    return open == 1 && (may_lack || snapshot.has_only(part, missing));
                };
                done.iter()
                    .all(|(name, value)| snapshot.member(name) == Some(value))
                    && (may_lack || snapshot.has_only(part, missing))
                    && snapshot
                        .member(name)
                        .is_some_and(|value| last.is_part_of(value, open - 1, missing))
            }
            _ => false,
        }
    }

    /// Returns whether all members of an object are in `part`, except for those that may be
    /// missing.
    fn has_only(&self, part: &[(Text, Self)], missing: Missing) -> bool {
        let Self::Obj(members) = self else {
            return false;
        };
        members.iter().all(|(name, value)| {
            part.iter().any(|(own, _)| own == name)
                || (missing == Missing::Nulls && value.is_all_null())
        })
    }

    /// Returns whether it is null, or an object that contains only such members.
    fn is_all_null(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Obj(members) => {
                !members.is_empty() && members.iter().all(|(_, value)| value.is_all_null())
            }
            Self::Bool(_) | Self::Num(_) | Self::Str(_) | Self::Arr(_) => false,
        }
    }

    /// Returns whether both are equal except at these JSON Pointers.
    pub fn equals_except(&self, other: &Self, pointers: &[String]) -> bool {
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

/// Returns a member name as a reference token of a JSON Pointer (RFC 6901).
fn pointer_token(name: &[u32]) -> String {
    name.iter()
        .map(|&code_point| char::from_u32(code_point).unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect::<String>()
        .replace('~', "~0")
        .replace('/', "~1")
}

/// Compares values exactly, ignoring the order of members.
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
