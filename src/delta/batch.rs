//! The changes of one fragment.

use alloc::string::String;
use alloc::vec::{self, Vec};

use serde_core::ser::{Serialize, Serializer};

use super::change::{Delta, PatchOperation};
use super::sealed::Form;
use crate::sse::SseEvent;

/// The form of changes: [`Delta`]s or [`PatchOperation`]s. The trait is sealed.
pub trait DeltaFormat: Form + Serialize {}

impl DeltaFormat for Delta {}
impl DeltaFormat for PatchOperation {}

/// The changes that one fragment makes to a document. The `Debug` text contains payload.
///
/// As JSON it is the list of its deltas. The list may be empty: if the last fragment has only
/// closing brackets, all values are known already, and only [`is_complete`](Self::is_complete) has
/// changed.
///
/// ```
/// use json_chunks::Parser;
/// use json_chunks::delta::DeltaReader;
///
/// let mut reader = DeltaReader::new(Parser::new());
/// let mut lines = Vec::new();
/// for fragment in [r#"{"name": "Vio"#, r#"let", "rgb": [148"#, "]}"] {
///     lines.extend(reader.push(fragment)?.iter().map(|batch| batch.to_json()));
/// }
/// let first = r#"[{"path":"","value":{"name":"Vio"}}]"#;
/// let second = r#"[{"path":"/name","append":"let"},{"path":"/rgb","value":[148]}]"#;
/// assert_eq!(lines, [first, second, "[]"]);
/// # Ok::<(), json_chunks::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeltaBatch<D = Delta> {
    /// The changes, in the order in which they are applied.
    pub deltas: Vec<D>,
    /// Whether the JSON was terminated; a truncated text is not. No batch of the same document
    /// follows.
    pub is_complete: bool,
}

impl<D> DeltaBatch<D> {
    pub(super) const fn new(deltas: Vec<D>, is_complete: bool) -> Self {
        Self {
            deltas,
            is_complete,
        }
    }
}

impl<D: DeltaFormat> DeltaBatch<D> {
    /// Returns the list of deltas as JSON text in one line, with the values spelled as the model
    /// wrote them. (`Serialize` limits numbers to 64 or 128 bits.)
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::from("[");
        for (n, delta) in self.deltas.iter().enumerate() {
            if n > 0 {
                out.push(',');
            }
            delta.write(&mut out);
        }
        out.push(']');
        out
    }
}

/// Serializes as the list of deltas.
impl<D: Serialize> Serialize for DeltaBatch<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.deltas.serialize(serializer)
    }
}

/// Converts to one `message` event whose data is [the list as JSON](DeltaBatch::to_json).
impl<D: DeltaFormat> From<DeltaBatch<D>> for SseEvent {
    fn from(batch: DeltaBatch<D>) -> Self {
        Self::new(batch.to_json())
    }
}

impl<D> IntoIterator for DeltaBatch<D> {
    type Item = D;
    type IntoIter = vec::IntoIter<D>;

    fn into_iter(self) -> Self::IntoIter {
        self.deltas.into_iter()
    }
}
