//! Snapshots in which nothing but the open string has grown. The chunker needs no pass for them,
//! and the result is the same as with a pass.

use json_chunks::{Chunker, Limits};

/// Pushes all, and returns the chunks and the end.
fn chunks(chunker: &mut Chunker, snapshots: &[&str]) -> Vec<String> {
    let mut chunks: Vec<_> = snapshots
        .iter()
        .map(|snapshot| chunker.push(snapshot).unwrap())
        .collect();
    chunks.push(chunker.finish());
    chunks
}

#[test]
fn growth_is_emitted_wherever_the_string_is() {
    let snapshots = [
        r#"{"age":3,"bio":"Born","sex":"f"}"#,
        r#"{"age":3,"bio":"Born in","sex":"f"}"#,
        r#"{"age":3,"bio":"Born in Rome","sex":"f"}"#,
        r#"{"age":3,"bio":"Born in Rome, 1","sex":"f"}"#,
    ];
    assert_eq!(
        chunks(&mut Chunker::new(), &snapshots),
        [
            r#"{"age":3"#,
            r#","sex":"f","bio":"Born in"#,
            " Rome",
            ", 1",
            r#""}"#
        ]
    );
}

#[test]
fn growth_before_containers_keeps_their_places() {
    let snapshots = [
        r#"{"a":"x","b":{"c":[1]}}"#,
        r#"{"a":"xy","b":{"c":[1]}}"#,
        r#"{"a":"xyz","b":{"c":[1]}}"#,
        r#"{"a":"xyz","b":{"c":[1,2]}}"#,
    ];
    assert_eq!(
        chunks(&mut Chunker::new(), &snapshots),
        ["{", r#""b":{"c":[1]},"a":"xy"#, "z", "", r#""}"#]
    );
}

#[test]
fn growth_of_an_element_closes_nothing() {
    let snapshots = [
        r#"{"a":[["x"]]}"#,
        r#"{"a":[["xy"]]}"#,
        r#"{"a":[["xyz"]]}"#,
    ];
    assert_eq!(
        chunks(&mut Chunker::new(), &snapshots),
        [r#"{"a":[["x"#, "y", "z", r#""]]}"#]
    );
}

#[test]
fn growth_with_an_escape_is_emitted_as_it_is_spelled() {
    let snapshots = [
        r#"{"a":"x"}"#,
        r#"{"a":"x\n"}"#,
        r#"{"a":"x\n\u00e9"}"#,
        r#"{"a":"x\n\u00e9y"}"#,
    ];
    assert_eq!(
        chunks(&mut Chunker::new(), &snapshots),
        [r#"{"a":"x"#, r"\n", r"\u00e9", "y", r#""}"#]
    );
}

#[test]
fn growth_that_ends_in_an_incomplete_character_is_held_back() {
    let snapshots = [
        "{\"a\":\"x\"}",
        "{\"a\":\"xy\u{FFFD}\"}",
        "{\"a\":\"xyé\"}",
        "{\"a\":\"xyéz\"}",
    ];
    assert_eq!(
        chunks(&mut Chunker::new(), &snapshots),
        ["{\"a\":\"x", "y", "é", "z", "\"}"]
    );
}

#[test]
fn growth_that_is_no_text_returns_an_error() {
    let mut chunker = Chunker::new();
    chunker.push(r#"{"a":"x"}"#).unwrap();
    chunker.push(r#"{"a":"xy"}"#).unwrap();
    let error = chunker.push("{\"a\":\"xy\n\"}").unwrap_err();
    assert_eq!(error.offset(), 8);
    let error = chunker.push(r#"{"a":"xy"z"}"#).unwrap_err();
    assert_eq!(error.offset(), 9);
    assert_eq!(chunker.push(r#"{"a":"xyz"}"#).unwrap(), "z");
}

#[test]
fn growth_past_a_limit_returns_an_error() {
    let mut chunker = Chunker::new().limits(Limits::default().max_token_bytes(4));
    chunker.push(r#"{"a":"x"}"#).unwrap();
    chunker.push(r#"{"a":"xyz"}"#).unwrap();
    chunker.push(r#"{"a":"xyzab"}"#).unwrap_err();
    assert_eq!(chunker.push(r#"{"a":"xyza"}"#).unwrap(), "a");
}

#[test]
fn growth_after_the_end_is_a_revision() {
    let mut chunker = Chunker::new();
    chunker.push(r#"{"a":"x"}"#).unwrap();
    chunker.push(r#"{"a":"xy"}"#).unwrap();
    assert_eq!(chunker.finish(), r#""}"#);
    assert_eq!(chunker.push(r#"{"a":"xyz"}"#).unwrap(), "");
    assert_eq!(chunker.take_revisions().len(), 1);
}
