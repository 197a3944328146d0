//! What is known → what is emitted.
//!
//! [`State::advance`] walks down the frontier along what changed in this push and applies the
//! rules of the [chunker](super) at each level; [`State::close`] closes everything from a level of
//! the frontier down. Nothing here fails, and nothing here looks at the snapshot.

mod waiting;
mod write;

use alloc::string::String;

use super::frontier::Open;
use super::options::{AbsentValues, MemberOrder};
use super::state::{State, Unemitted};
use super::tree::{NodeId, Stage};
use crate::document::Kind;
use crate::json::stable_len;
use waiting::{AtMostOne, Waiting};

/// Where [`State::advance`] goes from a level of the frontier.
enum EmitStep {
    /// To the open child.
    Down,
    /// To the child that was just opened; its children have not been considered yet.
    Opened,
    /// Nowhere: nothing more to emit.
    Stay,
}

impl State {
    /// Emits what this push made certain.
    pub(super) fn advance(&mut self, out: &mut String) {
        let Some(root) = self.tree.root() else { return };
        let mut opened = false;
        if self.frontier.open.is_empty() {
            if self.stage(root) == Stage::Closed || self.is_absent(root) {
                return;
            }
            self.open_node(root, out);
            opened = true;
        }
        let mut level = 0;
        while let Some(&Open { node, .. }) = self.frontier.open.get(level) {
            if !opened && !self.is_changed(node) {
                return;
            }
            let step = match self.tree.node(node).kind {
                Kind::Object if self.member_order == MemberOrder::Written => {
                    self.advance_object_in_order(level, out)
                }
                Kind::Object => self.advance_object(level, out),
                Kind::Array => self.advance_array(level, out),
                Kind::Null | Kind::True | Kind::False | Kind::Number | Kind::String => {
                    self.write_growth(node, out);
                    EmitStep::Stay
                }
            };
            match step {
                EmitStep::Down => opened = false,
                EmitStep::Opened => opened = true,
                EmitStep::Stay => return,
            }
            level += 1;
        }
    }

    /// Ends the value: closes what is open and emits what was not.
    pub(super) fn finish(&mut self, out: &mut String) {
        let Some(root) = self.tree.root() else { return };
        if self.stage(root) == Stage::Held {
            self.write_closed(root, out);
        }
        self.close(0, out);
    }

    /// Returns how many values wait in the open containers.
    pub(super) fn held_count(&self) -> usize {
        (0..self.frontier.open.len())
            .flat_map(|level| self.unemitted_in(level))
            .filter(|(_, unemitted)| *unemitted != Unemitted::Absent)
            .count()
    }

    /// All elements but the last are complete.
    fn advance_array(&mut self, level: usize, out: &mut String) -> EmitStep {
        let Open {
            node,
            emitted_through,
            ..
        } = self.frontier.open[level];
        let last = self.tree.last(node);
        match (last, self.frontier.child(level)) {
            (Some(last), Some(child)) if last == child => EmitStep::Down,
            (Some(last), _) if self.stage(last) == Stage::Held => {
                self.close(level + 1, out);
                let mut next = self.tree.child_after(node, emitted_through);
                while let Some(id) = next.filter(|id| *id != last) {
                    if self.stage(id) == Stage::Held {
                        self.emit_closed(id, out);
                    }
                    next = self.tree.node(id).next;
                }
                self.frontier.open[level].emitted_through = Some(last);
                self.open_child(last, out)
            }
            _ => EmitStep::Stay,
        }
    }

