//! genai: `ChatStreamEvent`, the events of every provider.

use genai::chat::{ChatStreamEvent, StopReason};
use json_chunks::tool_call::ToolCallDelta;
use json_chunks::wire::{Finish, Piece};
use serde_json::Value;

/// A call so far.
#[derive(Debug, Default)]
pub struct Call {
    id: String,
    arguments: String,
}

/// Returns the piece in an event. `calls` has the calls so far, because genai reports no index.
#[must_use]
pub fn pieces(event: ChatStreamEvent, calls: &mut Vec<Call>) -> Option<Piece> {
    let call = match event {
        ChatStreamEvent::Chunk(chunk) => return Some(Piece::Text(chunk.content)),
        ChatStreamEvent::ToolCallChunk(chunk) => chunk.tool_call,
        ChatStreamEvent::End(end) => return end.captured_stop_reason.and_then(finish),
        _ => return None,
    };
    let index = index_of(&call.call_id, calls);
    let known = &mut calls[index];
    let delta = ToolCallDelta::new(index).id(&known.id).name(call.fn_name);
    let delta = match call.fn_arguments {
        // From Anthropic, or with `capture_tool_calls`, all so far; else the next piece. No object
        // continues with its own start: `{"path":` and then `{"path":"/"}`.
        Value::String(text) => {
            let new = text.strip_prefix(&*known.arguments).unwrap_or(&text);
            known.arguments.push_str(new);
            delta.arguments(new)
        }
        // Of a call that arrives at once.
        Value::Null => delta,
        arguments => delta.arguments(arguments.to_string()).ended(),
    };
    Some(delta.into())
}

/// The index of the call with this id. If a piece has none, genai makes one from the index that it
/// received, such as `call_0`.
fn index_of(id: &str, calls: &mut Vec<Call>) -> usize {
    let by_number = || id.strip_prefix("call_")?.parse().ok();
    let by_number = by_number().filter(|index| *index < calls.len());
    let index = by_number.or_else(|| calls.iter().position(|call| call.id == id));
    index.unwrap_or_else(|| {
        let id = id.to_owned();
        calls.push(Call {
            id,
            ..Call::default()
        });
        calls.len() - 1
    })
}

/// For a reason that is unknown here, the reply does not count as complete.
fn finish(reason: StopReason) -> Option<Piece> {
    Some(Piece::Finish(match reason {
        StopReason::Completed(_) | StopReason::StopSequence(_) => Finish::Stop,
        StopReason::ToolCall(_) => Finish::ToolCalls,
        StopReason::MaxTokens(_) => Finish::Length,
        StopReason::ContentFilter(_) => Finish::ContentFilter,
        StopReason::Other(_) => return None,
    }))
}
