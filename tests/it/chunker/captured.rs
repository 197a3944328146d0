//! Streams captured from real models. Skipped if the folder with them is missing.

use std::fs;
use std::path::{Path, PathBuf};

use json_chunks::Chunker;

use json_chunks_testing::json::Missing;
use json_chunks_testing::read::{Duplicates, are_equivalent, read, read_prefix};
use json_chunks_testing::reference::Reference;
use json_chunks_testing::write::Escapes;

/// The captured streams, with one snapshot per line.
fn captured() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("skipped: no captured streams in {}", folder.display());
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    let streams: Vec<_> = paths
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .map(|path| {
            let lines = fs::read_to_string(&path).unwrap();
            (path, lines)
        })
        .collect();
    assert!(!streams.is_empty(), "{} has no stream", folder.display());
    streams
}

/// The chunks of a stream, the last one from `finish`.
fn chunks(lines: &str) -> Vec<String> {
    let mut chunker = Chunker::new();
    let mut chunks: Vec<_> = lines
        .lines()
        .map(|line| chunker.push(line).unwrap())
        .collect();
    chunks.push(chunker.finish());
    assert_eq!(chunker.take_revisions(), []);
    chunks
}

#[test]
fn captured_stream_ends_as_its_last_line() {
    for (path, lines) in captured() {
        let all = chunks(&lines).concat();
        let last = lines.lines().last().unwrap();
        let (all, last) = (
            read(&all, Duplicates::Rejected),
            read(last, Duplicates::Rejected),
        );
        assert!(all.is_ok(), "{}: {all:?}", path.display());
        assert_eq!(all, last, "{}", path.display());
    }
}

#[test]
fn captured_stream_is_always_part_of_its_line() {
    for (path, lines) in captured() {
        let mut all = String::new();
        for (line, chunk) in lines.lines().zip(chunks(&lines)) {
            all.push_str(&chunk);
            let prefix = read_prefix(&all, Duplicates::Rejected).unwrap();
            let snapshot = read(line, Duplicates::Rejected).unwrap();
            assert!(
                prefix.is_part_of(&snapshot, Missing::Anything),
                "{}: {all} of {line}",
                path.display()
            );
        }
    }
}

#[test]
fn captured_stream_in_order_is_emitted_in_order() {
    for (path, lines) in captured() {
        let mut chunks = chunks(&lines);
        let all = chunks.concat().len();
        let end = chunks.pop().unwrap().len() + chunks.last().unwrap().len();
        assert!(
            end * 5 < all,
            "{}: {end} bytes of {all} come last",
            path.display()
        );
        let empty = chunks.iter().filter(|chunk| chunk.is_empty()).count();
        assert!(
            empty <= 2,
            "{}: {empty} pushes put out nothing",
            path.display()
        );
    }
}

/// The chunks are as prompt as the rules require.
#[test]
fn captured_stream_is_emitted_like_by_the_reference() {
    for (path, lines) in captured() {
        let mut reference = Reference::new(Escapes::Few);
        let (mut all, mut expected) = (String::new(), String::new());
        for (line, chunk) in lines.lines().zip(chunks(&lines)) {
            let snapshot = read(line, Duplicates::Rejected).unwrap();
            all.push_str(&chunk);
            expected.push_str(&reference.push(&snapshot));
            assert!(
                are_equivalent(&all, &expected),
                "{}: {all} instead of {expected}",
                path.display()
            );
        }
    }
}

#[test]
fn captured_stream_starts_with_the_documented_chunks() {
    let serengeti = captured()
        .into_iter()
        .find(|(path, _)| path.ends_with("serengeti-itinerary-1.jsonl"));
    let Some((_, lines)) = serengeti else {
        eprintln!("skipped: no serengeti-itinerary-1.jsonl");
        return;
    };
    let expected = [
        r#"{"days":[{"subtitle":"Day"#,
        r#" 1: Arrival and Wildlife Safari","activities":["#,
        "{",
        r#""type":"Sightseeing","title":"Morning Game Drive","description":"Embark"#,
    ];
    assert_eq!(chunks(&lines)[..4], expected);
}
