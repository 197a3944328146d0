//! A snapshot, held against the document.
//!
//! The snapshot is read once, from start to end, beside the tree: the members of an object are
//! expected in the order of the document and looked up if they come in another one, and a string
//! that is in the document already is compared, not lexed. What is new is added to the tree and
//! what has grown grows there; marks say what has changed, all the way up to the root. What
//! contradicts text already put out is left to [`revise`](super::revise).
//!
//! Containers are tracked on a stack of [`Frame`]s, not by recursion: no depth exhausts the
//! thread's stack, and a pass can be taken up again. At every scalar and every opening bracket
//! the pass notes where it stands ([`Resume`]); behind the last of these notes there are only
//! closers. If the next snapshot starts with the same bytes up to there, which one `memcmp` tells,
//! the pass goes on from there and reads only what is new.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::revise::Contradiction;
use super::state::{Said, State};
use crate::document::{Kind, Name, NodeId};
use crate::error::{Error, Reason};
use crate::json::{
    decoded_prefix, literal_end, number_end, skip_whitespace, stable_len, string_end, unexpected,
};
use crate::limits::Limits;
use crate::revision::{OnRevision, RevisionKind};

/// A container that the pass is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Its node; none while text is read that does not go into the document.
    node: Option<NodeId>,
    array: bool,
    /// Where it starts in the snapshot.
    start: usize,
    /// The child met last.
    last: Option<NodeId>,
    /// How many different children have been met.
    met: u32,
    pub(super) changed: bool,
}

/// Where the next pass can go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resume {
    at: usize,
    depth: usize,
    place: Place,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// Behind an opening bracket.
    Opened,
    /// Behind a value.
    Behind,
    /// In a string or number whose content starts there, at the end of what is known of it.
    Inside(NodeId, usize),
}

/// What the next value of the snapshot is to the document.
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// This node.
    Node(NodeId),
    /// A node to add to the current container, or the root.
    New(Name),
    /// Nothing: the value is only read.
    Skip,
}

/// What comes next in the snapshot.
enum Next {
    Value(Slot),
    Opened,
    Behind,
}

impl Resume {
    /// How many containers the place is in: their frames must be those of that pass.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Settles where the next snapshot has to differ first, after the text was put out: the end of
    /// a string may be held back. None if the document has another text than the snapshot there.
    pub(super) fn settle(mut self, state: &State) -> Option<Self> {
        if let Place::Inside(id, start) = self.place {
            let text = state.doc.node(id).text;
            if text.start() != start {
                return None;
            }
            self.at = text.end();
        }
        state.doc.is_verbatim().then_some(self)
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }
}

