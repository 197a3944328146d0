//! Views of a document that is being parsed.

mod de;
mod index;
mod iter;
mod json;
mod ser;

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::ops::Range;

use super::pointer::read_token;
use super::tree::Children;
use super::{Kind, NodeId, Span, Tree, array_index};
pub use de::DeserializeError;
pub(crate) use de::{JSON_TEXT, LEVELS};
pub use index::ValueIndex;
pub use iter::{Elements, Members};
pub use json::{PartialMode, PartialPolicy};

/// A value of the document, as far as it has been received: a view that copies nothing.
///
/// A member exists as soon as its name is complete and the first byte of its value has arrived, an
/// element as soon as its first byte has.
///
/// # Members with the same name
///
/// Of several members with one name in one object, the last one counts, here as in `serde_json`,
/// `JSON.parse` and Python's `json`. Text that restates a member has such names, for example that
/// of a [`Chunker`](crate::chunker::Chunker) with
/// [`RevisionPolicy::Restate`](crate::revision::RevisionPolicy::Restate). The rule is the same in
/// every view ([`get`](Self::get), [`pointer`](Self::pointer), [`members`](Self::members),
/// [`len`](Self::len), [`to_json`](Self::to_json), [`deserialize`](Self::deserialize),
/// `Serialize`): the earlier members are not there, and the member is where the last one is. So no
/// view has a name twice, and derived structs can read it.
///
/// The last member counts from its first byte on: while it is incomplete, it is shown as far as it
/// has arrived. Where a [`PartialPolicy`] omits it until then, the member before it is still there.
///
/// ```
/// use json_chunks::{Parser, PartialPolicy};
///
/// let mut parser = Parser::new();
/// parser.push(br#"{"city":"Tokio","city":"To"#)?;
/// let root = parser.root().expect("it has begun");
/// assert_eq!(root.get("city").and_then(|city| city.as_str()), Some("To"));
/// assert_eq!(root.to_json(PartialPolicy::default()), r#"{"city":"To"}"#);
/// assert_eq!(root.to_json(PartialPolicy::complete_only()), r#"{"city":"Tokio"}"#);
///
/// parser.push(br#"kyo","days":3}"#)?;
/// let root = parser.root().expect("it is complete");
/// assert_eq!(root.to_json(PartialPolicy::default()), r#"{"city":"Tokyo","days":3}"#);
/// assert_eq!(root.len(), 2);
/// # Ok::<(), json_chunks::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Value<'a> {
    doc: &'a Tree,
    id: NodeId,
}

impl<'a> Value<'a> {
    pub(crate) fn new(doc: &'a Tree, id: NodeId) -> Self {
        Self { doc, id }
    }

