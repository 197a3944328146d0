//! The tree that a parser builds.

mod children;

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::node::Node;
use super::pointer::write_token;
use super::room::{make_room, trim, trim_text};
use super::superseded::Superseded;
use super::unescaped::Unescaped;
use super::{Kind, Name, NodeId, Span};
use crate::json::{decode, skip_plain, skip_whitespace, string_end};
pub(crate) use children::Children;

/// The values of a document and its text, which is the input as it was received.
///
/// A tree only grows, and only at its end: nodes are added in the order in which their values
/// start. So the first child of a container is the node after it, and the next sibling of a value
/// is the node after the last one inside of it. No links are kept but to the parent.
///
/// Invariants: `nodes` is in preorder. Only the last node of the tree and the containers around it
/// may be incomplete. Children are complete but for the last one. `unescaped` has the strings in
/// the order of their nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) text: String,
    pub(crate) nodes: Vec<Node>,
    pub(crate) unescaped: Unescaped,
    /// Where the scalar that is incomplete ends so far, unless there are escapes in it. Not in its
    /// node, so that a push into a string needs the memory of no node.
    pub(crate) open_end: usize,
    /// Members that a later one of the same name supersedes.
    pub(crate) superseded: Superseded,
}

impl Tree {
    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.nodes.clear();
        self.unescaped.clear();
        self.superseded.clear();
    }

    /// Returns the reserve of a large document that has ended.
    pub(crate) fn trim(&mut self) {
        trim_text(&mut self.text);
        trim(&mut self.nodes);
        self.unescaped.trim();
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    #[inline]
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    #[inline]
    #[expect(clippy::string_slice, reason = "the spans are those of tokens")]
    pub(crate) fn text(&self, span: Span) -> &str {
        &self.text[span.start()..span.end()]
    }

    /// Returns what a string says so far, or the text of a number; empty for others.
    #[inline]
    pub(crate) fn content(&self, id: NodeId) -> &str {
        let node = self.node(id);
        match (node.kind(), node.unescaped()) {
            (_, Some(number)) => self.unescaped.string(number),
            (Kind::String | Kind::Number, None) => self.text(self.raw(id)),
            (Kind::Null | Kind::True | Kind::False | Kind::Array | Kind::Object, None) => "",
        }
    }

    /// Where a scalar is in the text, as far as it is known: a string without its quotes.
    #[inline]
    pub(crate) fn raw(&self, id: NodeId) -> Span {
        let node = self.node(id);
        let end = match node.unescaped() {
            Some(number) => self.unescaped.raw_end(number),
            None if node.is_complete() => node.end(),
            None => self.open_end,
        };
        Span::of(&(node.start()..end))
    }

    /// Completes the scalar that is incomplete, as far as it is known.
    pub(crate) fn complete_scalar(&mut self, id: NodeId) {
        let node = &mut self.nodes[id.index()];
        if node.unescaped().is_none() {
            node.set_end(self.open_end);
        }
        node.complete_scalar();
    }

    /// Returns where a value ends in the text: a string after its quote, a container after its
    /// bracket, and what is open where it ends so far.
    ///
    /// The end of a container is not stored. After the last value inside there are only white space
    /// and closers, so this takes as long as these are.
    pub(crate) fn end(&self, id: NodeId) -> usize {
        self.find_end(id, &mut 0)
    }

    /// Returns where a value ends, and adds what that took to `cost`, in closers.
    fn find_end(&self, id: NodeId, cost: &mut usize) -> usize {
        let node = self.node(id);
        if !node.kind().is_container() {
            let is_closed = node.kind() == Kind::String && node.is_complete();
            return self.raw(id).end() + usize::from(is_closed);
        }
        if !node.is_complete() {
            return self.text.len();
        }
        // `[1,[2,{} ] ]`: of the outer array the last is the object, which is empty.
        let last = NodeId::from_index(node.after() - 1);
        let (mut at, mut open) = match self.node(last).parent() {
            Some(parent) if !self.node(last).kind().is_container() => (self.end(last), parent),
            Some(_) | None => (self.node(last).start() + 1, last),
        };
        loop {
            *cost += 1;
            at = skip_whitespace(self.text.as_bytes(), at) + 1;
            match self.node(open).parent() {
                Some(parent) if open != id => open = parent,
                Some(_) | None => return at,
            }
        }
    }

    /// Returns the name of a member as it is written; its end is found in the text. What others
    /// give means nothing.
    #[inline]
    pub(crate) fn name(&self, member: NodeId) -> Name {
        let node = self.node(member);
        let (start, escaped) = (node.name_start(), node.is_name_escaped());
        let bytes = self.text.as_bytes();
        let end = if escaped {
            string_end(bytes, start).map_or(start, |(end, _)| end)
        } else {
            skip_plain(bytes, start)
        };
        let raw = Span::of(&(start..end));
        Name { raw, escaped }
    }

    /// Returns a name as it reads.
    pub(crate) fn read_name(&self, name: Name) -> Cow<'_, str> {
        let raw = self.text(name.raw);
        if name.escaped {
            decode(raw)
        } else {
            Cow::Borrowed(raw)
        }
    }

    /// Adds what a piece of the text says to the last of the unescaped strings, and returns where
    /// it is in there.
    pub(crate) fn unescape(&mut self, piece: Span) -> Span {
        let raw = self.text.get(piece.start()..piece.end());
        self.unescaped.push(raw.unwrap_or_default())
    }

    /// Adds a value as the last child of `parent`, or as a root.
    pub(crate) fn push(
        &mut self,
        parent: Option<NodeId>,
        name: Option<Name>,
        kind: Kind,
        start: usize,
    ) -> NodeId {
        let id = NodeId::from_index(self.nodes.len());
        let node = match (parent, name) {
            (Some(parent), Some(name)) => Node::member(kind, parent, name, start),
            (Some(array), None) => Node::element(kind, parent, self.next_index(array), start),
            (None, _) => Node::element(kind, None, 0, start),
        };
        if let Some(parent) = parent {
            self.node_mut(parent).set_last(id);
        }
        self.open_end = start;
        make_room(&mut self.nodes);
        self.nodes.push(node);
        id
    }

    /// Drops the first nodes, the first `bytes` of the text and the first `unescaped` strings,
    /// which nothing that is kept refers to.
    pub(crate) fn drop_before(&mut self, nodes: usize, bytes: usize, unescaped: u32) {
        self.text.drain(..bytes);
        self.nodes.drain(..nodes);
        self.open_end = self.open_end.saturating_sub(bytes);
        self.unescaped.drop_before(unescaped, bytes);
        self.superseded.drop_before(nodes);
        for index in 0..self.nodes.len() {
            let parent = self.nodes[index].parent();
            let parent = parent.map(|id| id.shifted_by(nodes));
            let is_member = parent.is_some_and(|id| self.node(id).kind() == Kind::Object);
            self.nodes[index].shift_by(is_member, nodes, bytes, unescaped);
        }
    }

    /// Whether the value is a member of an object.
    pub(crate) fn is_member(&self, id: NodeId) -> bool {
        let parent = self.node(id).parent();
        parent.is_some_and(|parent| self.node(parent).kind() == Kind::Object)
    }

    /// Returns the JSON Pointer (RFC 6901) of a value from `top`, which is around it, or from its
    /// root.
    pub(crate) fn pointer(&self, top: Option<NodeId>, mut id: NodeId) -> String {
        let mut path = Vec::new();
        while let Some(parent) = self.node(id).parent()
            && Some(id) != top
        {
            path.push(id);
            id = parent;
        }
        let mut pointer = String::new();
        for id in path.into_iter().rev() {
            if self.is_member(id) {
                write_token(&self.read_name(self.name(id)), &mut pointer);
            } else {
                write_token(&format!("{}", self.node(id).index()), &mut pointer);
            }
        }
        pointer
    }
}
