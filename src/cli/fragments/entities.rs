//! `json-chunks entities`: fragments to events of the Partial Stream Spec.

use std::cell::Cell;
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::ValueEnum;
use json_chunks::{
    Entities, EntityErrorCode, EntityEvent, EntityMode, JsonText, Schema, SseEvent,
    TryFragmentStreamExt as _,
};

use super::write_lines;
use crate::cli::Failure;
use crate::cli::report::Report;

const EXAMPLES: &str = "\
Examples:
  my-model | json-chunks entities --entity colors
      {\"index\":0,\"status\":\"PARTIAL\",\"data\":{\"hex\":\"#94\"},\"entity\":\"colors\",\"delta\":[…]}
      {\"index\":0,\"status\":\"COMPLETED\",\"data\":{\"hex\":\"#9400D3\"},\"entity\":\"colors\",\"delta\":[…]}
  my-model | json-chunks entities --mode one-by-one --entity /palette/colors --schema color.json
      Each color when it is complete; one that the schema refuses has the status ERROR.
  json-chunks entities --mode batch reply.json
      All of them as one array.
  my-model | json-chunks entities --sse
      As server-sent events, from the elements of the array that the text is.
";

/// Tell about the entities in fragments of JSON text, by the Partial Stream Spec
///
/// Reads JSON text as it comes. Entities are the elements of an array: of the text itself, or of
/// the one that --entity names. What is no array is one entity. Writes a line of JSON for each
/// event: its data is always whole JSON, and each entity has one last event, COMPLETED or ERROR.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n{}", super::ABOUT_ERRORS))]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    input: super::InputArgs,
    /// When entities are told about
    #[arg(long, value_enum, ignore_case = true, default_value_t = Mode::Realtime)]
    mode: Mode,
    /// The member that the entities are in: its name, or a JSON Pointer (`/palette/colors`)
    #[arg(long, value_name = "NAME")]
    entity: Option<String>,
    /// The file with the JSON Schema that each entity has to conform to
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// Write server-sent events
    #[arg(long)]
    sse: bool,
    /// Show what has begun but is not shown yet as the zero value of its kind
    #[arg(long)]
    zero_values: bool,
    #[command(flatten)]
    parser: super::ParserArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Mode {
    /// All in one array, when the text has ended
    Batch,
    /// One by one, when the text has ended
    AllTogether,
    /// Each when it is complete
    OneByOne,
    /// Each as its members are completed
    Progressive,
    /// Each as it grows
    Realtime,
}

impl From<Mode> for EntityMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Batch => Self::Batch,
            Mode::AllTogether => Self::AllTogether,
            Mode::OneByOne => Self::OneByOne,
            Mode::Progressive => Self::Progressive,
            Mode::Realtime => Self::Realtime,
        }
    }
}

pub(in crate::cli) fn run(args: &Args, report: &mut Report) -> Result<(), Failure> {
    let mut entities = Entities::new(args.mode.into())
        .zero_values(args.zero_values)
        .several_values(args.parser.several);
    if let Some(entity) = &args.entity {
        entities = if entity.starts_with('/') || entity.is_empty() {
            entities.pointer(entity)
        } else {
            entities.named(entity)
        };
    }
    if let Some(path) = &args.schema {
        entities = entities.schema(read_schema(path)?);
    }
    let fragments = args.input.open(report)?;
    let (told, refused) = (Cell::new(0_u64), Cell::new(0_u64));
    let count = |event: &EntityEvent| {
        told.set(told.get() + 1);
        let code = event.error.as_ref().map(|error| error.code);
        refused.set(refused.get() + u64::from(code == Some(EntityErrorCode::InvalidSchema)));
    };
    let events = fragments.try_json_entities::<JsonText>(entities);
    write_lines(events, report, |out, event| {
        count(&event);
        if !args.sse {
            return out.write_all(event.to_json().as_bytes());
        }
        let event = SseEvent::from(event).with_id(told.get().to_string());
        // The blank line behind the frame comes as the end of the line.
        let frame = event.to_string();
        out.write_all(frame.strip_suffix('\n').unwrap_or(&frame).as_bytes())
    })?;
    if args.sse {
        let mut out = io::stdout().lock();
        let written = write!(out, "{}", SseEvent::close()).and_then(|()| out.flush());
        written.map_err(Failure::Output)?;
    }
    match (refused.get(), told.get(), &args.entity) {
        (0, 0, Some(entity)) => report.say(&format_args!("no entities in {entity:?}")),
        (0, 0, None) => report.say(&"no entities"),
        (0, _, _) => {}
        (1, _, _) => report.unusable(None, &"1 entity is not what the schema wants"),
        (n, _, _) => report.unusable(
            None,
            &format_args!("{n} entities are not what the schema wants"),
        ),
    }
    Ok(())
}

fn read_schema(path: &PathBuf) -> Result<Schema, Failure> {
    let failure = |error| Failure::Input {
        name: path.display().to_string(),
        error,
    };
    let text = fs::read_to_string(path).map_err(failure)?;
    text.parse()
        .map_err(|error| failure(io::Error::new(io::ErrorKind::InvalidData, error)))
}
