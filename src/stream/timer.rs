//! The maximum duration of a stream, and the minimum time between two items.
//!
//! Both are measured on tokio's clock. Without the feature `tokio`, or outside of a tokio runtime,
//! there is no clock, and neither applies.

use core::task::{Context, Poll};
use core::time::Duration;

use clock::Timer;

/// The remaining time, from the first poll on.
#[derive(Debug)]
pub(super) enum Deadline {
    /// There is no limit or no clock.
    None,
    /// The time starts with the first call.
    Ahead(Duration),
    Running(Timer, Duration),
}

impl Deadline {
    pub(super) fn new(limit: Option<Duration>) -> Self {
        limit.map_or(Self::None, Self::Ahead)
    }

    /// Returns whether the deadline has passed.
    pub(super) fn is_over(&mut self) -> bool {
        if let Self::Ahead(limit) = *self {
            *self = Timer::start(limit).map_or(Self::None, |timer| Self::Running(timer, limit));
        }
        match self {
            Self::None | Self::Ahead(_) => false,
            Self::Running(timer, _) => timer.is_over(),
        }
    }

    /// Returns the limit once the deadline has passed; before that, the task is woken at the
    /// deadline.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Duration> {
        match self {
            Self::None | Self::Ahead(_) => Poll::Pending,
            Self::Running(timer, limit) => timer.poll(cx).map(|()| *limit),
        }
    }
}

/// The minimum time between two items.
#[derive(Debug)]
pub(super) enum Throttle {
    /// At once: there is no interval or no clock.
    Off,
    /// At once: the interval has passed.
    Idle(Duration),
    /// When the interval has passed.
    Running(Timer, Duration),
}

impl Throttle {
    pub(super) fn new(interval: Option<Duration>) -> Self {
        interval.map_or(Self::Off, Self::Idle)
    }

    /// Starts the interval, after an item.
    pub(super) fn start(&mut self) {
        match self {
            Self::Off => {}
            Self::Idle(interval) | Self::Running(_, interval) => {
                let interval = *interval;
                let timer = Timer::start(interval);
                *self = timer.map_or(Self::Off, |timer| Self::Running(timer, interval));
            }
        }
    }

    /// Returns whether the interval has started and not passed.
    pub(super) fn is_running(&mut self) -> bool {
        if let Self::Running(timer, interval) = self
            && timer.is_over()
        {
            *self = Self::Idle(*interval);
        }
        matches!(self, Self::Running(..))
    }

    /// Returns `Ready` once, when the started interval has passed; before that, the task is woken
    /// at its end.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self {
            Self::Off | Self::Idle(_) => Poll::Pending,
            Self::Running(timer, interval) => {
                let over = timer.poll(cx);
                if over.is_ready() {
                    *self = Self::Idle(*interval);
                }
                over
            }
        }
    }
}

#[cfg(feature = "tokio")]
mod clock {
    use alloc::boxed::Box;
    use core::future::Future;
    use core::pin::Pin;
    use core::task::{Context, Poll};
    use core::time::Duration;

    use tokio::runtime::Handle;
    use tokio::time::{Instant, Sleep, sleep};

    use crate::stream::log;

    /// Boxed, so that the adapters are `Unpin` with and without it.
    #[derive(Debug)]
    pub(in crate::stream) struct Timer(Pin<Box<Sleep>>);

    impl Timer {
        pub(super) fn start(limit: Duration) -> Option<Self> {
            if Handle::try_current().is_err() {
                log::no_clock(limit);
                return None;
            }
            Some(Self(Box::pin(sleep(limit))))
        }

        /// Reads the clock itself, because a task that is always ready may keep the runtime from
        /// polling its timers.
        pub(super) fn is_over(&self) -> bool {
            Instant::now() >= self.0.deadline()
        }

        pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
            if self.is_over() {
                return Poll::Ready(());
            }
            self.0.as_mut().poll(cx)
        }
    }
}

#[cfg(not(feature = "tokio"))]
mod clock {
    use core::task::{Context, Poll};
    use core::time::Duration;

    /// There is none.
    #[derive(Debug)]
    pub(in crate::stream) enum Timer {}

    impl Timer {
        pub(super) fn start(_: Duration) -> Option<Self> {
            None
        }

        pub(super) fn is_over(&self) -> bool {
            match *self {}
        }

        pub(super) fn poll(&mut self, _: &mut Context<'_>) -> Poll<()> {
            match *self {}
        }
    }
}
