//! `json-chunks merge`: truncated replies to one document.

use std::fmt;
use std::str;

use json_chunks::join::{Accumulator, Candidate, JoinKind, JoinOutcome};
use serde_json::Value;

use crate::diagnostics::Diagnostics;
use crate::error::CommandError;
use crate::help;
use crate::input::{FilesArg, Location};
use crate::mistake;
use crate::output::{write_document, write_document_line};

const EXAMPLES: &str = "\
Examples:
  json-chunks merge first.txt next.txt last.txt > document.json
      first.txt: {\"days\":[{\"title\":\"Arr
      next.txt:  {\"title\":\"Arrival\"},{\"ti
      last.txt:  tle\":\"Safari\"}]}
      =>         {\"days\":[{\"title\":\"Arrival\"},{\"title\":\"Safari\"}]}
  my-model 'Continue.' | json-chunks merge first.txt -
      The last reply, from standard input.
  json-chunks merge --report first.txt next.txt 2> report.json
      {\"files\":[{\"file\":\"first.txt\",\"outcome\":\"joined\",\"kind\":\"first\",…},…],\"complete\":true}
";

/// Join truncated replies into one JSON document
///
/// Reads one reply per file: JSON text that may end anywhere, with fences, reasoning and prose
/// around it. Each reply continues where the previous one ended, or starts before that: with the
/// element that was cut off, with the entire document, or anywhere. A missing comma between two
/// elements is added, a new wrapper around only the rest is left out, and a line end at the end of
/// a file is ignored. Writes the document with each part as it was received first.
///
/// A reply that can be joined in several ways is kept until a later one decides; it is not part of
/// the document before that. A reply that cannot be joined is reported on standard error, and the
/// others are joined without it. If the document is incomplete after the last reply, that is
/// reported, and it is written as far as it goes.
#[derive(Debug, clap::Args)]
#[command(after_help = help::after_help(
    EXAMPLES,
    "a reply was not joined, or the document is incomplete",
))]
pub(crate) struct Args {
    #[command(flatten)]
    files: FilesArg,
    /// Write how each reply was joined to standard error, as one JSON object
    #[arg(long)]
    report: bool,
}

pub(crate) fn run(args: &Args, diagnostics: &mut Diagnostics) -> Result<(), CommandError> {
    let mut accumulator = Accumulator::new();
    let mut files = Vec::new();
    let mut is_utf16 = false;
    for file in args.files.iter() {
        let input = file.open(diagnostics)?;
        let name = input.name().to_owned();
        let bytes = input.into_bytes()?;
        let outcome = accumulator.push_bytes(without_line_end(&bytes));
        if args.report {
            if outcome.is_joined() && invalid_utf8(&bytes).is_some() {
                diagnostics.mark_partial();
            }
        } else {
            is_utf16 |= mistake::is_utf16(&bytes);
            report_bytes(&name, &bytes, &outcome, diagnostics);
        }
        files.push((name, outcome));
    }
    let complete = accumulator.is_complete_at_end();
    let text = accumulator.text();
    if complete {
        write_document_line(text)?;
    } else {
        write_document(text)?;
    }
    let not_joined = not_joined(&files);
    if args.report {
        diagnostics.data(&Report {
            files: &files,
            complete,
        });
        if !complete || !not_joined.is_empty() {
            diagnostics.mark_partial();
        }
        return Ok(());
    }
    for (name, outcome) in not_joined {
        diagnostics.error(Location::input(name), &NotJoined(outcome));
    }
    if !complete {
        let bytes = text.len();
        diagnostics.error(
            None,
            &format_args!("the document is incomplete after {bytes} bytes"),
        );
    }
    if is_utf16 {
        diagnostics.hint(mistake::UTF16);
    }
    Ok(())
}

/// Returns the replies that are not part of the document. An ambiguous one is, if a later one was
/// joined.
fn not_joined(files: &[(String, JoinOutcome)]) -> Vec<(&str, &JoinOutcome)> {
    let last_joined = files.iter().rposition(|(_, outcome)| outcome.is_joined());
    files
        .iter()
        .enumerate()
        .filter_map(|(index, (name, outcome))| {
            let is_used = match outcome {
                JoinOutcome::Joined(_) => true,
                JoinOutcome::Ambiguous(_) => last_joined.is_some_and(|last| index < last),
                _ => false,
            };
            (!is_used).then_some((name.as_str(), outcome))
        })
        .collect()
}

/// Reports bytes of a reply that are not UTF-8: U+FFFD is in their place.
fn report_bytes(name: &str, bytes: &[u8], outcome: &JoinOutcome, diagnostics: &mut Diagnostics) {
    if outcome.is_joined()
        && let Some(at) = invalid_utf8(bytes)
    {
        diagnostics.error(
            Location::input(name).byte(at, bytes),
            &format_args!("invalid UTF-8 at byte {at}, replaced by U+FFFD"),
        );
    }
}

/// Returns the offset of the first bytes that are not UTF-8. A reply may start and end inside of a
/// character, whose other half is in another file.
fn invalid_utf8(bytes: &[u8]) -> Option<usize> {
    let is_continued = |byte: &&u8| (0x80..0xc0).contains(*byte);
    let half = bytes.iter().take(3).take_while(is_continued).count();
    let error = str::from_utf8(bytes.get(half..)?).err()?;
    error.error_len().map(|_| half + error.valid_up_to())
}

/// Editors and shells end a file with a line end, even inside a number or a string.
fn without_line_end(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

/// The reason why a reply was not joined.
struct NotJoined<'a>(&'a JoinOutcome);

impl fmt::Display for NotJoined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(failure) = self.0.failure() {
            return write!(f, "not joined: {failure}");
        }
        f.write_str("not joined: ambiguous: ")?;
        for (index, candidate) in self.0.candidates().iter().enumerate() {
            if index > 0 {
                f.write_str(" or ")?;
            }
            write_candidate(candidate, f)?;
        }
        Ok(())
    }
}

fn write_candidate(candidate: &Candidate, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let overlap = candidate.overlap();
    match candidate.kind() {
        JoinKind::First => write!(f, "a document of {} bytes", candidate.growth().len()),
        JoinKind::Continued => f.write_str("all new"),
        JoinKind::Repeated | JoinKind::RestartedShorter => f.write_str("nothing new"),
        JoinKind::RestOnly => f.write_str("the rest in a new wrapper"),
        _ => write!(f, "new after its first {overlap} bytes"),
    }
}

/// The JSON of `--report`.
struct Report<'a> {
    files: &'a [(String, JoinOutcome)],
    complete: bool,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{\"files\":[")?;
        for (index, (name, outcome)) in self.files.iter().enumerate() {
            let outcome = serde_json::to_string(outcome).map_err(|_| fmt::Error)?;
            // The members of the outcome follow the name of the file, in one object.
            let members = outcome.strip_prefix('{').unwrap_or_default();
            let comma = if index > 0 { "," } else { "" };
            let name = Value::from(name.as_str());
            write!(f, "{comma}{{\"file\":{name},{members}")?;
        }
        write!(f, "],\"complete\":{}}}", self.complete)
    }
}
