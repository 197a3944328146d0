//! Getting rid of what nothing refers to any more.

use alloc::vec;
use alloc::vec::Vec;

use super::{Document, NodeId, Text};

/// Below this, garbage is not worth collecting.
const TOLERATED: usize = 4096;

/// Where the nodes of a document went.
#[derive(Debug)]
pub(crate) struct Moved(Vec<Option<NodeId>>);

impl Moved {
    /// The new name of a node of the tree.
    pub(crate) fn to(&self, id: NodeId) -> NodeId {
        self.0.get(id.index()).copied().flatten().unwrap_or(id)
    }
}

impl<M: Copy + Default> Document<M> {
    /// Counts what of the text is in use, once it has changed from input to copies.
    pub(crate) fn count_text(&mut self) {
        if !self.text.is_uncounted() {
            return;
        }
        let mut used = 0;
        if let Some(top) = self.root() {
            let mut next = Some(top);
            while let Some(id) = next {
                let node = self.node(id);
                used += node.name.raw.len() + node.text.len();
                next = self.following(id, top);
            }
        }
        self.text.count(used);
    }

    /// Rebuilds the document if more of it is dead than alive, which makes the cost of rebuilding
    /// a constant factor of that of the changes that left the dead behind.
    pub(crate) fn compact(&mut self) -> Option<Moved> {
        let live_nodes = self.nodes.len() - self.dead;
        let wasteful = self.text.dead_len() > TOLERATED + self.text.live_len()
            || self.dead > TOLERATED / 64 + live_nodes;
        if self.text.is_verbatim() || !wasteful {
            return None;
        }
        let mut moved = vec![None; self.nodes.len()];
        let mut nodes = Vec::with_capacity(live_nodes);
        let mut text = Text::of_copies(self.text.live_len());
        let top = self.root?;
        let mut next = Some(top);
        while let Some(id) = next {
            let mut node = *self.node(id);
            for span in [&mut node.name.raw, &mut node.text] {
                *span = text.copy(self.text(*span));
            }
            moved[id.index()] = Some(NodeId::from_index(nodes.len()));
            nodes.push(node);
            next = self.following(id, top);
        }
        let moved = Moved(moved);
        for node in &mut nodes {
            for link in [
                &mut node.parent,
                &mut node.first,
                &mut node.last,
                &mut node.next,
            ] {
                *link = link.map(|id| moved.to(id));
            }
        }
        self.root = self.root.map(|id| moved.to(id));
        self.nodes = nodes;
        self.text = text;
        self.dead = 0;
        self.members.clear();
        self.begin();
        Some(moved)
    }
}
