//! Tests that distinguish prose and markers from JSON.

use super::marker::TAGS;

/// White space (RFC 8259, section 2).
pub(crate) const BLANK: [char; 4] = [' ', '\n', '\r', '\t'];

/// Returns whether a text is only white space.
pub(crate) fn is_blank(text: &str) -> bool {
    leading_blank(text) == text.len()
}

/// Returns the length of the white space at the start, in bytes.
pub(crate) fn leading_blank(text: &str) -> usize {
    text.len() - text.trim_start_matches(BLANK).len()
}

/// Returns whether a text may be prose: it has letters, and no brackets, quotes or backslashes.
pub(crate) fn is_prose(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
        && !text
            .bytes()
            .any(|byte| matches!(byte, b'{' | b'}' | b'[' | b']' | b'"' | b'\\'))
}

/// Returns whether a text starts with a fence, a single backtick or a tag.
pub(crate) fn starts_marker(text: &str) -> bool {
    let fence = text.starts_with("```") || text.starts_with("~~~");
    // `` `{"a": 1}` ``: code in a line of prose.
    let code = text
        .strip_prefix('`')
        .is_some_and(|rest| !rest.starts_with('`'));
    let tag = TAGS.iter().any(|(tag, _)| text.as_bytes().starts_with(tag));
    fence || code || tag
}

/// Returns whether a text may follow a complete document: a fence, a tag, or words after white
/// space.
pub(crate) fn may_follow(text: &str) -> bool {
    let words = text.trim_start();
    starts_marker(words)
        || (words.len() < text.len()
            && !words.starts_with(['{', '}', '[', ']', '"', ',', ':'])
            && words.chars().any(char::is_alphabetic))
}
