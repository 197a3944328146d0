use alloc::borrow::ToOwned as _;
use alloc::string::String;

use super::scanner::{LONGEST_FENCE, LONGEST_INFO};
use super::*;

/// The regions of a text as `context:content`, without those that are only white space.
fn divided(text: &str) -> Vec<String> {
    let pieces = regions(text.as_bytes()).into_iter().filter_map(|region| {
        let content = text.get(region.range)?.trim_matches(BLANK);
        (!content.is_empty()).then(|| [name(region.context), content].join(":"))
    });
    pieces.collect()
}

fn name(context: Context) -> &'static str {
    match context {
        Context::Text => "text",
        Context::Fenced(fence) => match fence.language {
            Language::Json => "json",
            Language::None => "fenced",
            Language::Other => "other",
        },
        Context::Reasoning => "reasoning",
        Context::Call => "call",
    }
}

const CASES: &[(&str, &[&str])] = &[
    ("", &[]),
    ("{\"a\": 1}", &["text:{\"a\": 1}"]),
    // Fences.
    ("```json\n[1]\n```\nDone.", &["json:[1]", "text:Done."]),
    ("```JSON5\r\n[1]\r\n```", &["json:[1]"]),
    ("~~~\n[1]\n~~~", &["fenced:[1]"]),
    (
        "  ```rust\nfn\n  ```\n```json\n[1]",
        &["other:fn", "json:[1]"],
    ),
    ("````markdown\n```json\n[1]\n```\n````", &["json:[1]"]),
    ("```\n[1]\n~~~\n[2]", &["fenced:[1]", "fenced:[2]"]),
    ("Here: ```json\n[1]\n```", &["text:Here:", "json:[1]"]),
    ("```json\n[1]```\nDone.", &["json:[1]", "text:Done."]),
    ("```json {\"a\": 1}\n```", &["json:{\"a\": 1}"]),
    ("```{\"a\": 1}\n```", &["fenced:{\"a\": 1}"]),
    ("```json , 3]\n```", &["json:, 3]"]),
    ("``` , 3]", &["text:``` , 3]"]),
    // No fence.
    ("``\n[1]", &["text:``\n[1]"]),
    ("```js const a\n", &["text:```js const a"]),
    ("[\"a ```", &["text:[\"a ```"]),
    ("[\"{x}```", &["text:[\"{x}```"]),
    ("[\"{x}```\", 1]", &["text:[\"{x}```\", 1]"]),
    ("a ~~~\n[1]", &["text:a ~~~\n[1]"]),
    // Reasoning.
    (
        "<think>[0] or [1]?</think>[1]",
        &["reasoning:[0] or [1]?", "text:[1]"],
    ),
    (
        "<think>\n```json\n[0]\n```\n</think>\n[1]",
        &["reasoning:```json\n[0]\n```", "text:[1]"],
    ),
    (
        "[0] it is.\n</think>\n[1]",
        &["reasoning:[0] it is.", "text:[1]"],
    ),
    ("[THINK]so[/THINK][1]", &["reasoning:so", "text:[1]"]),
    ("<think>not", &["reasoning:not"]),
    (
        "<|channel|>analysis<|message|>so<|channel|>final<|message|>[1]",
        &["reasoning:so", "text:[1]"],
    ),
    ("{\"a\": \"<think>\"}", &["text:{\"a\": \"<think>\"}"]),
    // Calls.
    (
        "<tool_call>\n{\"a\": 1}\n</tool_call>",
        &["call:{\"a\": 1}"],
    ),
    (
        "<tool_call>{\"a\": 1}</tool_call>ok",
        &["call:{\"a\": 1}", "text:ok"],
    ),
    (
        "Sure.[TOOL_CALLS][{\"a\": 1}]</s>",
        &["text:Sure.", "call:[{\"a\": 1}]"],
    ),
    ("<|python_tag|>{\"a\": 1}<|eom_id|>", &["call:{\"a\": 1}"]),
    ("[\"</tool_call>\"]", &["text:[\"</tool_call>\"]"]),
];

#[test]
fn text_is_divided_at_its_markers() {
    for (text, expected) in CASES {
        let divided = divided(text);
        assert_eq!(divided, *expected, "{text}");
    }
}

/// The content of a text that arrives in pieces, each with its context.
fn in_pieces(text: &[u8], ends: impl Iterator<Item = usize>) -> Vec<(&'static str, Vec<u8>)> {
    let mut scanner = Scanner::new();
    let mut contents: Vec<(&'static str, Vec<u8>)> = Vec::new();
    let mut at = 0;
    let mut is_new = true;
    for end in ends.chain([text.len(), text.len() + 1]) {
        let is_end = end > text.len();
        let end = end.min(text.len());
        loop {
            let context = scanner.context();
            match scanner.scan(&text[at..end], is_end) {
                Scan::Content(len) => {
                    let piece = &text[at..at + len];
                    match contents.last_mut() {
                        Some((_, last)) if !is_new => last.extend_from_slice(piece),
                        _ => contents.push((name(context), piece.to_owned())),
                    }
                    is_new = false;
                    at += len;
                }
                Scan::Marker(len) => {
                    is_new = true;
                    at += len;
                }
                Scan::Stop | Scan::NeedMore => break,
            }
        }
        assert!(end - at <= LONGEST_FENCE + 2 * LONGEST_INFO + 2);
        assert!(!is_end || at == text.len());
    }
    contents
}

#[test]
fn markers_may_be_split_anywhere() {
    let texts = CASES.iter().map(|(text, _)| (*text).to_owned());
    let long = [1, 64, 65, 200].map(|len| ["a\n", &"`".repeat(len), "\n[1]"].concat());
    let spaces = ["```json", &" ".repeat(100), "\n[1]"].concat();
    for text in texts.chain(long).chain([spaces]) {
        let text = text.as_bytes();
        let at_once = in_pieces(text, core::iter::empty());
        assert_eq!(in_pieces(text, 1..text.len()), at_once);
        for split in 0..text.len() {
            let pieces = in_pieces(text, [split].into_iter());
            assert_eq!(pieces, at_once, "{split}: {}", text.escape_ascii());
        }
    }
}

#[test]
fn every_byte_is_marker_or_content() {
    for (text, _) in CASES {
        let mut scanner = Scanner::new();
        let mut at = 0;
        while at < text.len() {
            match scanner.scan(&text.as_bytes()[at..], true) {
                Scan::Content(len) | Scan::Marker(len) => {
                    assert!(len > 0);
                    at += len;
                }
                Scan::Stop | Scan::NeedMore => panic!("{text}: more than all of it is needed"),
            }
        }
        assert_eq!(at, text.len());
    }
}
