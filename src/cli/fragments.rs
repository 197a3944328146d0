//! The commands that read fragments: JSON text as a model writes it, to its end and no further.

pub(super) mod entities;
pub(super) mod events;
pub(super) mod snapshots;
pub(super) mod tools;

use std::io::{self, BufWriter, StdoutLock, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use futures_core::{Stream, TryStream};
use json_chunks::{Parser, StreamError};

use super::Failure;
use super::input::{FileArg, Lines};
use super::report::Report;

/// The most bytes of raw text that are read as one fragment.
const MOST_BYTES: usize = 64 * 1024;

const ABOUT_ERRORS: &str = "\
Text that is not JSON ends the output; what came before it has been written. It is reported on \
standard error with its byte, counted from the start of all fragments, and so is text that is cut \
off. With --jsonl, a line that is no JSON string is reported and skipped.

Exit code: 0 if all of the input was used, 1 if it was not, 2 if the input or output failed. A \
reader that closes the pipe early is no failure.";

/// Where the fragments come from.
#[derive(Debug, clap::Args)]
pub(super) struct InputArgs {
    #[command(flatten)]
    file: FileArg,
    /// Read one fragment a line, each a JSON string, as `chunk --format jsonl` writes them
    #[arg(long)]
    jsonl: bool,
}

/// What the text is.
#[derive(Debug, clap::Args)]
pub(super) struct ParserArgs {
    /// Take several values, one after the other
    #[arg(long)]
    several: bool,
}

impl ParserArgs {
    fn parser(&self) -> Parser {
        Parser::new().several_values(self.several)
    }
}

impl InputArgs {
    fn open(&self, report: &mut Report) -> Result<Fragments, Failure> {
        Ok(Fragments {
            lines: self.file.open(report)?.lines(),
            framing: if self.jsonl {
                Framing::Lines
            } else {
                Framing::None
            },
            line: None,
        })
    }
}

/// The input as a stream that blocks until the next fragment is there.
struct Fragments {
    lines: Lines,
    framing: Framing,
    /// The number of the line that was read last.
    line: Option<u64>,
}

#[derive(Clone, Copy)]
enum Framing {
    None,
    Lines,
}

/// Why there is no next fragment.
#[derive(Debug)]
enum Trouble {
    /// The line is no JSON string.
    Line(serde_json::Error),
    Input(Failure),
}

impl Stream for Fragments {
    type Item = Result<Vec<u8>, Trouble>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let fragment = match self.framing {
            Framing::None => {
                let bytes = self.lines.next_bytes(MOST_BYTES);
                bytes.map(|bytes| bytes.map(|bytes| Ok(bytes.to_vec())))
            }
            Framing::Lines => match self.lines.next() {
                Ok(Some(line)) => {
                    let text = serde_json::from_slice(line.bytes).map(String::into_bytes);
                    let number = line.number;
                    self.line = Some(number);
                    Ok(Some(text.map_err(Trouble::Line)))
                }
                Ok(None) => Ok(None),
                Err(failure) => Err(failure),
            },
        };
        Poll::Ready(match fragment {
            Ok(fragment) => fragment,
            Err(failure) => Some(Err(Trouble::Input(failure))),
        })
    }
}

/// An adapter over [`Fragments`].
trait Adapter: TryStream<Error = StreamError<Trouble>> + Unpin {
    fn fragments(&self) -> &Fragments;
}

macro_rules! adapters {
    ($($adapter:ident),+) => {$(
        impl Adapter for json_chunks::$adapter<Fragments> {
            fn fragments(&self) -> &Fragments {
                self.get_ref()
            }
        }
    )+};
}

adapters!(
    TrySnapshotStream,
    TryEventStream,
    TryToolCallStream,
    TryEntityStream
);

/// Writes each item as soon as it is there, a line each.
fn write_lines<A: Adapter>(
    mut items: A,
    report: &mut Report,
    write: impl Fn(&mut BufWriter<StdoutLock<'_>>, A::Ok) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    // The input blocks instead of being pending.
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        let Poll::Ready(next) = Pin::new(&mut items).try_poll_next(&mut cx) else {
            continue;
        };
        let line = items.fragments().line;
        match next {
            None => return Ok(()),
            Some(Ok(item)) => write(&mut out, item)
                .and_then(|()| out.write_all(b"\n"))
                .and_then(|()| out.flush())
                .map_err(Failure::Output)?,
            Some(Err(StreamError::Upstream(Trouble::Input(failure)))) => return Err(failure),
            Some(Err(StreamError::Upstream(Trouble::Line(error)))) => {
                report.unusable(line, &format_args!("not a JSON string: {error}"));
            }
            Some(Err(error)) => report.unusable(line, &error),
        }
    }
}
