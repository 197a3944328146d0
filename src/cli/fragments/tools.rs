//! `json-chunks tools`: fragments to tool calls.

use clap::ValueEnum;
use json_chunks::{ToolCallDetector, ToolCallShape, TryFragmentStreamExt as _};

use super::write_lines;
use crate::cli::Failure;
use crate::cli::report::Report;

const EXAMPLES: &str = "\
Examples:
  my-model | json-chunks tools
      {\"event\":\"named\",\"index\":0,\"name\":\"read\"}
      {\"event\":\"arguments_delta\",\"index\":0,\"delta\":\"{\\\"path\\\":\"}
      {\"event\":\"arguments_delta\",\"index\":0,\"delta\":\"\\\"/src\\\"}\"}
      {\"event\":\"completed\",\"index\":0,\"name\":\"read\",\"arguments\":\"{\\\"path\\\":\\\"/src\\\"}\"}
  json-chunks tools --shape anthropic message.json
      The calls in a message of Anthropic's.
  my-model | json-chunks tools | jq -r 'select(.event == \"completed\").name'
      Only calls that are whole.
";

/// Find the tool calls in fragments of JSON text
///
/// Reads JSON text as it comes: a call, an array of calls, a message with calls in it, or several of
/// these. Writes a line of JSON as soon as the name of a call is there, for each piece of its
/// arguments, and when it is completed. Only a completed call is whole; one that breaks off has
/// failed instead.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n{}", super::ABOUT_ERRORS))]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    input: super::InputArgs,
    /// What a call looks like
    #[arg(long, value_enum, default_value_t = Shape::Plain)]
    shape: Shape,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shape {
    /// `{"id", "name", "arguments"}`
    Plain,
    /// `{"type": "tool_use", "id", "name", "input"}`
    Anthropic,
    /// `{"id", "type": "function", "function": {"name", "arguments"}}`
    Openai,
}

impl From<Shape> for ToolCallShape {
    fn from(shape: Shape) -> Self {
        match shape {
            Shape::Plain => Self::plain(),
            Shape::Anthropic => Self::anthropic(),
            Shape::Openai => Self::openai(),
        }
    }
}

pub(in crate::cli) fn run(args: &Args, report: &mut Report) -> Result<(), Failure> {
    let detector = ToolCallDetector::new(args.shape.into());
    let events = args.input.open(report)?.try_tool_calls_with(detector);
    write_lines(events, report, |out, event| {
        serde_json::to_writer(out, &event).map_err(Into::into)
    })
}
