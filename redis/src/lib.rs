#![doc = include_str!("../README.md")]

mod connection;
mod notices;
mod scripts;
mod tail;

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use json_chunks::event_log::{EventLog, Lease, LogError, Read};
use json_chunks::sse::SseEvent;
use redis::{Client, IntoConnectionInfo, RedisError, RedisResult};
use tokio::time::{Instant, timeout_at};

use connection::Connection;
use notices::Notices;
use scripts::{Answer, Reading, Scripts, accepted, found};

/// The maximum of all durations: 100 years, which Redis can still add to a date.
const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// A log of events in Redis, which several hosts share.
///
/// Clones share two connections, one for commands and one for notices of new events. Each is opened
/// when it is needed, and again when it was lost. All readers of a run in a process share the
/// events that are read from Redis.
///
/// See the [crate's documentation](crate) for the stored keys, and for the behavior when Redis
/// restarts.
#[derive(Clone)]
pub struct RedisLog {
    shared: Arc<Shared>,
    prefix: String,
    keep: Duration,
    max_events: u64,
    patience: Duration,
    grace: Duration,
}

struct Shared {
    connection: Connection,
    notices: Arc<Notices>,
    scripts: Scripts,
}

impl RedisLog {
    /// Returns a log on the server at this URL, such as `redis://127.0.0.1/`. Nothing is connected
    /// yet.
    ///
    /// # Errors
    ///
    /// If it is not the URL of a server.
    pub fn open(url: impl IntoConnectionInfo) -> RedisResult<Self> {
        Ok(Self::new(Client::open(url)?))
    }

    /// Returns a log on the server of a client. Nothing is connected yet.
    #[must_use]
    pub fn new(client: Client) -> Self {
        Self {
            shared: Arc::new(Shared {
                connection: Connection::new(client.clone()),
                notices: Arc::new(Notices::new(client)),
                scripts: Scripts::new(),
            }),
            prefix: "json-chunks".to_owned(),
            keep: Duration::from_secs(5 * 60),
            max_events: 100_000,
            patience: Duration::from_secs(10),
            grace: Duration::from_secs(5),
        }
    }

    /// Sets the prefix of all keys. The default is `json-chunks`.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Sets how long a run is kept after the last write. The default is five minutes. Renewing the
    /// lease counts as a write.
    #[must_use]
    pub fn keep(mut self, duration: Duration) -> Self {
        self.keep = duration;
        self
    }

    /// Sets how many events of a run are kept at least. The default is 100,000, the minimum one.
    /// Redis may keep some more.
    #[must_use]
    pub fn max_events(mut self, events: u64) -> Self {
        self.max_events = events.max(1);
        self
    }

    /// Sets how long an operation is retried while Redis cannot be reached, before it fails. The
    /// default is 10 seconds. Producers and clients wait for this long when Redis restarts.
    #[must_use]
    pub fn patience(mut self, duration: Duration) -> Self {
        self.patience = duration;
        self
    }

    /// Sets how long after a lost connection no producer counts as lost. The default is 5 seconds.
    /// While Redis was unreachable, producers could not renew their leases.
    #[must_use]
    pub fn grace(mut self, duration: Duration) -> Self {
        self.grace = duration;
        self
    }

    /// Returns the keys of a run, and its channel.
    fn keys(&self, run: &str) -> [String; 3] {
        ["meta", "events", "appended"].map(|part| format!("{}:{{{run}}}:{part}", self.prefix))
    }

    /// Returns how long a run with a lease of this duration is kept, in milliseconds.
    fn keep_for(&self, duration: Duration) -> u64 {
        milliseconds(self.keep.max(duration))
    }

    async fn take(
        &self,
        script: &redis::Script,
        run: &str,
        duration: Duration,
    ) -> Result<Lease, LogError<RedisError>> {
        let [meta, events, _] = self.keys(run);
        let token = token();
        let mut script = script.key(meta);
        script
            .key(events)
            .arg(token)
            .arg(milliseconds(duration))
            .arg(self.keep_for(duration));
        let last = accepted(&self.run(&script).await?)?;
        Ok(Lease::new(run, token, last, duration))
    }

