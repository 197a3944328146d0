//! Diagnostics on standard error, and the exit code that follows from them.
//!
//! # For maintainers
//!
//! | severity | meaning | exit code |
//! | --- | --- | --- |
//! | [`error`](Diagnostics::error) | part of the input was not used | 1 |
//! | [`fatal`](Diagnostics::fatal) | the command cannot continue | 2 |
//! | [`warning`](Diagnostics::warning) | all was used, but differs from the output | unchanged |
//! | [`hint`](Diagnostics::hint) | the likely fix, once per run | unchanged |
//! | [`note`](Diagnostics::note) | what a person at the terminal should know | unchanged |
//!
//! The format is the one of compilers and `grep`: `FILE:LINE: error: TEXT`, where the file and the
//! line are left out if there are none. Editors and terminals open such lines. The byte is part of
//! the text, as in the errors of the library.

use std::fmt::{self, Display};
use std::io::{self, Write as _};
use std::mem::replace;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use json_chunks::Error;

use crate::error::CommandError;
use crate::input::Location;
use crate::terminal::printable;

/// How a command ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Status {
    /// All input was used.
    #[default]
    Complete,
    /// Part of the input could not be used.
    Partial,
    /// The command could not continue.
    Failed,
    /// A signal of this number ended it.
    Signalled(u8),
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Complete => Self::SUCCESS,
            Status::Partial => Self::from(1),
            Status::Failed => Self::from(2),
            // What a shell reports for a program that a signal ended.
            Status::Signalled(number) => Self::from(128_u8.saturating_add(number)),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Severity {
    Error,
    Warning,
    Hint,
    Note,
}

impl Severity {
    const fn label(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Hint => "hint",
            Self::Note => "note",
        }
    }

    /// Returns its color, the same as in rustc and clap.
    const fn style(self) -> Style {
        let color = match self {
            Self::Error => AnsiColor::Red,
            Self::Warning => AnsiColor::Yellow,
            Self::Hint => AnsiColor::Cyan,
            Self::Note => AnsiColor::Green,
        };
        color.on_default().bold()
    }
}

/// Writes diagnostics, and counts what they report.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    status: Status,
    /// Messages that wait while `watch` uses the screen.
    held: Option<Vec<String>>,
    errors: u64,
    warnings: u64,
    has_hint: bool,
}

/// An error without its hint, which names methods of the library: the command names its own
/// subcommands and options instead, once, with [`Diagnostics::hint`].
pub(crate) struct WithoutHint<'a>(pub(crate) &'a Error);

impl Display for WithoutHint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let hint = self.0.hint().map(|hint| format!(" ({hint})"));
        let plain = hint.and_then(|hint| text.strip_suffix(&hint));
        f.write_str(plain.unwrap_or(&text))
    }
}

impl Diagnostics {
    /// Reports a part of the input that could not be used.
    pub(crate) fn error<'a>(
        &mut self,
        location: impl Into<Option<Location<'a>>>,
        message: &dyn Display,
    ) {
        self.errors += 1;
        self.mark_partial();
        self.write(location.into(), Severity::Error, message);
    }

    /// Records that part of the input could not be used, which is reported elsewhere.
    pub(crate) fn mark_partial(&mut self) {
        if self.status == Status::Complete {
            self.status = Status::Partial;
        }
    }

    /// Reports input that was used, but contradicts what was written, or had nothing in it.
    pub(crate) fn warning(&mut self, location: Location<'_>, message: &dyn Display) {
        self.warnings += 1;
        self.write(Some(location), Severity::Warning, message);
    }

    /// Reports an error that ends the command.
    pub(crate) fn fatal(&mut self, error: &CommandError) {
        self.status = Status::Failed;
        self.write(None, Severity::Error, error);
    }

    /// Names the likely fix for a reported mistake. Only the first hint of a run is written.
    pub(crate) fn hint(&mut self, hint: &str) {
        if !replace(&mut self.has_hint, true) {
            self.write(None, Severity::Hint, &hint);
        }
    }

    /// Writes a message that reports no problem.
    pub(crate) fn note(&mut self, message: &dyn Display) {
        self.write(None, Severity::Note, message);
    }

    /// Writes a line for programs, such as the JSON of `--report`, unchanged and at once.
    pub(crate) fn data(&self, line: &dyn Display) {
        debug_assert!(self.held.is_none(), "`watch` has no data for programs");
        // Not through `anstream`, which strips more than colors: U+007F in a string, for example.
        let _ = writeln!(io::stderr().lock(), "{line}");
    }

    /// Records the signal that ended the command.
    pub(crate) fn signalled(&mut self, number: u8) {
        self.status = Status::Signalled(number);
    }

    pub(crate) fn status(&self) -> Status {
        self.status
    }

    pub(crate) fn errors(&self) -> u64 {
        self.errors
    }

    pub(crate) fn warnings(&self) -> u64 {
        self.warnings
    }

    /// Keeps messages back until [`release`](Self::release).
    pub(crate) fn hold(&mut self) {
        self.held.get_or_insert_default();
    }

    /// Writes the messages kept back.
    pub(crate) fn release(&mut self) {
        for line in self.held.take().unwrap_or_default() {
            self.write_line(line);
        }
    }

    fn write(&mut self, location: Option<Location<'_>>, severity: Severity, message: &dyn Display) {
        let location = location.map(|location| format!("{location}: "));
        let location = location.unwrap_or_default();
        // Names of files and members may contain control characters.
        let safe = |text: &str| -> String { text.chars().map(printable).collect() };
        self.write_line(format!(
            "{location}{style}{label}:{style:#} {message}\n",
            location = safe(&location),
            style = severity.style(),
            label = severity.label(),
            message = safe(&message.to_string()),
        ));
    }

    fn write_line(&mut self, line: String) {
        if let Some(held) = &mut self.held {
            held.push(line);
            return;
        }
        // A closed standard error must not end the output.
        let _ = anstream::stderr().lock().write_all(line.as_bytes());
    }
}
