//! Detects joins that give an object two members with the same name.
//!
//! JSON allows these, but models hardly ever write them, so such a join most likely contains
//! something twice.

use super::grammar::NewName;
use crate::document::{Kind, Value};
use crate::json::decode;

/// Names are not looked up in objects with more members, because the lookup is linear.
const MOST_MEMBERS: usize = 1024;

/// Returns whether one of the new names is the name of an existing member. Names are ranges of
/// `text`, of which the part from `start` is new; a name that started before begins with `begun`.
pub(crate) fn has_duplicate_name(
    root: Value<'_>,
    names: &[NewName],
    begun: &[u8],
    text: &[u8],
    start: usize,
) -> bool {
    names.iter().any(|name| {
        let piece = text.get(name.start.unwrap_or(start)..name.end);
        let head = if name.start.is_none() { begun } else { &[] };
        let raw = [head, piece.unwrap_or_default()].concat();
        let Ok(raw) = core::str::from_utf8(&raw) else {
            return false;
        };
        let inner = core::iter::successors(Some(root), |value| value.last());
        let object = inner.take(name.level).last();
        object.is_some_and(|object| {
            object.kind() == Kind::Object
                && object.members().nth(MOST_MEMBERS).is_none()
                && object.members().any(|(member, _)| member == decode(raw))
        })
    })
}
