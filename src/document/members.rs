//! Members by name: a scan in small objects, a hash table for wide ones.

use core::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Kind, Node, NodeId, Text};
use crate::json::{decode, decoded_prefix};

/// Objects with more members than this are looked up by hash.
const SCANNED: u32 = 16;

/// How many bytes a [`Head`] has.
const HEAD: usize = 16;

/// The first bytes of a name and its closing quote, then zeros: nearly all names are told apart by
/// one comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head([u64; 2]);

impl Head {
    pub(super) fn of(name: &[u8]) -> Self {
        let mut bytes = [0; HEAD];
        for (byte, head) in name.iter().chain(b"\"").zip(&mut bytes) {
            *head = *byte;
        }
        Self::from_word(u128::from_le_bytes(bytes))
    }

    /// The head of the name that starts at `from`, and the length of that name if it ends in it.
    /// None shortly before the end of the input.
    #[inline]
    fn at(input: &[u8], from: usize) -> Option<(Self, Option<usize>)> {
        const ONES: u128 = u128::from_le_bytes([1; HEAD]);
        let word = u128::from_le_bytes(*input.get(from..)?.first_chunk()?);
        let x = word ^ (ONES * u128::from(b'"'));
        let quote = x.wrapping_sub(ONES) & !x & (ONES << 7);
        // Ones up to the lowest bit of `quote`, which is the highest of that byte; else all.
        let upto = quote ^ quote.wrapping_sub(1);
        let len = (quote != 0).then(|| quote.trailing_zeros() as usize / 8);
        Some((Self::from_word(word & upto), len))
    }

    #[inline]
    fn from_word(word: u128) -> Self {
        Self([word as u64, (word >> 64) as u64])
    }
}

/// The member of a narrow `object` whose name starts at `from` and is spelled the same, and the
/// length of that name. None says nothing: [`Members::find`] may find it.
///
/// All members are looked at, without a branch on what they are called: where the order of members
/// is random, guessing wrong would cost more than the rest of the search.
#[inline]
pub(super) fn scan<M>(
    text: &Text,
    nodes: &[Node<M>],
    object: NodeId,
    input: &[u8],
    from: usize,
) -> Option<(NodeId, usize)> {
    let (head, len) = Head::at(input, from)?;
    let object = &nodes[object.index()];
    if object.len > SCANNED {
        return None;
    }
    let mut found = None;
    let mut next = object.first;
    while let Some(id) = next {
        let node = &nodes[id.index()];
        found = if node.head == head { next } else { found };
        next = node.next;
    }
    let id = found?;
    if let Some(len) = len {
        return Some((id, len));
    }
    let name = text.bytes(nodes[id.index()].name.raw);
    let end = from + name.len();
    let same = input.get(from..end)? == name && *input.get(end)? == b'"';
    same.then_some((id, name.len()))
}

/// The members of the wide objects of a document.
///
/// An object gets in when it is first searched, and its newer members each time after that.
/// Members that leave the tree stay in the table, so each find is checked against the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    table: HashTable<NodeId>,
    /// The last member of a wide object that is in the table.
    indexed: HashTable<(NodeId, NodeId)>,
    hasher: DefaultHashBuilder,
}

impl Members {
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.indexed.clear();
    }

    pub(super) fn find<M>(
        &mut self,
        text: &Text,
        nodes: &[Node<M>],
        object: NodeId,
        raw: &str,
        escaped: bool,
    ) -> Option<NodeId> {
        let is_it = |id: NodeId| {
            let node = &nodes[id.index()];
            let name = name(text, node);
            node.parent == Some(object)
                && (name == raw
                    || ((escaped || node.name.escaped)
                        && decoded_prefix(name, raw) == Some(name.len())))
        };
        let node = &nodes[object.index()];
        if node.len <= SCANNED {
            return core::iter::successors(node.first, |id| nodes[id.index()].next)
                .find(|id| is_it(*id));
        }
        self.index(text, nodes, object);
        let hash = self.hasher.hash_one((object, &*decode(raw)));
        self.table.find(hash, |id| is_it(*id)).copied()
    }

    /// Brings the members of `object` into the table that are not there.
    fn index<M>(&mut self, text: &Text, nodes: &[Node<M>], object: NodeId) {
        debug_assert_eq!(nodes[object.index()].kind, Kind::Object);
        let hasher = &self.hasher;
        let hash = |id: &NodeId| {
            let node = &nodes[id.index()];
            node.parent.map_or(0, |parent| {
                hasher.hash_one((parent, &*decode(name(text, node))))
            })
        };
        let key = hasher.hash_one(object);
        let last = nodes[object.index()].last;
        let entry = self.indexed.find(key, |(known, _)| *known == object);
        let from = match entry {
            Some((_, done)) if Some(*done) == last => return,
            Some((_, done)) if nodes[done.index()].parent == Some(object) => {
                nodes[done.index()].next
            }
            _ => nodes[object.index()].first,
        };
        for id in core::iter::successors(from, |id| nodes[id.index()].next) {
            self.table.insert_unique(hash(&id), id, hash);
        }
        let Some(last) = last else { return };
        let known = self.indexed.find_mut(key, |(known, _)| *known == object);
        match known {
            Some((_, done)) => *done = last,
            None => {
                self.indexed
                    .insert_unique(key, (object, last), |(object, _)| hasher.hash_one(object));
            }
        }
    }
}

fn name<'a, M>(text: &'a Text, node: &Node<M>) -> &'a str {
    text.get(node.name.raw)
}
