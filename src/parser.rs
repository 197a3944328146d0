//! Fragments → document.
//!
//! The text of the document is the input itself, so a push appends the fragment, lets the
//! [automaton](crate::json) continue where it stopped, and adds or extends nodes that refer to
//! pieces of that text. The stack of open containers is the chain of parents in the tree.
//!
//! # For maintainers
//!
//! | file | has |
//! | --- | --- |
//! | `build` | steps of the grammar to nodes: reads anything, across any split |
//! | `fast` | complete tokens inside a fragment to nodes: reads the usual, and leaves the rest |
//! | `follow` | what readers of fragments have in common |
//! | `names` | the names in open objects, to find duplicates |
//! | `roots` | several documents in one input |
//! | `ser` | events for serde |
//! | `selector` | the value at a pointer, found while it arrives |
//! | `strip` | control characters |
//! | `update` | what a push has changed, as events |
//!
//! What a push leaves, by where the text ends:
//!
//! | the text ends | `container` | `open_scalar` | `name` | the document shows |
//! | --- | --- | --- | --- | --- |
//! | in a name | the object | - | - | nothing of the member |
//! | after a name | the object | - | the name | nothing of the member |
//! | in a string, number or literal | around it | its node | - | what is certain of it |
//! | elsewhere in a container | the container | - | - | what is complete |
//! | after the root | - | - | - | all of it |
//!
//! Invariants:
//!
//! - **One text, one outcome.** Nodes, events (adjacent `Appended` of one value joined) and errors
//!   do not depend on how the text is split. `tests/it/parser/splits.rs` tries every split. Two
//!   views do, because a push that fails may have added nodes before: the one after `TooLarge`,
//!   and with several values the one after an error that follows a complete value.
//! - **The fast path only accepts.** It stops before a token that is incomplete, wrong or unusual,
//!   with the state that `build` would have there. So there is one place that reports errors.
//! - **All that is kept is read.** After a push without an error, the lexer is at the end of the
//!   text, so a fragment that stays in the token that the text ends in needs no grammar.
//! - **Events are read from the document.** A push adds nodes at the end, and completes only those
//!   and what was open before it: one scalar, of which `Notes` has the new piece, and the
//!   containers around it. So there is no list of events; they are only counted.
//! - `container` is the innermost container of the automaton; `open_scalar` is set exactly if the
//!   lexer is in a value's token or has failed in one.
//!
//! A rule of the grammar is changed in [`json::syntax`](crate::json), and in `fast` if the tokens
//! that it accepts are concerned.

mod build;
mod fast;
mod follow;
mod names;
mod roots;
mod selector;
mod ser;
mod strip;
mod update;

use core::fmt;

use serde_core::de::{DeserializeOwned, Error as _};

use crate::document::{DeserializeError, Kind, Name, NodeId, PartialPolicy, Tree, Value};
use crate::error::{Error, Hint, Reason, may_be_event_stream, starts_prose};
use crate::json::{Automaton, Expect, Phase, Utf8Decoder, starts_value};
use crate::limits::Limits;
pub(crate) use follow::Tracker;
use names::OpenNames;
use roots::Roots;
pub(crate) use selector::PathSelector;
use strip::Strip;
use update::Notes;
pub use update::{Change, Event, Events, Path, Update};

