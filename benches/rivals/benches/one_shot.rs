//! What functions for one text that is cut off show of it: each cut of the same documents, by
//! `complete_json`, `jiter`'s partial modes, `partial-json-fixer` and Vercel's `parsePartialJson`.
//! A value is wrong if it is not a part of the complete one; *shown* is how much of it is there, in
//! per cent of what `complete_json` shows. Then each cut of one short text, with all values. No
//! clock, so the figures are the same on every machine.
//!
//! `cargo bench --manifest-path benches/rivals/Cargo.toml --bench one_shot`
//!
//! Vercel's function is run by `node`, after `npm install --prefix benches/rivals/vercel`; without
//! it, its rows are missing.

#![allow(clippy::print_stdout, reason = "the figures are the result")]

use std::io::Write as _;
use std::process::{Command, Stdio};

use jiter::{JsonValue, PartialMode};
use json_chunks::partial::complete_json;
use serde_json::Value;

/// The documents: each shows what one of them gets wrong or late.
const DOCUMENTS: [(&str, &str); 6] = [
    (
        "trip",
        r#"{"title": "Three Slow Days", "days": [{"name": "Arrival", "hours": 12}, {"name": "Gardens", "hours": 7.5}], "public": true, "guide": null}"#,
    ),
    (
        "escapes",
        r#"{"text": "Caf\u00e9 \"XL\"\n\ud83d\ude00 and \\ more", "na\"me": "é😀"}"#,
    ),
    (
        "numbers",
        r"[0, -1, 12, 1.5, -0.25, 1e3, 1.5E-2, 12345678901234567890]",
    ),
    ("literals", r#"[true, false, null, {"a": true, "b": null}]"#),
    (
        "nesting",
        r#"[[], [[]], {}, {"a": {}}, [{"b": [1, [2, [3]]]}]]"#,
    ),
    (
        "brackets in strings",
        r#"{"code": "fn main() { let a = [1, 2]; }", "json": "{\"a\": [", "end": "}]"}"#,
    ),
];

/// What a function shows of each cut: a value or none.
type Shown = Vec<Option<Value>>;

/// The same value, by the types of `serde_json`.
fn from_jiter(value: &JsonValue<'_>) -> Value {
    match value {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(value) => (*value).into(),
        JsonValue::Int(value) => (*value).into(),
        JsonValue::Float(value) => (*value).into(),
        JsonValue::Str(text) => text.as_ref().into(),
        JsonValue::Array(elements) => elements.iter().map(from_jiter).collect(),
        JsonValue::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, value)| (name.to_string(), from_jiter(value)));
            Value::Object(members.collect())
        }
    }
}

fn by_jiter(cut: &str, mode: PartialMode) -> Option<Value> {
    let value = JsonValue::parse_with_config(cut.as_bytes(), false, mode).ok()?;
    Some(from_jiter(&value))
}

fn by_vercel(cuts: &[&str]) -> Option<Shown> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/vercel/parse.mjs");
    let mut node = Command::new("node")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = node.stdin.take()?;
    let lines: Vec<String> = cuts
        .iter()
        .map(|cut| Value::from(*cut).to_string())
        .collect();
    // A thread of its own: what node writes may fill its pipe before all is written to it.
    let writer = std::thread::spawn(move || writeln!(stdin, "{}", lines.join("\n")));
    let output = node.wait_with_output().ok()?;
    // Without the package, node ends before it has read anything.
    let _ = writer.join();
    if !output.status.success() {
        return None;
    }
    let output = String::from_utf8(output.stdout).ok()?;
    let shown: Shown = output
        .lines()
        .map(|line| serde_json::from_str(line).ok())
        .collect();
    (shown.len() == cuts.len()).then_some(shown)
}

