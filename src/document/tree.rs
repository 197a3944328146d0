//! The tree that a parser builds.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::node::Node;
use super::pointer::write_token;
use super::room::{make_room, trim, trim_text};
use super::superseded::Superseded;
use super::unescaped::Unescaped;
use super::{Kind, Name, NodeId, Span};
use crate::json::{decode, skip_plain, skip_whitespace, string_end};

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
            None => node.end(),
        };
        Span::of(&(node.start()..end))
    }

    /// Sets where a scalar ends in the text.
    #[inline]
    pub(crate) fn set_raw_end(&mut self, id: NodeId, end: usize) {
        let node = &mut self.nodes[id.index()];
        match node.unescaped() {
            Some(number) => self.unescaped.set_raw_end(number, end),
            None => node.set_end(end),
        }
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
        make_room(&mut self.nodes);
        self.nodes.push(node);
        id
    }

    /// Returns the index of the node after the last one inside of this one.
    #[inline]
    pub(crate) fn after(&self, id: NodeId) -> usize {
        let node = self.node(id);
        if !node.kind().is_container() {
            id.index() + 1
        } else if node.is_complete() {
            node.after()
        } else {
            self.nodes.len()
        }
    }

    /// Returns the children of a container in the order of the text; none for others.
    #[inline]
    pub(crate) fn children(&self, id: NodeId) -> Children<'_> {
        Children {
            tree: self,
            next: id.index() + 1,
            end: self.after(id),
        }
    }

    pub(crate) fn no_children(&self) -> Children<'_> {
        Children {
            tree: self,
            next: 0,
            end: 0,
        }
    }

    /// Returns the children of a container after its child `last`.
    pub(crate) fn children_after(&self, container: NodeId, last: NodeId) -> Children<'_> {
        Children {
            tree: self,
            next: self.after(last),
            end: self.after(container),
        }
    }

    /// Returns the last child of a container: at once while it is open; when it is complete, by
    /// going up from the last node inside, which takes as long as that is deep.
    #[inline]
    pub(crate) fn last_child(&self, container: NodeId) -> Option<NodeId> {
        let node = self.node(container);
        if !node.kind().is_container() {
            None
        } else if node.is_complete() {
            let mut steps = usize::MAX;
            self.child_around(container, self.last_inside(container)?, &mut steps)
        } else {
            node.last()
        }
    }

    /// Returns the child before this one.
    pub(crate) fn sibling_before(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.node(id).parent()?;
        let last = NodeId::from_index(id.index() - 1);
        let mut steps = usize::MAX;
        (last != parent).then(|| self.child_around(parent, last, &mut steps))?
    }

    /// Returns the last node inside of a container.
    fn last_inside(&self, container: NodeId) -> Option<NodeId> {
        let last = self.after(container) - 1;
        (last > container.index()).then(|| NodeId::from_index(last))
    }

    /// Returns the index of the element that an array gets next: how many it has.
    #[inline]
    pub(crate) fn next_index(&self, array: NodeId) -> u32 {
        let last = self.last_child(array);
        last.map_or(0, |last| self.node(last).index() + 1)
    }

    /// Returns how many children a container has: members are counted one by one.
    pub(crate) fn len(&self, id: NodeId) -> usize {
        match self.node(id).kind() {
            Kind::Array => self.next_index(id) as usize,
            Kind::Object => self.children(id).count(),
            Kind::Null | Kind::True | Kind::False | Kind::Number | Kind::String => 0,
        }
    }

    /// Returns the child of `container` that is `inner` or has it inside, in at most as many steps
    /// up as `steps` has left.
    fn child_around(&self, container: NodeId, inner: NodeId, steps: &mut usize) -> Option<NodeId> {
        let mut id = inner;
        loop {
            *steps = steps.checked_sub(1)?;
            let parent = self.node(id).parent()?;
            if parent == container {
                return Some(id);
            }
            id = parent;
        }
    }

    /// Returns an element of an array: see [`find_element`](Self::find_element).
    pub(crate) fn element(&self, array: NodeId, index: usize) -> Option<NodeId> {
        self.find_element(array, index, &mut 0)
    }

    /// Returns an element of an array, and adds what that took to `cost`, in nodes looked at.
    ///
    /// At once where all elements are scalars, and for the last one of an open array; else by a
    /// search in the nodes of the array: as many steps as halve them, each as long as an element is
    /// deep. Where that is deeper than the index is large, from element to element.
    fn find_element(&self, array: NodeId, index: usize, cost: &mut usize) -> Option<NodeId> {
        let node = self.node(array);
        let mut steps = index;
        let last = if node.is_complete() {
            // [[[[…]]]]: the way up from the last node may be longer than that to the element.
            self.child_around(array, self.last_inside(array)?, &mut steps)
        } else {
            Some(node.last()?)
        };
        *cost += index - steps;
        let Some(last) = last else {
            *cost += index;
            return self.children(array).nth(index);
        };
        let last_index = self.node(last).index() as usize;
        if index >= last_index {
            return (index == last_index).then_some(last);
        }
        // The elements from number `before` on start at `low`; number `above` starts at `high`.
        let (mut low, mut before) = (array.index() + 1, 0);
        let (mut high, mut above) = (last.index(), last_index);
        let mut steps = index;
        while low < high {
            *cost += 1;
            // [1,2,3]: as many nodes as elements, so they are all scalars. Else the guess is in the
            // middle, because [[1,2,…,1000],3,4] would mislead a guess by proportion.
            if high - low == above - before {
                return Some(NodeId::from_index(low + (index - before)));
            }
            let guess = NodeId::from_index(low + (high - low) / 2);
            let left = steps;
            let child = self.child_around(array, guess, &mut steps);
            *cost += left - steps;
            let Some(child) = child else { break };
            let at = self.node(child).index() as usize;
            match at.cmp(&index) {
                Ordering::Equal => return Some(child),
                Ordering::Less => (low, before) = (self.after(child), at + 1),
                Ordering::Greater => (high, above) = (child.index(), at),
            }
        }
        *cost += index - before;
        let (next, end) = (low, high);
        let tree = self;
        Children { tree, next, end }.nth(index - before)
    }

    /// Drops the first nodes, the first `bytes` of the text and the first `unescaped` strings,
    /// which nothing that is kept refers to.
    pub(crate) fn drop_before(&mut self, nodes: usize, bytes: usize, unescaped: u32) {
        self.text.drain(..bytes);
        self.nodes.drain(..nodes);
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

/// The children of a container.
#[derive(Clone, Debug)]
pub(crate) struct Children<'a> {
    tree: &'a Tree,
    next: usize,
    end: usize,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let id = NodeId::from_index(self.next);
        self.next = self.tree.after(id);
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::Parser;

    /// What it takes to find each element of the root array, at most, and whether all are right.
    fn most_cost(parser: &Parser) -> usize {
        let (doc, root) = parser.tree_and_root();
        let elements: Vec<NodeId> = doc.children(root).collect();
        assert_eq!(doc.len(root), elements.len());
        assert_eq!(doc.last_child(root), elements.last().copied());
        let costs = elements.iter().enumerate().map(|(index, element)| {
            let mut cost = 0;
            let found = doc.find_element(root, index, &mut cost);
            assert_eq!(found, Some(*element), "{index}");
            cost
        });
        let most = costs.max().unwrap_or_default();
        assert_eq!(doc.element(root, elements.len()), None);
        most
    }

    #[test]
    fn element_by_index_takes_logarithmic_steps_open_or_complete() {
        for (element, per_halving) in [
            ("7", 1),
            (r#"{"a":[1,2,3],"b":{"c":null}}"#, 4),
            ("[[],[[1]]]", 5),
            (r#"7,[1,2,3,4,5,6,7,8,9],"x""#, 3),
        ] {
            for len in [1, 10, 1000] {
                let text = ["[", &[element].repeat(len).join(","), "]"].concat();
                let mut parser = Parser::new();
                for fragment in [text.split_at(text.len() - 1).0, "]"] {
                    parser.push(fragment).unwrap();
                    let (doc, _) = parser.tree_and_root();
                    let halvings = doc.nodes.len().ilog2() as usize + 2;
                    let most = most_cost(&parser);
                    assert!(most <= per_halving * halvings, "{element} {len}: {most}");
                }
            }
        }
    }

    #[test]
    fn last_element_of_a_growing_array_is_found_at_once() {
        let mut parser = Parser::new();
        parser.push("[").unwrap();
        for index in 0..500 {
            let fragment = ["{\"a\":[1,{\"b\":2}]},", "3,", "[[[[]]]],"][index % 3];
            parser.push(fragment).unwrap();
            let (doc, root) = parser.tree_and_root();
            let mut cost = 0;
            assert_eq!(
                doc.find_element(root, index, &mut cost),
                doc.last_child(root)
            );
            assert_eq!(cost, 0, "{index}");
        }
    }

    #[test]
    fn ends_of_all_containers_take_at_most_their_depth_each() {
        let wide = ["[", &["[1,{\"a\":[]}]"; 1000].join(","), "]"].concat();
        let deep = ["[".repeat(100), "]".repeat(100)].concat();
        for (text, most_each) in [(wide, 4), (deep, 100)] {
            let mut parser = Parser::new();
            parser.push(&text).unwrap();
            let (doc, _) = parser.tree_and_root();
            let containers = (0..doc.nodes.len()).map(NodeId::from_index);
            for id in containers.filter(|id| doc.node(*id).kind().is_container()) {
                let mut cost = 0;
                doc.find_end(id, &mut cost);
                assert!((1..=most_each).contains(&cost), "{id:?}: {cost}");
            }
        }
    }

    #[test]
    fn container_ends_after_its_closer_whatever_is_inside() {
        for text in [
            "[]",
            "[ ]",
            "[1 ,[2,{} ] ]",
            r#"{"a" : {"b":[ "x\n" ] } , "c":[[[ ]  ]]}"#,
            r#"[true, [[], [{"a": -1.5e3 }]], "é\u00e9"]"#,
        ] {
            let mut parser = Parser::new();
            parser.push(text).unwrap();
            let (doc, _) = parser.tree_and_root();
            for index in 0..doc.nodes.len() {
                let id = NodeId::from_index(index);
                if doc.node(id).kind().is_container() {
                    let start = doc.node(id).start();
                    let end = crate::json::value_end(text.as_bytes(), start);
                    assert_eq!(doc.end(id), end, "{text} {start}");
                }
            }
        }
    }
}
