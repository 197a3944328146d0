//! Lines that are not what they should be, and the options that say what to do with them.

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
fn line_ends_may_be_those_of_windows() {
    let input = WALKTHROUGH.replace('\n', "\r\n");
    assert_eq!(chunk(&[], input), clean(&CHUNKS.concat()));
}

#[test]
fn the_last_line_needs_no_end() {
    assert_eq!(chunk(&[], WALKTHROUGH.trim_end()), clean(&CHUNKS.concat()));
}

#[test]
fn a_byte_order_mark_at_the_start_is_ignored() {
    assert_eq!(chunk(&[], "\u{feff}[1]\n[1,2]\n"), clean("[1,2]"));
}

#[test]
fn a_line_may_be_very_long() {
    let text = "long ".repeat(400_000);
    let input = format!("[\"long\"]\n[\"{text}\"]\n");
    assert_eq!(chunk(&[], input), clean(&format!("[\"{text}\"]")));
}

#[test]
fn an_unusable_line_is_reported_and_skipped() {
    let outcome = chunk(&[], "[1]\n\n[1,2\n[1,2,3]\n");
    assert_eq!(outcome.stdout, "[1,2,3]");
    assert_eq!(
        outcome.stderr,
        "line 3: not JSON at byte 4: the text ends too early\n"
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn unusable_lines_leave_every_format_whole() {
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
fn a_line_that_is_not_utf8_is_reported_with_its_offset() {
    let outcome = chunk(&[], b"[\"a\"]\n[\"a\xff\"]\n[\"ab\"]\n");
    assert_eq!(outcome.stdout, "[\"ab\"]");
    assert_eq!(outcome.stderr, "line 2: not UTF-8 at byte 3\n");
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn a_revision_is_a_warning() {
    let outcome = chunk(&[], "{\"a\":\"x\"}\n{\"a\":\"y\"}\n");
    assert_eq!(outcome.stdout, "{\"a\":\"x\"}");
    assert!(
        outcome
            .stderr
            .starts_with("line 2: warning: revision at /a: "),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.code, Some(0));
}

#[test]
fn a_rejected_revision_is_an_unusable_line() {
    let input = "{\"a\":\"x\"}\n{\"a\":\"y\"}\n{\"a\":\"xz\"}\n";
    let outcome = chunk(&["--on-revision", "reject"], input);
    assert_eq!(outcome.stdout, "{\"a\":\"xz\"}");
    assert!(
        outcome.stderr.starts_with("line 2: revision at /a: "),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.code, Some(1));
}

#[test]
fn a_restated_revision_is_put_out_again() {
    let input = "{\"a\":\"x\"}\n{\"a\":\"y\"}\n";
    let outcome = chunk(&["--on-revision", "restate"], input);
    assert_eq!(outcome.stdout, "{\"a\":\"x\",\"a\":\"y\"}");
    assert!(outcome.stderr.starts_with("line 2: warning: "));
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
fn null_can_count_as_absent() {
    let input = "{\"a\":\"x\",\"b\":null}\n{\"a\":\"xy\",\"b\":\"z\"}\n";
    let outcome = chunk(&["--null-is-absent"], input);
    assert_eq!(outcome, clean("{\"a\":\"xy\",\"b\":\"z\"}"));
}
