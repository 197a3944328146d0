//! Repair of the mistakes that models make.

mod cases;
mod defects;
mod laws;
mod options;
mod rules;
mod troubles;

use json_chunks::repair::{RepairOptions, Repaired, repair_with};
use json_chunks::{Parser, repair};

/// Repairs a text, and asserts the laws that hold for every text.
#[track_caller]
fn repaired(text: impl AsRef<[u8]>) -> Repaired {
    repaired_with(text, RepairOptions::default())
}

/// Does the same with options.
#[track_caller]
fn repaired_with(text: impl AsRef<[u8]>, options: RepairOptions) -> Repaired {
    let text = text.as_ref();
    let shown = String::from_utf8_lossy(text);
    match repair_with(text, options) {
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
        parser.push(text)?;
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
    for repair in repaired.edits() {
        let range = repair.range();
        assert!(at <= range.start, "{:?} from {shown}", repaired.edits());
        applied.extend_from_slice(&input[at..range.start]);
        applied.extend_from_slice(repair.replacement().as_bytes());
        let replaced = &input[range.clone()];
        assert_ne!(replaced, repair.replacement().as_bytes(), "{shown}");
        at = range.end;
    }
    applied.extend_from_slice(&input[at..]);
    assert_eq!(String::from_utf8(applied).as_deref(), Ok(text), "{shown}");
    assert_eq!(repaired.is_unchanged(), repaired.edits().is_empty());

    let again = repair(text).unwrap();
    assert!(again.is_unchanged() && again.text() == text, "{text}");
}
