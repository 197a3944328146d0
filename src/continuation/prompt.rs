//! The prompt that asks a model to continue a truncated reply.
//!
//! A model that only sees the raw end of a long document loses count: it repeats sections or skips
//! them. So the prompt summarizes the document so far in numbers and names, and quotes the place of
//! the truncation. Its size is bounded for documents of any size, except for the names in pointers.
//!
//! # For maintainers
//!
//! | part of the prompt | from | dropped as number |
//! | --- | --- | --- |
//! | names in sections | [`section`], named by [`label`] | 1 (all but three), 2 (all) |
//! | the element before | [`place`] | 3 |
//! | sections | [`sections`] | 4 |
//! | the truncated element | [`place`] | 5 |
//! | the tail | [`excerpt`] | 6 (down to 64 bytes), 8 (entirely) |
//! | the question | `request` | 7 |
//!
//! Invariants:
//!
//! - *The budget holds.* A prompt has at most `max_bytes` (asserted in
//!   [`to_prompt`](ContinuationPrompt::to_prompt)).
//! - *Echoes are recognized.* All instructions are constants of `request`, because a join has to
//!   recognize a reply that repeats them. Text in any other place would be taken for content.
//!
//! A new part takes a field of [`Detail`], a step in `to_prompt`, and a row in the tables here and
//! there.

mod excerpt;
mod label;
mod place;
mod section;
mod sections;

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::accumulator::Accumulator;
use super::request::{QUESTION, REQUEST, REQUEST_AGAIN};
use crate::document::Value;
use crate::json::floor_char_boundary;

use excerpt::{end_of, start_of};
use place::TextEnd;
pub use section::Section;

/// The longest quoted element, in bytes.
const LONGEST_ELEMENT: usize = 1024;

/// The length of the quoted end of the text, in bytes.
const LONGEST_TAIL: usize = 512;

/// The length of a tail that is shortened to fit, in bytes.
const SHORT_TAIL: usize = 64;

/// The number of described sections, half of them from the start and half from the end.
const MOST_SECTIONS: usize = 20;

/// The maximum size of a prompt that `Display` writes, in bytes.
const PROMPT_BYTES: usize = 8 * 1024;

/// The information that a model needs to continue a truncated reply.
///
/// `Display` writes a prompt of up to 8 KiB, [`to_prompt`](Self::to_prompt) one of any size. It
/// serializes as an object with the names of the methods: `bytes`, `pointer`, `sections`,
/// `more_sections`, `cut_off_element`, `element_before`, `tail`, `question`. All of it is payload,
/// which `Debug` does not show.
///
/// ```
/// use json_chunks::join::Accumulator;
/// use json_chunks::prompt::ContinuationPrompt;
///
/// let mut accumulator = Accumulator::new();
/// let _ = accumulator.push(r#"{"title": "Trip", "days": [{"title": "Arrival"}, {"title": "Saf"#);
/// let prompt = ContinuationPrompt::from_accumulator(&accumulator);
/// assert_eq!(prompt.pointer(), "/days/1/title");
/// assert_eq!(prompt.cut_off_element(), Some(r#"{"title": "Saf"#));
/// assert_eq!(prompt.element_before(), Some(r#"{"title": "Arrival"}"#));
/// assert_eq!(
///     prompt.sections()[0].to_string(),
///     r#"/days: array of 2 (object: 2), not finished: "Arrival", "Saf""#
/// );
/// assert!(prompt.to_prompt(400).len() <= 400);
/// ```
///
/// If the document has sections, the content of each is counted:
///
/// ```
/// # use json_chunks::join::Accumulator;
/// # use json_chunks::prompt::ContinuationPrompt;
/// let mut accumulator = Accumulator::new();
/// let _ = accumulator.push(concat!(
///     r#"{"sections": [{"title": "List", "content_type": "bullet_list", "items": ["a", "b"]}, "#,
///     r#"{"title": "Costs", "content_type": "table", "rows": [["Rent", 900], ["Fuel", 1"#,
/// ));
/// let prompt = ContinuationPrompt::from_accumulator(&accumulator);
/// let sections: Vec<String> = prompt.sections().iter().map(ToString::to_string).collect();
/// assert_eq!(sections, [
///     r#""List" (bullet_list): items 2"#,
///     r#""Costs" (table): rows 2, not finished"#,
/// ]);
/// assert_eq!(prompt.cut_off_element(), Some(r#"["Fuel", 1"#));
/// assert_eq!(prompt.element_before(), Some(r#"["Rent", 900]"#));
/// ```
///
/// # Cost
///
/// Creating one reads the text and the document once. It takes up to about 50 KiB, plus the names
/// in pointers, which are not shortened.
#[derive(Clone, PartialEq, Eq)]
pub struct ContinuationPrompt {
    bytes: usize,
    pointer: String,
    sections: Vec<Section>,
    /// How many sections are left out.
    more_sections: usize,
    /// How many sections are before those that are left out.
    first_sections: usize,
    cut_off: Option<String>,
    before: Option<String>,
    tail: String,
    is_again: bool,
}

