//! The document on the screen and how far it is.

use std::fmt::Write as _;

use super::feed::{Feed, Piece};
use super::frame::Scene;
use crate::cli::indent::Indenter;
use crate::cli::report::Report;

/// What the steps of an input are counted in, and how many there are if that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) unit: &'static str,
    pub(super) total: Option<u64>,
}

#[derive(Debug)]
pub(super) struct Document {
    feed: Feed,
    indenter: Indenter,
    extent: Extent,
    /// How much of the input came.
    reached: u64,
    /// Laid out, safe to show.
    text: String,
    /// Where in `text` begins what came since it was shown last.
    fresh: usize,
    shown: bool,
    lines: usize,
    bytes_out: usize,
    step_bytes: usize,
}

impl Document {
    pub(super) fn new(feed: Feed, extent: Extent) -> Self {
        Self {
            feed,
            indenter: Indenter::default(),
            extent,
            reached: 0,
            text: String::new(),
            fresh: 0,
            shown: false,
            lines: 1,
            bytes_out: 0,
            step_bytes: 0,
        }
    }

    pub(super) fn push(&mut self, piece: &Piece, report: &mut Report) {
        if self.shown {
            self.shown = false;
            self.fresh = self.text.len();
            self.step_bytes = 0;
        }
        self.reached = piece.reached;
        let mut chunk = String::new();
        self.feed.push(piece, &mut chunk, report);
        self.grow(&chunk);
    }

    pub(super) fn finish(&mut self) {
        let mut chunk = String::new();
        self.feed.finish(&mut chunk);
        self.grow(&chunk);
    }

    fn grow(&mut self, chunk: &str) {
        self.bytes_out += chunk.len();
        self.step_bytes += chunk.len();
        let mut laid_out = String::new();
        self.indenter.push(chunk, &mut laid_out);
        self.lines += laid_out.matches('\n').count();
        self.text.extend(laid_out.chars().map(harmless));
    }

    /// All of it, to stay on the screen.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn scene<'a>(&'a self, status: &'a str) -> Scene<'a> {
        Scene {
            text: &self.text,
            fresh: self.fresh,
            lines: self.lines,
            status,
        }
    }

    /// What has been drawn is not fresh any more once something follows.
    pub(super) fn mark_shown(&mut self) {
        self.shown = true;
    }

    pub(super) fn status(&self, report: &Report) -> String {
        let Extent { unit, total } = self.extent;
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
        let _ = write!(
            status,
            " · {} bytes out · +{}",
            self.bytes_out, self.step_bytes
        );
        for (count, what) in [
            (report.unusable_lines(), "skipped"),
            (report.revisions(), "revised"),
        ] {
            if count > 0 {
                let _ = write!(status, " · {count} {what}");
            }
        }
        status
    }
}

/// Control characters would reach the terminal as commands: JSON lets U+007F to U+009F stand in
/// strings, and text that is not JSON may hold any.
fn harmless(char: char) -> char {
    match char {
        '\n' => '\n',
        '\t' => ' ',
        _ if char.is_control() => char::REPLACEMENT_CHARACTER,
        _ => char,
    }
}
