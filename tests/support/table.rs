//! Tables of snapshots with the chunks that they must give.

use json_chunks::{Chunker, Revision};

use super::json::Json;
use super::read::{Duplicates, read};

/// Pushes the snapshot of each row and holds the chunk against the one beside it, then `finish`
/// against `end`. All of it together is the last snapshot again.
#[track_caller]
pub(crate) fn puts_out(mut chunker: Chunker, rows: &[(&str, &str)], end: &str) {
    let all = push_all(&mut chunker, rows, end);
    let (last, _) = rows.last().unwrap();
    let parse = |text: &str| -> Json { read(text, Duplicates::Refused).unwrap() };
    assert_eq!(parse(&all), parse(last), "{all}");
    assert_eq!(chunker.take_revisions(), [], "nothing was contradicted");
}

/// As `puts_out`, where the end result is not the last snapshot.
#[track_caller]
pub(crate) fn push_all(chunker: &mut Chunker, rows: &[(&str, &str)], end: &str) -> String {
    let mut all = String::new();
    for (row, (snapshot, expected)) in rows.iter().enumerate() {
        match chunker.push(snapshot) {
            Ok(chunk) => assert_eq!(chunk, *expected, "row {row}, after {all} came {snapshot}"),
            Err(error) => panic!("row {row}: {error} in {snapshot}"),
        }
        all.push_str(expected);
    }
    assert_eq!(chunker.finish(), end, "the end, after {all}");
    all + end
}

/// A revision in one line: kind and pointer, what was put out and what came.
pub(crate) fn line(revision: &Revision) -> String {
    let (kind, pointer) = (revision.kind(), revision.pointer());
    let came = revision.came().unwrap_or("nothing");
    let mended = if revision.is_mended() { ", mended" } else { "" };
    format!(
        "{kind:?} {pointer}: {} -> {came}{mended}",
        revision.put_out()
    )
}

/// Pushes the snapshot of each row; the chunk and the revisions must be those beside it. Returns
/// all that was put out.
#[track_caller]
pub(crate) fn revises(mut chunker: Chunker, rows: &[(&str, &str, &[&str])], end: &str) -> String {
    let mut all = String::new();
    for (snapshot, expected, revisions) in rows {
        let chunk = chunker.push(snapshot).unwrap();
        assert_eq!(chunk, *expected, "after {all} came {snapshot}");
        let came: Vec<_> = chunker.take_revisions().iter().map(line).collect();
        assert_eq!(came, *revisions, "after {all} came {snapshot}");
        all.push_str(&chunk);
    }
    assert_eq!(chunker.finish(), end, "the end, after {all}");
    assert_eq!(chunker.take_revisions(), []);
    all + end
}
