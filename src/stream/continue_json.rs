//! The loop: ask the model to continue until the document is complete.
//!
//! # For maintainers
//!
//! | phase | on a poll | next |
//! | --- | --- | --- |
//! | `Between` | yields the events of the last reply | `Calling` with `CallStarted`, or `Over` |
//! | `Calling` | polls the call | `Between`, with a `Reply` in the queue or `CallFailed` |
//! | `Over` | `None` | |
//!
//! `Between` becomes `Over` with the event `Completed` or `Stopped`.
//!
//! - *One call at a time*: `call` is set exactly in the phase `Calling`.
//! - *No decision about JSON*: the [`Accumulator`] and [`Progress`] decide whether the loop
//!   continues.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::{FusedStream, Stream};
use pin_project_lite::pin_project;

use crate::continuation::{Accumulator, ContinuationPrompt, JoinOutcome, Progress, ProgressChange};

/// The default maximum number of calls.
const MOST_CALLS: u32 = 10;

/// The maximum number of events of one call: its start, its outcome, and the progress.
const EVENTS_PER_CALL: usize = 3;

/// Asks a model to continue a truncated reply until the document is complete.
///
/// `first` is the first reply. While the document is incomplete, `model` is called with a
/// [`ContinuationPrompt`], which can be written into a prompt, and its reply is
/// [joined](Accumulator) to the text so far. The stream yields a [`ContinueEvent`] for each step
/// and ends with [`Completed`](ContinueEvent::Completed) or [`Stopped`](ContinueEvent::Stopped).
///
/// ```
/// use futures::{StreamExt, executor::block_on};
/// use json_chunks::stream::{ContinueEvent, continue_json};
///
/// let first = r#"{"title": "Trip", "days": [1, 2"#;
/// let mut events = continue_json(first, async |continuation| {
///     assert_eq!(continuation.pointer(), "/days/1");
///     let _prompt = continuation.to_prompt(4000);
///     // Here the model is called.
///     Ok::<_, std::io::Error>("Progress: 80%\n, 3]}".to_owned())
/// });
/// let mut text = None;
/// block_on(async {
///     while let Some(event) = events.next().await {
///         match event {
///             ContinueEvent::Progress { percent, .. } => assert_eq!(percent, 80),
///             ContinueEvent::CallFailed { error, .. } => panic!("{error}"),
///             ContinueEvent::Completed => text = Some(events.accumulator().text().to_owned()),
///             _ => {}
///         }
///     }
/// });
/// assert_eq!(text.as_deref(), Some(r#"{"title": "Trip", "days": [1, 2, 3]}"#));
/// ```
///
/// # Bounds
///
/// The model is called at most [ten times](ContinueJson::max_calls); a call that fails counts. It
/// is not called again after [three calls in a row](Progress::max_stalls) without progress, that
/// is, calls that failed, whose reply could not be joined or added nothing, or that reported a
/// percentage that did not rise. A reply reports one if its first line is `Progress: N%`, as
/// [`ContinuationPrompt::question`] asks; that line is not part of the JSON.
///
/// After a reply that added nothing, the prompt asks for the truncated element from its start
/// ([`ContinuationPrompt::again`]). The stream does not choose between candidates: take the
/// accumulator, accept one, and continue with [`continue_json_with`].
///
/// The closure limits the duration of a call, for example with `tokio::time::timeout`; the stream
/// itself has no clock and spawns nothing.
///
/// # Cancel safety
///
/// Dropping the future of a single poll loses nothing: the next poll continues the call. Dropping
/// the stream drops the call, as does [`into_accumulator`](ContinueJson::into_accumulator), which
/// returns the accumulator. It can be serialized and continued later ([`continue_json_with`]).
pub fn continue_json<F, Fut, E>(first: impl AsRef<str>, model: F) -> ContinueJson<F, Fut>
where
    F: FnMut(ContinuationPrompt) -> Fut,
    Fut: Future<Output = Result<String, E>>,
{
    let mut stream = continue_json_with(Accumulator::new(), model);
    let outcome = stream.accumulator.push(first.as_ref());
    stream.queue.push_back(LoopStep::Reply { call: 0, outcome });
    stream
}

