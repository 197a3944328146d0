//! Typed values: a document deserializes like its text with `serde_json`, and an incomplete
//! document like its text under the policy.

mod agree;
mod errors;
mod exact;
mod laws;
mod partials;
mod tolerance;
mod types;

use std::fmt::Debug;

use json_chunks::value::DeserializeError;
use json_chunks::{Parser, PartialPolicy};
use serde::Deserialize;

fn parsed(text: &str) -> Parser {
    let mut parser = Parser::new();
    parser.push(text).unwrap();
    parser.finish().unwrap();
    parser
}

/// Pushes text without finishing it.
fn begun(text: &str) -> Parser {
    let mut parser = Parser::new();
    parser.push(text).unwrap();
    parser
}

fn as_type<'a, T: Deserialize<'a>>(parser: &'a Parser) -> Result<T, DeserializeError> {
    let root = parser.root().unwrap();
    root.deserialize(PartialPolicy::default())
}

/// Returns the message and the pointer.
fn error<'a, T: Deserialize<'a> + Debug>(parser: &'a Parser) -> String {
    as_type::<T>(parser).unwrap_err().to_string()
}
