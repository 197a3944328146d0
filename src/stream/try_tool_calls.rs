use futures_core::TryStream;
use pin_project_lite::pin_project;

use super::StreamError;
use super::adapter::adapter;
use super::driver::Driver;
use super::fault::YieldFaults;
use crate::{ToolCallDetector, ToolCallEvent};

pin_project! {
    /// Fragments of JSON text in, news of the tool calls in it or errors out: the stream of
    /// [`try_tool_calls`](super::TryFragmentStreamExt::try_tool_calls).
    ///
    /// # Errors
    ///
    /// Those of [`TryFragmentStreamExt`](super::TryFragmentStreamExt#errors). A call that fails is
    /// none of them but an [item](ToolCallEvent::Failed).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next item loses nothing; see
    /// [`SnapshotStream`](super::SnapshotStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct TryToolCallStream<S> {
        #[pin]
        driver: Driver<S, ToolCallDetector, YieldFaults>,
    }
}

adapter!(
    TryToolCallStream<S>(ToolCallDetector) -> Result<ToolCallEvent, StreamError<S::Error>>
    where S: TryStream<Ok: AsRef<[u8]>>
);
