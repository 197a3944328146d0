//! What the [driver](super::driver) drives.

use alloc::collections::VecDeque;
use alloc::string::String;
use core::time::Duration;

use super::fault::{Fault, OnFault};
use super::{Report, log};
use crate::{Chunker, Error, TextChunker};

/// A state machine that takes what the inner stream yields and puts out items.
pub(super) trait Machine {
    /// What an item of the inner stream is read as.
    type Input: ?Sized;

    /// What goes out.
    type Item;

    /// The most items that one call puts out, where there is a bound.
    const MOST_ITEMS: Option<usize>;

    const AFTER_ERROR: AfterError;

    /// Takes the next input. With an error, too, what came of it before goes to `out`.
    fn feed<F: OnFault>(
        &mut self,
        input: &Self::Input,
        out: &mut Outbox<'_, Self::Item, F>,
    ) -> Result<(), Error>;

    /// Takes the end of the stream.
    fn end<F: OnFault>(&mut self, out: &mut Outbox<'_, Self::Item, F>) -> Result<(), Error>;

    /// Takes that no more is waited for, and why: puts out what can be put out all the same.
    fn give_up<F: OnFault>(&mut self, why: &Error, out: &mut Outbox<'_, Self::Item, F>);

    /// How much of the input has been taken, in bytes, where all inputs are one text.
    fn offset(&self) -> usize;

    /// How long the stream may take.
    fn time_limit(&self) -> Option<Duration>;
}

/// What becomes of the stream when a machine returns an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AfterError {
    /// The next input supersedes the one that could not be used.
    GoesOn,
    /// Without what could not be used, all that follows has no meaning.
    Ends,
}

/// Where a machine puts what it puts out.
pub(super) struct Outbox<'a, T, F: OnFault> {
    pub(super) queue: &'a mut VecDeque<F::Out<T>>,
    pub(super) report: &'a mut Report,
}

impl<T, F: OnFault> Outbox<'_, T, F> {
    pub(super) fn item(&mut self, item: T) {
        self.queue.push_back(F::item(item));
    }

    pub(super) fn fault(&mut self, fault: Fault) {
        self.queue.extend(F::fault(fault));
    }

    /// Says why the stream is over before its time.
    pub(super) fn ended_by(&mut self, error: Error) {
        self.report.end_by(error.kind());
        self.queue.extend(F::end(error));
    }
}

impl<F: OnFault> Outbox<'_, String, F> {
    fn chunk(&mut self, chunk: String) {
        if !chunk.is_empty() {
            self.item(chunk);
        }
    }
}

macro_rules! machine_of_snapshots {
    ($($machine:ty),+) => {$(
        impl Machine for $machine {
            type Input = str;
            type Item = String;

            const MOST_ITEMS: Option<usize> = Some(1);
            const AFTER_ERROR: AfterError = AfterError::GoesOn;

            fn feed<F: OnFault>(
                &mut self,
                snapshot: &str,
                out: &mut Outbox<'_, String, F>,
            ) -> Result<(), Error> {
                let chunk = self.push(snapshot)?;
                log::pushed(snapshot.len(), chunk.len());
                out.chunk(chunk);
                for revision in self.take_revisions() {
                    out.report.count_revision(revision.is_mended());
                    out.fault(revision.into());
                }
                Ok(())
            }

            fn end<F: OnFault>(&mut self, out: &mut Outbox<'_, String, F>) -> Result<(), Error> {
                let chunk = self.finish();
                log::finished(chunk.len());
                out.chunk(chunk);
                for revision in self.take_revisions() {
                    out.report.count_revision(revision.is_mended());
                    out.fault(revision.into());
                }
                Ok(())
            }

            fn give_up<F: OnFault>(&mut self, _: &Error, out: &mut Outbox<'_, String, F>) {
                let _ = self.end(out);
            }

            fn offset(&self) -> usize {
                0
            }

            fn time_limit(&self) -> Option<Duration> {
                self.time_limit()
            }
        }
    )+};
}

machine_of_snapshots!(Chunker, TextChunker);
