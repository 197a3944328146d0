//! What one push has brought.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use crate::document::{Document, Growing, Kind, NodeId, Span, Value};
use crate::json::decode;

/// What happened to a node, as the parser notes it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Note {
    Started(NodeId),
    /// That piece of the text.
    Appended(NodeId, Span),
    /// That piece of the decoded strings.
    Decoded(NodeId, Span),
    Completed(NodeId),
}

/// What one [push](crate::Parser::push) has brought: the text that it added, and the changes to
/// the document.
#[derive(Clone, Copy)]
pub struct Growth<'a> {
    pub(super) doc: &'a Document<Growing>,
    pub(super) notes: &'a [Note],
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) complete: bool,
}

impl<'a> Growth<'a> {
    /// The text that was added: the fragment, but for half a character at its end, and with the
    /// half from before.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.text
    }

    /// Where that starts: bytes from the start of the input.
    #[must_use]
    pub fn start(self) -> usize {
        self.start
    }

    /// Where it ends.
    #[must_use]
    pub fn end(self) -> usize {
        self.start + self.text.len()
    }

    /// Whether all that has begun is complete: no value is open.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.complete
    }

    /// What changed, in the order of the text.
    #[must_use]
    pub fn events(self) -> Events<'a> {
        Events {
            doc: self.doc,
            notes: self.notes.iter(),
        }
    }

    /// The values of the whole document that this push has completed: more than one is possible
    /// only with [`Parser::several_values`](crate::Parser::several_values).
    pub fn completed_roots(self) -> impl Iterator<Item = Value<'a>> {
        self.events().filter_map(|event| match event.change {
            Change::Completed(value) if event.path.is_root() => Some(value),
            Change::Started(_) | Change::Appended(_) | Change::Completed(_) => None,
        })
    }
}

impl fmt::Debug for Growth<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Growth")
            .field("start", &self.start)
            .field("end", &self.end())
            .field("events", &self.notes.len())
            .field("complete", &self.complete)
            .finish_non_exhaustive()
    }
}

/// The events of a [`Growth`].
#[derive(Clone)]
pub struct Events<'a> {
    doc: &'a Document<Growing>,
    notes: core::slice::Iter<'a, Note>,
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let (id, change) = match *self.notes.next()? {
            Note::Started(id) => (id, Change::Started(self.doc.node(id).kind)),
            Note::Appended(id, span) => (id, Change::Appended(self.doc.text(span))),
            Note::Decoded(id, span) => (id, Change::Appended(self.doc.decoded.get(span))),
            Note::Completed(id) => (id, Change::Completed(Value::new(self.doc, id))),
        };
        Some(Event {
            path: Path { doc: self.doc, id },
            change,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.notes.size_hint()
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
    /// Where.
    pub path: Path<'a>,
    /// What.
    pub change: Change<'a>,
}

/// What happened to a value. Shows payload in its `Debug` text.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Change<'a> {
    /// Its first byte has come.
    Started(Kind),
    /// More of the text of a string, its escapes resolved, or of a number. All of these together
    /// are the string or the number; a fragment that ends inside of an escape or a character
    /// leaves that to the next one.
    Appended(&'a str),
    /// Its end has come.
    Completed(Value<'a>),
}

/// Where a value is. It costs nothing until it is rendered, as a JSON Pointer (RFC 6901), by
/// `Display`.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    doc: &'a Document<Growing>,
    id: NodeId,
}

impl<'a> Path<'a> {
    /// Whether it is the whole document: then the pointer is empty.
    #[must_use]
    pub fn is_root(self) -> bool {
        self.doc.node(self.id).parent.is_none()
    }

    /// The path of the array or object around it.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        let parent = self.doc.node(self.id).parent;
        parent.map(|id| Self { id, ..self })
    }

    /// The name of a member.
    #[must_use]
    pub fn name(self) -> Option<Cow<'a, str>> {
        let parent = self.parent()?;
        (self.doc.node(parent.id).kind == Kind::Object)
            .then(|| decode(self.doc.text(self.doc.node(self.id).name.raw)))
    }

    /// The place of an element in its array, from 0.
    #[must_use]
    pub fn index(self) -> Option<usize> {
        let parent = self.parent()?;
        (self.doc.node(parent.id).kind == Kind::Array)
            .then(|| self.doc.node(self.id).index as usize)
    }

    /// How many containers are around it: 0 for the whole document.
    #[must_use]
    pub fn depth(self) -> usize {
        core::iter::successors(self.parent(), |path| path.parent()).count()
    }

    /// What is there.
    #[must_use]
    pub fn value(self) -> Value<'a> {
        Value::new(self.doc, self.id)
    }

    /// The JSON Pointer as a string.
    #[must_use]
    pub fn to_pointer(self) -> String {
        self.doc.pointer(self.id)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.doc.pointer(self.id))
    }
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.doc.pointer(self.id), f)
    }
}

/// Compares the rendered pointer.
impl PartialEq<str> for Path<'_> {
    fn eq(&self, pointer: &str) -> bool {
        self.doc.pointer(self.id) == pointer
    }
}

/// Compares the rendered pointer.
impl PartialEq<&str> for Path<'_> {
    fn eq(&self, pointer: &&str) -> bool {
        *self == **pointer
    }
}
