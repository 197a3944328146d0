//! Lines of `chunk` that are blank, damaged or contradictory, and the options for them.

use super::{CHUNKS, Outcome, WALKTHROUGH, run};

fn chunk(args: &[&str], input: impl AsRef<[u8]>) -> Outcome {
    run(&[&["chunk"], args].concat(), input)
}

fn clean(stdout: &str) -> Outcome {
    Outcome {
        code: Some(0),
        stdout: stdout.to_owned(),
        stderr: String::new(),
    }
}

#[test]
fn blank_lines_are_ignored() {
    assert_eq!(chunk(&[], "\n  \n[1]\n\t\r\n[1,2]\n\n"), clean("[1,2]"));
}

#[test]
fn carriage_returns_at_line_ends_are_ignored() {
    let input = WALKTHROUGH.replace('\n', "\r\n");
    assert_eq!(chunk(&[], input), clean(&CHUNKS.concat()));
}

#[test]
fn last_line_needs_no_line_end() {
    assert_eq!(chunk(&[], WALKTHROUGH.trim_end()), clean(&CHUNKS.concat()));
}

#[test]
fn byte_order_mark_at_the_start_is_ignored() {
    assert_eq!(chunk(&[], "\u{feff}[1]\n[1,2]\n"), clean("[1,2]"));
}

#[test]
fn long_line_is_read() {
    let text = "long ".repeat(400_000);
    let input = format!("[\"long\"]\n[\"{text}\"]\n");
    assert_eq!(chunk(&[], input), clean(&format!("[\"{text}\"]")));
}

#[test]
fn unusable_line_is_reported_with_its_location_and_skipped() {
    let outcome = chunk(&[], "[1]\n\n[1,2\n[1,2,3]\n");
    assert_eq!(outcome.stdout, "[1,2,3]");
    assert_eq!(
        outcome.stderr,
        "<stdin>:3: error: unexpected end of JSON at byte 4\n"
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn unusable_lines_leave_every_format_complete() {
    for (format, end) in [
        ("raw", "]"),
        ("jsonl", "\"\"\n\"]\"\n"),
        ("sse", "\n\nevent: CLOSE\ndata: [DONE]\n\n"),
        (
            "openai",
            "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        ),
    ] {
        let outcome = chunk(&["--format", format], "[1]\noops\n");
        assert_eq!(outcome.code, Some(1));
        assert!(outcome.stdout.ends_with(end), "{}", outcome.stdout);
    }
}

#[test]
fn invalid_utf8_is_reported_with_its_byte() {
    let outcome = chunk(&[], b"[\"a\"]\n[\"a\xff\"]\n[\"ab\"]\n");
    assert_eq!(outcome.stdout, "[\"ab\"]");
    assert_eq!(
        outcome.stderr,
        "<stdin>:2: error: invalid UTF-8 at byte 3\n"
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn revision_is_a_warning() {
    let outcome = chunk(&[], "{\"a\":\"x\"}\n{\"a\":\"y\"}\n");
    assert_eq!(outcome.stdout, "{\"a\":\"x\"}");
    assert!(
        outcome
            .stderr
            .starts_with("<stdin>:2: warning: revision at /a: "),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.code, Some(0));
}

#[test]
fn rejected_revision_is_an_error() {
    let input = "{\"a\":\"x\"}\n{\"a\":\"y\"}\n{\"a\":\"xz\"}\n";
    let outcome = chunk(&["--revision-policy", "reject"], input);
    assert_eq!(outcome.stdout, "{\"a\":\"xz\"}");
    assert!(
        outcome
            .stderr
            .starts_with("<stdin>:2: error: revision at /a: "),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn restated_revision_is_emitted_again() {
    let input = "{\"a\":\"x\"}\n{\"a\":\"y\"}\n";
    let outcome = chunk(&["--revision-policy", "restate"], input);
    assert_eq!(outcome.stdout, "{\"a\":\"x\",\"a\":\"y\"}");
    assert!(outcome.stderr.starts_with("<stdin>:2: warning: "));
    assert!(outcome.stderr.ends_with("; restated\n"));
    assert_eq!(outcome.code, Some(0));
}

#[test]
fn growing_numbers_are_held() {
    let input = "{\"a\":3}\n{\"a\":32}\n{\"a\":32,\"b\":1}\n";
    let outcome = chunk(&["--growing-numbers"], input);
    assert_eq!(outcome, clean("{\"a\":32,\"b\":1}"));
}

#[test]
fn null_is_absent_by_default() {
    let input = "{\"a\":\"x\",\"b\":null}\n{\"a\":\"xy\",\"b\":\"z\"}\n";
    assert_eq!(chunk(&[], input), clean("{\"a\":\"xy\",\"b\":\"z\"}"));
    let args = ["--absent-values", "defaults"];
    assert_eq!(chunk(&args, input), clean("{\"a\":\"xy\",\"b\":\"z\"}"));
    let outcome = chunk(&["--absent-values", "nothing"], input);
    assert_eq!(outcome.stdout, "{\"b\":null,\"a\":\"xy\"}");
    assert!(
        outcome
            .stderr
            .starts_with("<stdin>:2: warning: revision at /b: ")
    );
}

#[test]
fn members_in_order_are_not_held() {
    let input = "{\"a\":\"x\",\"b\":\"y\"}\n{\"a\":\"x\",\"b\":\"yz\"}\n";
    let lines = chunk(&["--in-order", "--format", "jsonl"], input);
    let expected = r#""{\"a\":\"x\",\"b\":\"y"
"z"
"\"}"
"#;
    assert_eq!(lines, clean(expected));
}
