// Its examples are tests, and the first one is about streams.
#![cfg_attr(feature = "stream", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "stream"), doc = "JSON in flight, both ways.")]
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod chunker;
mod continuation;
mod document;
mod entity;
mod error;
mod json;
mod limits;
mod parser;
mod revision;
mod sse;
#[cfg(feature = "stream")]
pub mod stream;
mod tool_call;

pub use chunker::{Chunker, TextChunker};
pub use continuation::{
    Accumulator, Advance, Candidate, Certainty, Continuation, Join, JoinFailure, JoinKind,
    Progress, Repair, RepairRule, Repaired, Section, repair, repair_with,
};
pub use document::{DeserializeError, Elements, Kind, Members, Partial, Partials, Value};
pub use entity::{
    Delta, DeltaChange, Entities, EntityError, EntityErrorCode, EntityEvent, EntityEvents,
    EntityMode, EntityStatus, JsonText, UnknownMode,
};
#[cfg(feature = "schema")]
pub use entity::{Schema, SchemaError};
pub use error::{Error, ErrorKind};
pub use json::{Token, Tokenizer};
pub use limits::Limits;
pub use parser::{Change, Event, Events, Growth, Parser, Path};
pub use revision::{OnRevision, Revision, RevisionKind};
pub use sse::{Replay, ReplayBuffer, SseEvent};
#[cfg(feature = "stream")]
pub use stream::{
    ChunkerStream, ContinueEvent, ContinueJson, EntityData, EntityStream, EventStream,
    FragmentStreamExt, JsonChange, JsonEvent, JsonStreamExt, PartialStream, Report, SnapshotStream,
    SseStream, SseStreamExt, StopReason, StreamError, TextChunkerStream, ToolCallStream,
    TryChunkerStream, TryEntityStream, TryEventStream, TryFragmentStreamExt, TryJsonStreamExt,
    TryPartialStream, TrySnapshotStream, TrySseStream, TryTextChunkerStream, TryToolCallStream,
    continue_json, continue_json_with,
};
pub use tool_call::{
    ToolCall, ToolCallDetector, ToolCallError, ToolCallEvent, ToolCallEvents, ToolCallShape,
};
