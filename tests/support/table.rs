//! Tables of snapshots with the chunks that they must give.

use json_chunks::Chunker;

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
