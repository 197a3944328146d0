//! [`FieldReader`] as a machine.

use alloc::string::String;

use crate::error::Error;
use crate::field::FieldReader;
use crate::parser::Parser;
use crate::stream::log;
use crate::stream::machine::{ErrorRecovery, Machine, Output, sealed};

impl sealed::Sealed for FieldReader {}

impl Machine for FieldReader {
    type Input = [u8];
    type Item = String;

    const MOST_ITEMS: Option<usize> = Some(1);
    const RECOVERY: ErrorRecovery = ErrorRecovery::Stop;

    fn feed(&mut self, fragment: &[u8], out: &mut Output<'_, String>) -> Result<(), Error> {
        let pushed = self.push(fragment).map(|text| out.chunk(text));
        log::grown(fragment, self.parser.last_update());
        out.chunk(self.rest());
        pushed
    }

    fn end(&mut self, out: &mut Output<'_, String>) -> Result<(), Error> {
        let finished = self.finish().map(|text| out.chunk(text));
        out.chunk(self.rest());
        finished
    }

    fn interrupt(&mut self, _: &mut Output<'_, String>) {
        self.parser.interrupt();
    }

    // The text so far has been emitted already.
    fn on_timeout(&mut self, _: &Error, _: &mut Output<'_, String>) {}

    fn parser(&self) -> Option<&Parser> {
        Some(&self.parser)
    }
}
