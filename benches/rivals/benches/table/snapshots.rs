//! What a snapshot costs: matched by the chunker, validated by `sonic-rs`, parsed by `serde_json`.
//!
//! The first snapshot of a stream is not measured, except in captured streams.

use std::hint::black_box;
use std::path::Path;
use std::rc::Rc;

use json_chunks::Chunker;
use json_chunks_rivals::{ORDERS, Order, snapshots, wide_snapshots};

use crate::measure::{Case, Task, timed};
use crate::{Pending, values};

const RIVALS: [&str; 2] = ["`sonic-rs` validating", "`serde_json` into `Value`"];

/// Snapshots of one or several replies.
type Streams = Rc<Vec<Vec<String>>>;

/// Pushes all snapshots of each stream; the first `unmeasured` of them before the clock starts.
fn chunker(streams: Streams, unmeasured: usize) -> Task {
    let mut chunker = Chunker::new();
    let mut out = String::with_capacity(1 << 20);
    Box::new(move || {
        let measured = streams.iter().map(|stream| {
            let (before, measured) = stream.split_at(unmeasured);
            chunker.reset();
            out.clear();
            for snapshot in before {
                chunker.push_into(snapshot, &mut out).expect("it is JSON");
            }
            timed(|| {
                for snapshot in measured {
                    chunker.push_into(snapshot, &mut out).expect("it is JSON");
                }
            })
        });
        measured.sum()
    })
}

fn rival(streams: Streams, unmeasured: usize, read: impl Fn(&str) + 'static) -> Task {
    Box::new(move || {
        timed(|| {
            for snapshot in streams.iter().flat_map(|stream| &stream[unmeasured..]) {
                read(snapshot);
            }
        })
    })
}

fn validate(snapshot: &str) {
    let value: sonic_rs::LazyValue<'_> = sonic_rs::from_str(snapshot).expect("it is JSON");
    black_box(value);
}

fn parse(snapshot: &str) {
    let value: serde_json::Value = serde_json::from_str(snapshot).expect("it is JSON");
    black_box(value);
}

fn case(streams: Vec<Vec<String>>, unmeasured: usize) -> Case {
    let measured = streams.iter().flat_map(|stream| &stream[unmeasured..]);
    let bytes = measured.map(String::len).sum();
    let streams = Rc::new(streams);
    Case {
        bytes,
        tasks: vec![
            chunker(Rc::clone(&streams), unmeasured),
            rival(Rc::clone(&streams), unmeasured, validate),
            rival(streams, unmeasured, parse),
        ],
        rivals: RIVALS.into(),
    }
}

/// Streams of models, where they are at hand.
fn captured() -> Vec<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let Ok(files) = folder.read_dir() else {
        return Vec::new();
    };
    let paths = files.filter_map(|file| Some(file.ok()?.path()));
    paths
        .filter(|path| path.extension().is_some_and(|kind| kind == "jsonl"))
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .map(|text| text.lines().map(str::to_owned).collect())
        .collect()
}

/// `count` chunkers at once, each with a document of 2 KiB, pushed to in turn; as often in total as
/// `pushes` says.
fn live(count: usize, pushes: usize, stream: Rc<Vec<String>>) -> Task {
    let mut chunkers = vec![Chunker::new(); count];
    let mut out = String::with_capacity(1 << 20);
    Box::new(move || {
        for chunker in &mut chunkers {
            chunker.reset();
            let first = chunker.push_into(&stream[0], &mut out);
            first.expect("it is JSON");
        }
        timed(|| {
            for round in 0..pushes / count {
                let snapshot = &stream[1 + round % (stream.len() - 1)];
                for chunker in &mut chunkers {
                    out.clear();
                    chunker.push_into(snapshot, &mut out).expect("it is JSON");
                }
            }
        })
    })
}

pub(crate) fn cases(is_test: bool) -> Vec<Pending> {
    let mut cases: Vec<Pending> = Vec::new();
    for (words, order) in ORDERS {
        for kib in [2, 16, 256] {
            let name = format!("snapshots, {words}, {kib} KiB");
            cases.push((
                name,
                Box::new(move || case(vec![snapshots(kib << 10, order, 17)], 1)),
            ));
        }
    }
    cases.extend(values::cases());
    let streams = captured();
    if !streams.is_empty() {
        let name = "snapshots, captured, 1 KB".to_owned();
        cases.push((name, Box::new(|| case(streams, 0))));
    }
    let members = if is_test { 1_000 } else { 100_000 };
    cases.push((
        format!("snapshots, {members} members shuffled"),
        Box::new(move || case(vec![wide_snapshots(members, 5)], 1)),
    ));
    let mib = if is_test { 1 } else { 100 };
    cases.push((
        format!("snapshots, one more word at the end of {mib} MiB"),
        Box::new(move || case(vec![snapshots(mib << 20, Order::Document, 2)], 1)),
    ));
    for count in [1_000, 10_000] {
        let count = if is_test { 20 } else { count };
        cases.push((
            format!("snapshots, {count} live chunkers, all shuffled, 2 KiB"),
            Box::new(move || {
                let stream = Rc::new(snapshots(2 << 10, Order::Shuffled, 5));
                let pushes = count * (stream.len() - 1);
                Case {
                    bytes: pushes * stream[1].len(),
                    tasks: vec![
                        live(count, pushes, Rc::clone(&stream)),
                        live(10, pushes, stream),
                    ],
                    rivals: vec!["10 live chunkers"],
                }
            }),
        ));
    }
    cases
}
