//! Errors that end a command.

use std::fmt;
use std::io;

/// Why a command cannot continue. Errors in a part of the input are reported through
/// [`Diagnostics`](crate::diagnostics::Diagnostics) instead.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// An input or a file that an option names cannot be read.
    Read { name: String, error: io::Error },
    /// Standard output cannot be written.
    Write(io::Error),
    /// A file cannot be written.
    WriteFile { name: String, error: io::Error },
    /// The arguments are not what this build accepts.
    Usage(String),
}

impl CommandError {
    /// Returns whether the reader of standard output has closed it, as `head` does after its last
    /// line.
    pub(crate) fn is_closed_output(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { name, error } => write!(f, "cannot read {name}: {error}"),
            Self::Write(error) => write!(f, "cannot write to standard output: {error}"),
            Self::WriteFile { name, error } => write!(f, "cannot write {name}: {error}"),
            Self::Usage(message) => f.write_str(message),
        }
    }
}
