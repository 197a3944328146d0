//! Where in a text its JSON starts.

use super::ahead::{Ahead, Quote};
use crate::json::skip_whitespace;

/// Where the value starts.
///
/// That is the start of the text, comments aside, if there is a bracket, or a string, number or
/// literal with nothing else on its line. Else it is behind the first fence, and else at the first
/// bracket that is followed by what there is in JSON, if possible not one like `[1]`.
pub(super) fn find(bytes: &[u8]) -> Option<usize> {
    let ahead = Ahead(bytes);
    let start = skip_comments(bytes);
    if is_value(ahead, start) {
        return Some(start);
    }
    let fence = find_fence(bytes, start);
    if let Some(fence) = fence {
        let inside = behind_fence(bytes, fence);
        if is_value(ahead, inside) {
            return Some(inside);
        }
    }
    let brackets = (start..bytes.len()).filter(|&at| matches!(bytes[at], b'{' | b'['));
    let mut likely = brackets.filter(|&at| is_likely_bracket(ahead, at));
    let first = likely.next()?;
    if !is_reference(ahead, first) {
        return Some(first);
    }
    Some(likely.find(|&at| !is_reference(ahead, at)).unwrap_or(first))
}

/// Behind a byte order mark, white space and comments.
fn skip_comments(bytes: &[u8]) -> usize {
    let bom = "\u{FEFF}".as_bytes();
    let mut at = if bytes.starts_with(bom) { bom.len() } else { 0 };
    loop {
        at = skip_whitespace(bytes, at);
        match comment_end(bytes, at) {
            Some(end) => at = end,
            None => return at,
        }
    }
}

/// The end of the comment at `at`.
pub(super) fn comment_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let end = if rest.starts_with(b"/*") {
        let inside = rest.get(2..)?;
        let end = inside.windows(2).position(|two| two == b"*/");
        end.map(|end| end + 4)
    } else if rest.starts_with(b"//") || rest.starts_with(b"#") {
        rest.iter().position(|byte| *byte == b'\n')
    } else {
        return None;
    };
    Some(at + end.unwrap_or(rest.len()))
}

fn find_fence(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let fence = rest.windows(3).position(|three| three == b"```")?;
    Some(from + fence)
}

/// Behind the backticks and the name of the language.
fn behind_fence(bytes: &[u8], fence: usize) -> usize {
    let rest = bytes.get(fence..).unwrap_or_default();
    let info = |byte: &&u8| **byte == b'`' || byte.is_ascii_alphanumeric();
    let info = rest.iter().take_while(info).count();
    skip_whitespace(bytes, fence + info)
}

fn is_value(ahead: Ahead<'_>, at: usize) -> bool {
    match ahead.0.get(at) {
        Some(b'{' | b'[') => true,
        Some(_) => is_scalar_alone(ahead, at),
        None => false,
    }
}

/// Whether a string, number or literal starts there with nothing else on its line.
fn is_scalar_alone(ahead: Ahead<'_>, at: usize) -> bool {
    let bytes = ahead.0;
    let end = if let Some(open) = Quote::at(bytes, at) {
        let text = bytes.trim_ascii_end();
        let last = text.len() - 1;
        if last > at && Quote::at(bytes, last) == Some(open) {
            return true;
        }
        match string_end(bytes, at, open) {
            Some(end) => end,
            None => return true,
        }
    } else {
        if !ahead.is_scalar(at) {
            return false;
        }
        ahead.word_end(at)
    };
    let rest = bytes.get(end..).unwrap_or_default();
    let blank = rest.iter().take_while(|byte| b" \t".contains(byte)).count();
    let next = end + blank;
    match bytes.get(next) {
        None | Some(b'\n' | b'\r' | b',' | b';' | b'#' | b'+') => true,
        Some(_) => ahead.is_fence(next) || ahead.is_comment(next),
    }
}

fn string_end(bytes: &[u8], at: usize, open: Quote) -> Option<usize> {
    let mut at = at + open.len();
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            _ => match Quote::at(bytes, at) {
                Some(quote) if open.is_ended_by(quote) => return Some(at + quote.len()),
                Some(_) | None => at += 1,
            },
        }
    }
}

/// Whether there is nothing in brackets, or only a number: a reference in prose looks like that.
fn is_reference(ahead: Ahead<'_>, at: usize) -> bool {
    let rest = ahead.0.get(at + 1..).unwrap_or_default();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    matches!(rest.get(digits), Some(b']' | b'}'))
}

/// Whether a bracket in the midst of other text is followed by what there is in JSON.
fn is_likely_bracket(ahead: Ahead<'_>, at: usize) -> bool {
    let (inside, next) = ahead.next(at + 1);
    let Some(next) = next else { return true };
    let is_quote = Quote::at(ahead.0, inside).is_some();
    match ahead.0.get(at) {
        Some(b'{') => {
            is_quote
                || next == b'}'
                || ahead.is_word_before(inside, b":")
                || (next == b'{' && Quote::at(ahead.0, ahead.next(inside + 1).0).is_some())
        }
        _ => {
            is_quote
                || matches!(next, b'{' | b'[' | b']' | b'0'..=b'9' | b'-')
                || (ahead.is_scalar(inside) && ahead.is_word_before(inside, b",]"))
        }
    }
}
