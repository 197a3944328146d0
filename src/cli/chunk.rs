//! `json-chunks chunk`: snapshots to chunks.

use std::io::{self, BufWriter, IsTerminal as _, Write as _};

use super::Failure;
use super::format::{ChunkWriter, Format};
use super::input::FileArg;
use super::report::Report;
use super::snapshots::{ChunkerArgs, Snapshots};

const EXAMPLES: &str = "\
Examples:
  json-chunks chunk snapshots.jsonl
      The chunks, one after the other: together they are the last snapshot.
  json-chunks chunk --format jsonl snapshots.jsonl
      One JSON string per snapshot, to see which gave what.
  my-model | json-chunks chunk --format sse -
      Server-sent events, as the snapshots arrive.
  my-model | json-chunks chunk --format openai --on-revision restate -
      What OpenAI's clients read; a corrected member is put out once more.

A line that cannot be used is reported on standard error and skipped; what goes to standard output \
is a whole JSON text all the same. Blank lines are ignored.

Exit code: 0 if every line was used, 1 if one was not, 2 if the input or output failed. A reader \
that closes the pipe early is no failure.";

/// Turn growing JSON snapshots into text chunks
///
/// Reads JSON Lines: on each line one complete JSON value, the whole document so far, its members
/// in any order. Writes the text that each line makes certain, at once. The chunks put together
/// are valid JSON, equal to the last line.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    input: FileArg,
    /// How the chunks are written
    #[arg(long, value_enum, default_value_t = Format::Raw)]
    format: Format,
    #[command(flatten)]
    chunker: ChunkerArgs,
}

pub(super) fn run(args: &Args, report: &mut Report) -> Result<(), Failure> {
    let mut lines = args.input.open(report)?.lines();
    let mut snapshots = Snapshots::new(&args.chunker);
    let stdout = io::stdout().lock();
    let to_terminal = stdout.is_terminal();
    let mut out = ChunkWriter::new(args.format, BufWriter::new(stdout));
    out.start().map_err(Failure::Output)?;

    let mut chunk = String::new();
    // An input that breaks off still leaves whole output behind.
    let ended = loop {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => break Ok(()),
            Err(failure) => break Err(failure),
        };
        chunk.clear();
        snapshots.push(line, &mut chunk, report);
        out.chunk(&chunk).map_err(Failure::Output)?;
    };

    chunk.clear();
    snapshots.finish(&mut chunk);
    out.finish(&chunk).map_err(Failure::Output)?;
    if to_terminal && args.format == Format::Raw {
        // Or the prompt would stand behind the last bracket.
        let mut out = out.into_inner();
        writeln!(out)
            .and_then(|()| out.flush())
            .map_err(Failure::Output)?;
    }
    ended
}
