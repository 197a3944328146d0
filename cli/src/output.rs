//! Writing to standard output.

use std::io::{self, Write};

use crate::error::CommandError;

/// Writes bytes at once: readers of a pipe receive them before the next input is read.
pub(crate) fn write_now(out: &mut impl Write, bytes: &[u8]) -> Result<(), CommandError> {
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(CommandError::Write)
}

/// Writes a document to standard output.
pub(crate) fn write_document(text: &str) -> Result<(), CommandError> {
    write_now(&mut io::stdout().lock(), text.as_bytes())
}

/// Writes a document to standard output, and a line end if the document does not end with one.
pub(crate) fn write_document_line(text: &str) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    write_now(&mut out, text.as_bytes())?;
    if text.ends_with('\n') {
        return Ok(());
    }
    write_now(&mut out, b"\n")
}
