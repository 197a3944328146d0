//! Snapshots that contradict the emitted text.
//!
//! A contradiction never changes the text that is already emitted. With [`RevisionPolicy::Keep`]
//! the document keeps what was emitted, and what was received instead is only read. With
//! [`RevisionPolicy::Restate`] the nearest member of an open object around it is restated: its text
//! so far is closed, and in the document it is from then on a held member like any other, which may
//! change freely and is emitted again by the ordinary rules.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Matcher;
use crate::chunker::state::State;
use crate::chunker::tree::{NodeId, Stage};
use crate::document::{Kind, write_token};
use crate::json::{decode, value_end};
use crate::revision::{Revision, RevisionKind, RevisionPolicy};

/// A contradiction that a pass has found.
#[derive(Debug)]
pub(in crate::chunker) struct Contradiction {
    /// Where it was noticed: the start of the received value, or of the object that lost it.
    start: usize,
    revision: Revision,
}

impl Contradiction {
    /// The report, and the offset in the snapshot.
    pub(in crate::chunker) fn into_revision(self, source: &str) -> (Revision, usize) {
        let revision = match self.revision.kind() {
            RevisionKind::Removed => self.revision,
            RevisionKind::Changed
            | RevisionKind::Rewritten
            | RevisionKind::Retyped
            | RevisionKind::Shrunk => {
                let end = value_end(source.as_bytes(), self.start);
                self.revision.with_received(source.get(self.start..end))
            }
        };
        (revision, self.start)
    }
}

impl Matcher<'_> {
    /// Notes that the snapshot contradicts the text emitted for `id`. Says whether it may replace
    /// that in the document anyway. `site` is the value that has to be restated for that:
    /// `id` itself, or the object that has lost it.
    pub(super) fn contradict(
        &mut self,
        id: NodeId,
        site: NodeId,
        kind: RevisionKind,
        start: usize,
    ) -> bool {
        self.has_contradictions = true;
        let member = match self.revision_policy {
            RevisionPolicy::Restate => self.state.restatable(site),
            RevisionPolicy::Keep | RevisionPolicy::Reject => None,
        };
        if !self.state.tree.node(id).is_revised() || member.is_some() {
            self.state.tree.edit(id).set_revised(member.is_none());
            self.contradictions.push(Contradiction {
                start,
                revision: Revision::new(
                    self.pointer(id),
                    kind,
                    &self.state.emitted_text(id),
                    member.is_some(),
                ),
            });
        }
        if let Some(member) = member {
            self.start_restatement(member);
            self.state.set_changed(site);
            return true;
        }
        match kind {
            RevisionKind::Retyped | RevisionKind::Removed | RevisionKind::Rewritten => {
                self.drop_held_children(id);
            }
            RevisionKind::Changed | RevisionKind::Shrunk => {}
        }
        false
    }

    /// The JSON Pointer (RFC 6901) of a node on the path of the pass, or of a child of its end.
    fn pointer(&self, id: NodeId) -> String {
        let tree = &self.state.tree;
        let path = core::iter::successors(Some(id), |id| tree.node(*id).parent);
        let mut path: Vec<_> = path.filter(|id| tree.node(*id).parent.is_some()).collect();
        path.reverse();
        let mut pointer = String::new();
        for (id, frame) in path.into_iter().zip(&*self.frames) {
            debug_assert_eq!(tree.node(id).parent, frame.node, "the path of the pass");
            if frame.array {
                // The current element is the one seen last.
                write_token(&(frame.seen - 1).to_string(), &mut pointer);
            } else {
                write_token(&decode(tree.name(id)), &mut pointer);
            }
        }
        pointer
    }

    /// The elements of `array` after `last` are missing.
    pub(super) fn lose_elements(&mut self, array: NodeId, last: Option<NodeId>, start: usize) {
        let next = |state: &State| state.tree.child_after(array, last);
        if let Some(missing) = next(self.state)
            && self.state.stage(missing) != Stage::Held
            && !self.contradict(array, array, RevisionKind::Shrunk, start)
        {
            let mut element = Some(missing);
            while let Some(id) = element {
                self.drop_held_children(id);
                self.state.tree.set_raw(id, 0, 0);
                element = self.state.tree.node(id).next;
            }
            return;
        }
        while next(self.state).is_some() {
            self.state.tree.unlink_after(array, last);
        }
    }

    /// The members of `object` that this pass has not seen are missing.
    pub(super) fn lose_members(&mut self, object: NodeId, start: usize) {
        let mut before = None;
        let mut next = self.state.tree.first(object);
        while let Some(id) = next {
            let node = self.state.tree.node(id);
            next = node.next;
            let missing = node.seen_by != self.state.push_id;
            if missing && (node.stage() != Stage::Held || node.restates()) {
                self.contradict(id, object, RevisionKind::Removed, start);
                self.state.tree.set_raw(id, 0, 0);
            }
            if missing && self.state.stage(id) == Stage::Held {
                self.state.rescan_parent_of(id);
                self.state.tree.unlink_after(object, before);
            } else {
                before = Some(id);
            }
        }
    }

    /// Ends the text emitted for `member`, if it is open, and makes all of it held.
    fn start_restatement(&mut self, member: NodeId) {
        if let Some(level) = self.state.frontier.level_of(member) {
            self.end_text(level);
            self.state.edit_frontier().open.truncate(level);
        }
        self.state.rescan_parent_of(member);
        let mut next = Some(member);
        while let Some(id) = next {
            let node = self.state.tree.edit(id);
            node.set_stage(Stage::Held);
            node.set_revised(false);
            node.set_restates(id == member);
            next = self.state.tree.following(id, member);
        }
    }

    /// Collects the closers of the frontier from `level` down, but nothing that waits in it.
    fn end_text(&mut self, level: usize) {
        for level in (level..self.state.frontier.open.len()).rev() {
            let id = self.state.frontier.open[level].node;
            match self.state.tree.node(id).kind {
                Kind::String => {
                    // What was held back of it is part of its text like all the rest now.
                    let held_back = match self.held_back.take() {
                        Some(range) => self.source.get(range).unwrap_or_default(),
                        None => &self.state.frontier.held_back,
                    };
                    self.state.tree.add_text(id, held_back);
                    self.closers.push('"');
                }
                Kind::Array => self.closers.push(']'),
                Kind::Object => self.closers.push('}'),
                Kind::Null | Kind::True | Kind::False | Kind::Number => {}
            }
        }
        self.state.edit_frontier().held_back.clear();
    }

    /// Removes what waits inside of an open value that is contradicted entirely.
    fn drop_held_children(&mut self, id: NodeId) {
        let Some(level) = self.state.frontier.level_of(id) else {
            return;
        };
        self.state.edit_frontier().held_back.clear();
        self.held_back = None;
        for level in level..self.state.frontier.open.len() {
            let parent = self.state.frontier.open[level].node;
            let mut before = None;
            let mut next = self.state.tree.first(parent);
            while let Some(id) = next {
                next = self.state.tree.node(id).next;
                if self.state.stage(id) == Stage::Held {
                    self.state.rescan_parent_of(id);
                    self.state.tree.unlink_after(parent, before);
                } else {
                    before = Some(id);
                }
            }
        }
    }
}

