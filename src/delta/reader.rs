//! Fragments of JSON text to deltas.

use alloc::vec::Vec;
use core::fmt;

use super::batch::{DeltaBatch, DeltaFormat};
use super::change::{Delta, PatchOperation};
use super::published::{Published, View};
use crate::document::{PartialPolicy, Value};
use crate::error::Error;
use crate::parser::{Change, Parser, Tracker, Update};

/// Reads fragments of JSON text and returns what each of them changes in the document.
///
/// However the text is split, the deltas so far, applied by a [`DeltaReplay`](super::DeltaReplay),
/// result in the document so far: strings and numbers as far as they have arrived, or as the
/// [`partial_policy`](Self::partial_policy) shows them. Characters that are written as two escapes
/// are never divided.
///
/// ```
/// use json_chunks::Parser;
/// use json_chunks::delta::{DeltaReader, DeltaReplay};
///
/// let mut reader = DeltaReader::new(Parser::new());
/// let mut replay = DeltaReplay::new();
/// for fragment in [r#"{"title": "Thr"#, r#"ee", "da"#, r#"ys": [3"#] {
///     for batch in reader.push(fragment)? {
///         replay.apply(&batch.deltas)?;
///     }
/// }
/// assert_eq!(replay.get().unwrap(), r#"{"title":"Three","days":[3]}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Several values
///
/// For input of several values, as JSON Lines, pass a parser with
/// [`multiple_values`](Parser::multiple_values). Each value has batches of its own, the first of
/// which sets the path `""`.
///
/// # Cost
///
/// The cost of the [`Parser`], and of each delta its own length. All deltas together are as long as
/// the document, plus a path for each; a number that arrives in pieces is repeated for each of
/// them.
#[derive(Clone)]
pub struct DeltaReader<D = Delta> {
    pub(crate) parser: Parser,
    tracker: DeltaTracker<D>,
}

/// From the updates of the parser to batches.
#[derive(Clone)]
struct DeltaTracker<D> {
    partials: PartialPolicy,
    /// By which share of its length an open string has to grow.
    string_growth: f64,
    published: Published,
    batches: Vec<DeltaBatch<D>>,
}

/// A reader that returns the changes as JSON Patch (RFC 6902).
///
/// A patch has no operation that appends to a string. So an open string is replaced only when it
/// has [grown](DeltaReader::string_growth) by a share of its length, and at its end.
///
/// ```
/// use json_chunks::Parser;
/// use json_chunks::delta::DeltaReader;
///
/// let mut reader = DeltaReader::json_patch(Parser::new());
/// let mut lines = Vec::new();
/// for fragment in [r#"{"name": "Vi"#, "o", r#"let", "#, r#""rgb": [148"#] {
///     lines.extend(reader.push(fragment)?.iter().map(|batch| batch.to_json()));
/// }
/// assert_eq!(
///     lines,
///     [
///         r#"[{"op":"replace","path":"","value":{"name":"Vi"}}]"#,
///         // Not yet: "Vio" is not twice as long as "Vi".
///         r#"[{"op":"replace","path":"/name","value":"Violet"}]"#,
///         r#"[{"op":"add","path":"/rgb","value":[148]}]"#,
///     ]
/// );
/// # Ok::<(), json_chunks::Error>(())
/// ```
pub type PatchReader = DeltaReader<PatchOperation>;

impl DeltaReader {
    /// Returns a reader of what the parser reads, whose changes are [`Delta`]s.
    #[must_use]
    pub fn new(parser: Parser) -> Self {
        Self::of(parser)
    }
}

impl<D: DeltaFormat> DeltaReader<D> {
    fn of(parser: Parser) -> Self {
        Self {
            parser,
            tracker: DeltaTracker {
                partials: PartialPolicy::default(),
                string_growth: D::STRING_GROWTH,
                published: Published::default(),
                batches: Vec::new(),
            },
        }
    }

    /// Sets how incomplete values are shown. An array or object that is the root is shown in any
    /// case.
    #[must_use]
    pub const fn partial_policy(mut self, partials: PartialPolicy) -> Self {
        self.tracker.partials = partials;
        self
    }

