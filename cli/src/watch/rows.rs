//! Wraps text into rows of the screen.

use unicode_width::UnicodeWidthChar as _;

/// A part of a line that fits into one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The number of blank columns before it.
    pub(super) margin: usize,
}

/// Returns the last rows of the text, at most `max`. Only the lines of these rows are read.
pub(super) fn last_rows(text: &str, columns: usize, max: usize) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut end = text.len();
    while rows.len() < max {
        let start = between(text, 0, end).rfind('\n').map_or(0, |at| at + 1);
        let mut line = wrap(text, start, end, columns);
        line.append(&mut rows);
        rows = line;
        if start == 0 {
            break;
        }
        end = start - 1;
    }
    rows.drain(..rows.len().saturating_sub(max));
    rows
}

/// Wraps one line into rows: after a space, unless that leaves half of a row empty. The rows after
/// the first one are indented further.
fn wrap(text: &str, start: usize, end: usize, columns: usize) -> Vec<Row> {
    let line = between(text, start, end);
    let indent = line.len() - line.trim_start_matches(' ').len();
    let margin = (indent + 4).min(columns / 2);
    let mut rows = Vec::new();
    let mut row = Row {
        start,
        end,
        margin: 0,
    };
    // The columns used in this row, and the last offset at which it can be wrapped, with the
    // columns used before it.
    let (mut used, mut cut) = (0, None);
    for (at, char) in line.char_indices() {
        let (at, width) = (start + at, char.width().unwrap_or(0));
        if used + width > columns && at > row.start {
            let (next, used_at_next) = match cut.take() {
                Some((at, used)) if used > columns / 2 => (at, used),
                Some(_) | None => (at, used),
            };
            rows.push(Row { end: next, ..row });
            row = Row {
                start: next,
                end,
                margin,
            };
            used = margin + used - used_at_next;
            if char == ' ' && next == at {
                // `01234567 9` in 8 columns: the space after a full row is replaced by the end of
                // it.
                row.start += 1;
                continue;
            }
        }
        used += width;
        if char == ' ' && at >= start + indent {
            cut = Some((at + 1, used));
        }
    }
    rows.push(row);
    rows
}

/// Returns a part of the text. The offsets are those of characters of the same text; if they were
/// not, an empty row is better than a panic.
pub(super) fn between(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

/// Like [`between`], up to the end.
pub(super) fn tail(text: &str, start: usize) -> &str {
    text.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{between, last_rows, wrap};

    fn rows(text: &str, columns: usize) -> Vec<String> {
        wrap(text, 0, text.len(), columns)
            .into_iter()
            .map(|row| " ".repeat(row.margin) + between(text, row.start, row.end))
            .collect()
    }

    #[test]
    fn short_lines_are_one_row() {
        assert_eq!(rows("", 10), [""]);
        assert_eq!(rows("0123456789", 10), ["0123456789"]);
    }

    #[test]
    fn long_lines_wrap_after_spaces_and_are_indented_further() {
        assert_eq!(
            rows("  \"a\": \"one two three four\"", 16),
            ["  \"a\": \"one two ", "      three ", "      four\""]
        );
    }

    #[test]
    fn space_after_a_full_row_is_not_shown() {
        assert_eq!(rows("01234567 9", 8), ["01234567", "    9"]);
    }

    #[test]
    fn words_longer_than_a_row_wrap_anywhere() {
        assert_eq!(
            rows("0123456789abcdef", 8),
            ["01234567", "    89ab", "    cdef"]
        );
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(rows("兼六園兼六園", 7), ["兼六園", "   兼六", "   園"]);
    }

    #[test]
    fn one_column_shows_all_characters() {
        assert_eq!(rows("兼 六", 1).len(), 2);
    }

    #[test]
    fn no_row_is_wider_than_the_screen() {
        let text =
            "    \"description\": \"Enter by the Katsurazaka gate (兼六園), Donaudampfschiff\"";
        for columns in 8..90 {
            for row in rows(text, columns) {
                assert!(
                    unicode_width::UnicodeWidthStr::width(row.trim_end()) <= columns,
                    "{row}"
                );
            }
        }
    }

    #[test]
    fn last_rows_are_at_most_the_maximum() {
        let text = "a\nb\nc";
        let shown = |max| -> Vec<&str> {
            let rows = last_rows(text, 10, max);
            rows.iter()
                .map(|row| between(text, row.start, row.end))
                .collect()
        };
        assert_eq!(shown(2), ["b", "c"]);
        assert_eq!(shown(9), ["a", "b", "c"]);
    }
}
