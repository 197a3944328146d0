//! The document: a tree whose nodes only grow.
//!
//! Nodes live in one vector, in the order of their appearance, and are linked to their parent,
//! their first and last child and their next sibling. Names and scalars refer to pieces of one
//! [text](text::Text), raw as they came in.
//!
//! A change can be undone: after [`Document::begin`], the old state of every older node that is
//! touched goes to a journal, and [`Document::rollback`] restores these and cuts off what is new.
//! Text is only ever added, so nothing of it needs to be saved.
//!
//! What the owner of the document has to remember about a node is its `mark` of type `M`.

mod compact;
mod members;
mod text;
mod value;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use core::ops::Range;

use crate::json::decode;
use members::{Head, Members as NameIndex};
use text::Text;
pub(crate) use text::{Decoded, Span};
pub use value::{DeserializeError, Elements, Members, Partial, Partials, Value};
pub(crate) use value::{Growing, array_index};

/// Names a node of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(NonZeroU32);

impl NodeId {
    fn from_index(index: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(index as u32))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The name of the node when that many before it are gone.
    pub(crate) fn moved_down(self, nodes: usize) -> Self {
        Self::from_index(self.index() - nodes)
    }
}

/// What a JSON value is (RFC 8259, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "RFC 8259 will not get another kind of value"
)]
pub enum Kind {
    /// `null`
    Null,
    /// `true`
    True,
    /// `false`
    False,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// Whether it is an array or an object.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self, Self::Array | Self::Object)
    }

    /// The text of a literal; other kinds have none of their own.
    pub(crate) const fn literal(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::True => "true",
            Self::False => "false",
            Self::Number | Self::String | Self::Array | Self::Object => "",
        }
    }
}

/// A member's name as it stands in the text, without its quotes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    pub(crate) raw: Span,
    /// Whether there are escapes in it.
    pub(crate) escaped: bool,
}

impl Name {
    /// What elements and the root have.
    pub(crate) const NONE: Self = Self {
        raw: Span::EMPTY,
        escaped: false,
    };
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<M> {
    pub(crate) kind: Kind,
    pub(crate) name: Name,
    /// The raw text of a scalar; of a string without its quotes.
    pub(crate) text: Span,
    pub(crate) parent: Option<NodeId>,
    pub(crate) first: Option<NodeId>,
    pub(crate) last: Option<NodeId>,
    pub(crate) next: Option<NodeId>,
    /// How many children.
    pub(crate) len: u32,
    /// The place among the elements of an array, counted from 0.
    pub(crate) index: u32,
    /// The start of the name, for members.
    head: Head,
    pub(crate) mark: M,
}

#[derive(Clone, Debug)]
pub(crate) struct Document<M> {
    pub(crate) text: Text,
    /// What strings say in which there are escapes, if the owner keeps that.
    pub(crate) decoded: Decoded,
    nodes: Vec<Node<M>>,
    root: Option<NodeId>,
    members: NameIndex,
    /// How many nodes nothing refers to any more.
    dead: usize,
    before: Checkpoint,
    journal: Vec<(NodeId, Node<M>)>,
}

/// What [`Document::rollback`] goes back to.
#[derive(Clone, Copy, Debug, Default)]
struct Checkpoint {
    text: text::Checkpoint,
    nodes: usize,
    root: Option<NodeId>,
    dead: usize,
}

impl<M> Default for Document<M> {
    fn default() -> Self {
        Self {
            text: Text::default(),
            decoded: Decoded::default(),
            nodes: Vec::new(),
            root: None,
            members: NameIndex::default(),
            dead: 0,
            before: Checkpoint::default(),
            journal: Vec::new(),
        }
    }
}

impl<M: Copy + Default> Document<M> {
    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.decoded.clear();
        self.nodes.clear();
        self.root = None;
        self.members.clear();
        self.dead = 0;
        self.begin();
    }

    /// Starts a change that can be undone.
    pub(crate) fn begin(&mut self) {
        self.journal.clear();
        self.before = Checkpoint {
            text: self.text.checkpoint(),
            nodes: self.nodes.len(),
            root: self.root,
            dead: self.dead,
        };
    }

