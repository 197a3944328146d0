//! A `redis-server` of the test's own, on a socket in a directory of its own.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use json_chunks_redis::RedisLog;
use redis::Client;
use tokio::time::timeout;

/// How long a server may take to start.
const START_WITHIN: Duration = Duration::from_secs(30);

/// Killed, and its directory removed, when dropped.
#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    directory: PathBuf,
    is_durable: bool,
}

impl Server {
    /// Starts a server that loses its data when it stops; `None` if there is none to start.
    pub(crate) async fn start() -> Option<Self> {
        Self::start_with(false).await
    }

    /// Starts a server that has its data again after a restart.
    pub(crate) async fn start_durable() -> Option<Self> {
        Self::start_with(true).await
    }

    async fn start_with(is_durable: bool) -> Option<Self> {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        if Command::new("redis-server")
            .arg("--version")
            .output()
            .is_err()
        {
            eprintln!("skipped: no redis-server");
            return None;
        }
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let directory = format!("json-chunks-redis-{}-{number}", std::process::id());
        let directory = std::env::temp_dir().join(directory);
        std::fs::create_dir_all(&directory).unwrap();
        let process = spawn(&directory, is_durable);
        let server = Self {
            process,
            directory,
            is_durable,
        };
        server.ready().await;
        Some(server)
    }

    /// The URL that clients connect to.
    pub(crate) fn url(&self) -> String {
        format!("redis+unix://{}", self.directory.join("socket").display())
    }

    /// A log with connections of its own, as another host has it.
    pub(crate) fn log(&self) -> RedisLog {
        RedisLog::open(self.url()).unwrap()
    }

    /// Breaks the subscriptions of all clients, and no other connection.
    pub(crate) async fn break_subscriptions(&self) -> u64 {
        let client = Client::open(self.url()).unwrap();
        let mut connection = client.get_multiplexed_async_connection().await.unwrap();
        let mut kill = redis::cmd("CLIENT");
        kill.arg(&["KILL", "TYPE", "pubsub"]);
        kill.query_async(&mut connection).await.unwrap()
    }

    /// All keys that there are.
    pub(crate) async fn keys(&self) -> Vec<String> {
        let client = Client::open(self.url()).unwrap();
        let mut connection = client.get_multiplexed_async_connection().await.unwrap();
        redis::cmd("KEYS")
            .arg("*")
            .query_async(&mut connection)
            .await
            .unwrap()
    }

    /// Kills the server, so that it can't say goodbye.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Starts it again, with the data of a durable one.
    pub(crate) async fn restart(&mut self) {
        self.process = spawn(&self.directory, self.is_durable);
        self.ready().await;
    }

    async fn ready(&self) {
        let client = Client::open(self.url()).unwrap();
        let ready = async {
            loop {
                if let Ok(mut connection) = client.get_multiplexed_async_connection().await
                    && redis::cmd("PING").exec_async(&mut connection).await.is_ok()
                {
                    return;
                }
                tokio::task::yield_now().await;
            }
        };
        timeout(START_WITHIN, ready)
            .await
            .expect("the server starts");
    }
}

fn spawn(directory: &std::path::Path, is_durable: bool) -> Child {
    let durable = if is_durable { "yes" } else { "no" };
    Command::new("redis-server")
        .args(["--port", "0", "--unixsocket", "socket", "--save", ""])
        .args(["--appendonly", durable, "--appendfsync", "always"])
        .arg("--dir")
        .arg(directory)
        .current_dir(directory)
        .stdout(Stdio::null())
        .spawn()
        .expect("it was found before")
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}
