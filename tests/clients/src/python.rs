//! Clients that are Python packages, in an environment of their own.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/python");
const REQUIREMENTS: &str = include_str!("../python/requirements.txt");

/// A Python interpreter that has the clients.
#[derive(Debug)]
pub struct Python {
    interpreter: PathBuf,
}

impl Python {
    /// Installs the clients in the target folder, unless they are installed. Returns `None`, and
    /// reports it on stderr, if there is no Python 3.11 or later that can make environments.
    ///
    /// # Panics
    ///
    /// If the clients can't be installed.
    pub fn with_clients() -> Option<&'static Self> {
        static PYTHON: OnceLock<Option<Python>> = OnceLock::new();
        PYTHON.get_or_init(Self::install).as_ref()
    }

    fn install() -> Option<Self> {
        let program = "python3";
        // What the pinned versions need.
        let check = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";
        let can_install = Command::new(program)
            .args(["-c", check])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        if !can_install {
            // Bypasses the captured output of the test, which is not shown if it passes.
            let _ = writeln!(
                io::stderr(),
                "skipped: no {program} of version 3.11 with venv"
            );
            return None;
        }
        let environment = environment();
        let interpreter = environment.join("bin").join(program);
        let installed = environment.join("installed.txt");
        if fs::read_to_string(&installed).ok().as_deref() != Some(REQUIREMENTS) {
            run(Command::new(program)
                .args(["-m", "venv", "--clear"])
                .arg(&environment));
            let requirements = Path::new(SCRIPTS).join("requirements.txt");
            run(Command::new(&interpreter)
                .args(["-m", "pip", "install", "--quiet", "--no-deps"])
                .args(["--disable-pip-version-check", "--requirement"])
                .arg(requirements));
            // Last, so that an installation that was interrupted is repeated.
            fs::write(&installed, REQUIREMENTS).expect("the target folder can be written");
        }
        Some(Self { interpreter })
    }

    /// Returns the command of the script with this name, for a server at this URL.
    pub fn script(&self, name: &str, url: &str) -> Command {
        let mut command = Command::new(&self.interpreter);
        // Proxies are for other hosts than this one.
        command
            .arg(Path::new(SCRIPTS).join(name).with_extension("py"))
            .arg(url)
            .env("NO_PROXY", "127.0.0.1")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("PYTHONUNBUFFERED", "1");
        command
    }
}

/// The folder of the environment: beside the executables of the tests.
fn environment() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    // It is in `debug/deps` of the target folder.
    let target = test.ancestors().nth(3).expect("it is in a target folder");
    target.join("python")
}

#[track_caller]
fn run(command: &mut Command) {
    let status = command.status();
    let status = status.unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    assert!(status.success(), "{command:?} fails: {status}");
}
