//! `json-chunks tools`: fragments to tool calls.

mod frames;

use std::error::Error as _;
use std::io;

use clap::ValueEnum;
use json_chunks::stream::MachineStreamExt as _;
use json_chunks::tool_call::{ToolCallDetector, ToolCallError, ToolCallEvent, ToolCallShape};
use json_chunks::wire::Dialect;

use super::{Reporter, write_lines};
use crate::diagnostics::Diagnostics;
use crate::error::CommandError;

const EXAMPLES: &str = "\
Examples:
  my-model | json-chunks tools
      {\"event\":\"started\",\"index\":0,\"name\":\"read\"}
      {\"event\":\"arguments_delta\",\"index\":0,\"delta\":\"{\\\"path\\\":\"}
      {\"event\":\"arguments_delta\",\"index\":0,\"delta\":\"\\\"/src\\\"}\"}
      {\"event\":\"completed\",\"index\":0,\"name\":\"read\",\"arguments\":\"{\\\"path\\\":\\\"/src\\\"}\"}
  json-chunks tools --shape anthropic message.json
      The calls in a message of Anthropic's API.
  curl --no-buffer https://api.anthropic.com/v1/messages … | json-chunks tools --frames anthropic
      The calls in the body of a streaming API.
  my-model | json-chunks tools | jq -r 'select(.event == \"completed\").name'
      Only calls that are complete.
";

/// Find the tool calls in fragments of JSON text
///
/// Reads JSON text as it arrives: a call, an array of calls, a message with calls in it, or several
/// of these. Writes a line of JSON as soon as the name of a call is complete (`started`), for each
/// piece of its arguments (`arguments_delta`), and at its end: `completed`, or `failed` if the
/// arguments are not JSON or cut off. Execute only calls that are completed. A failed call makes
/// the exit code 1.
#[derive(Debug, clap::Args)]
#[command(after_help = super::after_help(EXAMPLES))]
pub(crate) struct Args {
    #[command(flatten)]
    input: super::InputArgs,
    /// The members of a call
    #[arg(long, value_enum, default_value_t = ShapeArg::Plain)]
    shape: ShapeArg,
    /// Read the body of a streaming API instead: server-sent events, or lines of JSON
    #[arg(long, value_enum, value_name = "API", conflicts_with_all = ["shape", "jsonl"])]
    frames: Option<FramesArg>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ShapeArg {
    /// `{"id", "name", "arguments"}`
    Plain,
    /// `{"type": "tool_use", "id", "name", "input"}`
    Anthropic,
    /// `{"id", "type": "function", "function": {"name", "arguments"}}`
    Openai,
}

impl From<ShapeArg> for ToolCallShape {
    fn from(shape: ShapeArg) -> Self {
        match shape {
            ShapeArg::Plain => Self::plain(),
            ShapeArg::Anthropic => Self::anthropic(),
            ShapeArg::Openai => Self::openai(),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FramesArg {
    /// OpenAI's Chat Completions, and compatible servers
    Openai,
    /// OpenAI's Responses
    Responses,
    /// Anthropic's Messages
    Anthropic,
    /// The UI message stream of Vercel's AI SDK
    Ui,
    /// AG-UI
    Agui,
    /// Ollama's chat API
    Ollama,
    /// Gemini's `streamGenerateContent`
    Gemini,
}

impl From<FramesArg> for Dialect {
    fn from(frames: FramesArg) -> Self {
        match frames {
            FramesArg::Openai => Self::OpenAiChat,
            FramesArg::Responses => Self::OpenAiResponses,
            FramesArg::Anthropic => Self::Anthropic,
            FramesArg::Ui => Self::UiMessages,
            FramesArg::Agui => Self::AgUi,
            FramesArg::Ollama => Self::Ollama,
            FramesArg::Gemini => Self::Gemini,
        }
    }
}

pub(crate) fn run(args: &Args, diagnostics: &mut Diagnostics) -> Result<(), CommandError> {
    let fragments = args.input.open(diagnostics)?;
    if let Some(frames) = args.frames {
        return frames::run(fragments, frames.into(), diagnostics);
    }
    let detector = ToolCallDetector::new(args.shape.into());
    let events = fragments.try_through(detector);
    write_lines(events, diagnostics, |line, event, reporter| {
        write_event(line, &event, reporter)
    })
}

/// Writes an event, and reports a call that has failed.
fn write_event(
    line: &mut Vec<u8>,
    event: &ToolCallEvent,
    reporter: Reporter<'_>,
) -> io::Result<()> {
    if let ToolCallEvent::Failed { index, error, .. } = event {
        report(*index, error, reporter);
    }
    serde_json::to_writer(line, event).map_err(Into::into)
}

fn report(index: usize, error: &ToolCallError, reporter: Reporter<'_>) {
    let Reporter {
        location,
        diagnostics,
    } = reporter;
    match (error, error.source()) {
        // The adapter yields the error of the text next.
        (ToolCallError::Text(_), _) => diagnostics.mark_partial(),
        (_, Some(cause)) => {
            diagnostics.error(location, &format_args!("call {index}: {error}: {cause}"));
        }
        (_, None) => diagnostics.error(location, &format_args!("call {index}: {error}")),
    }
}
