//! `json-chunks snapshots`: fragments to snapshots.

use std::io::Write as _;

use clap::ValueEnum;
use json_chunks::{Partial, Partials, TryFragmentStreamExt as _};

use super::write_lines;
use crate::cli::Failure;
use crate::cli::report::Report;

const EXAMPLES: &str = "\
Examples:
  my-model | json-chunks snapshots
      The value so far, each time it grows.
  json-chunks chunk --format jsonl snapshots.jsonl | json-chunks snapshots --jsonl
      There and back again.
  json-chunks snapshots --partials complete reply.json
      No half strings and numbers.
  json-chunks snapshots --several --partials whole log.jsonl
      Each value once, when it is complete.
";

/// Turn fragments of JSON text into growing snapshots
///
/// Reads JSON text as it comes. Writes the whole value so far as one line of JSON, each time it has
/// changed: what is open is closed, and what is unfinished looks as --partials says.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n{}", super::ABOUT_ERRORS))]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    input: super::InputArgs,
    #[command(flatten)]
    parser: super::ParserArgs,
    /// What an unfinished value looks like
    #[arg(long, value_enum, default_value_t = Policy::Shown, value_name = "HOW")]
    partials: Policy,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Policy {
    /// As far as it has come; a literal as its first letter tells
    Shown,
    /// Not at all, but for arrays and objects
    Complete,
    /// An empty string, 0, false or null; arrays and objects as far as they have come
    Zero,
    /// Not at all
    Whole,
}

impl From<Policy> for Partials {
    fn from(policy: Policy) -> Self {
        match policy {
            Policy::Shown => Self::default(),
            Policy::Complete => Self::complete_only(),
            Policy::Zero => Self::default()
                .strings(Partial::Zero)
                .numbers(Partial::Zero)
                .literals(Partial::Zero),
            Policy::Whole => Self::complete_only()
                .arrays(Partial::Omitted)
                .objects(Partial::Omitted),
        }
    }
}

pub(in crate::cli) fn run(args: &Args, report: &mut Report) -> Result<(), Failure> {
    let snapshots = args
        .input
        .open(report)?
        .try_json_snapshots_with(args.parser.parser(), args.partials.into());
    write_lines(snapshots, report, |out, snapshot| {
        out.write_all(snapshot.as_bytes())
    })
}
