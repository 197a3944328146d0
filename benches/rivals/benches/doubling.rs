//! What twice the input costs: for each public operation the instructions for a document, for one
//! twice as long, and their ratio. 2 is linear, 1 is constant.
//!
//! Instructions are counted by `valgrind --tool=callgrind`, so that the figures do not depend on
//! the machine or on its load. The program runs itself in there: once to prepare the input, once to
//! prepare it and run the operation; the difference is reported.
//!
//! `cargo bench --manifest-path benches/rivals/Cargo.toml --bench doubling`
//!
//! Exits with 1 if an operation takes more than 2.6 times as much for twice the input.

#![allow(clippy::print_stdout, reason = "the table is the result")]

use std::env;
use std::hint::black_box;
use std::process::{Command, ExitCode};

use json_chunks::entity::{EntityDetector, EntityMode};
use json_chunks::join::Accumulator;
use json_chunks::tokens::Tokenizer;
use json_chunks::tool_call::{ToolCallDetector, ToolCallShape};
use json_chunks::{Chunker, Parser, PartialPolicy, TextChunker, repair};
use json_chunks_rivals::{Order, document, snapshots};

const SMALL: usize = 32 << 10;

/// The most that twice the input may take: 2 and what the growth of buffers adds.
const MOST: f64 = 2.6;

/// Operations that a complete document is prepared for.
type OnDocument = fn(&Parser);

/// Operations on the text.
type OnText = fn(&str);

enum Operation {
    Document(OnDocument),
    Text(OnText),
}

fn push(text: &str, size: usize) -> Parser {
    let mut parser = Parser::new();
    for piece in text.as_bytes().chunks(size) {
        parser.push(piece).expect("it is JSON");
    }
    parser.finish().expect("it is complete");
    parser
}

fn events(text: &str, size: usize) {
    let mut parser = Parser::new();
    for piece in text.as_bytes().chunks(size) {
        for event in parser.push(piece).expect("it is JSON").events() {
            black_box(event.path.to_pointer());
        }
    }
}

fn tokens(text: &str) {
    let mut tokenizer = Tokenizer::new();
    for piece in text.as_bytes().chunks(64) {
        tokenizer.push(piece);
        while let Some(token) = tokenizer.next_token().expect("it is JSON") {
            black_box(token);
        }
    }
}

/// Chunks eight snapshots, the last of which is the text.
fn chunks(order: Order, text: &str) {
    let mut chunker = Chunker::new();
    for snapshot in snapshots(text.len(), order, 8) {
        black_box(chunker.push(&snapshot).expect("it is JSON"));
    }
    black_box(chunker.finish());
}

fn plain_text(text: &str) {
    let mut chunker = TextChunker::new();
    for eighth in 1..=8 {
        let snapshot = text.get(..text.len() / 8 * eighth);
        black_box(chunker.push(snapshot.unwrap_or_default()).ok());
    }
}

fn join(text: &str, overlap: usize) {
    let cut = (text.len() / 2..text.len()).find(|at| text.is_char_boundary(*at));
    let cut = cut.expect("the end is one");
    let again = (0..=cut - overlap)
        .rev()
        .find(|at| text.is_char_boundary(*at));
    let mut accumulator = Accumulator::new();
    let _ = black_box(accumulator.push(&text[..cut]));
    let _ = black_box(accumulator.push(&text[again.unwrap_or(cut)..]));
}

fn entities(text: &str, mode: EntityMode) {
    let mut detector = EntityDetector::new(mode).pointer("/days");
    for piece in text.as_bytes().chunks(64) {
        black_box(detector.push(piece).count());
    }
    black_box(detector.finish().count());
}

