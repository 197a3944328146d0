//! Fragments → document.
//!
//! The text of the document is the input itself ([`Text`](crate::document) kept verbatim), so a
//! push appends the fragment, lets the [lexer](crate::json) go on where it stood, and adds or
//! grows nodes that refer to pieces of that text. The stack of open containers is the chain of
//! parents in the tree; [`Expect`] is all there is to the grammar besides.
//!
//! A string or number that a fragment ends in is put into the document as far as it has come, and
//! grows there. A name that a fragment ends in is not: it shows when it is complete.

mod growth;
mod read;
mod strip;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::{DeserializeOwned, Error as _};

use crate::document::{
    DeserializeError, Document, Growing, Kind, Name, NodeId, Partials, Span, Value,
};
use crate::error::Error;
use crate::json::{Lexer, Utf8};
use crate::limits::Limits;
use growth::Note;
pub use growth::{Change, Event, Events, Growth, Path};
use strip::Strip;

/// What may come next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Expect {
    /// A value: at the start, behind a colon, behind a comma in an array.
    #[default]
    Value,
    /// An element or the end of the array.
    FirstElement,
    /// A member name or the end of the object.
    FirstName,
    /// A member name.
    Name,
    Colon,
    /// A comma or the end of the container.
    CommaOrEnd,
    /// White space, unless there may be several values.
    Nothing,
}

/// Reads JSON text in fragments into a document that can be looked at all the time.
///
/// Fragments may end anywhere: inside of a name, an escape, a number, a character. However the
/// text is split, the document and the events are the same. The grammar is that of RFC 8259, with
/// nothing added: UTF-8, one value, exact number text; a byte order mark at the start is ignored.
/// Surrogates escaped alone are accepted, as the grammar does, and read as U+FFFD. Of several
/// members with one name, all are kept and the last one counts.
///
/// ```
/// use json_chunks::{Change, Parser, Partials};
///
/// let mut parser = Parser::new();
/// parser.push(br#"{"title": "Three Slow D"#)?;
/// let root = parser.root().expect("the object has begun");
/// assert_eq!(root.to_json(Partials::default()), r#"{"title":"Three Slow D"}"#);
///
/// let growth = parser.push(br#"ays", "days": 3"#)?;
/// let mut events = growth.events();
/// let event = events.next().expect("the title has grown");
/// assert_eq!(event.path, "/title");
/// assert!(matches!(event.change, Change::Appended(text) if text == "ays"));
///
/// parser.push(b"}")?;
/// assert!(parser.finish()?.is_complete());
/// assert_eq!(parser.get("/days").and_then(|days| days.as_number()), Some("3"));
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// # Cost
///
/// Memory: the text and some 80 bytes a value. Time: linear in the bytes, however they are split;
/// to look at a value copies nothing.
#[derive(Clone, Default)]
pub struct Parser {
    limits: Limits,
    several: bool,
    strip: Option<Strip>,
    doc: Document<Growing>,
    utf8: Utf8,
    lexer: Lexer,
    expect: Expect,
    /// The innermost open container.
    container: Option<NodeId>,
    depth: u32,
    /// The scalar that the text ends in.
    leaf: Option<NodeId>,
    /// The name of the member whose value comes next.
    name: Option<Name>,
    /// The root that is open or was completed last.
    root: Option<NodeId>,
    /// Where that starts, if there are others before it.
    root_start: usize,
    root_decoded: usize,
    /// Where it ended, if it is complete.
    root_end: usize,
    /// What the value before it was, and how the text before it ended, once these are dropped.
    last_kind: Option<Kind>,
    last_byte: u8,
    notes: Vec<Note>,
    /// How long the text was before the last push.
    start: usize,
    /// Bytes of input that have been dropped.
    base: usize,
    failed: Option<Error>,
    finished: bool,
}

impl Parser {
    /// A parser with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A parser that has read one whole text.
    pub(crate) fn of_whole(text: &[u8], limits: Limits) -> Result<Self, Error> {
        let mut parser = Self::new().limits(limits);
        parser.push(text)?;
        parser.finish()?;
        Ok(parser)
    }

    /// A whole text as a `T`, which has passed some limits before.
    pub(crate) fn read_whole<T: DeserializeOwned>(text: &str) -> Result<T, DeserializeError> {
        let parser = Self::of_whole(text.as_bytes(), Limits::unlimited());
        let parser = parser.map_err(DeserializeError::custom)?;
        match parser.root() {
            Some(root) => root.deserialize(Partials::default()),
            None => Err(DeserializeError::custom("no value")),
        }
    }

