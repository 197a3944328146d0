//! Garbage collection: rebuilds the tree without what nothing refers to any more.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{Container, Garbage, Node, NodeId, Tree, slots};

/// Below this, garbage is not worth collecting: in bytes.
const TOLERATED: usize = 4096;

/// Where the nodes of a document went.
#[derive(Debug)]
pub(in crate::chunker) struct Relocation(Vec<Option<NodeId>>);

impl Relocation {
    /// The new name of a node of the tree.
    pub(in crate::chunker) fn to(&self, id: NodeId) -> NodeId {
        self.0.get(id.index()).copied().flatten().unwrap_or(id)
    }
}

impl Tree {
    /// Rebuilds the tree if more of it is garbage than alive, which makes the cost of rebuilding a
    /// constant factor of that of the changes that produced the garbage.
    pub(in crate::chunker) fn collect_garbage(&mut self) -> Option<Relocation> {
        let Garbage { text, nodes, rows } = self.garbage;
        let wasteful = text > TOLERATED + self.live_len()
            || nodes > TOLERATED / 64 + (self.nodes.len() - nodes)
            || rows > TOLERATED / 8 + (self.rows.len() - rows);
        if wasteful { self.rebuild() } else { None }
    }

    fn rebuild(&mut self) -> Option<Relocation> {
        let top = self.root?;
        let mut relocation = vec![None; self.nodes.len()];
        let mut text = String::with_capacity(self.live_len());
        let mut nodes = Vec::with_capacity(self.nodes.len() - self.garbage.nodes);
        let mut containers = Vec::new();
        let mut rows = vec![0; 1 << slots::MIN_SIZE];
        nodes.push(Node::UNUSED);
        containers.push(Container::EMPTY);
        let mut next = Some(top);
        while let Some(id) = next {
            let mut node = *self.node(id);
            node.record = text.len() as u32;
            text.push_str(self.record(id));
            if node.container != 0 {
                let mut container = *self.container(id);
                if container.row != 0 {
                    let row = rows.len() as u32;
                    rows.extend_from_slice(self.row(&container));
                    container.row = row;
                }
                node.container = containers.len() as u32;
                containers.push(container);
            }
            relocation[id.index()] = NodeId::from_index(nodes.len());
            nodes.push(node);
            next = self.following(id, top);
        }
        let relocation = Relocation(relocation);
        for node in &mut nodes {
            node.parent = node.parent.map(|id| relocation.to(id));
            node.next = node.next.map(|id| relocation.to(id));
        }
        for container in &mut containers {
            container.first = container.first.map(|id| relocation.to(id));
            container.last = container.last.map(|id| relocation.to(id));
        }
        for slot in rows.iter_mut().filter(|slot| **slot != 0) {
            // A slot may still name a node that has left the tree. It stays taken, because a name
            // is not looked for after an empty one.
            let moved = relocation.0.get(*slot as usize).copied().flatten();
            *slot = moved.map_or(slots::REMOVED, |id| id.index() as u32);
        }
        self.root = self.root.map(|id| relocation.to(id));
        (self.text, self.nodes, self.containers, self.rows) = (text, nodes, containers, rows);
        self.garbage = Garbage::default();
        self.names.clear();
        self.begin();
        Some(relocation)
    }
}