/// Reads JSON text in fragments into a document that can be inspected at any point.
///
/// Fragments may end anywhere: inside of a name, an escape, a number, a character. However the
/// text is split, the document and the events are the same. The grammar is that of RFC 8259, with
/// nothing added: UTF-8, one value, exact number text; a byte order mark at the start is ignored.
/// A lone surrogate, such as `\ud83d`, is accepted, because the grammar accepts it, and is read as
/// U+FFFD. Of several members with one name, the last one counts: see
/// [`Value`](Value#members-with-the-same-name). Events report all of them: if a path starts again,
/// the value there is replaced.
///
/// ```
/// use json_chunks::{Change, Parser, PartialPolicy};
///
/// let mut parser = Parser::new();
/// parser.push(br#"{"title": "Three Slow D"#)?;
/// let root = parser.root().expect("the object has begun");
/// assert_eq!(root.to_json(PartialPolicy::default()), r#"{"title":"Three Slow D"}"#);
///
/// let update = parser.push(br#"ays", "days": 3"#)?;
/// let mut events = update.events();
/// let event = events.next().expect("the title has grown");
/// assert_eq!(event.path, "/title");
/// assert!(matches!(event.change, Change::Appended(text) if text == "ays"));
///
/// parser.push(b"}")?;
/// assert!(parser.finish()?.is_complete());
/// assert_eq!(parser.pointer("/days").and_then(|days| days.as_number()), Some("3"));
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// # Cost
///
/// Memory: the text, and 16 bytes per value; a string with escapes takes another 8 bytes and its
/// unescaped text. Buffers over 1 MiB reserve at most a quarter more than they contain.
///
/// Time: linear in the bytes, however they are split; inspecting a value copies nothing.
#[derive(Clone, Default)]
pub struct Parser {
    options: Options,
    phase: Phase,
    input: Input,
    cursor: Cursor,
    automaton: Automaton,
    doc: Tree,
    roots: Roots,
    notes: Notes,
}

/// What a reset keeps.
#[derive(Clone, Copy, Debug, Default)]
struct Options {
    limits: Limits,
    /// Whether there may be several roots.
    multiple: bool,
    strip: bool,
}

/// How the bytes of fragments become text of the document.
#[derive(Clone, Debug, Default)]
struct Input {
    utf8: Utf8Decoder,
    strip: Strip,
    /// How long the text was before the last push.
    start: usize,
    /// Bytes of text that have been dropped.
    base: usize,
    /// Whether the input may have been cut off after the last push.
    is_interrupted: bool,
}

/// Where in the document the text ends.
#[derive(Clone, Debug, Default)]
struct Cursor {
    /// The innermost open container.
    container: Option<NodeId>,
    /// The scalar that the text ends in.
    open_scalar: Option<NodeId>,
    /// The name of the member whose value is next.
    name: Option<Name>,
    /// The names in the objects that are open.
    names: OpenNames,
}

impl Parser {
    /// Creates a parser with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a parser that has read one complete text. Its errors have no hints.
    pub(crate) fn of_whole(text: &[u8], limits: Limits) -> Result<Self, Error> {
        let mut parser = Self::new().limits(limits);
        let pushed = parser.push(text).map(drop);
        let finished = pushed.and_then(|()| parser.finish().map(drop));
        // The hints are about how to use this parser, which its caller does not know of.
        finished.map_err(|error| error.with_hint(None))?;
        Ok(parser)
    }

    /// Reads a complete text, which has passed limits before, as a `T`.
    pub(crate) fn read_whole<T: DeserializeOwned>(text: &str) -> Result<T, DeserializeError> {
        Self::read_received(text, Limits::unlimited())
    }

    /// Reads a complete text as a `T`.
    pub(crate) fn read_received<T: DeserializeOwned>(
        text: &str,
        limits: Limits,
    ) -> Result<T, DeserializeError> {
        let parser = Self::of_whole(text.as_bytes(), limits);
        let parser = parser.map_err(DeserializeError::custom)?;
        match parser.root() {
            Some(root) => root.deserialize(PartialPolicy::default()),
            None => Err(DeserializeError::custom("no value")),
        }
    }

    /// Sets limits on the input.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// How long a stream may take: for the adapters, which have a clock.
    #[cfg(feature = "stream")]
    pub(crate) const fn time_limit(&self) -> Option<core::time::Duration> {
        self.options.limits.duration
    }

    /// Sets whether several values may follow one another, as in JSON Lines; `false` by default.
    ///
    /// A complete value is dropped at the next push. Two numbers or literals need white space in
    /// between.
    #[must_use]
    pub fn multiple_values(mut self, multiple: bool) -> Self {
        self.options.multiple = multiple;
        self
    }

