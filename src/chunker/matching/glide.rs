//! The fast way through what the snapshot repeats, in any order.
//!
//! A child is the same as in the document if its bytes start with its record. Which record, in an
//! array the order says, in an object a [slot](crate::chunker::tree) of the name. What was compared
//! was lexed when it was recorded, so only what is between the records has to be read: commas,
//! closing brackets, white space.
//!
//! Whatever is not as it was ends the glide before it: the child is new or has changed
//! (`"a":1` → `"a":12`), was moved by white space (`"a":1` → `"a": 1`), is the second of its name,
//! has lost what was held back of it, or members are missing at the closing bracket. Then one child
//! takes the slow way, which also finds all errors.

use super::{Frame, Matcher, NOWHERE};
use crate::chunker::tree::{Container, NodeId, Parts};
use crate::document::Kind;
use crate::json::{ends_scalar, skip_whitespace};

/// Where the glide stands: after an opening bracket, or after a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GlidePlace {
    Opened,
    Closed,
}

/// The first byte at or after `at` that is no white space: usually there is none or one before it.
#[inline]
fn skip_space(bytes: &[u8], at: usize) -> usize {
    let at = at + usize::from(bytes.get(at) == Some(&b' '));
    match bytes.get(at) {
        Some(byte) if *byte > b' ' => at,
        _ => skip_whitespace(bytes, at),
    }
}

/// Whether a number ends here: its digits may continue.
fn ends_number(after: Option<&u8>) -> bool {
    after.is_some_and(|byte| ends_scalar(*byte))
}

impl Parts<'_> {
    #[inline]
    fn container(&self, id: NodeId) -> &Container {
        &self.containers[self.nodes[id.index()].container()]
    }

    /// Finds a member that is not at the home slot of its name, because another one is there.
    #[cold]
    fn find_displaced(&self, parent: NodeId, member: &[u8]) -> Option<usize> {
        let row = self.container(parent).row();
        let mut slots = row
            .slots(self.rows, member)
            .skip(1)
            .take_while(|index| *index != 0);
        slots.find(|index| {
            self.nodes.get(*index).is_some_and(|node| {
                node.is_child_of(parent) && member.starts_with(node.record_in(self.text))
            })
        })
    }
}

impl Matcher<'_> {
    /// Passes over what the snapshot repeats. Returns what follows.
    #[expect(
        clippy::too_many_lines,
        reason = "one loop whose state fits in registers: calls in it cost 15 % more instructions"
    )]
    pub(super) fn glide(&mut self, mut place: GlidePlace) -> GlidePlace {
        let bytes = self.bytes();
        let push_id = self.state.push_id;
        let tree = self.state.tree.parts();
        let Some(frame) = self.frames.last() else {
            return place;
        };
        let Some(mut parent) = frame.node else {
            return place;
        };
        // Of the innermost frame, what changes with each child is kept here.
        let (mut last, mut seen, mut array) = (frame.last, frame.seen, frame.array);
        let mut row = tree.container(parent).row();
        let mut at = self.at;
        'ahead: loop {
            // After an opening bracket or a value.
            let mut child = skip_space(bytes, at);
            match bytes.get(child) {
                Some(b',') if place == GlidePlace::Closed => child = skip_space(bytes, child + 1),
                Some(bracket @ (b'}' | b']')) => {
                    let Some(frame) = self.frames.last() else {
                        break;
                    };
                    let entry = tree.nodes[parent.index()].container();
                    let container = &mut tree.containers[entry];
                    // An empty object may become present where it is left.
                    if seen != container.count()
                        || seen == 0
                        || frame.widened
                        || array != (*bracket == b']')
                    {
                        break;
                    }
                    at = child + 1;
                    place = GlidePlace::Closed;
                    container.raw_len = at as u32 - frame.start;
                    self.frames.pop();
                    let Some(frame) = self.frames.last() else {
                        self.at = at;
                        return place;
                    };
                    parent = frame.node.unwrap_or(parent);
                    (last, seen, array) = (frame.last, frame.seen, frame.array);
                    row = tree.container(parent).row();
                    continue;
                }
                Some(_) if place == GlidePlace::Opened => {}
                _ => break,
            }
            // At a child, and after a comma at the next one.
            loop {
                let Some(rest) = bytes.get(child..) else {
                    break 'ahead;
                };
                let mut index = if array {
                    let id = match last {
                        Some(last) => tree.nodes[last.index()].next,
                        None => tree.container(parent).first(),
                    };
                    id.map_or(0, NodeId::index)
                } else {
                    row.home(tree.rows, rest)
                };
                let node = loop {
                    if let Some(node) = tree.nodes.get_mut(index)
                        && node.is_child_of(parent)
                        && rest.starts_with(node.record_in(tree.text))
                    {
                        break node;
                    }
                    match tree.find_displaced(parent, rest) {
                        Some(displaced) => index = displaced,
                        None => break 'ahead,
                    }
                };
                let end = child + node.len();
                if node.seen_by == push_id
                    || node.is_watched()
                    || (node.kind == Kind::Number && !ends_number(bytes.get(end)))
                {
                    break 'ahead;
                }
                node.seen_by = push_id;
                let id = NodeId::from_index(index);
                last = id;
                seen += 1;
                at = end;
                place = GlidePlace::Closed;
                if node.kind.is_container() {
                    let start = at as u32 - 1;
                    let is_array = node.kind == Kind::Array;
                    let entry = &mut tree.containers[node.container()];
                    let Some(frame) = self.frames.last_mut() else {
                        break 'ahead;
                    };
                    let old = match frame.old {
                        old if old != NOWHERE && entry.raw_len > 0 => old + entry.raw,
                        _ => NOWHERE,
                    };
                    entry.raw = start - frame.start;
                    let len = entry.raw_len as usize;
                    if old != NOWHERE
                        && (self.last).is_same(
                            &mut self.skipping,
                            bytes,
                            (start as usize, old as usize, len),
                        )
                    {
                        at += len - 1;
                    } else {
                        row = entry.row();
                        (frame.last, frame.seen) = (last, seen);
                        self.frames.push(Frame::new(id, start, old, is_array));
                        parent = id.unwrap_or(parent);
                        (last, seen, array) = (None, 0, is_array);
                        place = GlidePlace::Opened;
                        break;
                    }
                }
                if bytes.get(at) != Some(&b',') {
                    break;
                }
                child = skip_space(bytes, at + 1);
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            (frame.last, frame.seen) = (last, seen);
        }
        self.at = at;
        place
    }
}
