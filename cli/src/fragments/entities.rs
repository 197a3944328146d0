//! `json-chunks entities`: fragments to events of the Partial Stream Spec.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use json_chunks::entity::{EntityDetector, EntityErrorCode, EntityMode};
use json_chunks::sse::SseEvent;
use json_chunks::stream::TryFragmentStreamExt as _;
use json_chunks::value::RawJson;

use super::write_lines;
use crate::diagnostics::Diagnostics;
use crate::error::CommandError;
use crate::input::Location;
use crate::output::write_now;

const EXAMPLES: &str = "\
Examples:
  my-model | json-chunks entities --entity colors
      {\"index\":0,\"status\":\"PARTIAL\",\"data\":{\"hex\":\"#94\"},\"entity\":\"colors\",\"delta\":[…]}
      {\"index\":0,\"status\":\"COMPLETED\",\"data\":{\"hex\":\"#9400D3\"},\"entity\":\"colors\",\"delta\":[…]}
  my-model | json-chunks entities --mode one-by-one --entity /palette/colors --schema color.json
      Each color when it is complete, with the status ERROR if it does not conform to the schema.
  json-chunks entities --mode batch reply.json
      All elements as one array.
  my-model | json-chunks entities --sse
      The elements of the array that the text is, as server-sent events.
";

/// Report the entities in fragments of JSON text, by the Partial Stream Spec
///
/// Reads JSON text as it arrives. Entities are the elements of an array: of the document, or of the
/// array that --entity names. Any other value is one entity. Writes a line of JSON for each event.
/// Its `data` is always complete JSON, and each entity has one final event: COMPLETED or ERROR.
#[derive(Debug, clap::Args)]
#[command(after_help = super::after_help(EXAMPLES))]
pub(crate) struct Args {
    #[command(flatten)]
    input: super::InputArgs,
    /// When to report entities
    #[arg(long, value_enum, ignore_case = true, default_value_t = ModeArg::Realtime)]
    mode: ModeArg,
    /// The member with the entities: its name, or a JSON Pointer (`/palette/colors`)
    #[arg(long, value_name = "NAME")]
    entity: Option<String>,
    /// The file of the JSON Schema for each entity
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    schema: Option<PathBuf>,
    /// Write server-sent events
    #[arg(long)]
    sse: bool,
    /// Write values that have started but are not shown yet as "", 0, false, null, [] or {}
    #[arg(long)]
    zero_values: bool,
    #[command(flatten)]
    parser: super::ParserArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModeArg {
    /// All in one array, at the end of the text
    Batch,
    /// One by one, at the end of the text
    AllTogether,
    /// Each when it is complete
    OneByOne,
    /// Each when one of its members is complete
    Progressive,
    /// Each when it grows
    Realtime,
}

impl From<ModeArg> for EntityMode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Batch => Self::Batch,
            ModeArg::AllTogether => Self::AllTogether,
            ModeArg::OneByOne => Self::OneByOne,
            ModeArg::Progressive => Self::Progressive,
            ModeArg::Realtime => Self::Realtime,
        }
    }
}

pub(crate) fn run(args: &Args, diagnostics: &mut Diagnostics) -> Result<(), CommandError> {
    let mut entities = EntityDetector::new(args.mode.into())
        .zero_values(args.zero_values)
        .multiple_values(args.parser.multiple_values);
    if let Some(entity) = &args.entity {
        entities = if entity.starts_with('/') || entity.is_empty() {
            entities.pointer(entity)
        } else {
            entities.named(entity)
        };
    }
    if let Some(path) = &args.schema {
        entities = with_schema(entities, path)?;
    }
    let fragments = args.input.open(diagnostics)?;
    let name = fragments.lines.name().to_owned();
    let (mut reported, mut nonconforming) = (0_u64, 0_u64);
    let events = fragments.try_json_entities::<RawJson>(entities);
    write_lines(events, diagnostics, |line, event, _| {
        reported += 1;
        let code = event.error.as_ref().map(|error| error.code);
        nonconforming += u64::from(code == Some(EntityErrorCode::InvalidSchema));
        if !args.sse {
            return line.write_all(event.to_json().as_bytes());
        }
        let event = SseEvent::from(event).with_id(reported.to_string());
        // The line end that `write_lines` adds is the blank line after the event.
        let event = event.to_string();
        line.write_all(event.strip_suffix('\n').unwrap_or(&event).as_bytes())
    })?;
    if args.sse {
        let end = SseEvent::close().to_string();
        write_now(&mut io::stdout().lock(), end.as_bytes())?;
    }
    let input = Location::input(&name);
    match (nonconforming, reported, &args.entity) {
        (0, 0, Some(entity)) => {
            diagnostics.warning(input, &format_args!("no entities in {entity:?}"));
        }
        (0, 0, None) => diagnostics.warning(input, &"no entities"),
        (0, _, _) => {}
        (1, _, _) => diagnostics.error(input, &"1 entity does not conform to the schema"),
        (n, _, _) => diagnostics.error(
            input,
            &format_args!("{n} entities do not conform to the schema"),
        ),
    }
    Ok(())
}

#[cfg(feature = "schema")]
fn with_schema(
    entities: EntityDetector,
    path: &std::path::Path,
) -> Result<EntityDetector, CommandError> {
    let read_error = |error| CommandError::Read {
        name: path.display().to_string(),
        error,
    };
    let text = std::fs::read_to_string(path).map_err(read_error)?;
    let schema: json_chunks::schema::Schema = text
        .parse()
        .map_err(|error| read_error(io::Error::new(io::ErrorKind::InvalidData, error)))?;
    Ok(entities.schema(schema))
}

#[cfg(not(feature = "schema"))]
fn with_schema(_: EntityDetector, _: &std::path::Path) -> Result<EntityDetector, CommandError> {
    Err(CommandError::Usage(
        "--schema: this json-chunks was built without JSON Schema; \
         `cargo install json-chunks-cli --features schema` has it"
            .to_owned(),
    ))
}