/// Like [`continue_json`], but starts from an accumulator. If the accumulator is empty, the model
/// is called for the first reply as well, with a prompt that [is the
/// start](ContinuationPrompt::is_start).
pub fn continue_json_with<F, Fut, E>(accumulator: Accumulator, model: F) -> ContinueJson<F, Fut>
where
    F: FnMut(ContinuationPrompt) -> Fut,
    Fut: Future<Output = Result<String, E>>,
{
    ContinueJson {
        model,
        call: None,
        accumulator,
        progress: Progress::new(),
        calls: 0,
        max_calls: MOST_CALLS,
        queue: VecDeque::new(),
        phase: CallPhase::Between,
        is_again: false,
    }
}

/// What happens while a model [continues a reply](continue_json).
///
/// The errors and texts are payload, which `Debug` shows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContinueEvent<E> {
    /// A call of the model starts; calls are numbered from 1.
    #[non_exhaustive]
    CallStarted {
        /// The number of the call.
        call: u32,
    },
    /// The call ended in an error.
    #[non_exhaustive]
    CallFailed {
        /// The number of the call.
        call: u32,
        /// The error that the closure returned.
        error: E,
    },
    /// A reply has arrived. Unless it was [joined](JoinOutcome::Joined), the text is unchanged.
    #[non_exhaustive]
    Reply {
        /// The number of the call; 0 is the reply from before the first call.
        call: u32,
        /// The outcome of the join.
        outcome: JoinOutcome,
    },
    /// The reply reported the progress of the model.
    #[non_exhaustive]
    Progress {
        /// From 0 to 100.
        percent: u8,
        /// How it compares to the percentages before it.
        change: ProgressChange,
    },
    /// The document is complete; the [accumulator](ContinueJson::accumulator) contains it. This is
    /// the last event.
    Completed,
    /// The document is incomplete, and the model is not called again. This is the last event.
    #[non_exhaustive]
    Stopped {
        /// The reason.
        reason: StopReason,
    },
}

/// The reason why a model is not called again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The maximum number of calls was reached.
    MaxCalls,
    /// It was called several times in a row without progress.
    NoProgress,
    /// It reported a lower percentage than before.
    Regressed,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MaxCalls => "the model was called as often as it may be",
            Self::NoProgress => "the model makes no progress",
            Self::Regressed => "the model reported a lower percentage than before",
        })
    }
}

/// An event that is still to be yielded; errors never are.
#[derive(Debug)]
enum LoopStep {
    Reply { call: u32, outcome: JoinOutcome },
    Progress { percent: u8, change: ProgressChange },
}

