//! Members that a later member of the same name supersedes.

use alloc::boxed::Box;

use hashbrown::HashMap;

use super::NodeId;

/// Which members are superseded by a later one of the same name in the same object.
///
/// Nearly every document has none, so this is a table beside the nodes: a document without
/// duplicates pays one check per question, and no memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Superseded(Option<Box<Tables>>);

#[derive(Clone, Debug, Default)]
struct Tables {
    /// From a member to the next one of its name.
    newer: HashMap<NodeId, NodeId>,
    /// How many children of an object are superseded, where any are.
    counts: HashMap<NodeId, u32>,
}

impl Superseded {
    pub(super) fn clear(&mut self) {
        if let Some(tables) = &mut self.0 {
            tables.newer.clear();
            tables.counts.clear();
        }
    }

    /// Records that `newer` has the name of `older`, the last member of `object` that had it.
    pub(crate) fn insert(&mut self, object: NodeId, older: NodeId, newer: NodeId) {
        let tables = self.0.get_or_insert_default();
        if tables.newer.insert(older, newer).is_none() {
            *tables.counts.entry(object).or_default() += 1;
        }
    }

    /// The next member with the name of this one.
    #[inline]
    pub(crate) fn newer(&self, member: NodeId) -> Option<NodeId> {
        self.0.as_ref()?.newer.get(&member).copied()
    }

    /// How many members of `object` are superseded.
    #[inline]
    pub(crate) fn count(&self, object: NodeId) -> u32 {
        let counts = self.0.as_ref().map(|tables| &tables.counts);
        let count = counts.and_then(|counts| counts.get(&object));
        count.copied().unwrap_or(0)
    }

    /// Follows the document when its first `nodes` nodes are dropped.
    pub(super) fn drop_before(&mut self, nodes: usize) {
        let tables = self.0.take().filter(|tables| !tables.newer.is_empty());
        let Some(Tables { newer, counts }) = tables.map(|tables| *tables) else {
            return;
        };
        let newer = newer
            .into_iter()
            .filter(|(older, _)| older.index() >= nodes)
            .map(|(older, newer)| (older.shifted_by(nodes), newer.shifted_by(nodes)));
        let counts = counts
            .into_iter()
            .filter(|(id, _)| id.index() >= nodes)
            .map(|(id, count)| (id.shifted_by(nodes), count));
        let (newer, counts) = (newer.collect(), counts.collect());
        self.0 = Some(Box::new(Tables { newer, counts }));
    }
}
