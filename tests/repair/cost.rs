//! Texts that would take for ever if any part of them were read again and again.

use json_chunks::{Limits, repair_with};

/// Large enough for one quadratic text to take longer than all of them do.
const BYTES: usize = 20_000;

#[test]
fn no_text_takes_more_than_linear_time() {
    const STARTS: &[&str] = &[
        "",
        "[",
        "{",
        "[\"",
        "{\"",
        "{\"a\":\"",
        "{'a':'",
        "```",
        "x ",
    ];
    const PARTS: &[&str] = &[
        "\"",
        "\" ",
        "\"a",
        "\" a",
        "\",",
        "\", ",
        "\",\"",
        "\" \"",
        "\\",
        "\\\"",
        "\\u",
        "'",
        "' a",
        "[",
        "{",
        "]",
        "}",
        "[}",
        "{]",
        "[{",
        "}]",
        "],",
        "},",
        "}}, ",
        ",",
        ", ",
        ":",
        "a",
        "a ",
        "1 ",
        "a:",
        "a,",
        "{a:[",
        "{\"a\":[",
        "/",
        "/*",
        "//",
        "#",
        "\n",
        " ",
        "\n\"",
        ",\n\"",
        "`",
        "```",
        "```[",
        "...",
        "+",
        "\"+\"",
        "\"+",
        "-",
        "\u{201C}",
        "\u{201C}a\u{201D},",
        "\u{FFFD}",
        "\u{A0}",
        "\"}",
        "\"},",
        "\"]",
        "{\"a\":\"x,\"b",
        "[ ",
        "{ ",
        "(",
        "0x",
        "tru",
        "[1,\"a\":",
        "{\"a\":[1,\"a\":",
        ",\"a\":",
        "\t",
    ];
    let limits = Limits::default().max_depth(u32::MAX);
    for start in STARTS {
        for part in PARTS {
            let mut text = (*start).to_owned();
            while text.len() < BYTES {
                text.push_str(part);
            }
            let _ = repair_with(&text, limits);
            text.push_str("\"}], \"x\": 1}");
            let _ = repair_with(&text, limits);
        }
    }
}
