//! Typed values: what serde makes of a document is what `serde_json` makes of its text, and of an
//! unfinished document what the policy shows of it.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod agree;
mod errors;
mod exact;
mod laws;
mod partials;
#[path = "../support/mod.rs"]
mod support;
mod types;

use std::fmt::Debug;

use json_chunks::{DeserializeError, Parser, Partials};
use serde::Deserialize;

fn parsed(text: &str) -> Parser {
    let mut parser = Parser::new();
    parser.push_str(text).unwrap();
    parser.finish().unwrap();
    parser
}

/// As far as it has come.
fn begun(text: &str) -> Parser {
    let mut parser = Parser::new();
    parser.push_str(text).unwrap();
    parser
}

fn as_type<'a, T: Deserialize<'a>>(parser: &'a Parser) -> Result<T, DeserializeError> {
    let root = parser.root().unwrap();
    root.deserialize(Partials::default())
}

/// The message and the place.
fn error<'a, T: Deserialize<'a> + Debug>(parser: &'a Parser) -> String {
    as_type::<T>(parser).unwrap_err().to_string()
}
