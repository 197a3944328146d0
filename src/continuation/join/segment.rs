//! The parts of a reply that may be its JSON text.
//!
//! Fences and tags divide a reply ([`wrapping`](crate::wrapping)). A fence line is always outside
//! of the JSON text, because a JSON string contains no line break. Prose has no such marker: it is
//! left out only if the text would not be JSON with it.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::continuation::request::end_of_echo;
use crate::json::byte_order_mark_len;
use crate::wrapping::{BLANK, Context, is_blank, is_prose, regions};

/// The maximum number of pieces between markers that are tried.
const MOST_PIECES: usize = 6;
/// The maximum number of lines of prose that are tried.
const MOST_LINES: usize = 8;
/// The maximum number of sentences before JSON text on the same line that are tried.
const MOST_LEADS: usize = 4;
/// The number of words in the shortest of these sentences.
const LEAST_WORDS: usize = 3;
/// The longest prose before JSON text on the same line, in bytes.
const LONGEST_LEAD: usize = 200;

/// What surrounds the JSON text of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrapping {
    /// Nothing: it is the entire reply.
    Bare,
    /// A fence or a tag before or after it.
    Fenced,
    /// Prose before it.
    AfterProse,
    /// Prose before it on the same line. After a truncated string it may be content.
    AfterLead,
}

/// A part of a reply that may be its JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) range: Range<usize>,
    pub(crate) wrapping: Wrapping,
    /// The index of the piece between markers that contains it.
    pub(crate) piece: usize,
}

/// Returns the pieces of a reply between its markers, and whether all of them are returned. A byte
/// order mark at the start is left out, unless it continues a string.
pub(crate) fn pieces(reply: &str, in_string: bool) -> (Vec<Segment>, bool) {
    let start = if in_string {
        0
    } else {
        byte_order_mark_len(reply.as_bytes())
    };
    let text = reply.get(start..).unwrap_or_default();
    let regions = regions(text.as_bytes());
    let is_bare = regions.iter().any(|region| region.range == (0..text.len()));
    let mut segments: Vec<(Range<usize>, Wrapping)> = Vec::new();
    let answers = regions
        .iter()
        .filter(|region| region.context != Context::Reasoning);
    for region in answers {
        let range = start + region.range.start..start + region.range.end;
        let end = if range.end == reply.len() {
            without_line_ends(reply, range.start)
        } else {
            without_line_break(reply, range.clone())
        };
        let range = range.start..end;
        if is_bare {
            segments.push((range, Wrapping::Bare));
            continue;
        }
        // The line break after a tag: `</think>␊`.
        let text = reply.get(range.clone()).unwrap_or_default();
        let line_breaks = text.len() - text.trim_start_matches(['\r', '\n']).len();
        let range = range.start + line_breaks..range.end;
        if !is_blank(reply.get(range.clone()).unwrap_or_default()) {
            segments.push((range, Wrapping::Fenced));
        }
    }
    if in_string && !is_bare {
        // The markers may be content of the string: ``["Use ```` + ```` ```json"]``.
        segments.push((0..reply.len(), Wrapping::Bare));
    } else if segments.is_empty() {
        segments.push((reply.len()..reply.len(), Wrapping::Bare));
    }
    let all = segments.len() <= MOST_PIECES;
    let segments = segments.into_iter().take(MOST_PIECES).enumerate();
    let segments = segments.map(|(piece, (range, wrapping))| Segment {
        range,
        wrapping,
        piece,
    });
    (segments.collect(), all)
}

/// Returns the end of a piece without the line break before the next fence.
fn without_line_break(reply: &str, range: Range<usize>) -> usize {
    let piece = reply.get(range.clone()).unwrap_or_default();
    let piece = piece.strip_suffix('\n').unwrap_or(piece);
    range.start + piece.strip_suffix('\r').unwrap_or(piece).len()
}

/// Returns the end of a reply without trailing line ends and without an incomplete fence. Files and
/// terminals add line ends, and one after `12` would end a number that the next reply continues. A
/// reply that consists only of these is kept.
fn without_line_ends(reply: &str, start: usize) -> usize {
    let text = reply.get(start..).unwrap_or_default();
    let before_ticks = text.trim_end_matches('`');
    let is_fence = before_ticks.ends_with('\n') && text.len() - before_ticks.len() < 3;
    let kept = if is_fence { before_ticks } else { text };
    let kept = kept.trim_end_matches(['\r', '\n']);
    if is_blank(kept) {
        reply.len()
    } else {
        start + kept.len()
    }
}

/// Returns whether this part of a reply starts or ends a line, rather than being between words.
pub(crate) fn is_set_off(reply: &str, range: &Range<usize>) -> bool {
    let before = reply.get(..range.start).unwrap_or_default();
    let after = reply.get(range.end..).unwrap_or_default();
    let blank = |c| matches!(c, ' ' | '\t' | '\r');
    let before = before.trim_end_matches(blank);
    let after = after.trim_start_matches(blank);
    before.is_empty() || before.ends_with('\n') || after.is_empty() || after.starts_with('\n')
}