impl State {
    /// The nearest value, from `site` up, that is a member of an open object.
    fn restatable(&self, site: NodeId) -> Option<NodeId> {
        let mut id = site;
        loop {
            let parent = self.tree.node(id).parent?;
            if self.stage(parent) == Stage::Open && self.tree.node(parent).kind == Kind::Object {
                return Some(id);
            }
            id = parent;
        }
    }

    /// Returns the text emitted for a value so far; none for one that is about to be restated.
    fn emitted_text(&self, id: NodeId) -> String {
        let mut out = String::new();
        if self.stage(id) == Stage::Held {
            return out;
        }
        let Some(level) = self.frontier.level_of(id) else {
            self.write_value(id, &mut out);
            return out;
        };
        for (at, open) in self.frontier.open.iter().enumerate().skip(level) {
            let id = open.node;
            if at > level && self.is_member(id) {
                self.write_name(id, &mut out);
            }
            match self.tree.node(id).kind {
                Kind::Array => out.push('['),
                Kind::Object => out.push('{'),
                Kind::String => {
                    out.push('"');
                    out.extend(self.tree.text(id).get(..self.frontier.written));
                }
                Kind::Number => out.extend(self.tree.text(id).get(..self.frontier.written)),
                Kind::Null | Kind::True | Kind::False => {}
            }
            for child in self.tree.children(id) {
                if self.stage(child) == Stage::Closed {
                    if self.is_member(child) {
                        self.write_name(child, &mut out);
                    }
                    self.write_value(child, &mut out);
                    out.push(',');
                }
            }
        }
        if out.ends_with(',')
            && (self.frontier.open.last()).is_some_and(|open| self.tree.first(open.node).is_some())
        {
            out.pop();
        }
        out
    }
}
