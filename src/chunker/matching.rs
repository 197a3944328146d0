//! A snapshot, compared with the document.
//!
//! The snapshot is read once, from start to end, along the tree: members are looked up by name,
//! and what the document already has is compared, not lexed. What is new is added to the tree and
//! what has grown grows there; marks say what has changed, all the way up to the root. Nothing is
//! emitted.
//!
//! # For maintainers
//!
//! Containers are tracked on a stack of [`Frame`]s, not by recursion: no depth exhausts the
//! thread's stack. A pass is a walk over the states of [`Next`]:
//!
//! | state | `at` is | next |
//! | --- | --- | --- |
//! | `Opened` | after an opening bracket | `Value` at a child, or `Closed` |
//! | `Value` | at a value | `Opened`, or `Closed` after a scalar |
//! | `Closed` | after a value | `Value` at the next child, or `Closed` after a closing bracket |
//! | `Repeated` | in a member | none: the pass is undone and repeated, see [`superseded`] |
//!
//! - Two routines take these steps. [`glide`] takes as many as it can where the snapshot repeats
//!   the document, in any order; it changes only `seen_by` and raw places. Everything else is left
//!   to [`member`] and [`value`], which read one child and could read all of them.
//! - A frame without a node is in text that is only read: it was contradicted, or its parent is
//!   closed.
//! - During a glide, the innermost frame is not on the stack: it is put back at the end.
//! - `Frame::seen` counts the different children that were seen. If a container is left with
//!   fewer than it has, some are missing: [`contradiction`].
//!
//! A new kind of contradiction goes to [`contradiction`].

mod contradiction;
mod glide;
mod last;
mod member;
mod superseded;
mod value;

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::options::AbsentValues;
use super::state::State;
use super::tree::{NodeId, Piece};
use crate::document::Kind;
use crate::error::{Error, Reason};
use crate::json::{byte_order_mark_len, skip_whitespace, string_end, unexpected};
use crate::limits::Limits;
use crate::revision::RevisionPolicy;
pub(super) use contradiction::Contradiction;
use glide::GlidePlace;
pub(super) use last::LastSnapshot;
use last::Skipping;
use superseded::superseded_members;

/// A container that the pass is in. Its size is a power of two, so that an index is a shift.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Frame {
    /// Its node; none while text is read that is not added to the document.
    node: Option<NodeId>,
    /// The index of its container.
    entry: u32,
    /// The child seen last.
    last: Option<NodeId>,
    /// How many different children have been seen.
    seen: u32,
    /// Where it starts in the snapshot, and where it started in the last one, or [`NOWHERE`].
    start: u32,
    old: u32,
    array: bool,
}

impl Frame {
    #[inline]
    const fn new(node: Option<NodeId>, entry: u32, start: u32, old: u32, array: bool) -> Self {
        Self {
            node,
            entry,
            last: None,
            seen: 0,
            start,
            old,
            array,
        }
    }
}

/// Where a container started that was not in the last snapshot.
const NOWHERE: u32 = u32::MAX;

/// What the next value of the snapshot is to the document.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// This node.
    Node(NodeId),
    /// A node to add to the current container, or the root.
    New,
    /// Nothing: the value is only read.
    Skip,
}

/// What is next in the snapshot.
enum Next {
    Value(Target),
    Opened,
    Closed,
    /// A member whose name appeared before in the object.
    Repeated,
}

/// How a pass ends, unless the snapshot is invalid.
pub(super) enum Pass {
    Complete,
    /// A name appeared twice in one object: undo it, and repeat it with
    /// [`Matcher::skip_superseded`].
    Repeated,
}

