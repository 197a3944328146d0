//! The trait that an [adapter](super::adapter) drives.
//!
//! # For maintainers
//!
//! A machine has no access to streams, wakers or clocks: the adapter calls it, and it writes what
//! it emits to an [`Output`]. Only the adapter returns `Pending`.
//!
//! | the adapter | calls |
//! | --- | --- |
//! | has an item | [`feed`](Machine::feed) |
//! | has an error of the inner stream | [`interrupt`](Machine::interrupt) |
//! | is at the end of the inner stream | [`end`](Machine::end) |
//! | is past its deadline | [`on_timeout`](Machine::on_timeout) |
//! | is past the machine's interval, and it holds something | [`release`](Machine::release) |
//!
//! - *Nothing is lost*: held output is emitted by the next `interrupt`, `end`, `on_timeout` or
//!   error at the latest.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use core::time::Duration;

use super::fault::{Fault, OnFault};
use super::{StreamReport, log};
use crate::chunker::{Chunker, TextChunker};
use crate::error::Error;
use crate::json::skip_whitespace;
use crate::parser::Parser;

/// A state machine that an [`Adapter`](super::Adapter) drives.
///
/// | machine | reads | emits |
/// | --- | --- | --- |
/// | [`Chunker`] | JSON snapshots | text chunks |
/// | [`ByteChunker`](super::ByteChunker) | JSON snapshots as bytes | text chunks |
/// | [`ValueChunker`](super::ValueChunker) | values as snapshots | text chunks |
/// | [`TextChunker`] | snapshots of plain text | text chunks |
/// | [`SnapshotReader`] | fragments of JSON text | the value so far as JSON text |
/// | [`PartialReader`] | fragments of JSON text | the value so far as a type |
/// | [`EventReader`] | fragments of JSON text | the changes of the document |
/// | [`DeltaReader`] | fragments of JSON text | deltas, or JSON Patch |
/// | [`ToolCallDetector`] | fragments of JSON text | the events of tool calls |
/// | [`ToolCalls`] | [deltas of tool calls] | the events of tool calls |
/// | [`FieldReader`] | fragments of JSON text | the text of one value |
/// | [`JsonExtractor`] | the text of a model | the JSON in it, and the text around it |
/// | [`JsonTexts`] | the text of a model | the JSON in it |
/// | [`EntityReader`] | fragments of JSON text | the events of entities |
/// | [`wire::Reader`] | the body of a reply | the pieces of the reply |
///
/// [`through`](super::MachineStreamExt::through) drives a machine with a stream. The trait is
/// sealed: it cannot be implemented outside of this crate.
///
/// [`SnapshotReader`]: super::SnapshotReader
/// [`PartialReader`]: super::PartialReader
/// [`EventReader`]: super::EventReader
/// [`DeltaReader`]: crate::delta::DeltaReader
/// [`ToolCallDetector`]: crate::tool_call::ToolCallDetector
/// [`ToolCalls`]: crate::tool_call::ToolCalls
/// [deltas of tool calls]: crate::tool_call::ToolCallDelta
/// [`FieldReader`]: crate::field::FieldReader
/// [`JsonExtractor`]: crate::extract::JsonExtractor
/// [`JsonTexts`]: super::JsonTexts
/// [`EntityReader`]: super::EntityReader
/// [`wire::Reader`]: crate::wire::Reader
pub trait Machine: sealed::Sealed {
    /// The type that the items of the inner stream are read as: `str` for snapshots, `[u8]` for
    /// fragments, [`ToolCallDelta`](crate::tool_call::ToolCallDelta).
    type Input: ?Sized;

    /// The items that the machine emits.
    type Item;

    /// The maximum number of items that one call emits, if there is a bound.
    #[doc(hidden)]
    const MOST_ITEMS: Option<usize>;

    #[doc(hidden)]
    const RECOVERY: ErrorRecovery;

