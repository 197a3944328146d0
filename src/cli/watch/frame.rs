//! What one frame shows: the last rows of the document, with a header if there are more above.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar as _;

use super::rows::{Row, between, last_rows, tail};

const RESET: &str = "\x1b[0m";
const DIM: &str = "\x1b[2m";
const REVERSE: &str = "\x1b[7m";

/// A document and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a> {
    /// Laid out; without control characters other than line feeds.
    pub(super) text: &'a str,
    /// Where in `text` the latest step begins.
    pub(super) fresh: usize,
    /// The lines of `text`.
    pub(super) lines: usize,
    pub(super) status: &'a str,
}

/// How fresh text is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Colour,
    /// For `NO_COLOR`, and for whoever cannot tell the colours apart.
    Underline,
}

impl Mark {
    const fn sequence(self) -> &'static str {
        match self {
            Self::Colour => "\x1b[1;32m",
            Self::Underline => "\x1b[1;4m",
        }
    }
}

/// Appends the frame: every row from the top, each positioned and cleared.
pub(super) fn draw(scene: Scene<'_>, (columns, rows): (u16, u16), mark: Mark, out: &mut String) {
    let (columns, rows) = (usize::from(columns.max(1)), usize::from(rows.max(1)));
    let body = rows - 1;
    let mut visible = last_rows(scene.text, columns, body + 1);
    let mut row = 1;
    if visible.len() > body {
        // The header takes one row more.
        visible.drain(..visible.len() - body.saturating_sub(1));
        if body > 0 {
            let shown = visible
                .first()
                .map_or("", |first| tail(scene.text, first.start));
            let above = scene.lines - shown.matches('\n').count() - 1;
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
        push_row(scene, *visible, mark, out);
        row += 1;
    }
    for blank in row..rows {
        begin_row(blank, out);
    }
    begin_row(rows, out);
    out.push_str(REVERSE);
    let used = push_fitting(scene.status, columns, out);
    out.extend(std::iter::repeat_n(' ', columns - used));
    out.push_str(RESET);
}

fn begin_row(row: usize, out: &mut String) {
    // Cleared before it is written: behind a full row the cursor stands on its last character.
    // Writing to a string cannot fail.
    let _ = write!(out, "\x1b[{row};1H\x1b[K");
}

fn push_row(scene: Scene<'_>, row: Row, mark: Mark, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', row.margin));
    let mut fresh = scene.fresh.clamp(row.start, row.end);
    if fresh == row.start {
        // A line under the indentation would only disturb.
        let text = between(scene.text, fresh, row.end);
        fresh += text.len() - text.trim_start_matches(' ').len();
    }
    out.push_str(between(scene.text, row.start, fresh));
    if fresh < row.end {
        out.push_str(mark.sequence());
        out.push_str(between(scene.text, fresh, row.end));
        out.push_str(RESET);
    }
}

/// Appends what fits into the columns, and says how many it takes.
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
    use super::{Mark, Scene, draw};

    fn frame(text: &str, fresh: usize, size: (u16, u16)) -> Vec<String> {
        let mut out = String::new();
        let scene = Scene {
            text,
            fresh,
            lines: text.matches('\n').count() + 1,
            status: "line 1",
        };
        draw(scene, size, Mark::Underline, &mut out);
        // Every row begins with its position, whether there is something to show in it or not.
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
    fn a_document_that_fits_stands_at_the_top() {
        assert_eq!(
            &frame("{\n  \"a\": \"b", 4, (20, 5))[..4],
            ["{", "  \u{1b}[1;4m\"a\": \"b\u{1b}[0m", "", ""]
        );
    }

    #[test]
    fn a_taller_one_shows_its_end_under_a_header() {
        assert_eq!(
            &frame("1\n2\n3\n4\n5", 9, (20, 4))[..3],
            ["\u{1b}[2m  3 lines above\u{1b}[0m", "4", "5"]
        );
    }

    #[test]
    fn the_smallest_screens_show_something() {
        for size in [(1, 1), (1, 2), (2, 2), (0, 0)] {
            let mut out = String::new();
            let scene = Scene {
                text: "[\n  1,\n  2",
                fresh: 3,
                lines: 3,
                status: "line 1",
            };
            draw(scene, size, Mark::Colour, &mut out);
            assert!(out.contains('l'), "{size:?}");
        }
    }
}
