//! What models put around JSON: fences and prose.
//!
//! A line break and then three backticks is nothing that JSON can have, so a fence that has a line
//! of its own always ends the JSON text or comes before it. Prose has no such mark: it is left out
//! only where the text is no JSON with it.

use alloc::vec::Vec;
use core::ops::Range;

pub(super) const BLANK: [char; 4] = [' ', '\n', '\r', '\t'];
const BOM: char = '\u{FEFF}';
/// How many pieces between fences are looked at, and how many lines of prose.
const MOST_PIECES: usize = 6;
const MOST_LINES: usize = 8;
/// The longest prose on one line with JSON text behind it.
const LONGEST_LEAD: usize = 200;

/// How the JSON text of a reply is told from what is around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dress {
    /// It is all there is.
    None,
    /// There is a fence around it, or behind it.
    Fence,
    /// There is prose before it.
    Prose,
}

/// A part of a reply that may be its JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Body {
    pub(super) range: Range<usize>,
    pub(super) dress: Dress,
    /// Which of the pieces between fences it is in.
    pub(super) piece: usize,
}

/// The pieces of a reply that its fences divide it into, and whether these are all. A byte order
/// mark before them is left out, unless it goes on with a string.
pub(super) fn pieces(reply: &str, in_string: bool) -> (Vec<Body>, bool) {
    let mut bodies = Vec::new();
    let mut start = if reply.starts_with(BOM) && !in_string {
        BOM.len_utf8()
    } else {
        0
    };
    let mut dress = Dress::None;
    let mut line_start = start;
    for line in reply.get(start..).unwrap_or_default().split_inclusive('\n') {
        let line_end = line_start + line.len();
        if let Some(content) = fence(line) {
            let end = without_line_break(reply, start..line_start);
            push(&mut bodies, reply, start..end, Dress::Fence);
            start = line_start + content;
            dress = Dress::Fence;
        }
        line_start = line_end;
    }
    let end = without_line_ends(reply, start);
    push(&mut bodies, reply, start..end, dress);
    let is_all_fences = bodies.is_empty();
    if is_all_fences || (in_string && fence(reply).is_some()) {
        // In a string the fence may be what it says.
        let range = if in_string {
            0..reply.len()
        } else {
            start..reply.len()
        };
        bodies.push(Body {
            range,
            dress: Dress::None,
            piece: bodies.len(),
        });
    }
    let all = bodies.len() <= MOST_PIECES;
    bodies.truncate(MOST_PIECES);
    (bodies, all)
}

fn push(bodies: &mut Vec<Body>, reply: &str, range: Range<usize>, dress: Dress) {
    let blank = is_blank(reply.get(range.clone()).unwrap_or_default());
    // A reply of white space only is still a reply.
    if !blank || dress == Dress::None {
        let piece = bodies.len();
        bodies.push(Body {
            range,
            dress,
            piece,
        });
    }
}

/// Where the text behind a fence starts, if the line is one, perhaps with the name of a language;
/// or with that and JSON text on the same line.
fn fence(line: &str) -> Option<usize> {
    let line = line.split_inclusive('\n').next()?;
    let ticks = line.trim_start_matches([' ', '\t']);
    let info = ticks.strip_prefix("```")?.trim_start_matches('`');
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+');
    let rest = info.trim_start_matches(word);
    let text = rest.trim_start_matches([' ', '\t', '\r', '\n']);
    let opens_on_line = rest.len() < info.len() && rest.starts_with(' ');
    if text.is_empty() {
        Some(line.len())
    } else if opens_on_line && text.starts_with(['{', '[']) {
        Some(line.len() - text.len())
    } else {
        None
    }
}

/// The end of a piece without the line break that a fence needs before it.
fn without_line_break(reply: &str, range: Range<usize>) -> usize {
    let piece = reply.get(range.clone()).unwrap_or_default();
    let piece = piece.strip_suffix('\n').unwrap_or(piece);
    range.start + piece.strip_suffix('\r').unwrap_or(piece).len()
}

/// The end of a reply without the line ends that files and terminals put there, which would end a
/// number and make two of what was cut in two, and without the start of a fence. A reply that is
/// nothing else stays as it is.
fn without_line_ends(reply: &str, start: usize) -> usize {
    let text = reply.get(start..).unwrap_or_default();
    let whole = text.trim_end_matches('`');
    let is_fence = whole.ends_with('\n') && text.len() - whole.len() < 3;
    let kept = if is_fence { whole } else { text };
    let kept = kept.trim_end_matches(['\r', '\n']);
    if is_blank(kept) {
        reply.len()
    } else {
        start + kept.len()
    }
}

