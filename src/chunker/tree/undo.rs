//! Undoing a push.

use alloc::vec::Vec;

use super::{Container, Garbage, Node, NodeId, Tree};

/// What [`Tree::rollback`] goes back to.
#[derive(Clone, Debug, Default)]
pub(super) struct Undo {
    /// The state before of each node and container that was changed, with its index. If one is
    /// there twice, the older state is the right one.
    nodes: Vec<(usize, Node)>,
    containers: Vec<(usize, Container)>,
    before: Checkpoint,
}

#[derive(Clone, Copy, Debug, Default)]
struct Checkpoint {
    text: usize,
    /// Whether the text ended with a quote, which the growth of the last string overwrites.
    quote: bool,
    nodes: usize,
    containers: usize,
    rows: usize,
    root: Option<NodeId>,
    garbage: Garbage,
}

impl Tree {
    /// Starts a change that can be undone.
    pub(in crate::chunker) fn begin(&mut self) {
        self.undo.nodes.clear();
        self.undo.containers.clear();
        self.undo.before = Checkpoint {
            text: self.text.len(),
            quote: self.text.ends_with('"'),
            nodes: self.nodes.len(),
            containers: self.containers.len(),
            rows: self.rows.len(),
            root: self.root,
            garbage: self.garbage,
        };
    }

    /// Undoes everything since [`Tree::begin`].
    pub(in crate::chunker) fn rollback(&mut self) {
        while let Some((index, node)) = self.undo.nodes.pop() {
            // What a failed push has seen is no state: the number of that push is used up.
            let seen_by = self.nodes[index].seen_by;
            self.nodes[index] = Node { seen_by, ..node };
        }
        while let Some((index, container)) = self.undo.containers.pop() {
            self.containers[index] = container;
        }
        let before = self.undo.before;
        if before.quote {
            self.text.truncate(before.text - 1);
            self.text.push('"');
        } else {
            self.text.truncate(before.text);
        }
        if self.nodes.len() > before.nodes || self.garbage.nodes > before.garbage.nodes {
            self.names.clear();
        }
        self.nodes.truncate(before.nodes);
        self.containers.truncate(before.containers);
        self.rows.truncate(before.rows);
        self.root = before.root;
        self.garbage = before.garbage;
    }

    /// Whether the node was added since [`Tree::begin`].
    pub(in crate::chunker) fn is_added(&self, id: NodeId) -> bool {
        id.index() >= self.undo.before.nodes
    }

    /// Whether a slot was added since [`Tree::begin`].
    pub(super) fn is_added_slot(&self, slot: usize) -> bool {
        slot >= self.undo.before.rows
    }

    /// The node, to be changed; its state before is kept for [`Tree::rollback`].
    pub(in crate::chunker) fn edit(&mut self, id: NodeId) -> &mut Node {
        let index = id.index();
        let undo = &mut self.undo;
        let is_saved = undo.nodes.last().is_some_and(|(last, _)| *last == index);
        if index < undo.before.nodes && !is_saved {
            undo.nodes.push((index, self.nodes[index]));
        }
        &mut self.nodes[index]
    }

    /// The container, to be changed; its state before is kept for [`Tree::rollback`].
    pub(super) fn edit_container(&mut self, id: NodeId) -> &mut Container {
        let index = self.node(id).container as usize;
        let undo = &mut self.undo;
        let is_saved = (undo.containers.last()).is_some_and(|(last, _)| *last == index);
        if index < undo.before.containers && !is_saved {
            undo.containers.push((index, self.containers[index]));
        }
        &mut self.containers[index]
    }
}
