//! JSON in the text of a model, among prose, fences, reasoning and tags.
//!
//! # For maintainers
//!
//! | file | has |
//! | --- | --- |
//! | `wrapping` (at the root) | what is a marker, and what the text between markers is |
//! | `divide` | the table of states below |
//! | `candidate` | whether a bracket is the start of JSON: the table of verdicts |
//! | `span` | where JSON ends that is passed on |
//!
//! | state | the text | next state |
//! | --- | --- | --- |
//! | `Outside` | a marker, prose, reasoning | the same; passed on as what it is |
//! |  | a bracket that may be JSON | held for a verdict: `Inside`, or the same after the bracket |
//! | `Inside` | the closing bracket, or a marker where JSON has none | `Outside` |
//!
//! Invariants: the concatenated results are the input; no text is returned twice or taken back; no
//! verdict depends on how the text is split (`tests/it/extract.rs` tries every split); at most
//! `candidate::LONGEST_HELD` bytes and a marker are held back.
//!
//! A marker of another model family is a row in `wrapping`; another kind of false start a row in
//! `candidate`.

mod candidate;
mod cost;
mod divide;
mod span;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::error::Error;
use crate::json::Utf8Decoder;
use crate::wrapping::{Context, Scanner};
use span::Span;

/// A piece of a text: JSON, or the text around it. The concatenated pieces are the text. The
/// `Debug` text contains payload.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Extracted {
    /// JSON text, which may begin and end inside of any token.
    Json {
        /// The index of the document in the text, from 0.
        document: usize,
        /// The next piece of the document.
        text: String,
    },
    /// What the model says: prose, code of other languages, white space.
    Text(String),
    /// What the model thinks before it answers: the inside of `<think>…</think>` and the like.
    Reasoning(String),
    /// A marker, which is not meant for the user: the line that opens or closes a fence, a tag, a
    /// byte order mark.
    Marker(String),
}

impl Extracted {
    /// Returns the text of the piece, whichever kind it is.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Json { text, .. }
            | Self::Text(text)
            | Self::Reasoning(text)
            | Self::Marker(text) => text,
        }
    }

    /// Returns the JSON text and the index of its document.
    #[must_use]
    pub fn as_json(&self) -> Option<(usize, &str)> {
        match self {
            Self::Json { document, text } => Some((*document, text)),
            Self::Text(_) | Self::Reasoning(_) | Self::Marker(_) => None,
        }
    }
}

/// Finds the JSON in the text of a model as it arrives.
///
/// Models put prose around their JSON, reason before it, and wrap it in a code fence or in the tags
/// of their family. This divides such a text into [pieces](Extracted): the JSON as it arrives, to
/// be passed to a [`Parser`](crate::parser::Parser) or any other reader, and everything else.
///
/// ```
/// use json_chunks::extract::{Extracted, JsonExtractor};
///
/// let fragments =
///     ["<think>[1] or", " [2]?</think>Here it is:\n``", "`json\n{\"answer\": ", "2}\n```\n"];
/// let mut extractor = JsonExtractor::new();
/// let mut json = String::new();
/// for fragment in fragments {
///     for piece in extractor.push(fragment)? {
///         if let Extracted::Json { text, .. } = piece {
///             json += &text;
///         }
///     }
/// }
/// extractor.finish()?;
/// assert_eq!(json, r#"{"answer": 2}"#);
/// # Ok::<(), json_chunks::Error>(())
/// ```
///
/// # What is JSON
///
/// By default, the first document of the text is extracted; for all of them see
/// [`multiple_values`](Self::multiple_values). A document is an object or an array
///
/// - in a code fence: of backticks or tildes, of any length, on a separate line or not. In a fence
///   marked `json` it may also be a string, a number or a literal. In a fence of another language
///   it has to be at the start of the content;
/// - in the tags of tool calls: `<tool_call>` (Hermes, Qwen), `[TOOL_CALLS]` (Mistral),
///   `<|python_tag|>` (Llama) and others;
/// - or anywhere else, except in reasoning (`<think>`, `[THINK]` and others). Here the start must
///   be recognizable as JSON: `[1/2]` and `{name}` break the grammar, and `as shown in [1]` or `{}`
///   in a sentence could be anything, so they are text. Sufficient evidence is a name with a colon
///   and the start of a value, `{"name": t`; a string in an array, `["a",` (but not in `map["a"]`);
///   a line that has nothing else; or a place after a colon at the end of the line.
///
/// At most 128 bytes are held back for that decision; JSON in a fence marked `json` is passed on at
/// once.
///
/// # Mistakes
///
/// Malformed JSON is passed on up to its last bracket, so that its reader can report the mistake or
/// [repair](crate::repair()) it. JSON that is cut off, by the end of the text or by the end of its
/// fence or tag, is passed on up to that point, and its reader reports it.
///
/// A text without JSON is not an error here: [`documents`](Self::documents) is 0 after `finish`. A
/// reader of what was extracted sees an empty text, and reports that it ends at byte 0.
///
/// # Cost
///
/// Linear in the text for every split, and each piece is copied once.
#[derive(Clone)]
pub struct JsonExtractor {
    multiple: bool,
    context: Context,
    scanner: Scanner,
    utf8: Utf8Decoder,
    state: ExtractState,
    /// The number of documents that have begun.
    documents: usize,
    /// Text that has been received and not divided yet.
    held: String,
    /// How much text has been divided.
    base: usize,
    pieces: Vec<Extracted>,
    failed: Option<Error>,
}