    /// Reads the next input. If it returns an error, the output from before the error is emitted as
    /// well.
    #[doc(hidden)]
    fn feed(&mut self, input: &Self::Input, out: &mut Output<'_, Self::Item>) -> Result<(), Error>;

    /// Called when the inner stream has ended.
    #[doc(hidden)]
    fn end(&mut self, out: &mut Output<'_, Self::Item>) -> Result<(), Error>;

    /// Called after an error of the inner stream. If only the end follows, the text may have been
    /// truncated here, so the end completes nothing.
    #[doc(hidden)]
    fn interrupt(&mut self, _: &mut Output<'_, Self::Item>) {}

    /// Called when the deadline passes. Emits what can still be emitted.
    #[doc(hidden)]
    fn on_timeout(&mut self, why: &Error, out: &mut Output<'_, Self::Item>);

    /// Returns whether output is held until the [`interval`](Self::interval) has passed.
    #[doc(hidden)]
    fn is_holding(&self) -> bool {
        false
    }

    /// Called when the interval has passed. Emits the held output.
    #[doc(hidden)]
    fn release(&mut self, _: &mut Output<'_, Self::Item>) {}

    /// Returns the text of an input, for machines whose inputs supersede each other.
    #[doc(hidden)]
    #[must_use]
    fn text(_: &Self::Input) -> &[u8] {
        &[]
    }

    /// Returns whether the machine ignores this input.
    #[doc(hidden)]
    #[must_use]
    fn is_blank(_: &Self::Input) -> bool {
        false
    }

    /// Returns the parser, where all inputs are one JSON text.
    #[doc(hidden)]
    fn parser(&self) -> Option<&Parser> {
        None
    }

    /// Returns the number of bytes that have been read, for machines whose inputs are one text.
    #[doc(hidden)]
    fn offset(&self) -> usize {
        self.parser().map_or(0, |parser| parser.last_update().end())
    }

    /// Returns the maximum duration of the stream.
    #[doc(hidden)]
    fn time_limit(&self) -> Option<Duration> {
        self.parser().and_then(Parser::time_limit)
    }

    /// Returns the minimum time between two items.
    #[doc(hidden)]
    fn interval(&self) -> Option<Duration> {
        None
    }
}

/// A [machine](Machine) that reads snapshots, each of which supersedes the one before:
/// [`Chunker`] in its three forms, and [`TextChunker`].
pub trait SnapshotMachine: Machine {}

pub(super) mod sealed {
    pub trait Sealed {}
}

/// What happens to the stream after an error of its machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorRecovery {
    /// The next input supersedes the one that could not be used.
    Skip,
    /// The text after the unusable input cannot be read.
    Stop,
}

/// The output of a machine.
#[derive(Debug)]
pub struct Output<'a, T> {
    pub(super) queue: &'a mut VecDeque<Result<T, Box<Fault>>>,
    pub(super) on_fault: &'a mut OnFault,
    pub(super) report: &'a mut StreamReport,
    /// Whether the machine's interval has not passed, so that output which may be held has to be.
    pub(super) is_paused: bool,
}

impl<T> Output<'_, T> {
    pub(super) fn item(&mut self, item: T) {
        self.on_fault.emit();
        self.queue.push_back(Ok(item));
    }

    pub(super) fn fault(&mut self, fault: Fault) {
        self.report.note(&fault);
        let fault = self.on_fault.fault(fault);
        self.queue.extend(fault.map(|fault| Err(Box::new(fault))));
    }

    /// Reports the error that ends the stream.
    pub(super) fn end(&mut self, error: Error) {
        self.report.note_hint(error.hint());
        let fault = self.on_fault.end(error);
        self.queue.extend(fault.map(|fault| Err(Box::new(fault))));
    }

    /// Reports the likely fix for a mistake that is not an error.
    pub(super) fn hint(&mut self, hint: &'static str) {
        if self.report.hint() != Some(hint) {
            self.report.note_hint(Some(hint));
            self.on_fault.hint(hint);
        }
    }
}

impl Output<'_, String> {
    pub(super) fn chunk(&mut self, chunk: String) {
        if !chunk.is_empty() {
            self.item(chunk);
        }
    }
}

macro_rules! machine_of_snapshots {
    ($machine:ty, is_blank: $is_blank:expr) => {
        impl sealed::Sealed for $machine {}

        impl SnapshotMachine for $machine {}

        impl Machine for $machine {
            type Input = str;
            type Item = String;

            const MOST_ITEMS: Option<usize> = Some(1);
            const RECOVERY: ErrorRecovery = ErrorRecovery::Skip;

            fn feed(&mut self, snapshot: &str, out: &mut Output<'_, String>) -> Result<(), Error> {
                let chunk = self.push(snapshot)?;
                log::pushed(snapshot.len(), chunk.len());
                out.chunk(chunk);
                for revision in self.take_revisions() {
                    out.report.count_revision(revision.is_restated());
                    out.fault(revision.into());
                }
                Ok(())
            }

            fn end(&mut self, out: &mut Output<'_, String>) -> Result<(), Error> {
                let chunk = self.finish();
                log::finished(chunk.len());
                out.chunk(chunk);
                for revision in self.take_revisions() {
                    out.report.count_revision(revision.is_restated());
                    out.fault(revision.into());
                }
                Ok(())
            }

            fn on_timeout(&mut self, _: &Error, out: &mut Output<'_, String>) {
                let _ = self.end(out);
            }

            fn text(snapshot: &str) -> &[u8] {
                snapshot.as_bytes()
            }

            fn is_blank(snapshot: &str) -> bool {
                let is_blank: fn(&str) -> bool = $is_blank;
                is_blank(snapshot)
            }

            fn time_limit(&self) -> Option<Duration> {
                self.time_limit()
            }
        }
    };
}

machine_of_snapshots!(Chunker, is_blank: |text| skip_whitespace(text.as_bytes(), 0) == text.len());
machine_of_snapshots!(TextChunker, is_blank: str::is_empty);
