//! Which node of the document the next element or member of the snapshot is.

use super::super::state::Stage;
use super::{Frame, Matcher, Next, Place, Slot};
use crate::document::{Kind, Name, NodeId};
use crate::error::Error;
use crate::json::{skip_whitespace, unexpected};
use crate::revision::RevisionKind;

/// How far [`Matcher::pass_unchanged`] has come.
enum Passed {
    /// To the end of the object.
    End,
    /// To this member, whose name of that length is at hand.
    UpTo(NodeId, usize),
    /// To a member that has to be looked up.
    UpToUnknown,
}

impl Matcher<'_> {
    /// Finds out what the element at hand is to the document.
    pub(super) fn element(&mut self) -> Next {
        let frame = self.frames[self.depth - 1];
        let Some(array) = frame.node else {
            return Next::Value(Slot::Skip);
        };
        let expected = self.expected(frame, array);
        let slot = match expected {
            Some(id) => {
                self.meet(id);
                Slot::Node(id)
            }
            None if self.takes_child(frame, array) => Slot::New(Name::NONE),
            None => Slot::Skip,
        };
        Next::Value(slot)
    }

    /// Reads the name of a member and finds out what the member is to the document.
    pub(super) fn member(&mut self, expected: &'static str) -> Result<Next, Error> {
        let bytes = self.bytes();
        if bytes.get(self.at) != Some(&b'"') {
            return Err(unexpected(bytes, self.at, expected));
        }
        let passed = match self.frames[self.depth - 1].node {
            Some(object) => self.pass_unchanged(object),
            None => Passed::UpToUnknown,
        };
        let slot = match passed {
            Passed::End => return Ok(Next::Behind),
            Passed::UpTo(id, name_len) => {
                self.at += name_len + 2;
                self.meet_member(id)
            }
            Passed::UpToUnknown => self.look_up_member()?,
        };
        self.at = skip_whitespace(bytes, self.at);
        if bytes.get(self.at) != Some(&b':') {
            return Err(unexpected(bytes, self.at, "':'"));
        }
        self.at = skip_whitespace(bytes, self.at + 1);
        Ok(Next::Value(slot))
    }

    /// Lexes the name of a member and looks it up.
    fn look_up_member(&mut self) -> Result<Slot, Error> {
        if self.bytes().get(self.at) != Some(&b'"') {
            return Err(unexpected(self.bytes(), self.at, "a member name"));
        }
        let from = self.at + 1;
        let (end, escaped) = self.string_end(from)?;
        self.at = end + 1;
        let frame = self.frames[self.depth - 1];
        let Some(object) = frame.node else {
            return Ok(Slot::Skip);
        };
        let name = self.piece(from..end);
        if let Some(id) = self.state.doc.member(object, name, escaped) {
            return Ok(self.meet_member(id));
        }
        if !self.takes_child(frame, object) {
            return Ok(Slot::Skip);
        }
        let raw = self.state.doc.text.keep(self.source, from..end);
        Ok(Slot::New(Name { raw, escaped }))
    }

    /// The child that comes next if the order is that of the document.
    fn expected(&self, frame: Frame, parent: NodeId) -> Option<NodeId> {
        match frame.last {
            Some(last) => self.state.doc.node(last).next,
            None => self.state.doc.node(parent).first,
        }
    }

    /// Passes over members that are scalars and the same in the document: nearly all of a
    /// snapshot. Stops at the first member that takes a closer look.
    fn pass_unchanged(&mut self, object: NodeId) -> Passed {
        let bytes = self.bytes();
        let pass = self.state.pass;
        let doc = &mut self.state.doc;
        if self.tail.is_some() || !self.state.tail.is_empty() {
            return Passed::UpToUnknown;
        }
        let frame = &mut self.frames[self.depth - 1];
        let mut last = None;
        let passed = loop {
            let Some((id, name_len)) = doc.member_at(object, frame.last, bytes, self.at + 1) else {
                break Passed::UpToUnknown;
            };
            let node = doc.node(id);
            let colon = self.at + name_len + 2;
            let space = usize::from(bytes.get(colon + 1) == Some(&b' '));
            let quote = usize::from(node.kind == Kind::String);
            let text = doc.text.bytes(node.text);
            let start = colon + 1 + space + quote;
            let end = start + text.len();
            let Some(value) = bytes.get(start..end + quote) else {
                break Passed::UpTo(id, name_len);
            };
            // The text of a null that is met for the second time has been forgotten.
            let unknown = text.is_empty() && node.kind != Kind::String;
            if unknown
                || node.kind.is_container()
                || node.mark.met == pass
                || bytes[colon] != b':'
                || (node.kind == Kind::String && bytes[start - 1] != b'"')
                || !value.starts_with(text)
                || (node.kind == Kind::String && value[text.len()] != b'"')
            {
                break Passed::UpTo(id, name_len);
            }
            let kind = node.kind;
            let behind = skip_whitespace(bytes, end + quote);
            let comma = match bytes.get(behind) {
                Some(b',') => true,
                Some(b'}') => false,
                _ => break Passed::UpTo(id, name_len),
            };
            doc.mark(id).met = pass;
            frame.last = Some(id);
            frame.met += 1;
            last = Some((
                end,
                match kind {
                    Kind::String | Kind::Number => Place::Inside(id, start),
                    _ => Place::Behind,
                },
            ));
            self.at = behind;
            if !comma {
                break Passed::End;
            }
            self.at = skip_whitespace(bytes, behind + 1);
            if bytes.get(self.at) != Some(&b'"') {
                break Passed::UpToUnknown;
            }
        };
        if let Some((end, place)) = last {
            self.note(end, place);
        }
        passed
    }

    pub(super) fn meet(&mut self, id: NodeId) {
        let frame = &mut self.frames[self.depth - 1];
        frame.last = Some(id);
        frame.met += 1;
    }

    fn meet_member(&mut self, id: NodeId) -> Slot {
        let pass = self.state.pass;
        let mark = self.state.doc.mark(id);
        if mark.met != pass {
            mark.met = pass;
            self.meet(id);
        } else if mark.stage == Stage::Held {
            // The name comes twice in this snapshot: the last one counts.
            self.state.doc.retype(id, Kind::Null);
        } else {
            self.forgive(id);
        }
        Slot::Node(id)
    }

    /// Whether the container can still get a child that the document does not have.
    fn takes_child(&mut self, frame: Frame, parent: NodeId) -> bool {
        self.state.stage(parent) != Stage::Closed
            || self.contradict(parent, parent, RevisionKind::Changed, frame.start)
    }
}
