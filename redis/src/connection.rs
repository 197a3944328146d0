//! One connection for all commands, which is reopened when it is lost.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{
    AsyncConnectionConfig, Client, ErrorKind, FromRedisValue, RedisError, RedisResult,
    ScriptInvocation, ServerErrorKind,
};
use tokio::time::{Instant, sleep, timeout_at};

use crate::CENTURY;

/// The timeout of an answer of Redis, and of a new connection.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// The pauses between attempts, which double.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

pub(crate) struct Connection {
    client: Client,
    current: Mutex<Current>,
    /// Held while connecting, so that all waiting callers get the same connection.
    connecting: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Current {
    connection: Option<MultiplexedConnection>,
    /// The number of the connection, from 1.
    generation: u64,
    since: Option<Instant>,
}

impl Connection {
    pub(crate) fn new(client: Client) -> Self {
        Self {
            client,
            current: Mutex::default(),
            connecting: tokio::sync::Mutex::default(),
        }
    }

    /// Runs a script. Retries until `patience` is over, even while Redis restarts; so the script
    /// must be repeatable.
    pub(crate) async fn run<T: FromRedisValue>(
        &self,
        script: &ScriptInvocation<'_>,
        patience: Duration,
    ) -> RedisResult<T> {
        let deadline = Instant::now() + patience.min(CENTURY);
        let mut pause = FIRST_PAUSE;
        loop {
            let error = match timeout_at(deadline, self.attempt(script)).await {
                Ok(Ok(value)) => return Ok(value),
                Ok(Err(error)) => error,
                Err(_) => (ErrorKind::Io, "Redis did not answer in time").into(),
            };
            if !is_temporary(&error) || Instant::now() + pause >= deadline {
                return Err(error);
            }
            sleep(pause).await;
            pause = LONGEST_PAUSE.min(2 * pause);
        }
    }

    async fn attempt<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>) -> RedisResult<T> {
        let (mut connection, generation) = self.get().await?;
        let answer = script.invoke_async(&mut connection).await;
        if answer.as_ref().is_err_and(is_temporary) {
            self.discard(generation);
        }
        answer
    }

    /// Returns whether the connection was reopened less than this long ago. Producers may not have
    /// had the time to renew their leases since then.
    pub(crate) fn was_lost_within(&self, duration: Duration) -> bool {
        let current = self.current();
        current.generation > 1 && (current.since).is_none_or(|since| since.elapsed() < duration)
    }

    fn current(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn existing(&self) -> Option<(MultiplexedConnection, u64)> {
        let current = self.current();
        let connection = current.connection.clone()?;
        Some((connection, current.generation))
    }

    async fn get(&self) -> RedisResult<(MultiplexedConnection, u64)> {
        if let Some(existing) = self.existing() {
            return Ok(existing);
        }
        let _connecting = self.connecting.lock().await;
        if let Some(existing) = self.existing() {
            return Ok(existing);
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(ANSWER_WITHIN))
            .set_response_timeout(Some(ANSWER_WITHIN));
        let connection = self
            .client
            .get_multiplexed_async_connection_with_config(&config)
            .await?;
        let mut current = self.current();
        current.generation += 1;
        current.since = Some(Instant::now());
        current.connection = Some(connection.clone());
        Ok((connection, current.generation))
    }

    /// Drops a failed connection, unless another caller has dropped it.
    fn discard(&self, generation: u64) {
        let mut current = self.current();
        if current.generation == generation {
            current.connection = None;
        }
    }
}

/// Returns whether another attempt may succeed: the connection failed, or the server is not ready.
fn is_temporary(error: &RedisError) -> bool {
    error.is_io_error()
        || error.is_timeout()
        || error.is_connection_dropped()
        || error.is_connection_refusal()
        || matches!(
            error.kind(),
            ErrorKind::Server(
                ServerErrorKind::BusyLoading
                    | ServerErrorKind::MasterDown
                    | ServerErrorKind::ReadOnly
                    | ServerErrorKind::TryAgain
            )
        )
}
