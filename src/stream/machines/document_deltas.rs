//! The [`DeltaReader`] as a machine.

use alloc::vec::Vec;

use crate::delta::{DeltaBatch, DeltaFormat, DeltaReader};
use crate::error::Error;
use crate::parser::Parser;
use crate::stream::log;
use crate::stream::machine::{ErrorRecovery, Machine, Output, sealed};

fn emit<D>(batches: Vec<DeltaBatch<D>>, out: &mut Output<'_, DeltaBatch<D>>) {
    for batch in batches {
        out.item(batch);
    }
}

impl<D> sealed::Sealed for DeltaReader<D> {}

impl<D: DeltaFormat> Machine for DeltaReader<D> {
    type Input = [u8];
    type Item = DeltaBatch<D>;

    const MOST_ITEMS: Option<usize> = None;
    const RECOVERY: ErrorRecovery = ErrorRecovery::Stop;

    fn feed(&mut self, fragment: &[u8], out: &mut Output<'_, Self::Item>) -> Result<(), Error> {
        let pushed = self.push(fragment);
        log::grown(fragment, self.parser.last_update());
        if pushed.is_err() {
            emit(self.rest(), out);
        }
        pushed.map(|batches| emit(batches, out))
    }

    fn end(&mut self, out: &mut Output<'_, Self::Item>) -> Result<(), Error> {
        let finished = self.finish();
        if finished.is_err() {
            emit(self.rest(), out);
        }
        finished.map(|batches| emit(batches, out))
    }

    // The growth that a patch waits for may never arrive.
    fn interrupt(&mut self, out: &mut Output<'_, Self::Item>) {
        self.parser.interrupt();
        emit(self.rest(), out);
    }

    // The reply was lost, so the end completes nothing.
    fn on_timeout(&mut self, _: &Error, out: &mut Output<'_, Self::Item>) {
        emit(self.rest(), out);
    }

    fn parser(&self) -> Option<&Parser> {
        Some(&self.parser)
    }
}