    /// The rules for an open object with new members, held members and an open one.
    fn advance_object(&mut self, level: usize, out: &mut String) -> EmitStep {
        let mut waiting = Waiting::default();
        let mut growable = AtMostOne::None;
        let mut changed = AtMostOne::None;
        let mut number = None;
        for (id, unemitted) in self.unemitted_in(level) {
            waiting.add(unemitted);
            match unemitted {
                Unemitted::HeldChanged => changed.add(id),
                Unemitted::NewGrowable => growable.add(id),
                Unemitted::NewNumber => number = Some(id),
                Unemitted::Absent | Unemitted::HeldSame | Unemitted::NewLiteral => {}
            }
        }
        let child = self.frontier.child(level);
        let frontier = if waiting.has_new() {
            match growable {
                AtMostOne::One(id) => Some(id),
                AtMostOne::None | AtMostOne::Many => number,
            }
        } else if child.is_some_and(|child| self.is_changed(child)) {
            return EmitStep::Down;
        } else {
            match changed {
                AtMostOne::None => return EmitStep::Stay,
                AtMostOne::One(id) => Some(id),
                AtMostOne::Many => None,
            }
        };
        self.close(level + 1, out);
        let complete: &[_] = if waiting.has_new() {
            &[
                Unemitted::HeldSame,
                Unemitted::HeldChanged,
                Unemitted::NewLiteral,
                Unemitted::NewNumber,
            ]
        } else {
            &[Unemitted::HeldSame]
        };
        for like in complete {
            if waiting.has(*like) {
                self.emit_where(level, *like, frontier, out);
            }
        }
        let step = match frontier {
            Some(id) => self.open_child(id, out),
            None => EmitStep::Stay,
        };
        self.settle(level);
        step
    }

    /// All members before the last present one are complete.
    ///
    /// `{"a":null,"b":"x","c":null}`: `a` is null for good, `b` is what the model is writing, and
    /// `c` is not there yet. A member that appears before the open one, against the promise, waits
    /// until that one is complete.
    fn advance_object_in_order(&mut self, level: usize, out: &mut String) -> EmitStep {
        let Open {
            node,
            emitted_through,
            ..
        } = self.frontier.open[level];
        let first = self.tree.child_after(node, emitted_through);
        let mut last_present = None;
        let mut last_unemitted = None;
        let mut next = first;
        while let Some(id) = next {
            if !self.is_absent(id) {
                last_present = next;
                if self.stage(id) == Stage::Held {
                    last_unemitted = next;
                }
            }
            next = self.tree.node(id).next;
        }
        let child = self.frontier.child(level);
        let Some(frontier) =
            last_unemitted.filter(|id| child.is_none() || last_present == Some(*id))
        else {
            return match child {
                Some(child) if self.is_changed(child) => EmitStep::Down,
                _ => EmitStep::Stay,
            };
        };
        self.close(level + 1, out);
        let mut next = first;
        while let Some(id) = next.filter(|id| *id != frontier) {
            if self.stage(id) == Stage::Held {
                self.emit_closed(id, out);
            }
            next = self.tree.node(id).next;
        }
        self.frontier.open[level].emitted_through = Some(frontier);
        self.open_child(frontier, out)
    }

