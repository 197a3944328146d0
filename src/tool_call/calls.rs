//! Calls that arrive in deltas, each with an index.
//!
//! # For maintainers
//!
//! | state of the call | received | next state |
//! | --- | --- | --- |
//! | open, without a name | arguments | the same; held until the name arrives |
//! |  | the name | open: `Started`, and the held events |
//! |  | the end | failed, `NoName` |
//! | open | the id, late | open: `Identified` |
//! |  | arguments | open: `ArgumentsDelta`; failed if they are not JSON |
//! |  | another id or name | a [next call](Call::is_followed_by), or failed, `Repeated` |
//! |  | the end | completed if the arguments are terminated or blank, else failed |
//! |  | the end of the reply | the same, but blank arguments fail |
//! | completed | arguments, another id or name | an error; or a next call |
//! | failed | anything | the same; or a next call |
//!
//! A next call has the same index.
//!
//! Invariants: the text of the arguments is stored only in the call's parser; the emitted part of
//! it is a prefix without an error; each call has exactly one last event.

mod call;
mod partial;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use super::delta::ToolCallDelta;
use super::event::ToolCallEvent;
use crate::error::{Error, Reason};
use crate::limits::Limits;
#[cfg(feature = "schema")]
use crate::schema::Schema;
use crate::schema::ToolSchemas;
use call::{Call, End, Sink};

/// The default maximum number of calls.
const MAX_CALLS: usize = 1024;

/// Assembles tool calls from the pieces that an API or an SDK streams.
///
/// Every API divides a call in the same way: an index, an id and a name once, then the JSON text of
/// the arguments in pieces. A [`ToolCallDelta`] is one such piece, and the events are those of a
/// [`ToolCallDetector`](super::ToolCallDetector), which finds calls in one text:
///
/// 1. [`Started`](ToolCallEvent::Started) as soon as there is a name. Arguments that precede it are
///    emitted after it; [`Identified`](ToolCallEvent::Identified) if the id follows it;
/// 2. [`ArgumentsDelta`](ToolCallEvent::ArgumentsDelta), as the arguments grow;
/// 3. [`Completed`](ToolCallEvent::Completed), with the [call](super::ToolCall) to execute, or
///    [`Failed`](ToolCallEvent::Failed): one of them for each call.
///
/// A call is completed if its arguments are *terminated JSON* and it *has ended*: by
/// [`ended`](ToolCallDelta::ended), or by the end of the reply, [`finish`](Self::finish). So a call
/// that was cut off by the token limit is never executed. An object is terminated by its brace;
/// nothing terminates a number alone, so a call whose arguments are `12` fails.
///
/// Calls are independent of each other: they may be interleaved, and a failed call has no effect on
/// the others. The events of each call do not depend on how the pieces are divided and interleaved,
/// except that the deltas are divided differently.
///
/// ```
/// # use std::cell::RefCell;
/// # use std::error::Error;
/// # use futures::executor::block_on;
/// # use json_chunks::Partial;
/// use json_chunks::tool_call::{ToolCallDelta, ToolCallError, ToolCallEvent, ToolCalls};
///
/// #[derive(Default, serde::Deserialize)]
/// #[serde(default)]
/// struct Args {
///     path: String,
/// }
/// # #[derive(Default)]
/// # struct Ui(RefCell<Vec<String>>);
/// # impl Ui {
/// #     fn show(&self, index: usize, name: &str) {
/// #         self.0.borrow_mut().push(format!("{index}: {name}"));
/// #     }
/// #     fn update(&self, index: usize, args: Partial<Args>) {
/// #         self.0.borrow_mut().push(format!("{index}: {}", args.value.path));
/// #     }
/// # }
/// # let ui = Ui::default();
/// # let log = |error: ToolCallError| panic!("{error}");
/// # async fn run(name: &str, args: Args) {
/// #     assert_eq!((name, &*args.path), ("read", "/src"));
/// # }
/// # let pieces = [r#"{"path": "/sr"#, r#"c"}"#].map(|text| (3, "", "", text));
/// # let items = [(3, "call_1", "read", "")].into_iter().chain(pieces);
/// # block_on(async {
///
/// let mut calls = ToolCalls::new();
/// for (index, id, name, text) in items {
///     for event in calls.push(ToolCallDelta::new(index).id(id).name(name).arguments(text))? {
///         match event {
///             ToolCallEvent::Started { index, name, .. } => ui.show(index, &name),
///             ToolCallEvent::ArgumentsDelta { index, .. } => {
///                 ui.update(index, calls.partial::<Args>(index)?);
///             }
///             ToolCallEvent::Completed(call) => run(call.name(), call.deserialize()?).await,
///             ToolCallEvent::Failed { error, .. } => log(error),
///             _ => {}
///         }
///     }
/// }
/// for event in calls.finish() {
///     match event {
///         ToolCallEvent::Completed(call) => run(call.name(), call.deserialize()?).await,
///         ToolCallEvent::Failed { error, .. } => log(error),
///         _ => {}
///     }
/// }
/// # assert_eq!(*ui.0.borrow(), ["3: read", "3: /sr", "3: /src"]);
/// # Ok::<(), Box<dyn Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn Error>>(())
/// ```
///
/// # Empty arguments
///
/// Some APIs send no arguments, or blank ones, for a tool that takes none. They are `{}` if the
/// call has ended: by [`ended`](ToolCallDelta::ended) or [`end_all`](Self::end_all). The end of the
/// reply alone is not enough, because the reply may have been cut off before the first argument.
///
/// # Producers that break the rules
///
/// - An id or a name that is repeated with every piece is ignored if it is the same or empty.
/// - Successive calls with the same index, as some OpenAI-compatible servers send them, are
///   separate calls if each has its own id, or, without ids, another name after the arguments were
///   terminated. A call ends the one before it. Their events have the same index.
/// - Any other change of an id or a name makes the call fail, with
///   [`Repeated`](super::ToolCallError::Repeated).
/// - An end without a call, such as the end of a block of text, is ignored.
///
/// # Cost
///
/// Linear in the deltas, for any size of the pieces. The arguments of all calls are kept, as a
/// parsed document, until [`reset`](Self::reset); those of a completed call a second time in its
/// [`ToolCall`](super::ToolCall).
#[derive(Clone)]
pub struct ToolCalls {
    limits: Limits,
    max_calls: usize,
    schemas: ToolSchemas,
    calls: BTreeMap<usize, Call>,
    /// The number of calls so far.
    count: usize,
    is_over: bool,
    /// Whether the source of the deltas has failed after the last one.
    is_lost: bool,
}

