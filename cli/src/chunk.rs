//! `json-chunks chunk`: snapshots to chunks.

mod format;

use std::io::{self, BufWriter, IsTerminal as _};

use crate::diagnostics::Diagnostics;
use crate::error::CommandError;
use crate::help;
use crate::input::FileArg;
use crate::output::write_now;
use crate::snapshot_lines::{ChunkerArgs, Hints, SnapshotLines};
use format::{ChunkWriter, Format};

const EXAMPLES: &str = "\
Examples:
  json-chunks chunk snapshots.jsonl
      The chunks, concatenated: together they are the last snapshot.
  json-chunks chunk --format jsonl snapshots.jsonl
      One JSON string per snapshot, to see what each of them adds.
  my-model | json-chunks chunk --format sse
      Server-sent events of the Partial Stream Spec: `data` is the value so far, `delta` is what is
      new in it, as in `entities --sse` for one entity.
  my-model | json-chunks chunk --format openai --revision-policy restate
      For OpenAI's clients; a corrected member is emitted again.
";

const HINTS: Hints = Hints {
    text: "if the lines are pieces of one JSON text, use `json-chunks snapshots`",
    strings: "if the lines are pieces of one JSON text, use `json-chunks snapshots --jsonl`",
};

/// Convert growing JSON snapshots to text chunks
///
/// Reads JSON Lines: each line is a complete JSON value, the entire document so far, with its
/// members in any order. Writes the text that can no longer change as soon as a line has arrived.
/// The concatenated chunks are valid JSON, equal to the last snapshot.
///
/// A line that cannot be used is reported on standard error and skipped; standard output is
/// complete JSON even then. Blank lines are ignored; without any snapshot, nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = help::after_help(EXAMPLES, "a line could not be used"))]
pub(crate) struct Args {
    #[command(flatten)]
    input: FileArg,
    /// How to write the chunks
    #[arg(long, value_enum, default_value_t = Format::Raw)]
    format: Format,
    #[command(flatten)]
    chunker: ChunkerArgs,
}

pub(crate) fn run(args: &Args, diagnostics: &mut Diagnostics) -> Result<(), CommandError> {
    let mut lines = args.input.open(diagnostics)?.lines();
    let mut snapshots = SnapshotLines::new(&args.chunker, HINTS);
    let stdout = io::stdout().lock();
    let to_terminal = stdout.is_terminal();
    let mut out = ChunkWriter::new(args.format, BufWriter::new(stdout));
    out.start().map_err(CommandError::Write)?;

    let mut chunk = String::new();
    // If reading fails, the output is completed before the command ends.
    let ended = loop {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        chunk.clear();
        snapshots.push(line, &mut chunk, diagnostics);
        out.chunk(&chunk).map_err(CommandError::Write)?;
    };

    chunk.clear();
    snapshots.finish(&mut chunk, diagnostics);
    match &ended {
        Ok(()) => out.finish(&chunk),
        Err(error) => out.fail(&chunk, &error.to_string()),
    }
    .map_err(CommandError::Write)?;
    if to_terminal && args.format == Format::Raw {
        // Otherwise the prompt would follow the last bracket.
        write_now(&mut out.into_inner(), b"\n")?;
    }
    ended
}
