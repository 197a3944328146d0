//! Members by name: a scan in small objects, a hash table for wide ones.

use core::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Node, NodeId, Text};
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
    /// The head of a name without its quotes. One with an escaped quote in it has none that is ever
    /// found: in the input, that quote would be taken for the closing one.
    pub(super) fn of(name: &[u8]) -> Self {
        if name.iter().take(HEAD).any(|byte| *byte == b'"') {
            return Self([0; 2]);
        }
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

/// The member of `object` whose name starts at `from` and is spelled the same, and the length of
/// that name. None says nothing: [`Members::find`] may find it.
///
/// In a narrow object all members are looked at, without a branch on what they are called: where
/// the order of members is random, guessing wrong would cost more than the rest of the search. In
/// a wide one only that behind `last` is, which it is if the order is that of the document.
#[inline]
pub(super) fn scan<M>(
    text: &Text,
    nodes: &[Node<M>],
    object: NodeId,
    last: Option<NodeId>,
    input: &[u8],
    from: usize,
) -> Option<(NodeId, usize)> {
    let (head, len) = Head::at(input, from)?;
    let object = &nodes[object.index()];
    let mut found = None;
    if object.len > SCANNED {
        let next = last.map_or(object.first, |last| nodes[last.index()].next);
        found = next.filter(|id| nodes[id.index()].head == head);
    } else {
        let mut next = object.first;
        while let Some(id) = next {
            let node = &nodes[id.index()];
            found = if node.head == head { next } else { found };
            next = node.next;
        }
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

/// The members of the wide objects of a document, by name.
///
/// An object gets in when it is first searched, and its newer members each time after that. What
/// leaves the tree is taken out; after a rollback all is forgotten.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    table: HashTable<Entry>,
    /// The last member of a wide object that is in the table.
    last: HashTable<(NodeId, NodeId)>,
    hasher: DefaultHashBuilder,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    id: NodeId,
    hash: u64,
}

impl Members {
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.last.clear();
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
        let hash = self.hash(object, raw);
        let entry = self.table.find(hash, |entry| is_it(entry.id));
        entry.map(|entry| entry.id)
    }

    /// Takes a member out that leaves the tree; its parent is the one that it had.
    pub(super) fn remove<M>(&mut self, text: &Text, parent: NodeId, id: NodeId, node: &Node<M>) {
        if !self.table.is_empty() {
            let hash = self.hash(parent, name(text, node));
            if let Ok(entry) = self.table.find_entry(hash, |entry| entry.id == id) {
                entry.remove();
            }
        }
    }

    /// Brings the members of `object` into the table that are not there.
    fn index<M>(&mut self, text: &Text, nodes: &[Node<M>], object: NodeId) {
        let Some(last) = nodes[object.index()].last else {
            return;
        };
        let key = self.hasher.hash_one(object);
        let known = self.last.find(key, |(known, _)| *known == object);
        let known = known.map(|(_, last)| *last);
        if known == Some(last) {
            return;
        }
        let from = match known {
            Some(known) if nodes[known.index()].parent == Some(object) => nodes[known.index()].next,
            _ => nodes[object.index()].first,
        };
        for id in core::iter::successors(from, |id| nodes[id.index()].next) {
            let hash = self.hash(object, name(text, &nodes[id.index()]));
            // Where the last one known has left the tree, those before it are met again.
            if self.table.find(hash, |entry| entry.id == id).is_none() {
                let entry = Entry { id, hash };
                self.table.insert_unique(hash, entry, |entry| entry.hash);
            }
        }
        if let Some((_, known)) = self.last.find_mut(key, |(known, _)| *known == object) {
            *known = last;
        } else {
            let hasher = &self.hasher;
            self.last
                .insert_unique(key, (object, last), |(object, _)| hasher.hash_one(object));
        }
    }

    fn hash(&self, object: NodeId, raw: &str) -> u64 {
        self.hasher.hash_one((object, &*decode(raw)))
    }
}

fn name<'a, M>(text: &'a Text, node: &Node<M>) -> &'a str {
    text.get(node.name.raw)
}
