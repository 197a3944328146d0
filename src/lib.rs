#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod chunker;
mod document;
mod error;
mod json;
mod limits;
mod revision;
#[cfg(feature = "stream")]
pub mod stream;

pub use chunker::{Chunker, TextChunker};
pub use error::{Error, ErrorKind};
pub use limits::Limits;
pub use revision::{OnRevision, Revision, RevisionKind};
#[cfg(feature = "stream")]
pub use stream::{
    ChunkerStream, JsonStreamExt, Report, StreamError, TextChunkerStream, TryChunkerStream,
    TryJsonStreamExt, TryTextChunkerStream,
};
