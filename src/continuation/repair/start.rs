//! Finds the start of the value in a text, and classifies the text before it.

use alloc::vec::Vec;

use super::cost::{Credit, count};
use super::lookahead::Lookahead;
use super::quote::{Quote, find as find_part};
use super::rule::RepairRule;
use crate::json::{byte_order_mark_len, skip_whitespace};
use crate::wrapping::{self, Context, Language, Region};

/// The start of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) at: usize,
    /// The end of the region that contains the value: the end of the text, or the start of the tag
    /// or fence after it.
    pub(super) limit: usize,
    /// The rule by which the text before the value is dropped.
    pub(super) rule: RepairRule,
    /// The value is an object without braces: `"a":1,"b":2`.
    pub(super) is_members: bool,
    /// The value is an escaped document: `{\"a\": 1}`.
    pub(super) is_escaped: bool,
}

/// Returns the start of the value.
///
/// | candidate, in this order | example |
/// | --- | --- |
/// | a bracket, members or a lone scalar at the start, after comments | `// x␊{"a":1}` |
/// | in a fence marked as JSON | ```` Here: ```json␊{"a":1} ```` |
/// | in a tool call | `<tool_call>{"a":1}` |
/// | in another fence | ```` ```␊{"a":1} ```` |
/// | directly after reasoning | `<think>…</think>true` |
/// | the first bracket with a matching closer | `As in [1] and [the docs: {"a":1}` |
/// | the first bracket that looks like JSON | `As in [1]: {"a":1` |
/// | a reference, because prose contains those | `As in [1]` |
pub(super) fn find(bytes: &[u8]) -> Option<Start> {
    let ahead = Lookahead::new(bytes, false);
    let start = skip_comments(bytes);
    // `{"a": 1}` in single backticks is a quoted document, see `at_start`.
    let is_code = bytes.get(start) == Some(&b'`') && !ahead.is_fence(start);
    let is_marker = matches!(bytes.get(start), Some(b'<' | b'[' | b'`' | b'~'))
        && !is_code
        && core::str::from_utf8(bytes.get(start..)?).is_ok_and(wrapping::starts_marker);
    if !is_marker {
        let entire = Region {
            range: start..bytes.len(),
            context: Context::Text,
        };
        if let Some(start) = at_start(ahead, &entire) {
            return Some(start);
        }
    }
    let regions = merged(wrapping::regions(bytes));
    let follows_reasoning = |at: usize| {
        let before = regions.iter().take_while(|region| region.range.start < at);
        before
            .into_iter()
            .any(|region| region.context == Context::Reasoning)
    };
    let found = in_regions(ahead, &regions)?;
    let mut start = found;
    if start.rule == RepairRule::SurroundingText && follows_reasoning(start.at) {
        start.rule = RepairRule::Reasoning;
    }
    Some(start)
}

/// Returns the start of the next value, if the text contains several.
pub(super) fn next_value(ahead: Lookahead<'_>, at: usize) -> Option<usize> {
    let mut at = at;
    loop {
        let (next, byte) = ahead.next(at);
        match byte? {
            b',' | b';' => at = next + 1,
            b'{' | b'[' => return Some(next),
            _ => match comment_end(ahead.bytes, next) {
                Some(end) => at = end,
                None if is_scalar_alone(ahead, next) => return Some(next),
                None => break,
            },
        }
    }
    let brackets = (at..ahead.bytes.len()).filter(|at| matches!(ahead.bytes[*at], b'{' | b'['));
    let mut likely = brackets.filter(|&at| is_likely_bracket(ahead, at));
    likely.find(|&at| !is_reference(ahead, at))
}

/// Merges adjacent regions of the same context.
fn merged(regions: Vec<Region>) -> Vec<Region> {
    let mut out: Vec<Region> = Vec::with_capacity(regions.len());
    for region in regions {
        match out.last_mut() {
            Some(last)
                if last.range.end == region.range.start && last.context == region.context =>
            {
                last.range.end = region.range.end;
            }
            _ => out.push(region),
        }
    }
    out
}