    /// Undoes everything since [`Document::begin`].
    pub(crate) fn rollback(&mut self) {
        while let Some((id, node)) = self.journal.pop() {
            self.nodes[id.index()] = node;
        }
        let before = self.before;
        self.text.rollback(before.text);
        self.nodes.truncate(before.nodes);
        self.members.clear();
        self.root = before.root;
        self.dead = before.dead;
    }

    pub(crate) fn root(&self) -> Option<NodeId> {
        self.root
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node<M> {
        &self.nodes[id.index()]
    }

    /// The node to change; its state before is kept for [`Document::rollback`].
    pub(crate) fn edit(&mut self, id: NodeId) -> &mut Node<M> {
        let node = &mut self.nodes[id.index()];
        let saved = self.journal.last().is_some_and(|(last, _)| *last == id);
        if id.index() < self.before.nodes && !saved {
            self.journal.push((id, *node));
        }
        node
    }

    /// The mark, to be changed where nothing will be undone any more, or in a way that needs no
    /// undoing: a counter of pushes, say, that a failed push uses up, too.
    pub(crate) fn mark(&mut self, id: NodeId) -> &mut M {
        &mut self.nodes[id.index()].mark
    }

    pub(crate) fn marks(&mut self) -> impl Iterator<Item = &mut M> {
        self.nodes.iter_mut().map(|node| &mut node.mark)
    }

    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        core::iter::successors(self.node(id).first, |child| self.node(*child).next)
    }

    /// The node behind `id` in the order in which text is written, within the tree under `top`.
    pub(crate) fn following(&self, id: NodeId, top: NodeId) -> Option<NodeId> {
        let mut id = id;
        if let Some(child) = self.node(id).first {
            return Some(child);
        }
        while id != top {
            if let Some(sibling) = self.node(id).next {
                return Some(sibling);
            }
            id = self.node(id).parent?;
        }
        None
    }

    #[inline]
    pub(crate) fn text(&self, span: Span) -> &str {
        self.text.get(span)
    }

    /// Drops the first `bytes` of the text, and the nodes before `root`, which came later than all
    /// of them; all nodes if there is none. Gives their number.
    pub(crate) fn drop_before(&mut self, root: Option<NodeId>, bytes: usize) -> usize {
        let count = root.map_or(self.nodes.len(), NodeId::index);
        self.text.drop_before(bytes);
        self.nodes.drain(..count);
        for node in &mut self.nodes {
            node.name.raw = node.name.raw.moved_down(bytes);
            node.text = node.text.moved_down(bytes);
            for link in [
                &mut node.parent,
                &mut node.first,
                &mut node.last,
                &mut node.next,
            ] {
                *link = link.map(|id| id.moved_down(count));
            }
        }
        self.members.clear();
        self.root = root.map(|id| id.moved_down(count));
        self.begin();
        self.before.nodes = 0;
        count
    }

    /// Adds a root, or the last child of `parent`.
    pub(crate) fn push(&mut self, parent: Option<NodeId>, name: Name, kind: Kind) -> NodeId {
        let id = NodeId::from_index(self.nodes.len());
        let head = Head::of(self.text(name.raw).as_bytes());
        self.nodes.push(Node {
            kind,
            name,
            text: Span::EMPTY,
            parent,
            first: None,
            last: None,
            next: None,
            len: 0,
            index: 0,
            head,
            mark: M::default(),
        });
        let Some(parent) = parent else {
            self.root = Some(id);
            return id;
        };
        let parent = self.edit(parent);
        let index = parent.len;
        parent.len += 1;
        let before = parent.last.replace(id);
        match before {
            None => parent.first = Some(id),
            Some(before) => self.edit(before).next = Some(id),
        }
        self.nodes[id.index()].index = index;
        id
    }

    /// Makes the scalar say `range` of the input.
    pub(crate) fn set_text(&mut self, id: NodeId, input: &str, range: Range<usize>) {
        let text = self.text.keep(input, range);
        let old = core::mem::replace(&mut self.edit(id).text, text);
        self.text.release(old);
    }

    /// Adds `range` of the input to what the scalar says.
    pub(crate) fn grow_text(&mut self, id: NodeId, input: &str, range: Range<usize>) {
        let text = self.node(id).text;
        let text = self.text.grow(text, input, range);
        self.edit(id).text = text;
    }

