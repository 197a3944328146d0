//! Whether a join gives an object two members of one name.
//!
//! JSON allows that, and models hardly ever do it: a join that starts it is most likely one that
//! has something twice.

use super::grammar::NewName;
use crate::document::{Kind, Value};
use crate::json::decode;

/// In objects of more members than these no names are looked up.
const MOST_MEMBERS: usize = 1024;

/// Whether one of the names that a probe has passed is that of a member that is there. Names are
/// pieces of `text`, which has been read from `start`; one that has begun before starts with
/// `begun`.
pub(super) fn is_doubled(
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
                && object.len() <= MOST_MEMBERS
                && object.members().any(|(member, _)| member == decode(raw))
        })
    })
}
