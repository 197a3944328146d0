//! What a model has to know to go on with a reply that was cut off.
//!
//! A model that only sees the raw end of a long document loses count: it repeats sections or leaves
//! them out. So the prompt says what is there already, in numbers and names, and quotes the place
//! where the text broke off. All of it is bounded, whatever the size of the document, but for the
//! names in it.

mod place;
mod section;

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::document::Value;
use crate::parser::Parser;
use place::Place;
pub use section::Section;

/// The longest element that is quoted, in bytes.
const LONGEST_ELEMENT: usize = 1024;

/// How much of the end of the text is quoted, in bytes.
const LONGEST_TAIL: usize = 512;

/// How many sections are told about.
const MOST_SECTIONS: usize = 32;

/// The size of a prompt as `Display` writes it, in bytes.
const PROMPT_BYTES: usize = 8 * 1024;

/// What to ask for when the reply before this one brought nothing.
const REQUEST_AGAIN: &str = "\
Your last reply could not be joined to this. Write the element that was cut off once more, from its \
start, and then the rest of the JSON: no code fence, no explanation.";

const REQUEST: &str = "\
Go on at the very next character. Write only the rest of the JSON: nothing that is there already, \
no code fence, no explanation.";

/// All that is needed to ask a model to go on with a reply that was cut off.
///
/// `Display` writes it as text for a prompt of up to 8 KiB, [`to_prompt`](Self::to_prompt) of any
/// size. Serialized it is an object with the names of the methods: `bytes`, `pointer`, `sections`,
/// `more_sections`, `cut_off_element`, `element_before`, `tail`, `question`. It is payload, `Debug`
/// shows none of it.
///
/// ```
/// use json_chunks::{Accumulator, Continuation};
///
/// let mut accumulator = Accumulator::new();
/// let _ = accumulator.push(r#"{"title": "Trip", "days": [{"title": "Arrival"}, {"title": "Saf"#);
/// let continuation = Continuation::new(accumulator.parser());
/// assert_eq!(continuation.pointer(), "/days/1/title");
/// assert_eq!(continuation.cut_off_element(), Some(r#"{"title": "Saf"#));
/// assert_eq!(continuation.element_before(), Some(r#"{"title": "Arrival"}"#));
/// assert_eq!(
///     continuation.sections()[0].to_string(),
///     r#"/days: array of 2 (object: 2), not finished: "Arrival", "Saf""#
/// );
/// assert!(continuation.to_prompt(400).len() <= 400);
/// ```
///
/// # Cost
///
/// To make one reads the text and the document once. It takes some 50 KiB at most, besides the
/// names of members in pointers, which are there in full.
#[derive(Clone, PartialEq, Eq)]
pub struct Continuation {
    bytes: usize,
    pointer: String,
    sections: Vec<Section>,
    more_sections: usize,
    cut_off: Option<String>,
    before: Option<String>,
    tail: String,
    is_again: bool,
}

impl Continuation {
    /// What to ask for behind what the parser has read of one document.
    #[must_use]
    pub fn new(parser: &Parser) -> Self {
        let text = parser.text();
        let place = Place::of(text);
        let (sections, more_sections) = match parser.root() {
            Some(root) => section::of(root, MOST_SECTIONS),
            None => (Vec::new(), 0),
        };
        let quoted = |element: &str| start_of(element, LONGEST_ELEMENT);
        Self {
            bytes: text.len(),
            pointer: parser.root().map(innermost).unwrap_or_default(),
            sections,
            more_sections,
            cut_off: place.cut_off.map(quoted),
            before: place.before.map(quoted),
            tail: end_of(text, LONGEST_TAIL).to_owned(),
            is_again: false,
        }
    }

    /// The same after a reply that brought nothing, be it that it could not be joined: the prompt
    /// asks for the element that was cut off, from its start, which is easier to join than what
    /// goes on at the very byte.
    #[must_use]
    pub fn again(mut self) -> Self {
        self.is_again = true;
        self
    }

    /// Whether there is nothing to go on with: the document is still to begin.
    #[must_use]
    pub const fn is_start(&self) -> bool {
        self.bytes == 0
    }

    /// How long the text is so far.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Where the text ends: the JSON Pointer of the innermost value that is not complete.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What there is so far: the root array, or the arrays and objects that are members of the root
    /// object, or of objects in there. Not more than 32.
    #[must_use]
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// How many sections there are besides.
    #[must_use]
    pub const fn more_sections(&self) -> usize {
        self.more_sections
    }

    /// The text of the array element that was cut off, the innermost; outside of arrays that of the
    /// member. Of more than 1 KiB the start, and `…`. `None` if the text ends between two.
    #[must_use]
    pub fn cut_off_element(&self) -> Option<&str> {
        self.cut_off.as_deref()
    }

    /// The text of the element or member before that, which is complete. Of more than 1 KiB the
    /// start, and `…`.
    #[must_use]
    pub fn element_before(&self) -> Option<&str> {
        self.before.as_deref()
    }

    /// The end of the text, as it is: 512 bytes at most.
    #[must_use]
    pub fn tail(&self) -> &str {
        &self.tail
    }

