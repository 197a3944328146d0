//! Assertions on tables of snapshots and the chunks that they give.

use json_chunks::{Chunker, Revision};

use crate::json::Json;
use crate::read::{Duplicates, read};

/// Asserts the chunk of each snapshot, the text of `finish`, that all of it is the last snapshot,
/// and that there is no revision.
#[track_caller]
pub fn assert_chunks(mut chunker: Chunker, rows: &[(&str, &str)], end: &str) {
    let all = push_all(&mut chunker, rows, end);
    let (last, _) = rows.last().unwrap();
    let parse = |text: &str| -> Json { read(text, Duplicates::Rejected).unwrap() };
    assert_eq!(parse(&all), parse(last), "{all}");
    assert_eq!(chunker.take_revisions(), [], "nothing was contradicted");
}

/// Asserts the chunk of each snapshot and the text of `finish`. Returns all emitted text.
#[track_caller]
pub fn push_all(chunker: &mut Chunker, rows: &[(&str, &str)], end: &str) -> String {
    let mut all = String::new();
    for (row, (snapshot, expected)) in rows.iter().enumerate() {
        match chunker.push(snapshot) {
            Ok(chunk) => assert_eq!(chunk, *expected, "row {row}, {snapshot} after {all}"),
            Err(error) => panic!("row {row}: {error} in {snapshot}"),
        }
        all.push_str(expected);
    }
    assert_eq!(chunker.finish(), end, "the end, after {all}");
    all + end
}

/// Describes a revision in one line: kind, pointer, emitted and received text.
pub fn line(revision: &Revision) -> String {
    let (kind, pointer) = (revision.kind(), revision.pointer());
    let received = revision.received().unwrap_or("nothing");
    let restated = if revision.is_restated() {
        ", restated"
    } else {
        ""
    };
    format!(
        "{kind:?} {pointer}: {} -> {received}{restated}",
        revision.emitted()
    )
}

/// Asserts the chunk and the revisions of each snapshot. Returns all emitted text.
#[track_caller]
pub fn assert_revisions(mut chunker: Chunker, rows: &[(&str, &str, &[&str])], end: &str) -> String {
    let mut all = String::new();
    for (snapshot, expected, revisions) in rows {
        let chunk = chunker.push(snapshot).unwrap();
        assert_eq!(chunk, *expected, "{snapshot} after {all}");
        let reported: Vec<_> = chunker.take_revisions().iter().map(line).collect();
        assert_eq!(reported, *revisions, "{snapshot} after {all}");
        all.push_str(&chunk);
    }
    assert_eq!(chunker.finish(), end, "the end, after {all}");
    assert_eq!(chunker.take_revisions(), []);
    all + end
}
