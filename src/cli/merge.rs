//! `json-chunks merge`: replies that were cut off to one document.

use std::fmt;

use json_chunks::{Accumulator, Candidate, Join, JoinKind};
use serde_json::Value;

use super::input::FilesArg;
use super::report::Report;
use super::{Failure, write_document};

const EXAMPLES: &str = "\
Examples:
  json-chunks merge first.txt next.txt last.txt > document.json
      first.txt: {\"days\":[{\"title\":\"Arr      next.txt: {\"title\":\"Arrival\"},{\"ti
      last.txt:  tle\":\"Safari\"}]}           => {\"days\":[{\"title\":\"Arrival\"},{\"title\":\"Safari\"}]}
  my-model 'Go on.' | json-chunks merge first.txt -
      A reply that is still to come goes last.
  json-chunks merge --report first.txt next.txt 2> report.json
      {\"files\":[{\"file\":\"first.txt\",\"kind\":\"first\",\"certainty\":\"certain\",…},…],\"complete\":true}

A reply that can be joined in several ways, or in none, is left out and reported on standard error; \
the others are joined all the same. So is it if the document is incomplete after the last reply: \
what there is of it has been written.

Exit code: 0 if all replies were used and the document is complete, 1 if not, 2 if the input or \
output failed. A reader that closes the pipe early is no failure.";

/// Join replies that were cut off into one JSON document
///
/// Reads one reply a file: JSON text that may end anywhere, with fences and prose around it. Each
/// goes on where the one before ended, or starts before that: with the element that was cut off,
/// with the whole document, or anywhere. A line end at the end of a file is no part of the reply.
/// Writes the document, in the spelling in which its text came first.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    files: FilesArg,
    /// Write how each reply was joined to standard error, as JSON
    #[arg(long)]
    report: bool,
}

pub(super) fn run(args: &Args, report: &mut Report) -> Result<(), Failure> {
    let mut accumulator = Accumulator::new();
    let mut files = Vec::new();
    for file in args.files.iter() {
        let input = file.open(report)?;
        let name = input.name().to_owned();
        let bytes = input.into_bytes()?;
        let join = accumulator.push_bytes(without_line_end(&bytes));
        match &join {
            join if join.is_taken() => {}
            _ if args.report => report.unused(),
            join => report.unusable(None, &format_args!("{name}: {}", Trouble(join))),
        }
        files.push((name, join));
    }
    let complete = is_complete(&accumulator);
    let text = accumulator.text();
    write_document(text, complete)?;
    if args.report {
        report.say(&Files {
            files: &files,
            complete,
        });
    }
    if !complete && args.report {
        report.unused();
    } else if !complete {
        let bytes = text.len();
        report.unusable(
            None,
            &format_args!("the document is incomplete after {bytes} bytes"),
        );
    }
    Ok(())
}

/// Editors and shells end a file with a line end, also inside of a number or a string.
fn without_line_end(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

/// Whether the document ends where the last reply does.
fn is_complete(accumulator: &Accumulator) -> bool {
    accumulator.is_complete() || accumulator.parser().clone().finish().is_ok()
}

/// Why a reply was not joined.
struct Trouble<'a>(&'a Join);

impl fmt::Display for Trouble<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(failure) = self.0.failure() {
            return write!(f, "not joined: {failure}");
        }
        f.write_str("not joined: it may be ")?;
        for (index, candidate) in self.0.candidates().iter().enumerate() {
            if index > 0 {
                f.write_str(" or ")?;
            }
            candidate_text(candidate, f)?;
        }
        Ok(())
    }
}

fn candidate_text(candidate: &Candidate, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let overlap = candidate.overlap();
    match candidate.kind() {
        JoinKind::First => f.write_str("the document"),
        JoinKind::Continued => f.write_str("all new"),
        JoinKind::Repeated | JoinKind::RestartedShorter => f.write_str("nothing new"),
        _ => write!(f, "new after its first {overlap} bytes"),
    }
}

/// What `--report` writes.
struct Files<'a> {
    files: &'a [(String, Join)],
    complete: bool,
}

impl fmt::Display for Files<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{\"files\":[")?;
        for (index, (name, join)) in self.files.iter().enumerate() {
            let join = serde_json::to_string(join).map_err(|_| fmt::Error)?;
            let members = join.strip_prefix('{').unwrap_or_default();
            let comma = if index > 0 { "," } else { "" };
            write!(
                f,
                "{comma}{{\"file\":{},{members}",
                Value::from(name.as_str())
            )?;
        }
        write!(f, "],\"complete\":{}}}", self.complete)
    }
}
