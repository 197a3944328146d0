//! A page in headless Chromium, controlled by the Chrome DevTools Protocol.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// The timeout of every wait.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page in a separate browser, which is stopped when this is dropped.
#[derive(Debug)]
pub struct Page {
    /// Stopped with the page.
    _browser: Browser,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    session: Value,
    calls: u64,
    complaints: Vec<String>,
    loads: usize,
}

impl Page {
    /// Opens an empty page. Returns `None`, and reports it on stderr, if there is no browser.
    pub async fn open() -> Option<Self> {
        let (browser, url) = Browser::start()?;
        let (socket, _) = connect_async(url).await.expect("the browser listens");
        let mut page = Self {
            _browser: browser,
            socket,
            session: Value::Null,
            calls: 0,
            complaints: Vec::new(),
            loads: 0,
        };
        let target = json!({"url": "about:blank"});
        let target = page.call("Target.createTarget", target).await;
        let target = json!({"targetId": target["targetId"], "flatten": true});
        let session = page.call("Target.attachToTarget", target).await;
        page.session = session["sessionId"].clone();
        for domain in ["Page", "Runtime", "Log"] {
            page.call(&format!("{domain}.enable"), json!({})).await;
        }
        Some(page)
    }

    /// Opens a URL, and waits until it has loaded.
    pub async fn go(&mut self, url: &str) {
        let before = self.loads;
        self.call("Page.navigate", json!({ "url": url })).await;
        self.loaded_since(before).await;
    }

    /// Reloads the page, as its user would.
    pub async fn reload(&mut self) {
        let before = self.loads;
        self.call("Page.reload", json!({})).await;
        self.loaded_since(before).await;
    }

    async fn loaded_since(&mut self, before: usize) {
        while self.loads == before {
            self.receive().await;
        }
    }

    /// Evaluates an expression in the page, and waits if it is a promise.
    pub async fn evaluate(&mut self, expression: &str) -> Value {
        let expression = json!({
            "expression": expression, "awaitPromise": true, "returnByValue": true
        });
        let mut answer = self.call("Runtime.evaluate", expression).await;
        let exception = &answer["exceptionDetails"];
        assert!(exception.is_null(), "the page throws: {exception}");
        answer["result"]["value"].take()
    }

    /// Sets the size of the window, and whether it is that of a phone.
    pub async fn resize(&mut self, width: u32, height: u32, is_phone: bool) {
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone
        });
        self.call("Emulation.setDeviceMetricsOverride", metrics)
            .await;
    }

    /// Presses a key that has no text, such as `Tab`, or `Enter`.
    pub async fn press(&mut self, key: &str, code: u32) {
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({
                "type": kind, "key": key, "code": key, "text": text,
                "windowsVirtualKeyCode": code
            });
            self.call("Input.dispatchKeyEvent", event).await;
        }
    }

    /// Returns the problems so far: errors and warnings on the console, exceptions, missing
    /// resources.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// As [`complaints`](Self::complaints), and forgets them, because the test has caused them.
    pub fn take_complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    /// Calls a method of the protocol.
    pub async fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let id = self.calls;
        let mut call = json!({"id": id, "method": method, "params": parameters});
        if !self.session.is_null() {
            call["sessionId"] = self.session.clone();
        }
        let call = Message::text(call.to_string());
        self.socket.send(call).await.expect("the browser runs");
        loop {
            let mut message = self.receive().await;
            if message["id"] == id {
                let error = &message["error"];
                assert!(error.is_null(), "{method} fails: {error}");
                return message["result"].take();
            }
        }
    }

    /// Returns the next message, and records the problems in it.
    async fn receive(&mut self) -> Value {
        let message = timeout(PATIENCE, self.socket.next()).await;
        let message = message.expect("the browser answers in time");
        let message = message.expect("the browser runs").expect("it is readable");
        let message = message.into_text().expect("it is a text");
        let message: Value = serde_json::from_str(&message).expect("it is JSON");
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.loads += 1,
            Some("Runtime.exceptionThrown") => {
                self.complaints
                    .push(parameters["exceptionDetails"].to_string());
            }
            Some("Runtime.consoleAPICalled") => {
                let kind = parameters["type"].as_str();
                if matches!(kind, Some("error" | "warning" | "assert")) {
                    self.complaints.push(parameters["args"].to_string());
                }
            }
            Some("Log.entryAdded") => {
                let level = parameters["entry"]["level"].as_str();
                if matches!(level, Some("error" | "warning")) {
                    self.complaints.push(parameters["entry"].to_string());
                }
            }
            _ => {}
        }
        message
    }
}

/// The process, and its profile folder.
#[derive(Debug)]
struct Browser {
    process: Child,
    profile: PathBuf,
    /// Reads the rest of its output, because a full pipe would block it.
    reader: Option<JoinHandle<()>>,
}

impl Browser {
    /// Starts the browser. Returns it with the URL of its remote control.
    fn start() -> Option<(Self, String)> {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let name = format!("json-chunks-clients-{}-{number}", std::process::id());
        let profile = env::temp_dir().join(name);

        let program = env::var_os("CHROMIUM").unwrap_or_else(|| OsString::from("chromium"));
        let started = Command::new(&program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
            ])
            .args(["--no-first-run", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync"])
            .args(["--disable-dev-shm-usage", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stderr(Stdio::piped())
            .spawn();
        let process = match started {
            Ok(process) => process,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let program = program.display();
                // Bypasses the captured output of the test, which is not shown if it passes.
                let _ = writeln!(io::stderr(), "skipped: there is no browser `{program}`");
                return None;
            }
            Err(error) => panic!("{} does not start: {error}", program.display()),
        };
        let mut browser = Self {
            process,
            profile,
            reader: None,
        };

        let stderr = browser.process.stderr.take().expect("it is a pipe");
        let mut lines = BufReader::new(stderr).lines();
        let url = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                line.strip_prefix("DevTools listening on ")
                    .map(str::to_owned)
            })
            .expect("the browser says where it listens");
        browser.reader = Some(thread::spawn(move || lines.for_each(drop)));
        Some((browser, url))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.process.kill().expect("it is ours");
        self.process.wait().expect("it was killed");
        // Its helper processes write to the same pipe, so the end of the pipe means that they have
        // ended.
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
        let _ = fs::remove_dir_all(&self.profile);
    }
}
