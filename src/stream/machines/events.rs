//! The events of a document as a machine.

use crate::error::Error;
use crate::parser::Parser;
use crate::stream::machine::{ErrorRecovery, Machine, Output, sealed};
use crate::stream::{OwnedEvent, log};

/// Reads fragments of JSON text and emits the changes of the document: the machine of
/// [`EventStream`](crate::stream::EventStream).
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::Parser;
/// use json_chunks::stream::{EventReader, MachineStreamExt};
///
/// let lines = Parser::new().multiple_values(true);
/// let events = stream::iter(["1\n", "2\n"]).through(EventReader::new(lines));
/// assert_eq!(block_on(events.count()), 6); // each started, appended and completed
/// ```
#[derive(Clone, Debug)]
pub struct EventReader {
    parser: Parser,
}

impl EventReader {
    /// Returns a reader with this parser.
    #[must_use]
    pub const fn new(parser: Parser) -> Self {
        Self { parser }
    }

    fn emit(&self, out: &mut Output<'_, OwnedEvent>) {
        for event in self.parser.last_update().events() {
            out.item(event.into());
        }
    }
}

impl sealed::Sealed for EventReader {}

impl Machine for EventReader {
    type Input = [u8];
    type Item = OwnedEvent;

    const MOST_ITEMS: Option<usize> = None;
    const RECOVERY: ErrorRecovery = ErrorRecovery::Stop;

    fn feed(&mut self, fragment: &[u8], out: &mut Output<'_, OwnedEvent>) -> Result<(), Error> {
        let pushed = self.parser.push(fragment).map(drop);
        log::grown(fragment, self.parser.last_update());
        self.emit(out);
        pushed
    }

    fn end(&mut self, out: &mut Output<'_, OwnedEvent>) -> Result<(), Error> {
        let finished = self.parser.finish().map(drop);
        self.emit(out);
        finished
    }

    fn interrupt(&mut self, _: &mut Output<'_, OwnedEvent>) {
        self.parser.interrupt();
    }

    // All events so far have been emitted, and the reply was lost, so the end completes nothing.
    fn on_timeout(&mut self, _: &Error, _: &mut Output<'_, OwnedEvent>) {}

    fn parser(&self) -> Option<&Parser> {
        Some(&self.parser)
    }
}
