use futures_core::Stream;
use pin_project_lite::pin_project;

use super::adapter::adapter;
use super::driver::Driver;
use super::fault::LogFaults;
use crate::{ToolCallDetector, ToolCallEvent};

pin_project! {
    /// Fragments of JSON text in, news of the tool calls in it out: the stream of
    /// [`tool_calls`](super::FragmentStreamExt::tool_calls).
    ///
    /// Text that can't be used ends the stream, logged and [reported](Self::report); see
    /// [`FragmentStreamExt`](super::FragmentStreamExt#errors). The call that it broke off in is
    /// said to have [failed](ToolCallEvent::Failed).
    ///
    /// # Cancel safety
    ///
    /// Dropping a future that waits for the next event loses nothing; see
    /// [`SnapshotStream`](super::SnapshotStream#cancel-safety).
    #[must_use = "streams do nothing unless polled"]
    pub struct ToolCallStream<S> {
        #[pin]
        driver: Driver<S, ToolCallDetector, LogFaults>,
    }
}

adapter!(ToolCallStream<S>(ToolCallDetector) -> ToolCallEvent where S: Stream<Item: AsRef<[u8]>>);
