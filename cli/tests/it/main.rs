//! The `json-chunks` command as its users run it: arguments, pipes, exit codes.

mod chunk;
mod color;
mod documentation;
mod entities;
mod extract;
mod fragments;
mod frames;
mod hints;
mod lines;
mod merge;
mod repair;
mod watch;

use std::io::{self, Read as _, Write as _};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

const WALKTHROUGH: &str = include_str!("../../../examples/data/walkthrough.jsonl");
const WALKTHROUGH_FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../examples/data/walkthrough.jsonl"
);
const ITINERARY: &str = include_str!("../../../examples/data/itinerary.jsonl");
const ITINERARY_FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../examples/data/itinerary.jsonl"
);

/// The chunk of each snapshot of the walk-through, and that of its end.
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

const COMMANDS: [&str; 11] = [
    "chunk",
    "snapshots",
    "events",
    "tools",
    "extract",
    "entities",
    "merge",
    "repair",
    "watch",
    "completions",
    "man",
];

#[derive(Debug, PartialEq)]
struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// The command without the environment that its colors depend on.
fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_json-chunks"));
    command
        .args(args)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn spawn(args: &[&str]) -> Child {
    command(args).spawn().expect("the command starts")
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
    run_command(&mut command(args), input)
}

fn run_command(command: &mut Command, input: impl AsRef<[u8]>) -> Outcome {
    let mut child = command.spawn().expect("the command starts");
    let written = child.stdin.take().expect("piped").write_all(input.as_ref());
    // It may end without reading.
    if let Err(error) = written {
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
    outcome(child)
}

/// Writes a line, then reads the output that has to arrive before the next line is written.
fn send_and_expect(child: &mut Child, line: &str, reply: &str) {
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
fn help_of_every_command_has_examples_and_exit_codes() {
    let of_commands = COMMANDS.map(|command| vec![command, "--help"]);
    let others = [vec!["--help"], vec!["watch", "-h"]];
    for args in of_commands.iter().chain(&others) {
        let outcome = run(args, "");
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
        let (_, examples) = outcome.stdout.split_once("Examples:\n").expect("examples");
        let command = args.first().filter(|arg| !arg.starts_with('-'));
        let command = format!("json-chunks {}", command.unwrap_or(&"chunk"));
        assert!(examples.contains(&command), "{args:?}");
        assert!(outcome.stdout.contains("Exit code:"), "{args:?}");
    }
}

#[test]
fn version_is_that_of_the_package() {
    let expected = concat!("json-chunks ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(run(&["--version"], "").stdout, expected);
}

#[test]
fn wrong_usage_exits_with_2() {
    for args in [
        &[][..],
        &["chunk", "--format", "xml"],
        &["tools", "--shape", "round"],
        &["entities", "--mode", "slow"],
        &["tools", "--frames", "openai", "--jsonl"],
        &["tools", "--frames", "openai", "--shape", "plain"],
        &["swallow"],
        &["--color", "blue", "chunk"],
        &["completions", "cmd"],
    ] {
        let outcome = run(args, "");
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""));
        assert!(outcome.stderr.contains("--help"), "{args:?}");
    }
}

#[test]
fn unreadable_input_exits_with_2_and_is_named() {
    let commands = COMMANDS.iter();
    for command in commands.filter(|command| !["completions", "man"].contains(command)) {
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
