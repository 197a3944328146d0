//! The machines of fragments. `Chunker` and `TextChunker` need no wrapper: they implement
//! [`Machine`](super::Machine) themselves.

mod compact;
mod deltas;
mod document_deltas;
mod entities;
mod events;
mod extract;
mod field;
mod snapshots;
mod tool_calls;
mod values;
mod wire;

pub use deltas::{Deltas, TryDeltas};
pub use entities::{EntityData, EntityReader};
pub use events::EventReader;
pub use extract::JsonTexts;
pub use snapshots::{ByteChunker, TryValueSnapshots, ValueChunker, ValueSnapshot, ValueSnapshots};
pub use values::{AsText, AsType, PartialReader, SnapshotReader, ValueReader, View};
