//! Members that a later member of the same name supersedes.

use hashbrown::HashMap;

use super::NodeId;

/// Which members are superseded by a later one of the same name in the same object.
///
/// Nearly every document has none, so this is a table beside the nodes: a document without
/// duplicates pays one check for emptiness per question, and no memory per node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Superseded {
    /// From a member to the next one of its name.
    newer: HashMap<NodeId, NodeId>,
    /// How many children of an object are superseded, where any are.
    counts: HashMap<NodeId, u32>,
}

impl Superseded {
    pub(super) fn clear(&mut self) {
        self.newer.clear();
        self.counts.clear();
    }

    /// Records that `newer` has the name of `older`, the last member of `object` that had it.
    pub(crate) fn insert(&mut self, object: NodeId, older: NodeId, newer: NodeId) {
        if self.newer.insert(older, newer).is_none() {
            *self.counts.entry(object).or_default() += 1;
        }
    }

    /// The next member with the name of this one.
    #[inline]
    pub(crate) fn newer(&self, member: NodeId) -> Option<NodeId> {
        if self.newer.is_empty() {
            return None;
        }
        self.newer.get(&member).copied()
    }

    /// How many members of `object` are superseded.
    #[inline]
    pub(crate) fn count(&self, object: NodeId) -> u32 {
        if self.counts.is_empty() {
            return 0;
        }
        self.counts.get(&object).copied().unwrap_or(0)
    }

    /// Follows the document when its first `nodes` nodes are dropped.
    pub(super) fn drop_before(&mut self, nodes: usize) {
        if self.newer.is_empty() {
            return;
        }
        let newer = core::mem::take(&mut self.newer);
        let kept = newer
            .into_iter()
            .filter(|(older, _)| older.index() >= nodes);
        self.newer = kept
            .map(|(older, newer)| (older.shifted_by(nodes), newer.shifted_by(nodes)))
            .collect();
        let counts = core::mem::take(&mut self.counts);
        let kept = counts.into_iter().filter(|(id, _)| id.index() >= nodes);
        self.counts = kept.map(|(id, n)| (id.shifted_by(nodes), n)).collect();
    }
}
