//! The frontier: the open nodes, one path from the root down, where the emitted text ends.

use alloc::string::String;
use alloc::vec::Vec;

use super::tree::{NodeId, Relocation};

/// A node on the frontier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) node: NodeId,
    /// The child up to which all are emitted, or absent.
    pub(super) emitted_through: Option<NodeId>,
    /// Whether a child has been emitted, so that the next one needs a comma.
    pub(super) comma: bool,
}

/// The end of the emitted text.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    /// From the root down.
    pub(super) open: Vec<Open>,
    /// How many bytes of the scalar at the end are emitted.
    pub(super) written: usize,
    /// The end of the string there that is held back because it may not stay as it is.
    pub(super) held_back: String,
}

impl Clone for Frontier {
    fn clone(&self) -> Self {
        Self {
            open: self.open.clone(),
            written: self.written,
            held_back: self.held_back.clone(),
        }
    }

    /// Keeps the allocations of `self`.
    fn clone_from(&mut self, source: &Self) {
        self.open.clone_from(&source.open);
        self.written = source.written;
        self.held_back.clone_from(&source.held_back);
    }
}

impl Frontier {
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.written = 0;
        self.held_back.clear();
    }

    pub(super) fn push(&mut self, node: NodeId) {
        self.written = 0;
        self.open.push(Open {
            node,
            emitted_through: None,
            comma: false,
        });
    }

    /// Returns the level at which a node is open.
    pub(super) fn level_of(&self, id: NodeId) -> Option<usize> {
        self.open.iter().position(|open| open.node == id)
    }

    /// Returns the open child of the open node at `level`.
    pub(super) fn child(&self, level: usize) -> Option<NodeId> {
        self.open.get(level + 1).map(|open| open.node)
    }

    pub(super) fn relocate(&mut self, relocation: &Relocation) {
        for open in &mut self.open {
            open.node = relocation.to(open.node);
            open.emitted_through = open.emitted_through.map(|id| relocation.to(id));
        }
    }
}
