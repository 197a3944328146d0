//! Options: what the caller knows about the text.

use crate::limits::Limits;

/// Options of [`repair_with`](crate::continuation::repair_with).
///
/// ```
/// use json_chunks::repair::{FinishReason, RepairOptions, repair_with};
///
/// let lines = RepairOptions::default().multiple_values(true);
/// assert_eq!(repair_with("{\"a\":1}\n{\"a\":2}", lines)?.text(), "[{\"a\":1},\n{\"a\":2}]");
///
/// // Truncated, or without its last quote? The API reports that the model stopped by itself.
/// let stopped = RepairOptions::default().finish_reason(FinishReason::Stopped);
/// assert_eq!(repair_with(r#"{"a":"text}"#, stopped)?.text(), r#"{"a":"text"}"#);
/// # Ok::<(), json_chunks::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairOptions {
    pub(super) limits: Limits,
    pub(super) multiple_values: bool,
    pub(super) finish_reason: Option<FinishReason>,
}

impl RepairOptions {
    /// Sets the limits for the input and the result. The default is [`Limits::default`].
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether several values, as in JSON Lines, become an array. The default is `false`: the
    /// first value is returned. A single value stays as it is.
    #[must_use]
    pub const fn multiple_values(mut self, multiple: bool) -> Self {
        self.multiple_values = multiple;
        self
    }

    /// Sets why the text ends. By default, a prefix of valid JSON is treated as truncated, and any
    /// other text as malformed.
    #[must_use]
    pub const fn finish_reason(mut self, reason: FinishReason) -> Self {
        self.finish_reason = Some(reason);
        self
    }
}

/// Why a text ends: what a model's API reports as `finish_reason` or `stop_reason`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FinishReason {
    /// The model was done (`stop`, `end_turn`, `tool_calls`), so missing tokens are mistakes.
    Stopped,
    /// The reply was truncated (`length`, `max_tokens`), so missing tokens were not written yet.
    Truncated,
}
