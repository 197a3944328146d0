//! The contract of a log.

use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error as StdError;
use core::time::Duration;

use super::LogError;
use crate::sse::SseEvent;

/// A store for the events of runs, which several hosts may share.
///
/// A *run* is one reply, named by an id that the caller chooses. Its events are numbered from 1
/// without gaps, and the number is the event's [id](SseEvent::id). One producer at a time may
/// append to a run: the one that has its *lease*, which lapses unless it is renewed. A run is
/// closed at its end, and only then: a run that is neither closed nor leased has lost its producer.
///
/// Use it through [`logged`](super::LogStreamExt::logged) and [`follow`](super::follow());
/// implement this trait for another store. [`MemoryLog`](super::MemoryLog) serves one process, the
/// package `json-chunks-redis` has a log in Redis. Methods may be written as `async fn`.
///
/// # Rules for implementations
///
/// - *One producer*: [`append`](Self::append) and [`close`](Self::close) compare the lease with the
///   current one and write in one atomic step. A producer that was suspended and continues after
///   another has claimed the run, or after it was closed, changes nothing.
/// - *No gaps*: the number of the first event has to be the next one of the run.
/// - *Retries*: an append that has been made already, by the same lease with the same number,
///   succeeds without effect. So an implementation may retry one whose answer was lost.
/// - *Bounded reads*: [`read`](Self::read) returns a part of a long run.
/// - A run is kept for some time after it was closed or lost its producer, and then removed.
pub trait EventLog: Send + Sync {
    /// The error of the log itself, such as a lost connection.
    type Error: StdError + Send + Sync + 'static;

    /// Creates a run, with its lease for `duration`.
    ///
    /// # Errors
    ///
    /// [`Taken`](LogError::Taken) if the run exists, in any state.
    fn create(
        &self,
        run: &str,
        duration: Duration,
    ) -> impl Future<Output = Result<Lease, LogError<Self::Error>>> + Send;

    /// Takes the lease of a run that has lost its producer. Of several callers at once, one
    /// succeeds.
    ///
    /// # Errors
    ///
    /// [`Taken`](LogError::Taken) if the run has a producer or is closed,
    /// [`UnknownRun`](LogError::UnknownRun) if it does not exist.
    fn claim(
        &self,
        run: &str,
        duration: Duration,
    ) -> impl Future<Output = Result<Lease, LogError<Self::Error>>> + Send;

    /// Renews the lease for its duration, even if it has lapsed, unless another producer has
    /// claimed the run since.
    ///
    /// # Errors
    ///
    /// [`Fenced`](LogError::Fenced) if another producer has claimed the run, or it is closed;
    /// [`Gap`](LogError::Gap) if the run no longer exists.
    fn renew(
        &self,
        lease: &Lease,
    ) -> impl Future<Output = Result<(), LogError<Self::Error>>> + Send;

    /// Appends events, of which the first has this number, and renews the lease. Either all of them
    /// are appended or none. Ids that the events have are replaced by their numbers.
    ///
    /// # Errors
    ///
    /// [`Fenced`](LogError::Fenced) as from [`renew`](Self::renew), or if the number is taken;
    /// [`Gap`](LogError::Gap) if the log lacks the events before it.
    fn append(
        &self,
        lease: &Lease,
        number: u64,
        events: &[SseEvent],
    ) -> impl Future<Output = Result<(), LogError<Self::Error>>> + Send;

    /// Appends the last events, if any, and closes the run, in one step.
    ///
    /// # Errors
    ///
    /// Those of [`append`](Self::append).
    fn close(
        &self,
        lease: &Lease,
        number: u64,
        events: &[SseEvent],
    ) -> impl Future<Output = Result<(), LogError<Self::Error>>> + Send;

    /// Returns the events after a number, oldest first. If there are none yet and the run has a
    /// producer, waits for them for at most `wait`.
    ///
    /// # Errors
    ///
    /// [`UnknownRun`](LogError::UnknownRun) if the run does not exist, [`Gap`](LogError::Gap) if it
    /// has fewer events than `after`.
    fn read(
        &self,
        run: &str,
        after: u64,
        wait: Duration,
    ) -> impl Future<Output = Result<Read, LogError<Self::Error>>> + Send;
}

/// The result of a read of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Read {
    /// Some events; there may be more.
    #[non_exhaustive]
    Events {
        /// The number of the first one. It is larger than the next number if the events before it
        /// are no longer kept.
        first: u64,
        /// At least one, with ids.
        events: Vec<SseEvent>,
    },
    /// Nothing new, and the run has a producer.
    Idle,
    /// Nothing new, and the run has lost its producer: its lease has lapsed.
    Lost,
    /// Nothing will follow: the run is closed, and all of its events have been read.
    Closed,
}

impl Read {
    /// Returns [`Events`](Self::Events), numbered from `first`, or `None` if there are none.
    #[must_use]
    pub fn events(first: u64, events: Vec<SseEvent>) -> Option<Self> {
        (!events.is_empty()).then_some(Self::Events { first, events })
    }
}

/// The right to append to a run, for as long as it is renewed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    run: String,
    token: u64,
    last: u64,
    duration: Duration,
}

impl Lease {
    /// Returns a lease, for implementations of a log. The token has to differ from those of all
    /// other leases of the run.
    #[must_use]
    pub fn new(run: impl Into<String>, token: u64, last: u64, duration: Duration) -> Self {
        Self {
            run: run.into(),
            token,
            last,
            duration,
        }
    }

    /// Returns the id of the run.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Returns the token, which differs from those of all other leases of the run.
    #[must_use]
    pub const fn token(&self) -> u64 {
        self.token
    }

    /// Returns the number of the last event when the lease was taken; 0 if there was none.
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// Returns the duration after which it lapses unless it is renewed.
    #[must_use]
    pub const fn duration(&self) -> Duration {
        self.duration
    }
}
