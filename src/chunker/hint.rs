//! Errors in a first snapshot that have a likely cause.

use crate::error::{Error, Hint, Reason, is_event_stream, starts_prose};

/// Returns the mistake that is the likely cause of an error in the first snapshot.
pub(super) fn hint(error: &Error, snapshot: &str) -> Option<Hint> {
    let rest = snapshot.as_bytes().get(error.offset()..)?;
    match error.reason() {
        // `{"title":"Thr`: the first piece of a text. That of an object or array never is a
        // text of its own, however small the pieces are, so this is checked before any piece
        // that can be mistaken for a snapshot, such as `3` or `{}`.
        Reason::Incomplete => Some(Hint::Fragments),
        // `data: {"choices":…` or `: keep-alive`, but not a later piece such as `: "Three"`.
        Reason::Expected(_) if is_event_stream(rest) => {
            let comment = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
            let is_piece = comment.is_some_and(|value| {
                let literals: [&[u8]; 3] = [b"true", b"false", b"null"];
                !value.first().is_some_and(u8::is_ascii_alphabetic)
                    || literals.iter().any(|literal| value.starts_with(literal))
            });
            (!is_piece).then_some(Hint::ServerSentEvents)
        }
        // `Here is`, a fence or `<think>`. Not a small letter: with pieces of one text, the
        // second may be `tle": "Three`.
        Reason::Expected(_) => {
            let first = snapshot.trim_ascii_start().bytes().next()?;
            (starts_prose(first) && !first.is_ascii_lowercase()).then_some(Hint::Wrapped)
        }
        _ => None,
    }
}
