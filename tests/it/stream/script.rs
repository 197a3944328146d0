//! A scripted inner stream.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures::stream::Stream;

/// One poll of a [`Script`].
#[derive(Clone, Debug)]
pub(super) enum Step<T> {
    Item(T),
    /// `Pending`, with an immediate wake-up.
    Wait,
}

/// A scripted inner stream, which panics when it is polled after its end.
#[derive(Debug)]
pub(super) struct Script<T> {
    steps: VecDeque<Step<T>>,
    ended: bool,
}

impl<T> Script<T> {
    pub(super) fn new(steps: impl IntoIterator<Item = Step<T>>) -> Self {
        Self {
            steps: steps.into_iter().collect(),
            ended: false,
        }
    }

    pub(super) fn of(items: impl IntoIterator<Item = T>) -> Self {
        Self::new(items.into_iter().map(Step::Item))
    }
}

impl<T: Unpin> Stream for Script<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        assert!(!self.ended, "polled after its end");
        match self.steps.pop_front() {
            Some(Step::Item(item)) => Poll::Ready(Some(item)),
            Some(Step::Wait) => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            None => {
                self.ended = true;
                Poll::Ready(None)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let items = self
            .steps
            .iter()
            .filter(|step| matches!(step, Step::Item(_)))
            .count();
        (items, Some(items))
    }
}
