//! `json-chunks tools --frames`: the tool calls in the frames of an API.

use std::io::{self, StdoutLock};

use json_chunks::Error;
use json_chunks::tool_call::{ToolCallEvent, ToolCalls};
use json_chunks::wire::{Dialect, Finish, Piece, Reader};

use super::super::{FragmentError, Fragments, Reporter};
use super::write_event;
use crate::diagnostics::{Diagnostics, WithoutHint};
use crate::error::CommandError;
use crate::output::write_now;

/// The hint for a body that is lost before anything was read from it.
const NOTHING_READ: &str =
    "no text and no calls were found; does `--frames` name the API that the input is from?";

pub(super) fn run(
    mut fragments: Fragments,
    dialect: Dialect,
    diagnostics: &mut Diagnostics,
) -> Result<(), CommandError> {
    let mut reader = Reader::new(dialect);
    let mut writer = Writer {
        calls: ToolCalls::new(),
        is_empty: true,
        out: io::stdout().lock(),
        line: Vec::new(),
    };
    let mut has_input = false;
    let ended = loop {
        match fragments.next() {
            Ok(Some(bytes)) => {
                has_input = true;
                for piece in reader.push(bytes) {
                    writer.read(piece, &fragments, diagnostics)?;
                }
            }
            Ok(None) => {
                for piece in reader.finish() {
                    writer.read(piece, &fragments, diagnostics)?;
                }
                // The frames of another API are ignored, and so is text without frames.
                if has_input && writer.is_empty && diagnostics.errors() > 0 {
                    diagnostics.hint(NOTHING_READ);
                }
                break Ok(());
            }
            Err(FragmentError::Read(error)) => break Err(error),
            // Frames have no fragments in JSON strings.
            Err(FragmentError::NotAString(_)) => {}
        }
    };
    // Calls that are still open: the body ended before the reply.
    let events = writer.calls.interrupt();
    writer.write(events, &fragments, diagnostics)?;
    ended
}

/// The calls of a reply, and where their events are written.
struct Writer {
    calls: ToolCalls,
    /// Nothing has been read from the frames.
    is_empty: bool,
    out: StdoutLock<'static>,
    line: Vec<u8>,
}

impl Writer {
    fn read(
        &mut self,
        piece: Result<Piece, Error>,
        fragments: &Fragments,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), CommandError> {
        let location = fragments.location();
        self.is_empty &= piece.is_err();
        let events = match piece {
            Ok(Piece::Call(delta)) => match self.calls.push(delta) {
                Ok(events) => events,
                Err(error) => {
                    diagnostics.error(location, &error);
                    return Ok(());
                }
            },
            Ok(Piece::Finish(finish)) => {
                if let Some(reason) = cut_off_by(finish) {
                    let message = format_args!("the reply was cut off by {reason}");
                    diagnostics.warning(location, &message);
                }
                self.calls.finish()
            }
            Ok(Piece::Failed { code, message }) => {
                diagnostics.error(
                    location,
                    &format_args!("the API reported an error: {code}: {message}"),
                );
                self.calls.interrupt()
            }
            // Text, and pieces of later versions of the library.
            Ok(_) => return Ok(()),
            Err(error) => {
                diagnostics.error(fragments.location_of(&error), &WithoutHint(&error));
                return Ok(());
            }
        };
        self.write(events, fragments, diagnostics)
    }

    fn write(
        &mut self,
        events: Vec<ToolCallEvent>,
        fragments: &Fragments,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), CommandError> {
        for event in events {
            self.line.clear();
            let reporter = Reporter {
                location: fragments.location(),
                diagnostics,
            };
            write_event(&mut self.line, &event, reporter).map_err(CommandError::Write)?;
            self.line.push(b'\n');
            write_now(&mut self.out, &self.line)?;
        }
        Ok(())
    }
}

fn cut_off_by(finish: Finish) -> Option<&'static str> {
    match finish {
        Finish::Length => Some("its token limit"),
        Finish::ContentFilter => Some("a content filter"),
        _ => None,
    }
}