impl ToolCalls {
    /// Creates a machine without calls.
    #[must_use]
    pub fn new() -> Self {
        Self {
            limits: Limits::default(),
            max_calls: MAX_CALLS,
            schemas: ToolSchemas::default(),
            calls: BTreeMap::new(),
            count: 0,
            is_over: false,
            is_lost: false,
        }
    }

    /// Sets limits on the arguments of each call. A call that exceeds them fails.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the maximum number of calls. The default is 1024.
    #[must_use]
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.max_calls = calls;
        self
    }

    /// Sets the schema for the arguments of the tool with this name. A call whose arguments do not
    /// conform is never completed: it fails with
    /// [`ToolCallError::Schema`](super::ToolCallError::Schema), as soon as no further text can make
    /// the arguments valid, except for a second member of the same name.
    ///
    /// Incomplete arguments are checked when the number of their values has grown by an eighth
    /// since the last check, so how early a call fails depends on its pieces. Complete arguments
    /// are always checked. Calls of tools without a schema are not checked.
    ///
    /// ```
    /// use json_chunks::schema::Schema;
    /// use json_chunks::tool_call::{ToolCallDelta, ToolCallError, ToolCallEvent, ToolCalls};
    ///
    /// let schema: Schema = r#"{"properties": {"path": {"type": "string"}}}"#.parse()?;
    /// let mut calls = ToolCalls::new().schema("read", schema);
    /// let events = calls.push(ToolCallDelta::new(0).name("read").arguments(r#"{"path": [1, "#))?;
    /// let Some(ToolCallEvent::Failed { error, .. }) = events.last() else {
    ///     unreachable!("no string starts with a bracket")
    /// };
    /// let ToolCallError::Schema(reason) = error else { unreachable!("the arguments are JSON") };
    /// assert_eq!(reason, r#"[1] is not of type "string" at /path"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "schema")]
    #[must_use]
    pub fn schema(mut self, tool: impl Into<String>, schema: Schema) -> Self {
        self.schemas.insert(tool.into(), schema);
        self
    }

    /// Reads the next piece and returns its events.
    ///
    /// # Errors
    ///
    /// If the piece cannot be used. The machine and its other calls are unchanged then.
    ///
    /// - More of a call that is completed, or anything after the end of the reply
    ///   ([`ErrorKind::Syntax`](crate::error::ErrorKind::Syntax)): the piece would be lost, and the
    ///   executed call would not be the one that the model wrote.
    /// - More calls than [allowed](Self::max_calls)
    ///   ([`ErrorKind::TooLarge`](crate::error::ErrorKind::TooLarge)).
    ///
    /// An error in a call itself is an event, [`Failed`](ToolCallEvent::Failed).
    pub fn push(&mut self, delta: impl Into<ToolCallDelta>) -> Result<Vec<ToolCallEvent>, Error> {
        self.is_lost = false;
        let delta = delta.into().normalized();
        let index = delta.index;
        if self.is_over && !delta.is_empty() {
            return Err(Error::new(Reason::CallEnded, 0));
        }
        let mut events = Vec::new();
        let mut sink = Sink::new(index, &mut events);
        match self.calls.get_mut(&index) {
            Some(call) if !call.is_followed_by(&delta) => {
                call.take(delta, &self.schemas, &mut sink)?;
                return Ok(events);
            }
            None if delta.is_empty() => return Ok(events),
            None | Some(_) if self.count >= self.max_calls => {
                return Err(Error::new(Reason::TooManyCalls(self.max_calls), 0));
            }
            Some(call) => call.end(End::OfCall, &mut sink),
            None => {}
        }
        self.count += 1;
        let mut call = Call::new(self.limits);
        call.take(delta, &self.schemas, &mut sink)?;
        self.calls.insert(index, call);
        Ok(events)
    }

    /// Ends every open call, as [`ended`](ToolCallDelta::ended) does for one: for APIs that report
    /// the end of all calls at once, like OpenAI's chat completions with
    /// `finish_reason: "tool_calls"`. Do not call it for `length`.
    pub fn end_all(&mut self) -> Vec<ToolCallEvent> {
        self.end_each(End::OfCall)
    }

    /// Ends the reply and returns the last events. Calls that have not ended are completed if their
    /// arguments are terminated, and fail otherwise.
    pub fn finish(&mut self) -> Vec<ToolCallEvent> {
        self.is_over = true;
        self.end_each(if self.is_lost {
            End::Lost
        } else {
            End::OfReply
        })
    }

    /// Ends a reply that was lost, for example by an error of the connection: all calls that have
    /// not ended fail, even if their arguments are terminated.
    pub fn interrupt(&mut self) -> Vec<ToolCallEvent> {
        self.is_over = true;
        self.end_each(End::Lost)
    }

    /// Records that the source of the deltas has failed. If the end follows, it is not the end of
    /// the reply.
    #[cfg(feature = "stream")]
    pub(crate) const fn mark_lost(&mut self) {
        self.is_lost = true;
    }

    #[cfg(feature = "stream")]
    pub(crate) const fn time_limit(&self) -> Option<core::time::Duration> {
        self.limits.duration
    }

    fn end_each(&mut self, end: End) -> Vec<ToolCallEvent> {
        let mut events = Vec::new();
        for (&index, call) in &mut self.calls {
            call.end(end, &mut Sink::new(index, &mut events));
        }
        events
    }

    /// Resets the machine for another reply, keeping its options.
    pub fn reset(&mut self) {
        self.calls.clear();
        self.count = 0;
        self.is_over = false;
        self.is_lost = false;
    }
}

impl Default for ToolCalls {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ToolCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCalls")
            .field("calls", &self.count)
            .field("over", &self.is_over)
            .finish_non_exhaustive()
    }
}
