//! `json-chunks watch`: the document growing before one's eyes.

mod document;
mod events;
mod feed;
mod frame;
mod rows;
mod screen;

use std::env;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use super::Failure;
use super::indent::Indenter;
use super::input::FileArg;
use super::report::Report;
use super::snapshots::ChunkerArgs;
use document::{Document, Extent};
use events::Event;
use feed::{Feed, Kind, Pieces};
use frame::Mark;
use screen::Screen;

const EXAMPLES: &str = "\
Examples:
  json-chunks watch snapshots.jsonl
      Play a recording back, 80 ms a line.
  my-model | json-chunks watch
      Watch a model write, at its own pace.
  json-chunks chunk --format jsonl snapshots.jsonl | json-chunks watch --input fragments --delay 50
      The chunks instead of the snapshots: the same document.
  json-chunks watch --input text reply.json
      JSON text as a model streams it, a few tokens at a time.

Ctrl-C ends it; what came so far stays. With NO_COLOR set the fresh text is underlined instead of \
coloured. A line that cannot be used is skipped, and reported on standard error at the end.

Exit code: 0 if every line was used, 1 if one was not, 2 if the input or output failed, 130 after \
Ctrl-C.";

/// The pause after each step of a stored input, where a person looks on.
const PLAYBACK: Duration = Duration::from_millis(80);
/// Bytes of stored text that are played back at once: some tokens.
const PLAYBACK_BYTES: usize = 16;
const MOST_BYTES: usize = 64 * 1024;
/// Redrawing more often than this is lost on the eye.
const FRAME: Duration = Duration::from_millis(16);

/// Watch a JSON document grow in the terminal
///
/// The document is laid out with indentation, and the text of the latest step is highlighted. At
/// the end it stays on the screen as a whole. Where standard output is no terminal, the same
/// document is written as plain text while it grows.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    input: FileArg,
    /// What is read
    #[arg(long = "input", value_enum, default_value_t = Kind::Snapshots, value_name = "KIND")]
    kind: Kind,
    /// Pause after each step, in milliseconds [default: 80 for a file shown on a terminal, else 0]
    #[arg(long, value_name = "MS")]
    delay: Option<u64>,
    #[command(flatten)]
    chunker: ChunkerArgs,
}

pub(super) fn run(args: &Args, report: &mut Report) -> Result<(), Failure> {
    let mut input = args.input.open(report)?;
    // What somebody types would be echoed into the frames.
    let on_screen = io::stdout().is_terminal()
        && !input.is_terminal()
        && env::var_os("TERM").is_none_or(|term| term != "dumb");
    let played_back = on_screen && input.is_stored();
    let delay = match args.delay {
        Some(milliseconds) => Duration::from_millis(milliseconds),
        None if played_back => PLAYBACK,
        None => Duration::ZERO,
    };
    let most = if input.is_stored() && !delay.is_zero() {
        PLAYBACK_BYTES
    } else {
        MOST_BYTES
    };
    let feed = Feed::new(args.kind, &args.chunker);
    if !on_screen {
        let pieces = Pieces::new(input.lines(), args.kind, most);
        return print(feed, pieces, delay, report);
    }
    let extent = match args.kind {
        Kind::Snapshots | Kind::Fragments => Extent {
            unit: "line",
            total: input.line_count(),
        },
        Kind::Text => Extent {
            unit: "byte",
            total: input.byte_count(),
        },
    };
    let pieces = Pieces::new(input.lines(), args.kind, most);
    watch(Document::new(feed, extent), pieces, delay, report)
}

/// Without a terminal: the laid-out text, as it grows.
fn print(
    mut feed: Feed,
    mut pieces: Pieces,
    delay: Duration,
    report: &mut Report,
) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let mut indenter = Indenter::default();
    let (mut fresh, mut laid_out) = (String::new(), String::new());
    let ended = loop {
        let piece = match pieces.next() {
            Ok(Some(piece)) => piece,
            Ok(None) => break Ok(()),
            Err(failure) => break Err(failure),
        };
        feed.push(&piece, &mut fresh, report);
        indenter.push(&fresh, &mut laid_out);
        out.write_all(laid_out.as_bytes())
            .and_then(|()| out.flush())
            .map_err(Failure::Output)?;
        fresh.clear();
        laid_out.clear();
        thread::sleep(delay);
    };
    feed.finish(&mut fresh);
    indenter.push(&fresh, &mut laid_out);
    laid_out.push('\n');
    out.write_all(laid_out.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Failure::Output)?;
    ended
}

/// On a terminal.
fn watch(
    mut document: Document,
    pieces: Pieces,
    delay: Duration,
    report: &mut Report,
) -> Result<(), Failure> {
    let mark = match env::var_os("NO_COLOR") {
        Some(value) if !value.is_empty() => Mark::Underline,
        Some(_) | None => Mark::Colour,
    };
    let events = events::start(pieces, delay).map_err(Failure::Output)?;
    let mut screen = Screen::enter().map_err(Failure::Output)?;
    report.hold();
    let mut frame = String::new();
    let mut drawn = Instant::now();
    // Whether there is something that the screen does not show yet.
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
                document.push(&piece, report);
                stale = true;
            }
            Some(Event::Resized) => stale = true,
            Some(Event::Ended(ended)) => break ended,
            Some(Event::Stopped(signal)) => {
                report.signalled(signal);
                break Ok(());
            }
            None => {}
        }
        if stale && drawn.elapsed() >= FRAME {
            frame.clear();
            let status = document.status(report);
            frame::draw(document.scene(&status), screen::size(), mark, &mut frame);
            screen.show(&frame).map_err(Failure::Output)?;
            document.mark_shown();
            drawn = Instant::now();
            stale = false;
        }
    };
    drop(screen);
    // After a signal, too: the shell may have stopped the other end of the pipe at the same moment,
    // and which of the two is noticed first should make no difference to what is left behind.
    document.finish();
    let mut out = io::stdout().lock();
    writeln!(out, "{}", document.text())
        .and_then(|()| out.flush())
        .map_err(Failure::Output)?;
    ended
}
