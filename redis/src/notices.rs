//! Notices of new events: one subscription for all runs that are followed in this process.
//!
//! A notice only says that new events can be read. A lost notice, for example when the connection
//! breaks, delays a reader at most until the end of its wait.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use futures_util::StreamExt as _;
use redis::aio::{PubSubSink, PubSubStream};
use redis::{Client, RedisResult};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, interval, sleep, timeout};

use crate::tail::Tail;

/// The interval at which the connection is checked, and runs that are no longer followed are
/// removed.
const CHECK_EVERY: Duration = Duration::from_secs(5);

/// How long a run is kept here after the last read.
const LINGER: Duration = Duration::from_secs(5);

/// The pauses between attempts to connect, which double.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The runs that are followed in this process, by their channels.
pub(crate) struct Notices {
    followed: Mutex<HashMap<String, Followed>>,
    new: UnboundedSender<String>,
    /// For the task, until it is started.
    waiting: Mutex<Option<(Client, UnboundedReceiver<String>)>>,
}

struct Followed {
    tail: Arc<Tail>,
    last_read: Instant,
}

impl Notices {
    pub(crate) fn new(client: Client) -> Self {
        let (new, receiver) = unbounded_channel();
        Self {
            followed: Mutex::default(),
            new,
            waiting: Mutex::new(Some((client, receiver))),
        }
    }

    /// Returns the tail of a run, to which this process is subscribed from now on.
    pub(crate) fn tail(self: &Arc<Self>, channel: &str) -> Arc<Tail> {
        let waiting = &mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((client, new)) = waiting.take() {
            tokio::spawn(listen(Arc::downgrade(self), client, new));
        }
        let mut followed = self.followed();
        if let Some(run) = followed.get_mut(channel) {
            run.last_read = Instant::now();
            return Arc::clone(&run.tail);
        }
        let tail = Arc::<Tail>::default();
        let run = Followed {
            tail: Arc::clone(&tail),
            last_read: Instant::now(),
        };
        followed.insert(channel.to_owned(), run);
        // The task ends only after this has been dropped.
        let _ = self.new.send(channel.to_owned());
        tail
    }

    fn followed(&self) -> MutexGuard<'_, HashMap<String, Followed>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn channels(&self) -> Vec<String> {
        self.followed().keys().cloned().collect()
    }

    /// Wakes the readers of a run in this process.
    pub(crate) fn wake(&self, channel: &str) {
        if let Some(run) = self.followed().get(channel) {
            run.tail.wake();
        }
    }

    /// Removes and returns the runs that are no longer read.
    fn take_abandoned(&self) -> Vec<String> {
        let mut abandoned = Vec::new();
        self.followed().retain(|channel, run| {
            let is_read = Arc::strong_count(&run.tail) > 1 || run.last_read.elapsed() < LINGER;
            if !is_read {
                abandoned.push(channel.clone());
            }
            is_read
        });
        abandoned
    }
}

/// Receives notices until the log is dropped.
async fn listen(notices: Weak<Notices>, client: Client, mut new: UnboundedReceiver<String>) {
    let mut pause = FIRST_PAUSE;
    while notices.strong_count() > 0 {
        if let Ok(Ok(connection)) = timeout(CHECK_EVERY, client.get_async_pubsub()).await {
            let (sink, messages) = connection.split();
            pause = FIRST_PAUSE;
            // Returns an error if the connection is lost.
            if receive(&notices, sink, messages, &mut new).await.is_ok() {
                return;
            }
        }
        sleep(pause).await;
        pause = LONGEST_PAUSE.min(2 * pause);
    }
}

/// Receives notices over one connection. `Ok` is the end of the log.
async fn receive(
    notices: &Weak<Notices>,
    mut sink: PubSubSink,
    mut messages: PubSubStream,
    new: &mut UnboundedReceiver<String>,
) -> RedisResult<()> {
    let mut checks = interval(CHECK_EVERY);
    let Some(all) = notices.upgrade().map(|notices| notices.channels()) else {
        return Ok(());
    };
    subscribe(notices, &mut sink, all).await?;
    loop {
        tokio::select! {
            message = messages.next() => {
                let Some(message) = message else {
                    return Err(lost());
                };
                if let Some(notices) = notices.upgrade() {
                    notices.wake(message.get_channel_name());
                }
            }
            first = new.recv() => {
                let Some(first) = first else {
                    return Ok(());
                };
                let mut channels = vec![first];
                while let Ok(channel) = new.try_recv() {
                    channels.push(channel);
                }
                subscribe(notices, &mut sink, channels).await?;
            }
            _ = checks.tick() => {
                let Some(abandoned) = notices.upgrade().map(|notices| notices.take_abandoned())
                else {
                    return Ok(());
                };
                if !abandoned.is_empty() {
                    answered(sink.unsubscribe(abandoned)).await?;
                }
                answered(sink.ping()).await?;
            }
        }
    }
}

/// Subscribes to channels, and wakes the readers of their runs, because there may have been events
/// before.
async fn subscribe(
    notices: &Weak<Notices>,
    sink: &mut PubSubSink,
    channels: Vec<String>,
) -> RedisResult<()> {
    if channels.is_empty() {
        return Ok(());
    }
    answered(sink.subscribe(&channels)).await?;
    if let Some(notices) = notices.upgrade() {
        for channel in &channels {
            notices.wake(channel);
        }
    }
    Ok(())
}

/// Waits for an answer, at most until the next check.
async fn answered(command: impl Future<Output = RedisResult<()>>) -> RedisResult<()> {
    timeout(CHECK_EVERY, command).await.map_err(|_| lost())?
}

fn lost() -> redis::RedisError {
    (redis::ErrorKind::Io, "the subscription was lost").into()
}
