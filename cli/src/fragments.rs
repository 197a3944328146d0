//! The commands that read fragments: JSON text as a model writes it.
//!
//! # For maintainers
//!
//! A command of this room is a file with its `Args`, which flattens [`InputArgs`], and a `run`.
//! Most of them drive a machine of the library with [`Fragments`] as a stream and pass its items to
//! [`write_lines`]; `extract` and `tools --frames` read with [`Fragments::next`]. What the bytes of
//! the input are is [`Framing`]: raw text, or one JSON string per line.

pub(crate) mod entities;
pub(crate) mod events;
pub(crate) mod extract;
pub(crate) mod snapshots;
pub(crate) mod tools;

mod position;

use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use json_chunks::stream::{Machine, StreamError, TryAdapter};
use json_chunks::{Error, Parser};

use crate::diagnostics::{Diagnostics, WithoutHint};
use crate::error::CommandError;
use crate::help;
use crate::input::{FileArg, Lines, Location};
use crate::mistake::{self, Mistake};
use crate::output::write_now;
use position::TextPosition;

/// The maximum size of a fragment of raw text, in bytes.
const MAX_FRAGMENT: usize = 64 * 1024;

/// The description of errors in the help of these commands.
const ERRORS: &str = "\
Text that is not JSON, or that is cut off, is reported on standard error and ends the output; what \
precedes it has been written. The report names the line of the input, and the byte, counted from 0 \
at the start of all fragments. With --jsonl, a line that is not a JSON string is reported and \
skipped.";

/// Returns the text after the options of these commands.
fn after_help(examples: &str) -> String {
    help::after_help(
        &format!("{examples}\n{ERRORS}\n"),
        "part of the input could not be used, or the text was cut off",
    )
}

/// The input of these commands.
#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    #[command(flatten)]
    file: FileArg,
    /// Read one fragment per line, each a JSON string, as `chunk --format jsonl` writes them
    #[arg(long)]
    jsonl: bool,
}

/// The options of the parser.
#[derive(Debug, clap::Args)]
pub(crate) struct ParserArgs {
    /// Accept multiple values, one after another, as in JSON Lines
    #[arg(long)]
    multiple_values: bool,
}

impl ParserArgs {
    fn parser(&self) -> Parser {
        Parser::new().multiple_values(self.multiple_values)
    }
}

impl InputArgs {
    fn open(&self, diagnostics: &mut Diagnostics) -> Result<Fragments, CommandError> {
        Ok(Fragments {
            lines: self.file.open(diagnostics)?.lines(),
            framing: if self.jsonl {
                Framing::Strings { line: None }
            } else {
                Framing::Text(TextPosition::default())
            },
        })
    }
}

/// The input as a stream of fragments. It blocks until the next one has arrived.
struct Fragments {
    lines: Lines,
    framing: Framing,
}

/// How the input is divided into fragments.
enum Framing {
    /// Raw text, as it arrives.
    Text(TextPosition),
    /// One JSON string per line.
    Strings {
        /// The number of the last line.
        line: Option<u64>,
    },
}

/// Why a fragment could not be read.
#[derive(Debug)]
enum FragmentError {
    /// The line is not a JSON string.
    NotAString(serde_json::Error),
    Read(CommandError),
}

impl fmt::Display for FragmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAString(error) => write!(f, "not a JSON string: {error}"),
            Self::Read(error) => error.fmt(f),
        }
    }
}

impl Fragments {
    fn next(&mut self) -> Result<Option<Vec<u8>>, FragmentError> {
        match &mut self.framing {
            Framing::Text(position) => {
                let bytes = self.lines.next_bytes(MAX_FRAGMENT);
                let Some(bytes) = bytes.map_err(FragmentError::Read)? else {
                    return Ok(None);
                };
                position.push(bytes);
                Ok(Some(bytes.to_vec()))
            }
            Framing::Strings { line } => {
                let Some(next) = self.lines.next().map_err(FragmentError::Read)? else {
                    return Ok(None);
                };
                *line = Some(next.number);
                let text = serde_json::from_slice(next.bytes).map(String::into_bytes);
                text.map(Some).map_err(FragmentError::NotAString)
            }
        }
    }

