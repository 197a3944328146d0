//! What is known → what goes out.
//!
//! [`State::advance`] walks down the frontier along what changed in this push and applies the
//! rules of the [chunker](super) at each level; [`State::close`] ends everything from a level of
//! the frontier down. Nothing here fails, and nothing here looks at the snapshot.

use alloc::string::String;

use super::state::{Open, Stage, State, Waiting};
use crate::document::{Kind, NodeId};
use crate::json::stable_len;

/// Where [`State::advance`] goes from a level of the frontier.
enum Step {
    /// To the open child.
    Down,
    /// To the child that was just opened, whose own children have not been looked at.
    Opened,
    /// Nowhere: that was all.
    Stay,
}

impl State {
    /// Puts out what this push made certain.
    pub(super) fn advance(&mut self, out: &mut String) {
        let Some(root) = self.doc.root() else { return };
        let mut opened = false;
        if self.open.is_empty() {
            if self.stage(root) == Stage::Closed || self.is_absent(root) {
                return;
            }
            self.open_node(root, out);
            opened = true;
        }
        let mut level = 0;
        while let Some(&Open { node, .. }) = self.open.get(level) {
            if !opened && !self.is_changed(node) {
                return;
            }
            let step = match self.doc.node(node).kind {
                Kind::Object => self.advance_object(level, out),
                Kind::Array => self.advance_array(level, out),
                Kind::Null | Kind::True | Kind::False | Kind::Number | Kind::String => {
                    self.write_growth(node, out);
                    Step::Stay
                }
            };
            match step {
                Step::Down => opened = false,
                Step::Opened => opened = true,
                Step::Stay => return,
            }
            level += 1;
        }
    }

    /// Ends the value: everything that is open or was never put out.
    pub(super) fn finish(&mut self, out: &mut String) {
        let Some(root) = self.doc.root() else { return };
        if self.stage(root) == Stage::Held {
            self.write_whole(root, out);
        }
        self.close(0, out);
    }

    /// How many values wait in the open containers.
    pub(super) fn held(&self) -> usize {
        (0..self.open.len())
            .flat_map(|level| self.waiting_in(level))
            .filter(|(_, waiting)| *waiting != Waiting::Absent)
            .count()
    }

    /// All elements but the last are complete.
    fn advance_array(&mut self, level: usize, out: &mut String) -> Step {
        let Open { node, out_to, .. } = self.open[level];
        let last = self.doc.node(node).last;
        match (last, self.child(level)) {
            (Some(last), Some(child)) if last == child => Step::Down,
            (Some(last), _) if self.stage(last) == Stage::Held => {
                self.close(level + 1, out);
                let mut next = self.after(node, out_to);
                while let Some(id) = next.filter(|id| *id != last) {
                    if self.stage(id) == Stage::Held {
                        self.put_whole(id, out);
                    }
                    next = self.doc.node(id).next;
                }
                self.open[level].out_to = Some(last);
                self.open_child(last, out)
            }
            _ => Step::Stay,
        }
    }

    /// The rules for an open object with new members, held members and an open one.
    fn advance_object(&mut self, level: usize, out: &mut String) -> Step {
        let mut news = false;
        let mut growable = Only::None;
        let mut changed = Only::None;
        let mut number = None;
        for (id, waiting) in self.waiting_in(level) {
            match waiting {
                Waiting::Absent | Waiting::HeldSame => continue,
                Waiting::HeldChanged => {
                    changed.add(id);
                    continue;
                }
                Waiting::NewGrowable => growable.add(id),
                Waiting::NewNumber => number = Some(id),
                Waiting::NewLiteral => {}
            }
            news = true;
        }
        let frontier = if news {
            self.close(level + 1, out);
            self.put_all(level, Waiting::HeldSame, None, out);
            self.put_all(level, Waiting::HeldChanged, None, out);
            self.put_all(level, Waiting::NewLiteral, None, out);
            let frontier = match growable {
                Only::One(id) => Some(id),
                Only::None | Only::Many => number,
            };
            self.put_all(level, Waiting::NewNumber, frontier, out);
            frontier
        } else if self
            .child(level)
            .is_some_and(|child| self.is_changed(child))
        {
            return Step::Down;
        } else if let Only::None = changed {
            return Step::Stay;
        } else {
            self.close(level + 1, out);
            self.put_all(level, Waiting::HeldSame, None, out);
            match changed {
                Only::One(id) => Some(id),
                Only::None | Only::Many => None,
            }
        };
        let step = match frontier {
            Some(id) => self.open_child(id, out),
            None => Step::Stay,
        };
        self.settle(level);
        step
    }