impl ContinuationPrompt {
    /// Returns the prompt that continues the text of an accumulator. Ambiguous replies are not part
    /// of the text; [`again`](Self::again) asks for a reply that decides them.
    #[must_use]
    pub fn from_accumulator(accumulator: &Accumulator) -> Self {
        let text = accumulator.text();
        let root = accumulator.root();
        let place = root.map_or_else(TextEnd::default, |root| {
            TextEnd::of(text, root, sections::depth(root))
        });
        let sections = root.map(|root| sections::of(root, MOST_SECTIONS));
        let quoted = |element: &str| start_of(element, LONGEST_ELEMENT);
        Self {
            bytes: text.len(),
            pointer: root.map(innermost).unwrap_or_default(),
            more_sections: sections.as_ref().map_or(0, |sections| sections.omitted),
            first_sections: sections.as_ref().map_or(0, |sections| sections.first),
            sections: sections.map_or_else(Vec::new, |sections| sections.shown),
            cut_off: place.cut_off.map(quoted),
            before: place.before.map(quoted),
            tail: end_of(text, LONGEST_TAIL).to_owned(),
            is_again: false,
        }
    }

    /// Asks for the truncated element from its start. Use it after a reply that added nothing,
    /// could not be joined or is ambiguous, because an entire element is easier to join than text
    /// that continues at the exact byte.
    #[must_use]
    pub fn again(mut self) -> Self {
        self.is_again = true;
        self
    }

    /// Returns whether the text is empty.
    #[must_use]
    pub const fn is_start(&self) -> bool {
        self.bytes == 0
    }

    /// Returns the length of the text so far, in bytes.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the JSON Pointer of the innermost incomplete value, where the text ends.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Returns the first and the last ten [sections](Section) of the document: the elements of
    /// arrays of objects that contain arrays or objects; all other arrays and objects that are
    /// members of the root object, or of objects in it; and a root array.
    #[must_use]
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Returns how many sections between the first and the last ten are left out.
    #[must_use]
    pub const fn more_sections(&self) -> usize {
        self.more_sections
    }

    /// Returns the text of the truncated array element, or of the truncated member outside of
    /// arrays.
    ///
    /// It is an element of the current section: a row of a table rather than a cell, an item rather
    /// than one of its tags. A text of more than 1 KiB is cut, and ends with `…`. `None` if the
    /// text ends between two elements.
    #[must_use]
    pub fn cut_off_element(&self) -> Option<&str> {
        self.cut_off.as_deref()
    }

    /// Returns the text of the complete element or member before the truncated one. A text of more
    /// than 1 KiB is cut, and ends with `…`.
    #[must_use]
    pub fn element_before(&self) -> Option<&str> {
        self.before.as_deref()
    }

    /// Returns the last 512 bytes of the text.
    #[must_use]
    pub fn tail(&self) -> &str {
        &self.tail
    }

    /// Returns the question about the progress, which ends the prompt.
    /// [`Progress::percent_in`](crate::continuation::Progress::percent_in) parses the answer.
    #[must_use]
    pub const fn question(&self) -> &'static str {
        QUESTION
    }

    /// Returns a prompt of at most `max_bytes`.
    ///
    /// Parts are left out in this order until it fits: all names in sections but the first and last
    /// three, then all of them; the element before; the sections; the truncated element; the start
    /// of the tail, down to 64 bytes; the question; and finally the end of the remaining text.
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
        // The tail gets the space that is left, with the question if possible.
        for question in [true, false] {
            let least = Detail {
                tail: SHORT_TAIL,
                question,
                ..no_element
            };
            prompt = self.render(least);
            if let Some(room) = max_bytes.checked_sub(prompt.len()) {
                let tail = end_of(&self.tail, least.tail).len() + room;
                let prompt = self.render(Detail { tail, ..least });
                debug_assert!(prompt.len() <= max_bytes, "the budget holds");
                return prompt;
            }
        }
        prompt.truncate(floor_char_boundary(&prompt, max_bytes));
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
            for (index, section) in self.sections.iter().enumerate() {
                if index == self.first_sections && self.more_sections > 0 {
                    writeln!(out, "- … {} more …", self.more_sections)?;
                }
                out.write_str("- ")?;
                section.write(detail.names, out)?;
                out.push('\n');
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

/// The parts of a prompt.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each part is included or not, independently of the others"
)]
struct Detail {
    /// How many names of each section are included, from its start and from its end.
    names: usize,
    before: bool,
    sections: bool,
    cut_off: bool,
    /// The length of the tail in bytes.
    tail: usize,
    question: bool,
}

/// Returns the JSON Pointer of the innermost incomplete value.
fn innermost(root: Value<'_>) -> String {
    let mut value = root;
    while let Some(last) = value.last().filter(|last| !last.is_complete()) {
        value = last;
    }
    value.to_pointer()
}

impl fmt::Display for ContinuationPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_prompt(PROMPT_BYTES))
    }
}

impl fmt::Debug for ContinuationPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContinuationPrompt")
            .field("bytes", &self.bytes)
            .field("sections", &self.sections.len())
            .finish_non_exhaustive()
    }
}

impl Serialize for ContinuationPrompt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("ContinuationPrompt", 8)?;
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
