//! Repair of malformed JSON, with a list of the edits.
//!
//! A valid text is validated and returned: no tree, and one copy. Any other text is read by the
//! [`Repairer`], which only records edits and never writes text itself, so everything outside of
//! the [`edits`] is the input byte for byte. The result is validated again.
//!
//! # For maintainers
//!
//! | file | content |
//! | --- | --- |
//! | [`start`] | finds the start of the value and its wrapping |
//! | [`token`], [`state`], [`rules`] | the table: expected × token → action, tested cell by cell |
//! | [`repairer`] | the state of the reader, and the steps that all others share |
//! | [`apply`] | the loop: reads a token, looks up the action, applies it |
//! | [`around`] | drops what precedes and follows the value |
//! | [`cues`] | the end of a string as a list of named cues, each with an example |
//! | [`string`], [`escape`] | the content of strings, missing quotes, escapes |
//! | [`closers`] | closing brackets: which one is due, by balance and by indentation |
//! | [`members`], [`scalars`] | names; numbers, literals and strings without quotes |
//! | [`quote`], [`word`], [`lookahead`] | pure functions of the text |
//! | [`rule`], [`edits`] | the names of the rules; the edits, undo, loss |
//!
//! Imports go one way: the pure functions ← [`state`] ← [`repairer`] ← [`escape`] ← [`string`] ←
//! [`members`], [`scalars`] ← [`closers`] ← [`apply`], [`around`].
//!
//! Invariants:
//!
//! - *Sound texts are not interpreted.* If the value is valid JSON or a prefix of it
//!   ([`Mode::is_sound`]), open strings and containers are closed and nothing else happens. This is
//!   law 13: every prefix of a valid text shows a part of the final value, and nothing shown is
//!   taken back. A new heuristic must either require something before it that valid JSON cannot
//!   contain, or check `is_sound`.
//! - *Edits are ordered.* No two edits overlap, and their ranges ascend (asserted where they are
//!   [applied](edits::apply)).
//! - *Linear time.* Lookahead stops at the second quote at the latest; going back
//!   ([`Repairer::content`], `reopen`) crosses only white space and brackets, because the text
//!   before them is kept; searches for balanced brackets draw on a [`Credit`](cost::Credit).
//!   `cost/tests.rs` counts.
//! - *Content is dropped last.* If a [reading](repairer::Reading) loses content, the text is read
//!   once more with the last ambiguous quote before the loss read the other way, and the reading
//!   that loses less is used.
//!
//! To add a rule: a variant in [`rule`], a row in `rules.md` (the table of the documentation, which
//! is also a test), a row in `tests/it/repair/defects.rs` (`cargo test --test it repair::defects --
//! --nocapture` prints how many documents with that defect are restored), and its parts in
//! `cost/tests.rs`. To add a way in which a string ends: a cue with its example.

mod apply;
mod around;
mod closers;
mod cost;
mod cues;
mod edits;
mod escape;
mod lookahead;
mod members;
mod options;
mod quote;
mod repairer;
mod rule;
mod rules;
mod scalars;
mod start;
mod state;
mod string;
mod token;
mod utf8;
mod word;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::Deserialize;

use crate::document::{DeserializeError, PartialPolicy, Value};
use crate::error::{Error, Reason};
use crate::json::{json_value_end, validate};
use crate::limits::Limits;
use crate::parser::Parser;
use edits::Edits;
pub use edits::RepairEdit;
pub use options::{FinishReason, RepairOptions};
use repairer::{Mode, Repairer};
pub use rule::RepairRule;
use start::Start;
use utf8::DecodedBytes;