    /// The question for the progress, which the prompt ends with. What comes back,
    /// [`Progress::percent_in`](crate::Progress::percent_in) reads.
    #[must_use]
    pub const fn question(&self) -> &'static str {
        "\
Before that, on a line of its own, say how much of the total content had been delivered up to here, \
as an integer from 0 to 100: \"Progress: 45%\"."
    }

    /// The continuation as text for a prompt of at most so many bytes.
    ///
    /// What does not fit is left out in this order: names in sections but for the first and last
    /// three, then all of them; the element before; all sections; the element that was cut off; the
    /// start of the tail, down to 64 bytes; the question; and then the end of what is left.
    #[must_use]
    pub fn to_prompt(&self, max_bytes: usize) -> String {
        let all = Detail {
            names: section::MOST_NAMES,
            before: true,
            sections: true,
            cut_off: true,
            tail: LONGEST_TAIL,
            question: true,
        };
        let few_names = Detail { names: 3, ..all };
        let no_names = Detail { names: 0, ..all };
        let no_before = Detail {
            before: false,
            ..no_names
        };
        let no_sections = Detail {
            sections: false,
            ..no_before
        };
        let no_element = Detail {
            cut_off: false,
            ..no_sections
        };
        let mut prompt = String::new();
        for detail in [all, few_names, no_names, no_before, no_sections, no_element] {
            prompt = self.render(detail);
            if prompt.len() <= max_bytes {
                return prompt;
            }
        }
        for question in [true, false] {
            let least = Detail {
                tail: 64,
                question,
                ..no_element
            };
            prompt = self.render(least);
            if let Some(room) = max_bytes.checked_sub(prompt.len()) {
                let tail = end_of(&self.tail, least.tail).len() + room;
                return self.render(Detail { tail, ..least });
            }
        }
        prompt.truncate(floor(&prompt, max_bytes));
        prompt
    }

    fn render(&self, detail: Detail) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.write(detail, &mut out);
        out
    }

    fn write(&self, detail: Detail, out: &mut String) -> fmt::Result {
        if self.is_start() {
            return out.write_str("Write the JSON from its start.");
        }
        write!(out, "The JSON was cut off after {} bytes", self.bytes)?;
        if !self.pointer.is_empty() {
            write!(out, ", in {}", start_of(&self.pointer, 128))?;
        }
        out.write_str(".\n")?;
        if detail.sections && !self.sections.is_empty() {
            out.write_str("\nDelivered so far:\n")?;
            for section in &self.sections {
                out.write_str("- ")?;
                section.write(detail.names, out)?;
                out.push('\n');
            }
            if self.more_sections > 0 {
                writeln!(out, "- and {} more", self.more_sections)?;
            }
        }
        if let Some(before) = self.element_before().filter(|_| detail.before) {
            write!(out, "\nThe last that is complete:\n{before}\n")?;
        }
        if let Some(cut_off) = self.cut_off_element().filter(|_| detail.cut_off) {
            write!(out, "\nWhat was cut off:\n{cut_off}\n")?;
        }
        let tail = end_of(&self.tail, detail.tail);
        let request = if self.is_again && self.cut_off.is_some() {
            REQUEST_AGAIN
        } else {
            REQUEST
        };
        write!(out, "\nThe text ends with:\n{tail}\n\n{request}")?;
        if detail.question {
            write!(out, "\n{}", self.question())?;
        }
        Ok(())
    }
}

/// What goes into a prompt.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each part is there or not, and these are the parts"
)]
struct Detail {
    /// How many names of each section, from its start and from its end.
    names: usize,
    before: bool,
    sections: bool,
    cut_off: bool,
    /// How many bytes of the end.
    tail: usize,
    question: bool,
}

/// The JSON Pointer of the innermost value that is not complete.
fn innermost(root: Value<'_>) -> String {
    let mut value = root;
    while let Some(last) = value.last().filter(|last| !last.is_complete()) {
        value = last;
    }
    value.to_pointer()
}

/// The start of a text of more than so many bytes, and `…`; or all of it.
fn start_of(text: &str, max_bytes: usize) -> String {
    match text.get(..floor(text, max_bytes)) {
        Some(start) if start.len() < text.len() => [start, "…"].concat(),
        Some(_) | None => text.to_owned(),
    }
}

/// The end of a text, so many bytes at most.
fn end_of(text: &str, max_bytes: usize) -> &str {
    let mut start = text.len().saturating_sub(max_bytes);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}

/// The last place at or before `at` where a character starts or the text ends.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl fmt::Display for Continuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_prompt(PROMPT_BYTES))
    }
}

impl fmt::Debug for Continuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Continuation")
            .field("bytes", &self.bytes)
            .field("sections", &self.sections.len())
            .finish_non_exhaustive()
    }
}

impl Serialize for Continuation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Continuation", 8)?;
        object.serialize_field("bytes", &self.bytes)?;
        object.serialize_field("pointer", &self.pointer)?;
        object.serialize_field("sections", &self.sections)?;
        object.serialize_field("more_sections", &self.more_sections)?;
        object.serialize_field("cut_off_element", &self.cut_off)?;
        object.serialize_field("element_before", &self.before)?;
        object.serialize_field("tail", &self.tail)?;
        object.serialize_field("question", self.question())?;
        object.end()
    }
}
