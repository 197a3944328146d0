//! What a token stream costs: parsed in pieces, its events read, and the document read after each
//! piece.

use std::hint::black_box;
use std::rc::Rc;

use jiter::{JsonValue, PartialMode};
use json_chunks::{Change, Parser, PartialPolicy};
use json_chunks_rivals::{Corpus, corpora, pieces, reply};
use jsonmodem::{ParserOptions, StreamingParser};

use crate::Pending;
use crate::measure::{Case, Task, timed};

fn task(text: &Rc<str>, run: impl Fn(&str) + 'static) -> Task {
    let text = Rc::clone(text);
    Box::new(move || timed(|| run(&text)))
}

fn parse(text: &str, size: usize) {
    let mut parser = Parser::new();
    for piece in text.as_bytes().chunks(size) {
        parser.push(piece).expect("it is JSON");
    }
    black_box(parser.finish().expect("it is complete").is_complete());
}

fn parse_value(text: &str) {
    let value: serde_json::Value = serde_json::from_str(text).expect("it is JSON");
    black_box(value);
}

fn events(text: &str, count: usize) {
    let mut parser = Parser::new();
    for piece in pieces(text, count) {
        for event in parser.push(piece).expect("it is JSON").events() {
            black_box(&event);
        }
    }
    black_box(parser.finish().expect("it is complete").is_complete());
}

fn jsonmodem_events(text: &str, count: usize) {
    let mut parser = StreamingParser::new(ParserOptions::default());
    for piece in pieces(text, count) {
        parser.feed(piece);
        for event in parser.by_ref() {
            black_box(event.expect("it is JSON"));
        }
    }
    black_box(parser.finish().count());
}

/// Reads the string that grows after each piece.
fn growing_string(text: &str, count: usize) {
    let mut parser = Parser::new();
    for piece in pieces(text, count) {
        let update = parser.push(piece).expect("it is JSON");
        if let Some(event) = update.events().last()
            && let Change::Appended(_) | Change::Completed(_) = event.change
        {
            black_box(event.path.value().as_str());
        }
    }
}

/// Makes a value of the entire document after each piece.
fn deserialize(text: &str, count: usize) {
    let mut parser = Parser::new();
    for piece in pieces(text, count) {
        parser.push(piece).expect("it is JSON");
        if let Some(root) = parser.root() {
            let value: Result<serde_json::Value, _> = root.deserialize(PartialPolicy::default());
            let _ = black_box(value);
        }
    }
}

/// Parses all that has arrived again after each piece. Where the text ends in a name or a number
/// there is no value; the work is done.
fn jiter_again(text: &str, count: usize) {
    let mut so_far = String::new();
    for piece in pieces(text, count) {
        so_far.push_str(piece);
        let mode = PartialMode::TrailingStrings;
        let _ = black_box(JsonValue::parse_with_config(so_far.as_bytes(), false, mode));
    }
}

fn case(text: &Rc<str>, tasks: Vec<Task>, rival: &'static str) -> Case {
    Case {
        bytes: text.len(),
        tasks,
        rivals: vec![rival],
    }
}

pub(crate) fn cases(is_test: bool) -> Vec<Pending> {
    let mut cases: Vec<Pending> = Vec::new();
    let bytes = if is_test { 16 << 10 } else { 1 << 20 };
    for Corpus { name, text } in corpora(bytes) {
        let text: Rc<str> = text.into();
        for (words, size) in [("4 KiB", 4096), ("16 bytes", 16), ("1 byte", 1)] {
            let text = Rc::clone(&text);
            cases.push((
                format!("fragments of {words}, {name}"),
                Box::new(move || {
                    let ours = task(&text, move |text| parse(text, size));
                    let tasks = vec![ours, task(&text, parse_value)];
                    case(&text, tasks, "`serde_json` into `Value`, at once")
                }),
            ));
        }
    }
    let reply: Rc<str> = reply().into();
    for count in if is_test {
        vec![10]
    } else {
        vec![100, 1000, 5000]
    } {
        let text = Rc::clone(&reply);
        cases.push((
            format!("events of 64 KiB in {count} pieces"),
            Box::new(move || {
                let tasks = vec![
                    task(&text, move |text| events(text, count)),
                    task(&text, move |text| jsonmodem_events(text, count)),
                ];
                case(&text, tasks, "`jsonmodem`")
            }),
        ));
    }
    type Read = fn(&str, usize);
    let reads: [(&str, Read); 2] = [
        ("the growing string", growing_string),
        ("`deserialize` of all", deserialize),
    ];
    for (words, read) in reads {
        for count in if is_test { vec![10] } else { vec![100, 1000] } {
            let text = Rc::clone(&reply);
            cases.push((
                format!("{words} after each of {count} pieces of 64 KiB"),
                Box::new(move || {
                    let tasks = vec![
                        task(&text, move |text| read(text, count)),
                        task(&text, move |text| jiter_again(text, count)),
                    ];
                    case(&text, tasks, "`jiter`, all over again")
                }),
            ));
        }
    }
    cases
}