    /// Returns the input, and its last line if fragments are lines.
    fn location(&self) -> Location<'_> {
        let input = Location::input(self.lines.name());
        match self.framing {
            Framing::Strings { line: Some(line) } => input.line(line),
            Framing::Strings { line: None } | Framing::Text(_) => input,
        }
    }

    /// Returns the line of an error that the last fragment caused.
    fn location_of(&self, error: &Error) -> Location<'_> {
        match &self.framing {
            Framing::Text(position) => {
                let line = position.line_of(error.offset(), error);
                self.location().line(line)
            }
            Framing::Strings { .. } => self.location(),
        }
    }

    /// Returns whether the input looks like UTF-16.
    fn is_utf16(&self) -> bool {
        match &self.framing {
            Framing::Text(position) => mistake::is_utf16(position.start()),
            Framing::Strings { .. } => false,
        }
    }

    /// Returns the option or the command that the input was likely meant for.
    fn hint(&self, error: &Error) -> Option<&'static str> {
        if self.is_utf16() {
            return Some(mistake::UTF16);
        }
        let is_string = match &self.framing {
            Framing::Text(position) => position.first_byte() == Some(b'"'),
            Framing::Strings { .. } => false,
        };
        Some(match Mistake::of(error)? {
            // The output of `chunk --format jsonl`: `"[1"`, then `"]"`.
            Mistake::MoreValues if is_string => {
                "if each line is a JSON string and a piece of one text, use `--jsonl`"
            }
            Mistake::MoreValues => {
                "for several values, use `--multiple-values`; for snapshots, `json-chunks chunk`"
            }
            Mistake::ServerSentEvents => mistake::SERVER_SENT_EVENTS,
            Mistake::Wrapped => mistake::WRAPPED,
            Mistake::RepeatedCalls => mistake::REPEATED_CALLS,
            // Only snapshots are mistaken for fragments.
            Mistake::Fragments => return None,
            Mistake::Other(hint) => hint,
        })
    }
}

impl Stream for Fragments {
    type Item = Result<Vec<u8>, FragmentError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.next().transpose())
    }
}

/// The source of the items of an adapter, and the diagnostics for them.
struct Reporter<'a> {
    location: Location<'a>,
    diagnostics: &'a mut Diagnostics,
}

/// Writes a line for each item, at once, unless `write` leaves the line empty.
fn write_lines<M: Machine<Input = [u8]>>(
    mut items: TryAdapter<Fragments, M>,
    diagnostics: &mut Diagnostics,
    mut write: impl FnMut(&mut Vec<u8>, M::Item, Reporter<'_>) -> io::Result<()>,
) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    let mut line = Vec::new();
    // The input blocks and is never pending; an adapter is pending only to be polled again at once.
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        let Poll::Ready(next) = Pin::new(&mut items).poll_next(&mut cx) else {
            continue;
        };
        // This mistake is not an error: each snapshot of a call is a complete call.
        if let Some(hint) = items.report().hint()
            && Mistake::from_hint(hint) == Mistake::RepeatedCalls
        {
            diagnostics.hint(mistake::REPEATED_CALLS);
        }
        let fragments = items.get_ref();
        match next {
            None => return Ok(()),
            Some(Ok(item)) => {
                line.clear();
                let reporter = Reporter {
                    location: fragments.location(),
                    diagnostics,
                };
                write(&mut line, item, reporter).map_err(CommandError::Write)?;
                if !line.is_empty() {
                    line.push(b'\n');
                    write_now(&mut out, &line)?;
                }
            }
            Some(Err(StreamError::Upstream(FragmentError::Read(error)))) => return Err(error),
            Some(Err(StreamError::Upstream(error))) => {
                report_line(fragments.location(), &error, diagnostics);
            }
            Some(Err(StreamError::Json(error))) => {
                diagnostics.error(fragments.location_of(&error), &WithoutHint(&error));
                if let Some(hint) = fragments.hint(&error) {
                    diagnostics.hint(hint);
                }
            }
            Some(Err(error)) => diagnostics.error(fragments.location(), &error),
        }
    }
}

/// Reports a line that is not a fragment.
fn report_line(location: Location<'_>, error: &FragmentError, diagnostics: &mut Diagnostics) {
    diagnostics.error(location, error);
    diagnostics.hint("raw text is read without `--jsonl`");
}
