//! The text that models write around JSON: code fences, reasoning, tags of tool calls, and prose.
//!
//! Everything that searches for JSON in the text of a model uses these rules. [`Scanner`] divides a
//! text into markers and the content between them. It is resumable, so a marker may be split
//! anywhere. [`regions`] does the same for a complete text. [`prose`] distinguishes prose from
//! JSON.
//!
//! A caller that reads the JSON itself ([`Scanner::outside_json`]) passes only the text outside of
//! it to the scanner, and every marker counts. Any other caller passes all of the text, because it
//! does not know yet what is JSON. Then the place of a marker decides whether it counts:
//!
//! | place | example | markers that count |
//! | --- | --- | --- |
//! | at the start of a line | `␊``` `` | all, because a JSON string contains no line break |
//! | after words only | ``Here: ```json␊`` | all, because no JSON has started yet |
//! | after a closing bracket | `]}</tool_call>` | the end of a call, a fence at a line end |
//! | in reasoning | `so yes.</think>` | only the end of the reasoning |
//! | elsewhere | `{"a": "<think>` | none, because it may be the content of a string |
//!
//! # For maintainers
//!
//! The state is [`Context`] × the place in the line. Its transitions:
//!
//! | marker | context after it |
//! | --- | --- |
//! | a fence line that closes the open fence | [`Text`](Context::Text) |
//! | any other fence line, even inside of a fence | [`Fenced`](Context::Fenced) |
//! | the start of reasoning | [`Reasoning`](Context::Reasoning) |
//! | the start of a call | [`Call`](Context::Call) |
//! | the end of reasoning, of a call or of a turn | [`Text`](Context::Text) |
//!
//! A fence line closes the open fence if it has the same mark, is at least as long and names no
//! language (`CommonMark` 0.31, section 4.5).
//!
//! Invariants: every byte is part of exactly one marker or content (a test); a split of the text
//! changes nothing (a test); the lookahead is bounded by the longest fence line, or by the longest
//! tag, because a scanner must not hold back text.
//!
//! To support the tag of a model family, add a row to [`marker`] and a case to the tests. A new
//! kind of wrapping is a variant of [`Context`], which the compiler then requires everywhere.

mod marker;
mod prose;
mod scanner;

use alloc::vec::Vec;
use core::ops::Range;

use marker::Tag;
pub(crate) use marker::{Fence, Language};
pub(crate) use prose::{BLANK, is_blank, is_prose, leading_blank, may_follow, starts_marker};
pub(crate) use scanner::{LinePlace, Scan, Scanner};

/// The kind of the content between two markers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Context {
    /// Prose, or JSON without wrapping.
    #[default]
    Text,
    /// The content of a code fence. If the text starts inside of a fence, this is the text after
    /// it.
    Fenced(Fence),
    /// The reasoning of the model before its answer. It never contains the answer.
    Reasoning,
    /// A tool call in the format of a model family.
    Call,
}

/// A part of a text between two markers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) range: Range<usize>,
    pub(crate) context: Context,
}

/// Returns the content of a complete text without its markers.
///
/// The text before an end of reasoning that was not opened is reasoning: `…</think>{"a": 1}`. This
/// happens because templates include `<think>` in the prompt.
pub(crate) fn regions(text: &[u8]) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    // The number of regions that are known to be reasoning, so that each is marked once.
    let mut marked = 0;
    let mut scanner = Scanner::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let context = scanner.context();
        match scanner.scan(rest, true) {
            Scan::Content(len) => {
                regions.push(Region {
                    range: at..at + len,
                    context,
                });
                at += len;
            }
            Scan::Marker(len) => {
                if context != Context::Reasoning && scanner.tag == Some(Tag::ReasoningEnd) {
                    for region in regions.iter_mut().skip(marked) {
                        region.context = Context::Reasoning;
                    }
                    marked = regions.len();
                }
                at += len;
            }
            Scan::Stop | Scan::NeedMore => break,
        }
    }
    regions
}

#[cfg(test)]
mod tests;