fn tool_call(text: &str) {
    let call = format!(r#"{{"name":"plan","arguments":{text}}}"#);
    let mut detector = ToolCallDetector::new(ToolCallShape::plain());
    for piece in call.as_bytes().chunks(64) {
        black_box(detector.push(piece).expect("it is JSON").count());
    }
}

const OPERATIONS: [(&str, Operation); 22] = [
    (
        "Parser::push, 4 KiB",
        Operation::Text(|text| drop(push(text, 4096))),
    ),
    (
        "Parser::push, 16 bytes",
        Operation::Text(|text| drop(push(text, 16))),
    ),
    (
        "Parser::push, 1 byte",
        Operation::Text(|text| drop(push(text, 1))),
    ),
    (
        "Update::events with pointers",
        Operation::Text(|text| events(text, 64)),
    ),
    ("Tokenizer", Operation::Text(tokens)),
    (
        "Value::to_json",
        Operation::Document(|parser| {
            black_box(
                parser
                    .root()
                    .map(|root| root.to_json(PartialPolicy::default())),
            );
        }),
    ),
    (
        "Value::deserialize",
        Operation::Document(|parser| {
            let root = parser.root().expect("it is there");
            let value: serde_json::Value = root
                .deserialize(PartialPolicy::default())
                .expect("it is any value");
            black_box(value);
        }),
    ),
    (
        "Value: Serialize",
        Operation::Document(|parser| {
            black_box(serde_json::to_string(&parser.root()).expect("it is any value"));
        }),
    ),
    (
        "Value::get of each element",
        Operation::Document(|parser| {
            let days = parser.pointer("/days").expect("it is there");
            for index in 0..days.len() {
                black_box(days.get(index).expect("it is there").kind());
            }
        }),
    ),
    (
        "Value::pointer to the last element",
        Operation::Document(|parser| {
            let days = parser.pointer("/days").map_or(0, |days| days.len());
            let pointer = format!("/days/{}/activities/3/title", days - 1);
            black_box(parser.pointer(&pointer).expect("it is there").as_str());
        }),
    ),
    (
        "Value::raw",
        Operation::Document(|parser| {
            black_box(parser.root().map(|root| root.raw()));
        }),
    ),
    (
        "repair of JSON",
        Operation::Text(|text| drop(black_box(repair(text)))),
    ),
    (
        "repair of a cut text",
        Operation::Text(|text| drop(black_box(repair(&text[..text.len() - 30])))),
    ),
    (
        "repair without quotes",
        Operation::Text(|text| drop(black_box(repair(text.replace('"', ""))))),
    ),
    ("join, exact", Operation::Text(|text| join(text, 0))),
    (
        "join, overlap of 100 bytes",
        Operation::Text(|text| join(text, 100)),
    ),
    (
        "EntityDetector, one by one",
        Operation::Text(|text| entities(text, EntityMode::OneByOne)),
    ),
    (
        "EntityDetector, batch",
        Operation::Text(|text| entities(text, EntityMode::Batch)),
    ),
    ("ToolCallDetector", Operation::Text(tool_call)),
    (
        "Chunker, document order",
        Operation::Text(|text| chunks(Order::Document, text)),
    ),
    (
        "Chunker, all shuffled",
        Operation::Text(|text| chunks(Order::Shuffled, text)),
    ),
    ("TextChunker", Operation::Text(plain_text)),
];

/// Prepares the operation of that number for a document, and runs it.
fn run(number: usize, bytes: usize, runs: bool) {
    let text = document(bytes);
    match &OPERATIONS[number].1 {
        Operation::Document(operation) => {
            let parser = push(&text, 4096);
            if runs {
                operation(&parser);
            }
        }
        Operation::Text(operation) if runs => operation(&text),
        Operation::Text(_) => {}
    }
}

/// Counts the instructions of this program with these arguments.
fn instructions(arguments: [&str; 3]) -> Option<f64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe().ok()?)
        .args(arguments)
        .output()
        .ok()?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = report.split("Collected : ").nth(1)?;
    count.split_whitespace().next()?.parse().ok()
}

/// Counts the instructions of an operation on a document of that size.
fn cost(number: usize, bytes: usize) -> Option<f64> {
    let (number, bytes) = (number.to_string(), bytes.to_string());
    let all = instructions([&number, &bytes, "run"])?;
    Some(all - instructions([&number, &bytes, "prepare"])?)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [number, bytes, what] = &arguments[..]
        && let (Ok(number), Ok(bytes)) = (number.parse(), bytes.parse())
    {
        run(number, bytes, what == "run");
        return ExitCode::SUCCESS;
    }
    if arguments.iter().any(|argument| argument == "--test") {
        (0..OPERATIONS.len()).for_each(|number| run(number, 2 << 10, true));
        return ExitCode::SUCCESS;
    }
    let mut is_linear = true;
    println!("| operation | instructions for 32 KiB | for 64 KiB | ratio |");
    println!("| --- | --- | --- | --- |");
    for (number, (name, _)) in OPERATIONS.iter().enumerate() {
        let (Some(once), Some(twice)) = (cost(number, SMALL), cost(number, 2 * SMALL)) else {
            println!("valgrind is not there, or counts nothing");
            return ExitCode::FAILURE;
        };
        let ratio = twice / once;
        is_linear &= ratio <= MOST;
        println!("| {name} | {once:.0} | {twice:.0} | {ratio:.2} |");
    }
    if is_linear {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
