//! What several processes need: a Redis that they share, and one address for all of them.

use std::io::{self, Write as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(30);

/// A `redis-server` on a socket in a folder of its own; killed, and its folder removed, when
/// dropped.
#[derive(Debug)]
pub struct Redis {
    process: Child,
    folder: PathBuf,
}

impl Redis {
    /// Starts a server without data. Returns `None`, and reports it on stderr, if there is none.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn start() -> Option<Self> {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let name = format!("json-chunks-clients-redis-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("the folder can be created");
        let started = Command::new("redis-server")
            .args(["--port", "0", "--unixsocket", "socket", "--save", ""])
            .current_dir(&folder)
            .stdout(Stdio::null())
            .spawn();
        let process = match started {
            Ok(process) => process,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let _ = std::fs::remove_dir_all(&folder);
                // Bypasses the captured output of the test, which is not shown if it passes.
                let _ = writeln!(io::stderr(), "skipped: no redis-server");
                return None;
            }
            Err(error) => panic!("redis-server does not start: {error}"),
        };
        let redis = Self { process, folder };
        let start = Instant::now();
        while UnixStream::connect(redis.folder.join("socket")).is_err() {
            assert!(start.elapsed() < PATIENCE, "redis-server does not listen");
            thread::yield_now();
        }
        Some(redis)
    }

    /// The URL that clients connect to.
    pub fn url(&self) -> String {
        format!("redis+unix://{}", self.folder.join("socket").display())
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.process.kill().expect("it is ours");
        self.process.wait().expect("it was killed");
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// One address for several hosts: a connection is passed to the first of them that accepts it.
#[derive(Debug)]
pub struct Balancer {
    url: String,
    task: JoinHandle<()>,
}

impl Balancer {
    /// Listens on a free port, for the hosts at these URLs.
    ///
    /// # Panics
    ///
    /// If there is no free port.
    pub async fn start(hosts: &[&str]) -> Self {
        let address = |url: &&str| {
            let address = url.strip_prefix("http://").unwrap_or(url);
            address.trim_end_matches('/').to_owned()
        };
        let hosts: Vec<String> = hosts.iter().map(address).collect();
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("there is a free port");
        let address = listener.local_addr().expect("it listens");
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass_on(client, hosts.clone()));
            }
        });
        let url = format!("http://{address}/");
        Self { url, task }
    }

    /// The address of all hosts.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Copies both directions of a connection, until one of its ends is lost.
async fn pass_on(mut client: TcpStream, hosts: Vec<String>) {
    for host in hosts {
        if let Ok(mut server) = TcpStream::connect(host).await {
            let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
            return;
        }
    }
}
