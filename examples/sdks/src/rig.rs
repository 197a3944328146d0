//! rig: `StreamEvent`, the events of every provider.

use std::collections::HashSet;

use json_chunks::tool_call::ToolCallDelta;
use json_chunks::wire::{Finish, Piece};
use rig_core::completion::FinishReason;
use rig_core::message::AssistantContent;
use rig_core::streaming::{PartKind, StreamEvent};

/// Returns the piece in an event. `with_arguments` has the parts with arguments so far.
#[must_use]
pub fn pieces(event: StreamEvent, with_arguments: &mut HashSet<usize>) -> Option<Piece> {
    let index = event.part().index();
    let delta = ToolCallDelta::new(index);
    let piece = match event {
        StreamEvent::Text { text, .. } => Piece::Text(text),
        StreamEvent::Start {
            kind: PartKind::ToolCall,
            name: Some(name),
            ..
        } => delta.name(name).into(),
        // rig adds these to a call that has no arguments, although it may have been cut off before
        // the first one. The end of the reply decides.
        StreamEvent::Arguments { json, .. } if json == "{}" && !with_arguments.contains(&index) => {
            return None;
        }
        StreamEvent::Arguments { json, .. } => {
            with_arguments.insert(index);
            delta.arguments(json).into()
        }
        StreamEvent::End {
            content: AssistantContent::ToolCall(call),
            ..
        } => {
            let mut delta = delta.id(call.id.to_string()).name(call.function.name);
            delta.ended = with_arguments.contains(&index);
            delta.into()
        }
        _ => return None,
    };
    Some(piece)
}

/// Returns the reason for the end, which is no event: that of the response after the last one. For
/// a reason that is unknown here, use [`lost`](crate::lost).
#[must_use]
pub fn finish(reason: &FinishReason) -> Option<Piece> {
    Some(Piece::Finish(match reason {
        FinishReason::Stop => Finish::Stop,
        FinishReason::ToolCalls => Finish::ToolCalls,
        FinishReason::Length => Finish::Length,
        FinishReason::ContentFilter => Finish::ContentFilter,
        // `Other`, and those of later versions.
        _ => return None,
    }))
}