    /// Bounds on the input.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How long a stream may take: for the adapters, which have a clock.
    #[cfg(feature = "stream")]
    pub(crate) const fn time_limit(&self) -> Option<core::time::Duration> {
        self.limits.duration
    }

    /// Whether several values may come one after the other, as in JSON Lines; `false` by default.
    ///
    /// What is complete is dropped at the next push that comes after its end. Two numbers or
    /// literals need white space in between.
    #[must_use]
    pub fn several_values(mut self, several: bool) -> Self {
        self.several = several;
        self
    }

    /// Whether control characters (U+0000 to U+001F) that the grammar refuses are removed instead:
    /// all of them in strings, all but white space elsewhere; `false` by default. Offsets count
    /// what is left.
    #[must_use]
    pub fn strip_control_characters(mut self, strip: bool) -> Self {
        self.strip = strip.then(Strip::default);
        self
    }

    /// Takes the next fragment and tells what it brought.
    ///
    /// # Errors
    ///
    /// If the text is not JSON or exceeds the [`Limits`], with the offset from the start of the
    /// input. What came before stays in the document, and [`growth`](Self::growth) tells what this
    /// push brought of it; every further push gives the same error, until [`reset`](Self::reset).
    pub fn push(&mut self, fragment: &[u8]) -> Result<Growth<'_>, Error> {
        self.step(|parser| parser.take(fragment))?;
        Ok(self.growth())
    }

    /// Takes the next fragment, which is whole characters, and tells what it brought.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub fn push_str(&mut self, fragment: &str) -> Result<Growth<'_>, Error> {
        self.push(fragment.as_bytes())
    }

    /// Takes the end of the input, which completes a number at its end.
    ///
    /// # Errors
    ///
    /// If the input ends too early, or has failed before.
    pub fn finish(&mut self) -> Result<Growth<'_>, Error> {
        self.step(|parser| {
            if !core::mem::replace(&mut parser.finished, true) {
                parser.utf8.finish(parser.doc.text.len())?;
                parser.read(true)?;
            }
            Ok(())
        })?;
        Ok(self.growth())
    }

    /// What the last push has brought.
    #[must_use]
    pub fn growth(&self) -> Growth<'_> {
        let range = Span::of(&(self.start..self.doc.text.len()));
        Growth {
            doc: &self.doc,
            notes: &self.notes,
            text: self.doc.text(range),
            start: self.base + self.start,
            complete: !self.is_open(),
        }
    }

    /// The document so far, once its first byte has come; of several values the last.
    #[must_use]
    pub fn root(&self) -> Option<Value<'_>> {
        self.root.map(|id| Value::new(&self.doc, id))
    }

    /// All of the input that is kept: of one document, all that was pushed.
    pub(crate) fn text(&self) -> &str {
        let range = 0..self.doc.text.len();
        self.doc.text(Span::of(&range))
    }

    /// The value at a JSON Pointer (RFC 6901), once its first byte has come.
    #[must_use]
    pub fn get(&self, pointer: &str) -> Option<Value<'_>> {
        self.root()?.pointer(pointer)
    }

    pub(crate) fn into_text(self) -> String {
        self.doc.text.into_string()
    }

    /// Makes a parser for another input of this one, with the same options.
    pub fn reset(&mut self) {
        self.doc.clear();
        let doc = core::mem::take(&mut self.doc);
        *self = Self {
            limits: self.limits,
            several: self.several,
            strip: self.strip.map(|_| Strip::default()),
            doc,
            ..Self::default()
        };
    }

    /// Whether the end of a value is still to come.
    fn is_open(&self) -> bool {
        self.container.is_some() || self.leaf.is_some()
    }

    /// Runs a step that may fail once and for all.
    fn step(&mut self, step: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.notes.clear();
        self.start = self.doc.text.len();
        step(self).map_err(|error| {
            let error = error.moved_by(self.base);
            self.failed = Some(error.clone());
            error
        })
    }
}

impl fmt::Debug for Parser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parser")
            .field("limits", &self.limits)
            .field("bytes", &(self.base + self.doc.text.len()))
            .field("depth", &self.depth)
            .field("failed", &self.failed)
            .field("finished", &self.finished)
            .finish_non_exhaustive()
    }
}
