//! Excerpts of a text.

use alloc::borrow::ToOwned as _;
use alloc::string::String;

use crate::json::floor_char_boundary;

/// Returns the first `max_bytes` of a longer text and `…`, or the entire text.
pub(super) fn start_of(text: &str, max_bytes: usize) -> String {
    match text.get(..floor_char_boundary(text, max_bytes)) {
        Some(start) if start.len() < text.len() => [start, "…"].concat(),
        Some(_) | None => text.to_owned(),
    }
}

/// Returns the end of a text, at most `max_bytes`.
pub(super) fn end_of(text: &str, max_bytes: usize) -> &str {
    let mut start = text.len().saturating_sub(max_bytes);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}
