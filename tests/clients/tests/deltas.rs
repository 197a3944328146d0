//! The JavaScript module of the live page, with what the crate writes: deltas, patches and entity
//! events of many texts, split in many ways, applied by Node.

use std::io::Write as _;
use std::process::Command;

use json_chunks::delta::DeltaReader;
use json_chunks::entity::{EntityDetector, EntityMode};
use json_chunks::{Parser, PartialPolicy};
use json_chunks_clients::node::has_node;

const TEXTS: [&str; 8] = [
    r#"{"a":"x\ud83d\ude00y","/~0":{"":[-1.5e3,1e400]},"__proto__":{"b":"cd"},"constructor":"e"}"#,
    r#"{"a":[1,{"b":"x"}],"b":true,"a":{"c":"yz"},"a":"zz","\u0061":[null,[],{}]}"#,
    r#"{"\ud800":"x","é\udfff":{"\ud800":[1]},"z":"\ud800\ud83d\ude00\udfff"}"#,
    "[\"\\u00e9\\n\u{1F600}\\\"\",[[[]]],{\"0\":{\"-\":[0]}}]",
    "-12.50e-7",
    "\"one string, \\\\ and its end\"",
    " [ true , false , null , [ ] , \"\" ] ",
    "null",
];

/// A random source that is the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % most
    }

    fn document(&mut self, depth: usize, out: &mut String) {
        let separate = |n: usize, out: &mut String| out.push_str(if n > 0 { ", " } else { "" });
        match self.below(if depth > 4 { 3 } else { 7 }) {
            0 => out.push_str(["null", "true", "1.50", "-0", "12"][self.below(5)]),
            1 | 2 => {
                out.push('"');
                for _ in 0..self.below(6) {
                    out.push_str(
                        ["a", "é", "\\n", "\\u00e9", "中", "\\ud83d\\ude00"][self.below(6)],
                    );
                }
                out.push('"');
            }
            3 | 4 => {
                out.push('[');
                for n in 0..self.below(4) {
                    separate(n, out);
                    self.document(depth + 1, out);
                }
                out.push(']');
            }
            _ => {
                out.push('{');
                for n in 0..self.below(5) {
                    separate(n, out);
                    out.push_str(["\"a\":", "\"b\": ", "\"\\u0061\":", "\"a/~\":"][self.below(4)]);
                    self.document(depth + 1, out);
                }
                out.push('}');
            }
        }
    }

    /// The text in pieces of random lengths, which may end inside of a character.
    fn split<'a>(&mut self, mut text: &'a [u8]) -> Vec<&'a [u8]> {
        let longest = [2, 5, 20][self.below(3)];
        let mut pieces = Vec::new();
        while !text.is_empty() {
            let (piece, rest) = text.split_at((1 + self.below(longest)).min(text.len()));
            pieces.push(piece);
            text = rest;
        }
        pieces
    }
}

/// One line of the file of cases.
fn case(text: &str, fragments: &[&[u8]]) -> String {
    let (mut parser, mut reader) = (Parser::new(), DeltaReader::new(Parser::new()));
    let mut steps = Vec::new();
    let mut patches = DeltaReader::json_patch(Parser::new());
    let mut operations = Vec::new();
    for fragment in fragments.iter().map(Some).chain([None]) {
        let (deltas, patch) = if let Some(fragment) = fragment {
            parser.push(fragment).expect("it is JSON");
            (reader.push(fragment), patches.push(fragment))
        } else {
            parser.finish().expect("it is complete");
            (reader.finish(), patches.finish())
        };
        for batch in deltas.expect("it is JSON") {
            let root = parser.root().expect("it has begun");
            let snapshot = root.to_json(PartialPolicy::default());
            let snapshot = serde_json::Value::from(snapshot);
            steps.push(format!(
                r#"{{"deltas":{},"snapshot":{snapshot}}}"#,
                batch.to_json()
            ));
        }
        let patch = patch.expect("it is JSON");
        operations.extend(patch.iter().map(|batch| batch.to_json()));
    }
    let entities = [true, false].map(|partial_data| {
        let mut detector = EntityDetector::new(EntityMode::Realtime).partial_data(partial_data);
        let mut events = Vec::new();
        for fragment in fragments {
            events.extend(detector.push(fragment).map(|event| event.to_json()));
        }
        events.extend(detector.finish().map(|event| event.to_json()));
        format!("[{}]", events.join(","))
    });
    format!(
        r#"{{"text":{},"steps":[{}],"patches":[{}],"entities":[{}]}}"#,
        serde_json::Value::from(text),
        steps.join(","),
        operations.join(","),
        entities.join(","),
    )
}

fn cases() -> String {
    let mut random = Random(1);
    let mut cases = String::new();
    let mut add = |text: &str, fragments: &[&[u8]]| {
        cases += &case(text, fragments);
        cases.push('\n');
    };
    for text in TEXTS {
        for size in 1..=text.len() {
            add(text, &text.as_bytes().chunks(size).collect::<Vec<_>>());
        }
    }
    for _ in 0..400 {
        let mut text = String::new();
        random.document(0, &mut text);
        add(&text, &random.split(text.as_bytes()));
    }
    cases
}

#[test]
fn javascript_applies_what_the_crate_writes() {
    if !has_node() {
        // Bypasses the captured output of the test, which is not shown if it passes.
        let _ = writeln!(std::io::stderr(), "skipped: no node 20");
        return;
    }
    let name = format!("json-chunks-cases-{}.jsonl", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, cases()).expect("the file can be written");
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/node/json-chunks.test.mjs");
    let run = Command::new("node")
        .args(["--test", tests])
        .env("JSON_CHUNKS_CASES", &file)
        .output();
    std::fs::remove_file(&file).expect("it was written");
    let output = run.expect("node starts");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}");
}
