//! stub
use alloc::string::String;
use alloc::vec::Vec;

use crate::{Error, Limits, OnRevision, Revision};

/// Snapshots in, chunks out.
#[derive(Clone, Debug, Default)]
pub struct Chunker {}

impl Chunker {
    /// A machine with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// What to do with a contradiction.
    #[must_use]
    pub fn on_revision(self, _: OnRevision) -> Self {
        self
    }
    /// Hold numbers like strings.
    #[must_use]
    pub fn growing_numbers(self, _: bool) -> Self {
        self
    }
    /// Null members count as absent.
    #[must_use]
    pub fn null_is_absent(self, _: bool) -> Self {
        self
    }
    /// Bounds.
    #[must_use]
    pub fn limits(self, _: Limits) -> Self {
        self
    }
    /// Takes a snapshot, gives the text that it makes certain (may be empty).
    ///
    /// # Errors
    /// Not JSON, limits, rejected revision; the machine is as before.
    pub fn push(&mut self, snapshot: &str) -> Result<String, Error> {
        let mut out = String::new();
        self.push_into(snapshot, &mut out)?;
        Ok(out)
    }
    /// As `push`, appending to `out`; `out` is as it was on error.
    ///
    /// # Errors
    /// As `push`.
    pub fn push_into(&mut self, _snapshot: &str, _out: &mut String) -> Result<(), Error> {
        Ok(())
    }
    /// Ends the value: everything held, all closers.
    pub fn finish(&mut self) -> String {
        String::new()
    }
    /// As `finish`, appending.
    pub fn finish_into(&mut self, _out: &mut String) {}
    /// Back to the start, options kept.
    pub fn reset(&mut self) {}
    /// The revisions since the last call.
    pub fn take_revisions(&mut self) -> Vec<Revision> {
        Vec::new()
    }
}

/// Plain-text snapshots in, text chunks out.
#[derive(Clone, Debug, Default)]
pub struct TextChunker {}

impl TextChunker {
    /// A machine with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// What to do with a contradiction (`Restate` is as `Keep`).
    #[must_use]
    pub fn on_revision(self, _: OnRevision) -> Self {
        self
    }
    /// Bounds.
    #[must_use]
    pub fn limits(self, _: Limits) -> Self {
        self
    }
    /// Takes a snapshot, gives what it adds.
    ///
    /// # Errors
    /// Limits, rejected revision.
    pub fn push(&mut self, _snapshot: &str) -> Result<String, Error> {
        Ok(String::new())
    }
    /// As `push`, appending.
    ///
    /// # Errors
    /// As `push`.
    pub fn push_into(&mut self, _snapshot: &str, _out: &mut String) -> Result<(), Error> {
        Ok(())
    }
    /// What was held back at the end.
    pub fn finish(&mut self) -> String {
        String::new()
    }
    /// As `finish`, appending.
    pub fn finish_into(&mut self, _out: &mut String) {}
    /// Back to the start.
    pub fn reset(&mut self) {}
    /// The revisions since the last call.
    pub fn take_revisions(&mut self) -> Vec<Revision> {
        Vec::new()
    }
}