/// Repairs malformed JSON, as models write it.
///
/// Valid JSON is returned byte for byte, including white space and duplicate names. Anything else
/// is read leniently: open strings and containers are closed, missing tokens are inserted, text
/// that is not part of the value is left out. The [edits](Repaired::edits) list every change. The
/// result is always valid JSON, and repairing it again changes nothing.
///
/// ```
/// use json_chunks::repair;
/// use json_chunks::repair::RepairRule;
///
/// let reply = "Here you are:\n```json\n{'days': 3, \"title\": \"Three \"slow\" da";
/// let repaired = repair(reply)?;
/// assert_eq!(repaired.text(), r#"{"days": 3, "title": "Three \"slow\" da"}"#);
/// assert_eq!(repaired.value().get("days").and_then(|days| days.as_number()), Some("3"));
///
/// let first = &repaired.edits()[0];
/// assert_eq!((first.rule(), first.range(), first.replacement()), (RepairRule::Fence, 0..22, ""));
/// assert!(!repaired.is_lossy());
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// # Rules
///
/// `␊` is a line feed, `␉` a tab, `⟨…⟩` are bytes in hexadecimal. `multiple_values` is an
/// [option](RepairOptions::multiple_values).
///
#[doc = include_str!("repair/rules.md")]
///
/// # Finding the value
///
/// The value is at the start if the text starts with a bracket, with a name and a colon, or with a
/// string, number or literal alone on its line. Otherwise it is searched for in this order: in a
/// Markdown fence, preferably one marked as JSON; in a tool call in the format of a model family;
/// at the first bracket that has a matching closer and looks like JSON. Reasoning (`<think>`) is
/// skipped. The value ends at its last closer, its fence or its tag. If there are several values,
/// as in JSON Lines, the first is returned; the others are reported as [lost](Repaired::lost), or
/// become [an array](RepairOptions::multiple_values).
///
/// # Truncated or malformed
///
/// A prefix of valid JSON is treated as truncated: an open string extends to the end of the text,
/// and everything open is closed. So every prefix of a valid text yields a part of the final value,
/// and a longer prefix never takes anything back. This is why `{"a":"b}` becomes `{"a":"b}"}`; to
/// read it as `{"a":"b"}`, set the [finish reason](RepairOptions::finish_reason) to
/// [`Stopped`](FinishReason::Stopped). In any other text a missing quote is detected by what has to
/// follow the string: the closers that are due, a comma and the next name, a colon and a value.
///
/// # Ambiguity
///
/// A malformed text may be read in more than one way. Whether a quote ends its string is decided by
/// what follows it; if that reading loses content, the text is read again with the ambiguous quote
/// read the other way, and the reading that loses less is returned. Without indentation it is
/// unknown which of several objects lacks its brace. `C:\new` in a string contains a line feed,
/// unless the path has an invalid escape or a second backslash. Check the edits before you rely on
/// a value that matters.
///
/// # Errors
///
/// Returns an error if the text contains no value
/// ([`ErrorKind::Syntax`](crate::error::ErrorKind::Syntax)), or if it exceeds the default
/// [`Limits`].
///
/// # Cost
///
/// Linear in the length of the text, for every input. Valid JSON is validated and copied; malformed
/// text is read once or twice, and the result is validated. Memory: the text, and about 60 bytes
/// for each edit; a tree is built only when [`value`](Repaired::value) is called.
pub fn repair(text: impl AsRef<[u8]>) -> Result<Repaired, Error> {
    repair_with(text, RepairOptions::default())
}

