//! The mistakes that errors of the library hint at, and the command or option that fixes each.
//!
//! # For maintainers
//!
//! The library names its own methods in [`Error::hint`]; the command names subcommands and options.
//! The hint is recognized by its text, and the tests below fail if that changes. A new hint takes a
//! variant, a row in [`Mistake::from_hint`], and a text wherever the compiler then asks for one.

use json_chunks::Error;

/// The hint for frames of an API where their text is expected.
pub(crate) const SERVER_SENT_EVENTS: &str = "for the tool calls in server-sent events of an API, use \
     `json-chunks tools --frames`; else pass on the text in their `data`";
/// The hint for snapshots of tool calls. Each of them is a call of its own without it.
pub(crate) const REPEATED_CALLS: &str = "the same call again? if the input is snapshots of the \
     calls, pass it through `json-chunks chunk`";
/// The hint for prose, reasoning or fences around the JSON.
pub(crate) const WRAPPED: &str =
    "if there is text around the JSON, pass it through `json-chunks extract`";

/// The hint for text that PowerShell or an editor has saved as UTF-16.
pub(crate) const UTF16: &str =
    "the input looks like UTF-16; convert it to UTF-8, as `iconv -f UTF-16 -t UTF-8` does";

/// Returns whether the start of an input looks like UTF-16: it has the byte order mark, or every
/// other byte is 0, as in `{` `"`. Valid JSON has no zeros.
pub(crate) fn is_utf16(start: &[u8]) -> bool {
    match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [first, second, ..] => (*first == 0) != (*second == 0),
        _ => false,
    }
}

/// The mistake that an error probably comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mistake {
    /// Pieces of one text where snapshots are expected.
    Fragments,
    /// Several values or snapshots where one text is expected.
    MoreValues,
    /// The frames of an API where their text is expected.
    ServerSentEvents,
    /// Prose, reasoning or fences around the JSON.
    Wrapped,
    /// Snapshots of a call where the text of calls is expected.
    RepeatedCalls,
    /// A hint that does not depend on the command.
    Other(&'static str),
}

impl Mistake {
    /// Returns the mistake that the hint of an error names.
    pub(crate) fn of(error: &Error) -> Option<Self> {
        error.hint().map(Self::from_hint)
    }

    /// Returns the mistake that a hint names.
    pub(crate) fn from_hint(hint: &'static str) -> Self {
        let rows = [
            ("use `json_snapshots`", Self::Fragments),
            ("several values?", Self::MoreValues),
            ("server-sent events?", Self::ServerSentEvents),
            ("JSON inside other text?", Self::Wrapped),
            ("the same call again?", Self::RepeatedCalls),
        ];
        let row = rows.into_iter().find(|(words, _)| hint.contains(words));
        row.map_or(Self::Other(hint), |(_, mistake)| mistake)
    }
}

#[cfg(test)]
mod tests {
    use json_chunks::{Chunker, Parser};

    use super::{Mistake, is_utf16};

    #[test]
    fn utf16_is_recognized_by_its_first_two_bytes() {
        for start in [&b"\xff\xfe{\0"[..], b"\xfe\xff\0{", b"{\0\"\0", b"\0{"] {
            assert!(is_utf16(start), "{start:?}");
        }
        for start in [&b""[..], b"{", b"{\"", b"\xef\xbb\xbf{", b"\0\0"] {
            assert!(!is_utf16(start), "{start:?}");
        }
    }

    #[test]
    fn hints_of_the_library_are_recognized() {
        let of_text = |text: &str| {
            let error = Parser::new().push(text.as_bytes()).unwrap_err();
            Mistake::of(&error)
        };
        assert_eq!(of_text("[1] [2]"), Some(Mistake::MoreValues));
        assert_eq!(of_text("data: {}"), Some(Mistake::ServerSentEvents));
        assert_eq!(of_text("Here is [1]"), Some(Mistake::Wrapped));
        assert_eq!(of_text("[1] I hope"), Some(Mistake::Wrapped));
        assert_eq!(of_text("[1,]"), None);
        let of_snapshot = |text: &str| {
            let error = Chunker::new().push(text).unwrap_err();
            Mistake::of(&error)
        };
        assert_eq!(of_snapshot("{\"a\":"), Some(Mistake::Fragments));
        assert_eq!(of_snapshot("data: {}"), Some(Mistake::ServerSentEvents));
        assert_eq!(of_snapshot("Here is [1]"), Some(Mistake::Wrapped));
    }
}
