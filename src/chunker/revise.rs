//! Snapshots that contradict what was put out.
//!
//! A contradiction never changes the text that is already out. With [`OnRevision::Keep`] the
//! document keeps what was put out, and what came instead is only read. With [`OnRevision::Restate`]
//! the nearest member of an open object around it is *unsaid*: its text so far is ended, and
//! in the document it is from then on a held member like any other, which may change freely and
//! goes out again by the ordinary rules.

use alloc::string::String;

use super::matching::Matcher;
use super::state::{Stage, State};
use crate::document::{Kind, NodeId};
use crate::json::value_end;
use crate::revision::{OnRevision, Revision, RevisionKind};

/// The most bytes of a text that a report quotes.
const QUOTED: usize = 16 << 10;

/// A contradiction that a pass has met.
#[derive(Debug)]
pub(super) struct Contradiction {
    node: NodeId,
    /// Where it was noticed: the start of the value that came, or of the object that lost it.
    start: usize,
    revision: Revision,
}

impl Contradiction {
    /// The report, and the offset in the snapshot.
    pub(super) fn into_revision(self, source: &str) -> (Revision, usize) {
        let mut revision = self.revision;
        if revision.kind != RevisionKind::Removed {
            let end = value_end(source.as_bytes(), self.start);
            revision.came = source.get(self.start..end).map(|came| cut(came).into());
        }
        (revision, self.start)
    }
}

impl Matcher<'_> {
    /// Notes that the snapshot contradicts what was put out for `id`. Says whether it may replace
    /// that in the document all the same. `site` is the value that has to be restated for that:
    /// `id` itself, or the object that has lost it.
    pub(super) fn contradict(
        &mut self,
        id: NodeId,
        site: NodeId,
        kind: RevisionKind,
        start: usize,
    ) -> bool {
        let member = match self.on_revision {
            OnRevision::Restate => self.state.restatable(site),
            OnRevision::Keep | OnRevision::Reject => None,
        };
        if !self.state.doc.node(id).mark.revised || member.is_some() {
            self.state.doc.edit(id).mark.revised = member.is_none();
            self.contradictions.push(Contradiction {
                node: id,
                start,
                revision: Revision {
                    pointer: self.state.doc.pointer(id),
                    kind,
                    put_out: cut(&self.state.put_out(id)).into(),
                    came: None,
                    mended: member.is_some(),
                },
            });
        }
        if let Some(member) = member {
            self.unsay(member);
            return true;
        }
        match kind {
            RevisionKind::Retyped | RevisionKind::Removed | RevisionKind::Rewritten => {
                self.abandon(id);
            }
            RevisionKind::Changed | RevisionKind::Shrunk => {}
        }
        false
    }

    /// The member comes a second time in this snapshot, and the last one counts: what the first
    /// one contradicted is forgotten.
    pub(super) fn forgive(&mut self, member: NodeId) {
        let doc = &mut self.state.doc;
        self.contradictions.retain(|contradiction| {
            let node = contradiction.node;
            let mut around = core::iter::successors(Some(node), |id| doc.node(*id).parent);
            let forgiven = around.any(|id| id == member);
            if forgiven {
                doc.edit(node).mark.revised = false;
            }
            !forgiven
        });
    }

    /// The elements of `array` behind `last` are gone.
    pub(super) fn lose_elements(&mut self, array: NodeId, last: Option<NodeId>, start: usize) {
        let next = |state: &State| match last {
            Some(last) => state.doc.node(last).next,
            None => state.doc.node(array).first,
        };
        if let Some(gone) = next(self.state)
            && self.state.stage(gone) != Stage::Held
            && !self.contradict(array, array, RevisionKind::Shrunk, start)
        {
            let mut element = Some(gone);
            while let Some(id) = element {
                self.abandon(id);
                element = self.state.doc.node(id).next;
            }
            return;
        }
        while next(self.state).is_some() {
            self.state.doc.unlink_after(array, last);
        }
    }

    /// The members of `object` that this pass has not met are gone.
    pub(super) fn lose_members(&mut self, object: NodeId, start: usize) {
        let mut before = None;
        let mut next = self.state.doc.node(object).first;
        while let Some(id) = next {
            let node = self.state.doc.node(id);
            next = node.next;
            let gone = node.mark.met != self.state.pass;
            if gone && (node.mark.stage != Stage::Held || node.mark.restates) {
                self.contradict(id, object, RevisionKind::Removed, start);
            }
            if gone && self.state.stage(id) == Stage::Held {
                self.state.look_again(id);
                self.state.doc.unlink_after(object, before);
            } else {
                before = Some(id);
            }
        }
    }

    /// Ends the text put out for `member`, if it is open, and makes the whole of it held.
    fn unsay(&mut self, member: NodeId) {
        self.state.save_frontier();
        let level = self.state.open.iter().position(|open| open.node == member);
        if let Some(level) = level {
            self.end_text(level);
            self.state.open.truncate(level);
        }
        self.state.look_again(member);
        let mut next = Some(member);
        while let Some(id) = next {
            let mark = &mut self.state.doc.edit(id).mark;
            mark.stage = Stage::Held;
            mark.revised = false;
            mark.restates = false;
            next = self.state.doc.following(id, member);
        }
        let mark = self.state.doc.mark(member);
        mark.changed = self.state.push;
        mark.restates = true;
        // The pass is somewhere inside of the member: at the place of the contradiction.
        for frame in self.frames.iter_mut().take(self.depth + 1) {
            frame.changed = true;
        }
    }

    /// Writes the closers of the frontier from `level` down, and nothing that waits in there.
    fn end_text(&mut self, level: usize) {
        for open in self.state.open[level..].iter().rev() {
            match self.state.doc.node(open.node).kind {
                Kind::String => {
                    // What was held back of it is part of its text like all the rest now.
                    let tail = match self.tail.take() {
                        Some(range) => self.source.get(range).unwrap_or_default(),
                        None => &self.state.tail,
                    };
                    self.state.doc.add_text(open.node, tail);
                    self.out.push('"');
                }
                Kind::Array => self.out.push(']'),
                Kind::Object => self.out.push('}'),
                Kind::Null | Kind::True | Kind::False | Kind::Number => {}
            }
        }
        self.state.tail.clear();
    }

    /// What waits inside of an open value that is contradicted as a whole is gone with it.
    fn abandon(&mut self, id: NodeId) {
        let Some(level) = self.state.open.iter().position(|open| open.node == id) else {
            return;
        };
        self.state.save_frontier();
        self.state.tail.clear();
        self.tail = None;
        for level in level..self.state.open.len() {
            let parent = self.state.open[level].node;
            let mut before = None;
            let mut next = self.state.doc.node(parent).first;
            while let Some(id) = next {
                next = self.state.doc.node(id).next;
                if self.state.stage(id) == Stage::Held {
                    self.state.look_again(id);
                    self.state.doc.unlink_after(parent, before);
                } else {
                    before = Some(id);
                }
            }
        }
    }
}

