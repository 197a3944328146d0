//! [`JsonExtractor`] as a machine: all of its pieces, or only the JSON.

use alloc::string::String;

use crate::error::Error;
use crate::extract::{Extracted, JsonExtractor};
use crate::stream::machine::{ErrorRecovery, Machine, Output, sealed};

impl JsonExtractor {
    /// Runs a step and emits all of its pieces, including those from before an error.
    fn each_piece(
        &mut self,
        fragment: Option<&[u8]>,
        mut show: impl FnMut(Extracted),
    ) -> Result<(), Error> {
        let result = match fragment {
            Some(fragment) => self.push(fragment).map(|pieces| pieces.for_each(&mut show)),
            None => self.finish().map(|pieces| pieces.for_each(&mut show)),
        };
        self.pieces().for_each(show);
        result
    }
}

impl sealed::Sealed for JsonExtractor {}

impl Machine for JsonExtractor {
    type Input = [u8];
    type Item = Extracted;

    const MOST_ITEMS: Option<usize> = None;
    const RECOVERY: ErrorRecovery = ErrorRecovery::Stop;

    fn feed(&mut self, fragment: &[u8], out: &mut Output<'_, Extracted>) -> Result<(), Error> {
        self.each_piece(Some(fragment), |piece| out.item(piece))
    }

    fn end(&mut self, out: &mut Output<'_, Extracted>) -> Result<(), Error> {
        self.each_piece(None, |piece| out.item(piece))
    }

    fn on_timeout(&mut self, _: &Error, out: &mut Output<'_, Extracted>) {
        let _ = self.end(out);
    }

    fn offset(&self) -> usize {
        self.offset()
    }
}

/// The JSON that a [`JsonExtractor`] finds, as text: the machine of
/// [`extract_json`](crate::stream::FragmentStreamExt::extract_json).
///
/// Where the extractor finds [several documents](JsonExtractor::multiple_values), there is a line
/// break between two of them, as in JSON Lines.
///
/// ```
/// use futures::{StreamExt, executor::block_on, stream};
/// use json_chunks::extract::JsonExtractor;
/// use json_chunks::stream::{JsonTexts, MachineStreamExt};
///
/// let tokens = stream::iter(["1. {\"a\":", " 1}\n2. {\"b\": 2}"]);
/// let all = JsonTexts::new(JsonExtractor::new().multiple_values(true));
/// let json: String = block_on(tokens.through(all).collect());
/// assert_eq!(json, "{\"a\": 1}\n{\"b\": 2}");
/// ```
#[derive(Clone, Debug)]
pub struct JsonTexts {
    extractor: JsonExtractor,
    /// The document that was emitted last.
    last: usize,
}

impl JsonTexts {
    /// Returns a machine that emits the JSON that this extractor finds.
    #[must_use]
    pub const fn new(extractor: JsonExtractor) -> Self {
        Self { extractor, last: 0 }
    }

    fn step(&mut self, fragment: Option<&[u8]>, out: &mut Output<'_, String>) -> Result<(), Error> {
        let last = &mut self.last;
        self.extractor.each_piece(fragment, |piece| {
            if let Extracted::Json { document, mut text } = piece {
                if core::mem::replace(last, document) != document {
                    text.insert(0, '\n');
                }
                out.item(text);
            }
        })
    }
}

impl sealed::Sealed for JsonTexts {}

impl Machine for JsonTexts {
    type Input = [u8];
    type Item = String;

    const MOST_ITEMS: Option<usize> = None;
    const RECOVERY: ErrorRecovery = ErrorRecovery::Stop;

    fn feed(&mut self, fragment: &[u8], out: &mut Output<'_, String>) -> Result<(), Error> {
        self.step(Some(fragment), out)
    }

    fn end(&mut self, out: &mut Output<'_, String>) -> Result<(), Error> {
        self.step(None, out)
    }

    fn on_timeout(&mut self, _: &Error, out: &mut Output<'_, String>) {
        let _ = self.end(out);
    }

    fn offset(&self) -> usize {
        self.extractor.offset()
    }
}