    /// Reads the next fragment, which may end anywhere, and returns what it changes: nothing if
    /// there is no change, else one batch, and one more for each value that it
    /// [completes](Self#several-values) before the last.
    ///
    /// # Errors
    ///
    /// As [`Parser::push`]. What precedes the error is in [`rest`](Self::rest); every further call
    /// returns the same error.
    pub fn push(&mut self, fragment: impl AsRef<[u8]>) -> Result<Vec<DeltaBatch<D>>, Error> {
        self.parser.push_to(fragment.as_ref(), &mut self.tracker)?;
        Ok(self.tracker.take())
    }

    /// Ends the text, and returns what that changes: a number that is the root is complete only
    /// now.
    ///
    /// # Errors
    ///
    /// If the text ends too early, or has failed before.
    pub fn finish(&mut self) -> Result<Vec<DeltaBatch<D>>, Error> {
        self.parser.finish_to(&mut self.tracker)?;
        Ok(self.tracker.take())
    }

    /// Returns what was not returned: that of a push that has failed, and of patches the growth
    /// of the open string that was too short.
    pub fn rest(&mut self) -> Vec<DeltaBatch<D>> {
        self.tracker.advance_open(self.parser.root(), 0.0);
        self.tracker.take()
    }

    /// Resets the reader for another text, keeping its options and allocations.
    pub fn reset(&mut self) {
        self.parser.reset();
        self.tracker.published.clear();
        self.tracker.batches.clear();
    }

    /// Returns the document so far, once its first byte has arrived; of several values the last.
    #[must_use]
    pub fn root(&self) -> Option<Value<'_>> {
        self.parser.root()
    }
}

impl PatchReader {
    /// Returns a reader of what the parser reads, whose changes are a JSON Patch (RFC 6902).
    #[must_use]
    pub fn json_patch(parser: Parser) -> Self {
        Self::of(parser)
    }

    /// Sets by which share of its length an open string has to grow before it is replaced; 1 by
    /// default: when it is twice as long. With 0, it is replaced after each fragment, which takes
    /// quadratic time and length. What is not a positive number is 0.
    ///
    /// With a share of 1, all values of a long string together are at most three times as long as
    /// the string; with 0.25 at most six times.
    #[must_use]
    pub const fn string_growth(mut self, share: f64) -> Self {
        // What is not a number, or negative, is no bound.
        self.tracker.string_growth = if share > 0.0 { share } else { 0.0 };
        self
    }
}

/// Has no payload.
impl<D> fmt::Debug for DeltaReader<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeltaReader")
            .field("parser", &self.parser)
            .field("partial_policy", &self.tracker.partials)
            .field("string_growth", &self.tracker.string_growth)
            .finish_non_exhaustive()
    }
}

impl<D: DeltaFormat> Tracker for DeltaTracker<D> {
    fn follow(&mut self, update: Update<'_>, _: Option<&Error>) -> Result<(), Error> {
        for event in update.events().filter(|event| event.path.is_root()) {
            match event.change {
                Change::Started(_) => self.published.clear(),
                Change::Appended(_) => {}
                Change::Completed(root) => self.advance(root, 0.0),
            }
        }
        self.advance_open(update.root(), self.string_growth);
        Ok(())
    }
}

impl<D: DeltaFormat> DeltaTracker<D> {
    /// As [`advance`](Self::advance), if there is a root that is not complete.
    fn advance_open(&mut self, root: Option<Value<'_>>, string_growth: f64) {
        if let Some(root) = root.filter(|root| !root.is_complete()) {
            self.advance(root, string_growth);
        }
    }

    /// Adds what is new in the root to the batches.
    fn advance(&mut self, root: Value<'_>, string_growth: f64) {
        let view = View {
            top: root,
            partials: self.partials,
        };
        let deltas = if view.is_shown() {
            self.published.advance(view, string_growth)
        } else {
            Vec::new()
        };
        if root.is_complete() || !deltas.is_empty() {
            let batch = DeltaBatch::new(deltas, root.is_complete());
            self.batches.push(batch);
        }
    }

    fn take(&mut self) -> Vec<DeltaBatch<D>> {
        core::mem::take(&mut self.batches)
    }
}
