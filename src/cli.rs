//! The command line: what it accepts, and what its exit code says.

mod chunk;
mod format;
mod fragments;
mod indent;
mod input;
mod merge;
mod repair;
mod report;
mod snapshots;
mod watch;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use report::{Report, Status};

const EXAMPLES: &str = "\
Examples:
  json-chunks chunk snapshots.jsonl
  my-model | json-chunks chunk --format openai -
  my-model | json-chunks snapshots
  my-model | json-chunks tools --shape openai
  my-model | json-chunks entities --mode one-by-one --entity colors
  json-chunks merge first.txt next.txt
  json-chunks repair reply.txt
  json-chunks watch snapshots.jsonl

Exit code:
  0  everything was used
  1  some of the input could not be used, and was reported
  2  wrong usage, or the input or output failed";

/// JSON in flight: growing snapshots to text chunks, and text chunks to growing snapshots.
#[derive(Debug, Parser)]
#[command(name = "json-chunks", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Chunk(chunk::Args),
    Snapshots(fragments::snapshots::Args),
    Events(fragments::events::Args),
    Tools(fragments::tools::Args),
    Entities(fragments::entities::Args),
    Merge(merge::Args),
    Repair(repair::Args),
    Watch(watch::Args),
}

/// Why a command could not go on. What is wrong with a single line is not here but in [`Report`].
#[derive(Debug)]
enum Failure {
    Input { name: String, error: io::Error },
    Output(io::Error),
}

/// Writes a document, with a line end behind it if that is to be and it has none of its own.
fn write_document(text: &str, ends_line: bool) -> Result<(), Failure> {
    let end: &[u8] = if ends_line && !text.ends_with('\n') {
        b"\n"
    } else {
        b""
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.write_all(end))
        .and_then(|()| out.flush())
        .map_err(Failure::Output)
}

pub(crate) fn run() -> ExitCode {
    let mut report = Report::default();
    let outcome = match Cli::parse().command {
        Command::Chunk(args) => chunk::run(&args, &mut report),
        Command::Snapshots(args) => fragments::snapshots::run(&args, &mut report),
        Command::Events(args) => fragments::events::run(&args, &mut report),
        Command::Tools(args) => fragments::tools::run(&args, &mut report),
        Command::Entities(args) => fragments::entities::run(&args, &mut report),
        Command::Merge(args) => merge::run(&args, &mut report),
        Command::Repair(args) => repair::run(&args, &mut report),
        Command::Watch(args) => watch::run(&args, &mut report),
    };
    report.release();
    let status = match outcome {
        Ok(()) => report.status(),
        // Whoever read the output has seen enough (`… | head -1`).
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => report.status(),
        Err(Failure::Output(error)) => {
            report.say(&format_args!("error: cannot write the output: {error}"));
            Status::Failed
        }
        Err(Failure::Input { name, error }) => {
            report.say(&format_args!("error: cannot read {name}: {error}"));
            Status::Failed
        }
    };
    status.into()
}
