//! `json-chunks events`: fragments to what happens to each value.

use std::io::{self, Write};

use json_chunks::{JsonChange, JsonEvent, Kind, TryFragmentStreamExt as _};
use serde_json::Value;

use super::write_lines;
use crate::cli::Failure;
use crate::cli::report::Report;

const EXAMPLES: &str = "\
Examples:
  my-model | json-chunks events
      {\"path\":\"/title\",\"event\":\"started\",\"kind\":\"string\"}
      {\"path\":\"/title\",\"event\":\"appended\",\"text\":\"Three Sl\"}
      {\"path\":\"/title\",\"event\":\"appended\",\"text\":\"ow Days\"}
      {\"path\":\"/title\",\"event\":\"completed\",\"value\":\"Three Slow Days\"}
  json-chunks events reply.json | jq -rj 'select(.path == \"/answer\").text // empty'
      One string of the document, as it is written.
";

/// Turn fragments of JSON text into events
///
/// Reads JSON text as it comes. Writes a line of JSON for everything that happens to a value: it
/// has started (with its kind), text was appended to a string or number, it is completed (with its
/// value, if it is no array or object). Paths are JSON Pointers.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n{}", super::ABOUT_ERRORS))]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    input: super::InputArgs,
    #[command(flatten)]
    parser: super::ParserArgs,
}

pub(in crate::cli) fn run(args: &Args, report: &mut Report) -> Result<(), Failure> {
    let events = args
        .input
        .open(report)?
        .try_json_events_with(args.parser.parser());
    write_lines(events, report, |out, event| write(out, &event))
}

fn write(out: &mut impl Write, event: &JsonEvent) -> io::Result<()> {
    let path = Value::from(event.path.as_str());
    let name = event.change.name();
    write!(out, "{{\"path\":{path},\"event\":\"{name}\"")?;
    match &event.change {
        JsonChange::Started(kind) => write!(out, ",\"kind\":\"{}\"", type_name(*kind))?,
        JsonChange::Appended(text) => write!(out, ",\"text\":{}", Value::from(text.as_str()))?,
        JsonChange::Completed(Some(value)) => write!(out, ",\"value\":{value}")?,
        // Without more than its name.
        _ => {}
    }
    out.write_all(b"}")
}

/// As JSON Schema calls them: of a literal that has only begun nobody needs to know more.
fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::True | Kind::False => "boolean",
        Kind::Number => "number",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
    }
}
