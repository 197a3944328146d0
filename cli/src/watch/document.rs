//! The document on the screen, and the progress in the input.

use std::fmt::Write as _;

use super::feed::{Feed, Piece};
use super::frame::Content;
use crate::diagnostics::Diagnostics;
use crate::indent::Indenter;
use crate::terminal::printable;

/// The unit of progress in an input, and its total if that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputSize {
    pub(super) unit: &'static str,
    pub(super) total: Option<u64>,
}

#[derive(Debug)]
pub(super) struct Document {
    feed: Feed,
    indenter: Indenter,
    size: InputSize,
    /// The size of the received input, in its unit.
    reached: u64,
    /// Indented, without control characters.
    text: String,
    /// The offset in `text` from which on it is new since the last step that was shown.
    new_from: usize,
    /// Whether `text` has been shown as it is.
    shown: bool,
    lines: usize,
    /// The bytes of JSON text in the document, and those of the latest step.
    bytes: usize,
    step_bytes: usize,
}

impl Document {
    pub(super) fn new(feed: Feed, size: InputSize) -> Self {
        Self {
            feed,
            indenter: Indenter::default(),
            size,
            reached: 0,
            text: String::new(),
            new_from: 0,
            shown: false,
            lines: 1,
            bytes: 0,
            step_bytes: 0,
        }
    }

    pub(super) fn push(&mut self, piece: &Piece, diagnostics: &mut Diagnostics) {
        if self.shown {
            self.shown = false;
            self.new_from = self.text.len();
            self.step_bytes = 0;
        }
        self.reached = piece.reached;
        let mut chunk = String::new();
        self.feed.push(piece, &mut chunk, diagnostics);
        self.grow(&chunk);
    }

    pub(super) fn finish(&mut self, diagnostics: &mut Diagnostics) {
        let mut chunk = String::new();
        self.feed.finish(&mut chunk, diagnostics);
        self.grow(&chunk);
    }

    fn grow(&mut self, chunk: &str) {
        self.bytes += chunk.len();
        self.step_bytes += chunk.len();
        let mut indented = String::new();
        self.indenter.push(chunk, &mut indented);
        self.lines += indented.matches('\n').count();
        self.text.extend(indented.chars().map(printable));
    }

    /// Returns the entire document.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn content<'a>(&'a self, status: &'a str) -> Content<'a> {
        Content {
            text: &self.text,
            new_from: self.new_from,
            lines: self.lines,
            status,
        }
    }

    /// Records that the document has been drawn: the next piece starts a new step.
    pub(super) fn mark_shown(&mut self) {
        self.shown = true;
    }

    /// Returns the text of the status line.
    pub(super) fn status(&self, diagnostics: &Diagnostics) -> String {
        let InputSize { unit, total } = self.size;
        if self.reached == 0 {
            return " waiting for input".to_owned();
        }
        let reached = self.reached;
        let mut status = format!(" {unit} {reached}");
        // Writing to a string cannot fail.
        let _ = match total {
            Some(total) => {
                let percent = reached.min(total) * 100 / total.max(1);
                write!(status, " of {total} · {percent}%")
            }
            None => Ok(()),
        };
        let _ = write!(status, " · {} bytes · +{}", self.bytes, self.step_bytes);
        for (count, what) in [
            (diagnostics.errors(), "skipped"),
            (diagnostics.warnings(), "revised"),
        ] {
            if count > 0 {
                let _ = write!(status, " · {count} {what}");
            }
        }
        status
    }
}
