//! Law 7 on random texts: valid ones with a few bytes changed, added or removed.

use json_chunks::{ErrorKind, Parser, PartialPolicy};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};
use serde::de::IgnoredAny;

use super::DEPTH;
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use json_chunks_testing::feed::{feed, pieces};
use json_chunks_testing::outline::Outline;
use json_chunks_testing::read::{Duplicates, read};
use json_chunks_testing::write::{Styles, write};
use json_chunks_testing::writing::{choice_bytes, documents};

proptest! {
    #![proptest_config(config(4000))]

    #[test]
    fn damaged_text_is_judged_like_by_serde_json(document in documents(), source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let text = write(&document, Styles::any(&mut source).style(&mut source));
        let mut bytes = text.into_bytes();
        for _ in 0..=source.below(3) {
            damage(&mut bytes, &mut source);
        }
        judged_alike(&bytes, &mut source)?;
    }

    /// Significant bytes in any order.
    #[test]
    fn random_tokens_are_judged_like_by_serde_json(source in choice_bytes()) {
        let mut source = ByteSource::new(&source);
        let mut bytes = Vec::new();
        for _ in 0..source.below(12) {
            bytes.extend_from_slice(source.choose(TOKENS).as_bytes());
        }
        judged_alike(&bytes, &mut source)?;
    }
}

const TOKENS: &[&str] = &[
    "{", "}", "[", "]", ":", ",", "\"", "\"a\"", "\"a\":", "\\", "\\u", "\\ud83d", "\\ude00", "0",
    "1", "-", ".", "e", "+", "true", "false", "null", "nul", " ", "\n", "é", "\u{FEFF}", "\0",
];

fn damage(bytes: &mut Vec<u8>, source: &mut ByteSource<'_>) {
    let place = |bytes: &[u8], source: &mut ByteSource<'_>| {
        (source.below(256) * 256 + source.below(256)) * bytes.len() / 0x1_0000
    };
    let at = place(bytes, source);
    match source.below(5) {
        _ if bytes.is_empty() => {}
        0 => bytes[at] ^= 1 << source.below(8),
        1 => {
            bytes[at] =
                *source.choose(b"{}[]:,\"\\ \n-+.eE019ntfu\x00\x1f\x7f\x80\xc3\xed\xf0\xff");
        }
        2 => bytes.insert(at, source.byte()),
        3 => drop(bytes.remove(at)),
        _ => {
            // Inserts another piece of the same text.
            let from = place(bytes, source);
            let length = source.below(8).min(bytes.len() - from);
            let piece = bytes[from..from + length].to_vec();
            bytes.splice(at..at, piece);
        }
    }
}

fn judged_alike(bytes: &[u8], source: &mut ByteSource<'_>) -> Result<(), TestCaseError> {
    let shown = bytes.escape_ascii();
    let outline = Outline::of(bytes, DEPTH);
    let mut parser = Parser::new();
    let transcript = feed(&mut parser, [bytes]);
    prop_assert_eq!(transcript.error, outline.error, "{}", shown);
    prop_assert_eq!(&transcript.events, &outline.events, "{}", shown);
    prop_assert_eq!(&transcript.rows, &outline.rows_at_end(), "{}", shown);

    // `IgnoredAny` checks only the grammar: it neither stores numbers nor decodes strings.
    let grammar: Result<IgnoredAny, _> = serde_json::from_slice(without_mark(bytes));
    let is_json = grammar.is_ok() && std::str::from_utf8(bytes).is_ok();
    let is_taken = transcript.error.is_none();
    prop_assert!(
        is_taken == is_json || transcript.error.is_some_and(is_limit),
        "{shown}"
    );
    if is_taken {
        let json = parser.root().unwrap().to_json(PartialPolicy::default());
        let text = std::str::from_utf8(without_mark(bytes)).unwrap();
        let model = read(text, Duplicates::LastWins);
        prop_assert_eq!(read(&json, Duplicates::LastWins), model, "{}", shown);
    }
    // Values that `serde_json` can represent are equal.
    let value: Result<serde_json::Value, _> = serde_json::from_slice(bytes);
    if let Ok(value) = value {
        let json = parser.root().unwrap().to_json(PartialPolicy::default());
        let own: serde_json::Value = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(own, value, "{}", shown);
    }

    let mut parser = Parser::new();
    let split = feed(&mut parser, pieces(bytes, source));
    prop_assert_eq!(split, transcript, "{}", shown);
    let singles = feed(&mut Parser::new(), bytes.chunks(1));
    prop_assert_eq!(singles.error, outline.error, "{} byte by byte", shown);
    prop_assert_eq!(&singles.events, &outline.events, "{} byte by byte", shown);
    prop_assert_eq!(
        singles.rows,
        outline.rows_at_end(),
        "{} byte by byte",
        shown
    );
    Ok(())
}

/// `serde_json` does not accept a byte order mark.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes)
}

/// Returns whether the depth limit was exceeded, which `IgnoredAny` does not have.
fn is_limit((kind, _): (ErrorKind, usize)) -> bool {
    kind == ErrorKind::TooDeep
}