/// One pass over one snapshot.
pub(super) struct Matcher<'a> {
    pub(super) state: &'a mut State,
    pub(super) source: &'a str,
    pub(super) on_revision: OnRevision,
    /// What is put out at once: the end of values that are to be restated.
    pub(super) out: &'a mut String,
    pub(super) contradictions: Vec<Contradiction>,
    /// The end of the open string that is held back, if this pass met that string.
    pub(super) tail: Option<Range<usize>>,
    pub(super) frames: &'a mut Vec<Frame>,
    pub(super) depth: usize,
    limits: Limits,
    at: usize,
    resume: Resume,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(
        state: &'a mut State,
        frames: &'a mut Vec<Frame>,
        source: &'a str,
        on_revision: OnRevision,
        limits: Limits,
        out: &'a mut String,
    ) -> Self {
        Self {
            state,
            source,
            on_revision,
            out,
            contradictions: Vec::new(),
            tail: None,
            frames,
            depth: 0,
            limits,
            at: 0,
            resume: Resume {
                at: 0,
                depth: 0,
                place: Place::Behind,
            },
        }
    }

    /// Reads the snapshot to its end; `from` is where the last pass ended, if this one goes on
    /// from there. Gives where the next one can go on.
    pub(super) fn run(&mut self, from: Option<Resume>) -> Result<Resume, Error> {
        let mut next = match from {
            Some(resume) => self.go_on(resume)?,
            None => self.start(),
        };
        loop {
            next = match next {
                Next::Value(slot) => self.value(slot)?,
                Next::Opened => self.first_child()?,
                Next::Behind if self.depth == 0 => break,
                Next::Behind => self.next_child()?,
            };
        }
        self.at = skip_whitespace(self.bytes(), self.at);
        if self.at < self.source.len() {
            return Err(Error::new(Reason::Trailing, self.at));
        }
        Ok(self.resume)
    }

    fn bytes(&self) -> &'a [u8] {
        self.source.as_bytes()
    }

    fn start(&mut self) -> Next {
        let bom = if self.source.starts_with('\u{FEFF}') {
            3
        } else {
            0
        };
        self.at = skip_whitespace(self.bytes(), bom);
        Next::Value(match self.state.doc.root() {
            Some(root) => Slot::Node(root),
            None => Slot::New(Name::NONE),
        })
    }

    fn go_on(&mut self, resume: Resume) -> Result<Next, Error> {
        self.resume = resume;
        self.at = resume.at;
        self.depth = resume.depth;
        for frame in &mut self.frames[..resume.depth] {
            frame.changed = false;
        }
        match resume.place {
            Place::Opened => Ok(Next::Opened),
            Place::Behind => Ok(Next::Behind),
            Place::Inside(id, start) => {
                let node = self.state.doc.node(id);
                let known = node.text.end();
                if node.kind == Kind::String {
                    let (end, _) = string_end(self.bytes(), known)?;
                    self.grow_string(id, start..end, Some(known))?;
                    self.at = end + 1;
                } else {
                    self.number(id, start)?;
                }
                Ok(Next::Behind)
            }
        }
    }

    /// Notes that only closers may follow from here.
    fn note(&mut self, at: usize, place: Place) {
        self.resume = Resume {
            at,
            depth: self.depth,
            place,
        };
    }

    fn first_child(&mut self) -> Result<Next, Error> {
        self.at = skip_whitespace(self.bytes(), self.at);
        let array = self.frames[self.depth - 1].array;
        match self.bytes().get(self.at) {
            Some(b']') if array => Ok(self.leave()),
            Some(b'}') if !array => Ok(self.leave()),
            _ if array => Ok(self.element()),
            _ => self.member("a member name or '}'"),
        }
    }

    fn next_child(&mut self) -> Result<Next, Error> {
        self.at = skip_whitespace(self.bytes(), self.at);
        let array = self.frames[self.depth - 1].array;
        match self.bytes().get(self.at) {
            Some(b',') => {
                self.at = skip_whitespace(self.bytes(), self.at + 1);
                if array {
                    Ok(self.element())
                } else {
                    self.member("a member name")
                }
            }
            Some(b']') if array => Ok(self.leave()),
            Some(b'}') if !array => Ok(self.leave()),
            _ if array => Err(unexpected(self.bytes(), self.at, "',' or ']'")),
            _ => Err(unexpected(self.bytes(), self.at, "',' or '}'")),
        }
    }

    /// Finds out what the element at hand is to the document.
    fn element(&mut self) -> Next {
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
            None => self.new_slot(frame, array, Name::NONE),
        };
        Next::Value(slot)
    }

    /// Reads the name of a member and finds out what the member is to the document.
    fn member(&mut self, expected: &'static str) -> Result<Next, Error> {
        let bytes = self.bytes();
        if bytes.get(self.at) != Some(&b'"') {
            return Err(unexpected(bytes, self.at, expected));
        }
        let from = self.at + 1;
        let frame = self.frames[self.depth - 1];
        let slot = if let Some(object) = frame.node {
            if let Some(id) = self.expected(frame, object)
                && let Some(behind) = self.name_end(id, from)
            {
                self.at = behind;
                self.meet_member(id)
            } else {
                let (end, escaped) = self.string_end(from)?;
                self.at = end + 1;
                let name = self.piece(from..end);
                if let Some(id) = self.state.doc.member(object, name, escaped) {
                    self.meet_member(id)
                } else {
                    let raw = self.state.doc.keep(self.source, from..end);
                    self.new_slot(frame, object, Name { raw, escaped })
                }
            }
        } else {
            let (end, _) = self.string_end(from)?;
            self.at = end + 1;
            Slot::Skip
        };
        self.at = skip_whitespace(bytes, self.at);
        if bytes.get(self.at) != Some(&b':') {
            return Err(unexpected(bytes, self.at, "':'"));
        }
        self.at = skip_whitespace(bytes, self.at + 1);
        Ok(Next::Value(slot))
    }

    /// The child that comes next if the order is that of the document.
    fn expected(&self, frame: Frame, parent: NodeId) -> Option<NodeId> {
        match frame.last {
            Some(last) => self.state.doc.node(last).next,
            None => self.state.doc.node(parent).first,
        }
    }

    /// The index behind the closing quote, if the name at `from` is spelled like that of `id`.
    #[inline]
    fn name_end(&self, id: NodeId, from: usize) -> Option<usize> {
        let name = self.state.doc.text(self.state.doc.node(id).name.raw);
        let rest = self.bytes()[from..].strip_prefix(name.as_bytes())?;
        (rest.first() == Some(&b'"')).then_some(from + name.len() + 1)
    }

    fn meet(&mut self, id: NodeId) {
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
        } else if mark.said == Said::Nothing {
            // The name comes twice in this snapshot: the last one counts.
            self.state.doc.retype(id, Kind::Null);
        }
        Slot::Node(id)
    }

    /// A child that the document does not have, if its container can still get one.
    fn new_slot(&mut self, frame: Frame, parent: NodeId, name: Name) -> Slot {
        let whole = self.state.said(parent) == Said::Whole;
        if whole && !self.contradict(parent, parent, RevisionKind::Changed, frame.start) {
            return Slot::Skip;
        }
        Slot::New(name)
    }

    fn value(&mut self, slot: Slot) -> Result<Next, Error> {
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
            decoded_prefix(new, known)
        };
        self.grow_string(id, from..end, split.map(|split| from + split))?;
        self.at = end + 1;
        Ok(())
    }

    /// A string whose text is at `content`, of which the document knows what is before `split`;
    /// none if it knows something else.
    fn grow_string(
        &mut self,
        id: NodeId,
        content: Range<usize>,
        split: Option<usize>,
    ) -> Result<(), Error> {
        self.check_token(&content)?;
        let (start, end) = (content.start, content.end);
        match (self.state.said(id), split) {
            (Said::Nothing | Said::Whole, Some(split)) if split == end => {}
            (Said::Open, Some(split)) => {
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
            (Said::Nothing, _) => self.set_text(id, content),
            (Said::Whole, _) => {
                if self.contradict(id, id, RevisionKind::Changed, start - 1) {
                    self.set_text(id, content);
                }
            }
            (Said::Open, None) => {
                if self.contradict(id, id, RevisionKind::Rewritten, start - 1) {
                    self.set_text(id, content);
                }
            }
        }
        self.note(end, Place::Inside(id, start));
        Ok(())
    }

    /// A number that is known: unchanged, grown or contradicted.
    fn number(&mut self, id: NodeId, start: usize) -> Result<(), Error> {
        let end = number_end(self.bytes(), start)?;
        self.check_token(&(start..end))?;
        let known = self.state.doc.text(self.state.doc.node(id).text);
        let new = self.piece(start..end);
        if new != known {
            let grown = new.starts_with(known).then_some(start + known.len());
            match (self.state.said(id), grown) {
                (Said::Nothing, _) => self.set_text(id, start..end),
                (Said::Open, Some(known)) => {
                    self.state.doc.grow_text(id, self.source, known..end);
                    self.change(id);
                }
                (Said::Open, None) => {
                    if self.contradict(id, id, RevisionKind::Rewritten, start) {
                        self.set_text(id, start..end);
                    }
                }
                (Said::Whole, _) => {
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
        let free = self.state.said(id) == Said::Nothing || self.contradict(id, id, kind, self.at);
        if !free {
            return self.skip();
        }
        if self.state.is_absent(id) {
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
            Kind::Null | Kind::True | Kind::False => self.skip(),
        }
    }

    /// Reads the value at hand and keeps nothing of it.
    fn skip(&mut self) -> Result<Next, Error> {
        let bytes = self.bytes();
        self.at = match bytes.get(self.at) {
            Some(b'"') => self.string_end(self.at + 1)?.0 + 1,
            Some(b'{') => return self.enter(None, false),
            Some(b'[') => return self.enter(None, true),
            Some(b'-' | b'0'..=b'9') => number_end(bytes, self.at)?,
            Some(b't') => literal_end(bytes, self.at, "true")?,
            Some(b'f') => literal_end(bytes, self.at, "false")?,
            Some(b'n') => literal_end(bytes, self.at, "null")?,
            _ => return Err(unexpected(bytes, self.at, "a value")),
        };
        self.note(self.at, Place::Behind);
        Ok(Next::Behind)
    }

    fn enter(&mut self, node: Option<NodeId>, array: bool) -> Result<Next, Error> {
        if self.depth >= self.limits.depth as usize {
            return Err(Error::new(Reason::TooDeep(self.limits.depth), self.at));
        }
        self.frames.truncate(self.depth);
        self.frames.push(Frame {
            node,
            array,
            start: self.at,
            last: None,
            met: 0,
            changed: false,
        });
        self.depth += 1;
        self.at += 1;
        self.note(self.at, Place::Opened);
        Ok(Next::Opened)
    }

    /// Ends a container: what it had and what did not come again is lost.
    fn leave(&mut self) -> Next {
        self.at += 1;
        self.depth -= 1;
        let frame = self.frames[self.depth];
        if let Some(id) = frame.node {
            let node = self.state.doc.node(id);
            if frame.met < node.len {
                match node.kind {
                    Kind::Array => self.lose_elements(id, frame.last, frame.start),
                    _ => self.lose_members(id, frame.start),
                }
            }
            if self.frames[self.depth].changed {
                self.change(id);
            }
        }
        Next::Behind
    }

    /// Marks a node as changed, and the container around it.
    fn change(&mut self, id: NodeId) {
        self.state.doc.mark(id).changed = self.state.push;
        if let Some(outer) = self.depth.checked_sub(1) {
            self.frames[outer].changed = true;
        }
    }

    fn set_text(&mut self, id: NodeId, range: Range<usize>) {
        self.state.doc.set_text(id, self.source, range);
        self.change(id);
    }

    /// The index of the closing quote of a string or name that is lexed as a whole.
    fn string_end(&self, from: usize) -> Result<(usize, bool), Error> {
        let (end, escaped) = string_end(self.bytes(), from)?;
        self.check_token(&(from..end))?;
        Ok((end, escaped))
    }

    fn check_token(&self, token: &Range<usize>) -> Result<(), Error> {
        if token.len() > self.limits.token_bytes as usize {
            let limit = self.limits.token_bytes;
            return Err(Error::new(Reason::TokenTooLarge(limit), token.start));
        }
        Ok(())
    }

    #[expect(
        clippy::string_slice,
        reason = "the ranges are those of tokens that the lexer found"
    )]
    fn piece(&self, range: Range<usize>) -> &'a str {
        &self.source[range]
    }
}
