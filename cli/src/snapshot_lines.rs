//! Lines of snapshots through a chunker, with a diagnostic for each that cannot be used.

use std::str;

use clap::ValueEnum;
use json_chunks::{AbsentValues, Chunker, Error, MemberOrder, RevisionPolicy};

use crate::diagnostics::{Diagnostics, WithoutHint};
use crate::input::Line;
use crate::mistake::{self, Mistake};

/// The options of every command that reads snapshots.
#[derive(Debug, clap::Args)]
pub(crate) struct ChunkerArgs {
    /// What to do with a snapshot that contradicts the emitted text
    #[arg(long, value_enum, default_value_t = RevisionArg::Keep, value_name = "POLICY")]
    revision_policy: RevisionArg,
    /// Hold numbers as strings are held, for producers that write them digit by digit
    #[arg(long)]
    growing_numbers: bool,
    /// Which values mean that the model has not written the member yet
    #[arg(long, value_enum, default_value_t = AbsentArg::Null, value_name = "VALUES")]
    absent_values: AbsentArg,
    /// The snapshots have their members in the order in which the model writes them: hold nothing,
    /// and keep that order
    #[arg(long)]
    in_order: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum AbsentArg {
    /// None: every value is emitted as soon as it is complete
    Nothing,
    /// null, as serde writes an `Option`
    Null,
    /// null, "", 0, false, [] and {}, as serde writes fields with a default
    Defaults,
}

impl From<AbsentArg> for AbsentValues {
    fn from(absent: AbsentArg) -> Self {
        match absent {
            AbsentArg::Nothing => Self::Nothing,
            AbsentArg::Null => Self::Null,
            AbsentArg::Defaults => Self::Defaults,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RevisionArg {
    /// Keep the emitted text, emit the rest, and warn
    Keep,
    /// Skip the snapshot, as an error
    Reject,
    /// Emit the member again under the same name, and warn
    Restate,
}

impl From<RevisionArg> for RevisionPolicy {
    fn from(revision: RevisionArg) -> Self {
        match revision {
            RevisionArg::Keep => Self::Keep,
            RevisionArg::Reject => Self::Reject,
            RevisionArg::Restate => Self::Restate,
        }
    }
}

/// Appends the text that snapshots add to the document.
#[derive(Debug)]
pub(crate) struct SnapshotLines {
    chunker: Chunker,
    hints: Hints,
    /// The hint of the first error, until another error or the end confirms it: a damaged snapshot
    /// at the start of a valid stream has one as well.
    suspected: Option<&'static str>,
    /// Whether the first snapshot is a string.
    is_string: Option<bool>,
    has_emitted: bool,
}

/// What to run instead if the lines turn out not to be snapshots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hints {
    /// The lines are the text of one document: `{"a":`, then `1}`.
    pub(crate) text: &'static str,
    /// The lines are JSON strings, the pieces of one document: `"{\"a\":"`, then `"1}"`.
    pub(crate) strings: &'static str,
}

impl SnapshotLines {
    pub(crate) fn new(args: &ChunkerArgs, hints: Hints) -> Self {
        let member_order = if args.in_order {
            MemberOrder::Written
        } else {
            MemberOrder::Unknown
        };
        Self {
            chunker: Chunker::new()
                .revision_policy(args.revision_policy.into())
                .growing_numbers(args.growing_numbers)
                .absent_values(args.absent_values.into())
                .member_order(member_order),
            hints,
            suspected: None,
            is_string: None,
            has_emitted: false,
        }
    }

    /// Appends the text that the line adds; nothing if it cannot be used.
    pub(crate) fn push(&mut self, line: Line<'_>, out: &mut String, diagnostics: &mut Diagnostics) {
        let snapshot = match str::from_utf8(line.bytes) {
            Ok(snapshot) => snapshot,
            Err(error) => {
                let at = error.valid_up_to();
                diagnostics.error(line.location, &format_args!("invalid UTF-8 at byte {at}"));
                hint_at_utf16(line, diagnostics);
                return;
            }
        };
        let before = out.len();
        match self.chunker.push_into(snapshot, out) {
            Ok(()) => {
                let is_string = *self
                    .is_string
                    .get_or_insert_with(|| snapshot.trim_start().starts_with('"'));
                for revision in self.chunker.take_revisions() {
                    let restated = if revision.is_restated() {
                        "; restated"
                    } else {
                        ""
                    };
                    diagnostics.warning(line.location, &format_args!("{revision}{restated}"));
                    // `"{\"a\":"` and `"1}"` are snapshots of a string, and the second one
                    // contradicts the first one: they are meant to be joined.
                    if is_string && revision.pointer().is_empty() {
                        diagnostics.hint(self.hints.strings);
                    }
                }
            }
            Err(error) => {
                diagnostics.error(line.location, &WithoutHint(&error));
                hint_at_utf16(line, diagnostics);
                self.suspect(&error, diagnostics);
            }
        }
        self.has_emitted |= out.len() > before;
    }

    fn suspect(&mut self, error: &Error, diagnostics: &mut Diagnostics) {
        if let Some(hint) = self.suspected {
            diagnostics.hint(hint);
        } else {
            self.suspected = Mistake::of(error).and_then(|mistake| match mistake {
                Mistake::Fragments => Some(self.hints.text),
                Mistake::ServerSentEvents => Some(mistake::SERVER_SENT_EVENTS),
                Mistake::Wrapped => Some(mistake::WRAPPED),
                Mistake::RepeatedCalls => Some(mistake::REPEATED_CALLS),
                // Two snapshots on one line are a mistake of the producer.
                Mistake::MoreValues => None,
                Mistake::Other(hint) => Some(hint),
            });
        }
    }

    /// Appends the text that closes the document.
    pub(crate) fn finish(&mut self, out: &mut String, diagnostics: &mut Diagnostics) {
        self.chunker.finish_into(out);
        if let Some(hint) = self.suspected
            && !self.has_emitted
        {
            diagnostics.hint(hint);
        }
    }
}

fn hint_at_utf16(line: Line<'_>, diagnostics: &mut Diagnostics) {
    if line.number == 1 && mistake::is_utf16(line.bytes) {
        diagnostics.hint(mistake::UTF16);
    }
}
