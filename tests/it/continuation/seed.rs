//! The six cases of the original request.

use json_chunks::join::{Accumulator, JoinKind};

use super::Outcome;

const DOCUMENT: &str = r#"{"sections": [{"content_type": "bullet_list", "items": ["one", "two", "three"]}, {"content_type": "table", "rows": [[1, 2], [3, 4]]}]}"#;

#[test]
fn complete_json_on_first_iteration() {
    let mut accumulator = Accumulator::new();
    let join = accumulator.push(DOCUMENT);
    assert_eq!(Outcome::of(&join), Outcome::Certain(JoinKind::First));
    assert!(accumulator.is_complete());
    let sections = accumulator.root().unwrap().pointer("/sections").unwrap();
    assert_eq!((sections.len(), accumulator.text()), (2, DOCUMENT));
}

#[test]
fn incomplete_json_on_first_iteration() {
    let mut accumulator = Accumulator::new();
    let first = &DOCUMENT[..73];
    assert!(accumulator.push(first).is_joined());
    assert!(!accumulator.is_complete());
    assert_eq!(accumulator.text(), first);
    let items = accumulator
        .root()
        .unwrap()
        .pointer("/sections/0/items")
        .unwrap();
    assert_eq!(
        (items.len(), items.get(2).unwrap().as_str()),
        (3, Some("th"))
    );
}

#[test]
fn fragment_with_exact_continuation() {
    for cut in 1..DOCUMENT.len() {
        let mut accumulator = Accumulator::new();
        let (first, rest) = DOCUMENT.split_at(cut);
        let _ = accumulator.push(first);
        if accumulator.push(rest).is_joined() {
            assert_eq!(accumulator.text(), DOCUMENT);
            assert!(accumulator.is_complete());
        }
    }
}

#[test]
fn fragment_with_overlap() {
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push(&DOCUMENT[..73]);
    let join = accumulator.push(&DOCUMENT[50..]);
    assert_eq!(Outcome::of(&join), Outcome::Certain(JoinKind::Overlapped));
    assert_eq!(join.joined().unwrap().overlap(), 23);
    assert_eq!(accumulator.text(), DOCUMENT);
}

#[test]
fn fragment_with_full_overlap() {
    let mut accumulator = Accumulator::new();
    let _ = accumulator.push(&DOCUMENT[..73]);
    let join = accumulator.push(&DOCUMENT[20..73]);
    assert_eq!(Outcome::of(&join), Outcome::Certain(JoinKind::Repeated));
    assert_eq!(accumulator.text(), &DOCUMENT[..73]);
}

#[test]
fn multiple_iterations() {
    let mut accumulator = Accumulator::new();
    for range in [0..40, 20..73, 73..95, 80..DOCUMENT.len()] {
        assert!(!accumulator.is_complete());
        let join = accumulator.push(&DOCUMENT[range.clone()]);
        assert!(join.is_joined(), "{range:?}: {join:?}");
        assert_eq!(accumulator.text(), &DOCUMENT[..range.end]);
    }
    assert!(accumulator.is_complete());
}
