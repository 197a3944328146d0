// Its examples are tests, and some of them are about streams and continuation.
#![cfg_attr(
    all(feature = "stream", feature = "continuation"),
    doc = include_str!("../README.md")
)]
#![cfg_attr(
    not(all(feature = "stream", feature = "continuation")),
    doc = "Streaming JSON for language models."
)]
#![cfg_attr(
    not(feature = "continuation"),
    allow(
        dead_code,
        unused_imports,
        reason = "what only `continuation` uses of the other rooms"
    )
)]
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod chunker;
mod config;
#[cfg(feature = "continuation")]
mod continuation;
pub mod delta;
mod document;
mod drained;
pub mod entity;
mod error;
#[cfg(feature = "tokio")]
pub mod event_log;
pub mod extract;
pub mod field;
mod json;
mod limits;
mod parser;
pub mod partial;
mod raw_json;
mod revision;
#[cfg(not(feature = "schema"))]
mod schema;
#[cfg(feature = "schema")]
pub mod schema;
pub mod sse;
#[cfg(feature = "stream")]
pub mod stream;
pub mod tool_call;
pub mod wire;
mod wrapping;

pub use chunker::{AbsentValues, Chunker, MemberOrder, TextChunker};
#[cfg(feature = "continuation")]
pub use continuation::repair;
pub use document::{Kind, PartialMode, PartialPolicy, Value};
pub use error::{Error, ErrorKind};
#[cfg(feature = "derive")]
pub use json_chunks_derive::Partial;
pub use limits::Limits;
pub use parser::{Change, Event, Parser, Update};
pub use partial::item::Partial;
pub use revision::{Revision, RevisionKind, RevisionPolicy};

/// The extension traits: `use json_chunks::prelude::*;` brings the methods of all adapters into
/// scope.
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::prelude::*;
///
/// let snapshots = stream::iter([r#"{"name": "Mat"}"#, r#"{"name": "Matthew"}"#]);
/// let chunks: Vec<String> = block_on(snapshots.json_chunks().collect());
/// assert_eq!(chunks.concat(), r#"{"name":"Matthew"}"#);
/// ```
#[cfg(feature = "stream")]
pub mod prelude {
    #[cfg(feature = "tokio")]
    pub use crate::event_log::LogStreamExt as _;
    pub use crate::stream::{
        FragmentStreamExt as _, MachineStreamExt as _, SnapshotStreamExt as _, SseStreamExt as _,
        ToolCallStreamExt as _, TryFragmentStreamExt as _, TrySnapshotStreamExt as _,
        ValueStreamExt as _, WireStreamExt as _,
    };
}

/// Truncated replies of a model, joined into one document.
///
/// [`Accumulator`](join::Accumulator) joins the replies one after the other, and documents the
/// rules.
#[cfg(feature = "continuation")]
pub mod join {
    pub use crate::continuation::{
        Accumulator, Candidate, Confidence, Join, JoinFailure, JoinKind, JoinOutcome,
    };
}

/// Prompts for a model that has to continue a reply.
///
/// [`ContinuationPrompt`](prompt::ContinuationPrompt) describes how far the document is,
/// [`Progress`](prompt::Progress) says whether another call is worth it.
#[cfg(feature = "continuation")]
pub mod prompt {
    pub use crate::continuation::{ContinuationPrompt, Progress, ProgressChange, Section};
}

/// Options and results of [`repair()`](crate::repair()).
#[cfg(feature = "continuation")]
pub mod repair {
    pub use crate::continuation::{
        FinishReason, RepairEdit, RepairOptions, RepairRule, Repaired, repair_with,
    };
}

/// The tokens of JSON text in fragments, without a document.
pub mod tokens {
    pub use crate::json::{StringToken, Token, Tokenizer};
}

/// The types that [`Value`] and [`Update`] return: iterators, paths, errors; and values that own
/// their text.
pub mod value {
    pub use crate::document::{DeserializeError, Elements, Members, ValueIndex};
    pub use crate::parser::{Events, Path};
    pub use crate::raw_json::RawJson;
}
