//! The result of one push.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::Parser;
use crate::document::{Kind, NodeId, Span, Tree, Value, make_room};
use crate::json::Expect;

/// What happened to a node, as the parser records it.
#[derive(Clone, Copy, Debug)]
enum RawEvent {
    Started(NodeId),
    /// The next of the pieces, in the text.
    Appended(NodeId),
    /// The next of the pieces, in the unescaped strings.
    Unescaped(NodeId),
    Completed(NodeId),
    /// All of these at once: a scalar that was received with its end.
    Entire(NodeId),
}

// A push of ten million digits makes ten million of them.
const _: () = assert!(size_of::<RawEvent>() == 8, "an event is 8 bytes");

/// What happened in one push.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    list: Vec<RawEvent>,
    /// What has been appended to scalars that were received in pieces.
    pieces: Vec<Span>,
    /// How many events the notes result in.
    events: usize,
}

impl Notes {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.pieces.clear();
        self.events = 0;
    }

    fn push(&mut self, event: RawEvent, events: usize) {
        make_room(&mut self.list);
        self.list.push(event);
        self.events += events;
    }

    #[inline]
    pub(super) fn started(&mut self, id: NodeId) {
        self.push(RawEvent::Started(id), 1);
    }

    pub(super) fn appended(&mut self, id: NodeId, piece: Span) {
        self.pieces.push(piece);
        self.push(RawEvent::Appended(id), 1);
    }

    pub(super) fn unescaped(&mut self, id: NodeId, piece: Span) {
        self.pieces.push(piece);
        self.push(RawEvent::Unescaped(id), 1);
    }

    #[inline]
    pub(super) fn completed(&mut self, id: NodeId) {
        self.push(RawEvent::Completed(id), 1);
    }

    /// A scalar has been received with its end; whether there is text to append.
    #[inline]
    pub(super) fn entire(&mut self, id: NodeId, has_text: bool) {
        self.push(RawEvent::Entire(id), 2 + usize::from(has_text));
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
        let notes = &self.parser.notes;
        Events {
            doc: &self.parser.doc,
            notes: notes.list.iter(),
            pieces: notes.pieces.iter(),
            entire: None,
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
#[derive(Clone)]
pub struct Events<'a> {
    doc: &'a Tree,
    notes: core::slice::Iter<'a, RawEvent>,
    pieces: core::slice::Iter<'a, Span>,
    /// The scalar received with its end of which not all has been reported.
    entire: Option<(NodeId, Rest<'a>)>,
    left: usize,
}

/// What is left to report of a scalar that was received with its end.
#[derive(Clone, Copy)]
enum Rest<'a> {
    TextAndEnd(&'a str),
    End,
}

impl<'a> Events<'a> {
    fn event(&self, id: NodeId, change: Change<'a>) -> Event<'a> {
        let path = Path { doc: self.doc, id };
        Event { path, change }
    }

    fn next_piece(&mut self) -> Span {
        self.pieces.next().copied().unwrap_or_default()
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        let doc = self.doc;
        let completed = |id| Change::Completed(Value::new(doc, id));
        let (id, change) = if let Some((id, rest)) = self.entire.take() {
            match rest {
                Rest::TextAndEnd(text) => {
                    self.entire = Some((id, Rest::End));
                    (id, Change::Appended(text))
                }
                Rest::End => (id, completed(id)),
            }
        } else {
            match *self.notes.next()? {
                RawEvent::Entire(id) => {
                    self.entire = Some(match doc.content(id) {
                        "" => (id, Rest::End),
                        text => (id, Rest::TextAndEnd(text)),
                    });
                    (id, Change::Started(doc.node(id).kind()))
                }
                RawEvent::Started(id) => (id, Change::Started(doc.node(id).kind())),
                RawEvent::Appended(id) => (id, Change::Appended(doc.text(self.next_piece()))),
                RawEvent::Unescaped(id) => {
                    let piece = self.next_piece();
                    (id, Change::Appended(doc.unescaped.get(piece)))
                }
                RawEvent::Completed(id) => (id, completed(id)),
            }
        };
        self.left -= 1;
        Some(self.event(id, change))
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
