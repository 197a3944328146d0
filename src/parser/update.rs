//! The result of one push.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::ops::Range;

use super::Parser;
use crate::document::{Kind, NodeId, Span, Tree, Value};
use crate::json::Expect;

/// What happened in one push: where the document ended before it, and what cannot be read from the
/// document after it. New values have started, and those of them that are complete have ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Notes {
    /// How many nodes there were.
    nodes: usize,
    /// The innermost container that was open.
    container: Option<NodeId>,
    /// The scalar that was open.
    scalar: Option<NodeId>,
    /// What that scalar has got: a piece of the text, or of the unescaped strings if it is one of
    /// these now.
    piece: Option<Span>,
    /// How many events the push results in.
    events: usize,
}

impl Notes {
    /// Starts a push to this document.
    pub(super) fn new(nodes: usize, container: Option<NodeId>, scalar: Option<NodeId>) -> Self {
        Self {
            nodes,
            container,
            scalar,
            piece: None,
            events: 0,
        }
    }

    /// Counts events for which no more is to be noted.
    #[inline]
    pub(super) fn count(&mut self, events: usize) {
        self.events += events;
    }

    /// A scalar has got a piece of the text, or of the unescaped strings.
    pub(super) fn appended(&mut self, id: NodeId, piece: Span) {
        self.events += 1;
        if self.scalar == Some(id) {
            self.piece = Some(piece);
        }
    }
}

/// What one [push](crate::parser::Parser::push) has changed: the text that it added, and the
/// changes to the document.
#[derive(Clone, Copy)]
pub struct Update<'a> {
    pub(super) parser: &'a Parser,
}

impl<'a> Update<'a> {
    /// Returns the text that was added: the fragment, without an incomplete character at its end,
    /// and with the start of its first character from the last push.
    #[must_use]
    pub fn text(self) -> &'a str {
        let text = &self.parser.doc.text;
        text.get(self.parser.input.start..).unwrap_or_default()
    }

    /// Returns where that starts: bytes from the start of the input.
    #[must_use]
    pub fn start(self) -> usize {
        self.parser.input.base + self.parser.input.start
    }

    /// Returns where it ends.
    #[must_use]
    pub fn end(self) -> usize {
        self.start() + self.text().len()
    }

    /// Returns how much of the added text is before this place in the text of the document.
    pub(crate) fn offset_of(self, at: usize) -> usize {
        at.saturating_sub(self.parser.input.start)
    }

    /// Whether the JSON was terminated: at least one value of the document's top level has ended,
    /// and none is open. With [`Parser::multiple_values`](crate::parser::Parser::multiple_values)
    /// the next value may still follow; white space between two values changes nothing.
    ///
    /// `false` before the first value: after an empty push, white space or a byte order mark. A
    /// number at the top level ends only with what may follow it, or with
    /// [`finish`](crate::parser::Parser::finish).
    #[must_use]
    pub fn is_complete(self) -> bool {
        !self.parser.is_open() && self.parser.automaton.syntax.expect() == Expect::Nothing
    }

    /// Returns the document so far, once its first byte has arrived; of several values the last.
    #[must_use]
    pub fn root(self) -> Option<Value<'a>> {
        self.parser.root()
    }

    /// Returns the value at a JSON Pointer (RFC 6901), once its first byte has arrived.
    #[must_use]
    pub fn pointer(self, pointer: &str) -> Option<Value<'a>> {
        self.root()?.pointer(pointer)
    }

    /// Returns what has changed, in the order of the text.
    #[must_use]
    pub fn events(self) -> Events<'a> {
        let doc = &self.parser.doc;
        let notes = self.parser.notes;
        Events {
            doc,
            next: match notes.scalar {
                Some(id) => Next::Piece(id, notes.piece),
                None => Next::Node,
            },
            container: notes.container,
            nodes: notes.nodes..doc.nodes.len(),
            left: notes.events,
        }
    }

    /// The values of complete documents that this push has completed: more than one is possible
    /// only with [`Parser::multiple_values`](crate::parser::Parser::multiple_values).
    pub fn completed_roots(self) -> impl Iterator<Item = Value<'a>> {
        self.events().filter_map(|event| match event.change {
            Change::Completed(value) if event.path.is_root() => Some(value),
            Change::Started(_) | Change::Appended(_) | Change::Completed(_) => None,
        })
    }
}

impl fmt::Debug for Update<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update")
            .field("start", &self.start())
            .field("end", &self.end())
            .field("events", &self.parser.notes.events)
            .field("complete", &self.is_complete())
            .finish_non_exhaustive()
    }
}

/// The events of an [`Update`].
///
/// New nodes are in the order of the text, so a walk over them meets what started. What ended is
/// on the way up from one node to the parent of the next one, or as far up as it is complete.
#[derive(Clone)]
pub struct Events<'a> {
    doc: &'a Tree,
    next: Next,
    /// The innermost container that is open there.
    container: Option<NodeId>,
    /// The nodes that are yet to start.
    nodes: Range<usize>,
    left: usize,
}

/// What to report next.
#[derive(Clone, Copy)]
enum Next {
    /// What a scalar of an earlier push has got.
    Piece(NodeId, Option<Span>),
    /// The text of a new scalar.
    Text(NodeId),
    /// The end of a scalar, if it is complete.
    End(NodeId),
    /// The end of a container, or the next node.
    Node,
}

