//! One frame: the last rows of the document, below a header if there are rows above them, and the
//! status line.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar as _;

use super::rows::{Row, between, last_rows, tail};

const RESET: &str = "\x1b[0m";
const DIM: &str = "\x1b[2m";
const REVERSE: &str = "\x1b[7m";

/// The content of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content<'a> {
    /// The document, without control characters other than line feeds.
    pub(super) text: &'a str,
    /// The offset in `text` from which on it is highlighted.
    pub(super) new_from: usize,
    /// The number of lines of `text`.
    pub(super) lines: usize,
    pub(super) status: &'a str,
}

/// How new text is highlighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Highlight {
    Color,
    /// Without color.
    Underline,
}

impl Highlight {
    const fn sequence(self) -> &'static str {
        match self {
            Self::Color => "\x1b[1;32m",
            Self::Underline => "\x1b[1;4m",
        }
    }
}

/// Appends the frame: every row from the top, each positioned and cleared.
pub(super) fn draw(
    content: Content<'_>,
    (columns, rows): (u16, u16),
    highlight: Highlight,
    out: &mut String,
) {
    let (columns, rows) = (usize::from(columns.max(1)), usize::from(rows.max(1)));
    let body = rows - 1;
    let mut visible = last_rows(content.text, columns, body + 1);
    let mut row = 1;
    if visible.len() > body {
        // The header needs a row of its own.
        visible.drain(..visible.len() - body.saturating_sub(1));
        if body > 0 {
            let shown = visible
                .first()
                .map_or("", |first| tail(content.text, first.start));
            let above = content.lines - shown.matches('\n').count() - 1;
            begin_row(row, out);
            out.push_str(DIM);
            let lines = if above == 1 { "line" } else { "lines" };
            push_fitting(&format!("  {above} {lines} above"), columns, out);
            out.push_str(RESET);
            row += 1;
        }
    }
    for visible in &visible {
        begin_row(row, out);
        push_row(content, *visible, highlight, out);
        row += 1;
    }
    for blank in row..rows {
        begin_row(blank, out);
    }
    begin_row(rows, out);
    out.push_str(REVERSE);
    let used = push_fitting(content.status, columns, out);
    out.extend(std::iter::repeat_n(' ', columns - used));
    out.push_str(RESET);
}

fn begin_row(row: usize, out: &mut String) {
    // Cleared before the text: after a full row the cursor is on its last character, which clearing
    // would remove.
    // Writing to a string cannot fail.
    let _ = write!(out, "\x1b[{row};1H\x1b[K");
}

fn push_row(content: Content<'_>, row: Row, highlight: Highlight, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', row.margin));
    let mut new_from = content.new_from.clamp(row.start, row.end);
    if new_from == row.start {
        // The indentation is not underlined.
        let text = between(content.text, new_from, row.end);
        new_from += text.len() - text.trim_start_matches(' ').len();
    }
    out.push_str(between(content.text, row.start, new_from));
    if new_from < row.end {
        out.push_str(highlight.sequence());
        out.push_str(between(content.text, new_from, row.end));
        out.push_str(RESET);
    }
}

/// Appends the start of the text that fits into the columns, and returns its width.
fn push_fitting(text: &str, columns: usize, out: &mut String) -> usize {
    let mut used = 0;
    for char in text.chars() {
        let width = char.width().unwrap_or(0);
        if used + width > columns {
            break;
        }
        used += width;
        out.push(char);
    }
    used
}

#[cfg(test)]
mod tests {
    use super::{Content, Highlight, draw};

    fn frame(text: &str, new_from: usize, size: (u16, u16)) -> Vec<String> {
        let mut out = String::new();
        let content = Content {
            text,
            new_from,
            lines: text.matches('\n').count() + 1,
            status: "line 1",
        };
        draw(content, size, Highlight::Underline, &mut out);
        // Every row starts with its position, also if it is empty.
        let rows: Vec<String> = (1..=size.1)
            .map(|row| {
                let (_, rest) = out
                    .split_once(&format!("\x1b[{row};1H\x1b[K"))
                    .expect("every row is drawn");
                let next = format!("\x1b[{};1H", row + 1);
                rest.split_once(&next)
                    .map_or(rest, |(row, _)| row)
                    .to_owned()
            })
            .collect();
        rows
    }

    #[test]
    fn document_that_fits_is_at_the_top() {
        assert_eq!(
            &frame("{\n  \"a\": \"b", 4, (20, 5))[..4],
            ["{", "  \u{1b}[1;4m\"a\": \"b\u{1b}[0m", "", ""]
        );
    }

    #[test]
    fn document_that_does_not_fit_shows_its_end_below_a_header() {
        assert_eq!(
            &frame("1\n2\n3\n4\n5", 9, (20, 4))[..3],
            ["\u{1b}[2m  3 lines above\u{1b}[0m", "4", "5"]
        );
    }

    #[test]
    fn smallest_screens_show_the_status() {
        for size in [(1, 1), (1, 2), (2, 2), (0, 0)] {
            let mut out = String::new();
            let content = Content {
                text: "[\n  1,\n  2",
                new_from: 3,
                lines: 3,
                status: "line 1",
            };
            draw(content, size, Highlight::Color, &mut out);
            assert!(out.contains('l'), "{size:?}");
        }
    }
}
