//! Clients that are packages for Node.

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/node");

/// Which versions of the clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Versions {
    /// Those that Node 20 runs.
    Node20,
    /// The next major versions, which need Node 22.
    Next,
}

impl Versions {
    /// Returns the versions that the environment asks for: with `CLIENTS=next` the next ones.
    ///
    /// # Panics
    ///
    /// If the variable has another value.
    pub fn from_environment() -> Self {
        match env::var("CLIENTS").as_deref() {
            Err(_) | Ok("") => Self::Node20,
            Ok("next") => Self::Next,
            Ok(other) => panic!("CLIENTS={other} is unknown, only `next` is known"),
        }
    }

    const fn node(self) -> u32 {
        match self {
            Self::Node20 => 20,
            Self::Next => 22,
        }
    }

    /// The folder with the packages, below that of the scripts, and the folder where they are
    /// installed.
    const fn folders(self) -> [&'static str; 2] {
        match self {
            Self::Node20 => ["", "node"],
            Self::Next => ["next", "node-next"],
        }
    }
}

/// Node, with the clients and their scripts.
#[derive(Debug)]
pub struct Node {
    folder: PathBuf,
}

impl Node {
    /// Installs the clients in the target folder, unless they are installed. Returns `None`, and
    /// reports it on stderr, if there is no npm, or no Node that can run them.
    ///
    /// # Panics
    ///
    /// If the clients can't be installed.
    pub fn with_clients() -> Option<&'static Self> {
        static NODE: OnceLock<Option<Node>> = OnceLock::new();
        NODE.get_or_init(|| Self::install(Versions::from_environment()))
            .as_ref()
    }

    fn install(versions: Versions) -> Option<Self> {
        let least = versions.node();
        if !has_version(least) || !succeeds("npm", &["--version"]) {
            // Bypasses the captured output of the test, which is not shown if it passes.
            let _ = writeln!(io::stderr(), "skipped: no node {least} with npm");
            return None;
        }
        let [packages, folder] = versions.folders();
        let folder = target().join(folder);
        let packages = Path::new(SCRIPTS).join(packages);
        fs::create_dir_all(&folder).expect("the target folder can be written");
        for entry in fs::read_dir(SCRIPTS).expect("the scripts are there") {
            let path = entry.expect("the scripts can be listed").path();
            // Beside the packages, because that is where imports look for them.
            if path.extension().is_some_and(|extension| extension == "mjs") {
                copy(&path, &folder);
            }
        }
        let lock = fs::read(packages.join("package-lock.json")).expect("the lock file is there");
        let installed = folder.join("node_modules/installed.json");
        if fs::read(&installed).ok().as_ref() != Some(&lock) {
            copy(&Path::new(SCRIPTS).join(".npmrc"), &folder);
            copy(&packages.join("package.json"), &folder);
            copy(&packages.join("package-lock.json"), &folder);
            let status = Command::new("npm")
                .args(["ci", "--silent"])
                .current_dir(&folder)
                .status()
                .expect("it has printed its version");
            assert!(status.success(), "npm ci fails: {status}");
            // Last, so that an installation that was interrupted is repeated.
            fs::write(&installed, lock).expect("the target folder can be written");
        }
        Some(Self { folder })
    }

    /// Returns the command of the script with this name, for a server at this URL.
    pub fn script(&self, name: &str, url: &str) -> Command {
        let mut command = Command::new("node");
        // Proxies are for other hosts than this one.
        command
            .arg(self.folder.join(name).with_extension("mjs"))
            .arg(url)
            .env("NO_PROXY", "127.0.0.1");
        command
    }
}

/// Whether there is Node 20 or later.
pub fn has_node() -> bool {
    has_version(Versions::Node20.node())
}

fn has_version(least: u32) -> bool {
    let check = format!("process.exitCode = Number(parseInt(process.versions.node) < {least})");
    succeeds("node", &["--eval", &check])
}

/// The target folder of the tests.
fn target() -> PathBuf {
    let test = env::current_exe().expect("a test has a path");
    // It is in `debug/deps` of the target folder.
    let target = test.ancestors().nth(3).expect("it is in a target folder");
    target.to_owned()
}

fn copy(file: &Path, folder: &Path) {
    let name = file.file_name().expect("it is a file");
    fs::copy(file, folder.join(name)).expect("the target folder can be written");
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
