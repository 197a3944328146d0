//! The `json-chunks` command as its users meet it: arguments, pipes, exit codes.

#![cfg(feature = "cli")]

mod chunk;
mod entities;
mod fragments;
mod lines;
mod merge;
mod repair;
mod watch;

use std::io::{self, Read as _, Write as _};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

const WALKTHROUGH: &str = include_str!("../../examples/data/walkthrough.jsonl");
const WALKTHROUGH_FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/examples/data/walkthrough.jsonl"
);
const ITINERARY: &str = include_str!("../../examples/data/itinerary.jsonl");
const ITINERARY_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/itinerary.jsonl");

/// What each line of the walk-through puts out, and what its end does.
const CHUNKS: [&str; 9] = [
    r#"{"days":[{"subtitle":"Day"#,
    r#" 1: Arrival and Wildlife Safari","activities":["#,
    "{",
    r#""type":"Sightseeing","title":"Morning Game Drive","description":"Embark"#,
    " on a thrilling morning game drive to witness the Great Migration in all its glory.",
    r#""},{"type":""#,
    r#"FoodAndDining","title":"Lunch"#,
    r#" at Restaurant 1","description":"Enjoy"#,
    r#""}]}]}"#,
];

#[derive(Debug, PartialEq)]
struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn spawn(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_json-chunks"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command is there")
}

fn outcome(child: Child) -> Outcome {
    let output = child.wait_with_output().expect("it ends");
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

fn run(args: &[&str], input: impl AsRef<[u8]>) -> Outcome {
    let mut child = spawn(args);
    let written = child.stdin.take().expect("piped").write_all(input.as_ref());
    // It may end without having read anything.
    if let Err(error) = written {
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
    outcome(child)
}

/// Writes a line, then reads what it puts out before anything else is written.
fn converse(child: &mut Child, line: &str, reply: &str) {
    let stdin = child.stdin.as_mut().expect("piped");
    writeln!(stdin, "{line}").expect("it reads");
    let mut read = vec![0; reply.len()];
    let stdout = child.stdout.as_mut().expect("piped");
    stdout.read_exact(&mut read).expect("it replies");
    assert_eq!(String::from_utf8_lossy(&read), reply);
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn last_line(text: &str) -> Value {
    json(text.lines().last().expect("not empty"))
}

#[test]
fn help_has_examples_for_every_command() {
    for args in [
        &["--help"][..],
        &["chunk", "--help"],
        &["snapshots", "--help"],
        &["events", "--help"],
        &["tools", "--help"],
        &["entities", "--help"],
        &["merge", "--help"],
        &["repair", "--help"],
        &["watch", "--help"],
        &["watch", "-h"],
    ] {
        let outcome = run(args, "");
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
        let (_, examples) = outcome.stdout.split_once("Examples:\n").expect("examples");
        assert!(examples.contains("  json-chunks "), "{args:?}");
        assert!(outcome.stdout.contains("Exit code:"), "{args:?}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let expected = concat!("json-chunks ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(run(&["--version"], "").stdout, expected);
}

#[test]
fn wrong_usage_ends_with_2() {
    for args in [
        &[][..],
        &["chunk", "--format", "xml"],
        &["tools", "--shape", "round"],
        &["entities", "--mode", "slow"],
        &["swallow"],
    ] {
        let outcome = run(args, "");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
        assert!(outcome.stderr.contains("--help"), "{args:?}");
    }
}

#[test]
fn an_input_that_cannot_be_read_ends_with_2_and_says_which() {
    for command in [
        "chunk",
        "snapshots",
        "events",
        "tools",
        "entities",
        "merge",
        "repair",
        "watch",
    ] {
        let outcome = run(&[command, "no/such.jsonl"], "");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
        assert!(
            outcome
                .stderr
                .starts_with("error: cannot read no/such.jsonl: "),
            "{}",
            outcome.stderr
        );
        let outcome = run(&[command, env!("CARGO_MANIFEST_DIR")], "");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
    }
}
