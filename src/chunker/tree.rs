//! The document: a tree whose nodes only grow, in a form that one `memcmp` compares.
//!
//! # For maintainers
//!
//! ```text
//!  record, in `text`        "title": "Day 1"      "stops": [      "B"      17      {
//!                           ^        ^            ^        ^      ^
//!                           start    value        start    value  start = value: an element
//!
//!  node, 32 bytes           record len|parent next|seen_by changed_by|container|value kind bits
//!
//!  container, 32 bytes      first last count|raw raw_len|row mask shift offset|reach is_stale
//!
//!  slots of an object       0   3   0   0   2   0   4   0        (a power of two, 0 is empty)
//!                               ^ the member with node 3, if its name is the one that is looked up
//! ```
//!
//! - A *record* ([`record`]) is the raw text of a child from the quote of its name to the end of
//!   its scalar, closing quote included, or to its opening bracket. The bytes of a snapshot are the
//!   same as a record if and only if name, separator and value are unchanged. Only a number has to
//!   be asked for the byte that follows it: `17` is a prefix of `171`.
//! - All of `text` is records. What no node of the tree refers to is garbage, which is counted and
//!   collected ([`gc`]); the rest is what the document takes of its limit.
//! - Nodes and containers have an entry 0 that is never used, so that 0 means none and an
//!   index needs no arithmetic.
//! - *Slots* ([`slots`]) and the *index of names* ([`names`]) find members. A slot is a guess that
//!   is verified where it is used (parent and record). Usually each member has a slot, so that a
//!   name without one is new.
//! - `raw` and `raw_len` say where a container was in the last snapshot, see
//!   [`matching`](super::matching). They are guesses of another kind: true, or not used.
//! - A change can be undone ([`undo`]): nodes and containers that existed before the push are
//!   journaled ([`Tree::edit`]), and what is new is cut off. `seen_by`, `changed_by`, slots and raw
//!   places are not journaled: no push has the number of one that failed, a slot is verified, and
//!   raw places are not used after a failed push.

mod gc;
mod names;
mod node;
mod record;
mod slots;
#[cfg(test)]
mod tests;
mod undo;

use alloc::string::String;
use alloc::vec::Vec;

use crate::document::Kind;
pub(super) use gc::Relocation;
use names::NameIndex;
pub(super) use names::is_same_text;
pub(super) use node::{Container, Node, NodeId, Stage};
pub(super) use record::Piece;
use undo::Undo;

#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    text: String,
    nodes: Vec<Node>,
    containers: Vec<Container>,
    rows: Vec<u32>,
    root: Option<NodeId>,
    names: NameIndex,
    garbage: Garbage,
    undo: Undo,
}

/// What nothing refers to any more: bytes of text, nodes, slots.
#[derive(Clone, Copy, Debug, Default)]
struct Garbage {
    text: usize,
    nodes: usize,
    rows: usize,
}

/// What a pass reads and marks of a tree that is not changed: borrowed field by field.
pub(super) struct Parts<'a> {
    pub(super) text: &'a [u8],
    pub(super) nodes: &'a mut [Node],
    pub(super) containers: &'a mut [Container],
    pub(super) rows: &'a [u32],
}

/// How many items to make room for where there is room for `len`, and `more` will be added. Small
/// buffers double; a large document is to take little more memory than it needs.
const fn room<T>(len: usize, more: usize) -> usize {
    let slack = if size_of::<T>() * len < 128 << 10 {
        len
    } else {
        len / 8
    };
    more + slack
}

/// Makes room for `more` items.
pub(super) fn make_room<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(room::<T>(items.capacity(), more));
    }
}

/// Makes room for that many bytes more.
pub(super) fn make_room_for_text(text: &mut String, more: usize) {
    if text.capacity() - text.len() < more {
        text.reserve_exact(room::<u8>(text.capacity(), more));
    }
}

impl Tree {
    /// Makes room for the first snapshot, which the text of a document is not longer than.
    pub(super) fn expect(&mut self, bytes: usize) {
        if self.nodes.is_empty() {
            self.text.reserve_exact(bytes);
        }
    }

