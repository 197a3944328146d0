//! One value of the snapshot, held against its node.

use core::ops::Range;

use super::super::state::Stage;
use super::{Matcher, Next, Place, Slot};
use crate::document::{Kind, NodeId};
use crate::error::{Error, Reason};
use crate::json::{decoded_prefix, literal_end, number_end, stable_len, unexpected};
use crate::revision::RevisionKind;

impl Matcher<'_> {
    pub(super) fn value(&mut self, slot: Slot) -> Result<Next, Error> {
        let start = self.at;
        let Some(&byte) = self.bytes().get(start) else {
            return Err(Error::new(Reason::Incomplete, start));
        };
        let id = match slot {
            Slot::Node(id) => id,
            Slot::New(name) => {
                let parent = match self.depth {
                    0 => None,
                    depth => self.frames[depth - 1].node,
                };
                let id = self.state.doc.push(parent, name, Kind::Null);
                let (push, pass) = (self.state.push, self.state.pass);
                let mark = self.state.doc.mark(id);
                mark.born = push;
                mark.met = pass;
                if self.depth > 0 {
                    self.meet(id);
                }
                return self.fill(id);
            }
            Slot::Skip => return self.skip(),
        };
        let node = self.state.doc.node(id);
        match (node.kind, byte) {
            (Kind::String, b'"') => {
                let known = self.state.doc.text(node.text).as_bytes();
                let from = start + 1;
                let end = from + known.len();
                if self.bytes().get(end) == Some(&b'"')
                    && self.bytes()[from..end] == *known
                    && self.tail.is_none()
                    && self.state.tail.is_empty()
                {
                    self.note(end, Place::Inside(id, from));
                    self.at = end + 1;
                } else {
                    self.string(id, from)?;
                }
                Ok(Next::Behind)
            }
            (Kind::Number, b'-' | b'0'..=b'9') => {
                self.number(id, start)?;
                Ok(Next::Behind)
            }
            (Kind::Object, b'{') => self.enter(Some(id), false),
            (Kind::Array, b'[') => self.enter(Some(id), true),
            (Kind::Null, b'n') | (Kind::True, b't') | (Kind::False, b'f') => self.skip(),
            _ => self.retype(id),
        }
    }

    /// A string that is known: unchanged, grown or contradicted.
    fn string(&mut self, id: NodeId, from: usize) -> Result<(), Error> {
        let (end, _) = self.string_end(from)?;
        let known = self.state.doc.text(self.state.doc.node(id).text);
        let new = self.piece(from..end);
        let split = if new.as_bytes().starts_with(known.as_bytes()) {
            Some(known.len())
        } else {
            let split = decoded_prefix(new, known);
            if let Some(split) = split {
                self.respell(id, from..from + split);
            }
            split
        };
        self.grow_string(id, from..end, split.map(|split| from + split))?;
        self.at = end + 1;
        Ok(())
    }

    /// Takes on the snapshot's spelling of what is known of a string: most likely the next snapshot
    /// has it, too, and then the two need not be decoded to be compared.
    fn respell(&mut self, id: NodeId, known: Range<usize>) {
        if self.state.stage(id) == Stage::Open {
            if self.state.written != self.state.doc.node(id).text.len() {
                return;
            }
            self.state.save_frontier();
            self.state.written = known.len();
        }
        self.state.doc.set_text(id, self.source, known);
    }

    /// A string whose text is at `content`, of which the document knows what is before `split`;
    /// none if it knows something else.
    pub(super) fn grow_string(
        &mut self,
        id: NodeId,
        content: Range<usize>,
        split: Option<usize>,
    ) -> Result<(), Error> {
        self.check_token(&content)?;
        let (start, end) = (content.start, content.end);
        match (self.state.stage(id), split) {
            (Stage::Held | Stage::Closed, Some(split)) if split == end => {}
            (Stage::Open, Some(split)) => {
                let rest = self.piece(split..end);
                let stable = split + stable_len(rest);
                let tail = stable..end;
                if stable > split || self.piece(tail.clone()) != self.state.tail {
                    self.change(id);
                }
                if stable > split {
                    self.state.doc.grow_text(id, self.source, split..stable);
                }
                self.tail = Some(tail);
            }
            (Stage::Held, _) => self.set_text(id, content),
            (Stage::Closed, _) => {
                if self.contradict(id, id, RevisionKind::Changed, start - 1) {
                    self.set_text(id, content);
                }
            }
            (Stage::Open, None) => {
                if self.contradict(id, id, RevisionKind::Rewritten, start - 1) {
                    self.set_text(id, content);
                }
            }
        }
        self.note(end, Place::Inside(id, start));
        Ok(())
    }

    /// A number that is known: unchanged, grown or contradicted.
    pub(super) fn number(&mut self, id: NodeId, start: usize) -> Result<(), Error> {
        let end = number_end(self.bytes(), start)?;
        self.check_token(&(start..end))?;
        let known = self.state.doc.text(self.state.doc.node(id).text);
        let new = self.piece(start..end);
        if new != known {
            let grown = new.starts_with(known).then_some(start + known.len());
            match (self.state.stage(id), grown) {
                (Stage::Held, _) => self.set_text(id, start..end),
                (Stage::Open, Some(known)) => {
                    self.state.doc.grow_text(id, self.source, known..end);
                    self.change(id);
                }
                (Stage::Open, None) => {
                    if self.contradict(id, id, RevisionKind::Rewritten, start) {
                        self.set_text(id, start..end);
                    }
                }
                (Stage::Closed, _) => {
                    if self.contradict(id, id, RevisionKind::Changed, start) {
                        self.set_text(id, start..end);
                    }
                }
            }
        }
        self.at = end;
        self.note(end, Place::Inside(id, start));
        Ok(())
    }

    /// A value of another kind than the document has, or another literal.
    fn retype(&mut self, id: NodeId) -> Result<Next, Error> {
        let kind = match (self.state.doc.node(id).kind, self.bytes()[self.at]) {
            (Kind::True, b'f') | (Kind::False, b't') => RevisionKind::Changed,
            _ => RevisionKind::Retyped,
        };
        let free = self.state.stage(id) == Stage::Held || self.contradict(id, id, kind, self.at);
        if !free {
            return self.skip();
        }
        if self.state.is_absent(id) {
            self.state.look_again(id);
            let push = self.state.push;
            self.state.doc.edit(id).mark.born = push;
        }
        self.fill(id)
    }

    /// Reads the value at hand into a node that has none, or of another kind.
    fn fill(&mut self, id: NodeId) -> Result<Next, Error> {
        self.change(id);
        let start = self.at;
        let kind = match self.bytes().get(start) {
            Some(b'"') => Kind::String,
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            Some(b't') => Kind::True,
            Some(b'f') => Kind::False,
            _ => Kind::Null,
        };
        self.state.doc.retype(id, kind);
        match kind {
            Kind::String => {
                let (end, _) = self.string_end(start + 1)?;
                self.state.doc.set_text(id, self.source, start + 1..end);
                self.note(end, Place::Inside(id, start + 1));
                self.at = end + 1;
                Ok(Next::Behind)
            }
            Kind::Number => {
                let end = number_end(self.bytes(), start)?;
                self.check_token(&(start..end))?;
                self.state.doc.set_text(id, self.source, start..end);
                self.note(end, Place::Inside(id, start));
                self.at = end;
                Ok(Next::Behind)
            }
            Kind::Object => self.enter(Some(id), false),
            Kind::Array => self.enter(Some(id), true),
            Kind::Null | Kind::True | Kind::False => {
                let next = self.skip()?;
                self.state.doc.set_text(id, self.source, start..self.at);
                Ok(next)
            }
        }
    }

    /// Reads the value at hand and keeps nothing of it.
    fn skip(&mut self) -> Result<Next, Error> {
        let bytes = self.bytes();
        self.at = match bytes.get(self.at) {
            Some(b'"') => self.string_end(self.at + 1)?.0 + 1,
            Some(b'{') => return self.enter(None, false),
            Some(b'[') => return self.enter(None, true),
            Some(b'-' | b'0'..=b'9') => {
                let end = number_end(bytes, self.at)?;
                self.check_token(&(self.at..end))?;
                end
            }
            Some(b't') => literal_end(bytes, self.at, "true")?,
            Some(b'f') => literal_end(bytes, self.at, "false")?,
            Some(b'n') => literal_end(bytes, self.at, "null")?,
            _ => return Err(unexpected(bytes, self.at, "a value")),
        };
        self.note(self.at, Place::Behind);
        Ok(Next::Behind)
    }

    fn set_text(&mut self, id: NodeId, range: Range<usize>) {
        self.state.doc.set_text(id, self.source, range);
        self.change(id);
    }
}