    async fn write(
        &self,
        lease: &Lease,
        number: Option<u64>,
        events: &[SseEvent],
        closes: bool,
    ) -> Result<(), LogError<RedisError>> {
        let [meta, stream, channel] = self.keys(lease.run());
        let mut script = self.shared.scripts.write.key(meta);
        script
            .key(stream)
            .key(&channel)
            .arg(lease.token())
            .arg(milliseconds(lease.duration()))
            .arg(self.keep_for(lease.duration()))
            .arg(self.max_events)
            .arg(u8::from(closes))
            .arg(number.map_or_else(String::new, |number| number.to_string()));
        for event in events {
            let retry = event.retry().map(|retry| retry.as_millis().to_string());
            let retry = retry.unwrap_or_default();
            script.arg(event.name()).arg(event.data()).arg(retry);
        }
        accepted(&self.run(&script).await?)?;
        if closes || !events.is_empty() {
            // Without waiting for the notice: this process reads what it has written.
            self.shared.notices.wake(&channel);
        }
        Ok(())
    }

    async fn run(
        &self,
        script: &redis::ScriptInvocation<'_>,
    ) -> Result<Answer, LogError<RedisError>> {
        let connection = &self.shared.connection;
        let answer = connection.run(script, self.patience).await;
        answer.map_err(LogError::Backend)
    }

    async fn ask(&self, run: &str, after: u64) -> Result<Reading, LogError<RedisError>> {
        let [meta, events, _] = self.keys(run);
        let script = self.shared.scripts.read(&meta, &events, after);
        let connection = &self.shared.connection;
        let answer = connection.run(&script, self.patience).await;
        let mut reading = found(answer.map_err(LogError::Backend)?)?;
        if reading.read == Read::Lost && connection.was_lost_within(self.grace) {
            reading.read = Read::Idle;
        }
        Ok(reading)
    }
}

impl EventLog for RedisLog {
    type Error = RedisError;

    async fn create(&self, run: &str, duration: Duration) -> Result<Lease, LogError<RedisError>> {
        self.take(&self.shared.scripts.create, run, duration).await
    }

    async fn claim(&self, run: &str, duration: Duration) -> Result<Lease, LogError<RedisError>> {
        self.take(&self.shared.scripts.claim, run, duration).await
    }

    async fn renew(&self, lease: &Lease) -> Result<(), LogError<RedisError>> {
        self.write(lease, None, &[], false).await
    }

    async fn append(
        &self,
        lease: &Lease,
        number: u64,
        events: &[SseEvent],
    ) -> Result<(), LogError<RedisError>> {
        self.write(lease, Some(number), events, false).await
    }

    async fn close(
        &self,
        lease: &Lease,
        number: u64,
        events: &[SseEvent],
    ) -> Result<(), LogError<RedisError>> {
        self.write(lease, Some(number), events, true).await
    }

    async fn read(
        &self,
        run: &str,
        after: u64,
        wait: Duration,
    ) -> Result<Read, LogError<RedisError>> {
        let [_, _, channel] = self.keys(run);
        let tail = self.shared.notices.tail(&channel);
        let deadline = Instant::now() + wait.min(CENTURY);
        loop {
            // Enabled before the run is read, so that no notice in between is missed.
            let mut changed = pin!(tail.changed());
            changed.as_mut().enable();
            let read = tail.read(after, self.ask(run, after)).await?;
            if read != Read::Idle || Instant::now() >= deadline {
                return Ok(read);
            }
            // Either way the run is read again.
            let _ = timeout_at(deadline, changed).await;
        }
    }
}

impl fmt::Debug for RedisLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisLog")
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

/// Returns a duration in milliseconds, at least 1, because at 0 Redis removes a key at once.
fn milliseconds(duration: Duration) -> u64 {
    let milliseconds = duration.min(CENTURY).as_millis();
    u64::try_from(milliseconds).unwrap_or(u64::MAX).max(1)
}

/// Returns a number that no other lease has, on any host. The standard library seeds its hashers
/// from the randomness of the system, which is enough, because a token is not a secret.
fn token() -> u64 {
    RandomState::new().hash_one(std::process::id())
}
