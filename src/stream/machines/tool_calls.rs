//! The [`ToolCallDetector`] as a machine.

use crate::error::Error;
use crate::parser::Parser;
use crate::stream::log;
use crate::stream::machine::{ErrorRecovery, Machine, Output, sealed};
use crate::tool_call::{ToolCallDetector, ToolCallEvent};

impl sealed::Sealed for ToolCallDetector {}

impl Machine for ToolCallDetector {
    type Input = [u8];
    type Item = ToolCallEvent;

    const MOST_ITEMS: Option<usize> = None;
    const RECOVERY: ErrorRecovery = ErrorRecovery::Stop;

    fn feed(&mut self, fragment: &[u8], out: &mut Output<'_, ToolCallEvent>) -> Result<(), Error> {
        let pushed = self
            .push(fragment)
            .map(|events| events.for_each(|event| out.item(event)));
        log::grown(fragment, self.parser.last_update());
        self.events().for_each(|event| out.item(event));
        if let Some(hint) = self.hint() {
            out.hint(hint);
        }
        pushed
    }

    fn end(&mut self, out: &mut Output<'_, ToolCallEvent>) -> Result<(), Error> {
        let finished = self
            .finish()
            .map(|events| events.for_each(|event| out.item(event)));
        self.events().for_each(|event| out.item(event));
        finished
    }

    // A timeout completes no call, because only the end of its object does. The open calls fail.
    fn on_timeout(&mut self, _: &Error, out: &mut Output<'_, ToolCallEvent>) {
        let _ = self.end(out);
    }

    fn parser(&self) -> Option<&Parser> {
        Some(&self.parser)
    }
}
