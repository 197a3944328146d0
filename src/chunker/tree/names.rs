//! Members by name, exactly: a scan in small objects, a hash table for wide ones.
//!
//! This is asked after the [slots](super::slots): for names that are new, spelled in another way,
//! or that clash with others.

use core::hash::BuildHasher;
use core::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::node::Reach;
use super::{NodeId, Tree};
use crate::document::Kind;
use crate::json::{decode, decoded_prefix};

/// Objects with more members than this are looked up by hash.
pub(super) const SCANNED: u32 = 16;

/// The members of the wide objects of a document, by name.
///
/// An object gets in when it is first searched, and its newer members each time after that. What
/// leaves the tree is taken out; after a rollback all is forgotten.
#[derive(Clone, Debug, Default)]
pub(super) struct NameIndex {
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

impl NameIndex {
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.last.clear();
    }

    fn hash(&self, object: NodeId, raw: &str) -> u64 {
        self.hasher.hash_one((object, &*decode(raw)))
    }
}

/// Whether two raw names, or other texts of strings, say the same.
pub(in crate::chunker) fn is_same_text(a: &str, b: &str) -> bool {
    // Only an escape makes two spellings of one name.
    a == b
        || ((a.contains('\\') || b.contains('\\'))
            && decoded_prefix(a, b).is_some_and(|end| end == a.len()))
}

impl Tree {
    /// Returns the member of `object` whose raw name is that part of the snapshot.
    pub(in crate::chunker) fn member(
        &mut self,
        object: NodeId,
        source: &str,
        name: &Range<usize>,
    ) -> Option<NodeId> {
        if let Some(id) = self.guess(object, source, name) {
            return Some(id);
        }
        let raw = source.get(name.clone())?;
        if self.container(object).reach == Reach::All && !raw.contains('\\') {
            debug_assert!(
                self.count(object) > 256
                    || !(self.children(object)).any(|id| is_same_text(self.name(id), raw)),
                "the slots lead to each member"
            );
            return None;
        }
        let found = if self.count(object) <= SCANNED {
            self.children(object)
                .find(|id| is_same_text(self.name(*id), raw))
        } else {
            self.index_names(object);
            let hash = self.names.hash(object, raw);
            let entry = self.names.table.find(hash, |entry| {
                self.node(entry.id).parent == Some(object) && is_same_text(self.name(entry.id), raw)
            });
            entry.map(|entry| entry.id)
        };
        if let Some(id) = found {
            if self.name(id) != raw {
                // Its record may get this spelling, to which the slot of the other does not lead.
                self.edit_container(object).reach = Reach::Escaped;
            }
            self.remember(object, source, name, id);
        }
        found
    }

    /// Adds a member that is inserted before others: [`Tree::index_names`] looks only at the end.
    pub(super) fn index_inserted(&mut self, object: NodeId, id: NodeId) {
        if !self.names.table.is_empty() {
            let hash = self.names.hash(object, self.name(id));
            let entry = Entry { id, hash };
            self.names
                .table
                .insert_unique(hash, entry, |entry| entry.hash);
        }
    }

    /// Takes out a member that leaves the tree; its parent is the one that it had.
    pub(super) fn remove_from_index(&mut self, id: NodeId) {
        if let Some(parent) = self.node(id).parent
            && !self.names.table.is_empty()
            && self.node(parent).kind == Kind::Object
        {
            let hash = self.names.hash(parent, self.name(id));
            if let Ok(entry) = self.names.table.find_entry(hash, |entry| entry.id == id) {
                entry.remove();
            }
        }
    }

    /// Brings the members of `object` into the index that are not there.
    fn index_names(&mut self, object: NodeId) {
        let Some(last) = self.last(object) else {
            return;
        };
        let key = self.names.hasher.hash_one(object);
        let known = self.names.last.find(key, |(known, _)| *known == object);
        let known = known.map(|(_, last)| *last);
        if known == Some(last) {
            return;
        }
        let mut next = match known {
            Some(known) if self.node(known).parent == Some(object) => self.node(known).next,
            _ => self.first(object),
        };
        while let Some(id) = next {
            let hash = self.names.hash(object, self.name(id));
            // Where the last one known has left the tree, those before it are met again.
            if self
                .names
                .table
                .find(hash, |entry| entry.id == id)
                .is_none()
            {
                let entry = Entry { id, hash };
                self.names
                    .table
                    .insert_unique(hash, entry, |entry| entry.hash);
            }
            next = self.node(id).next;
        }
        let names = &mut self.names;
        if let Some((_, known)) = names.last.find_mut(key, |(known, _)| *known == object) {
            *known = last;
        } else {
            let hasher = &names.hasher;
            (names.last).insert_unique(key, (object, last), |(object, _)| hasher.hash_one(object));
        }
    }
}
