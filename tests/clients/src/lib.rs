//! Shared by the tests in this package: the example servers, and a browser.

pub mod browser;
pub mod hosts;
pub mod node;
pub mod outcome;
pub mod python;
pub mod script;

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// The sample stream that the servers answer from.
pub const SNAPSHOTS: &str = include_str!("../../../examples/data/itinerary.jsonl");

/// The last snapshot of the sample stream.
pub fn last_snapshot() -> Value {
    let last = SNAPSHOTS.lines().last().expect("there are snapshots");
    serde_json::from_str(last).expect("each line is JSON")
}

/// An example server of the crate, stopped when dropped.
#[derive(Debug)]
pub struct Server {
    process: Child,
    url: String,
    /// Kept open, because otherwise the server could not write to it.
    _stdout: BufReader<ChildStdout>,
}

impl Server {
    /// Builds the example and starts it on a free port.
    pub fn start(example: &str, arguments: &[&str]) -> Self {
        // As the workspace is tested, so that what was built for that is used.
        let build = ["--workspace", "--all-features", "--example", example];
        Self::of(executable(example, &build), arguments)
    }

    /// As [`start`](Self::start), for an example of the package `json-chunks-redis`.
    pub fn start_with_redis(example: &str, arguments: &[&str]) -> Self {
        let manifest = ["--manifest-path", "redis/Cargo.toml", "--example", example];
        let build = [&manifest[..], &["--target-dir", "target/redis"]].concat();
        Self::of(executable(example, &build), arguments)
    }

    fn of(executable: PathBuf, arguments: &[&str]) -> Self {
        let mut process = Command::new(executable)
            .args(["--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the example that was just built starts");
        let stdout = process.stdout.take().expect("it is a pipe");
        let mut stdout = BufReader::new(stdout);
        let mut url = String::new();
        stdout.read_line(&mut url).expect("its first line is a URL");
        Self {
            process,
            url: url.trim_end().to_owned(),
            _stdout: stdout,
        }
    }

    /// The address that it printed.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().expect("it is ours");
        self.process.wait().expect("it was killed");
    }
}

/// The path of the example's executable, which is built on first use.
fn executable(example: &str, arguments: &[&str]) -> PathBuf {
    static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let path = built.entry(arguments.concat());
    path.or_insert_with(|| build(example, arguments)).clone()
}

fn build(example: &str, arguments: &[&str]) -> PathBuf {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet"])
        .args(arguments)
        .args(["--message-format", "json-render-diagnostics"])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo runs: it runs this test");
    assert!(output.status.success(), "the example {example} builds");
    let messages = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == example)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .expect("cargo tells where the executable is")
}
