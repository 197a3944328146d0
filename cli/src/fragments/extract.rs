//! `json-chunks extract`: the JSON in the text of a model.

use std::fmt::Display;
use std::io::{self, StdoutLock, Write as _};

use json_chunks::extract::{Extracted, JsonExtractor};
use json_chunks::{Error, Limits, Parser};

use super::position::TextPosition;
use super::{FragmentError, Framing, report_line};
use crate::diagnostics::{Diagnostics, WithoutHint};
use crate::error::CommandError;
use crate::help;
use crate::input::Location;
use crate::mistake;
use crate::output::write_now;

const EXAMPLES: &str = "\
Examples:
  my-model | json-chunks extract
      Here you are: ```json {\"answer\": 2} ```  =>  {\"answer\": 2}
  my-model | json-chunks extract | json-chunks snapshots
      Any command that reads JSON text can follow.
  my-model | json-chunks extract --prose 2> prose.txt
      The JSON and everything else, apart.
  my-model | json-chunks extract --multiple-values | json-chunks tools
      The calls in all <tool_call> tags of Qwen or Hermes.
";

/// Extract the JSON from the text of a model
///
/// Reads text as it arrives, and writes the JSON in it at once: the first document, with a line end
/// after it. Skips prose, code fences, reasoning such as `<think>`, and the tags of tool calls.
/// Brackets in a sentence, such as `[1]` or `{name}`, are prose.
///
/// JSON that is malformed or cut off is written as well, and reported on standard error with the
/// line of the text and the byte of the document.
#[derive(Debug, clap::Args)]
#[command(after_help = help::after_help(EXAMPLES, "there is no JSON, or it is malformed or cut off"))]
pub(crate) struct Args {
    #[command(flatten)]
    input: super::InputArgs,
    /// Write what is not JSON to standard error: prose and reasoning, without fences and tags
    #[arg(long)]
    prose: bool,
    /// Extract all documents, each with a line end after it
    #[arg(long)]
    multiple_values: bool,
    /// The text starts inside reasoning, because the prompt ended with `<think>`
    #[arg(long)]
    starts_in_reasoning: bool,
}

pub(crate) fn run(args: &Args, diagnostics: &mut Diagnostics) -> Result<(), CommandError> {
    let mut fragments = args.input.open(diagnostics)?;
    let mut extractor = JsonExtractor::new()
        .multiple_values(args.multiple_values)
        .starts_in_reasoning(args.starts_in_reasoning);
    let name = fragments.lines.name().to_owned();
    let mut writer = Writer::new(&name, args.prose);
    let mut ended = Ok(());
    let mut has_failed;
    loop {
        let fragment = match fragments.next() {
            Ok(fragment) => fragment,
            Err(FragmentError::Read(error)) => {
                // The text that has arrived is written as if it ended here.
                ended = Err(error);
                None
            }
            Err(error) => {
                writer.prose.end_line();
                report_line(fragments.location(), &error, diagnostics);
                continue;
            }
        };
        if let Framing::Strings { line } = fragments.framing {
            writer.line = line;
        }
        let extracted = match &fragment {
            Some(fragment) => extractor.push(fragment).map(Iterator::collect::<Vec<_>>),
            None => extractor.finish().map(Iterator::collect),
        };
        let (pieces, failed) = match extracted {
            Ok(pieces) => (pieces, None),
            Err(error) => (extractor.pieces().collect(), Some(error)),
        };
        for piece in &pieces {
            writer.write(piece, diagnostics)?;
        }
        if let Some(error) = &failed {
            writer.report(error.offset(), error, error, diagnostics);
            if let Some(document) = &mut writer.document {
                // It is incomplete because of this error.
                document.parser = None;
            }
        }
        has_failed = failed.is_some();
        if fragment.is_none() || has_failed {
            break;
        }
    }
    writer.end_document(diagnostics)?;
    writer.prose.end_line();
    if extractor.documents() == 0 && !has_failed && ended.is_ok() {
        diagnostics.error(Location::input(&name), &"no JSON in the text");
    }
    if diagnostics.errors() > 0 && fragments.is_utf16() {
        diagnostics.hint(mistake::UTF16);
    }
    ended
}

/// Writes the pieces of a text, and checks its JSON.
struct Writer<'a> {
    out: StdoutLock<'static>,
    prose: Prose,
    document: Option<Document>,
    location: Location<'a>,
    /// The position in raw text, after the last piece.
    position: TextPosition,
    /// The last line, if fragments are lines.
    line: Option<u64>,
    /// The size of all pieces so far, which are the text if they are concatenated.
    size: usize,
}