/// Whether `part` is the start of `all`: the strings and arrays are, the members have their names,
/// and literals are the same. The start of a number can be any other number.
fn is_part(part: &Value, all: &Value) -> bool {
    match (part, all) {
        (Value::String(part), Value::String(all)) => all.starts_with(part.as_str()),
        (Value::Array(part), Value::Array(all)) => {
            part.len() <= all.len() && part.iter().zip(all).all(|(part, all)| is_part(part, all))
        }
        (Value::Object(part), Value::Object(all)) => part
            .iter()
            .all(|(name, part)| all.get(name).is_some_and(|all| is_part(part, all))),
        (Value::Number(_), Value::Number(_)) => true,
        _ => part == all,
    }
}

/// How much is shown: the characters of strings, names and numbers, and one for each value.
fn amount(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 1,
        Value::Number(number) => number.to_string().len(),
        Value::String(text) => 1 + text.chars().count(),
        Value::Array(elements) => 1 + elements.iter().map(amount).sum::<usize>(),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, value)| name.chars().count() + amount(value));
            1 + members.sum::<usize>()
        }
    }
}

/// The cuts of a text, between any two characters.
fn cuts(text: &str) -> Vec<&str> {
    let ends = (1..=text.len()).filter(|end| text.is_char_boundary(*end));
    ends.filter_map(|end| text.get(..end)).collect()
}

/// The functions, with what each shows of the cuts; none if it can't be run.
fn functions(cuts: &[&str]) -> [(&'static str, Option<Shown>); 6] {
    let each = |show: &dyn Fn(&str) -> Option<Value>| -> Option<Shown> {
        Some(cuts.iter().map(|cut| show(cut)).collect())
    };
    [
        (
            "complete_json",
            each(&|cut| serde_json::from_str(&complete_json(cut)).ok()),
        ),
        ("jiter, On", each(&|cut| by_jiter(cut, PartialMode::On))),
        (
            "jiter, TrailingStrings",
            each(&|cut| by_jiter(cut, PartialMode::TrailingStrings)),
        ),
        (
            "partial-json-fixer, fix_json",
            each(&|cut| serde_json::from_str(&partial_json_fixer::fix_json(cut)).ok()),
        ),
        (
            "partial-json-fixer, fix_json_parse",
            each(&|cut| {
                let fixed = partial_json_fixer::fix_json_parse(cut).ok()?;
                serde_json::from_str(&fixed.to_string()).ok()
            }),
        ),
        ("parsePartialJson (Vercel)", by_vercel(cuts)),
    ]
}

/// Prints what each function shows of each cut of one text.
fn print_cuts(text: &str) {
    let cuts = cuts(text);
    let functions = functions(&cuts);
    for (index, cut) in cuts.iter().enumerate() {
        println!("{cut}");
        for (function, shown) in &functions {
            let Some(shown) = shown else { continue };
            let shown = shown[index].as_ref();
            let shown = shown.map_or("no value".into(), ToString::to_string);
            println!("    {function:34} {shown}");
        }
    }
}

fn main() {
    println!(
        "{:20} {:34} {:>6} {:>10} {:>12} {:>8}",
        "document", "function", "cuts", "no value", "wrong value", "shown"
    );
    for (name, text) in DOCUMENTS {
        let all: Value = serde_json::from_str(text).expect("it is JSON");
        let cuts = cuts(text);
        let mut ours = 0;
        for (function, shown) in functions(&cuts) {
            let Some(shown) = shown else {
                println!("{name:20} {function:34} not run: no node, or no `ai`");
                continue;
            };
            let none = shown.iter().filter(|shown| shown.is_none()).count();
            let wrong = shown.iter().flatten().filter(|part| !is_part(part, &all));
            let parts = shown.iter().flatten().filter(|part| is_part(part, &all));
            let amount: usize = parts.map(amount).sum();
            // The first function is ours.
            ours = if ours == 0 { amount } else { ours };
            println!(
                "{name:20} {function:34} {:>6} {none:>10} {:>12} {:>6} %",
                cuts.len(),
                wrong.count(),
                amount * 100 / ours,
            );
        }
    }
    println!();
    print_cuts(r#"{"a\n": ["x\u00e9", -1.5e3, true]}"#);
}
