//! Rebuilds a document from its deltas.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use core::fmt;

use super::change::{Delta, PatchOperation};
use super::node::{self, Node};
use crate::raw_json::RawJson;

/// A document that is rebuilt from its [`Delta`]s, as in a client.
///
/// ```
/// use json_chunks::delta::{Delta, DeltaReplay};
///
/// let mut replay = DeltaReplay::new();
/// for received in [
///     r#"[{"path":"","value":{"name":"Vio"}}]"#,
///     r#"[{"path":"/name","append":"let"},{"path":"/rgb","value":[148]}]"#,
///     r#"[{"path":"/rgb/1","value":0}]"#,
/// ] {
///     replay.apply(&Delta::list_from_json(received)?)?;
/// }
/// assert_eq!(replay.get().unwrap(), r#"{"name":"Violet","rgb":[148,0]}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
///
/// A delta costs its length and, for each object on its path, the number of members after the named
/// one. [`get`](Self::get) costs the length of the document.
#[derive(Clone, Debug, Default)]
pub struct DeltaReplay {
    document: Option<Node>,
}

impl DeltaReplay {
    /// Returns a replay without a document.
    #[must_use]
    pub const fn new() -> Self {
        Self { document: None }
    }

    /// Applies the next deltas, in their order.
    ///
    /// # Errors
    ///
    /// If a delta does not fit: some are missing or are applied twice, or a value would be nested
    /// more than 128 levels deep. The document is dropped then, and starts with the next delta
    /// whose path is `""`.
    pub fn apply(&mut self, deltas: &[Delta]) -> Result<(), DeltaReplayError> {
        for delta in deltas {
            self.step(&delta.path, |top| node::apply(top, delta))?;
        }
        Ok(())
    }

    /// Applies the next operations of a JSON Patch, in their order. The document before the first
    /// one is null.
    ///
    /// # Errors
    ///
    /// Those of [`apply`](Self::apply); by RFC 6902, a replaced value has to exist.
    pub fn apply_patch(&mut self, operations: &[PatchOperation]) -> Result<(), DeltaReplayError> {
        for operation in operations {
            self.step(&operation.path, |top| node::apply_operation(top, operation))?;
        }
        Ok(())
    }

    fn step(
        &mut self,
        path: &str,
        step: impl FnOnce(&mut Option<Node>) -> Result<(), &'static str>,
    ) -> Result<(), DeltaReplayError> {
        step(&mut self.document).map_err(|reason| {
            self.document = None;
            let path = path.to_owned();
            DeltaReplayError { path, reason }
        })
    }

    /// Returns the document so far, without white space: numbers as the model wrote them, strings
    /// without unnecessary escapes. `None` before the first delta.
    #[must_use]
    pub fn get(&self) -> Option<RawJson> {
        self.document.as_ref().map(|document| {
            let mut text = String::new();
            document.write(&mut text);
            RawJson::new(text)
        })
    }
}

/// Why a [`DeltaReplay`] could not apply a delta. The text contains the names in the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeltaReplayError {
    path: String,
    reason: &'static str,
}

impl DeltaReplayError {
    /// Returns the path of the delta, a JSON Pointer (RFC 6901).
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for DeltaReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "delta at {:?}: {}", self.path, self.reason)
    }
}

impl core::error::Error for DeltaReplayError {}
