//! Producers that are processes of their own: killed, suspended, woken up.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use futures::{StreamExt as _, stream};
use json_chunks::event_log::{EventLog as _, LogError, LogStreamExt as _, LostRun, Read, follow};
use json_chunks::join::Accumulator;
use json_chunks::sse::SseEvent;
use json_chunks::stream::SseStreamExt as _;
use json_chunks_redis::RedisLog;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;

use crate::event_log::contract::{LEASE, LONG, all};
use crate::server::Server;

const LOST: &str = r#"{"code":"PRODUCER_LOST","message":"the reply was lost"}"#;

/// The other process: appends each line of its input, and prints how that ended.
#[allow(clippy::print_stdout, reason = "its parent reads it")]
#[test]
#[ignore = "the producer of the other tests, which start it"]
fn producer() {
    let Ok(url) = std::env::var("REDIS_URL") else {
        return;
    };
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if sender.send(SseEvent::new(line)).is_err() {
                return;
            }
        }
    });
    let events = UnboundedReceiverStream::new(receiver).sse();
    let logged = events
        .logged(RedisLog::open(url).unwrap(), "run")
        .lease(LEASE);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let end = match runtime.block_on(logged.drain()) {
        Ok(last) => format!("closed at {last}"),
        Err(LogError::Fenced) => "fenced".to_owned(),
        Err(error) => error.to_string(),
    };
    println!("end: {end}");
}

/// The producer as its parent has it; killed when dropped.
struct Producer {
    process: Child,
}

impl Producer {
    fn start(server: &Server) -> Self {
        let process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "processes::producer", "--ignored", "--nocapture"])
            .env("REDIS_URL", server.url())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self { process }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.process.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Kills it, so that it can do nothing more.
    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Suspends it, and waits until all of its threads stand still.
    async fn suspend(&self) {
        self.signal("STOP");
        let threads = format!("/proc/{}/task", self.process.id());
        let is_stopped = |thread: std::io::Result<std::fs::DirEntry>| {
            let status = std::fs::read_to_string(thread.unwrap().path().join("status"));
            status.unwrap().contains("State:\tT")
        };
        while !std::fs::read_dir(&threads).unwrap().all(is_stopped) {
            tokio::task::yield_now().await;
        }
    }

    fn signal(&self, signal: &str) {
        let id = self.process.id().to_string();
        let status = Command::new("kill")
            .args(["-s", signal, &id])
            .status()
            .unwrap();
        assert!(status.success());
    }

    /// Closes its input, and returns how it ended.
    fn end(mut self) -> String {
        drop(self.process.stdin.take());
        let output = BufReader::new(self.process.stdout.take().unwrap());
        let mut lines = output.lines().map(Result::unwrap);
        let end = lines.find_map(|line| line.split_once("end: ").map(|(_, end)| end.to_owned()));
        end.expect("it prints how it ended")
    }
}

impl Drop for Producer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until an event is in the log.
async fn appended(log: &RedisLog, number: u64) {
    while !matches!(
        log.read("run", number - 1, LONG).await,
        Ok(Read::Events { .. })
    ) {
        tokio::task::yield_now().await;
    }
}

/// What a client on a host of its own receives.
async fn client(server: &Server, last: Option<&str>) -> Vec<String> {
    let events = follow(server.log(), "run", last);
    let events = events
        .map(|event| event.unwrap().data().to_owned())
        .collect();
    tokio::time::timeout(LONG, events)
        .await
        .expect("the run ends")
}

#[tokio::test]
async fn killed_producer_gives_clients_of_all_hosts_the_same_end() {
    let Some(server) = Server::start().await else {
        return;
    };
    let mut producer = Producer::start(&server);
    producer.send("a");
    producer.send("b");
    let log = server.log();
    appended(&log, 2).await;
    let killed = async {
        producer.kill();
    };
    let (one, two, three, ()) = tokio::join!(
        client(&server, None),
        client(&server, None),
        client(&server, Some("1")),
        killed
    );
    assert_eq!(one, ["a", "b", LOST, "[DONE]"]);
    assert_eq!(two, one);
    assert_eq!(three, one[1..]);
    assert_eq!(all(&log, "run").await, one);
}

#[tokio::test]
async fn killed_producer_is_replaced_by_another_host() {
    let Some(server) = Server::start().await else {
        return;
    };
    let mut producer = Producer::start(&server);
    producer.send(r#"{"city": "Kana"#);
    producer.send(r#"zawa", "days": [1, "#);
    let log = server.log();
    appended(&log, 2).await;
    producer.kill();

    // The model is asked to continue the very text that clients have.
    let resume = |lost: LostRun<RedisLog>| {
        tokio::spawn(async move {
            let events = lost.events().await.unwrap();
            let text: String = events.iter().map(SseEvent::data).collect();
            let mut document = Accumulator::new();
            let _ = document.push(&text);
            assert!(document.push_continued("2]}").is_joined());
            let rest = document.text()[text.len()..].to_owned();
            lost.resume(stream::iter([SseEvent::new(rest)]).sse())
                .drain()
                .await
                .unwrap();
        });
    };
    let mut hosts = Vec::new();
    for _ in 0..3 {
        let events = follow(server.log(), "run", None)
            .lease(LEASE)
            .on_lost(resume);
        hosts.push(
            events
                .map(|event| event.unwrap().data().to_owned())
                .collect::<Vec<_>>(),
        );
    }
    for received in futures::future::join_all(hosts).await {
        assert_eq!(
            received[..2].concat() + &received[2],
            r#"{"city": "Kanazawa", "days": [1, 2]}"#
        );
        assert_eq!(received[3..], ["[DONE]"]);
    }
}

#[tokio::test]
async fn suspended_producer_that_wakes_up_is_fenced() {
    let Some(server) = Server::start().await else {
        return;
    };
    let mut producer = Producer::start(&server);
    producer.send("a");
    let log = server.log();
    appended(&log, 1).await;
    producer.suspend().await;
    // It has more to say, when it wakes up.
    producer.send("x");
    let received = client(&server, None).await;
    assert_eq!(received, ["a", LOST, "[DONE]"]);
    producer.signal("CONT");
    assert_eq!(producer.end(), "fenced");
    assert_eq!(all(&log, "run").await, received);
}

#[tokio::test]
async fn undisturbed_producer_closes_its_run() {
    let Some(server) = Server::start().await else {
        return;
    };
    let mut producer = Producer::start(&server);
    producer.send("a");
    appended(&server.log(), 1).await;
    let (received, end) = tokio::join!(
        client(&server, None),
        tokio::task::spawn_blocking(move || producer.end())
    );
    assert_eq!(received, ["a", "[DONE]"]);
    assert_eq!(end.unwrap(), "closed at 2");
}
