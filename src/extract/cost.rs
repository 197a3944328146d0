//! The cost of dividing a text, counted in tests.

/// Counts bytes that are read or moved, for the test that these are linear in the text.
pub(super) fn count(bytes: usize) {
    #[cfg(test)]
    tests::add(bytes);
    #[cfg(not(test))]
    let _ = bytes;
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::cell::Cell;

    use crate::extract::JsonExtractor;

    /// The maximum number of bytes that may be read or moved for each byte of the text: in pieces
    /// of one byte, text that is held back is read again with each piece.
    const IN_BYTES: usize = 200;
    /// The same for a text in one piece, of which a false start is read again from its next byte.
    const AT_ONCE: usize = 80;

    std::thread_local! {
        static BYTES: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn add(bytes: usize) {
        BYTES.set(BYTES.get() + bytes);
    }

    fn cost(text: &str, size: usize) -> usize {
        BYTES.set(0);
        let mut extractor = JsonExtractor::new().multiple_values(true);
        for fragment in text.as_bytes().chunks(size) {
            extractor.push(fragment).unwrap().for_each(drop);
        }
        extractor.finish().unwrap().for_each(drop);
        BYTES.get()
    }

    #[test]
    fn no_text_takes_more_than_linear_time() {
        const PIECES: &[&str] = &[
            "[",
            "{",
            "\"",
            "{\"",
            "[\"",
            "[[1,",
            "{\"a\"",
            "{\"a\":",
            "[1",
            "[1]",
            "[1] ",
            "[] x ",
            " ",
            "\n",
            "`",
            "```",
            "```\n",
            "```json\n",
            "~~~",
            "<",
            "<think",
            "<think>",
            "</think>",
            "<tool_call>",
            "[TOOL_CALLS",
            "[TOOL_CALLS]",
            "x",
            "\u{e9}",
            "{}\n",
            "{\"a\":1}",
            "1",
            "{\"x{\"",
            "[{\"x",
            "\"a\\\"",
        ];
        const SECOND: &[&str] = &["", "{\"", "[1", " ", "\n", "`", "<think", "x"];
        // Large enough for a quadratic cost to exceed the allowed steps.
        const TOTAL: usize = 1_500;
        let mut worst = (0, 0);
        for first in PIECES {
            for second in SECOND {
                let unit = [*first, *second].concat();
                for start in ["", "{\"a\":\"", "<think>"] {
                    let text = [start, &unit.repeat(TOTAL / unit.len())].concat();
                    let at_once = cost(&text, usize::MAX) / text.len();
                    let in_bytes = cost(&text, 1) / text.len();
                    assert!(at_once <= AT_ONCE, "{start} {unit}: {at_once} at once");
                    assert!(in_bytes <= IN_BYTES, "{start} {unit}: {in_bytes} in bytes");
                    worst = (worst.0.max(at_once), worst.1.max(in_bytes));
                }
            }
        }
        assert!(
            worst.0 > 2 && worst.1 > 2,
            "something is counted: {worst:?}"
        );
    }
}
