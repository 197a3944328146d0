//! The input: files, standard input, lines, and positions in them for diagnostics.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

use clap::ValueHint;

use crate::diagnostics::Diagnostics;
use crate::error::CommandError;

const BUFFER: usize = 64 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// The name of standard input in diagnostics, as compilers write it.
const STDIN: &str = "<stdin>";

/// The argument of every command that reads one input.
#[derive(Debug, clap::Args)]
pub(crate) struct FileArg {
    /// The file to read; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    file: PathBuf,
}

/// The arguments of a command that reads several inputs.
#[derive(Debug, clap::Args)]
pub(crate) struct FilesArg {
    /// The files to read, in this order; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
}

impl FilesArg {
    pub(crate) fn iter(&self) -> impl Iterator<Item = FileArg> + '_ {
        self.files.iter().map(|file| FileArg { file: file.clone() })
    }
}

/// A position in an input: `snapshots.jsonl:3`, or `reply.json` if there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Location<'a> {
    input: &'a str,
    /// From 1.
    line: Option<u64>,
}

impl<'a> Location<'a> {
    /// Returns the position of the entire input with this name.
    pub(crate) const fn input(input: &'a str) -> Self {
        Self { input, line: None }
    }

    pub(crate) const fn line(self, line: u64) -> Self {
        Self {
            input: self.input,
            line: Some(line),
        }
    }

    /// Returns the position of the byte at `offset` of `text`, which is the entire input.
    pub(crate) fn byte(self, offset: usize, text: &[u8]) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        self.line(before.split(|byte| *byte == b'\n').count() as u64)
    }
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.input)?;
        match self.line {
            Some(line) => write!(f, ":{line}"),
            None => Ok(()),
        }
    }
}

/// An open input.
pub(crate) struct Input {
    name: String,
    source: Source,
}

enum Source {
    Stdin,
    File(File),
}

/// The lines of an input that are not blank.
pub(crate) struct Lines {
    name: String,
    reader: Box<dyn BufRead + Send>,
    line: Vec<u8>,
    number: u64,
}

/// One line without its line end. The bytes are not checked to be UTF-8.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) location: Location<'a>,
    /// From 1, blank lines included.
    pub(crate) number: u64,
    pub(crate) bytes: &'a [u8],
}

impl FileArg {
    pub(crate) fn open(&self, diagnostics: &mut Diagnostics) -> Result<Input, CommandError> {
        if self.file.as_os_str() == "-" {
            if io::stdin().is_terminal() {
                diagnostics.note(&"reading from the terminal; Ctrl-D ends the input");
            }
            return Ok(Input {
                name: STDIN.to_owned(),
                source: redirected_file().map_or(Source::Stdin, Source::File),
            });
        }
        let name = self.file.display().to_string();
        // Unix opens a directory, and only reading it fails, after output has begun.
        let opened = File::open(&self.file).and_then(|file| {
            if file.metadata()?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok(file)
        });
        match opened {
            Ok(file) => Ok(Input {
                name,
                source: Source::File(file),
            }),
            Err(error) => Err(CommandError::Read { name, error }),
        }
    }
}

impl Input {
    /// Returns the path as it was given, or `<stdin>`.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Reads the input to its end.
    pub(crate) fn into_bytes(self) -> Result<Vec<u8>, CommandError> {
        let mut bytes = Vec::new();
        let read = match self.source {
            Source::Stdin => io::stdin().lock().read_to_end(&mut bytes),
            Source::File(mut file) => file.read_to_end(&mut bytes),
        };
        match read {
            Ok(_) => Ok(bytes),
            Err(error) => Err(CommandError::Read {
                name: self.name,
                error,
            }),
        }
    }

    /// Returns whether it is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        match &self.source {
            Source::Stdin => io::stdin().is_terminal(),
            Source::File(file) => file.is_terminal(),
        }
    }

    /// Returns whether it is a file on disk, complete before it is read, rather than a pipe or a
    /// device.
    pub(crate) fn is_stored(&self) -> bool {
        match &self.source {
            Source::Stdin => false,
            Source::File(file) => file.metadata().is_ok_and(|metadata| metadata.is_file()),
        }
    }

    /// Returns the size of a stored input.
    pub(crate) fn byte_count(&self) -> Option<u64> {
        match &self.source {
            Source::File(file) if self.is_stored() => file.metadata().ok().map(|data| data.len()),
            Source::File(_) | Source::Stdin => None,
        }
    }

    /// Returns the number of lines of a stored input, which is read once for it.
    pub(crate) fn line_count(&mut self) -> Option<u64> {
        if !self.is_stored() {
            return None;
        }
        let Source::File(file) = &mut self.source else {
            return None;
        };
        let start = file.stream_position().ok()?;
        let mut reader = BufReader::with_capacity(BUFFER, &*file);
        let mut lines = 0;
        while reader.skip_until(b'\n').ok()? > 0 {
            lines += 1;
        }
        file.seek(SeekFrom::Start(start)).ok()?;
        Some(lines)
    }

    pub(crate) fn lines(self) -> Lines {
        Lines {
            reader: match self.source {
                Source::Stdin => Box::new(BufReader::with_capacity(BUFFER, io::stdin())),
                Source::File(file) => Box::new(BufReader::with_capacity(BUFFER, file)),
            },
            name: self.name,
            line: Vec::new(),
            number: 0,
        }
    }
}

/// Returns standard input as a file if it is one (`< FILE`), so that `FILE` and `< FILE` do the
/// same.
#[cfg(unix)]
fn redirected_file() -> Option<File> {
    use std::os::fd::AsFd as _;

    let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    file.metadata().ok()?.is_file().then_some(file)
}

#[cfg(not(unix))]
fn redirected_file() -> Option<File> {
    None
}

impl Lines {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the next line that is not blank, as soon as its line end has arrived.
    pub(crate) fn next(&mut self) -> Result<Option<Line<'_>>, CommandError> {
        loop {
            self.line.clear();
            match self.reader.read_until(b'\n', &mut self.line) {
                Ok(0) => return Ok(None),
                Ok(_) => self.number += 1,
                Err(error) => return Err(self.read_error(error)),
            }
            // The white space of JSON only: a line of U+00A0 is an error, not blank.
            if !self.line.iter().all(|byte| b" \t\r\n".contains(byte)) {
                break;
            }
        }
        let mut bytes = self.line.as_slice();
        bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        if self.number == 1 {
            bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        }
        Ok(Some(Line {
            location: Location::input(&self.name).line(self.number),
            number: self.number,
            bytes,
        }))
    }

    /// Returns the bytes that have arrived, without regard to lines: at most `max`, at least one,
    /// none at the end.
    pub(crate) fn next_bytes(&mut self, max: usize) -> Result<Option<&[u8]>, CommandError> {
        self.line.resize(max, 0);
        loop {
            match self.reader.read(&mut self.line) {
                Ok(0) => return Ok(None),
                Ok(length) => {
                    self.line.truncate(length);
                    return Ok(Some(&self.line));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.read_error(error)),
            }
        }
    }

    fn read_error(&self, error: io::Error) -> CommandError {
        CommandError::Read {
            name: self.name.clone(),
            error,
        }
    }
}
