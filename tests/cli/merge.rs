//! `merge`: replies in files, one document out.

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

fn says(stdout: &str, stderr: &str, code: i32) -> Outcome {
    Outcome {
        code: Some(code),
        stdout: stdout.to_owned(),
        stderr: stderr.to_owned(),
    }
}

#[test]
fn replies_are_joined_in_their_order() {
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
    assert_eq!(replies.merge(&[], ""), says(expected, "", 0));
}

#[test]
fn a_reply_may_come_from_standard_input() {
    let replies = Replies::of("stdin", &[b"[1, 2"]);
    assert_eq!(replies.merge(&["-"], ", 3]\n"), says("[1, 2, 3]\n", "", 0));
    assert_eq!(run(&["merge"], "{\"a\": 1}\n"), says("{\"a\": 1}\n", "", 0));
    assert_eq!(run(&["merge"], "42\n"), says("42\n", "", 0));
}

#[test]
fn what_cannot_be_joined_is_reported_and_left_out() {
    let replies = Replies::of("unjoined", &[b"[1,1", b",1,2]", b"no", b", 3]"]);
    let outcome = replies.merge(&[], "");
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(1), "[1,1, 3]\n")
    );
    let expected = format!(
        "{}: not joined: it may be all new or new after its first 2 bytes\n\
         {}: not joined: it does not continue the text as JSON\n",
        replies.files[1], replies.files[2]
    );
    assert_eq!(outcome.stderr, expected);
}

#[test]
fn an_incomplete_document_is_written_as_far_as_it_came() {
    let replies = Replies::of("incomplete", &[b"{\"a\": [1", b", \"tw"]);
    let error = "the document is incomplete after 13 bytes\n";
    assert_eq!(replies.merge(&[], ""), says("{\"a\": [1, \"tw", error, 1));
    let error = "standard input: not joined: there is no JSON text in it\n\
                 the document is incomplete after 0 bytes\n";
    assert_eq!(run(&["merge"], "Sorry."), says("", error, 1));
}

#[test]
fn a_report_tells_of_each_file() {
    let replies = Replies::of("report", &[b"[1,1", b",1,2]", b", 3"]);
    let outcome = replies.merge(&["--report"], "");
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(1), "[1,1, 3")
    );
    let report: serde_json::Value = super::json(&outcome.stderr);
    let files = &replies.files;
    assert_eq!(
        report,
        json!({
            "files": [
                {"file": files[0], "kind": "first", "certainty": "certain", "overlap": 0, "growth": 4, "damaged": false},
                {
                    "file": files[1], "kind": "continued", "certainty": "ambiguous", "overlap": 0, "growth": 0,
                    "damaged": false,
                    "candidates": [
                        {"kind": "continued", "overlap": 0, "growth": 5},
                        {"kind": "overlapped", "overlap": 2, "growth": 3},
                    ],
                },
                {"file": files[2], "kind": "continued", "certainty": "certain", "overlap": 0, "growth": 3, "damaged": false},
            ],
            "complete": false,
        })
    );
    let replies = Replies::of("report of a failure", &[b"[1]", b"[2]"]);
    let outcome = replies.merge(&["--report"], "");
    let report = super::json(&outcome.stderr);
    assert_eq!(
        report["files"][1]["reason"],
        "the document was complete before it"
    );
    assert_eq!((outcome.code, &report["complete"]), (Some(1), &json!(true)));
}
