//! Tool calls: in the text of a model, [`ToolCallDetector`], and in the pieces that APIs stream,
//! [`ToolCalls`].
//!
//! The parser decides what is JSON and what has ended, the `tracker` what is a call. A call is
//! reported at once, but it is released for execution only at the end of its object, and once:
//! until then any member may follow that makes it something else.
//!
//! # For maintainers
//!
//! The `tracker` keeps a frame for each open array and object outside of arguments, and one
//! `PossibleCall` for each object that may be a call. The `shape` assigns a role to each member;
//! the text of arguments is the span of their value.
//!
//! | state of the object | event | next state |
//! | --- | --- | --- |
//! | `Possible` | the evidence suffices (below) | `Started`, reported |
//! | `Possible`, `Started` | a contradiction (below) | `Failed`, reported if it was started |
//! | `Possible` | the marker says that it is another object | `Ignored` |
//! | `Started` | the marker says that it is another object | `Failed` |
//! | `Started` | the end of the object, with arguments | completed |
//! | `Started` | the end of the object without arguments, or an error of the text | failed |
//!
//! - *Evidence*: the name is complete, and either it is sufficient in this shape, or the arguments
//!   or a marker have been read.
//! - *Contradiction*: a name, marker or wrapper of the wrong kind, a call inside, a repeated role,
//!   or arguments that are not JSON.
//!
//! Invariants: each started call has exactly one last event; the concatenated deltas of a call are
//! its arguments, so what is added for the model (`{}` for `""`) is a delta, too; `Completed`
//! exists only after the end of the object.
//!
//! A new option of a shape that changes what a member means is a `Role`; one that changes what
//! counts as arguments belongs to `CallTracker::complete` (in a string) or `PossibleCall::end`
//! (missing). The tests run each text at every split (`tells`).

mod call;
mod calls;
mod delta;
mod error;
mod event;
mod repeat;
mod shape;
mod tracker;

use core::fmt;

use crate::document::Value;
use crate::drained::Drained;
use crate::error::{Error, Hint};
use crate::limits::Limits;
use crate::parser::Parser;
#[cfg(feature = "schema")]
use crate::schema::Schema;
pub use calls::ToolCalls;
pub use delta::ToolCallDelta;
pub use error::ToolCallError;
pub use event::{ToolCall, ToolCallEvent};
pub use shape::ToolCallShape;
use tracker::CallTracker;

/// Finds tool calls in JSON text while it streams in.
///
/// The text is what the model wrote or what the API answered, as one JSON value or several: a call,
/// an array of calls, a message with calls in it. The [`ToolCallShape`] defines what a call is. The
/// events of each call have this order:
///
/// 1. [`Started`](ToolCallEvent::Started), with the byte that ends the name;
/// 2. [`ArgumentsDelta`](ToolCallEvent::ArgumentsDelta), as the arguments grow; what of them
///    precedes the name is emitted after it. [`Identified`](ToolCallEvent::Identified) if the id
///    follows the name;
/// 3. [`Completed`](ToolCallEvent::Completed) at the end of the call's object, with the
///    [`ToolCall`], which only this event has. If the text ends before the call, or the object
///    turns out not to be a call, [`Failed`](ToolCallEvent::Failed) is emitted instead: never both,
///    never neither once the text is [finished](Self::finish).
///
/// However the text is split, the events are the same, but for where the deltas are divided.
///
/// ```
/// use json_chunks::tool_call::{ToolCallDetector, ToolCallEvent, ToolCallShape};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Read {
///     path: String,
/// }
///
/// let mut detector = ToolCallDetector::new(ToolCallShape::anthropic());
/// let mut log = String::new();
/// let mut path = None;
/// for fragment in [
///     r#"{"type": "tool_use", "id": "toolu_1", "name": "Re"#,
///     r#"ad", "input": {"path": "/src/"#,
///     r#"lib.rs"}"#,
///     r#"}"#,
/// ] {
///     for event in detector.push(fragment)? {
///         match event {
///             ToolCallEvent::Started { name, .. } => log += &format!("{name}: "),
///             ToolCallEvent::ArgumentsDelta { delta, .. } => log += &format!("{delta} | "),
///             ToolCallEvent::Completed(call) => path = Some(call.deserialize::<Read>()?.path),
///             _ => {}
///         }
///     }
/// }
/// detector.finish()?;
/// assert_eq!(log, r#"Read: {"path": "/src/ | lib.rs"} | "#);
/// assert_eq!(path.as_deref(), Some("/src/lib.rs"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Where calls are
///
/// A value of the text, or an element of an array anywhere in it, if it is an object of the shape;
/// an object that is the value of a member is none (but for
/// [`ToolCallShape::inside`]). An element of an array is reported when its arguments begin or its
/// type has been read, because most objects have a name; for a value of the text, or an element of
/// an array that is one, the name is enough.
///
/// Nothing inside of arguments is a call, and an object that holds calls elsewhere than in
/// arguments is not one itself.
///
/// # Not for snapshots
///
/// Snapshots of one call are calls one after the other to the detector, each of which is completed.
/// Turn them into text first: `snapshots.json_chunks().tool_calls(shape)`. If the values of a text
/// repeat a call, there is a [hint](Self::hint).
///
/// # Not for frames
///
/// The frames of a streaming API, one JSON text each, divide a call into many objects, and the
/// first looks like a complete one without arguments. Read such frames with the types of that API,
/// and pass the pieces of the calls to [`ToolCalls`].
///
/// # Cost
///
/// That of the [`Parser`], and one more pass over the bytes. The arguments of the open call are
/// kept a second time.
#[derive(Clone)]
pub struct ToolCallDetector {
    pub(crate) parser: Parser,
    tracker: CallTracker,
}

