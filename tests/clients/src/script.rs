//! Programs that print one line per result.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The timeout of each line.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a program, and returns the lines that it has printed. Its stderr is that of the test.
///
/// # Panics
///
/// If it does not start, prints nothing for a minute, or fails.
#[track_caller]
pub fn lines(command: &mut Command) -> Vec<String> {
    let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut process = started.unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    let stdout = process.stdout.take().expect("it is a pipe");
    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in BufReader::new(stdout).lines() {
            let line = line.expect("it is a text");
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let mut lines = Vec::new();
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(line) => lines.push(line),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                process.kill().expect("it is ours");
                process.wait().expect("it was killed");
                panic!("{command:?} is stuck after {lines:#?}");
            }
        }
    }
    reader.join().expect("the reader does not panic");
    let status = process.wait().expect("it was started");
    assert!(
        status.success(),
        "{command:?} fails: {status}, after {lines:#?}"
    );
    lines
}
