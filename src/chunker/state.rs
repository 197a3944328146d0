//! What a chunker knows between two snapshots.
//!
//! # Absent values
//!
//! A value is *present* once it is more than a placeholder ([`AbsentValues`]). That is marked when
//! it shows, never cleared, and passed on to the objects around the value, so that
//! `{"to":{"name":null}}` is absent and `{"to":{"name":"Bo"}}` is not. A held member or root that
//! is not present waits like one that is not there. It counts as new in the push in which it
//! becomes present.

use alloc::string::String;

use super::frontier::Frontier;
use super::options::{AbsentValues, MemberOrder};
use super::tree::{NodeId, Stage, Tree};
use crate::document::Kind;
use crate::json::stable_len;
use crate::limits::Limits;

/// A member of which nothing has been emitted, in the words of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unemitted {
    /// A placeholder for a value that is not written yet.
    Absent,
    /// Held since an earlier push and unchanged in this one.
    HeldSame,
    /// Held since an earlier push and changed in this one.
    HeldChanged,
    /// New, and complete.
    NewLiteral,
    /// New, and complete unless nothing else appears after it.
    NewNumber,
    /// New, and possibly what the model is writing.
    NewGrowable,
}

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) tree: Tree,
    pub(super) growing_numbers: bool,
    pub(super) absent_values: AbsentValues,
    pub(super) member_order: MemberOrder,
    pub(super) frontier: Frontier,
    /// The number of this push, or of the last one; failed ones count.
    pub(super) push_id: u32,
    /// Whether the places of the containers in the tree are those in the last snapshot.
    pub(super) is_placed: bool,
    /// The frontier before this push, if a pass has changed it.
    saved: Frontier,
    is_saved: bool,
}

impl State {
    pub(super) fn clear(&mut self) {
        self.tree.clear();
        self.frontier.clear();
        self.push_id = 0;
        self.is_placed = false;
        self.is_saved = false;
    }

    /// Starts a push that can be undone.
    pub(super) fn begin(&mut self) {
        if self.push_id == u32::MAX {
            // The numbers are used up: all start again.
            for node in self.tree.marks() {
                (node.changed_by, node.seen_by) = (0, 0);
            }
            self.push_id = 0;
        }
        self.push_id += 1;
        self.is_saved = false;
        self.tree.begin();
    }

    /// Returns the frontier, to be changed while the push can still be undone.
    pub(super) fn edit_frontier(&mut self) -> &mut Frontier {
        if !self.is_saved {
            self.saved.clone_from(&self.frontier);
            self.is_saved = true;
        }
        &mut self.frontier
    }

    /// Sets the end of the open string that is held back.
    pub(super) fn hold_back(&mut self, held_back: &str) {
        self.frontier.held_back.clear();
        self.frontier.held_back.push_str(held_back);
        if let Some(open) = self.frontier.open.last() {
            (self.tree.mark(open.node)).set_watched(!held_back.is_empty());
        }
    }

    /// Returns the string at the end of the frontier, unless a part of it is held back.
    pub(super) fn open_string(&self) -> Option<NodeId> {
        let open = self.frontier.open.last()?.node;
        let is_string = self.tree.node(open).kind == Kind::String;
        (is_string && self.frontier.held_back.is_empty()).then_some(open)
    }

    /// Adds plain text to the open string, as a pass would that finds nothing else new. Does
    /// nothing and returns `false` if no string is open, if the last push was undone, if a limit
    /// would be exceeded, or if the end of the text may still change.
    pub(super) fn grow_open_string(&mut self, growth: &str, limits: &Limits) -> bool {
        let Some(string) = self.open_string().filter(|_| self.is_placed) else {
            return false;
        };
        let token = self.tree.text(string).len() + growth.len();
        let document = self.tree.live_len() + growth.len();
        if token > limits.token_bytes as usize
            || document > limits.document_bytes as usize
            || stable_len(growth) < growth.len()
        {
            return false;
        }
        self.begin();
        let mut next = Some(string);
        while let Some(id) = next {
            let node = self.tree.mark(id);
            node.set_changed(self.push_id);
            next = node.parent;
            self.tree.lengthen_raw(id, growth.len() as u32);
        }
        debug_assert_eq!(
            self.stage(string),
            Stage::Open,
            "the end of the frontier is open"
        );
        self.tree.add_text(string, growth);
        true
    }

    /// Undoes everything since [`State::begin`]: the changes of the tree by its journal, those of
    /// the frontier by its copy. The places of containers have no journal: they are lost.
    pub(super) fn rollback(&mut self) {
        self.tree.rollback();
        self.is_placed = false;
        if core::mem::take(&mut self.is_saved) {
            core::mem::swap(&mut self.frontier, &mut self.saved);
        }
    }

