//! The hint when the input was likely meant for another command or option.

use super::{WALKTHROUGH, run};

const PRETTY: &str = "{\n  \"title\": \"Three\",\n  \"days\": [\n    3\n  ]\n}\n";
const EVENTS: &str = "event: ping\ndata: {\"type\": \"ping\"}\n\ndata: [DONE]\n\n";

/// Returns the one hint on standard error, or an empty text.
fn hint(args: &[&str], input: &str) -> String {
    let outcome = run(args, input);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    let mut hints = outcome
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("hint: "));
    let hint = hints.next().unwrap_or_default().to_owned();
    assert_eq!(hints.next(), None, "there is one hint per run");
    let library = "(if the stream";
    assert!(!outcome.stderr.contains(library), "{}", outcome.stderr);
    hint
}

#[test]
fn text_on_several_lines_is_for_snapshots() {
    assert_eq!(
        hint(&["chunk"], PRETTY),
        "if the lines are pieces of one JSON text, use `json-chunks snapshots`"
    );
    assert_eq!(
        hint(&["chunk", "--format", "sse"], "{\"title\":"),
        "if the lines are pieces of one JSON text, use `json-chunks snapshots`"
    );
    assert_eq!(
        hint(&["watch", "--delay", "0"], PRETTY),
        "if the lines are pieces of one JSON text, use `--input text`"
    );
}

#[test]
fn strings_are_for_snapshots_jsonl() {
    let input = "\"{\\\"title\\\":\"\n\" 3}\"\n";
    let outcome = run(&["chunk"], input);
    assert!(
        outcome.stderr.ends_with(
            "hint: if the lines are pieces of one JSON text, use `json-chunks snapshots --jsonl`\n"
        ),
        "{}",
        outcome.stderr
    );
    assert_eq!(run(&["snapshots", "--jsonl"], input).code, Some(0));
}

#[test]
fn snapshots_are_for_chunk() {
    for command in ["snapshots", "events", "entities"] {
        assert_eq!(
            hint(&[command], WALKTHROUGH),
            "for several values, use `--multiple-values`; for snapshots, `json-chunks chunk`"
        );
    }
}

#[test]
fn strings_need_jsonl_and_text_does_not() {
    assert_eq!(
        hint(&["snapshots"], "\"{\\\"title\\\":\"\n\" 3}\"\n"),
        "if each line is a JSON string and a piece of one text, use `--jsonl`"
    );
    assert_eq!(
        hint(&["snapshots", "--jsonl"], "{\"title\": 3}\n"),
        "raw text is read without `--jsonl`"
    );
}

#[test]
fn server_sent_events_are_recognized() {
    for command in ["chunk", "snapshots", "events", "tools", "entities"] {
        let hint = hint(&[command], EVENTS);
        assert!(
            hint.contains("`json-chunks tools --frames`"),
            "{command}: {hint}"
        );
    }
}

#[test]
fn snapshots_of_a_call_are_for_chunk() {
    let call = |amount: u32| {
        format!("{{\"id\":\"c\",\"name\":\"pay\",\"arguments\":{{\"amount\":{amount}}}}}\n")
    };
    let snapshots = call(1) + &call(10) + &call(100);
    let outcome = run(&["tools"], &snapshots);
    assert_eq!(
        outcome.stderr,
        "hint: the same call again? if the input is snapshots of the calls, \
         pass it through `json-chunks chunk`\n"
    );
    let calls = run(
        &["tools"],
        run(&["chunk", "--growing-numbers"], snapshots).stdout,
    );
    assert_eq!(calls.stderr, "");
    assert_eq!(calls.stdout.matches("\"completed\"").count(), 1);
}

#[test]
fn one_damaged_line_has_no_hint() {
    for input in ["[1]\n[1,\n[1,2]\n", "[1,\n[1]\n[1,2]\n", "oops\n[1]\n"] {
        assert_eq!(hint(&["chunk"], input), "");
    }
}

#[test]
fn text_around_json_is_for_extract() {
    for (input, extracted) in [
        ("Here you are: {\"a\": 1}", "{\"a\": 1}"),
        ("\n```json\n[1]\n```\n", "[1]"),
        ("the value:\n[1]", "[1]"),
        ("<think>1</think>[1]", "[1]"),
        ("# Result\n[1]", "[1]"),
        ("<tool_call>{\"name\": 1}</tool_call>", "{\"name\": 1}"),
    ] {
        for command in ["snapshots", "events", "tools", "entities"] {
            assert_eq!(
                hint(&[command], input),
                "if there is text around the JSON, pass it through `json-chunks extract`",
                "{command}: {input}"
            );
        }
        assert_eq!(
            run(&["extract"], input).stdout.trim_end(),
            extracted,
            "{input}"
        );
    }
    for input in [
        "[tru]",
        "{'a': 1}",
        "[1,",
        "",
        "-x",
        "[1, 2 3]",
        "true false",
    ] {
        let hint = run(&["events"], input).stderr;
        assert!(!hint.contains("around the JSON"), "{input}");
    }
}

#[test]
fn utf16_is_recognized() {
    let text = "{\"a\":\"x\"}\n";
    let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let encoded: [Vec<u8>; 4] = [
        little(&format!("\u{feff}{text}")),
        little(text),
        big(&format!("\u{feff}{text}")),
        big(text),
    ];
    let commands = [
        "chunk",
        "watch",
        "snapshots",
        "events",
        "tools",
        "entities",
        "extract",
    ];
    for input in &encoded {
        for command in commands.iter().chain(&["repair", "merge"]) {
            let outcome = run(&[command], input);
            assert_eq!(outcome.code, Some(1), "{command} {input:?}");
            let hint = "hint: the input looks like UTF-16; convert it to UTF-8, \
                        as `iconv -f UTF-16 -t UTF-8` does\n";
            assert_eq!(
                outcome.stderr.matches(hint).count(),
                1,
                "{command}: {}",
                outcome.stderr
            );
        }
    }
}

#[test]
fn several_values_are_for_repair_multiple_values() {
    assert_eq!(
        hint(&["repair"], "[1]\n[2]\n"),
        "to keep several values, use `--multiple-values`"
    );
    assert_eq!(
        run(&["repair", "--multiple-values"], "[1]\n[2]\n").code,
        Some(0)
    );
}

#[test]
fn frames_of_another_api_are_not_read() {
    let chat = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n";
    let wrong =
        "no text and no calls were found; does `--frames` name the API that the input is from?";
    for input in [chat, "[1]", "Hello"] {
        assert_eq!(
            hint(&["tools", "--frames", "anthropic"], input),
            wrong,
            "{input}"
        );
    }
    assert_eq!(
        hint(&["tools", "--frames", "openai"], chat),
        "",
        "the reply is lost"
    );
    assert_eq!(hint(&["tools", "--frames", "openai"], ""), "");
}