    /// The members of the object at `level` that are not put out yet.
    fn waiting_in(&self, level: usize) -> impl Iterator<Item = (NodeId, Waiting)> + '_ {
        let Open { node, out_to, .. } = self.open[level];
        core::iter::successors(self.after(node, out_to), |id| self.doc.node(*id).next)
            .filter_map(|id| Some((id, self.waiting(id)?)))
    }

    /// Puts out all members that wait like that, but for one.
    fn put_all(&mut self, level: usize, like: Waiting, but: Option<NodeId>, out: &mut String) {
        let Open { node, out_to, .. } = self.open[level];
        let mut next = self.after(node, out_to);
        while let Some(id) = next {
            if self.waiting(id) == Some(like) && Some(id) != but {
                self.put_whole(id, out);
            }
            next = self.doc.node(id).next;
        }
    }

    /// Moves the mark up to which all members are put out, or absent.
    fn settle(&mut self, level: usize) {
        let Open { node, out_to, .. } = self.open[level];
        let mut out_to = out_to;
        while let Some(id) = self.after(node, out_to)
            && (self.stage(id) != Stage::Held || self.is_absent(id))
        {
            out_to = Some(id);
        }
        self.open[level].out_to = out_to;
    }

    /// The open child of the open node at `level`.
    fn child(&self, level: usize) -> Option<NodeId> {
        self.open.get(level + 1).map(|open| open.node)
    }

    /// The child of `parent` behind `before`, or the first.
    fn after(&self, parent: NodeId, before: Option<NodeId>) -> Option<NodeId> {
        match before {
            Some(before) => self.doc.node(before).next,
            None => self.doc.node(parent).first,
        }
    }

    fn open_child(&mut self, id: NodeId, out: &mut String) -> Step {
        self.write_comma_and_name(id, out);
        self.open_node(id, out);
        match self.stage(id) {
            Stage::Open => Step::Opened,
            Stage::Held | Stage::Closed => Step::Stay,
        }
    }

    /// Writes the start of a value and makes it the end of the frontier. A literal has no start:
    /// it goes out whole.
    fn open_node(&mut self, id: NodeId, out: &mut String) {
        let node = self.doc.node(id);
        let stage = match node.kind {
            Kind::Null | Kind::True | Kind::False => {
                out.push_str(node.kind.literal());
                Stage::Closed
            }
            Kind::Number => Stage::Open,
            Kind::String => {
                let text = self.doc.text(node.text);
                let stable = stable_len(text);
                self.tail.clear();
                self.tail.extend(text.get(stable..));
                self.doc.truncate_text(id, stable);
                out.push('"');
                Stage::Open
            }
            Kind::Array => {
                out.push('[');
                Stage::Open
            }
            Kind::Object => {
                out.push('{');
                Stage::Open
            }
        };
        self.doc.mark(id).put_out(stage);
        if stage == Stage::Open {
            self.written = 0;
            self.open.push(Open {
                node: id,
                out_to: None,
                comma: false,
            });
        }
    }

    /// Writes what the scalar at the end of the frontier says and is not put out.
    fn write_growth(&mut self, id: NodeId, out: &mut String) {
        let text = self.doc.text(self.doc.node(id).text);
        out.extend(text.get(self.written..));
        self.written = text.len();
    }

    /// Ends everything that is open from `level` down, and puts out what waits in there.
    pub(super) fn close(&mut self, level: usize, out: &mut String) {
        while self.open.len() > level {
            let at = self.open.len() - 1;
            let id = self.open[at].node;
            match self.doc.node(id).kind {
                Kind::Null | Kind::True | Kind::False => {}
                Kind::Number => self.write_growth(id, out),
                Kind::String => {
                    if !self.tail.is_empty() {
                        let tail = core::mem::take(&mut self.tail);
                        self.doc.add_text(id, &tail);
                    }
                    self.write_growth(id, out);
                    out.push('"');
                }
                Kind::Array => {
                    self.put_rest(at, out);
                    out.push(']');
                }
                Kind::Object => {
                    self.put_all(at, Waiting::HeldSame, None, out);
                    self.put_rest(at, out);
                    out.push('}');
                }
            }
            self.doc.mark(id).stage = Stage::Closed;
            self.open.pop();
        }
    }

    /// Puts out whatever waits in the open container at `level`, in the order of the document.
    fn put_rest(&mut self, level: usize, out: &mut String) {
        let Open { node, out_to, .. } = self.open[level];
        let mut next = if self.null_is_absent {
            self.doc.node(node).first
        } else {
            self.after(node, out_to)
        };
        while let Some(id) = next {
            if self.stage(id) == Stage::Held {
                self.put_whole(id, out);
            }
            next = self.doc.node(id).next;
        }
    }

    /// Puts out a child of the end of the frontier from start to end.
    fn put_whole(&mut self, id: NodeId, out: &mut String) {
        self.write_comma_and_name(id, out);
        self.write_whole(id, out);
    }

    fn write_comma_and_name(&mut self, id: NodeId, out: &mut String) {
        if let Some(parent) = self.open.last_mut()
            && core::mem::replace(&mut parent.comma, true)
        {
            out.push(',');
        }
        if self.is_member(id) {
            self.write_name(self.doc.node(id).name, out);
        }
    }

    /// Writes a value of which nothing has been put out.
    fn write_whole(&mut self, top: NodeId, out: &mut String) {
        self.write_value(top, out);
        let mut next = Some(top);
        while let Some(id) = next {
            self.doc.mark(id).put_out(Stage::Closed);
            next = self.doc.following(id, top);
        }
    }

    /// Writes all of a value.
    pub(super) fn write_value(&self, top: NodeId, out: &mut String) {
        let mut next = Some(top);
        while let Some(id) = next {
            let node = self.doc.node(id);
            if id != top && self.is_member(id) {
                self.write_name(node.name, out);
            }
            match node.kind {
                Kind::Null | Kind::True | Kind::False => out.push_str(node.kind.literal()),
                Kind::Number => out.push_str(self.doc.text(node.text)),
                Kind::String => {
                    out.push('"');
                    out.push_str(self.doc.text(node.text));
                    out.push('"');
                }
                Kind::Array => out.push('['),
                Kind::Object => out.push('{'),
            }
            next = self.write_up_to_next(id, top, out);
        }
    }

    /// From the start of `id`, or all of it if it is a scalar, to the node that is written next:
    /// the closers and the comma in between.
    fn write_up_to_next(&self, id: NodeId, top: NodeId, out: &mut String) -> Option<NodeId> {
        let mut id = id;
        if let Some(child) = self.doc.node(id).first {
            return Some(child);
        }
        loop {
            let node = self.doc.node(id);
            match node.kind {
                Kind::Array => out.push(']'),
                Kind::Object => out.push('}'),
                Kind::Null | Kind::True | Kind::False | Kind::Number | Kind::String => {}
            }
            if id == top {
                return None;
            }
            if let Some(next) = node.next {
                out.push(',');
                return Some(next);
            }
            id = node.parent?;
        }
    }
}

/// How many there are, and which if it is the only one.
#[derive(Clone, Copy)]
enum Only {
    None,
    One(NodeId),
    Many,
}

impl Only {
    fn add(&mut self, id: NodeId) {
        *self = match self {
            Self::None => Self::One(id),
            Self::One(_) | Self::Many => Self::Many,
        };
    }
}
