use futures_core::{Stream, TryStream};

use super::machines::{Deltas, TryDeltas};
use super::{Adapter, ToolCallDeltaStream, TryAdapter, TryToolCallDeltaStream};
use crate::tool_call::{ToolCallDelta, ToolCalls};

/// Adapters over the pieces of tool calls that APIs and SDKs stream.
///
/// For other options than the default ones, such as schemas, pass a [`ToolCalls`] to
/// [`through`](super::MachineStreamExt::through), over a stream of [`ToolCallDelta`]s.
pub trait ToolCallStreamExt: Stream {
    /// Assembles tool calls from the pieces in this stream. See [`ToolCalls`] for the events and
    /// for what completes a call.
    ///
    /// The items are anything that is `Into<ToolCallDelta>`. If an item of an SDK has several
    /// pieces, use `flat_map` first, and send the [end](ToolCallDelta::ended) of each call where
    /// the API reports it. The end of the stream is the end of the reply, and completes terminated
    /// arguments.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::ToolCallStreamExt;
    /// use json_chunks::tool_call::{ToolCallDelta, ToolCallEvent};
    ///
    /// struct Chunk(&'static str);
    ///
    /// impl From<Chunk> for ToolCallDelta {
    ///     fn from(chunk: Chunk) -> Self {
    ///         Self::new(0).name("read").arguments(chunk.0)
    ///     }
    /// }
    ///
    /// let chunks = stream::iter([Chunk(r#"{"path": "/sr"#), Chunk(r#"c"}"#)]);
    /// let events: Vec<ToolCallEvent> = block_on(chunks.tool_calls_from_deltas().collect());
    /// let Some(ToolCallEvent::Completed(call)) = events.last() else { unreachable!() };
    /// assert_eq!(call.arguments(), r#"{"path": "/src"}"#);
    /// ```
    fn tool_calls_from_deltas(self) -> ToolCallDeltaStream<Self>
    where
        Self: Sized,
        Self::Item: Into<ToolCallDelta>,
    {
        Adapter::new(Deltas::new(self), ToolCalls::new())
    }

    /// Like [`tool_calls_from_deltas`](Self::tool_calls_from_deltas), for a stream of results.
    /// Errors are yielded in their place; if the inner stream ends directly after an error, no
    /// further call is completed, because the reply was lost.
    ///
    /// ```
    /// use futures::{StreamExt, executor::block_on, stream};
    /// use json_chunks::stream::ToolCallStreamExt;
    /// use json_chunks::tool_call::{ToolCallDelta, ToolCallEvent};
    ///
    /// let pay = ToolCallDelta::new(0).name("pay").arguments(r#"{"amount": 10}"#);
    /// let deltas = stream::iter([Ok(pay), Err("connection reset")]);
    /// let items: Vec<_> = block_on(deltas.try_tool_calls_from_deltas().collect());
    /// assert!(items[2].is_err());
    /// assert!(matches!(&items[3], Ok(ToolCallEvent::Failed { .. })));
    /// ```
    fn try_tool_calls_from_deltas(self) -> TryToolCallDeltaStream<Self>
    where
        Self: Sized + TryStream,
        Self::Ok: Into<ToolCallDelta>,
    {
        TryAdapter::new(TryDeltas::new(self), ToolCalls::new())
    }
}

impl<S: Stream + ?Sized> ToolCallStreamExt for S {}