    /// Returns the members of the object at `level` that are not emitted yet.
    fn unemitted_in(&self, level: usize) -> impl Iterator<Item = (NodeId, Unemitted)> + '_ {
        let Open {
            node,
            emitted_through,
            ..
        } = self.frontier.open[level];
        core::iter::successors(self.tree.child_after(node, emitted_through), |id| {
            self.tree.node(*id).next
        })
        .filter_map(|id| Some((id, self.unemitted(id)?)))
    }

    /// Emits all members that wait like that, except for one.
    fn emit_where(&mut self, level: usize, like: Unemitted, but: Option<NodeId>, out: &mut String) {
        let Open {
            node,
            emitted_through,
            ..
        } = self.frontier.open[level];
        let mut next = self.tree.child_after(node, emitted_through);
        while let Some(id) = next {
            if self.unemitted(id) == Some(like) && Some(id) != but {
                self.emit_closed(id, out);
            }
            next = self.tree.node(id).next;
        }
    }

    /// Moves the mark up to which all members are emitted, or absent.
    fn settle(&mut self, level: usize) {
        let Open {
            node,
            emitted_through,
            ..
        } = self.frontier.open[level];
        let mut emitted_through = emitted_through;
        while let Some(id) = self.tree.child_after(node, emitted_through)
            && (self.stage(id) != Stage::Held || self.is_absent(id))
        {
            emitted_through = Some(id);
        }
        self.frontier.open[level].emitted_through = emitted_through;
    }

    fn open_child(&mut self, id: NodeId, out: &mut String) -> EmitStep {
        self.write_comma_and_name(id, out);
        self.open_node(id, out);
        match self.stage(id) {
            Stage::Open => EmitStep::Opened,
            Stage::Held | Stage::Closed => EmitStep::Stay,
        }
    }

    /// Writes the start of a value and makes it the end of the frontier. A literal has no start:
    /// it is emitted completely.
    fn open_node(&mut self, id: NodeId, out: &mut String) {
        let node = self.tree.node(id);
        let stage = match node.kind {
            Kind::Null | Kind::True | Kind::False => {
                out.push_str(node.kind.literal());
                Stage::Closed
            }
            Kind::Number => Stage::Open,
            Kind::String => {
                let text = self.tree.text(id);
                let stable = stable_len(text);
                self.frontier.held_back.clear();
                self.frontier.held_back.extend(text.get(stable..));
                self.tree.truncate_text(id, stable);
                self.tree
                    .mark(id)
                    .set_watched(!self.frontier.held_back.is_empty());
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
        self.set_emitted(id, stage);
        if stage == Stage::Open {
            let end = self.frontier.open.last().map(|open| open.node);
            debug_assert_eq!(self.tree.node(id).parent, end, "the frontier is one path");
            self.frontier.push(id);
        }
    }

    fn set_emitted(&mut self, id: NodeId, stage: Stage) {
        debug_assert_eq!(self.stage(id), Stage::Held, "a value is emitted once");
        let node = self.tree.mark(id);
        node.set_stage(stage);
        node.set_restates(false);
    }

    /// Closes everything that is open from `level` down, and emits what waits in it.
    pub(super) fn close(&mut self, level: usize, out: &mut String) {
        while self.frontier.open.len() > level {
            let at = self.frontier.open.len() - 1;
            let id = self.frontier.open[at].node;
            match self.tree.node(id).kind {
                Kind::Null | Kind::True | Kind::False => {}
                Kind::Number => self.write_rest(id, out),
                Kind::String => {
                    if !self.frontier.held_back.is_empty() {
                        let held_back = core::mem::take(&mut self.frontier.held_back);
                        self.tree.add_text(id, &held_back);
                    }
                    self.write_rest(id, out);
                    out.push('"');
                }
                Kind::Array => {
                    self.emit_remaining(at, out);
                    out.push(']');
                }
                Kind::Object => {
                    self.emit_remaining(at, out);
                    out.push('}');
                }
            }
            self.tree.mark(id).set_stage(Stage::Closed);
            self.frontier.open.pop();
        }
    }

    /// Emits whatever waits in the open container at `level`, in the order of the document.
    fn emit_remaining(&mut self, level: usize, out: &mut String) {
        let Open {
            node,
            emitted_through,
            ..
        } = self.frontier.open[level];
        // Absent members are passed over on the way.
        let mut next = match self.absent_values {
            AbsentValues::Nothing => self.tree.child_after(node, emitted_through),
            AbsentValues::Null | AbsentValues::Defaults => self.tree.first(node),
        };
        while let Some(id) = next {
            if self.stage(id) == Stage::Held {
                self.emit_closed(id, out);
            }
            next = self.tree.node(id).next;
        }
    }

    /// Emits a child of the end of the frontier completely.
    fn emit_closed(&mut self, id: NodeId, out: &mut String) {
        self.write_comma_and_name(id, out);
        self.write_closed(id, out);
    }

    /// Emits a value of which nothing has been emitted.
    fn write_closed(&mut self, top: NodeId, out: &mut String) {
        self.write_value(top, out);
        let mut next = Some(top);
        while let Some(id) = next {
            self.set_emitted(id, Stage::Closed);
            next = self.tree.following(id, top);
        }
    }
}
