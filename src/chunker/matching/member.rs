//! Which node of the document the next element or member of the snapshot is.

use super::{Frame, Matcher, Next, Target};
use crate::chunker::tree::{NodeId, Stage};
use crate::error::Error;
use crate::json::{skip_whitespace, unexpected};
use crate::revision::RevisionKind;

/// What the name of a member says.
enum LookUp {
    Found(Target),
    /// It appeared before in this object.
    Repeated,
}

impl Matcher<'_> {
    /// Finds the node of the current element.
    pub(super) fn element(&mut self) -> Next {
        self.start = self.at;
        let Some((frame, array)) = self.parent() else {
            return Next::Value(Target::Skip);
        };
        let target = match self.state.tree.child_after(array, frame.last) {
            Some(id) => {
                self.state.tree.mark(id).seen_by = self.state.push_id;
                self.advance_frame(id);
                Target::Node(id)
            }
            None if self.takes_child(&frame, array) => Target::New,
            None => Target::Skip,
        };
        Next::Value(target)
    }

    /// Reads the name of a member and finds its node.
    pub(super) fn member(&mut self, expected: &'static str) -> Result<Next, Error> {
        let bytes = self.bytes();
        self.start = self.at;
        if bytes.get(self.at) != Some(&b'"') {
            return Err(unexpected(bytes, self.at, expected));
        }
        if let Some(target) = self.known_member() {
            return Ok(Next::Value(target));
        }
        let from = self.at + 1;
        let (end, is_escaped) = self.string_end(from)?;
        self.is_escaped = is_escaped;
        let target = match self.look_up(from, end) {
            LookUp::Found(target) => target,
            LookUp::Repeated => return Ok(Next::Repeated),
        };
        self.at = skip_whitespace(bytes, end + 1);
        if bytes.get(self.at) != Some(&b':') {
            return Err(unexpected(bytes, self.at, "':'"));
        }
        self.at = skip_whitespace(bytes, self.at + 1);
        Ok(Next::Value(target))
    }

    /// Finds a member whose name and separator are in its record as they are here, so that they
    /// need not be read again: `"bio": "Born` in `"bio": "Born in Rome"`.
    fn known_member(&mut self) -> Option<Target> {
        let object = self.frames.last()?.node?;
        let rest = self.bytes().get(self.at..)?;
        let (id, value) = self.state.tree.member_at(object, rest)?;
        if !self.superseded.is_empty() || self.state.tree.node(id).seen_by == self.state.push_id {
            return None;
        }
        self.state.tree.mark(id).seen_by = self.state.push_id;
        self.advance_frame(id);
        self.at = skip_whitespace(self.bytes(), self.at + value);
        Some(Target::Node(id))
    }

    fn look_up(&mut self, from: usize, end: usize) -> LookUp {
        let Some((frame, object)) = self.parent() else {
            return LookUp::Found(Target::Skip);
        };
        if self.superseded.binary_search(&(self.start as u32)).is_ok() {
            return LookUp::Found(Target::Skip);
        }
        match self.state.tree.member(object, self.source, &(from..end)) {
            Some(id) => self.mark_seen(id),
            None if self.takes_child(&frame, object) => LookUp::Found(Target::New),
            None => LookUp::Found(Target::Skip),
        }
    }

    /// The frame and the node of the current container, unless it is only read.
    fn parent(&self) -> Option<(Frame, NodeId)> {
        let frame = *self.frames.last()?;
        Some((frame, frame.node?))
    }

    pub(super) fn advance_frame(&mut self, id: NodeId) {
        if let Some(frame) = self.frames.last_mut() {
            frame.last = Some(id);
            frame.seen += 1;
        }
    }

    fn mark_seen(&mut self, id: NodeId) -> LookUp {
        let push_id = self.state.push_id;
        let node = self.state.tree.mark(id);
        if node.seen_by == push_id {
            return LookUp::Repeated;
        }
        node.seen_by = push_id;
        self.advance_frame(id);
        LookUp::Found(Target::Node(id))
    }

    /// Whether the container can still get a child that the document does not have.
    fn takes_child(&mut self, frame: &Frame, parent: NodeId) -> bool {
        self.state.stage(parent) != Stage::Closed
            || self.contradict(parent, parent, RevisionKind::Changed, frame.start as usize)
    }
}