/// One pass over one snapshot.
pub(super) struct Matcher<'a> {
    pub(super) state: &'a mut State,
    source: &'a str,
    revision_policy: RevisionPolicy,
    limits: Limits,
    frames: &'a mut Vec<Frame>,
    last: &'a mut LastSnapshot,
    skipping: Skipping,
    /// Up to where the snapshot has been read.
    at: usize,
    /// Where the current child starts: at the quote of its name, or at its value.
    start: usize,
    /// Whether there is an escape in its name.
    is_escaped: bool,
    pub(super) contradictions: Vec<Contradiction>,
    /// The end of the open string that is held back, if this pass saw that string.
    pub(super) held_back: Option<Range<usize>>,
    /// What ends the text of values that are to be restated.
    pub(super) closers: String,
    /// Where the members start that are only read, because a later one has the same name. Known
    /// in the second pass; empty in the first.
    superseded: Vec<u32>,
    /// The string that was compared or added last, and where its content ends.
    string: Option<(NodeId, usize)>,
    has_contradictions: bool,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(
        state: &'a mut State,
        frames: &'a mut Vec<Frame>,
        last: &'a mut LastSnapshot,
        source: &'a str,
        prefix: usize,
        revision_policy: RevisionPolicy,
        limits: Limits,
    ) -> Self {
        frames.clear();
        Self {
            state,
            source,
            revision_policy,
            limits,
            frames,
            last,
            skipping: Skipping::new(prefix),
            at: 0,
            start: 0,
            is_escaped: false,
            contradictions: Vec::new(),
            held_back: None,
            closers: String::new(),
            superseded: Vec::new(),
            string: None,
            has_contradictions: false,
        }
    }

    /// Prepares the second pass, in which the members are skipped that a later one supersedes.
    pub(super) fn skip_superseded(mut self) -> Self {
        self.superseded = superseded_members(self.source);
        self
    }

    /// Reads the snapshot to its end.
    pub(super) fn run(&mut self) -> Result<Pass, Error> {
        let start = byte_order_mark_len(self.bytes());
        self.at = skip_whitespace(self.bytes(), start);
        self.start = self.at;
        let mut next = Next::Value(match self.state.tree.root() {
            Some(root) => Target::Node(root),
            None => Target::New,
        });
        loop {
            next = match next {
                Next::Value(target) => self.value(target)?,
                Next::Opened => self.go_on(GlidePlace::Opened)?,
                Next::Closed if self.frames.is_empty() => break,
                Next::Closed => self.go_on(GlidePlace::Closed)?,
                Next::Repeated => return Ok(Pass::Repeated),
            };
        }
        self.at = skip_whitespace(self.bytes(), self.at);
        if self.at < self.source.len() {
            return Err(Error::new(Reason::Trailing, self.at));
        }
        self.state.is_placed = true;
        Ok(Pass::Complete)
    }

    /// Returns the string that was compared or added last, and where its content ends. None if
    /// something was contradicted: then the document may differ from the snapshot.
    pub(super) fn last_string(&self) -> Option<(NodeId, usize)> {
        self.string.filter(|_| !self.has_contradictions)
    }

    fn bytes(&self) -> &'a [u8] {
        self.source.as_bytes()
    }

    /// Passes over what is the same, and takes one step more.
    fn go_on(&mut self, place: GlidePlace) -> Result<Next, Error> {
        // The glide knows of no members to skip: the second pass, which is rare, does without.
        let place = if self.superseded.is_empty() {
            self.glide(place)
        } else {
            place
        };
        match place {
            GlidePlace::Opened => self.first_child(),
            GlidePlace::Closed if self.frames.is_empty() => Ok(Next::Closed),
            GlidePlace::Closed => self.next_child(),
        }
    }

    fn first_child(&mut self) -> Result<Next, Error> {
        self.at = skip_whitespace(self.bytes(), self.at);
        let array = self.is_in_array();
        match self.bytes().get(self.at) {
            Some(b']') if array => Ok(self.leave()),
            Some(b'}') if !array => Ok(self.leave()),
            _ if array => Ok(self.element()),
            _ => self.member("a member name or '}'"),
        }
    }

    fn next_child(&mut self) -> Result<Next, Error> {
        self.at = skip_whitespace(self.bytes(), self.at);
        let array = self.is_in_array();
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

    fn is_in_array(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.array)
    }

    /// Enters the container whose bracket is next.
    fn enter(&mut self, node: Option<NodeId>, array: bool) -> Result<Next, Error> {
        if self.frames.len() >= self.limits.depth as usize {
            return Err(Error::new(Reason::TooDeep(self.limits.depth), self.at));
        }
        let start = self.at as u32;
        let mut old = NOWHERE;
        let mut entry = 0;
        if let Some(id) = node {
            entry = self.state.tree.node(id).container() as u32;
            let (raw, raw_len) = self.state.tree.raw(id);
            let (outer, old_outer) = match self.frames.last() {
                Some(frame) => (frame.start, frame.old),
                None if self.state.is_placed => (0, 0),
                None => (0, NOWHERE),
            };
            if raw_len > 0 && old_outer != NOWHERE {
                old = old_outer + raw;
            }
            self.state.tree.set_raw(id, start - outer, 0);
        }
        self.frames.push(Frame::new(node, entry, start, old, array));
        self.at += 1;
        Ok(Next::Opened)
    }

    /// Leaves a container: what it had and this snapshot has not is lost.
    fn leave(&mut self) -> Next {
        self.at += 1;
        let Some(&Frame {
            node: Some(id),
            last,
            seen,
            start,
            array,
            ..
        }) = self.frames.last()
        else {
            self.frames.pop();
            return Next::Closed;
        };
        self.state.tree.index_if_stale(id);
        if seen < self.state.tree.count(id) {
            if array {
                self.lose_elements(id, last, start as usize);
            } else {
                self.lose_members(id, start as usize);
            }
        }
        let (raw, _) = self.state.tree.raw(id);
        (self.state.tree).set_raw(id, raw, self.at as u32 - start);
        self.frames.pop();
        if self.state.tree.count(id) == 0
            && self.state.absent_values == AbsentValues::Null
            && !self.state.tree.node(id).is_present()
        {
            // {} is an object that the model has written; {"a":null} may be a placeholder.
            self.state.set_present(id);
        }
        Next::Closed
    }

    /// The current child, whose content ends at `end`.
    fn child(&self, end: usize) -> Piece<'a> {
        Piece {
            source: self.source,
            start: self.start,
            value: self.at,
            end,
            is_escaped: self.is_escaped,
        }
    }

    /// The index of the closing quote of a string or name that is lexed completely, and whether
    /// there is an escape in it.
    fn string_end(&self, from: usize) -> Result<(usize, bool), Error> {
        let (end, is_escaped) = string_end(self.bytes(), from)?;
        self.check_token(&(from..end))?;
        Ok((end, is_escaped))
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
    fn text(&self, range: Range<usize>) -> &'a str {
        &self.source[range]
    }

    /// The kind of the next value, judged by its first byte; null for what is none.
    fn kind_ahead(&self) -> Kind {
        match self.bytes().get(self.at) {
            Some(b'"') => Kind::String,
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            Some(b't') => Kind::True,
            Some(b'f') => Kind::False,
            _ => Kind::Null,
        }
    }
}