/// What a report quotes of a text: its start. One push may contradict the text at every level of
/// a deep document; to quote all of it each time would multiply it.
fn cut(text: &str) -> &str {
    let fits = (0..=QUOTED.min(text.len())).rev();
    fits.into_iter()
        .find_map(|end| text.get(..end))
        .unwrap_or_default()
}

impl State {
    /// The nearest value, from `site` up, that is a member of an open object.
    fn restatable(&self, site: NodeId) -> Option<NodeId> {
        let mut id = site;
        loop {
            let parent = self.doc.node(id).parent?;
            if self.stage(parent) == Stage::Open && self.doc.node(parent).kind == Kind::Object {
                return Some(id);
            }
            id = parent;
        }
    }

    /// The text put out for a value so far; none for one that is about to be restated.
    fn put_out(&self, id: NodeId) -> String {
        let mut out = String::new();
        if self.stage(id) == Stage::Held {
            return out;
        }
        let Some(level) = self.open.iter().position(|open| open.node == id) else {
            self.write_value(id, &mut out);
            return out;
        };
        for (at, open) in self.open.iter().enumerate().skip(level) {
            if at > level && self.is_member(open.node) {
                self.write_name(self.doc.node(open.node).name, &mut out);
            }
            let node = self.doc.node(open.node);
            match node.kind {
                Kind::Array => out.push('['),
                Kind::Object => out.push('{'),
                Kind::String => out.push('"'),
                Kind::Null | Kind::True | Kind::False | Kind::Number => {}
            }
            out.extend(self.doc.text(node.text).get(..self.written));
            for child in self.doc.children(open.node) {
                if self.stage(child) == Stage::Closed {
                    if self.is_member(child) {
                        self.write_name(self.doc.node(child).name, &mut out);
                    }
                    self.write_value(child, &mut out);
                    out.push(',');
                }
            }
        }
        if out.ends_with(',')
            && self
                .open
                .last()
                .is_some_and(|open| self.doc.node(open.node).first.is_some())
        {
            out.pop();
        }
        out
    }
}
