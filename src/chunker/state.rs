//! What a chunker knows between two snapshots.

use alloc::string::String;
use alloc::vec::Vec;

use crate::document::{Document, Kind, Name, NodeId};

/// How much of a value has been put out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing of it: it is new, held, or about to be restated. It may still change freely.
    #[default]
    Held,
    /// Its start, without the end. The open nodes are one path from the root: the frontier.
    Open,
    /// All of it.
    Closed,
}

/// What is remembered of every node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    pub(super) stage: Stage,
    /// Whether a contradiction here has been reported.
    pub(super) revised: bool,
    /// Whether another value was put out in its place, which this one is to supersede.
    pub(super) restates: bool,
    /// The push that brought it.
    pub(super) born: u32,
    /// The last push that changed something in it.
    pub(super) changed: u32,
    /// The last pass over a snapshot that met this member.
    pub(super) met: u32,
}

impl Mark {
    pub(super) fn put_out(&mut self, stage: Stage) {
        self.stage = stage;
        self.restates = false;
    }
}

/// A node on the frontier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) node: NodeId,
    /// The child up to which all are put out, or absent.
    pub(super) out_to: Option<NodeId>,
    /// Whether a child has been put out, so that the next one needs a comma.
    pub(super) comma: bool,
}

/// A member of which nothing has been put out, in the words of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiting {
    /// A null that stands for a value to come.
    Absent,
    /// Held since an earlier push and the same in this one.
    HeldSame,
    /// Held since an earlier push and changed in this one.
    HeldChanged,
    /// New, and as complete as it ever gets.
    NewLiteral,
    /// New, and taken for complete unless nothing else comes after it.
    NewNumber,
    /// New, and perhaps the frontier.
    NewGrowable,
}

/// The end of what is put out, as [`State::rollback`] restores it.
#[derive(Clone, Debug)]
struct Frontier {
    open: Vec<Open>,
    written: usize,
    tail: String,
}

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) doc: Document<Mark>,
    pub(super) growing_numbers: bool,
    pub(super) null_is_absent: bool,
    /// The frontier, from the root down.
    pub(super) open: Vec<Open>,
    /// How many bytes of the scalar at the end of the frontier are put out.
    pub(super) written: usize,
    /// The end of the string there that is held back because it may not stay as it is.
    pub(super) tail: String,
    /// The number of this push, or of the last one that succeeded.
    pub(super) push: u32,
    /// How many pushes there have been, failed ones too.
    pushes: u32,
    /// Counts passes over a snapshot from its start: a push that goes on where the last one ended
    /// belongs to the same pass.
    pub(super) pass: u32,
    /// The number of the push that succeeded before this one.
    before_push: u32,
    /// The frontier before this push, if a pass has changed it.
    before: Option<Frontier>,
}

impl State {
    pub(super) fn clear(&mut self) {
        self.doc.clear();
        self.open.clear();
        self.written = 0;
        self.tail.clear();
        self.push = 0;
        self.pushes = 0;
        self.pass = 0;
        self.before = None;
    }

    /// Starts a push that can be undone.
    pub(super) fn begin(&mut self, same_pass: bool) {
        self.before_push = self.push;
        self.pushes += 1;
        self.push = self.pushes;
        if !same_pass {
            self.pass += 1;
        }
        self.before = None;
        self.doc.begin();
    }

    /// Keeps the frontier as it is for [`State::rollback`].
    pub(super) fn save_frontier(&mut self) {
        if self.before.is_none() {
            self.before = Some(Frontier {
                open: self.open.clone(),
                written: self.written,
                tail: self.tail.clone(),
            });
        }
    }

    /// Undoes what a pass has done since [`State::begin`].
    pub(super) fn rollback(&mut self) {
        self.doc.rollback();
        self.push = self.before_push;
        if let Some(before) = self.before.take() {
            self.open = before.open;
            self.written = before.written;
            self.tail = before.tail;
        }
    }

    /// Drops garbage, where there is too much of it.
    pub(super) fn compact(&mut self) {
        if let Some(moved) = self.doc.compact() {
            for open in &mut self.open {
                open.node = moved.to(open.node);
                open.out_to = open.out_to.map(|id| moved.to(id));
            }
        }
    }

    /// Looks at all members anew around one that was put out or absent and is no longer: it has
    /// come, is about to be restated, or leaves.
    pub(super) fn look_again(&mut self, member: NodeId) {
        let parent = self.doc.node(member).parent;
        for open in &mut self.open {
            if Some(open.node) == parent {
                open.out_to = None;
            }
        }
    }

    /// Lets all marks start anew when the counters are used up; no pass can go on over that.
    pub(super) fn renew_marks(&mut self) -> bool {
        let used_up = self.pushes == u32::MAX;
        if used_up {
            for mark in self.doc.marks() {
                (mark.born, mark.changed, mark.met) = (0, 0, 0);
            }
            (self.push, self.pushes, self.pass) = (0, 0, 0);
        }
        used_up
    }

    pub(super) fn stage(&self, id: NodeId) -> Stage {
        self.doc.node(id).mark.stage
    }

    pub(super) fn is_changed(&self, id: NodeId) -> bool {
        self.doc.node(id).mark.changed == self.push
    }

    pub(super) fn is_member(&self, id: NodeId) -> bool {
        let parent = self.doc.node(id).parent;
        parent.is_some_and(|parent| self.doc.node(parent).kind == Kind::Object)
    }

    /// Whether the node is a null that stands for a value to come: a member, or the root.
    pub(super) fn is_absent(&self, id: NodeId) -> bool {
        let node = self.doc.node(id);
        self.null_is_absent
            && node.kind == Kind::Null
            && node.mark.stage == Stage::Held
            && (node.parent.is_none() || self.is_member(id))
    }

    /// Where a member stands in the rules, unless it has been put out.
    pub(super) fn waiting(&self, id: NodeId) -> Option<Waiting> {
        let node = self.doc.node(id);
        if node.mark.stage != Stage::Held {
            return None;
        }
        Some(if self.is_absent(id) {
            Waiting::Absent
        } else if node.mark.born != self.push {
            if self.is_changed(id) {
                Waiting::HeldChanged
            } else {
                Waiting::HeldSame
            }
        } else {
            match node.kind {
                Kind::Null | Kind::True | Kind::False => Waiting::NewLiteral,
                Kind::Number if !self.growing_numbers => Waiting::NewNumber,
                Kind::Number | Kind::String | Kind::Array | Kind::Object => Waiting::NewGrowable,
            }
        })
    }

    /// Writes the raw name of a member and the colon.
    pub(super) fn write_name(&self, name: Name, out: &mut String) {
        out.push('"');
        out.push_str(self.doc.text(name.raw));
        out.push_str("\":");
    }
}
