//! `json-chunks repair`: malformed text to JSON.

use std::io;

use json_chunks::repair::{FinishReason, RepairEdit, RepairOptions, RepairRule};
use serde_json::json;

use crate::diagnostics::Diagnostics;
use crate::error::CommandError;
use crate::help;
use crate::input::{FileArg, Location};
use crate::mistake;
use crate::output::{write_document, write_document_line};

const EXAMPLES: &str = "\
Examples:
  json-chunks repair reply.txt
      {'days': [{title: 'Arr  =>  {\"days\": [{\"title\": \"Arr\"}]}
  my-model | json-chunks repair | jq .days
  json-chunks repair --multiple-values lines.txt
      [{\"day\": 1},
      {\"day\": 2}]
  json-chunks repair --finish-reason stopped reply.txt
      {\"title\": \"Arrival}  =>  {\"title\": \"Arrival\"}
  json-chunks repair --report reply.txt 2> report.json
      {\"edits\":[{\"start\":0,\"end\":8,\"rule\":\"fence\",\"replacement\":\"\"}],\"lost\":[]}
";

/// Repair malformed JSON
///
/// Closes open values, fixes commas, quotes, escapes, names, literals and brackets, and removes
/// comments, Markdown fences, reasoning, tool tags and prose. Valid JSON is written byte for byte.
/// Of several values the first one is used. Content that is dropped is reported on standard error,
/// with its bytes counted from 0.
#[derive(Debug, clap::Args)]
#[command(after_help = help::after_help(
    EXAMPLES,
    "content was dropped, or the text has no value",
))]
pub(crate) struct Args {
    #[command(flatten)]
    file: FileArg,
    /// Write the edits to standard error, as one JSON object
    ///
    /// Each of the `edits` has the bytes of the input that were replaced (`start`, `end`), the
    /// `rule`, and the `replacement`. `lost` has those that dropped content, with the `text` that
    /// was dropped.
    #[arg(long)]
    report: bool,
    /// Write an array of all values if there are several
    #[arg(long)]
    multiple_values: bool,
    /// Why the text ends, if that is known
    #[arg(long, value_enum, value_name = "REASON")]
    finish_reason: Option<FinishReasonArg>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum FinishReasonArg {
    /// The model stopped (`stop`, `end_turn`, `tool_calls`): what is missing is a mistake
    Stopped,
    /// The text was cut off (`length`, `max_tokens`): what is missing never arrived
    Truncated,
}

impl From<FinishReasonArg> for FinishReason {
    fn from(reason: FinishReasonArg) -> Self {
        match reason {
            FinishReasonArg::Stopped => Self::Stopped,
            FinishReasonArg::Truncated => Self::Truncated,
        }
    }
}

pub(crate) fn run(args: &Args, diagnostics: &mut Diagnostics) -> Result<(), CommandError> {
    let input = args.file.open(diagnostics)?;
    let name = input.name().to_owned();
    let text = input.into_bytes()?;
    let location = |offset| Location::input(&name).byte(offset, &text);
    let mut options = RepairOptions::default().multiple_values(args.multiple_values);
    if let Some(reason) = args.finish_reason {
        options = options.finish_reason(reason.into());
    }
    let repaired = match json_chunks::repair::repair_with(&text, options) {
        Ok(repaired) => repaired,
        Err(error) => {
            diagnostics.error(location(error.offset()), &error);
            if mistake::is_utf16(&text) {
                diagnostics.hint(mistake::UTF16);
            }
            return Ok(());
        }
    };
    if repaired.is_unchanged() {
        write_document(repaired.text())?;
    } else {
        write_document_line(repaired.text())?;
    }
    if args.report {
        if repaired.is_lossy() {
            diagnostics.mark_partial();
        }
        let lost: Vec<_> = repaired.lost().map(|edit| lost(edit, &text)).collect();
        let edits = serde_json::to_string(repaired.edits()).map_err(io::Error::from);
        let edits = edits.map_err(CommandError::Write)?;
        diagnostics.data(&format_args!(
            "{{\"edits\":{edits},\"lost\":{}}}",
            json!(lost)
        ));
        return Ok(());
    }
    for edit in repaired.lost() {
        let range = edit.range();
        let (start, end, rule) = (range.start, range.end, edit.rule());
        diagnostics.error(
            location(start),
            &format_args!("bytes {start} to {end} were dropped ({rule})"),
        );
        if mistake::is_utf16(&text) {
            diagnostics.hint(mistake::UTF16);
        } else if rule == RepairRule::ExtraValue {
            diagnostics.hint("to keep several values, use `--multiple-values`");
        }
    }
    Ok(())
}

fn lost(edit: &RepairEdit, text: &[u8]) -> serde_json::Value {
    let range = edit.range();
    let dropped = text.get(range.clone()).unwrap_or_default();
    json!({
        "start": range.start,
        "end": range.end,
        "rule": edit.rule().as_str(),
        "text": String::from_utf8_lossy(dropped),
    })
}
