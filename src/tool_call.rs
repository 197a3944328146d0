//! Tool calls in the text of a model.
//!
//! The parser says what is JSON and what has ended; what is a call, [`Finder`] says. A call is
//! told about at once and handed out for execution once, at the end of its object: until then any
//! member may still come that makes it something else.

mod brackets;
mod candidate;
mod error;
mod event;
mod finder;
mod shape;

use alloc::vec::Drain;
use core::fmt;

use crate::error::Error;
use crate::limits::Limits;
use crate::parser::Parser;
pub use error::ToolCallError;
pub use event::{ToolCall, ToolCallEvent};
use finder::Finder;
pub use shape::ToolCallShape;

/// Finds tool calls in JSON text while it streams in.
///
/// The text is what the model wrote or what the API answered, as one JSON value or several: a call,
/// an array of calls, a message with calls in it. What a call looks like says the
/// [`ToolCallShape`]. Of each call the events come in this order:
///
/// 1. [`Named`](ToolCallEvent::Named), with the byte that ends the name;
/// 2. [`ArgumentsDelta`](ToolCallEvent::ArgumentsDelta), as the arguments grow; what came of them
///    before the name comes now. [`Identified`](ToolCallEvent::Identified) if the id comes after
///    the name;
/// 3. [`Completed`](ToolCallEvent::Completed) at the end of the call's object, with the
///    [`ToolCall`], which can be had from nowhere else. If the text breaks off or the call turns
///    out not to be one, it is [`Failed`](ToolCallEvent::Failed) instead: never both, never
///    neither once the text is [finished](Self::finish).
///
/// However the text is split, the events are the same, but for how the arguments are cut up.
///
/// ```
/// use json_chunks::{ToolCallDetector, ToolCallEvent, ToolCallShape};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Read {
///     path: String,
/// }
///
/// let mut detector = ToolCallDetector::new(ToolCallShape::anthropic());
/// let mut told = String::new();
/// let mut path = None;
/// for fragment in [
///     r#"{"type": "tool_use", "id": "toolu_1", "name": "Re"#,
///     r#"ad", "input": {"path": "/src/"#,
///     r#"lib.rs"}"#,
///     r#"}"#,
/// ] {
///     for event in detector.push_str(fragment)? {
///         match event {
///             ToolCallEvent::Named { name, .. } => told += &format!("{name}: "),
///             ToolCallEvent::ArgumentsDelta { delta, .. } => told += &format!("{delta} | "),
///             ToolCallEvent::Completed(call) => path = Some(call.deserialize::<Read>()?.path),
///             _ => {}
///         }
///     }
/// }
/// detector.finish()?;
/// assert_eq!(told, r#"Read: {"path": "/src/ | lib.rs"} | "#);
/// assert_eq!(path.as_deref(), Some("/src/lib.rs"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Where calls are
///
/// A value of the text, or an element of an array anywhere in it, if it is an object of the shape;
/// an object that is the value of a member is none (but for
/// [`ToolCallShape::inside`]). An array's element whose name is all that speaks for it (most
/// objects have a name) is told about when its arguments begin or its type has been read; directly
/// in the text, or in an array that is a value of the text, the name is enough.
///
/// Nothing inside of arguments is a call, and an object that holds calls elsewhere than in
/// arguments is not one itself.
///
/// # Not for frames
///
/// The frames of a streaming API, one JSON text each, cut a call into many objects, and the first
/// looks like a whole one without arguments. Read such frames with the types of that API, and push
/// the pieces of the arguments into a [`Parser`] for each call.
///
/// # Cost
///
/// That of the [`Parser`], and one more look at each byte. The arguments of the call at hand are
/// kept a second time.
#[derive(Clone)]
pub struct ToolCallDetector {
    parser: Parser,
    finder: Finder,
    failed: Option<Error>,
}

impl ToolCallDetector {
    /// A detector of calls of that shape.
    #[must_use]
    pub fn new(shape: ToolCallShape) -> Self {
        Self {
            parser: Parser::new().several_values(true),
            finder: Finder::new(shape),
            failed: None,
        }
    }

    /// Bounds on the text, and on arguments that are JSON text in a string.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.parser = self.parser.limits(limits);
        self.finder.limits(limits);
        self
    }

    /// As [`Parser::strip_control_characters`].
    #[must_use]
    pub fn strip_control_characters(mut self, strip: bool) -> Self {
        self.parser = self.parser.strip_control_characters(strip);
        self
    }

    /// Takes the next fragment and gives what it tells of calls.
    ///
    /// # Errors
    ///
    /// As [`Parser::push`]. What the fragment told before it went wrong is in
    /// [`events`](Self::events), with a [`Failed`](ToolCallEvent::Failed) for the call that was
    /// not complete.
    pub fn push(&mut self, fragment: &[u8]) -> Result<ToolCallEvents<'_>, Error> {
        self.step(|parser| parser.push(fragment).map(drop))
    }

    /// Takes the next fragment, which is whole characters, and gives what it tells of calls.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub fn push_str(&mut self, fragment: &str) -> Result<ToolCallEvents<'_>, Error> {
        self.push(fragment.as_bytes())
    }

    /// Takes the end of the text.
    ///
    /// # Errors
    ///
    /// If the text ends too early, or has failed before; [`events`](Self::events) as with
    /// [`push`](Self::push).
    pub fn finish(&mut self) -> Result<ToolCallEvents<'_>, Error> {
        self.step(|parser| parser.finish().map(drop))
    }

    /// The events that have not been taken: after an error those from before it.
    pub fn events(&mut self) -> ToolCallEvents<'_> {
        ToolCallEvents(self.finder.events.drain(..))
    }

    /// The parser, to look at the text as a document.
    #[must_use]
    pub fn parser(&self) -> &Parser {
        &self.parser
    }

    /// Makes a detector for another text of this one, with the same options.
    pub fn reset(&mut self) {
        self.parser.reset();
        self.finder.reset();
        self.failed = None;
    }

    fn step(
        &mut self,
        step: impl FnOnce(&mut Parser) -> Result<(), Error>,
    ) -> Result<ToolCallEvents<'_>, Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.failed = step(&mut self.parser).err();
        let growth = self.parser.growth();
        self.finder.follow(growth, self.failed.as_ref());
        match &self.failed {
            None => Ok(self.events()),
            Some(error) => Err(error.clone()),
        }
    }
}

impl fmt::Debug for ToolCallDetector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCallDetector")
            .field("parser", &self.parser)
            .field("shape", &self.finder.shape)
            .finish_non_exhaustive()
    }
}

/// The events of one [push](ToolCallDetector::push). Those that are not taken are dropped.
#[must_use = "a call that is not taken is lost"]
pub struct ToolCallEvents<'a>(Drain<'a, ToolCallEvent>);

impl Iterator for ToolCallEvents<'_> {
    type Item = ToolCallEvent;

    fn next(&mut self) -> Option<ToolCallEvent> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for ToolCallEvents<'_> {}

impl fmt::Debug for ToolCallEvents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCallEvents")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
