//! What models break in JSON, and what becomes of it.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod cases;
mod laws;
mod rules;
#[path = "../support/mod.rs"]
mod support;
mod troubles;

use json_chunks::{Parser, Repaired, repair};

/// Repairs a text, and makes sure of what holds for every text.
#[track_caller]
fn repaired(text: impl AsRef<[u8]>) -> Repaired {
    let text = text.as_ref();
    let shown = String::from_utf8_lossy(text);
    match repair(text) {
        Ok(repaired) => {
            check(text, &repaired);
            repaired
        }
        Err(error) => panic!("{error}: {shown}"),
    }
}

#[track_caller]
fn check(input: &[u8], repaired: &Repaired) {
    let shown = String::from_utf8_lossy(input);
    let text = repaired.text();
    let parse = |text: &str| {
        let mut parser = Parser::new();
        parser.push_str(text)?;
        parser.finish().map(drop)
    };
    assert_eq!(parse(text), Ok(()), "{text} from {shown}");
    assert!(
        serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok(),
        "{text} from {shown}"
    );
    assert!(repaired.value().is_complete());

    let mut applied = Vec::new();
    let mut at = 0;
    for repair in repaired.ledger() {
        let range = repair.range();
        assert!(at <= range.start, "{:?} from {shown}", repaired.ledger());
        applied.extend_from_slice(&input[at..range.start]);
        applied.extend_from_slice(repair.replacement().as_bytes());
        assert!(!range.is_empty() || !repair.replacement().is_empty());
        at = range.end;
    }
    applied.extend_from_slice(&input[at..]);
    assert_eq!(String::from_utf8(applied).as_deref(), Ok(text), "{shown}");
    assert_eq!(repaired.is_unchanged(), repaired.ledger().is_empty());

    let again = repair(text).unwrap();
    assert!(again.is_unchanged() && again.text() == text, "{text}");
}
