//! tokio's clock. Without a runtime nothing is ever due.

use alloc::boxed::Box;
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;

use tokio::runtime::Handle;
use tokio::time::{Instant, Sleep, sleep_until, timeout_at};

/// Longer than any wait, in place of durations that the clock cannot add.
const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Returns the time after a duration.
pub(super) fn later(now: Instant, duration: Duration) -> Instant {
    now.checked_add(duration).unwrap_or_else(|| now + CENTURY)
}

/// Waits for a future, until the deadline.
pub(super) async fn until(deadline: Instant, future: impl Future<Output = ()>) {
    if Handle::try_current().is_ok() {
        // The caller checks what has changed, and the clock.
        let _ = timeout_at(deadline, future).await;
    } else {
        future.await;
    }
}

/// An interval that starts with the first poll after a restart.
#[derive(Debug, Default)]
pub(super) struct Timer {
    sleep: Option<Pin<Box<Sleep>>>,
    is_running: bool,
}

impl Timer {
    pub(super) fn restart(&mut self) {
        self.is_running = false;
    }

    /// Returns `Ready` when the interval has passed; before that, the task is woken at its end.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, interval: Duration) -> Poll<()> {
        if !self.is_running {
            if Handle::try_current().is_err() {
                return Poll::Pending;
            }
            let deadline = later(Instant::now(), interval);
            match &mut self.sleep {
                Some(sleep) => sleep.as_mut().reset(deadline),
                None => self.sleep = Some(Box::pin(sleep_until(deadline))),
            }
            self.is_running = true;
        }
        match &mut self.sleep {
            // Reads the clock itself, because a task that is always ready may keep the runtime from
            // polling its timers.
            Some(sleep) if Instant::now() < sleep.deadline() => sleep.as_mut().poll(cx),
            Some(_) => Poll::Ready(()),
            None => Poll::Pending,
        }
    }
}
