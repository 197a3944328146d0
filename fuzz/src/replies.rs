//! Laws for any bytes as the replies of a model: joined and repaired.
//!
//! A case is a text with U+0000 between the replies.

use arbitrary::{Arbitrary, Unstructured};
use json_chunks::Parser;
use json_chunks::join::{Accumulator, JoinOutcome};
use json_chunks::repair;
use json_chunks::repair::{FinishReason, RepairOptions, repair_with};
use serde::de::IgnoredAny;

/// The replies of a model: the first one, and those that continue it.
#[derive(Debug)]
pub struct Replies(Vec<Vec<u8>>);

impl Arbitrary<'_> for Replies {
    fn arbitrary(unstructured: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let bytes = unstructured.bytes(unstructured.len())?;
        let replies = bytes.split(|byte| *byte == 0);
        Ok(Self(replies.map(<[u8]>::to_vec).collect()))
    }
}

/// Checks the laws of the accumulator, and of the repair of its text.
pub fn check(Replies(replies): &Replies) {
    let mut accumulator = Accumulator::new();
    for reply in replies {
        let before = accumulator.text().to_owned();
        let outcome = accumulator.push_bytes(reply);
        check_join(&accumulator, &outcome, &before);
        for index in 0..accumulator.candidates().len() {
            let mut other = accumulator.clone();
            let taken = other.accept(index).expect("it is a candidate");
            check_join(&other, &taken, &before);
        }
        let state = serde_json::to_string(&accumulator).expect("it can be put away");
        let restored: Accumulator = serde_json::from_str(&state).expect("it can be restored");
        assert_eq!(restored.text(), accumulator.text());
        assert_eq!(
            restored.clone().push_bytes(reply),
            accumulator.clone().push_bytes(reply)
        );
        check_repair(reply);
    }
    check_repair(accumulator.text().as_bytes());
}

/// Asserts that the text only grows, stays a prefix of JSON, grows only by joined replies, and is
/// not complete while there are candidates.
fn check_join(accumulator: &Accumulator, outcome: &JoinOutcome, before: &str) {
    let text = accumulator.text();
    let growth = text.strip_prefix(before).expect("the text only grows");
    assert_eq!(growth.len(), outcome.growth(), "{outcome:?}");
    assert!(!outcome.is_joined() || accumulator.candidates().is_empty());
    let mut parser = Parser::new();
    assert!(parser.push(text).is_ok(), "{text}");
    assert!(
        !accumulator.is_complete() || parser.finish().is_ok(),
        "{text}"
    );
    assert!(!accumulator.is_complete() || accumulator.candidates().is_empty());
}

fn check_repair(bytes: &[u8]) {
    let options = RepairOptions::default();
    for options in [
        options,
        options.finish_reason(FinishReason::Stopped),
        options
            .finish_reason(FinishReason::Truncated)
            .multiple_values(true),
    ] {
        check_repair_with(bytes, options);
    }
}

fn check_repair_with(bytes: &[u8], options: RepairOptions) {
    let is_json = str::from_utf8(bytes).is_ok_and(is_json);
    let repaired = match repair_with(bytes, options) {
        Ok(repaired) => repaired,
        Err(error) => {
            assert!(!is_json || is_deep(bytes), "JSON is not accepted");
            let nothing = error.to_string().contains("expected a value");
            assert!(nothing || error.is_limit(), "{error}");
            return;
        }
    };
    let text = repaired.text();
    assert!(is_json_or_deep(text), "{text}");
    assert_eq!(repaired.is_unchanged(), repaired.edits().is_empty());
    assert!(
        !is_json || text.as_bytes() == bytes,
        "JSON is changed to {text}"
    );
    let mut applied = Vec::new();
    let mut end = 0;
    for edit in repaired.edits() {
        let range = edit.range();
        let replaced = &bytes[range.clone()];
        assert_ne!(
            replaced,
            edit.replacement().as_bytes(),
            "an edit of nothing"
        );
        applied.extend_from_slice(&bytes[end..range.start]);
        applied.extend_from_slice(edit.replacement().as_bytes());
        end = range.end;
    }
    applied.extend_from_slice(&bytes[end..]);
    assert_eq!(applied, text.as_bytes(), "left: by the edits");
    assert!(repaired.value().is_complete(), "{text}");
    let again = repair(text).expect("it is JSON");
    assert!(again.is_unchanged(), "{text} becomes {}", again.text());
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// `serde_json` allows one level less.
fn is_json_or_deep(text: &str) -> bool {
    is_json(text) || is_deep(text.as_bytes())
}

fn is_deep(text: &[u8]) -> bool {
    text.iter().filter(|byte| b"[{".contains(byte)).count() > 126
}