#[derive(Clone, Copy, Debug)]
enum ExtractState {
    Outside,
    Inside(Span),
}

impl JsonExtractor {
    /// Creates an extractor of the first document.
    #[must_use]
    pub fn new() -> Self {
        Self {
            multiple: false,
            context: Context::Text,
            scanner: Scanner::outside_json(Context::Text),
            utf8: Utf8Decoder::default(),
            state: ExtractState::Outside,
            documents: 0,
            held: String::new(),
            base: 0,
            pieces: Vec::new(),
            failed: None,
        }
    }

    /// Sets whether all documents of the text are extracted, such as those of several
    /// `<tool_call>`s; `false` by default: then what follows the first one is text.
    ///
    /// ```
    /// use json_chunks::extract::JsonExtractor;
    ///
    /// let text = concat!(
    ///     "<tool_call>{\"name\": \"a\"}</tool_call>\n",
    ///     "<tool_call>{\"name\": \"b\"}</tool_call>",
    /// );
    /// let mut extractor = JsonExtractor::new().multiple_values(true);
    /// let pieces: Vec<_> = extractor.push(text)?.collect();
    /// let json: Vec<_> = pieces.iter().filter_map(|piece| piece.as_json()).collect();
    /// assert_eq!(json, [(0, r#"{"name": "a"}"#), (1, r#"{"name": "b"}"#)]);
    /// # Ok::<(), json_chunks::Error>(())
    /// ```
    #[must_use]
    pub fn multiple_values(mut self, multiple: bool) -> Self {
        self.multiple = multiple;
        self
    }

    /// Sets whether the text starts inside of reasoning, because the template of the model has put
    /// `<think>` into the prompt; `false` by default.
    #[must_use]
    pub fn starts_in_reasoning(mut self, starts_in_reasoning: bool) -> Self {
        self.context = if starts_in_reasoning {
            Context::Reasoning
        } else {
            Context::Text
        };
        self.scanner = Scanner::outside_json(self.context);
        self
    }

    /// Reads the next fragment, which may end anywhere, and returns the pieces of text that are
    /// certain now. Pieces that are not consumed are dropped.
    ///
    /// # Errors
    ///
    /// If the text is not UTF-8, with the offset from its start. Everything that precedes the error
    /// is in [`pieces`](Self::pieces); every further call returns the same error.
    pub fn push(
        &mut self,
        fragment: impl AsRef<[u8]>,
    ) -> Result<impl Iterator<Item = Extracted>, Error> {
        if self.failed.is_none() {
            let appended = self.utf8.append(fragment.as_ref(), &mut self.held);
            self.failed = appended.err().map(|error| error.moved_by(self.base));
            // No text is read after an error, so held text is decided as at the end.
            self.divide(self.failed.is_some());
        }
        self.outcome()
    }

    /// Ends the text and returns its last pieces.
    ///
    /// # Errors
    ///
    /// If the text ends inside of a character, or has failed before. The text that was held back is
    /// in [`pieces`](Self::pieces).
    pub fn finish(&mut self) -> Result<impl Iterator<Item = Extracted>, Error> {
        if self.failed.is_none() {
            let finished = self.utf8.finish(self.base + self.held.len());
            self.failed = finished.err();
            self.divide(true);
        }
        self.outcome()
    }

    /// Returns the pieces that have not been consumed: after an error, those from before it.
    pub fn pieces(&mut self) -> impl Iterator<Item = Extracted> {
        self.pieces.drain(..)
    }

    /// Returns how many documents have begun.
    #[must_use]
    pub const fn documents(&self) -> usize {
        self.documents
    }

    /// Resets the extractor for another text, keeping its options.
    pub fn reset(&mut self) {
        *self = Self {
            multiple: self.multiple,
            context: self.context,
            scanner: Scanner::outside_json(self.context),
            ..Self::new()
        };
    }

    #[cfg(feature = "stream")]
    pub(crate) const fn offset(&self) -> usize {
        self.base + self.held.len()
    }

    fn outcome(&mut self) -> Result<impl Iterator<Item = Extracted>, Error> {
        match &self.failed {
            None => Ok(self.pieces.drain(..)),
            Some(error) => Err(error.clone()),
        }
    }
}

impl Default for JsonExtractor {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for JsonExtractor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonExtractor")
            .field("bytes", &(self.base + self.held.len()))
            .field("held_bytes", &self.held.len())
            .field("documents", &self.documents)
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}