    /// Adds `more` to what the scalar says.
    pub(crate) fn add_text(&mut self, id: NodeId, more: &str) {
        let text = self.node(id).text;
        let text = self.text.join(text, more);
        self.edit(id).text = text;
    }

    /// Takes what is behind the first `len` bytes from what the scalar says.
    pub(crate) fn truncate_text(&mut self, id: NodeId, len: usize) {
        let text = &mut self.edit(id).text;
        let cut = Span {
            start: text.start + len as u32,
            end: text.end,
        };
        text.end = cut.start;
        self.text.release(cut);
    }

    /// Empties a node and makes it one of another kind; its name and place stay.
    pub(crate) fn retype(&mut self, id: NodeId, kind: Kind) {
        self.bury_children(id);
        let node = self.edit(id);
        let old = core::mem::take(&mut node.text);
        node.kind = kind;
        node.first = None;
        node.last = None;
        node.len = 0;
        self.text.release(old);
    }

    /// Takes the child behind `before`, or the first, out of the tree.
    pub(crate) fn unlink_after(&mut self, parent: NodeId, before: Option<NodeId>) {
        let id = match before {
            Some(before) => self.node(before).next,
            None => self.node(parent).first,
        };
        let Some(id) = id else { return };
        let next = self.edit(id).next.take();
        match before {
            Some(before) => self.edit(before).next = next,
            None => self.edit(parent).first = next,
        }
        let parent = self.edit(parent);
        parent.len -= 1;
        if next.is_none() {
            parent.last = before;
        }
        self.bury(id);
    }

    fn bury_children(&mut self, id: NodeId) {
        let mut child = self.node(id).first;
        while let Some(id) = child {
            child = self.node(id).next;
            self.bury(id);
        }
    }

    /// Cuts off a tree that nothing refers to any more, and counts it.
    fn bury(&mut self, top: NodeId) {
        let mut next = Some(top);
        while let Some(id) = next {
            let node = &self.nodes[id.index()];
            let (name, text) = (node.name.raw, node.text);
            if let Some(parent) = node.parent {
                self.members.remove(&self.text, parent, id, node);
            }
            self.text.release(name);
            self.text.release(text);
            self.dead += 1;
            next = self.following(id, top);
        }
        self.edit(top).parent = None;
    }

    /// The member of `object` called `raw`, its name as it stands in the text.
    pub(crate) fn member(&mut self, object: NodeId, raw: &str, escaped: bool) -> Option<NodeId> {
        let Self {
            text,
            nodes,
            members,
            ..
        } = self;
        members.find(text, nodes, object, raw, escaped)
    }

    /// The member of `object` whose name starts at `from` of the input, and the length of that
    /// name, if that is quickly told; else [`Document::member`] has to look. `last` is the one
    /// before it in the input.
    #[inline]
    pub(crate) fn member_at(
        &self,
        object: NodeId,
        last: Option<NodeId>,
        input: &[u8],
        from: usize,
    ) -> Option<(NodeId, usize)> {
        members::scan(&self.text, &self.nodes, object, last, input, from)
    }

    /// The JSON Pointer (RFC 6901) of a node.
    pub(crate) fn pointer(&self, id: NodeId) -> String {
        self.tokens(id, |_| false)
    }

    /// The JSON Pointer of a node from `top`, which is around it.
    pub(crate) fn pointer_from(&self, top: NodeId, id: NodeId) -> String {
        self.tokens(id, |id| id == top)
    }

    fn tokens(&self, mut id: NodeId, is_top: impl Fn(NodeId) -> bool) -> String {
        let mut tokens = Vec::new();
        while let Some(parent) = self.node(id).parent
            && !is_top(id)
        {
            let node = self.node(id);
            tokens.push(if self.node(parent).kind == Kind::Object {
                let name = decode(self.text(node.name.raw));
                name.replace('~', "~0").replace('/', "~1")
            } else {
                format!("{}", node.index)
            });
            id = parent;
        }
        let mut pointer = String::new();
        for token in tokens.iter().rev() {
            pointer.push('/');
            pointer.push_str(token);
        }
        pointer
    }
}