    /// Sets whether control characters (U+0000 to U+001F) that the grammar does not allow are
    /// accepted; `false` by default.
    ///
    /// In a string, newline, carriage return and tab are content that the model forgot to escape:
    /// they become `\n`, `\r` and `\t`, also after a backslash. All others are removed, and between
    /// tokens all but white space, which stays as it is. The text of the document is valid JSON.
    ///
    /// Offsets of errors and updates count in that text, [`Update::text`]: a character that was
    /// removed counts 0 bytes, one that was escaped 2. The same holds for [`Limits`].
    ///
    /// ```
    /// use json_chunks::Parser;
    ///
    /// let mut parser = Parser::new().strip_control_characters(true);
    /// let update = parser.push(b"{\"text\":\t\"x\ny\x00\"}")?;
    /// assert_eq!(update.text(), "{\"text\":\t\"x\\ny\"}");
    /// let text = parser.pointer("/text").and_then(|text| text.as_str());
    /// assert_eq!(text, Some("x\ny"));
    /// # Ok::<(), json_chunks::Error>(())
    /// ```
    #[must_use]
    pub fn strip_control_characters(mut self, strip: bool) -> Self {
        self.options.strip = strip;
        self
    }

    /// Reads the next fragment, bytes or text, and returns what it has changed.
    ///
    /// # Errors
    ///
    /// If the text is not JSON or exceeds the [`Limits`], with the offset from the start of the
    /// input. What precedes the error stays in the document, and [`last_update`](Self::last_update)
    /// has what this push has changed; every further push returns the same error, until
    /// [`reset`](Self::reset).
    ///
    /// # Cost
    ///
    /// Linear in the length of the fragment. Nothing is allocated while the document has the
    /// capacity for what is new.
    pub fn push(&mut self, fragment: impl AsRef<[u8]>) -> Result<Update<'_>, Error> {
        self.push_bytes(fragment.as_ref())
    }

    fn push_bytes(&mut self, fragment: &[u8]) -> Result<Update<'_>, Error> {
        // An empty fragment says nothing about what was lost.
        self.input.is_interrupted &= fragment.is_empty();
        self.step(|parser| parser.take(fragment))?;
        Ok(self.last_update())
    }

    /// Ends the input, which completes a number at its end, and returns what that has changed.
    /// A large document then returns the memory that it reserved.
    ///
    /// # Errors
    ///
    /// If the input ends too early, or has failed before.
    pub fn finish(&mut self) -> Result<Update<'_>, Error> {
        self.step(
            |parser| match core::mem::replace(&mut parser.phase, Phase::Finished) {
                Phase::Reading => {
                    parser.input.utf8.finish(parser.doc.text.len())?;
                    let limit = parser.document_limit();
                    parser.read(limit, true)?;
                    parser.doc.trim();
                    Ok(())
                }
                Phase::Finished | Phase::Failed(_) => Ok(()),
            },
        )?;
        Ok(self.last_update())
    }

    /// Called when the source of the input has failed. If the end follows, it completes nothing:
    /// `10` may be the start of `1000`.
    #[cfg(feature = "stream")]
    pub(crate) const fn interrupt(&mut self) {
        self.input.is_interrupted = true;
    }

    /// Returns what the last push has changed.
    #[must_use]
    pub fn last_update(&self) -> Update<'_> {
        Update { parser: self }
    }

    /// Returns the document so far, once its first byte has arrived; of several values the last.
    #[must_use]
    pub fn root(&self) -> Option<Value<'_>> {
        self.roots.current.map(|id| Value::new(&self.doc, id))
    }

    #[cfg(test)]
    pub(crate) fn tree_and_root(&self) -> (&Tree, NodeId) {
        (&self.doc, self.roots.current.expect("a value has begun"))
    }

    /// All of the input that is kept: of one document, all that was pushed.
    pub(crate) fn text(&self) -> &str {
        &self.doc.text
    }

    /// Returns the value at a JSON Pointer (RFC 6901), once its first byte has arrived.
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<Value<'_>> {
        self.root()?.pointer(pointer)
    }

    /// Resets the parser for new input, keeping its options and allocations.
    pub fn reset(&mut self) {
        self.doc.clear();
        let doc = core::mem::take(&mut self.doc);
        self.cursor.names.clear();
        let names = core::mem::take(&mut self.cursor.names);
        *self = Self {
            options: self.options,
            cursor: Cursor {
                names,
                ..Cursor::default()
            },
            doc,
            ..Self::default()
        };
    }

    /// Whether a value has begun and not ended.
    fn is_open(&self) -> bool {
        self.cursor.container.is_some() || self.cursor.open_scalar.is_some()
    }

    /// Whether no value has begun.
    fn is_before_first_value(&self) -> bool {
        self.roots.current.is_none() && self.automaton.syntax.expect() == Expect::Value
    }

    /// Notes where the document ends, for what is new to be found.
    fn start_update(&mut self) {
        self.input.start = self.doc.text.len();
        let cursor = &self.cursor;
        self.notes = Notes::new(self.doc.nodes.len(), cursor.container, cursor.open_scalar);
    }

    /// Runs a step that may fail once and for all.
    fn step(&mut self, step: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        self.phase.check()?;
        self.start_update();
        step(self).map_err(|error| {
            let hint = self.hint(&error);
            let error = error.with_hint(hint).moved_by(self.input.base);
            self.phase = Phase::Failed(error.clone());
            error
        })
    }

    /// Returns the mistake that an error probably has as its cause, given the error before it is
    /// [moved](Error::moved_by).
    fn hint(&self, error: &Error) -> Option<Hint> {
        let rest = self.doc.text.as_bytes().get(error.offset()..)?;
        let first = rest.first().copied();
        match error.reason() {
            // `1true`: two values without the white space that these need in between.
            Reason::Trailing if self.options.multiple => None,
            // `{"a":1}{"a":12}`: snapshots or JSON Lines. Only the first byte counts, for the hint
            // not to depend on the split, so `{"a":1} that is all` is taken for a value, too.
            Reason::Trailing if first.is_some_and(starts_value) => Some(Hint::MoreValues),
            // `{"a":1} I hope` or the end of a fence.
            Reason::Trailing if first.is_some_and(starts_prose) => Some(Hint::Wrapped),
            // `data: {"choices":…`: the body of an API instead of the text in it.
            Reason::Expected(_) if self.is_before_first_value() && may_be_event_stream(rest) => {
                Some(Hint::ServerSentEvents)
            }
            // `Here is the JSON:`.
            Reason::Expected(_)
                if self.is_before_first_value() && first.is_some_and(starts_prose) =>
            {
                Some(Hint::Wrapped)
            }
            // `The` begins no value, but `the`, `now` and `first` begin as a literal does.
            Reason::Expected(_) if self.is_in_literal_root() => Some(Hint::Wrapped),
            _ => None,
        }
    }

    /// Whether the text is in a literal that is the document.
    fn is_in_literal_root(&self) -> bool {
        let kind = self.root().filter(|root| !root.is_complete());
        let kind = kind.map(Value::kind);
        self.cursor.container.is_none()
            && matches!(kind, Some(Kind::Null | Kind::True | Kind::False))
    }
}

impl fmt::Debug for Parser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parser")
            .field("limits", &self.options.limits)
            .field("bytes", &(self.input.base + self.doc.text.len()))
            .field("depth", &self.automaton.syntax.depth())
            .field("phase", &self.phase)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_text_with_error_has_no_hint() {
        for text in ["1 2", "data: {}", "Here it is"] {
            let hint = |error: Error| error.hint();
            assert!(
                Parser::new()
                    .push(text)
                    .map(drop)
                    .map_err(hint)
                    .unwrap_err()
                    .is_some()
            );
            let whole = Parser::of_whole(text.as_bytes(), Limits::default());
            assert_eq!(whole.map(drop).map_err(hint), Err(None), "{text}");
        }
    }
}
