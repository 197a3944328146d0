//! A snapshot, held against the document.
//!
//! The snapshot is read once, from start to end, beside the tree: members are looked up by name,
//! and what the document already has is compared, not lexed. What is new is added to the tree and
//! what has grown grows there; marks say what has changed, all the way up to the root. What
//! contradicts text already put out is left to [`revise`](super::revise).
//!
//! Containers are tracked on a stack of [`Frame`]s, not by recursion: no depth exhausts the
//! thread's stack, and a pass can be taken up again. At every scalar and every opening bracket
//! the pass notes where it stands ([`Resume`]); behind the last of these notes there are only
//! closers. If the next snapshot starts with the same bytes up to there, which one `memcmp` tells,
//! the pass goes on from there and reads only what is new.

mod child;
mod value;

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::revise::Contradiction;
use super::state::State;
use crate::document::{Kind, Name, NodeId};
use crate::error::{Error, Reason};
use crate::json::{skip_whitespace, string_end, unexpected};
use crate::limits::Limits;
use crate::revision::OnRevision;

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

impl Frame {
    /// Whether no child of the container has been missing so far.
    pub(super) fn met_all(&self, state: &State) -> bool {
        self.node
            .is_none_or(|id| self.met == state.doc.node(id).len)
    }
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
        state.doc.text.is_verbatim().then_some(self)
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
        let push = self.state.push;
        self.state.doc.edit(id).mark.changed = push;
        if let Some(outer) = self.depth.checked_sub(1) {
            self.frames[outer].changed = true;
        }
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