    /// Removes everything but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.nodes.clear();
        self.containers.clear();
        self.rows.clear();
        self.root = None;
        self.names.clear();
        self.garbage = Garbage::default();
        self.begin();
    }

    pub(super) fn root(&self) -> Option<NodeId> {
        self.root
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The node, to be changed where nothing will be undone any more, or in a way that needs no
    /// undoing: `seen_by` and `changed_by`, because the number of a failed push is used up.
    #[inline]
    pub(super) fn mark(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    pub(super) fn marks(&mut self) -> impl Iterator<Item = &mut Node> {
        self.nodes.iter_mut()
    }

    pub(super) fn parts(&mut self) -> Parts<'_> {
        Parts {
            text: self.text.as_bytes(),
            nodes: &mut self.nodes,
            containers: &mut self.containers,
            rows: &self.rows,
        }
    }

    /// The entry of a container; an empty one for a scalar.
    #[inline]
    fn container(&self, id: NodeId) -> &Container {
        &self.containers[self.node(id).container as usize]
    }

    /// Where a container was in the last snapshot; nothing for a scalar.
    pub(super) fn set_raw(&mut self, id: NodeId, raw: u32, raw_len: u32) {
        let container = self.node(id).container as usize;
        if container != 0 {
            self.containers[container].raw = raw;
            self.containers[container].raw_len = raw_len;
        }
    }

    /// Where a container was in the last snapshot, it now has this many bytes more; nothing for a
    /// scalar.
    pub(super) fn lengthen_raw(&mut self, id: NodeId, more: u32) {
        let container = self.node(id).container as usize;
        if container != 0 {
            self.containers[container].raw_len += more;
        }
    }

    pub(super) fn raw(&self, id: NodeId) -> (u32, u32) {
        let container = self.container(id);
        (container.raw, container.raw_len)
    }

    #[inline]
    pub(super) fn first(&self, id: NodeId) -> Option<NodeId> {
        self.container(id).first
    }

    pub(super) fn last(&self, id: NodeId) -> Option<NodeId> {
        self.container(id).last
    }

    /// Returns how many children the node has.
    pub(super) fn count(&self, id: NodeId) -> u32 {
        self.container(id).count
    }

    /// Returns the child of `parent` after `before`, or the first.
    pub(super) fn child_after(&self, parent: NodeId, before: Option<NodeId>) -> Option<NodeId> {
        match before {
            Some(before) => self.node(before).next,
            None => self.first(parent),
        }
    }

    pub(super) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        core::iter::successors(self.first(id), |child| self.node(*child).next)
    }

    /// Returns the node after `id` in the order in which text is written, within the tree under
    /// `top`.
    pub(super) fn following(&self, id: NodeId, top: NodeId) -> Option<NodeId> {
        let mut id = id;
        if let Some(child) = self.first(id) {
            return Some(child);
        }
        while id != top {
            if let Some(sibling) = self.node(id).next {
                return Some(sibling);
            }
            id = self.node(id).parent?;
        }
        None
    }

    /// Adds the root, or a child of `parent` after the child `before` or as the first.
    pub(super) fn add(
        &mut self,
        parent: Option<NodeId>,
        before: Option<NodeId>,
        kind: Kind,
        piece: &Piece<'_>,
    ) -> NodeId {
        if self.nodes.is_empty() {
            self.nodes.push(Node::UNUSED);
            self.containers.push(Container::EMPTY);
            self.rows.resize(1 << slots::MIN_SIZE, 0);
        }
        let index = self.nodes.len();
        let id = NodeId::nth(index);
        let record = self.append(kind, piece);
        let container = self.add_container(kind);
        let next = parent.and_then(|parent| self.child_after(parent, before));
        make_room(&mut self.nodes, 1);
        self.nodes.push(Node {
            parent,
            next,
            container,
            kind,
            ..record
        });
        let Some(parent) = parent else {
            self.root = Some(id);
            return id;
        };
        if let Some(before) = before {
            self.edit(before).next = Some(id);
        }
        let entry = self.edit_container(parent);
        entry.count += 1;
        if before.is_none() {
            entry.first = Some(id);
        }
        if next.is_none() {
            entry.last = Some(id);
        }
        if self.node(parent).kind == Kind::Object {
            if next.is_some() {
                self.index_inserted(parent, id);
            }
            self.add_slot(parent, id, piece.is_escaped);
        }
        id
    }

    fn add_container(&mut self, kind: Kind) -> u32 {
        if !kind.is_container() {
            return 0;
        }
        make_room(&mut self.containers, 1);
        self.containers.push(Container::EMPTY);
        self.containers.len() as u32 - 1
    }

    /// Makes a node one of another kind, or a new container of the same; its place stays.
    pub(super) fn retype(&mut self, id: NodeId, kind: Kind, piece: &Piece<'_>) {
        self.clear_value(id);
        let container = self.add_container(kind);
        let record = self.append(kind, piece);
        self.garbage.text += self.node(id).len as usize;
        let node = self.edit(id);
        *node = Node {
            record: record.record,
            len: record.len,
            value: record.value,
            kind,
            container,
            ..*node
        };
    }

    /// Makes a node null, whatever its record says after the name; its name and place stay.
    pub(super) fn clear_value(&mut self, id: NodeId) {
        let mut child = self.first(id);
        while let Some(id) = child {
            child = self.node(id).next;
            self.discard(id);
        }
        self.garbage.rows += self.row_len(id);
        let node = self.edit(id);
        node.kind = Kind::Null;
        node.container = 0;
    }

    /// Takes the child after `before`, or the first, out of the tree.
    pub(super) fn unlink_after(&mut self, parent: NodeId, before: Option<NodeId>) {
        let Some(id) = self.child_after(parent, before) else {
            return;
        };
        let next = self.node(id).next;
        if let Some(before) = before {
            self.edit(before).next = next;
        }
        let entry = self.edit_container(parent);
        entry.count -= 1;
        if before.is_none() {
            entry.first = next;
        }
        if next.is_none() {
            entry.last = before;
        }
        self.discard(id);
    }

    /// Cuts off a tree that nothing refers to any more, and counts it.
    fn discard(&mut self, top: NodeId) {
        self.edit(top).next = None;
        let mut next = Some(top);
        while let Some(id) = next {
            self.remove_from_index(id);
            self.garbage.text += self.node(id).len as usize;
            self.garbage.rows += self.row_len(id);
            self.garbage.nodes += 1;
            next = self.following(id, top);
        }
        self.edit(top).parent = None;
    }

    /// Returns how many bytes of text the document has.
    pub(super) fn live_len(&self) -> usize {
        debug_assert!(
            self.garbage.text <= self.text.len(),
            "all of the text is records"
        );
        self.text.len() - self.garbage.text
    }
}
