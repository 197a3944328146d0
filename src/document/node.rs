//! A value in 16 bytes.
//!
//! # For maintainers
//!
//! A node is two words of 64 bits, each of two fields of 30 bits and 4 bits for flags. Texts and
//! trees are at most 2^30 bytes and nodes long, because [`Limits`](crate::limits::Limits) allow no
//! more.
//!
//! ```text
//!          bits 0..30           30..60                            60..63  63
//! extent   start                end | number | last | after       kind    complete
//!          bits 0..30           30..60                            60            61
//! place    index | name         parent + 1, 0 for a root          name escaped  text escaped
//! ```
//!
//! The nodes of `{"name":[1,"x\n"]}`:
//!
//! ```text
//!            start  end|number|after  kind    index|name  parent  escaped
//! {          0      4 (after)         object  0           -       -
//! [          8      4 (after)         array   2           0       -
//! 1          9      10 (end)          number  0           1       -
//! "x\n"      12     0 (number)        string  1           1       text
//! ```
//!
//! - `start`: of a container its bracket, of a string the byte after its quote.
//! - `end`: of a complete scalar without escapes; of a string before its quote. That of the scalar
//!   that is incomplete is in the [`Tree`](super::Tree).
//! - `number`: of a string with escapes its place in
//!   [`Unescaped`](super::unescaped::Unescaped), which has its end.
//! - `last`: of an open container the last child, 0 if it has none.
//! - `after`: of a complete container the node after the last one inside.
//! - `index`: of an element its place in the array. `name`: of a member where its name starts,
//!   after the quote.
//!
//! What is not here is found in the text: where a name ends is at its closing quote, where a
//! container ends is after the last value inside and the closers that follow it
//! ([`Tree::end`](super::Tree::end)). How many elements an array has is the index of the last one
//! and one more; the members of an object are counted.

use super::{Kind, Name, NodeId};

const BITS: u32 = 30;
const MASK: u64 = (1 << BITS) - 1;
/// Where the kind is in `extent`, and the flags in `place`.
const FLAGS: u32 = 2 * BITS;
const COMPLETE: u64 = 1 << 63;
const NAME_ESCAPED: u64 = 1 << FLAGS;
const TEXT_ESCAPED: u64 = 2 << FLAGS;

/// The greatest length of a text, for every place in it to have room in a node.
pub(crate) const MAX_TEXT: usize = MASK as usize;

/// One value. See the [module](self) for what its fields mean for which kind.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    extent: u64,
    place: u64,
}

// Every value of every document costs as much: ten million digits are ten million nodes.
const _: () = assert!(size_of::<Node>() == 16, "a node is 16 bytes");

/// The kinds by their number in a node.
const KINDS: [Kind; 8] = [
    Kind::Null,
    Kind::True,
    Kind::False,
    Kind::Number,
    Kind::String,
    Kind::Array,
    Kind::Object,
    Kind::Object,
];

const _: () = {
    let mut number = 0;
    while number < 7 {
        assert!(KINDS[number] as usize == number, "kinds are in their order");
        number += 1;
    }
};

impl Node {
    #[inline]
    fn new(kind: Kind, parent: Option<NodeId>, place: u64, start: usize) -> Self {
        let start = start as u64;
        debug_assert!(start <= MASK, "a text is at most MAX_TEXT long");
        let parent = parent.map_or(0, |parent| parent.index() as u64 + 1);
        let end = if kind.is_container() { 0 } else { start };
        Self {
            extent: start | end << BITS | (kind as u64) << FLAGS,
            place: place | parent << BITS,
        }
    }

    #[inline]
    pub(crate) fn member(kind: Kind, parent: NodeId, name: Name, start: usize) -> Self {
        let escaped = if name.escaped { NAME_ESCAPED } else { 0 };
        let place = u64::from(name.raw.start) | escaped;
        Self::new(kind, Some(parent), place, start)
    }

    /// An element of an array, or a root.
    #[inline]
    pub(crate) fn element(kind: Kind, parent: Option<NodeId>, index: u32, start: usize) -> Self {
        Self::new(kind, parent, u64::from(index), start)
    }

