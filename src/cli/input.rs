//! Where the input comes from, line by line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

use super::Failure;
use super::report::Report;

const BUFFER: usize = 64 * 1024;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// The argument that every reading command has.
#[derive(Debug, clap::Args)]
pub(super) struct FileArg {
    /// The file to read; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

/// The arguments of a command that reads several.
#[derive(Debug, clap::Args)]
pub(super) struct FilesArg {
    /// The files to read, in this order; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
}

impl FilesArg {
    pub(super) fn iter(&self) -> impl Iterator<Item = FileArg> + '_ {
        self.files.iter().map(|file| FileArg { file: file.clone() })
    }
}

/// An open input.
pub(super) struct Input {
    name: String,
    kind: Kind,
}

enum Kind {
    Stdin,
    File(File),
}

/// The lines of an input that are not blank.
pub(super) struct Lines {
    name: String,
    reader: Box<dyn BufRead + Send>,
    line: Vec<u8>,
    number: u64,
}

/// One line without its line end, as bytes: whether it is UTF-8 is for its user to say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// From 1, blank lines counted too.
    pub(super) number: u64,
    pub(super) bytes: &'a [u8],
}

impl FileArg {
    pub(super) fn open(&self, report: &mut Report) -> Result<Input, Failure> {
        if self.file.as_os_str() == "-" {
            if io::stdin().is_terminal() {
                report.say(&"reading from the terminal; Ctrl-D ends the input");
            }
            return Ok(Input {
                name: "standard input".to_owned(),
                kind: redirected_file().map_or(Kind::Stdin, Kind::File),
            });
        }
        let name = self.file.display().to_string();
        // Opening a directory works on Unix; only reading it fails, after output has begun.
        let opened = File::open(&self.file).and_then(|file| {
            if file.metadata()?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok(file)
        });
        match opened {
            Ok(file) => Ok(Input {
                name,
                kind: Kind::File(file),
            }),
            Err(error) => Err(Failure::Input { name, error }),
        }
    }
}

impl Input {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// All of it.
    pub(super) fn into_bytes(self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = match self.kind {
            Kind::Stdin => io::stdin().lock().read_to_end(&mut bytes),
            Kind::File(mut file) => file.read_to_end(&mut bytes),
        };
        match read {
            Ok(_) => Ok(bytes),
            Err(error) => Err(Failure::Input {
                name: self.name,
                error,
            }),
        }
    }

    /// Whether a person types it.
    pub(super) fn is_terminal(&self) -> bool {
        match &self.kind {
            Kind::Stdin => io::stdin().is_terminal(),
            Kind::File(file) => file.is_terminal(),
        }
    }

    /// Whether all of it is there already: a file on disk, not a pipe or a device.
    pub(super) fn is_stored(&self) -> bool {
        match &self.kind {
            Kind::Stdin => false,
            Kind::File(file) => file.metadata().is_ok_and(|metadata| metadata.is_file()),
        }
    }

    /// The bytes of a stored input.
    pub(super) fn byte_count(&self) -> Option<u64> {
        match &self.kind {
            Kind::File(file) if self.is_stored() => file.metadata().ok().map(|data| data.len()),
            Kind::File(_) | Kind::Stdin => None,
        }
    }

    /// The lines of a stored input; reads it through once.
    pub(super) fn line_count(&mut self) -> Option<u64> {
        if !self.is_stored() {
            return None;
        }
        let Kind::File(file) = &mut self.kind else {
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

    pub(super) fn lines(self) -> Lines {
        Lines {
            reader: match self.kind {
                Kind::Stdin => Box::new(BufReader::with_capacity(BUFFER, io::stdin())),
                Kind::File(file) => Box::new(BufReader::with_capacity(BUFFER, file)),
            },
            name: self.name,
            line: Vec::new(),
            number: 0,
        }
    }
}

/// Standard input as a file, if it is one (`< FILE`), so that both ways to name it do the same.
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
    /// The next line, as soon as its end is there.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, Failure> {
        loop {
            self.line.clear();
            match self.reader.read_until(b'\n', &mut self.line) {
                Ok(0) => return Ok(None),
                Ok(_) => self.number += 1,
                Err(error) => {
                    let name = self.name.clone();
                    return Err(Failure::Input { name, error });
                }
            }
            // JSON's own white space only, so that nothing else is taken for a blank line.
            if !self.line.iter().all(|byte| b" \t\r\n".contains(byte)) {
                break;
            }
        }
        let mut bytes = self.line.as_slice();
        bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        if self.number == 1 {
            bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
        }
        Ok(Some(Line {
            number: self.number,
            bytes,
        }))
    }

    /// Whatever bytes are there by now, up to `most`, without regard to lines; none at the end.
    pub(super) fn next_bytes(&mut self, most: usize) -> Result<Option<&[u8]>, Failure> {
        self.line.resize(most, 0);
        loop {
            match self.reader.read(&mut self.line) {
                Ok(0) => return Ok(None),
                Ok(length) => {
                    self.line.truncate(length);
                    return Ok(Some(&self.line));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let name = self.name.clone();
                    return Err(Failure::Input { name, error });
                }
            }
        }
    }
}
