//! `json-chunks watch`: the document as it grows, on the terminal.
//!
//! # For maintainers
//!
//! [`Pieces`] reads the input, [`Feed`] converts it to JSON text, [`Document`] indents the text and
//! counts, [`frame`] draws its last rows, and [`Screen`] owns the terminal. Input and signals are
//! read by separate threads, which send to one channel ([`events`]); the main thread draws at most
//! one frame per [`FRAME`]. Without a terminal, the same text is written as it grows, and none of
//! the rest is used.

mod document;
mod events;
mod feed;
mod frame;
mod rows;
mod screen;

use std::env;
use std::io::{self, IsTerminal as _};
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};

use crate::diagnostics::Diagnostics;
use crate::error::CommandError;
use crate::help;
use crate::indent::Indenter;
use crate::input::FileArg;
use crate::output::{write_document_line, write_now};
use crate::snapshot_lines::ChunkerArgs;
use document::{Document, InputSize};
use events::Event;
use feed::{Feed, Kind, Pieces};
use frame::Highlight;
use screen::Screen;

const SIGNAL: &str = "\n  130  ended by Ctrl-C";

const EXAMPLES: &str = "\
Examples:
  json-chunks watch snapshots.jsonl
      Play a recording, one snapshot every 80 ms.
  my-model | json-chunks watch
      Watch a model write.
  json-chunks chunk --format jsonl snapshots.jsonl | json-chunks watch --input fragments --delay 50
      The chunks instead of the snapshots: the same document.
  json-chunks watch --input text reply.json
      JSON text as a model streams it, a few tokens at a time.
";

/// The pause after each step of a stored input on a terminal.
const PLAYBACK: Duration = Duration::from_millis(80);
/// The size of a step of stored text, in bytes: a few tokens.
const PLAYBACK_BYTES: usize = 16;
const MAX_BYTES: usize = 64 * 1024;
/// The time between two frames: 60 per second are enough.
const FRAME: Duration = Duration::from_millis(16);

/// Watch a JSON document grow in the terminal
///
/// The document is indented, and the text of the latest step is highlighted: in color, or
/// underlined with --color never or `NO_COLOR`. At the end, the entire document stays in the
/// terminal; Ctrl-C ends the command with what has arrived. If standard output is not a terminal,
/// the same document is written as plain text while it grows.
///
/// A line that cannot be used is skipped, and reported on standard error at the end.
#[derive(Debug, clap::Args)]
#[command(after_help = help::after_help(EXAMPLES, "a line could not be used") + SIGNAL)]
pub(crate) struct Args {
    #[command(flatten)]
    input: FileArg,
    /// What to read
    #[arg(long = "input", value_enum, default_value_t = Kind::Snapshots, value_name = "KIND")]
    kind: Kind,
    /// Pause after each step, in milliseconds [default: 80 for a file on a terminal, otherwise 0]
    #[arg(long, value_name = "MS")]
    delay: Option<u64>,
    #[command(flatten)]
    chunker: ChunkerArgs,
}

pub(crate) fn run(args: &Args, diagnostics: &mut Diagnostics) -> Result<(), CommandError> {
    let mut input = args.input.open(diagnostics)?;
    // The terminal would echo what is typed into the frames.
    let on_screen = io::stdout().is_terminal()
        && !input.is_terminal()
        && env::var_os("TERM").is_none_or(|term| term != "dumb");
    let played_back = on_screen && input.is_stored();
    let delay = match args.delay {
        Some(milliseconds) => Duration::from_millis(milliseconds),
        None if played_back => PLAYBACK,
        None => Duration::ZERO,
    };
    let max_bytes = if input.is_stored() && !delay.is_zero() {
        PLAYBACK_BYTES
    } else {
        MAX_BYTES
    };
    let feed = Feed::new(input.name(), args.kind, &args.chunker);
    if !on_screen {
        let pieces = Pieces::new(input.lines(), args.kind, max_bytes);
        return print(feed, pieces, delay, diagnostics);
    }
    let size = match args.kind {
        Kind::Snapshots | Kind::Fragments => InputSize {
            unit: "line",
            total: input.line_count(),
        },
        Kind::Text => InputSize {
            unit: "byte",
            total: input.byte_count(),
        },
    };
    let pieces = Pieces::new(input.lines(), args.kind, max_bytes);
    watch(Document::new(feed, size), pieces, delay, diagnostics)
}

/// Writes the indented text as it grows, without a terminal.
fn print(
    mut feed: Feed,
    mut pieces: Pieces,
    delay: Duration,
    diagnostics: &mut Diagnostics,
) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    let mut indenter = Indenter::default();
    let (mut text, mut shown) = (String::new(), String::new());
    let mut ends_line = false;
    let ended = loop {
        let piece = match pieces.next() {
            Ok(Some(piece)) => piece,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        feed.push(&piece, &mut text, diagnostics);
        indenter.push(&text, &mut shown);
        write_now(&mut out, shown.as_bytes())?;
        if !shown.is_empty() {
            ends_line = shown.ends_with('\n');
        }
        text.clear();
        shown.clear();
        thread::sleep(delay);
    };
    feed.finish(&mut text, diagnostics);
    indenter.push(&text, &mut shown);
    // The text of a file has its own line end.
    if shown.is_empty() && ends_line {
        return ended;
    }
    if !shown.ends_with('\n') {
        shown.push('\n');
    }
    write_now(&mut out, shown.as_bytes())?;
    ended
}

/// Draws the document on a terminal until the input or a signal ends it.
fn watch(
    mut document: Document,
    pieces: Pieces,
    delay: Duration,
    diagnostics: &mut Diagnostics,
) -> Result<(), CommandError> {
    let highlight = match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => Highlight::Underline,
        ColorChoice::Auto | ColorChoice::AlwaysAnsi | ColorChoice::Always => Highlight::Color,
    };
    let events = events::start(pieces, delay).map_err(CommandError::Write)?;
    let mut screen = Screen::enter().map_err(CommandError::Write)?;
    diagnostics.hold();
    let mut frame = String::new();
    let mut drawn = Instant::now();
    // Whether the screen does not show the latest state.
    let mut stale = true;
    let ended = loop {
        let event = if stale {
            match events.recv_timeout(FRAME.saturating_sub(drawn.elapsed())) {
                Ok(event) => Some(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            }
        } else {
            match events.recv() {
                Ok(event) => Some(event),
                Err(_) => break Ok(()),
            }
        };
        match event {
            Some(Event::Piece(piece)) => {
                document.push(&piece, diagnostics);
                stale = true;
            }
            Some(Event::Resized) => stale = true,
            Some(Event::Ended(ended)) => break ended,
            Some(Event::Stopped(signal)) => {
                diagnostics.signalled(signal);
                break Ok(());
            }
            None => {}
        }
        if stale && drawn.elapsed() >= FRAME {
            frame.clear();
            let status = document.status(diagnostics);
            frame::draw(
                document.content(&status),
                screen::size(),
                highlight,
                &mut frame,
            );
            screen.show(&frame).map_err(CommandError::Write)?;
            document.mark_shown();
            drawn = Instant::now();
            stale = false;
        }
    };
    drop(screen);
    // After a signal as well: Ctrl-C ends both ends of a pipe at the same time, and the result is
    // the same whether the signal or the end of the input is received first.
    document.finish(diagnostics);
    write_document_line(document.text())?;
    ended
}
