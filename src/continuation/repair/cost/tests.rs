//! Texts that take quadratic time if any part of them is read repeatedly.

extern crate std;

use std::borrow::ToOwned as _;
use std::cell::Cell;

use crate::continuation::{RepairOptions, repair_with};
use crate::limits::Limits;

/// Large enough for a quadratic cost to exceed the allowed steps.
const BYTES: usize = 8_000;

/// How many bytes may be read ahead, or edits moved, for each byte of the text.
const STEPS_A_BYTE: usize = 24;

std::thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

pub(super) fn add(steps: usize) {
    STEPS.set(STEPS.get() + steps);
}

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
        "{\"a\":1",
        "{\"a\":“",
        "{\"a\":‘",
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
        "\\“",
        "\\‘",
        "[]]",
        "{]]",
        "\"b\",[]]",
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
        "\"{\"a",
        "{\"a\"} ",
        "\\n{\"a\"} ",
        "(",
        "f(",
        "f(1,",
        "(1)",
        ")",
        "\\\"",
        "\\\"a\\\":",
        "\\\\",
        "\"\"a",
        "\"\"a\"\",",
        "\"\"\"",
        "\"\"\"a",
        "'''",
        "'''a",
        "<think>",
        "</think>",
        "<tool_call>{",
        "~~~\n",
        "~~~\n{",
        "{(",
        "{\"a\",",
        "{1,",
        "1,234",
        "\"C:\\x",
        "'C:\\x',",
        "\"a:",
        "\"a: ",
        "\" x:",
        "\n \"a\":{",
        "\n  {\n",
        "\n}",
        "\n  ]",
        "[}, ",
        "{} x ",
        "[\"a\"] ",
        "\"},\"",
        "}}}\"",
        "\",{\"a",
        "x: ",
        "{\"a\":]",
        "\"a\":\"b: \"",
        "{\"a\":{\"b\":[1}",
    ];
    let options = RepairOptions::default().limits(Limits::default().max_depth(u32::MAX));
    for start in STARTS {
        for part in PARTS {
            let mut text = (*start).to_owned();
            while text.len() < BYTES {
                text.push_str(part);
            }
            for end in ["", "\"}], \"x\": 1}"] {
                text.push_str(end);
                STEPS.set(0);
                let _ = repair_with(&text, options);
                let steps = STEPS.get();
                let most = STEPS_A_BYTE * text.len();
                assert!(steps <= most, "{start}, {part}, …, {end}: {steps} steps");
            }
        }
    }
}
