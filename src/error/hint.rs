//! The likely fix for an error, and how the mistake is recognized.

/// The mistake that an error most likely comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    /// Pieces of one text where snapshots are expected.
    Fragments,
    /// A second value where one text is expected: JSON Lines, or snapshots.
    MoreValues,
    /// The body of a streaming API where its JSON text is expected.
    ServerSentEvents,
    /// Prose, reasoning or a code fence around the JSON.
    Wrapped,
    /// Snapshots of a tool call where the text of calls is expected.
    RepeatedCalls,
}

impl Hint {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Fragments => "if the stream yields pieces of one text, use `json_snapshots`",
            Self::MoreValues => {
                "several values? see `multiple_values`; snapshots? see `json_chunks`"
            }
            Self::ServerSentEvents => {
                "server-sent events? pass on the text in their `data`, not the events"
            }
            Self::Wrapped => "JSON inside other text? `repair` reads it out of prose and fences",
            Self::RepeatedCalls => {
                "the same call again? of snapshots, pass on the text: `json_chunks` before \
                 `tool_calls`"
            }
        }
    }
}

/// What the lines of the body of a streaming API start with (WHATWG HTML, section 9.2): the fields
/// of server-sent events, and the colon of a comment (`: keep-alive`).
const EVENT_FIELDS: [&[u8]; 5] = [b"data:", b"event:", b"id:", b"retry:", b":"];

/// Returns whether a text starts like the body of a streaming API.
pub(crate) fn is_event_stream(text: &[u8]) -> bool {
    EVENT_FIELDS.iter().any(|field| text.starts_with(field))
}

/// Returns the same as [`is_event_stream`] for a text that may be truncated: `da` may become
/// `data: {"id":…`.
pub(crate) fn may_be_event_stream(text: &[u8]) -> bool {
    let is_cut = EVENT_FIELDS.iter().any(|field| field.starts_with(text));
    is_event_stream(text) || (is_cut && !text.is_empty())
}

/// Returns whether the first byte of a text that is not JSON may start prose (`Here`, `Gerne`), a
/// code fence or a tag: a letter, as in nearly all replies, or the mark of a heading or list.
pub(crate) const fn starts_prose(byte: u8) -> bool {
    byte.is_ascii_alphabetic()
        || !byte.is_ascii()
        || matches!(byte, b'`' | b'~' | b'<' | b'#' | b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_stream_is_recognized_by_its_first_field() {
        for text in ["data: {", "event: ping", "id: 7", "retry: 10", ": ping"] {
            assert!(is_event_stream(text.as_bytes()), "{text}");
            for cut in 1..text.len() {
                assert!(may_be_event_stream(&text.as_bytes()[..cut]), "{text}");
            }
        }
        for text in ["", "date: today", "{\"data:\"", "dog", "ids:"] {
            assert!(!is_event_stream(text.as_bytes()), "{text}");
            assert!(!may_be_event_stream(text.as_bytes()), "{text}");
        }
    }
}
