//! async-openai, chat completions: `CreateChatCompletionStreamResponse`.

use async_openai::types::chat::{CreateChatCompletionStreamResponse, FinishReason};
use json_chunks::tool_call::ToolCallDelta;
use json_chunks::wire::{Finish, Piece};

/// Returns the pieces in a chunk of the stream.
#[must_use]
pub fn pieces(chunk: CreateChatCompletionStreamResponse) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for choice in chunk.choices.into_iter().filter(|choice| choice.index == 0) {
        pieces.extend(choice.delta.content.map(Piece::Text));
        for call in choice.delta.tool_calls.into_iter().flatten() {
            let function = call.function.unwrap_or_default();
            let delta = ToolCallDelta::new(call.index as usize)
                .id(call.id.unwrap_or_default())
                .name(function.name.unwrap_or_default())
                .arguments(function.arguments.unwrap_or_default());
            pieces.push(delta.into());
        }
        pieces.extend(choice.finish_reason.map(|reason| {
            Piece::Finish(match reason {
                FinishReason::Stop => Finish::Stop,
                FinishReason::ToolCalls | FinishReason::FunctionCall => Finish::ToolCalls,
                FinishReason::Length => Finish::Length,
                FinishReason::ContentFilter => Finish::ContentFilter,
            })
        }));
    }
    pieces
}
