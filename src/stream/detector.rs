//! The [`ToolCallDetector`] as a machine.

use core::time::Duration;

use super::fault::OnFault;
use super::log;
use super::machine::{AfterError, Machine, Outbox};
use crate::{Error, ToolCallDetector, ToolCallEvent};

impl Machine for ToolCallDetector {
    type Input = [u8];
    type Item = ToolCallEvent;

    const MOST_ITEMS: Option<usize> = None;
    const AFTER_ERROR: AfterError = AfterError::Ends;

    fn feed<F: OnFault>(
        &mut self,
        fragment: &[u8],
        out: &mut Outbox<'_, ToolCallEvent, F>,
    ) -> Result<(), Error> {
        let pushed = self
            .push(fragment)
            .map(|events| events.for_each(|event| out.item(event)));
        log::grown(fragment.len(), self.parser().growth().events().len());
        self.events().for_each(|event| out.item(event));
        pushed
    }

    fn end<F: OnFault>(&mut self, out: &mut Outbox<'_, ToolCallEvent, F>) -> Result<(), Error> {
        let finished = self
            .finish()
            .map(|events| events.for_each(|event| out.item(event)));
        self.events().for_each(|event| out.item(event));
        finished
    }

    // That no more comes makes no call whole: the end of its object does. It fails those that are
    // not.
    fn give_up<F: OnFault>(&mut self, _: &Error, out: &mut Outbox<'_, ToolCallEvent, F>) {
        let _ = self.end(out);
    }

    fn offset(&self) -> usize {
        self.parser().growth().end()
    }

    fn time_limit(&self) -> Option<Duration> {
        self.parser().time_limit()
    }
}
