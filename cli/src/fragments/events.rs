//! `json-chunks events`: fragments to changes.

use std::io::{self, Write};

use json_chunks::Kind;
use json_chunks::stream::{EventReader, MachineStreamExt as _, OwnedChange, OwnedEvent};
use serde_json::Value;

use super::write_lines;
use crate::diagnostics::Diagnostics;
use crate::error::CommandError;

const EXAMPLES: &str = "\
Examples:
  my-model | json-chunks events
      {\"path\":\"/title\",\"event\":\"started\",\"kind\":\"string\"}
      {\"path\":\"/title\",\"event\":\"appended\",\"text\":\"Three Sl\"}
      {\"path\":\"/title\",\"event\":\"appended\",\"text\":\"ow Days\"}
      {\"path\":\"/title\",\"event\":\"completed\",\"value\":\"Three Slow Days\"}
  my-model | json-chunks events | jq -rj 'select(.path == \"/answer\").text // empty'
      The text of one string, as the model writes it.
";

/// Convert fragments of JSON text to events
///
/// Reads JSON text as it arrives. Writes a line of JSON for every change of a value: `started` with
/// its kind, `appended` with the text that was added to a string or number, and `completed` with
/// the value, unless it is an array or object. Paths are JSON Pointers.
#[derive(Debug, clap::Args)]
#[command(after_help = super::after_help(EXAMPLES))]
pub(crate) struct Args {
    #[command(flatten)]
    input: super::InputArgs,
    #[command(flatten)]
    parser: super::ParserArgs,
}

pub(crate) fn run(args: &Args, diagnostics: &mut Diagnostics) -> Result<(), CommandError> {
    let events = args
        .input
        .open(diagnostics)?
        .try_through(EventReader::new(args.parser.parser()));
    write_lines(events, diagnostics, |line, event, _| {
        write_event(line, &event)
    })
}

fn write_event(out: &mut impl Write, event: &OwnedEvent) -> io::Result<()> {
    let path = Value::from(event.path.as_str());
    let name = event.change.as_str();
    write!(out, "{{\"path\":{path},\"event\":\"{name}\"")?;
    match &event.change {
        OwnedChange::Started(kind) => write!(out, ",\"kind\":\"{}\"", type_name(*kind))?,
        OwnedChange::Appended(text) => write!(out, ",\"text\":{}", Value::from(text.as_str()))?,
        OwnedChange::Completed(Some(value)) => write!(out, ",\"value\":{value}")?,
        // The end of an array or object has no more members.
        _ => {}
    }
    out.write_all(b"}")
}

/// Returns the name of the type as in JSON Schema, where `true` and `false` are of one type.
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