    /// Drops garbage, where there is too much of it.
    pub(super) fn collect_garbage(&mut self) {
        if let Some(relocation) = self.tree.collect_garbage() {
            self.frontier.relocate(&relocation);
        }
    }

    /// Looks at all members again around one that was emitted or absent and no longer is, or that
    /// was inserted before others.
    pub(super) fn rescan_parent_of(&mut self, member: NodeId) {
        let parent = self.tree.node(member).parent;
        let is_parent = |node| Some(node) == parent;
        if self.frontier.open.iter().any(|open| is_parent(open.node)) {
            for open in &mut self.edit_frontier().open {
                if is_parent(open.node) {
                    open.emitted_through = None;
                }
            }
        }
    }

    pub(super) fn stage(&self, id: NodeId) -> Stage {
        self.tree.node(id).stage()
    }

    pub(super) fn is_changed(&self, id: NodeId) -> bool {
        self.tree.node(id).changed_by == self.push_id
    }

    pub(super) fn is_member(&self, id: NodeId) -> bool {
        let parent = self.tree.node(id).parent;
        parent.is_some_and(|parent| self.tree.node(parent).kind == Kind::Object)
    }

    /// Whether the node is a placeholder for a value that is not written yet.
    pub(super) fn is_absent(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        !node.is_present() && node.stage() == Stage::Held && self.can_be_absent(id)
    }

    /// Members and the document can be absent. Elements can't: an array has one when it is written.
    /// Nor can a document that is a container: its bracket is certain.
    fn can_be_absent(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        match node.parent {
            Some(parent) => self.tree.node(parent).kind == Kind::Object,
            None => !node.kind.is_container(),
        }
    }

    /// Whether a value is a placeholder if it never was anything else. An object or array is one
    /// as long as nothing in it is present, which [`State::set_present`] passes on.
    pub(super) fn is_placeholder(&self, kind: Kind, text: &str) -> bool {
        match (self.absent_values, kind) {
            (AbsentValues::Nothing, _) | (AbsentValues::Defaults, Kind::True) => false,
            (AbsentValues::Null, _) => matches!(kind, Kind::Null | Kind::Object),
            (AbsentValues::Defaults, Kind::Number) => is_zero(text),
            (AbsentValues::Defaults, Kind::String) => text.is_empty(),
            (AbsentValues::Defaults, Kind::Null | Kind::False | Kind::Array | Kind::Object) => true,
        }
    }

    /// Marks a value as changed, and with it everything around it.
    pub(super) fn set_changed(&mut self, id: NodeId) {
        let push_id = self.push_id;
        let mut next = Some(id);
        while let Some(id) = next {
            let node = self.tree.mark(id);
            if node.changed_by == push_id {
                return;
            }
            node.set_changed(push_id);
            next = node.parent;
        }
    }

    /// Marks a value as present and changed, and with it everything around it.
    pub(super) fn set_present(&mut self, id: NodeId) {
        let mut next = Some(id);
        while let Some(id) = next
            && !self.tree.node(id).is_present()
        {
            if !self.tree.is_added(id) && self.is_member(id) {
                self.rescan_parent_of(id);
            }
            let push_id = self.push_id;
            let node = self.tree.edit(id);
            node.set_present(push_id);
            next = node.parent;
        }
        if let Some(id) = next {
            self.set_changed(id);
        }
    }

    /// Returns where a member stands in the rules, unless it has been emitted.
    pub(super) fn unemitted(&self, id: NodeId) -> Option<Unemitted> {
        let node = self.tree.node(id);
        if node.stage() != Stage::Held {
            return None;
        }
        Some(if self.is_absent(id) {
            Unemitted::Absent
        } else if !node.is_new(self.push_id) {
            if self.is_changed(id) {
                Unemitted::HeldChanged
            } else {
                Unemitted::HeldSame
            }
        } else {
            match node.kind {
                Kind::Null | Kind::True | Kind::False => Unemitted::NewLiteral,
                Kind::Number if !self.growing_numbers => Unemitted::NewNumber,
                Kind::Number | Kind::String | Kind::Array | Kind::Object => Unemitted::NewGrowable,
            }
        })
    }

    /// Writes the raw name of a member and the colon.
    pub(super) fn write_name(&self, id: NodeId, out: &mut String) {
        out.push('"');
        out.push_str(self.tree.name(id));
        out.push_str("\":");
    }
}

/// Whether a number is zero in any spelling: `0`, `-0`, `0.0`, `0e5`.
fn is_zero(number: &str) -> bool {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    mantissa
        .bytes()
        .all(|byte| matches!(byte, b'-' | b'0' | b'.'))
}