    /// A complete scalar without escapes, in a container: an element of that index, or a member
    /// whose name, which has no escapes, starts there.
    #[inline]
    pub(crate) fn scalar(
        kind: Kind,
        parent: NodeId,
        index_or_name: u32,
        start: usize,
        end: usize,
    ) -> Self {
        debug_assert!(!kind.is_container() && end as u64 <= MASK);
        Self {
            extent: start as u64 | (end as u64) << BITS | (kind as u64) << FLAGS | COMPLETE,
            place: u64::from(index_or_name) | u64::from(parent.0.get()) << BITS,
        }
    }

    /// An empty container in a container, as [`Self::scalar`].
    #[inline]
    pub(crate) fn container(kind: Kind, parent: NodeId, index_or_name: u32, start: usize) -> Self {
        debug_assert!(kind.is_container() && start as u64 <= MASK);
        Self {
            extent: start as u64 | (kind as u64) << FLAGS,
            place: u64::from(index_or_name) | u64::from(parent.0.get()) << BITS,
        }
    }

    #[inline]
    pub(crate) fn kind(self) -> Kind {
        KINDS[(self.extent >> FLAGS & 7) as usize]
    }

    #[inline]
    pub(crate) fn is_complete(self) -> bool {
        self.extent & COMPLETE != 0
    }

    #[inline]
    pub(crate) fn parent(self) -> Option<NodeId> {
        let parent = (self.place >> BITS & MASK) as usize;
        parent.checked_sub(1).map(NodeId::from_index)
    }

    /// Where the text of the value starts: that of a string after its quote.
    #[inline]
    pub(crate) fn start(self) -> usize {
        (self.extent & MASK) as usize
    }

    /// What is between the start and the flags, which depends on the kind.
    #[inline]
    fn second(self) -> usize {
        (self.extent >> BITS & MASK) as usize
    }

    #[inline]
    fn set_second(&mut self, value: usize) {
        debug_assert!(value as u64 <= MASK);
        self.extent = self.extent & !(MASK << BITS) | (value as u64) << BITS;
    }

    /// Where the text of a complete scalar ends, unless there are escapes in it.
    #[inline]
    pub(crate) fn end(self) -> usize {
        debug_assert!(!self.kind().is_container() && self.unescaped().is_none());
        self.second()
    }

    #[inline]
    pub(crate) fn set_end(&mut self, end: usize) {
        debug_assert!(!self.kind().is_container() && self.unescaped().is_none());
        self.set_second(end);
    }

    /// The number of the unescaped text of a string in which there are escapes.
    #[inline]
    pub(crate) fn unescaped(self) -> Option<u32> {
        (self.place & TEXT_ESCAPED != 0).then_some(self.second() as u32)
    }

    #[inline]
    pub(crate) fn set_unescaped(&mut self, number: u32) {
        debug_assert!(self.kind() == Kind::String);
        self.place |= TEXT_ESCAPED;
        self.set_second(number as usize);
    }

    /// The last child of a container that is open, if it has one.
    #[inline]
    pub(crate) fn last(self) -> Option<NodeId> {
        debug_assert!(self.kind().is_container() && !self.is_complete());
        match self.second() {
            0 => None,
            index => Some(NodeId::from_index(index)),
        }
    }

    #[inline]
    pub(crate) fn set_last(&mut self, last: NodeId) {
        debug_assert!(self.kind().is_container() && !self.is_complete());
        self.set_second(last.index());
    }

    /// Where among the nodes the one after a complete container is.
    #[inline]
    pub(crate) fn after(self) -> usize {
        debug_assert!(self.kind().is_container() && self.is_complete());
        self.second()
    }

    #[inline]
    pub(crate) fn complete_scalar(&mut self) {
        debug_assert!(!self.kind().is_container());
        self.extent |= COMPLETE;
    }

