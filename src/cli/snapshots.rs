//! Lines of snapshots through a chunker, with a word to the user where one cannot be used.

use std::str;

use clap::ValueEnum;
use json_chunks::{Chunker, OnRevision};

use super::input::Line;
use super::report::Report;

/// The options of every command that takes snapshots.
#[derive(Debug, clap::Args)]
pub(super) struct ChunkerArgs {
    /// What to do with a snapshot that contradicts what was put out
    #[arg(long, value_enum, default_value_t = Revised::Keep, value_name = "HOW")]
    on_revision: Revised,
    /// Hold numbers like strings, for producers that write them digit by digit
    #[arg(long)]
    growing_numbers: bool,
    /// Treat a null member as one that is not there yet
    #[arg(long)]
    null_is_absent: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Revised {
    /// What was put out stays; the rest goes on
    Keep,
    /// Skip the snapshot
    Reject,
    /// Put the member out again under the same name
    Restate,
}

/// Snapshots in, the text that they make certain out.
#[derive(Debug)]
pub(super) struct Snapshots {
    chunker: Chunker,
}

impl Snapshots {
    pub(super) fn new(args: &ChunkerArgs) -> Self {
        let on_revision = match args.on_revision {
            Revised::Keep => OnRevision::Keep,
            Revised::Reject => OnRevision::Reject,
            Revised::Restate => OnRevision::Restate,
        };
        Self {
            chunker: Chunker::new()
                .on_revision(on_revision)
                .growing_numbers(args.growing_numbers)
                .null_is_absent(args.null_is_absent),
        }
    }

    /// Appends what the line adds; nothing where it is unusable.
    pub(super) fn push(&mut self, line: Line<'_>, out: &mut String, report: &mut Report) {
        let snapshot = match str::from_utf8(line.bytes) {
            Ok(snapshot) => snapshot,
            Err(error) => {
                let at = error.valid_up_to();
                report.unusable(line.number, &format_args!("not UTF-8 at byte {at}"));
                return;
            }
        };
        match self.chunker.push_into(snapshot, out) {
            Ok(()) => {
                for revision in self.chunker.take_revisions() {
                    report.revision(line.number, &revision);
                }
            }
            Err(error) => report.unusable(line.number, &error),
        }
    }

    pub(super) fn finish(&mut self, out: &mut String) {
        self.chunker.finish_into(out);
    }
}
