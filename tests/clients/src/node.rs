//! Clients that are packages for Node.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/node");
const LOCK: &str = include_str!("../node/package-lock.json");

/// Node, with the clients.
#[derive(Debug)]
pub struct Node(());

impl Node {
    /// Installs the clients beside the scripts, unless they are installed. Returns `None`, and
    /// reports it on stderr, if there is no Node 20 or later, or no npm.
    ///
    /// # Panics
    ///
    /// If the clients can't be installed.
    pub fn with_clients() -> Option<Self> {
        if !has_node() || !succeeds("npm", &["--version"]) {
            // Bypasses the captured output of the test, which is not shown if it passes.
            let _ = writeln!(io::stderr(), "skipped: no node 20 with npm");
            return None;
        }
        // Tests run at the same time.
        static INSTALLATION: Mutex<()> = Mutex::new(());
        let _installation = INSTALLATION.lock().unwrap_or_else(PoisonError::into_inner);
        let installed = Path::new(SCRIPTS).join("node_modules/installed.json");
        if fs::read_to_string(&installed).ok().as_deref() != Some(LOCK) {
            let status = Command::new("npm")
                .args(["ci", "--silent"])
                .current_dir(SCRIPTS)
                .status()
                .expect("it has printed its version");
            assert!(status.success(), "npm ci fails: {status}");
            // Last, so that an installation that was interrupted is repeated.
            fs::write(&installed, LOCK).expect("the folder can be written");
        }
        Some(Self(()))
    }

    /// Returns the command of the script with this name, for a server at this URL.
    pub fn script(&self, name: &str, url: &str) -> Command {
        let mut command = Command::new("node");
        // Proxies are for other hosts than this one.
        command
            .arg(Path::new(SCRIPTS).join(name).with_extension("mjs"))
            .arg(url)
            .env("NO_PROXY", "127.0.0.1");
        command
    }
}

/// Whether there is Node 20 or later.
pub fn has_node() -> bool {
    let check = "process.exitCode = Number(parseInt(process.versions.node) < 20)";
    succeeds("node", &["--eval", check])
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