    /// Returns the kind of the value. The first letter decides that of a literal.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.doc.node(self.id).kind()
    }

    /// Whether the end of the value has been read. A number is complete when something follows it;
    /// at the end of the text only if it is the entire document.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.doc.node(self.id).is_complete()
    }

    /// Whether the value is `null`, or the start of it.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Returns `true` or `false`.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.kind() {
            Kind::True => Some(true),
            Kind::False => Some(false),
            Kind::Null | Kind::Number | Kind::String | Kind::Array | Kind::Object => None,
        }
    }

    /// Returns the text of a string so far, its escapes resolved. A surrogate escaped alone becomes
    /// U+FFFD.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        (self.kind() == Kind::String).then(|| self.doc.content(self.id))
    }

    /// Returns a number as it is written so far, exactly.
    #[must_use]
    pub fn as_number(self) -> Option<&'a str> {
        (self.kind() == Kind::Number).then(|| self.doc.content(self.id))
    }

    /// Returns a complete integer that is written without fraction and exponent, if it is in the
    /// range of `i64`.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.as_complete_number()?.parse().ok()
    }

    /// Returns a complete integer that is written without fraction and exponent, if it is in the
    /// range of `u64`.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.as_complete_number()?.parse().ok()
    }

    /// Returns the float nearest to a complete number, if it is in the range of `f64`.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        let number: f64 = self.as_complete_number()?.parse().ok()?;
        number.is_finite().then_some(number)
    }

    fn as_complete_number(self) -> Option<&'a str> {
        self.as_number().filter(|_| self.is_complete())
    }

    /// Returns the JSON text of the value exactly as it was received: strings with their quotes
    /// and escapes, arrays and objects with their brackets and the white space inside.
    ///
    /// If the value [is complete](Self::is_complete), this is a JSON text of its own. If not, it is
    /// the start of one, as far as it has arrived; of a string without half an escape at its end.
    /// Copies nothing: the text is a piece of the document's. Where a complete array or object ends
    /// is found from the last value inside, so that takes as long as the closers after that.
    ///
    /// ```
    /// use json_chunks::Parser;
    ///
    /// let mut parser = Parser::new();
    /// parser.push(br#"{"args": {"x" : [1, 2.50]}, "note": "Caf\u00e9 and"#)?;
    /// let raw = |pointer| parser.pointer(pointer).map(|value| value.raw());
    /// assert_eq!(raw("/args"), Some(r#"{"x" : [1, 2.50]}"#));
    /// assert_eq!(raw("/args/x/1"), Some("2.50"));
    /// assert_eq!(raw("/note"), Some(r#""Caf\u00e9 and"#));
    /// # Ok::<(), json_chunks::Error>(())
    /// ```
    #[must_use]
    pub fn raw(self) -> &'a str {
        self.doc.text(self.span())
    }

    /// Where [`raw`](Self::raw) is in the text of the document.
    pub(crate) fn span(self) -> Span {
        let node = self.doc.node(self.id);
        let quote = usize::from(node.kind() == Kind::String);
        Span::of(&(node.start() - quote..self.doc.end(self.id)))
    }

    /// Where the value is in the text of the document, a member with its name.
    pub(crate) fn range_with_name(self) -> Range<usize> {
        let Span { start, end } = self.span();
        let start = if self.doc.is_member(self.id) {
            self.doc.node(self.id).name_start() - 1
        } else {
            start as usize
        };
        start..end as usize
    }

    /// The text of a string between its quotes, with its escapes as they are written.
    pub(crate) fn raw_content(self) -> &'a str {
        self.doc.text(self.doc.raw(self.id))
    }

    /// Returns how many elements or members have begun; 0 for scalars.
    ///
    /// Members are counted one by one; the elements of an array are not.
    #[must_use]
    pub fn len(self) -> usize {
        self.doc.len(self.id) - self.doc.superseded.count(self.id) as usize
    }

    /// Whether there are no elements or members.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.doc.children(self.id).next().is_none()
    }

    /// Returns the member with a name (`&str`) or the element at an index (`usize`, from 0).
    ///
    /// A member takes time linear in the number of members. An element takes constant time if all
    /// elements are scalars, and the last one while the array is open; else a search, which takes
    /// about the logarithm of the number of values in the array, times how deep these are. To visit
    /// all elements, [`elements`](Self::elements) is faster.
    #[must_use]
    pub fn get(self, index: impl ValueIndex) -> Option<Self> {
        index.of(self)
    }

    fn member(self, name: &str) -> Option<Self> {
        // Two different names may read alike: surrogates escaped alone, as in
        // {"\ud800":1,"\ud801":2}, both read as U+FFFD.
        let members = self.members().filter(|(member, _)| member == name);
        members.last().map(|(_, value)| value)
    }

    fn element(self, index: usize) -> Option<Self> {
        let is_array = self.kind() == Kind::Array;
        let element = is_array.then(|| self.doc.element(self.id, index))?;
        element.map(|id| Self::new(self.doc, id))
    }

    /// Returns the last element or member that has begun: at once while the value is open.
    pub(crate) fn last(self) -> Option<Self> {
        let last = self.doc.last_child(self.id);
        last.map(|id| Self::new(self.doc, id))
    }

    /// Returns the element or member before this one, superseded or not.
    pub(crate) fn sibling_before(self) -> Option<Self> {
        let before = self.doc.sibling_before(self.id);
        before.map(|id| Self::new(self.doc, id))
    }

    /// Returns the value at a JSON Pointer (RFC 6901) that starts here; the empty one is the value
    /// itself.
    #[must_use]
    pub fn pointer(self, pointer: &str) -> Option<Self> {
        let mut value = self;
        if pointer.is_empty() {
            return Some(value);
        }
        for token in pointer.strip_prefix('/')?.split('/') {
            value = match value.kind() {
                Kind::Object => value.member(&read_token(token))?,
                Kind::Array => value.element(array_index(token)?)?,
                Kind::Null | Kind::True | Kind::False | Kind::Number | Kind::String => return None,
            };
        }
        Some(value)
    }

    /// Returns the elements of an array; none for other kinds.
    #[must_use]
    pub fn elements(self) -> Elements<'a> {
        Elements {
            doc: self.doc,
            children: self.children_if(Kind::Array),
        }
    }

    /// Returns the members of an object with their names, in the order of the text; none for other
    /// kinds. Of several members with one name only the last.
    #[must_use]
    pub fn members(self) -> Members<'a> {
        Members {
            doc: self.doc,
            children: self.children_if(Kind::Object),
        }
    }

    /// The name of a member, its escapes resolved; empty for other values.
    pub(crate) fn name(self) -> Cow<'a, str> {
        if !self.doc.is_member(self.id) {
            return Cow::Borrowed("");
        }
        self.doc.read_name(self.doc.name(self.id))
    }

    /// The next member of the same name, which supersedes this one.
    pub(crate) fn newer(self) -> Option<Self> {
        let newer = self.doc.superseded.newer(self.id);
        newer.map(|id| Self::new(self.doc, id))
    }

    /// Whether the value is one of those that its container shows: a member is, unless a later one
    /// of its name is shown. The rule for every view that has a policy.
    pub(crate) fn counts(self, partials: PartialPolicy) -> bool {
        self.is_shown(partials) && !self.is_superseded(partials)
    }

    /// Whether a later member of the same name is shown.
    fn is_superseded(self, partials: PartialPolicy) -> bool {
        self.newer().is_some_and(|newer| newer.is_shown(partials))
    }

    /// How many members of an object a later one of the same name supersedes.
    #[cfg(feature = "stream")]
    pub(crate) fn superseded_count(self) -> usize {
        self.doc.superseded.count(self.id) as usize
    }

    /// Whether both are the same value of the same document.
    pub(crate) fn is_same(self, other: Self) -> bool {
        self.id == other.id && core::ptr::eq(self.doc, other.doc)
    }

    /// The array or object around it.
    pub(crate) fn parent(self) -> Option<Self> {
        let parent = self.doc.node(self.id).parent();
        parent.map(|id| Self::new(self.doc, id))
    }

    /// Identifies the value within `top` by its distance, which does not change when nodes before
    /// the root are dropped.
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

    /// All children of an array or object after its child `last`, or all of them, members that are
    /// superseded included.
    pub(crate) fn children_after(self, last: Option<Self>) -> impl Iterator<Item = Self> {
        let children = match last {
            Some(last) => self.doc.children_after(self.id, last.id),
            None => self.doc.children(self.id),
        };
        children.map(move |id| Self::new(self.doc, id))
    }

    /// The JSON Pointer to it from the root.
    pub(crate) fn to_pointer(self) -> String {
        self.doc.pointer(None, self.id)
    }

    /// The JSON Pointer to it from `top`, which is around it.
    pub(crate) fn pointer_from(self, top: Self) -> String {
        self.doc.pointer(Some(top.id), self.id)
    }

    /// The children, if the value is of that kind.
    fn children_if(self, kind: Kind) -> Children<'a> {
        if self.kind() == kind {
            self.doc.children(self.id)
        } else {
            self.doc.no_children()
        }
    }
}

/// Writes the value as JSON text, as [`to_json`](Value::to_json) does by default.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json(PartialPolicy::default()))
    }
}

/// Has no payload: the kind, the size and whether the value is complete.
impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Value")
            .field("kind", &self.kind())
            .field("complete", &self.is_complete())
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// Whether the value is a string whose text so far is this one.
impl PartialEq<str> for Value<'_> {
    fn eq(&self, text: &str) -> bool {
        self.as_str() == Some(text)
    }
}

/// Whether the value is a string whose text so far is this one.
impl PartialEq<&str> for Value<'_> {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == Some(text)
    }
}
