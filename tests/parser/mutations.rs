//! Law 7 on texts that nobody picked: valid ones with a few bytes flipped, added or missing.

use json_chunks::{ErrorKind, Parser, Partials};
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};
use serde::de::IgnoredAny;

use crate::DEPTH;
use crate::support::config;
use crate::support::feed::{feed, pieces};
use crate::support::outline::Outline;
use crate::support::read::{Duplicates, read};
use crate::support::tape::Tape;
use crate::support::write::{Hand, write};
use crate::support::writing::{documents, tapes};

proptest! {
    #![proptest_config(config(4000))]

    #[test]
    fn a_damaged_text_is_judged_as_serde_json_does(document in documents(), tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let text = write(&document, Hand::any(&mut tape).style(&mut tape));
        let mut bytes = text.into_bytes();
        for _ in 0..=tape.below(3) {
            damage(&mut bytes, &mut tape);
        }
        judged_alike(&bytes, &mut tape)?;
    }

    /// Bytes that mean something, in any order.
    #[test]
    fn a_heap_of_tokens_is_judged_as_serde_json_does(tape in tapes()) {
        let mut tape = Tape::new(&tape);
        let mut bytes = Vec::new();
        for _ in 0..tape.below(12) {
            bytes.extend_from_slice(tape.one_of(TOKENS).as_bytes());
        }
        judged_alike(&bytes, &mut tape)?;
    }
}

const TOKENS: &[&str] = &[
    "{", "}", "[", "]", ":", ",", "\"", "\"a\"", "\"a\":", "\\", "\\u", "\\ud83d", "\\ude00", "0",
    "1", "-", ".", "e", "+", "true", "false", "null", "nul", " ", "\n", "é", "\u{FEFF}", "\0",
];

fn damage(bytes: &mut Vec<u8>, tape: &mut Tape<'_>) {
    let place = |bytes: &[u8], tape: &mut Tape<'_>| {
        (tape.below(256) * 256 + tape.below(256)) * bytes.len() / 0x1_0000
    };
    let at = place(bytes, tape);
    match tape.below(5) {
        _ if bytes.is_empty() => {}
        0 => bytes[at] ^= 1 << tape.below(8),
        1 => bytes[at] = *tape.one_of(b"{}[]:,\"\\ \n-+.eE019ntfu\x00\x1f\x7f\x80\xc3\xed\xf0\xff"),
        2 => bytes.insert(at, tape.byte()),
        3 => drop(bytes.remove(at)),
        _ => {
            // Another piece of the same text at this place.
            let from = place(bytes, tape);
            let length = tape.below(8).min(bytes.len() - from);
            let piece = bytes[from..from + length].to_vec();
            bytes.splice(at..at, piece);
        }
    }
}

fn judged_alike(bytes: &[u8], tape: &mut Tape<'_>) -> Result<(), TestCaseError> {
    let shown = bytes.escape_ascii();
    let outline = Outline::of(bytes, DEPTH);
    let mut parser = Parser::new();
    let heard = feed(&mut parser, [bytes]);
    prop_assert_eq!(heard.error, outline.error, "{}", shown);
    prop_assert_eq!(&heard.told, &outline.told, "{}", shown);
    prop_assert_eq!(&heard.rows, &outline.rows_at_end(), "{}", shown);

    // `IgnoredAny` is the grammar and nothing but: it neither holds numbers nor decodes strings.
    let grammar: Result<IgnoredAny, _> = serde_json::from_slice(without_mark(bytes));
    let is_json = grammar.is_ok() && std::str::from_utf8(bytes).is_ok();
    let is_taken = heard.error.is_none();
    prop_assert!(
        is_taken == is_json || heard.error.is_some_and(is_limit),
        "{shown}"
    );
    if is_taken {
        let json = parser.root().unwrap().to_json(Partials::default());
        let text = std::str::from_utf8(without_mark(bytes)).unwrap();
        let model = read(text, Duplicates::LastWins);
        prop_assert_eq!(read(&json, Duplicates::LastWins), model, "{}", shown);
    }
    // What `serde_json` can hold is the same there.
    let value: Result<serde_json::Value, _> = serde_json::from_slice(bytes);
    if let Ok(value) = value {
        let json = parser.root().unwrap().to_json(Partials::default());
        let own: serde_json::Value = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(own, value, "{}", shown);
    }

    let mut parser = Parser::new();
    let split = feed(&mut parser, pieces(bytes, tape));
    prop_assert_eq!(split, heard, "{}", shown);
    let singles = feed(&mut Parser::new(), bytes.chunks(1));
    prop_assert_eq!(singles.error, outline.error, "{} byte by byte", shown);
    prop_assert_eq!(&singles.told, &outline.told, "{} byte by byte", shown);
    prop_assert_eq!(
        singles.rows,
        outline.rows_at_end(),
        "{} byte by byte",
        shown
    );
    Ok(())
}

/// `serde_json` knows no byte order mark.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes)
}

/// Whether it is the depth that was too much, of which `IgnoredAny` has no limit.
fn is_limit((kind, _): (ErrorKind, usize)) -> bool {
    kind == ErrorKind::TooDeep
}
