//! Streams captured from real models, where the folder with them is at hand.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use json_chunks::Chunker;

use support::json::Missing;
use support::read::{Duplicates, read, read_so_far, say_the_same};
use support::reference::Reference;
use support::write::Escapes;

/// The captured streams of snapshots, one snapshot a line.
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
fn ends_equal_to_the_last_line() {
    for (path, lines) in captured() {
        let all = chunks(&lines).concat();
        let last = lines.lines().last().unwrap();
        let (all, last) = (
            read(&all, Duplicates::Refused),
            read(last, Duplicates::Refused),
        );
        assert!(all.is_ok(), "{}: {all:?}", path.display());
        assert_eq!(all, last, "{}", path.display());
    }
}

#[test]
fn is_at_every_moment_a_part_of_the_line() {
    for (path, lines) in captured() {
        let mut all = String::new();
        for (line, chunk) in lines.lines().zip(chunks(&lines)) {
            all.push_str(&chunk);
            let so_far = read_so_far(&all, Duplicates::Refused).unwrap();
            let snapshot = read(line, Duplicates::Refused).unwrap();
            assert!(
                so_far.is_part_of(&snapshot, Missing::Anything),
                "{}: {all} of {line}",
                path.display()
            );
        }
    }
}

#[test]
fn comes_out_as_it_comes_in() {
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

/// Not later than the rules say, chunk for chunk.
#[test]
fn comes_out_when_the_naive_chunker_lets_it_out() {
    for (path, lines) in captured() {
        let mut reference = Reference::new(Escapes::Few);
        let (mut all, mut expected) = (String::new(), String::new());
        for (line, chunk) in lines.lines().zip(chunks(&lines)) {
            let snapshot = read(line, Duplicates::Refused).unwrap();
            all.push_str(&chunk);
            expected.push_str(&reference.push(&snapshot));
            assert!(
                say_the_same(&all, &expected),
                "{}: {all} instead of {expected}",
                path.display()
            );
        }
    }
}

#[test]
fn starts_with_the_chunks_of_the_design() {
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
