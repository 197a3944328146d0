//! Law 7: the parser accepts exactly the JSON of RFC 8259.
//!
//! Every case is compared with `serde_json` and with two naive readers, and is pushed at once, in
//! every two pieces, and byte by byte.

use std::fmt::Debug;

use json_chunks::{ErrorKind, Parser, PartialPolicy};

use super::DEPTH;
use super::accepted::{ACCEPTED, ACCEPTED_HERE_ONLY};
use super::rejected::REJECTED;
use json_chunks_testing::feed::{Transcript, error_at, feed, rows};
use json_chunks_testing::outline::Outline;
use json_chunks_testing::read::{Duplicates, read};

#[test]
fn the_table_is_large_enough() {
    let cases = ACCEPTED.len() + ACCEPTED_HERE_ONLY.len() + REJECTED.len();
    assert!(cases >= 250, "{cases} cases");
}

#[test]
fn valid_json_is_accepted() {
    for_all(ACCEPTED, |text| {
        let value: Result<serde_json::Value, _> = serde_json::from_str(text);
        ensure(value.is_ok(), || "serde_json refuses".to_owned())?;
        accepted(text)
    });
}

#[test]
fn optional_grammar_is_accepted_unlike_serde_json() {
    for_all(ACCEPTED_HERE_ONLY, |(text, why)| {
        let value: Result<serde_json::Value, _> = serde_json::from_str(text);
        ensure(value.is_err(), || format!("serde_json takes {why}"))?;
        accepted(text)
    });
}

/// `serde_json` reads 127 levels.
#[test]
fn one_more_level_is_accepted_than_by_serde_json() {
    for (open, inner, close) in [("[", "", "]"), (r#"{"a":"#, "1", "}")] {
        let nested = |levels: usize| [&open.repeat(levels), inner, &close.repeat(levels)].concat();
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text);
        assert!(value(&nested(DEPTH - 1)).is_ok() && value(&nested(DEPTH)).is_err());
        for levels in DEPTH - 1..=DEPTH + 1 {
            let text = nested(levels);
            let outline = Outline::of(text.as_bytes(), DEPTH);
            let error = (levels > DEPTH).then_some((ErrorKind::TooDeep, open.len() * DEPTH));
            assert_eq!(outline.error, error);
            for size in [1, 100, text.len()] {
                let transcript = feed(&mut Parser::new(), text.as_bytes().chunks(size));
                as_outlined(&transcript, &outline, &format!("{levels} levels")).unwrap();
            }
        }
    }
}

#[test]
fn invalid_json_returns_error_at_first_wrong_byte() {
    for_all(REJECTED, |&(bytes, kind, offset)| {
        let value: Result<serde_json::Value, _> = serde_json::from_slice(bytes);
        ensure(value.is_err(), || "serde_json takes".to_owned())?;
        rejected(bytes, kind, offset)
    });
}

/// Reports every row that fails, not only the first.
#[track_caller]
fn for_all<R>(rows: &[R], check: impl Fn(&R) -> Result<(), String>) {
    let failures: Vec<_> = rows.iter().filter_map(|row| check(row).err()).collect();
    assert!(
        failures.is_empty(),
        "{} of {} rows:\n{}",
        failures.len(),
        rows.len(),
        failures.join("\n")
    );
}

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}

fn same<T: PartialEq + Debug>(got: &T, expected: &T, how: &str) -> Result<(), String> {
    ensure(got == expected, || {
        format!("{how}: got {got:?}, expected {expected:?}")
    })
}

fn accepted(text: &str) -> Result<(), String> {
    let outline = follow(text.as_bytes(), None)?;
    let mut parser = Parser::new();
    parser.push(text).unwrap();
    assert!(parser.finish().unwrap().is_complete());
    let json = parser.root().unwrap().to_json(PartialPolicy::default());
    // The naive reader does not support a byte order mark.
    let model = read(text.trim_start_matches('\u{FEFF}'), Duplicates::LastWins);
    same(&read(&json, Duplicates::LastWins), &model, text)?;
    same(&rows(&parser), &outline.rows_at_end(), text)
}

fn rejected(bytes: &[u8], kind: ErrorKind, offset: usize) -> Result<(), String> {
    follow(bytes, Some((kind, offset)))?;
    let mut parser = Parser::new();
    let error = match parser.push(bytes).map(drop) {
        Err(error) => error,
        Ok(()) => parser.finish().map(drop).unwrap_err(),
    };
    assert_eq!(error.is_incomplete(), kind == ErrorKind::Incomplete);
    assert!(error.is_syntax());
    let text = error.to_string();
    let plain = text.split(" (").next().unwrap_or_default();
    ensure(plain.ends_with(&format!(" at byte {offset}")), || {
        error.to_string()
    })
}

/// Pushes a text in every way, and compares each prefix with the naive reader.
fn follow(bytes: &[u8], error: Option<(ErrorKind, usize)>) -> Result<Outline, String> {
    let shown = bytes.escape_ascii();
    let outline = Outline::of(bytes, DEPTH);
    assert_eq!(outline.error, error, "the naive reader on {shown}");
    let whole = feed(&mut Parser::new(), [bytes]);
    as_outlined(&whole, &outline, &format!("{shown} in one piece"))?;
    let mut parser = Parser::new();
    for split in 0..=bytes.len() {
        parser.reset();
        let (before, behind) = bytes.split_at(split);
        let transcript = feed(&mut parser, [before, behind]);
        as_outlined(&transcript, &outline, &format!("{shown} split at {split}"))?;
        same(
            &transcript.text,
            &whole.text,
            &format!("{shown} split at {split}"),
        )?;
    }
    parser.reset();
    let transcript = feed(&mut parser, bytes.chunks(1));
    as_outlined(&transcript, &outline, &format!("{shown} byte by byte"))?;
    prefixes(bytes, &outline)?;
    Ok(outline)
}

fn as_outlined(transcript: &Transcript, outline: &Outline, how: &str) -> Result<(), String> {
    same(&transcript.error, &outline.error, how)?;
    same(&transcript.events, &outline.events, how)?;
    same(&transcript.rows, &outline.rows_at_end(), how)
}

/// Asserts after each byte before the error that the document has the values that have started,
/// that those that have ended are complete, and that its text is JSON.
fn prefixes(bytes: &[u8], outline: &Outline) -> Result<(), String> {
    let good = outline.error.map_or(bytes.len(), |(_, offset)| offset);
    let mut parser = Parser::new();
    for length in 0..=good {
        let after = format!("{} after {length}", bytes.escape_ascii());
        let expected = outline.rows_after(length);
        if let Some(last) = length.checked_sub(1) {
            let is_complete = parser.push(&bytes[last..length]).unwrap().is_complete();
            same(
                &is_complete,
                &(!expected.is_empty() && expected.iter().all(|row| row.complete)),
                &after,
            )?;
        }
        same(&rows(&parser), &expected, &after)?;
        if let Some(root) = parser.root() {
            for partials in [PartialPolicy::default(), PartialPolicy::complete_only()] {
                let json = root.to_json(partials);
                let result = read(&json, Duplicates::LastWins);
                ensure(result.is_ok(), || format!("{after}: shows {json}"))?;
            }
        }
        // The end of the input is here.
        let expected = Outline::of(&bytes[..length], DEPTH).error;
        let error = parser.clone().finish().err();
        same(&error.as_ref().map(error_at), &expected, &after)?;
    }
    Ok(())
}