pub(super) fn is_blank(text: &str) -> bool {
    leading_blank(text) == text.len()
}

/// How many bytes of white space (RFC 8259, section 2) there are at the start.
pub(super) fn leading_blank(text: &str) -> usize {
    text.len() - text.trim_start_matches(BLANK).len()
}

/// Whether this may be words to the reader: letters, and nothing that JSON is made of.
pub(super) fn is_prose(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
        && !text
            .bytes()
            .any(|byte| matches!(byte, b'{' | b'}' | b'[' | b']' | b'"' | b'\\'))
}

/// Whether this may stand behind a document that is complete: a fence, or words on a line or
/// behind white space of their own.
pub(super) fn may_follow(text: &str) -> bool {
    let words = text.trim_start();
    words.starts_with("```")
        || (words.len() < text.len()
            && !words.starts_with(['{', '}', '[', ']', '"', ',', ':'])
            && words.chars().any(char::is_alphabetic))
}

/// Whether this part of a reply has a line end on one of its sides, rather than words on both.
pub(super) fn is_set_off(reply: &str, range: &Range<usize>) -> bool {
    let before = reply.get(..range.start).unwrap_or_default();
    let behind = reply.get(range.end..).unwrap_or_default();
    let blank = |c| matches!(c, ' ' | '\t' | '\r');
    let before = before.trim_end_matches(blank);
    let behind = behind.trim_start_matches(blank);
    before.is_empty() || before.ends_with('\n') || behind.is_empty() || behind.starts_with('\n')
}

/// What of a piece may be JSON text behind one line of words: "Here is the rest: …".
pub(super) fn behind_lead(reply: &str, piece: &Body) -> Option<Body> {
    let text = reply.get(piece.range.clone())?;
    let line = text.lines().next()?;
    let colon = line.find(": ").filter(|colon| *colon < LONGEST_LEAD)?;
    let lead = line.get(..colon)?;
    let starts = lead
        .trim_start()
        .chars()
        .next()
        .is_some_and(|first| first.is_alphabetic() && !first.is_lowercase());
    let words = lead.split_ascii_whitespace().count();
    if !starts || words < 3 || !is_prose(lead) {
        return None;
    }
    let start = piece.range.start + colon + 2;
    Some(Body {
        range: start..piece.range.end,
        dress: Dress::Prose,
        piece: piece.piece,
    })
}

/// What of a piece may be JSON text behind dots that stand for what was there before.
pub(super) fn behind_dots(reply: &str, piece: &Body) -> Option<Body> {
    let text = reply.get(piece.range.clone())?.trim_start_matches(BLANK);
    let behind = text
        .strip_prefix("...")
        .or_else(|| text.strip_prefix('…'))?;
    Some(Body {
        range: piece.range.end - behind.len()..piece.range.end,
        dress: Dress::Prose,
        piece: piece.piece,
    })
}

/// What of a piece may be JSON text behind lines of words, or of nothing.
pub(super) fn behind_lines(reply: &str, piece: &Body) -> Vec<Body> {
    let text = reply.get(piece.range.clone()).unwrap_or_default();
    let mut bodies = Vec::new();
    for (at, _) in text.match_indices('\n').take(MOST_LINES) {
        let (skipped, rest) = text.split_at(at + 1);
        if is_blank(rest) || !(is_blank(skipped) || is_prose(skipped)) {
            break;
        }
        if rest.starts_with(['\n', '\r']) {
            continue;
        }
        bodies.push(Body {
            range: piece.range.start + at + 1..piece.range.end,
            dress: Dress::Prose,
            piece: piece.piece,
        });
    }
    bodies
}

/// What of a piece may be a document behind words. What starts with a bracket is no words: of two
/// documents, and of a broken one, nothing is left out.
pub(super) fn documents(reply: &str, piece: &Body) -> impl Iterator<Item = Body> {
    let text = reply.get(piece.range.clone()).unwrap_or_default();
    let is_broken = text.trim_start().starts_with(['{', '[']);
    let most = if is_broken { 1 } else { usize::MAX };
    let starts = text.match_indices(['{', '[']).take(most);
    starts.map(|(at, _)| Body {
        range: piece.range.start + at..piece.range.end,
        dress: Dress::Prose,
        piece: piece.piece,
    })
}
