//! `json-chunks snapshots`: fragments to snapshots.

use clap::ValueEnum;
use json_chunks::stream::{MachineStreamExt as _, SnapshotReader};
use json_chunks::{PartialMode, PartialPolicy};

use super::write_lines;
use crate::diagnostics::Diagnostics;
use crate::error::CommandError;

const EXAMPLES: &str = "\
Examples:
  my-model | json-chunks snapshots
      The value so far, each time it grows.
  json-chunks chunk --format jsonl snapshots.jsonl | json-chunks snapshots --jsonl
      The snapshots, from the chunks.
  json-chunks snapshots --partials omit reply.json
      No partial strings and numbers.
  json-chunks snapshots --multiple-values --partials omit-all log.jsonl
      Each value once, when it is complete.
";

/// Convert fragments of JSON text to growing snapshots
///
/// Reads JSON text as it arrives. Writes the entire value so far as one line of JSON, each time it
/// has changed: strings, arrays and objects that are open are closed, and --partials says what else
/// becomes of incomplete values.
///
/// Each line has the entire value, so the size of the output is quadratic in that of the input. For
/// large inputs use `events`.
#[derive(Debug, clap::Args)]
#[command(after_help = super::after_help(EXAMPLES))]
pub(crate) struct Args {
    #[command(flatten)]
    input: super::InputArgs,
    #[command(flatten)]
    parser: super::ParserArgs,
    /// What to write for incomplete values
    #[arg(long, value_enum, default_value_t = PartialsArg::Keep, value_name = "MODE")]
    partials: PartialsArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PartialsArg {
    /// Keep what has arrived: `"Lon"`, 12; a literal from its first letter on
    Keep,
    /// Omit strings, numbers and literals; keep arrays and objects
    Omit,
    /// Write "", 0, false or null; keep arrays and objects
    Zero,
    /// Omit arrays and objects as well: each value is written once, when it is complete
    OmitAll,
}

impl From<PartialsArg> for PartialPolicy {
    fn from(partials: PartialsArg) -> Self {
        match partials {
            PartialsArg::Keep => Self::default(),
            PartialsArg::Omit => Self::complete_only(),
            PartialsArg::Zero => Self::default()
                .strings(PartialMode::Zero)
                .numbers(PartialMode::Zero)
                .literals(PartialMode::Zero),
            PartialsArg::OmitAll => Self::complete_only()
                .arrays(PartialMode::Omit)
                .objects(PartialMode::Omit),
        }
    }
}

pub(crate) fn run(args: &Args, diagnostics: &mut Diagnostics) -> Result<(), CommandError> {
    let snapshots = args.input.open(diagnostics)?.try_through(
        SnapshotReader::new(args.parser.parser()).partial_policy(args.partials.into()),
    );
    // The adapter yields an item when a value is completed, even if its text is the same as before.
    let mut last = None;
    write_lines(snapshots, diagnostics, |line, snapshot, _| {
        if last.as_ref() != Some(&snapshot.value) {
            line.extend_from_slice(snapshot.value.as_bytes());
        }
        last = (!snapshot.is_complete).then_some(snapshot.value);
        Ok(())
    })
}