/// A document that is being written.
struct Document {
    number: usize,
    /// The offset of its first byte in the text.
    start: usize,
    /// Finds mistakes in the document, until the first one was reported.
    parser: Option<Parser>,
}

/// What is not JSON, on standard error.
struct Prose {
    is_enabled: bool,
    /// Whether a line was started and not ended.
    is_in_line: bool,
}

impl<'a> Writer<'a> {
    fn new(input: &'a str, has_prose: bool) -> Self {
        Self {
            out: io::stdout().lock(),
            prose: Prose {
                is_enabled: has_prose,
                is_in_line: false,
            },
            document: None,
            location: Location::input(input),
            position: TextPosition::default(),
            line: None,
            size: 0,
        }
    }

    fn write(
        &mut self,
        piece: &Extracted,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), CommandError> {
        let text = piece.as_str();
        let number = piece.as_json().map(|(number, _)| number);
        // The pieces of a document follow each other: another piece is after its end.
        if self.document.as_ref().map(|document| document.number) != number {
            self.end_document(diagnostics)?;
        }
        self.position.push(text.as_bytes());
        let start = self.size;
        self.size += text.len();
        let Some(number) = number else {
            // Fences and tags are of no use without what they enclose.
            if !matches!(piece, Extracted::Marker(_)) {
                self.prose.write(text);
            }
            return Ok(());
        };
        let document = self
            .document
            .get_or_insert_with(|| Document::new(number, start));
        let mistake = document.push(text);
        write_now(&mut self.out, text.as_bytes())?;
        if let Some(mistake) = mistake {
            self.report_mistake(&mistake, diagnostics);
        }
        Ok(())
    }

    /// Ends the document that is being written, if there is one.
    fn end_document(&mut self, diagnostics: &mut Diagnostics) -> Result<(), CommandError> {
        let Some(mut document) = self.document.take() else {
            return Ok(());
        };
        write_now(&mut self.out, b"\n")?;
        if let Some(mistake) = document.finish() {
            self.report_mistake(&mistake, diagnostics);
        }
        Ok(())
    }

    fn report_mistake(&mut self, mistake: &DocumentError, diagnostics: &mut Diagnostics) {
        let DocumentError {
            number,
            start,
            error,
        } = mistake;
        // The hint of the parser is about text around JSON, and there is none.
        let message = format_args!("document {number}: {}", WithoutHint(error));
        self.report(start + error.offset(), error, &message, diagnostics);
        diagnostics.hint(if error.is_incomplete() {
            "to close the JSON, use `json-chunks repair`; to join it with its rest, `json-chunks merge`"
        } else {
            "to repair the JSON, use `json-chunks repair`"
        });
    }

    /// Reports an error at this offset of the text.
    fn report(
        &mut self,
        offset: usize,
        error: &Error,
        message: &dyn Display,
        diagnostics: &mut Diagnostics,
    ) {
        self.prose.end_line();
        let line = self.line;
        let line = line.unwrap_or_else(|| self.position.line_of(offset, error));
        diagnostics.error(self.location.line(line), message);
    }
}

/// A mistake in a document, with the offset at which the document starts in the text.
struct DocumentError {
    number: usize,
    start: usize,
    error: Error,
}

impl Document {
    fn new(number: usize, start: usize) -> Self {
        // The document is not kept, so its size is not limited.
        let limits = Limits::default()
            .max_token_bytes(u32::MAX)
            .max_document_bytes(u32::MAX);
        Self {
            number,
            start,
            parser: Some(Parser::new().limits(limits)),
        }
    }

    /// Reads the next piece and returns the first mistake of the document.
    fn push(&mut self, text: &str) -> Option<DocumentError> {
        let error = self
            .parser
            .as_mut()?
            .push(text.as_bytes())
            .map(drop)
            .err()?;
        Some(self.fail(error))
    }

    fn finish(&mut self) -> Option<DocumentError> {
        let error = self.parser.as_mut()?.finish().map(drop).err()?;
        Some(self.fail(error))
    }

    fn fail(&mut self, error: Error) -> DocumentError {
        self.parser = None;
        DocumentError {
            number: self.number,
            start: self.start,
            error,
        }
    }
}

impl Prose {
    fn write(&mut self, text: &str) {
        if self.is_enabled && !text.is_empty() {
            // A closed standard error must not end the output.
            let _ = io::stderr().lock().write_all(text.as_bytes());
            self.is_in_line = !text.ends_with('\n');
        }
    }

    /// Ends the line, so that a diagnostic is on a line of its own.
    fn end_line(&mut self) {
        if self.is_in_line {
            self.write("\n");
        }
    }
}
