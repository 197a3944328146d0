//! The arguments so far, to be shown while they grow.

use alloc::format;

use serde_core::de::Error as _;

use super::ToolCalls;
use super::call::CallState;
use crate::document::{DeserializeError, PartialPolicy, Value};
use crate::parser::Parser;
use crate::partial::FromPartial;
use crate::partial::item::Partial;

impl ToolCalls {
    /// Returns the arguments so far of the call with this index, once their first byte has arrived.
    /// If several calls have the index, it is the last one.
    #[must_use]
    pub fn arguments(&self, index: usize) -> Option<Value<'_>> {
        self.calls.get(&index)?.parser.root()
    }

    /// Returns the arguments so far of the call with this index as a `T`, to show them while they
    /// grow. If several calls have the index, it is the last one. The arguments are complete if the
    /// call is: act only on a [completed](crate::tool_call::ToolCallEvent::Completed) call.
    ///
    /// They are read as by [`json_partials`](crate::stream::FragmentStreamExt::json_partials): an
    /// incomplete value that does not fit `T` yet is omitted, so that half a date in one field does
    /// not stall the others. Blank arguments are read as an object without members.
    ///
    /// ```
    /// use json_chunks::Partial;
    /// use json_chunks::tool_call::{ToolCallDelta, ToolCalls};
    /// use serde::Deserialize;
    ///
    /// #[derive(Debug, PartialEq, Deserialize)]
    /// struct Args {
    ///     path: Option<String>,
    ///     mode: Option<Mode>,
    /// }
    ///
    /// #[derive(Debug, PartialEq, Deserialize)]
    /// #[serde(rename_all = "lowercase")]
    /// enum Mode {
    ///     Read,
    /// }
    ///
    /// let mut calls = ToolCalls::new();
    /// let delta = ToolCallDelta::new(0).name("open").arguments(r#"{"path":"/src","mode":"re"#);
    /// let _ = calls.push(delta)?;
    /// let args = Args { path: Some("/src".into()), mode: None };
    /// assert_eq!(calls.partial::<Args>(0)?, Partial::incomplete(args));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such call, or if its arguments are not a `T` yet, for example because a
    /// required field is missing. A type with `Option` or `#[serde(default)]` on all fields, and a
    /// form that [`#[derive(Partial)]`](crate::partial) generates, can be read from the first byte
    /// on.
    ///
    /// # Cost
    ///
    /// Linear in the arguments so far; to read only the new part, use the deltas.
    pub fn partial<T: FromPartial>(&self, index: usize) -> Result<Partial<T>, DeserializeError> {
        let Some(call) = self.calls.get(&index) else {
            let message = format!("there is no call with the index {index}");
            return Err(DeserializeError::custom(message));
        };
        let value = match call.parser.root() {
            Some(arguments) => T::from_partial(arguments, PartialPolicy::default())?,
            None => Self::blank_arguments()?,
        };
        Ok(match call.state {
            CallState::Completed => Partial::complete(value),
            CallState::Open | CallState::Failed => Partial::incomplete(value),
        })
    }

    /// Returns the arguments before their first byte: `{}`, because that is their value if no text
    /// follows.
    fn blank_arguments<T: FromPartial>() -> Result<T, DeserializeError> {
        let mut parser = Parser::new();
        let begun = parser.push("{");
        debug_assert!(begun.is_ok(), "an object may begin");
        match parser.root() {
            Some(arguments) => T::from_partial(arguments, PartialPolicy::default()),
            None => Err(DeserializeError::custom("no arguments have arrived")),
        }
    }
}
