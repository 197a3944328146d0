//! What holds for any bytes whatever as the replies of a model: joined, and repaired.
//!
//! A case is a text with U+0000 between the replies.

use arbitrary::{Arbitrary, Unstructured};
use json_chunks::{Accumulator, Certainty, Join, Parser, repair};
use serde::de::IgnoredAny;

/// Replies of a model, the first and those that go on with it.
#[derive(Debug)]
pub struct Replies(Vec<Vec<u8>>);

impl Arbitrary<'_> for Replies {
    fn arbitrary(unstructured: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let bytes = unstructured.bytes(unstructured.len())?;
        let replies = bytes.split(|byte| *byte == 0);
        Ok(Self(replies.map(<[u8]>::to_vec).collect()))
    }
}

/// Holds the accumulator and the repair of its text against their laws.
pub fn check(Replies(replies): &Replies) {
    let mut accumulator = Accumulator::new();
    for reply in replies {
        let before = accumulator.text().to_owned();
        let join = accumulator.push_bytes(reply);
        check_join(&accumulator, &join, &before);
        for index in 0..join.candidates().len() {
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

/// The text only grows, goes on being JSON, and grows only by a join that is taken.
fn check_join(accumulator: &Accumulator, join: &Join, before: &str) {
    let text = accumulator.text();
    let growth = text.strip_prefix(before).expect("the text only grows");
    let is_taken = join.is_taken();
    assert!(is_taken || growth.is_empty(), "{join:?}: {growth}");
    assert!(
        is_taken || join.certainty() == Certainty::Ambiguous,
        "{join:?}"
    );
    let mut parser = Parser::new();
    assert!(parser.push_str(text).is_ok(), "{text}");
    assert!(
        !accumulator.is_complete() || parser.finish().is_ok(),
        "{text}"
    );
}

fn check_repair(bytes: &[u8]) {
    let is_json = str::from_utf8(bytes).is_ok_and(is_json);
    let Ok(repaired) = repair(bytes) else {
        assert!(!is_json || is_deep(bytes), "JSON is not taken");
        return;
    };
    let text = repaired.text();
    assert!(is_json_or_deep(text), "{text}");
    assert_eq!(repaired.is_unchanged(), repaired.ledger().is_empty());
    assert!(
        !is_json || text.as_bytes() == bytes,
        "JSON is changed to {text}"
    );
    let mut applied = Vec::new();
    let mut end = 0;
    for change in repaired.ledger() {
        let range = change.range();
        applied.extend_from_slice(&bytes[end..range.start]);
        applied.extend_from_slice(change.replacement().as_bytes());
        end = range.end;
    }
    applied.extend_from_slice(&bytes[end..]);
    assert_eq!(applied, text.as_bytes(), "left: by the ledger");
    let again = repair(text).expect("it is JSON");
    assert!(again.is_unchanged(), "{text} becomes {}", again.text());
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// `serde_json` reads one level less.
fn is_json_or_deep(text: &str) -> bool {
    is_json(text) || is_deep(text.as_bytes())
}

fn is_deep(text: &[u8]) -> bool {
    text.iter().filter(|byte| b"[{".contains(byte)).count() > 126
}
