//! From a container to its children, and from a child to the next, without links between them.

use core::cmp::Ordering;

use super::Tree;
use crate::document::{Kind, NodeId};

impl Tree {
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
    use alloc::vec::Vec;

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
