//! The changes of a growing document as data: deltas, and JSON Patch.
//!
//! For a client that shows a document while it is being written. The length of all deltas together
//! is linear in the length of the document, and a client applies them with a few lines of code: in
//! Rust with [`DeltaReplay`], in JavaScript with the module `examples/live/json-chunks.mjs`.
//!
//! | delta | does |
//! | --- | --- |
//! | `{"path":"","value":{"title":"Th"}}` | sets the value; the first delta of every document |
//! | `{"path":"/title","append":"ree"}` | appends to a string |
//! | `{"path":"/days","value":[]}` | sets a member, or replaces it |
//! | `{"path":"/days/0","value":1}` | sets an element, or adds the one after the last |
//!
//! [`DeltaReader`] reads fragments of JSON text; on streams it is
//! [`.json_deltas()`](crate::stream::FragmentStreamExt::json_deltas), and for snapshots
//! `.json_chunks().json_deltas()`. For clients that only read JSON Patch (RFC 6902),
//! [`.json_patches()`](crate::stream::FragmentStreamExt::json_patches) writes the same changes as
//! [`PatchOperation`]s. A patch cannot append, so it replaces an open string from time to time.
//!
//! # For maintainers
//!
//! | file | content |
//! | --- | --- |
//! | `change` | one step in its two forms, and their JSON |
//! | `published` | the published part of a value, and the changes since |
//! | `batch`, `reader` | fragments to batches of steps |
//! | `node` | a value that steps are applied to |
//! | `replay` | rebuilds a document |
//!
//! Entities use `published` and `node` as well: they do for each element what this room does for
//! the root.
//!
//! - *Only the end grows*: the open part of a published value is one path along the last children;
//!   see `published`.
//! - *The view is published*: after each batch, the deltas so far result in the root as the
//!   [`PartialPolicy`](crate::PartialPolicy) shows it. For patches this holds at the end of each
//!   string; before it, the string may be an earlier state.
//!
//! A new kind of step is added to `change`, to `node`, and to the JavaScript module.

mod batch;
mod change;
mod node;
mod published;
mod reader;
mod replay;

pub use batch::{DeltaBatch, DeltaFormat};
pub use change::{Delta, DeltaChange, PatchOp, PatchOperation};
pub(crate) use node::{Node, apply};
pub(crate) use published::{Published, View};
pub use reader::{DeltaReader, PatchReader};
pub use replay::{DeltaReplay, DeltaReplayError};

mod sealed {
    use alloc::string::String;

    use crate::raw_json::RawJson;

    /// How a step is written.
    pub trait Form: Sized {
        /// The default share of its length by which an open string grows before it is written
        /// again.
        const STRING_GROWTH: f64;

        /// A new member, or the element after the last.
        fn added(path: String, value: RawJson) -> Self;

        /// Another value in place of the current one.
        fn replaced(path: String, value: RawJson) -> Self;

        /// A string to which `more` was appended, and that is `entire` now.
        fn grown(path: String, more: &str, entire: impl FnOnce() -> RawJson) -> Self;

        /// Writes it as JSON, with the value as spelled in the text.
        fn write(&self, out: &mut String);
    }
}
