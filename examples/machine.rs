//! The bare machine, without streams or async: one call per snapshot.
//!
//! Run it with `cargo run --example machine`.

#![allow(clippy::print_stdout, reason = "showing the chunks is what it is for")]

use std::error::Error;
use std::fs::File;
use std::io::{BufRead as _, BufReader};

use json_chunks::Chunker;

fn main() -> Result<(), Box<dyn Error>> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data");
    let file = File::open(format!("{data}/walkthrough.jsonl"))?;
    let mut chunker = Chunker::new();
    let mut text = String::new();

    for (line, snapshot) in (1..).zip(BufReader::new(file).lines()) {
        match chunker.push(&snapshot?) {
            Ok(chunk) => {
                println!("{line}: {chunk}");
                text += &chunk;
            }
            // The machine is unchanged: the next snapshot supersedes this one.
            Err(error) => println!("{line}: skipped, {error}"),
        }
    }
    let rest = chunker.finish();
    println!("end: {rest}");
    text += &rest;

    let value: serde_json::Value = serde_json::from_str(&text)?;
    println!("\nTogether they are JSON:\n{value:#}");

    take_back()?;
    Ok(())
}

/// Emitted text cannot be taken back, but the contradiction is reported.
fn take_back() -> Result<(), json_chunks::Error> {
    println!("\nA producer that changes its mind:");
    let mut chunker = Chunker::new();
    for snapshot in [
        r#"{"hotel": "Ryokan Ume", "nights": 2}"#,
        r#"{"hotel": "Machiya Sumire", "nights": 2, "stars": 3}"#,
    ] {
        println!("{}", chunker.push(snapshot)?);
        for revision in chunker.take_revisions() {
            println!("  {revision}");
            let came = revision.received().unwrap_or("nothing");
            println!("  put out: {}, came: {came}", revision.emitted());
        }
    }
    println!("{}", chunker.finish());
    Ok(())
}