/// Repairs a text as [`repair`] does, with options.
///
/// ```
/// use json_chunks::{ErrorKind, Limits};
/// use json_chunks::repair::{RepairOptions, repair_with};
///
/// let options = RepairOptions::default().limits(Limits::default().max_depth(2));
/// let error = repair_with("[[[1", options).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (ErrorKind::TooDeep, 2));
/// ```
///
/// # Errors
///
/// Those of [`repair`].
pub fn repair_with(text: impl AsRef<[u8]>, options: RepairOptions) -> Result<Repaired, Error> {
    let bytes = text.as_ref();
    let decoded = DecodedBytes::new(bytes);
    let text = decoded.text.as_ref();
    match validate(text, options.limits) {
        Ok(()) if decoded.is_exact() => return Ok(Repaired::new(text.into(), Vec::new())),
        Err(error) if error.is_limit() => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let nothing = || Error::new(Reason::Expected("a value"), text.len());
    let start = start::find(text.as_bytes()).ok_or_else(nothing)?;
    let value = text.get(start.at..start.limit).unwrap_or_default();
    let checked = json_value_end(value, options.limits);
    let is_sound = match &checked {
        Ok(end) => !options.multiple_values && is_all(value, *end),
        Err(error) => error.is_incomplete() && options.finish_reason != Some(FinishReason::Stopped),
    };
    let mode = Mode {
        depth: options.limits.depth,
        is_sound,
        finish_reason: options.finish_reason,
        multiple_values: options.multiple_values,
        flipped: None,
    };
    let (edits, is_json) = match checked {
        // Only what precedes and follows valid JSON is dropped.
        Ok(len) if is_sound => (Repairer::new(text, mode).unwrap(&start, len), true),
        Ok(_) | Err(_) => (least_loss(text, &start, mode)?, false),
    };
    let edits = edits.into_vec();
    let text = edits::apply(text, &edits);
    if !is_json {
        validate(&text, options.limits)?;
    }
    Ok(Repaired::new(text, decoded.of_bytes(edits)))
}

/// Returns whether the JSON value that ends at `end` is the entire value: true for
/// `{"a":1} Enjoy!`, false for `{"a":1}, "b":2}` and `"a" + "b"`, because these continue.
fn is_all(text: &str, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default().trim_ascii_start();
    text.starts_with(['{', '[']) && !rest.starts_with([',', '"', '\'', '+', ':'])
}

/// Returns the edits of the reading that loses least. If the first reading loses content, the text
/// is read a second time with the last ambiguous quote before the loss read the other way.
fn least_loss(text: &str, start: &Start, mode: Mode) -> Result<Edits, Error> {
    let first = Repairer::new(text, mode).read(start)?;
    let loss = first.loss();
    let flipped = first
        .quote_before_loss
        .filter(|_| loss > 0 && !mode.is_sound);
    if flipped.is_some() {
        let mode = Mode { flipped, ..mode };
        if let Ok(second) = Repairer::new(text, mode).read(start)
            && second.loss() < loss
        {
            return Ok(second.edits);
        }
    }
    Ok(first.edits)
}

/// The result of [`repair`]: JSON text and the edits that led to it.
#[derive(Clone)]
pub struct Repaired {
    text: String,
    edits: Vec<RepairEdit>,
    /// The parsed value, from the first call of [`Repaired::value`] on.
    parser: Lazy<Parser>,
}

#[cfg(feature = "std")]
use std::sync::OnceLock as Lazy;

#[cfg(not(feature = "std"))]
use core::cell::OnceCell as Lazy;

impl Repaired {
    fn new(text: String, edits: Vec<RepairEdit>) -> Self {
        let parser = Lazy::new();
        Self {
            text,
            edits,
            parser,
        }
    }

    /// Returns the JSON text: the input with the [edits](Self::edits) applied.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the JSON text, without a copy.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }

    /// Returns the value. The first call parses the text.
    ///
    /// # Panics
    ///
    /// Never: the text is valid JSON.
    #[must_use]
    pub fn value(&self) -> Value<'_> {
        let parser = self.parser.get_or_init(|| {
            Parser::of_whole(self.text.as_bytes(), Limits::unlimited())
                .expect("the text has been validated")
        });
        parser.root().expect("the text has been parsed to its end")
    }

    /// Deserializes the value as a `T`: see [`Value::deserialize`].
    ///
    /// # Errors
    ///
    /// If the value does not have the shape of a `T`.
    pub fn deserialize<'a, T: Deserialize<'a>>(&'a self) -> Result<T, DeserializeError> {
        self.value().deserialize(PartialPolicy::default())
    }

    /// Returns the edits in the order of the input. No two overlap.
    #[must_use]
    pub fn edits(&self) -> &[RepairEdit] {
        &self.edits
    }

    /// Returns the edits that dropped text which may have been part of the value, see
    /// [`RepairRule::is_lossy`].
    ///
    /// ```
    /// let repaired = json_chunks::repair(r#"Here: {"a":1,"b"#)?;
    /// let lost: Vec<_> = repaired.lost().map(|edit| edit.range()).collect();
    /// assert_eq!(lost, [12..15]); // `,"b`, but not the prose
    /// # Ok::<(), json_chunks::Error>(())
    /// ```
    pub fn lost(&self) -> impl Iterator<Item = &RepairEdit> {
        self.edits.iter().filter(|edit| edit.rule().is_lossy())
    }

    /// Returns whether any content was [lost](Self::lost).
    #[must_use]
    pub fn is_lossy(&self) -> bool {
        self.lost().next().is_some()
    }

    /// Returns whether the input was valid JSON already.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.edits.is_empty()
    }
}

impl fmt::Debug for Repaired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repaired")
            .field("bytes", &self.text.len())
            .field("edits", &self.edits.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ambiguous_quote_is_read_the_other_way_if_content_would_be_lost() {
        for (text, meant) in [
            (
                r#"{"a":"see "b"}, so x","d":1}"#,
                r#"{"a":"see \"b\"}, so x","d":1}"#,
            ),
            (
                r#"{"a":"see "b"},: [: a","d":1}"#,
                r#"{"a":"see \"b\"},: [: a","d":1}"#,
            ),
        ] {
            let start = start::find(text.as_bytes()).unwrap();
            let mode = Mode {
                depth: 8,
                is_sound: false,
                finish_reason: None,
                multiple_values: false,
                flipped: None,
            };
            let first = Repairer::new(text, mode).read(&start).unwrap();
            assert!(first.loss() > 0, "{text}");
            let repaired = repair(text).unwrap();
            assert_eq!(repaired.text(), meant);
            assert!(!repaired.is_lossy());
        }
    }
}