/// Returns the parts that may be JSON text after a sentence on the same line:
/// `Here is the rest: …`, `Sorry about that! …`.
pub(crate) fn after_lead(reply: &str, piece: &Segment) -> Vec<Segment> {
    let text = reply.get(piece.range.clone()).unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    let starts = line.trim_start().chars().next();
    if !starts.is_some_and(|first| first.is_alphabetic() && !first.is_lowercase()) {
        return Vec::new();
    }
    let ends = line.match_indices([':', '!', '.', '?']).filter(|(at, _)| {
        let lead = line.get(..*at).unwrap_or_default();
        let words = lead.split_ascii_whitespace().count();
        let after = line.get(at + 1..).unwrap_or_default();
        words >= LEAST_WORDS && is_prose(lead) && after.starts_with(' ')
    });
    let ends = ends
        .take_while(|(at, _)| *at < LONGEST_LEAD)
        .take(MOST_LEADS);
    let segments = ends.map(|(at, _)| Segment {
        range: piece.range.start + at + 2..piece.range.end,
        wrapping: Wrapping::AfterLead,
        piece: piece.piece,
    });
    segments.collect()
}

/// Returns the part after leading dots, which represent the text so far: `..., "b": 2}`.
pub(crate) fn after_dots(reply: &str, piece: &Segment) -> Option<Segment> {
    let text = reply.get(piece.range.clone())?.trim_start_matches(BLANK);
    let rest = text
        .strip_prefix("...")
        .or_else(|| text.strip_prefix('…'))?;
    Some(Segment {
        range: piece.range.end - rest.len()..piece.range.end,
        wrapping: Wrapping::AfterProse,
        piece: piece.piece,
    })
}

/// Returns the parts that may be JSON text after lines of prose, or empty lines.
///
/// A line with brackets or quotes is prose if it reads like a sentence, as the echo of a request
/// does: `Continue after "title": "Saf:`. A request that is repeated verbatim, as written by a
/// [`ContinuationPrompt`](crate::continuation::ContinuationPrompt), is prose although it quotes
/// JSON.
pub(crate) fn after_lines(reply: &str, piece: &Segment) -> Vec<Segment> {
    let text = reply.get(piece.range.clone()).unwrap_or_default();
    let mut segments = Vec::new();
    let mut push = |at: usize| {
        segments.push(Segment {
            range: piece.range.start + at..piece.range.end,
            wrapping: Wrapping::AfterProse,
            piece: piece.piece,
        });
    };
    let echo = end_of_echo(text);
    let blank = |end: usize| {
        let rest = text.get(end..).unwrap_or_default();
        rest.len() - rest.trim_start_matches(['\r', '\n']).len()
    };
    let start = echo.map_or(0, |end| end + blank(end));
    if text
        .get(start..)
        .is_some_and(|rest| echo.is_some() && !is_blank(rest))
    {
        push(start);
    }
    let rest = text.get(start..).unwrap_or_default();
    let mut line_start = 0;
    for (at, _) in rest.match_indices('\n').take(MOST_LINES) {
        let line = rest.get(line_start..at).unwrap_or_default();
        line_start = at + 1;
        let (_, after) = rest.split_at(at + 1);
        let is_words = (is_prose(line) && !is_literal(line)) || is_sentence(line);
        if is_blank(after) || !(is_blank(line) || is_words) {
            break;
        }
        if !after.starts_with(['\n', '\r']) {
            push(start + at + 1);
        }
    }
    segments
}

/// Returns whether a line is a literal rather than prose.
fn is_literal(line: &str) -> bool {
    let word = line.trim_matches([' ', '\t', '\r', ',']);
    matches!(word, "true" | "false" | "null")
}

/// Returns whether a line, which may contain brackets and quotes, reads like a sentence: a capital,
/// and at least three words, the first two without punctuation.
fn is_sentence(line: &str) -> bool {
    let line = line.trim();
    let capital = line.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
    let is_word = |word: &str| word.chars().all(|c| c.is_alphabetic() || "'’,".contains(c));
    let mut words = line.split_ascii_whitespace();
    let starts = words.by_ref().take(2).all(is_word);
    capital && starts && words.next().is_some()
}

/// Returns the parts that may be a document after prose. If the piece starts with a bracket there
/// is no prose before it, and only the entire piece is returned, because nothing of a malformed
/// document may be skipped.
pub(crate) fn documents(reply: &str, piece: &Segment) -> impl Iterator<Item = Segment> {
    let text = reply.get(piece.range.clone()).unwrap_or_default();
    let is_broken = text.trim_start().starts_with(['{', '[']);
    let most = if is_broken { 1 } else { usize::MAX };
    let starts = text.match_indices(['{', '[']).take(most);
    starts.map(|(at, _)| Segment {
        range: piece.range.start + at..piece.range.end,
        wrapping: Wrapping::AfterProse,
        piece: piece.piece,
    })
}

/// Returns whether a reply may be a sentence to the user rather than the rest of a string: it
/// starts with a capital, as in `I cannot help with that.`, or contains a word that is typical of
/// such sentences.
pub(crate) fn may_be_words(text: &str) -> bool {
    const WORDS: [&str; 12] = [
        "sorry", "apolog", "json", "continu", "the rest", "here is", "here's", "i can", "i'm",
        "unable", "request", "sure",
    ];
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let starts = start.chars().next().is_some_and(char::is_uppercase);
    let start: String = start.chars().take(200).collect();
    let start = start.to_lowercase();
    starts || WORDS.iter().any(|word| start.contains(word))
}
