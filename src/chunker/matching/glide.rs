//! The fast path through what the snapshot repeats, in any order.
//!
//! A child is unchanged if the snapshot has its record there. In an array the record is that of the
//! next element, in an object a [slot](crate::chunker::tree) of the name leads to it. Records were
//! lexed when they were added, so only the bytes between them are read: commas, closing brackets,
//! white space.
//!
//! The glide ends before a child that is new or has changed (`"a":1` → `"a":12`), that has other
//! white space (`"a":1` → `"a": 1`), that is the second of its name, or that has lost what was held
//! back of it; and before a closing bracket if members are missing. That child takes the slow path,
//! which also finds all errors.

use super::{Frame, Matcher, NOWHERE};
use crate::chunker::tree::{NodeId, Parts};
use crate::document::Kind;
use crate::json::{ends_scalar, skip_whitespace};

/// The position of the glide: after an opening bracket, or after a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GlidePlace {
    Opened,
    Closed,
}

/// Returns the index of the first byte from `at` on that is not white space. Usually there is one
/// space before it, or none.
#[expect(
    clippy::inline_always,
    reason = "a step of the glide, which is slower by a tenth with calls in it"
)]
#[inline(always)]
fn skip_space(bytes: &[u8], at: usize) -> usize {
    let at = at + usize::from(bytes.get(at) == Some(&b' '));
    match bytes.get(at) {
        Some(byte) if *byte > b' ' => at,
        _ => skip_whitespace(bytes, at),
    }
}

/// Whether a text starts with a record.
#[inline]
fn is_at_start(record: Option<&[u8]>, text: &[u8]) -> bool {
    record.is_some_and(|record| text.starts_with(record))
}

/// Whether a number ends here: its digits may continue.
fn ends_number(after: Option<&u8>) -> bool {
    after.is_some_and(|byte| ends_scalar(*byte))
}

impl Parts<'_> {
    /// Finds a member that is not at the home slot of its name, because another one is there.
    #[cold]
    #[inline(never)]
    fn find_displaced(&self, frame: &Frame, member: &[u8]) -> Option<usize> {
        let row = self.containers[frame.entry as usize].row();
        let mut slots = row
            .slots(self.rows, member)
            .skip(1)
            .take_while(|index| *index != 0);
        slots.find(|index| {
            self.nodes.get(*index).is_some_and(|node| {
                node.is_child_of(frame.node) && is_at_start(node.record_in(self.text), member)
            })
        })
    }
}

impl Matcher<'_> {
    /// Passes over what the snapshot repeats. Returns what follows.
    #[expect(
        clippy::too_many_lines,
        reason = "one loop whose state is in local variables: calls in it cost 15 % more"
    )]
    pub(super) fn glide(&mut self, mut place: GlidePlace) -> GlidePlace {
        let bytes = self.bytes();
        let push_id = self.state.push_id;
        let tree = self.state.tree.parts();
        // The innermost frame is kept here.
        let Some(&(mut frame)) = self.frames.last() else {
            return place;
        };
        if frame.node.is_none() {
            return place;
        }
        self.frames.pop();
        let mut at = self.at;
        'ahead: loop {
            let child = match (place, bytes.get(at)) {
                (GlidePlace::Opened, _) => skip_space(bytes, at),
                (GlidePlace::Closed, Some(b',')) => skip_space(bytes, at + 1),
                (GlidePlace::Closed, Some(bracket @ (b'}' | b']'))) => {
                    let container = &mut tree.containers[frame.entry as usize];
                    if frame.seen != container.count()
                        || container.is_stale
                        || frame.array != (*bracket == b']')
                    {
                        break;
                    }
                    at += 1;
                    container.raw_len = at as u32 - frame.start;
                    let Some(outer) = self.frames.pop() else {
                        self.at = at;
                        return place;
                    };
                    frame = outer;
                    continue;
                }
                (GlidePlace::Closed, Some(b' ' | b'\n' | b'\r' | b'\t')) => {
                    at = skip_whitespace(bytes, at);
                    continue;
                }
                _ => break,
            };
            let Some(rest) = bytes.get(child..) else {
                break;
            };
            let container = &tree.containers[frame.entry as usize];
            let mut index = if frame.array {
                let id = match frame.last {
                    Some(last) => tree.nodes[last.index()].next,
                    None => container.first(),
                };
                id.map_or(0, NodeId::index)
            } else {
                container.row().home(tree.rows, rest)
            };
            let node = loop {
                if let Some(node) = tree.nodes.get_mut(index)
                    && node.is_child_of(frame.node)
                    && is_at_start(node.record_in(tree.text), rest)
                {
                    break node;
                }
                // A name whose home slot is empty is nowhere else.
                if index == 0 {
                    break 'ahead;
                }
                match tree.find_displaced(&frame, rest) {
                    Some(displaced) => index = displaced,
                    None => break 'ahead,
                }
            };
            let end = child + node.len();
            if node.seen_by == push_id
                || node.is_watched()
                || (node.kind == Kind::Number && !ends_number(bytes.get(end)))
            {
                break;
            }
            node.seen_by = push_id;
            frame.last = NodeId::from_index(index);
            frame.seen += 1;
            at = end;
            place = GlidePlace::Closed;
            if node.kind.is_container() {
                let start = at as u32 - 1;
                let entry = node.container();
                let container = &mut tree.containers[entry];
                let old = match frame.old {
                    old if old != NOWHERE && container.raw_len > 0 => old + container.raw,
                    _ => NOWHERE,
                };
                container.raw = start - frame.start;
                let len = container.raw_len as usize;
                if old != NOWHERE
                    && (self.last).is_same(
                        &mut self.skipping,
                        bytes,
                        (start as usize, old as usize, len),
                    )
                {
                    at += len - 1;
                } else {
                    self.frames.push(frame);
                    let array = node.kind == Kind::Array;
                    frame = Frame::new(frame.last, entry as u32, start, old, array);
                    place = GlidePlace::Opened;
                }
            }
        }
        self.frames.push(frame);
        self.at = at;
        place
    }
}