impl<E> From<LoopStep> for ContinueEvent<E> {
    fn from(step: LoopStep) -> Self {
        match step {
            LoopStep::Reply { call, outcome } => Self::Reply { call, outcome },
            LoopStep::Progress { percent, change } => Self::Progress { percent, change },
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallPhase {
    /// No call is running.
    Between,
    Calling,
    /// The last event was yielded.
    Over,
}

pin_project! {
    /// The stream of [`continue_json`], where an example is. It is `Unpin`, even if the future of
    /// the closure is not.
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next event loses nothing: the next poll continues the
    /// call. Dropping the stream drops the call.
    #[must_use = "streams do nothing unless polled"]
    pub struct ContinueJson<F, Fut> {
        model: F,
        // Boxed: the cost is negligible compared to a call of a model, and a stream that need not
        // be pinned can be inspected between its events.
        call: Option<Pin<Box<Fut>>>,
        accumulator: Accumulator,
        progress: Progress,
        calls: u32,
        max_calls: u32,
        queue: VecDeque<LoopStep>,
        phase: CallPhase,
        // Whether the last reply added nothing.
        is_again: bool,
    }
}

impl<F, Fut> ContinueJson<F, Fut> {
    /// Sets the maximum number of calls. The default is 10.
    pub fn max_calls(mut self, calls: u32) -> Self {
        self.max_calls = calls;
        self
    }

    /// Sets the progress so far, and with it the maximum number of calls without progress.
    pub fn progress(mut self, progress: Progress) -> Self {
        self.progress = progress;
        self
    }

    /// Returns the accumulator with the replies so far.
    #[must_use]
    pub const fn accumulator(&self) -> &Accumulator {
        &self.accumulator
    }

    /// Returns the accumulator with the replies so far. A running call is dropped.
    #[must_use]
    pub fn into_accumulator(self) -> Accumulator {
        self.accumulator
    }

    /// Returns how often the model has been called.
    #[must_use]
    pub const fn calls(&self) -> u32 {
        self.calls
    }
}

impl<F, Fut, E> Stream for ContinueJson<F, Fut>
where
    F: FnMut(ContinuationPrompt) -> Fut,
    Fut: Future<Output = Result<String, E>>,
{
    type Item = ContinueEvent<E>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.project();
        loop {
            if let Some(step) = this.queue.pop_front() {
                return Poll::Ready(Some(step.into()));
            }
            match this.phase {
                CallPhase::Over => return Poll::Ready(None),
                CallPhase::Between => {
                    let reason = if this.accumulator.is_complete() {
                        *this.phase = CallPhase::Over;
                        return Poll::Ready(Some(ContinueEvent::Completed));
                    } else if this.progress.has_regressed() {
                        StopReason::Regressed
                    } else if this.progress.is_stalled() {
                        StopReason::NoProgress
                    } else if *this.calls >= *this.max_calls {
                        StopReason::MaxCalls
                    } else {
                        *this.calls += 1;
                        let call = *this.calls;
                        let mut continuation =
                            ContinuationPrompt::from_accumulator(this.accumulator);
                        // The element from its start decides between the candidates.
                        if *this.is_again || !this.accumulator.candidates().is_empty() {
                            continuation = continuation.again();
                        }
                        *this.call = Some(Box::pin((this.model)(continuation)));
                        *this.phase = CallPhase::Calling;
                        return Poll::Ready(Some(ContinueEvent::CallStarted { call }));
                    };
                    *this.phase = CallPhase::Over;
                    return Poll::Ready(Some(ContinueEvent::Stopped { reason }));
                }
                CallPhase::Calling => {
                    let call = *this.calls;
                    let Some(future) = this.call else {
                        *this.phase = CallPhase::Over;
                        return Poll::Ready(None);
                    };
                    let reply = ready!(future.as_mut().poll(cx));
                    *this.call = None;
                    *this.phase = CallPhase::Between;
                    match reply {
                        Ok(reply) => {
                            let has_grown =
                                take(&reply, call, this.accumulator, this.progress, this.queue);
                            *this.is_again = !has_grown;
                        }
                        Err(error) => {
                            this.progress.record_stall();
                            return Poll::Ready(Some(ContinueEvent::CallFailed { call, error }));
                        }
                    }
                }
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // The queued events, and the one that ends the stream.
        let sure = match self.phase {
            CallPhase::Over => return (0, Some(0)),
            CallPhase::Between => self.queue.len() + 1,
            CallPhase::Calling => self.queue.len() + 2,
        };
        let further = usize::try_from(self.max_calls.saturating_sub(self.calls));
        let most = further
            .ok()
            .and_then(|calls| calls.checked_mul(EVENTS_PER_CALL))
            .and_then(|events| events.checked_add(sure + 1));
        (sure, most)
    }
}

/// Joins a reply, and records its progress. Returns whether it added anything.
fn take(
    reply: &str,
    call: u32,
    accumulator: &mut Accumulator,
    progress: &mut Progress,
    queue: &mut VecDeque<LoopStep>,
) -> bool {
    let (percent, reply) = Progress::split_line(reply);
    let outcome = accumulator.push(reply);
    let has_grown = outcome.growth() > 0;
    queue.push_back(LoopStep::Reply { call, outcome });
    // A lower percentage counts no matter what the reply adds, because the model has lost content.
    let falls = percent.is_some_and(|percent| Some(percent) < progress.percent());
    match percent {
        Some(percent) if has_grown || falls => {
            let change = progress.record(percent);
            queue.push_back(LoopStep::Progress { percent, change });
        }
        Some(_) | None if has_grown => progress.record_growth(),
        Some(_) | None => progress.record_stall(),
    }
    has_grown
}

impl<F, Fut, E> FusedStream for ContinueJson<F, Fut>
where
    F: FnMut(ContinuationPrompt) -> Fut,
    Fut: Future<Output = Result<String, E>>,
{
    fn is_terminated(&self) -> bool {
        self.phase == CallPhase::Over
    }
}

impl<F, Fut> fmt::Debug for ContinueJson<F, Fut> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContinueJson")
            .field("accumulator", &self.accumulator)
            .field("progress", &self.progress)
            .field("calls", &self.calls)
            .field("max_calls", &self.max_calls)
            .finish_non_exhaustive()
    }
}
