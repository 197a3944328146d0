//! What all help texts and manual pages share.
//!
//! # For maintainers
//!
//! The text after the options consists of paragraphs. A paragraph whose first line ends with a
//! colon (`Examples:`, `Exit code:`) is a section of the manual page, and its other lines are
//! written as they are, indented by two spaces. Every command has these two sections.

/// Returns the text after the options of a command that reads input: its examples, and its exit
/// codes with the meaning of 1.
pub(crate) fn after_help(examples: &str, partial: &str) -> String {
    format!(
        "{examples}\n\
         Exit code:\n  \
           0  all input was used\n  \
           1  {partial}\n  \
           2  wrong usage, or reading or writing failed"
    )
}

/// Returns the text after the options of a command without input.
pub(crate) fn after_help_without_input(examples: &str) -> String {
    format!(
        "{examples}\n\
         Exit code:\n  \
           0  the text was written\n  \
           2  wrong usage, or writing failed"
    )
}

/// A paragraph: its heading, if it is a section, and its lines.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Paragraph<'a> {
    pub(crate) heading: Option<&'a str>,
    pub(crate) lines: Vec<&'a str>,
}

/// Returns the paragraphs of a text after the options.
pub(crate) fn paragraphs(text: &str) -> impl Iterator<Item = Paragraph<'_>> {
    text.split("\n\n").map(|paragraph| {
        let mut lines: Vec<&str> = paragraph.trim_end().lines().collect();
        let heading = lines.first().and_then(|line| line.strip_suffix(':'));
        if heading.is_some() {
            lines.remove(0);
        }
        Paragraph { heading, lines }
    })
}

#[cfg(test)]
mod tests {
    use super::{after_help, paragraphs};

    #[test]
    fn after_help_has_sections_with_headings() {
        let text = after_help("Examples:\n  a\n      b\n", "one");
        let found: Vec<_> = paragraphs(&text)
            .map(|paragraph| (paragraph.heading, paragraph.lines))
            .collect();
        assert_eq!(found[0], (Some("Examples"), vec!["  a", "      b"]));
        assert_eq!(found[1].0, Some("Exit code"));
        assert_eq!(found[1].1[1], "  1  one");
        assert_eq!(found.len(), 2);
    }
}
