//! Views of a document that is being parsed.

mod de;
mod json;
mod ser;

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use super::{Document, Kind, NodeId, Span};
use crate::json::decode;
pub use de::DeserializeError;
pub use json::{Partial, Partials};

/// What the parser remembers of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Growing {
    /// Whether its end has come.
    pub(crate) complete: bool,
    /// Where the document has what the string says, if that is not its raw text.
    pub(crate) decoded: Option<Span>,
}

/// A value of the document, as far as it has come: a view that copies nothing.
///
/// A member is there as soon as its name is complete and the first byte of its value has come, an
/// element as soon as its first byte has.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    doc: &'a Document<Growing>,
    id: NodeId,
}

impl<'a> Value<'a> {
    pub(crate) fn new(doc: &'a Document<Growing>, id: NodeId) -> Self {
        Self { doc, id }
    }

    /// What it is. Of a literal that has only begun, the first letter tells.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.doc.node(self.id).kind
    }

    /// Whether the end of the value has come. A number is complete when something follows it; at
    /// the end of the text only if it is the whole document.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.doc.node(self.id).mark.complete
    }

    /// What a string says so far, its escapes resolved. A surrogate escaped alone becomes U+FFFD.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        (self.kind() == Kind::String).then(|| match self.doc.node(self.id).mark.decoded {
            Some(span) => self.doc.decoded.get(span),
            None => self.raw(),
        })
    }

    /// A number as it is written so far, exactly.
    #[must_use]
    pub fn as_number(self) -> Option<&'a str> {
        (self.kind() == Kind::Number).then(|| self.raw())
    }

    /// The raw text of a string without its quotes, or of a number, so far. Empty for others.
    #[must_use]
    pub fn raw(self) -> &'a str {
        self.doc.text(self.doc.node(self.id).text)
    }

    /// `true` or `false`.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.kind() {
            Kind::True => Some(true),
            Kind::False => Some(false),
            Kind::Null | Kind::Number | Kind::String | Kind::Array | Kind::Object => None,
        }
    }

    /// How many elements or members have begun; 0 for scalars.
    #[must_use]
    pub fn len(self) -> usize {
        self.doc.node(self.id).len as usize
    }

    /// Whether there are no elements or members.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The member called `name`; the last of several. Linear in the number of members.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Self> {
        self.members()
            .filter(|(member, _)| member == name)
            .last()
            .map(|(_, value)| value)
    }

    /// The element at `index`. Linear in `index`.
    #[must_use]
    pub fn at(self, index: usize) -> Option<Self> {
        self.elements().nth(index)
    }

    /// The last element or member that has begun.
    pub(crate) fn last(self) -> Option<Self> {
        let last = self.doc.node(self.id).last;
        last.map(|id| Self::new(self.doc, id))
    }

    /// The value at a JSON Pointer (RFC 6901) from here; the empty one is the value itself.
    #[must_use]
    pub fn pointer(self, pointer: &str) -> Option<Self> {
        let mut value = self;
        if pointer.is_empty() {
            return Some(value);
        }
        for token in pointer.strip_prefix('/')?.split('/') {
            value = match value.kind() {
                Kind::Object => value.get(&token.replace("~1", "/").replace("~0", "~"))?,
                Kind::Array => value.at(array_index(token)?)?,
                Kind::Null | Kind::True | Kind::False | Kind::Number | Kind::String => return None,
            };
        }
        Some(value)
    }

    /// The elements of an array; none for others.
    #[must_use]
    pub fn elements(self) -> Elements<'a> {
        Elements {
            doc: self.doc,
            next: self.first_if(Kind::Array),
        }
    }

    /// The members of an object with their names, in the order of the text; none for others.
    #[must_use]
    pub fn members(self) -> Members<'a> {
        Members {
            doc: self.doc,
            next: self.first_if(Kind::Object),
        }
    }

    /// Names a value in `top` by its distance, which stays the same where nodes before the root
    /// are dropped.
    pub(crate) fn distance_from(self, top: Self) -> usize {
        self.id.index() - top.id.index()
    }

    /// The value in this one at that distance.
    pub(crate) fn at_distance(self, distance: usize) -> Self {
        Self {
            id: NodeId::from_index(self.id.index() + distance),
            ..self
        }
    }

    /// What is in an array or object behind its child `last`, or all of it.
    pub(crate) fn children_behind(self, last: Option<Self>) -> impl Iterator<Item = Self> {
        let first = match last {
            Some(last) => self.doc.node(last.id).next,
            None => self.doc.node(self.id).first,
        };
        let children = core::iter::successors(first, move |id| self.doc.node(*id).next);
        children.map(move |id| Self::new(self.doc, id))
    }

    /// The JSON Pointer to it from the root.
    pub(crate) fn to_pointer(self) -> String {
        self.doc.pointer(self.id)
    }

    /// The JSON Pointer to it from `top`, which is around it.
    pub(crate) fn pointer_from(self, top: Self) -> String {
        self.doc.pointer_from(top.id, self.id)
    }

    fn first_if(self, kind: Kind) -> Option<NodeId> {
        let node = self.doc.node(self.id);
        node.first.filter(|_| node.kind == kind)
    }
}

/// A reference token of RFC 6901, section 4: digits without a leading zero.
pub(crate) fn array_index(token: &str) -> Option<usize> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || (token.len() > 1 && token.starts_with('0')) {
        return None;
    }
    token.parse().ok()
}

/// Shows no payload: the kind, the size and whether the value is complete.
impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Value")
            .field("kind", &self.kind())
            .field("complete", &self.is_complete())
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// The elements of an array: see [`Value::elements`].
#[derive(Clone)]
pub struct Elements<'a> {
    doc: &'a Document<Growing>,
    next: Option<NodeId>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let id = self.next?;
        self.next = self.doc.node(id).next;
        Some(Value::new(self.doc, id))
    }
}

impl fmt::Debug for Elements<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elements").finish_non_exhaustive()
    }
}

/// The members of an object: see [`Value::members`].
#[derive(Clone)]
pub struct Members<'a> {
    doc: &'a Document<Growing>,
    next: Option<NodeId>,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let id = self.next?;
        let node = self.doc.node(id);
        self.next = node.next;
        Some((
            decode(self.doc.text(node.name.raw)),
            Value::new(self.doc, id),
        ))
    }
}

impl fmt::Debug for Members<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Members").finish_non_exhaustive()
    }
}