/// Returns the value in the most likely region.
fn in_regions(ahead: Lookahead<'_>, regions: &[Region]) -> Option<Start> {
    const ORDER: [fn(Context) -> bool; 4] = [
        |context| matches!(context, Context::Fenced(fence) if fence.language == Language::Json),
        |context| context == Context::Call,
        |context| matches!(context, Context::Fenced(fence) if fence.language == Language::None),
        |context| matches!(context, Context::Fenced(_)),
    ];
    for is_likely in ORDER {
        let mut likely = regions.iter().filter(|region| is_likely(region.context));
        let start = likely.find_map(|region| at_start(ahead, region));
        if start.is_some() {
            return start;
        }
    }
    // The text after the reasoning is the answer, and is treated like a complete text.
    let thought = regions
        .iter()
        .rposition(|region| region.context == Context::Reasoning);
    let answer = thought.and_then(|thought| regions.get(thought + 1));
    let start = answer.and_then(|answer| at_start(ahead, answer));
    start.or_else(|| in_prose(ahead, regions))
}

/// Returns the value at the start of a region.
fn at_start(ahead: Lookahead<'_>, region: &Region) -> Option<Start> {
    let bytes = ahead.bytes;
    let at = skip_whitespace(bytes, region.range.start);
    let start = |at| start_at(ahead, region, at);
    match *bytes.get(at)? {
        b'{' | b'[' => Some(start(at)),
        // `(1, 2)`, but not `(see below) {"a":1}`.
        b'(' if ahead.is_tuple(at) && bytes.trim_ascii_end().ends_with(b")") => Some(start(at)),
        byte => {
            // `"{"a": 1}"`: quotes around a document whose own quotes are not escaped.
            let (inside, next) = ahead.next(at + 1);
            let quote = Quote::at(bytes, at);
            if matches!(byte, b'"' | b'\'' | b'`')
                && quote.is_some()
                && matches!(next, Some(b'{' | b'['))
                && is_likely_bracket(ahead, inside)
                && is_quoted_document(bytes, byte)
            {
                let rule = RepairRule::QuotedDocument;
                return Some(Start {
                    rule,
                    ..start(inside)
                });
            }
            let name_end = ahead.string_end(at);
            if name_end.is_some_and(|end| ahead.next(end).1 == Some(b':')) {
                let is_members = true;
                return Some(Start {
                    is_members,
                    ..start(at)
                });
            }
            is_scalar_alone(ahead, at).then(|| start(at))
        }
    }
}

/// Returns whether a text ends with a closing bracket and this quote: `'{"a": 1}'`, and not `'{'`.
fn is_quoted_document(bytes: &[u8], quote: u8) -> bool {
    let text = bytes.trim_ascii_end().strip_suffix(&[quote]);
    text.is_some_and(|text| matches!(text.trim_ascii_end(), [.., b'}' | b']']))
}

fn start_at(ahead: Lookahead<'_>, region: &Region, at: usize) -> Start {
    let bytes = ahead.bytes;
    let rule = match region.context {
        Context::Fenced(_) => RepairRule::Fence,
        Context::Call => RepairRule::ToolTag,
        Context::Text | Context::Reasoning if comment_end(bytes, skip_bom(bytes)).is_some() => {
            RepairRule::Comment
        }
        Context::Text | Context::Reasoning => RepairRule::SurroundingText,
    };
    // The reader of the value looks for the closing fence itself, because backticks may also occur
    // in a string.
    let end = region.range.end;
    let is_fence = bytes
        .get(end..)
        .is_some_and(|rest| rest.starts_with(b"```"));
    let limit = if is_fence { bytes.len() } else { end };
    // `{\n\"a\"`
    let escaped = Lookahead::new(bytes, true);
    let (mut inside, _) = escaped.next(at);
    while let (next, Some(b'{' | b'[')) = escaped.next(inside) {
        inside = next + 1;
    }
    let (inside, _) = escaped.next(inside);
    Start {
        at,
        limit,
        rule,
        is_members: false,
        is_escaped: matches!(Quote::opening(bytes, inside), Some(Quote::Escaped(_))),
    }
}

