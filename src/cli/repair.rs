//! `json-chunks repair`: a broken text to JSON.

use std::io;

use super::input::FileArg;
use super::report::Report;
use super::{Failure, write_document};

const EXAMPLES: &str = "\
Examples:
  json-chunks repair reply.txt
      {\"days\": [{\"title\": \"Arrival\"}]}
  my-model | json-chunks repair | jq .days
  json-chunks repair --report reply.txt 2> ledger.json
      {\"repairs\":[{\"start\":0,\"end\":8,\"rule\":\"fence\",\"replacement\":\"\"}]}

Exit code: 0 if there is a value, 1 if nothing could be made of the text, which is reported on \
standard error, 2 if the input or output failed.";

/// Make JSON of a text that was meant to be JSON
///
/// Closes what is open, mends commas, quotes, escapes, names and literals, and leaves out comments,
/// Markdown fences and prose. JSON is written as it is, byte for byte. Of several values the first
/// is taken.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    file: FileArg,
    /// Write what was changed to standard error, as one JSON object
    ///
    /// Each change has the bytes of the input that were replaced (`start`, `end`), the `rule`, and
    /// the `replacement`.
    #[arg(long)]
    report: bool,
}

pub(super) fn run(args: &Args, report: &mut Report) -> Result<(), Failure> {
    let text = args.file.open(report)?.into_bytes()?;
    let repaired = match json_chunks::repair(&text) {
        Ok(repaired) => repaired,
        Err(error) => {
            report.unusable(None, &error);
            return Ok(());
        }
    };
    write_document(repaired.text(), !repaired.is_unchanged())?;
    if args.report {
        let repairs = serde_json::to_string(repaired.ledger()).map_err(io::Error::from);
        let repairs = repairs.map_err(Failure::Output)?;
        report.say(&format_args!("{{\"repairs\":{repairs}}}"));
    }
    Ok(())
}
