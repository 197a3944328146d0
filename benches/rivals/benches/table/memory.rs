//! What machines and documents hold per byte of text, counted at the allocator.

use std::hint::black_box;

use allocation_counter::measure;
use json_chunks::{Chunker, Parser};
use json_chunks_rivals::{ORDERS, corpora, snapshots, wide_snapshots};

use crate::measure::Row;

fn chunker(name: &str, stream: &[String]) -> Row {
    let mut chunker = Chunker::new();
    let used = measure(|| {
        for snapshot in stream {
            let _ = black_box(chunker.push(snapshot).expect("it is JSON"));
        }
    });
    let len = stream.last().map_or(0, String::len);
    let ours = used.bytes_current as f64 / len as f64;
    Row::memory(
        format!("memory, chunker, {name}"),
        vec![(ours, "its last snapshot")],
    )
}

fn parser(name: &str, text: &str) -> Row {
    let mut parser = Parser::new();
    let ours = measure(|| {
        for piece in text.as_bytes().chunks(4096) {
            parser.push(piece).expect("it is JSON");
        }
        parser.finish().expect("it is complete");
    });
    let mut value = serde_json::Value::Null;
    let theirs = measure(|| value = serde_json::from_str(text).expect("it is JSON"));
    let ours = ours.bytes_current as f64;
    Row::memory(
        format!("memory, parser, {name}"),
        vec![
            (ours / text.len() as f64, "its text"),
            (ours / theirs.bytes_current as f64, "`serde_json::Value`"),
        ],
    )
}

pub(crate) fn rows(is_test: bool, is_wanted: impl Fn(&str) -> bool) -> Vec<Row> {
    let mut rows = Vec::new();
    if is_wanted("memory") {
        for (words, order) in [ORDERS[0], ORDERS[4]] {
            for kib in [2, 256] {
                let stream = snapshots(kib << 10, order, 17);
                rows.push(chunker(&format!("{words}, {kib} KiB"), &stream));
            }
        }
        let members = if is_test { 1_000 } else { 100_000 };
        let stream = wide_snapshots(members, 2);
        rows.push(chunker(&format!("{members} members"), &stream));
        let sizes: &[(&str, usize)] = match is_test {
            true => &[("64 KiB", 64 << 10)],
            false => &[("1 MiB", 1 << 20), ("10 MiB", 10 << 20)],
        };
        for (size, bytes) in sizes {
            for corpus in corpora(*bytes) {
                rows.push(parser(&format!("{}, {size}", corpus.name), &corpus.text));
            }
        }
    }
    rows
}
