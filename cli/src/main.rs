//! The `json-chunks` command: its arguments, and its exit code.

mod chunk;
mod completions;
mod diagnostics;
mod error;
mod fragments;
mod help;
mod indent;
mod input;
mod man;
mod merge;
mod mistake;
mod output;
mod repair;
mod snapshot_lines;
mod terminal;
mod watch;

use std::env;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use diagnostics::Diagnostics;
use terminal::Color;

const EXAMPLES: &str = "\
Examples:
  json-chunks watch snapshots.jsonl
  json-chunks chunk snapshots.jsonl
  my-model | json-chunks chunk --format openai
  my-model | json-chunks snapshots
  my-model | json-chunks extract | json-chunks snapshots
  my-model | json-chunks tools --shape openai
  my-model | json-chunks entities --mode one-by-one --entity colors
  json-chunks merge first.txt next.txt
  json-chunks repair reply.txt

Diagnostics:
  snapshots.jsonl:3: error: invalid number at byte 7
      Written to standard error. The file and the line, `<stdin>` for standard input;
      bytes are counted from 0. A `hint:` names the likely fix.
";

/// Streaming JSON for language models
///
/// Converts growing snapshots to text chunks, and token streams to snapshots, events, tool calls
/// and entities; extracts JSON from text, joins truncated replies, and repairs malformed ones.
/// Input is read as it arrives, and output is written at once.
#[derive(Debug, Parser)]
#[command(name = "json-chunks", version, max_term_width = 100)]
#[command(after_help = help::after_help(EXAMPLES, "part of the input could not be used"))]
struct Cli {
    /// When to use color; `auto` asks the terminal, `NO_COLOR` and `CLICOLOR_FORCE`
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        display_order = 900
    )]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Chunk(chunk::Args),
    Snapshots(fragments::snapshots::Args),
    Events(fragments::events::Args),
    Tools(fragments::tools::Args),
    Extract(fragments::extract::Args),
    Entities(fragments::entities::Args),
    Merge(merge::Args),
    Repair(repair::Args),
    Watch(watch::Args),
    Completions(completions::Args),
    Man(man::Args),
}

fn main() -> ExitCode {
    Color::from_args(env::args_os().skip(1)).apply();
    let cli = Cli::parse();
    cli.color.apply();
    let mut diagnostics = Diagnostics::default();
    let outcome = match cli.command {
        Command::Chunk(args) => chunk::run(&args, &mut diagnostics),
        Command::Snapshots(args) => fragments::snapshots::run(&args, &mut diagnostics),
        Command::Events(args) => fragments::events::run(&args, &mut diagnostics),
        Command::Tools(args) => fragments::tools::run(&args, &mut diagnostics),
        Command::Extract(args) => fragments::extract::run(&args, &mut diagnostics),
        Command::Entities(args) => fragments::entities::run(&args, &mut diagnostics),
        Command::Merge(args) => merge::run(&args, &mut diagnostics),
        Command::Repair(args) => repair::run(&args, &mut diagnostics),
        Command::Watch(args) => watch::run(&args, &mut diagnostics),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    };
    diagnostics.release();
    if let Err(error) = outcome
        && !error.is_closed_output()
    {
        diagnostics.fatal(&error);
    }
    diagnostics.status().into()
}
