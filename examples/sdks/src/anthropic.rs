//! anthropic-ai-sdk: `StreamEvent`.

use std::collections::HashSet;

use anthropic_ai_sdk::types::message::{ContentBlock, ContentBlockDelta, StopReason, StreamEvent};
use json_chunks::tool_call::ToolCallDelta;
use json_chunks::wire::{Finish, Piece};

/// Returns the piece in an event. `with_arguments` has the blocks of calls with arguments so far.
#[must_use]
pub fn pieces(event: StreamEvent, with_arguments: &mut HashSet<usize>) -> Option<Piece> {
    let piece = match event {
        StreamEvent::ContentBlockStart {
            index,
            content_block: ContentBlock::ToolUse { id, name, .. },
        } => ToolCallDelta::new(index).id(id).name(name).into(),
        StreamEvent::ContentBlockDelta { index, delta } => match delta {
            ContentBlockDelta::TextDelta { text } => Piece::Text(text),
            ContentBlockDelta::InputJsonDelta { partial_json } => {
                if !partial_json.is_empty() {
                    with_arguments.insert(index);
                }
                ToolCallDelta::new(index).arguments(partial_json).into()
            }
            _ => return None,
        },
        // A block is stopped at the token limit as well. Arguments show whether they were cut off;
        // without any, only the reason shows it.
        StreamEvent::ContentBlockStop { index } if with_arguments.contains(&index) => {
            ToolCallDelta::new(index).ended().into()
        }
        StreamEvent::MessageDelta { delta, .. } => Piece::Finish(match delta.stop_reason? {
            StopReason::EndTurn | StopReason::StopSequence => Finish::Stop,
            StopReason::ToolUse => Finish::ToolCalls,
            StopReason::MaxTokens => Finish::Length,
            StopReason::Refusal => Finish::ContentFilter,
        }),
        StreamEvent::Error { error } => Piece::Failed {
            code: error.type_,
            message: error.message,
        },
        _ => return None,
    };
    Some(piece)
}