/// Returns the first bracket in prose that JSON may start with.
fn in_prose(ahead: Lookahead<'_>, regions: &[Region]) -> Option<Start> {
    let mut credit = Credit::of(ahead.bytes.len());
    // Brackets with a matching closer first, then those without, then references such as `[1]`.
    let mut open = None;
    let mut reference = None;
    for region in regions
        .iter()
        .filter(|region| region.context != Context::Reasoning)
    {
        let mut at = region.range.start;
        while at < region.range.end {
            let is_bracket = matches!(ahead.bytes.get(at), Some(b'{' | b'['));
            if !is_bracket || !is_likely_bracket(ahead, at) {
                at += 1;
                continue;
            }
            let start = || start_at(ahead, region, at);
            if is_reference(ahead, at) {
                reference = reference.or_else(|| Some(start()));
                at += 1;
                continue;
            }
            let end = ahead.balanced_end(at, region.range.end, &mut credit);
            if end.is_some() || credit.left() == 0 {
                return Some(start());
            }
            open = open.or_else(|| Some(start()));
            at += 1;
        }
    }
    open.or(reference)
}

/// Returns the offset after a byte order mark and white space.
fn skip_bom(bytes: &[u8]) -> usize {
    skip_whitespace(bytes, byte_order_mark_len(bytes))
}

/// Returns the offset after a byte order mark, white space and comments.
fn skip_comments(bytes: &[u8]) -> usize {
    let mut at = skip_bom(bytes);
    while let Some(end) = comment_end(bytes, at) {
        at = skip_whitespace(bytes, end);
    }
    at
}

/// Returns the end of the comment at `at`.
pub(super) fn comment_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let end = if rest.starts_with(b"/*") {
        find_part(rest.get(2..)?, b"*/").map(|end| end + 4)
    } else if rest.starts_with(b"//") || rest.starts_with(b"#") {
        rest.iter().position(|byte| *byte == b'\n')
    } else {
        return None;
    };
    Some(at + end.unwrap_or(rest.len()))
}

/// Returns whether a string, number or literal is at `at` and alone on its line.
fn is_scalar_alone(ahead: Lookahead<'_>, at: usize) -> bool {
    let bytes = ahead.bytes;
    let end = if let Some(open) = ahead.quote(at) {
        let text = bytes.trim_ascii_end();
        let last = text.len() - 1;
        if last > at && Quote::at(bytes, last) == Some(open) {
            return true;
        }
        match ahead.string_end(at) {
            Some(end) if end < bytes.len() => end,
            Some(_) | None => return true,
        }
    } else {
        let is_thousands = bytes.get(ahead.word_end(at)) == Some(&b',');
        if !ahead.is_scalar(at) {
            return false;
        }
        if is_thousands {
            return true;
        }
        ahead.word_end(at)
    };
    let rest = bytes.get(end..).unwrap_or_default();
    let blank = rest.iter().take_while(|byte| b" \t".contains(byte)).count();
    count(blank);
    let next = end + blank;
    match bytes.get(next) {
        None | Some(b'\n' | b'\r' | b',' | b';' | b'#' | b'+') => true,
        Some(_) => ahead.is_fence(next) || ahead.is_comment(next),
    }
}

/// Returns whether the brackets at `at` contain nothing or only numbers, like a reference in prose:
/// `[1]`, `[2-4, 7]`.
fn is_reference(ahead: Lookahead<'_>, at: usize) -> bool {
    let rest = ahead.bytes.get(at + 1..).unwrap_or_default();
    let is_inside = |byte: &&u8| byte.is_ascii_digit() || matches!(byte, b',' | b' ' | b'-');
    let inside = rest.iter().take_while(is_inside).count();
    count(inside);
    matches!(rest.get(inside), Some(b']' | b'}'))
}

/// Returns whether the text after a bracket looks like JSON: `{"a`, `{a:` and `[1`, but not `[the`.
fn is_likely_bracket(ahead: Lookahead<'_>, at: usize) -> bool {
    let (inside, next) = ahead.next(at + 1);
    let Some(next) = next else { return true };
    let is_quote = ahead.quote(inside).is_some();
    match ahead.bytes.get(at) {
        Some(b'{') => {
            is_quote
                || next == b'}'
                || ahead.is_word_before(inside, b":")
                || (next == b'{' && ahead.quote(ahead.next(inside + 1).0).is_some())
        }
        _ => {
            is_quote
                || matches!(next, b'{' | b'[' | b']' | b'0'..=b'9' | b'-')
                || (ahead.is_scalar(inside) && ahead.is_word_before(inside, b",]"))
        }
    }
}