    /// The container has ended before the node `after`.
    #[inline]
    pub(crate) fn complete_container(&mut self, after: usize) {
        debug_assert!(self.kind().is_container() && !self.is_complete());
        self.set_second(after);
        self.extent |= COMPLETE;
    }

    /// The place of an element, or where the name of a member starts.
    #[inline]
    fn index_or_name(self) -> u32 {
        (self.place & MASK) as u32
    }

    /// The place of an element. That of others means nothing.
    #[inline]
    pub(crate) fn index(self) -> u32 {
        self.index_or_name()
    }

    /// Where the name of a member starts, after its quote. That of others means nothing.
    #[inline]
    pub(crate) fn name_start(self) -> usize {
        self.index_or_name() as usize
    }

    #[inline]
    pub(crate) fn is_name_escaped(self) -> bool {
        self.place & NAME_ESCAPED != 0
    }

    /// Follows the tree when the first nodes, bytes of text and unescaped strings are dropped.
    pub(crate) fn shift_by(&mut self, is_member: bool, nodes: usize, bytes: usize, unescaped: u32) {
        let second = if self.kind().is_container() {
            // An open container without children has no last one.
            self.second().saturating_sub(nodes)
        } else if self.unescaped().is_some() {
            self.second() - unescaped as usize
        } else {
            self.second() - bytes
        };
        self.set_second(second);
        self.extent -= bytes as u64;
        if is_member {
            self.place -= bytes as u64;
        }
        if self.parent().is_some() {
            self.place -= (nodes as u64) << BITS;
        }
    }
}

impl core::fmt::Debug for Node {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Node")
            .field("kind", &self.kind())
            .field("start", &self.start())
            .field("second", &self.second())
            .field("index_or_name", &self.index_or_name())
            .field("parent", &self.parent())
            .field("complete", &self.is_complete())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Span;

    #[test]
    fn fields_of_the_greatest_values_keep_apart() {
        let most = MASK as usize;
        let start = most as u32;
        let raw = Span { start, end: start };
        let parent = NodeId::from_index(most - 1);
        for escaped in [false, true] {
            for kind in [Kind::Null, Kind::String, Kind::Array, Kind::Object] {
                let mut node = Node::member(kind, parent, Name { raw, escaped }, most);
                if kind.is_container() {
                    assert_eq!(node.last(), None);
                    node.set_last(NodeId::from_index(most));
                    assert_eq!(node.last(), Some(NodeId::from_index(most)));
                    node.complete_container(most - 1);
                    assert_eq!(node.after(), most - 1);
                } else {
                    node.set_end(most);
                    assert_eq!(node.end(), most);
                    node.complete_scalar();
                }
                if kind == Kind::String {
                    node.set_unescaped(7);
                    assert_eq!(node.unescaped(), Some(7));
                }
                assert_eq!((node.kind(), node.is_complete()), (kind, true));
                assert_eq!((node.start(), node.name_start()), (most, most));
                assert_eq!(node.is_name_escaped(), escaped);
                assert_eq!(node.parent(), Some(parent));
            }
        }
    }

    #[test]
    fn shifted_node_is_as_if_what_was_dropped_had_never_been() {
        let raw = |start| Span { start, end: start };
        let name = |start| Name {
            raw: raw(start),
            escaped: true,
        };
        let mut node = Node::member(Kind::Array, NodeId::from_index(5), name(20), 30);
        node.complete_container(9);
        node.shift_by(true, 3, 12, 0);
        assert_eq!((node.name_start(), node.start(), node.after()), (8, 18, 6));
        assert_eq!(node.parent(), Some(NodeId::from_index(2)));

        let mut root = Node::element(Kind::Array, None, 0, 30);
        root.shift_by(false, 3, 12, 0);
        assert_eq!((root.start(), root.last(), root.parent()), (18, None, None));

        let mut text = Node::element(Kind::String, Some(NodeId::from_index(5)), 4, 30);
        text.set_unescaped(6);
        text.shift_by(false, 3, 12, 2);
        assert_eq!((text.index(), text.unescaped()), (4, Some(4)));
    }
}