impl ToolCallDetector {
    /// Creates a detector of calls of that shape.
    #[must_use]
    pub fn new(shape: ToolCallShape) -> Self {
        Self {
            parser: Parser::new().multiple_values(true),
            tracker: CallTracker::new(shape),
        }
    }

    /// Sets limits on the text, and on arguments that are JSON text in a string.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.parser = self.parser.limits(limits);
        self.tracker.limits(limits);
        self
    }

    /// Sets the schema that the arguments of the tool with this name have to conform to, as
    /// [`ToolCalls::schema`] does.
    #[cfg(feature = "schema")]
    #[must_use]
    pub fn schema(mut self, tool: impl Into<String>, schema: Schema) -> Self {
        self.tracker.schemas.insert(tool.into(), schema);
        self
    }

    /// As [`Parser::strip_control_characters`].
    #[must_use]
    pub fn strip_control_characters(mut self, strip: bool) -> Self {
        self.parser = self.parser.strip_control_characters(strip);
        self
    }

    /// Reads the next fragment and returns the events of calls.
    ///
    /// # Errors
    ///
    /// As [`Parser::push`]. The events from before the error are in
    /// [`events`](Self::events), with a [`Failed`](ToolCallEvent::Failed) for the call that was
    /// not complete.
    pub fn push(
        &mut self,
        fragment: impl AsRef<[u8]>,
    ) -> Result<impl ExactSizeIterator<Item = ToolCallEvent> + fmt::Debug, Error> {
        self.parser.push_to(fragment.as_ref(), &mut self.tracker)?;
        Ok(self.events())
    }

    /// Ends the text and returns the last events.
    ///
    /// # Errors
    ///
    /// If the text ends too early, or has failed before; [`events`](Self::events) as with
    /// [`push`](Self::push).
    pub fn finish(
        &mut self,
    ) -> Result<impl ExactSizeIterator<Item = ToolCallEvent> + fmt::Debug, Error> {
        self.parser.finish_to(&mut self.tracker)?;
        Ok(self.events())
    }

    /// Returns the events that have not been consumed: after an error, those from before it.
    pub fn events(&mut self) -> impl ExactSizeIterator<Item = ToolCallEvent> + fmt::Debug {
        Drained(self.tracker.events.drain(..))
    }

    /// Returns the document so far, once its first byte has arrived; of several values the last.
    #[must_use]
    pub fn root(&self) -> Option<Value<'_>> {
        self.parser.root()
    }

    /// Returns the likely fix if the text looks like snapshots of a call: its values repeat one
    /// call, which is completed each time.
    ///
    /// Nothing is wrong with such a text, so there is no error. The stream adapters log the hint at
    /// `error`, and [`StreamReport::hint`](crate::stream::StreamReport::hint) has it.
    ///
    /// ```
    /// use json_chunks::tool_call::{ToolCallDetector, ToolCallShape};
    ///
    /// let mut detector = ToolCallDetector::new(ToolCallShape::plain());
    /// for snapshot in [
    ///     r#"{"name":"pay","arguments":{"to":"bob"}}"#,
    ///     r#"{"name":"pay","arguments":{"to":"bob","amount":10}}"#,
    /// ] {
    ///     let _ = detector.push(snapshot)?;
    /// }
    /// assert!(detector.hint().is_some_and(|hint| hint.contains("`json_chunks`")));
    /// # Ok::<(), json_chunks::Error>(())
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        self.tracker.repeats.hint().map(Hint::as_str)
    }

    /// Resets the detector for another text, keeping its options and allocations.
    pub fn reset(&mut self) {
        self.parser.reset();
        self.tracker.reset();
    }
}

impl fmt::Debug for ToolCallDetector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCallDetector")
            .field("parser", &self.parser)
            .field("shape", &self.tracker.shape)
            .finish_non_exhaustive()
    }
}
