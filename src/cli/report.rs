//! What the user is told on stderr, and what becomes of the exit code.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::process::ExitCode;

use json_chunks::Revision;

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Whole,
    /// Some of the input could not be used.
    Skipped,
    Failed,
    /// Ended by a signal of this number.
    Signalled(u8),
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Whole => Self::SUCCESS,
            Status::Skipped => Self::from(1),
            Status::Failed => Self::from(2),
            // What a shell reports for a program that a signal ended.
            Status::Signalled(number) => Self::from(128_u8.saturating_add(number)),
        }
    }
}

/// The reports on single lines.
#[derive(Debug, Default)]
pub(super) struct Report {
    status: Option<Status>,
    /// Messages that wait while the screen belongs to somebody else.
    held: Option<Vec<String>>,
    unusable_lines: u64,
    revisions: u64,
}

impl Report {
    pub(super) fn unusable(&mut self, line: impl Into<Option<u64>>, error: &dyn Display) {
        self.unusable_lines += 1;
        self.status.get_or_insert(Status::Skipped);
        match line.into() {
            Some(line) => self.say(&format_args!("line {line}: {error}")),
            None => self.say(error),
        }
    }

    /// Takes note that some of the input could not be used, which is told elsewhere.
    pub(super) fn unused(&mut self) {
        self.status.get_or_insert(Status::Skipped);
    }

    pub(super) fn revision(&mut self, line: u64, revision: &Revision) {
        self.revisions += 1;
        let mended = if revision.is_mended() {
            "; restated"
        } else {
            ""
        };
        self.say(&format_args!("line {line}: warning: {revision}{mended}"));
    }

    pub(super) fn signalled(&mut self, number: u8) {
        self.status = Some(Status::Signalled(number));
    }

    pub(super) fn status(&self) -> Status {
        self.status.unwrap_or(Status::Whole)
    }

    /// How many lines could not be used.
    pub(super) fn unusable_lines(&self) -> u64 {
        self.unusable_lines
    }

    pub(super) fn revisions(&self) -> u64 {
        self.revisions
    }

    /// Keeps messages back until [`release`](Self::release).
    pub(super) fn hold(&mut self) {
        self.held.get_or_insert_default();
    }

    pub(super) fn release(&mut self) {
        for message in self.held.take().unwrap_or_default() {
            self.say(&message);
        }
    }

    pub(super) fn say(&mut self, message: &dyn Display) {
        if let Some(held) = &mut self.held {
            held.push(message.to_string());
            return;
        }
        // Nobody is left to tell when stderr itself is gone, and that must not end the output.
        let _ = writeln!(io::stderr().lock(), "{message}");
    }
}
