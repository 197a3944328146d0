//! `merge`: replies in files to one document.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::{Outcome, run};

/// A folder of replies, named by their order.
struct Replies {
    folder: PathBuf,
    files: Vec<String>,
}

impl Replies {
    fn of(name: &str, replies: &[&[u8]]) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).expect("a folder for the replies");
        let file = |(index, reply): (usize, &&[u8])| {
            let file = folder.join(format!("{index}.txt"));
            fs::write(&file, reply).expect("a reply");
            file.display().to_string()
        };
        let files = replies.iter().enumerate().map(file).collect();
        Self { folder, files }
    }

    fn merge(&self, more: &[&str], input: &str) -> Outcome {
        let files = self.files.iter().map(String::as_str);
        let args: Vec<_> = ["merge"]
            .into_iter()
            .chain(files)
            .chain(more.iter().copied())
            .collect();
        run(&args, input)
    }
}

impl Drop for Replies {
    fn drop(&mut self) {
        // It is a folder for what is temporary: if this fails, the next run overwrites it.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn expected_outcome(stdout: &str, stderr: &str, code: i32) -> Outcome {
    Outcome {
        code: Some(code),
        stdout: stdout.to_owned(),
        stderr: stderr.to_owned(),
    }
}

#[test]
fn replies_are_joined_in_order() {
    let replies = Replies::of(
        "order",
        &[
            b"```json\n{\"days\": [{\"title\": \"Arr\n",
            b"{\"title\": \"Arrival\"}, {\"ti\n",
            b"Here is the rest:\n```json\ntle\": \"Caf\xc3",
            b"\xa9\"}]}\n```\n",
        ],
    );
    let expected = "{\"days\": [{\"title\": \"Arrival\"}, {\"title\": \"Café\"}]}\n";
    assert_eq!(replies.merge(&[], ""), expected_outcome(expected, "", 0));
}

#[test]
fn reply_is_read_from_standard_input() {
    let replies = Replies::of("stdin", &[b"[1, 2"]);
    assert_eq!(
        replies.merge(&["-"], ", 3]\n"),
        expected_outcome("[1, 2, 3]\n", "", 0)
    );
    assert_eq!(
        run(&["merge"], "{\"a\": 1}\n"),
        expected_outcome("{\"a\": 1}\n", "", 0)
    );
    assert_eq!(run(&["merge"], "42\n"), expected_outcome("42\n", "", 0));
}

#[test]
fn reply_that_cannot_be_joined_is_reported_and_left_out() {
    let replies = Replies::of("unjoined", &[b"[1,2,", b"no", b" 3]"]);
    let outcome = replies.merge(&[], "");
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(1), "[1,2, 3]\n")
    );
    let expected = format!(
        "{}: error: not joined: it does not continue the text as JSON\n",
        replies.files[1]
    );
    assert_eq!(outcome.stderr, expected);
}

#[test]
fn replies_are_not_joined_over_a_gap() {
    let replies = Replies::of(
        "gap",
        &[b"{\"t\":\"one two thr", b"three four fi", b"ve six\"}"],
    );
    let outcome = replies.merge(&[], "");
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(1), "{\"t\":\"one two thr")
    );
    let expected = format!(
        "{}: error: not joined: ambiguous: all new or new after its first 3 bytes\n\
         {}: error: not joined: ambiguous: all new or all new\n\
         error: the document is incomplete after 17 bytes\n",
        replies.files[1], replies.files[2]
    );
    assert_eq!(outcome.stderr, expected);
}

#[test]
fn later_reply_decides_an_ambiguous_one() {
    let replies = Replies::of(
        "decided",
        &[
            b"{\"t\":\"one two thr",
            b"three four fi",
            b"\"one two three four five\"}",
        ],
    );
    let expected = "{\"t\":\"one two three four five\"}\n";
    assert_eq!(replies.merge(&[], ""), expected_outcome(expected, "", 0));
}

#[test]
fn incomplete_document_is_written_and_reported() {
    let replies = Replies::of("incomplete", &[b"{\"a\": [1", b", \"tw"]);
    let error = "error: the document is incomplete after 13 bytes\n";
    assert_eq!(
        replies.merge(&[], ""),
        expected_outcome("{\"a\": [1, \"tw", error, 1)
    );
    let error = "<stdin>: error: not joined: it does not contain one JSON text\n\
                 error: the document is incomplete after 0 bytes\n";
    assert_eq!(run(&["merge"], "Sorry."), expected_outcome("", error, 1));
}

#[test]
fn report_has_the_outcome_of_each_file() {
    let replies = Replies::of("report", &[b"[1,1", b",1,2]"]);
    let outcome = replies.merge(&["--report"], "");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), "[1,1"));
    let report: serde_json::Value = super::json(&outcome.stderr);
    let files = &replies.files;
    assert_eq!(
        report,
        json!({
            "files": [
                {
                    "file": files[0], "outcome": "joined", "kind": "first", "confidence": "certain",
                    "overlap": 0, "growth": 4, "added_comma": false, "damaged": false,
                },
                {
                    "file": files[1], "outcome": "ambiguous",
                    "candidates": [
                        {"kind": "continued", "overlap": 0, "growth": 5},
                        {"kind": "overlapped", "overlap": 2, "growth": 3},
                    ],
                },
            ],
            "complete": false,
        })
    );
    let replies = Replies::of("report of a comma", &[b"{\"a\":[{\"x\":1}", b"{\"x\":2}]}"]);
    let outcome = replies.merge(&["--report"], "");
    let report = super::json(&outcome.stderr);
    assert_eq!(report["files"][1]["added_comma"], true);
    assert_eq!((outcome.code, &report["complete"]), (Some(0), &json!(true)));
    let replies = Replies::of("report of a failure", &[b"[1]", b"[2]"]);
    let outcome = replies.merge(&["--report"], "");
    let report = super::json(&outcome.stderr);
    assert_eq!(
        report["files"][1]["reason"],
        "the document was complete before it"
    );
    assert_eq!((outcome.code, &report["complete"]), (Some(1), &json!(true)));
}

#[test]
fn bytes_that_are_not_utf8_are_reported() {
    let replies = Replies::of("bytes", &[b"[\"a\",\n\"\xff", b"b\"]"]);
    let outcome = replies.merge(&[], "");
    assert_eq!(outcome.stdout, "[\"a\",\n\"\u{fffd}b\"]\n");
    let error = ":2: error: invalid UTF-8 at byte 7, replaced by U+FFFD\n";
    assert!(outcome.stderr.ends_with(error), "{}", outcome.stderr);
    assert_eq!((outcome.stderr.lines().count(), outcome.code), (1, Some(1)));
    let outcome = replies.merge(&["--report"], "");
    assert!(
        outcome.stderr.starts_with("{\"files\":"),
        "{}",
        outcome.stderr
    );
    assert_eq!((outcome.stderr.lines().count(), outcome.code), (1, Some(1)));
}

#[test]
fn several_documents_are_ambiguous_by_their_size() {
    let outcome = run(
        &["merge"],
        "First:\n```json\n{\"a\": 1}\n```\nThen:\n```json\n[1]\n```\n",
    );
    let error = "not joined: ambiguous: a document of 8 bytes or a document of 3 bytes\n";
    assert!(outcome.stderr.contains(error), "{}", outcome.stderr);
}