impl<'a> Events<'a> {
    fn event(&self, id: NodeId, change: Change<'a>) -> Event<'a> {
        let path = Path { doc: self.doc, id };
        Event { path, change }
    }

    fn completed(&self, id: NodeId) -> Event<'a> {
        self.event(id, Change::Completed(Value::new(self.doc, id)))
    }

    /// Returns the end of the container, if it has ended before the next node.
    fn close(&mut self) -> Option<Event<'a>> {
        let id = self.container?;
        let node = self.doc.node(id);
        let has_ended = if self.nodes.is_empty() {
            node.is_complete()
        } else {
            let next = NodeId::from_index(self.nodes.start);
            self.doc.node(next).parent() != Some(id)
        };
        if !has_ended {
            return None;
        }
        self.container = node.parent();
        Some(self.completed(id))
    }

    /// Returns the start of the next node.
    fn start(&mut self) -> Option<Event<'a>> {
        let id = NodeId::from_index(self.nodes.next()?);
        let kind = self.doc.node(id).kind();
        if kind.is_container() {
            self.container = Some(id);
        } else {
            self.next = Next::Text(id);
        }
        Some(self.event(id, Change::Started(kind)))
    }

    fn next_event(&mut self) -> Option<Event<'a>> {
        let doc = self.doc;
        loop {
            match self.next {
                Next::Piece(id, piece) => {
                    self.next = Next::End(id);
                    if let Some(piece) = piece {
                        let text = match doc.node(id).unescaped() {
                            Some(_) => doc.unescaped.get(piece),
                            None => doc.text(piece),
                        };
                        return Some(self.event(id, Change::Appended(text)));
                    }
                }
                Next::Text(id) => {
                    self.next = Next::End(id);
                    let text = doc.content(id);
                    if !text.is_empty() {
                        return Some(self.event(id, Change::Appended(text)));
                    }
                }
                Next::End(id) => {
                    self.next = Next::Node;
                    if doc.node(id).is_complete() {
                        return Some(self.completed(id));
                    }
                }
                Next::Node => return self.close().or_else(|| self.start()),
            }
        }
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        // Most pushes have one event, so a search after the last one would cost as much as it.
        let Some(left) = self.left.checked_sub(1) else {
            debug_assert!(self.next_event().is_none(), "all events are counted");
            return None;
        };
        self.left = left;
        let event = self.next_event();
        debug_assert!(event.is_some(), "there are as many events as counted");
        event
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Events<'_> {}

impl fmt::Debug for Events<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// One change to the document.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Event<'a> {
    /// The place.
    pub path: Path<'a>,
    /// The change.
    pub change: Change<'a>,
}

/// What happened to a value. Its `Debug` text has payload.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Change<'a> {
    /// Its first byte has arrived.
    Started(Kind),
    /// More of the text of a string, its escapes resolved, or of a number. All of these together
    /// are the string or the number; a fragment that ends inside of an escape or a character
    /// leaves that to the next one.
    Appended(&'a str),
    /// Its end has been read.
    Completed(Value<'a>),
}

impl Change<'_> {
    /// Returns its name: `started`, `appended` or `completed`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Started(_) => "started",
            Self::Appended(_) => "appended",
            Self::Completed(_) => "completed",
        }
    }
}

/// The place of a value. It costs nothing until it is rendered, as a JSON Pointer (RFC 6901), by
/// `Display`.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    doc: &'a Tree,
    id: NodeId,
}

impl<'a> Path<'a> {
    /// Whether it is the root, whose pointer is empty.
    #[must_use]
    pub fn is_root(self) -> bool {
        self.doc.node(self.id).parent().is_none()
    }

    /// Returns the path of the array or object around it.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        let parent = self.doc.node(self.id).parent();
        parent.map(|id| Self { id, ..self })
    }

    /// Returns the name of a member.
    #[must_use]
    pub fn name(self) -> Option<Cow<'a, str>> {
        let is_member = self.doc.is_member(self.id);
        is_member.then(|| Value::new(self.doc, self.id).name())
    }

    /// Returns the index of an element in its array, from 0.
    #[must_use]
    pub fn index(self) -> Option<usize> {
        let is_element = !self.is_root() && !self.doc.is_member(self.id);
        is_element.then(|| self.doc.node(self.id).index() as usize)
    }

    /// Returns how many containers are around it: 0 for the root.
    #[must_use]
    pub fn depth(self) -> usize {
        core::iter::successors(self.parent(), |path| path.parent()).count()
    }

    /// Returns the value.
    #[must_use]
    pub fn value(self) -> Value<'a> {
        Value::new(self.doc, self.id)
    }

    /// Returns the JSON Pointer as a string.
    #[must_use]
    pub fn to_pointer(self) -> String {
        self.doc.pointer(None, self.id)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.doc.pointer(None, self.id))
    }
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.doc.pointer(None, self.id), f)
    }
}

/// Compares the rendered pointer.
impl PartialEq<str> for Path<'_> {
    fn eq(&self, pointer: &str) -> bool {
        self.doc.pointer(None, self.id) == pointer
    }
}

/// Compares the rendered pointer.
impl PartialEq<&str> for Path<'_> {
    fn eq(&self, pointer: &&str) -> bool {
        *self == **pointer
    }
}
