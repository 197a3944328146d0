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
mod strip;

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::document::{Document, Growing, Kind, Name, NodeId, Span, Value};
use crate::error::{Error, Reason};
use crate::json::{Lexeme, Lexer, Literal, Unfinished, Utf8, skip_whitespace};
use crate::limits::Limits;
use growth::Note;
pub use growth::{Change, Event, Events, Growth, Path};
use strip::Strip;

/// What may come next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Expect {
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

    /// The value at a JSON Pointer (RFC 6901), once its first byte has come.
    #[must_use]
    pub fn get(&self, pointer: &str) -> Option<Value<'_>> {
        self.root()?.pointer(pointer)
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

    fn take(&mut self, fragment: &[u8]) -> Result<(), Error> {
        self.drop_complete(fragment);
        self.start = self.doc.text.len();
        let stripped = self.strip.as_mut().map(|strip| strip.strip(fragment));
        let fragment = stripped.as_deref().unwrap_or(fragment);
        let valid = self.doc.text.append_utf8(&mut self.utf8, fragment);
        self.read(false)?;
        if self.is_open() || !self.several {
            self.check_size(self.doc.text.len() + self.utf8.pending())?;
        }
        valid
    }

    /// Where the document at hand starts: white space counts only where there is one document.
    fn document_start(&self) -> usize {
        if !self.several {
            0
        } else if self.is_open() {
            self.root_start
        } else {
            skip_whitespace(self.doc.text.as_bytes(), self.lexer.at())
        }
    }

    /// Where it has to end.
    fn document_limit(&self) -> usize {
        self.document_start() + self.limits.document_bytes as usize
    }

    fn check_size(&self, end: usize) -> Result<(), Error> {
        let limit = self.document_limit();
        if end <= limit {
            return Ok(());
        }
        let bytes = self.limits.document_bytes;
        Err(Error::new(Reason::DocumentTooLarge(bytes), limit))
    }

    /// Reads on to the end of the text.
    fn read(&mut self, last: bool) -> Result<(), Error> {
        let mut end = 0;
        loop {
            if end == 0 || !self.is_open() {
                end = self.doc.text.floor_char_boundary(self.document_limit());
            }
            let all = end == self.doc.text.len();
            let text = &self.doc.text.as_bytes()[..end];
            let lexeme = match self.lexer.next(text, last && all) {
                Ok(lexeme) => lexeme,
                Err(error) => {
                    // Wherever a fragment ends, the same is told of the token before its error.
                    self.begun()?;
                    let starts_none = self.lexer.unfinished().is_none() && !error.is_incomplete();
                    return Err(if starts_none {
                        self.unexpected(error.offset())
                    } else {
                        error
                    });
                }
            };
            match lexeme {
                Lexeme::Structural(byte, at) => self.structural(byte, at)?,
                Lexeme::String(range, escaped) => {
                    if matches!(self.expect, Expect::FirstName | Expect::Name) {
                        self.check_token(&range)?;
                        let raw = Span::of(&range);
                        self.name = Some(Name { raw, escaped });
                        self.expect = Expect::Colon;
                    } else {
                        let start = range.start - 1;
                        self.scalar(Kind::String, range, start)?;
                        self.complete_scalar();
                    }
                }
                Lexeme::Number(range) => {
                    let start = range.start;
                    self.scalar(Kind::Number, range, start)?;
                    self.complete_scalar();
                }
                Lexeme::Literal(literal, range) => {
                    self.scalar(kind_of(literal), range.start..range.start, range.start)?;
                    self.complete_scalar();
                }
                Lexeme::End => {
                    self.begun()?;
                    if !all {
                        let len = self.doc.text.len();
                        self.doc.text.truncate_input(end);
                        self.check_size(len)?;
                    }
                    break;
                }
            }
        }
        let none_yet = self.several && self.root.is_none();
        if last && self.expect != Expect::Nothing && !none_yet {
            return Err(Error::new(Reason::Incomplete, self.doc.text.len()));
        }
        Ok(())
    }

    /// Brings in what there is of the token that the text ends in.
    fn begun(&mut self) -> Result<(), Error> {
        match self.lexer.unfinished() {
            None => Ok(()),
            Some(Unfinished::String(range, _))
                if matches!(self.expect, Expect::FirstName | Expect::Name) =>
            {
                self.check_token(&range)
            }
            Some(Unfinished::String(range, _)) => {
                let start = range.start - 1;
                self.scalar(Kind::String, range, start)
            }
            Some(Unfinished::Number(range)) => {
                let start = range.start;
                self.scalar(Kind::Number, range, start)
            }
            Some(Unfinished::Literal(literal, range)) => {
                self.scalar(kind_of(literal), range.start..range.start, range.start)
            }
        }
    }

    fn structural(&mut self, byte: u8, at: usize) -> Result<(), Error> {
        let kind = self.container.map(|id| self.doc.node(id).kind);
        match (byte, self.expect, kind) {
            (b'{', _, _) => self.open(Kind::Object, Expect::FirstName, at),
            (b'[', _, _) => self.open(Kind::Array, Expect::FirstElement, at),
            (b'}', Expect::FirstName | Expect::CommaOrEnd, Some(Kind::Object))
            | (b']', Expect::FirstElement | Expect::CommaOrEnd, Some(Kind::Array)) => {
                self.close();
                Ok(())
            }
            (b',', Expect::CommaOrEnd, Some(Kind::Object)) => {
                self.expect = Expect::Name;
                Ok(())
            }
            (b':', Expect::Colon, _) | (b',', Expect::CommaOrEnd, _) => {
                self.expect = Expect::Value;
                Ok(())
            }
            _ => Err(self.unexpected(at)),
        }
    }

    fn open(&mut self, kind: Kind, expect: Expect, at: usize) -> Result<(), Error> {
        self.check_place(at, kind)?;
        if self.depth >= self.limits.depth {
            return Err(Error::new(Reason::TooDeep(self.limits.depth), at));
        }
        self.container = Some(self.start_value(kind, at));
        self.depth += 1;
        self.expect = expect;
        Ok(())
    }

    fn close(&mut self) {
        let Some(id) = self.container else { return };
        self.container = self.doc.node(id).parent;
        self.depth -= 1;
        self.complete(id);
    }

    /// Brings a scalar whose text is `range` into the document, or on to that.
    fn scalar(&mut self, kind: Kind, range: Range<usize>, at: usize) -> Result<(), Error> {
        if self.leaf.is_none() {
            self.check_place(at, kind)?;
        }
        self.check_token(&range)?;
        let id = match self.leaf {
            Some(id) => id,
            None => self.start_value(kind, at),
        };
        self.leaf = Some(id);
        let known = self.doc.node(id).text;
        let new = if known == Span::EMPTY {
            range.start..range.end
        } else {
            known.end()..range.end
        };
        if new.is_empty() {
            return Ok(());
        }
        let piece = Span::of(&new);
        let escaped = kind == Kind::String && self.doc.text(piece).contains('\\');
        let note = match self.doc.node(id).mark.decoded {
            None if !escaped => Note::Appended(id, piece),
            decoded => {
                let start = self.doc.decoded.len();
                if decoded.is_none() {
                    self.doc.decoded.push(self.doc.text.get(known));
                }
                let from = self.doc.decoded.len();
                self.doc.decoded.push(self.doc.text.get(piece));
                let end = self.doc.decoded.len();
                let start = decoded.map_or(start, Span::start);
                self.doc.mark(id).decoded = Some(Span::of(&(start..end)));
                Note::Decoded(id, Span::of(&(from..end)))
            }
        };
        self.notes.push(note);
        self.doc.set_text(id, "", range);
        Ok(())
    }

    fn complete_scalar(&mut self) {
        if let Some(id) = self.leaf.take() {
            self.complete(id);
        }
    }

    /// Whether a value may start at `at`.
    fn check_place(&self, at: usize, kind: Kind) -> Result<(), Error> {
        match self.expect {
            Expect::Value | Expect::FirstElement => Ok(()),
            Expect::Nothing if self.several && !self.touches_last_root(at, kind) => Ok(()),
            Expect::FirstName
            | Expect::Name
            | Expect::Colon
            | Expect::CommaOrEnd
            | Expect::Nothing => Err(self.unexpected(at)),
        }
    }

    /// Adds a value whose first byte is at `at`.
    fn start_value(&mut self, kind: Kind, at: usize) -> NodeId {
        let name = self.name.take().unwrap_or(Name::NONE);
        let id = self.doc.push(self.container, name, kind);
        if self.container.is_none() {
            self.root = Some(id);
            self.root_start = at;
            self.root_decoded = self.doc.decoded.len();
        }
        self.notes.push(Note::Started(id));
        id
    }

    /// Whether a number or literal at `at` follows upon another without anything in between.
    fn touches_last_root(&self, at: usize, kind: Kind) -> bool {
        let before = match at.checked_sub(1) {
            Some(before) => self.doc.text.as_bytes()[before],
            None => self.last_byte,
        };
        let last = self.root.map(|id| self.doc.node(id).kind);
        is_bare(kind) && last.or(self.last_kind).is_some_and(is_bare) && !is_whitespace(before)
    }

    fn complete(&mut self, id: NodeId) {
        self.doc.mark(id).complete = true;
        self.notes.push(Note::Completed(id));
        self.expect = if self.container.is_some() {
            Expect::CommaOrEnd
        } else {
            self.root_end = self.lexer.at();
            Expect::Nothing
        };
    }

    /// Drops the values of which nothing is told any more, where there may be several: those
    /// before the one that is open, or all if `fragment` begins another.
    fn drop_complete(&mut self, fragment: &[u8]) {
        if !self.several {
            return;
        }
        let (root, bytes) = if self.is_open() {
            (self.root, core::mem::take(&mut self.root_start))
        } else if fragment.iter().copied().all(is_whitespace) {
            return self.drop_whitespace();
        } else {
            (None, self.doc.text.len())
        };
        if bytes == 0 {
            return;
        }
        self.last_kind = self.root.map(|id| self.doc.node(id).kind);
        self.last_byte = self.doc.text.as_bytes().last().copied().unwrap_or(b' ');
        self.root = root;
        let nodes = self.doc.drop_before(root, bytes);
        for id in [&mut self.root, &mut self.container, &mut self.leaf] {
            *id = id.map(|id| id.moved_down(nodes));
        }
        let decoded = match root {
            Some(_) => core::mem::take(&mut self.root_decoded),
            None => self.doc.decoded.len(),
        };
        self.doc.decoded.drop_before(decoded);
        for mark in self.doc.marks() {
            mark.decoded = mark.decoded.map(|span| span.moved_down(decoded));
        }
        if let Some(name) = &mut self.name {
            name.raw = name.raw.moved_down(bytes);
        }
        self.lexer.rebase(bytes);
        self.base += bytes;
    }

    /// Drops white space behind the last value, but for one byte that tells of it.
    fn drop_whitespace(&mut self) {
        let keep = match self.root {
            Some(_) => self.root_end + 1,
            None => 0,
        };
        if let Some(blank) = self.doc.text.len().checked_sub(keep) {
            self.doc.text.truncate_input(keep);
            self.lexer.rebase(blank);
            self.base += blank;
        }
    }

    fn unexpected(&self, at: usize) -> Error {
        let object = self
            .container
            .is_some_and(|id| self.doc.node(id).kind == Kind::Object);
        let expected = match self.expect {
            Expect::Value => "a value",
            Expect::FirstElement => "a value or ']'",
            Expect::FirstName => "a member name or '}'",
            Expect::Name => "a member name",
            Expect::Colon => "':'",
            Expect::CommaOrEnd if object => "',' or '}'",
            Expect::CommaOrEnd => "',' or ']'",
            Expect::Nothing => return Error::new(Reason::Trailing, at),
        };
        Error::new(Reason::Expected(expected), at)
    }

    fn check_token(&self, token: &Range<usize>) -> Result<(), Error> {
        let limit = self.limits.token_bytes;
        if token.len() > limit as usize {
            return Err(Error::new(Reason::TokenTooLarge(limit), token.start));
        }
        Ok(())
    }
}

const fn is_bare(kind: Kind) -> bool {
    !matches!(kind, Kind::String | Kind::Array | Kind::Object)
}

const fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

const fn kind_of(literal: Literal) -> Kind {
    match literal {
        Literal::Null => Kind::Null,
        Literal::True => Kind::True,
        Literal::False => Kind::False,
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
