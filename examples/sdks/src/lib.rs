//! The streams of SDKs as [`ToolCallDelta`]s, for [`ToolCalls`] or `.tool_calls_from_deltas()`:
//! functions to copy, tested with recorded items.
//!
//! A call that was cut off must not be completed. So each function sends the end of a call only
//! where the API reports it. Where the API reports one end for all calls (chat completions), it
//! calls [`ToolCalls::end_all`].

use std::collections::HashSet;

use json_chunks::Error;
use json_chunks::tool_call::{ToolCallDelta, ToolCallEvent, ToolCalls};

/// async-openai, chat completions: `CreateChatCompletionStreamResponse`.
pub mod openai_chat {
    use super::{Error, ToolCallDelta, ToolCallEvent, ToolCalls};
    use async_openai::types::chat::{CreateChatCompletionStreamResponse, FinishReason};

    /// Pushes the pieces in a chunk of the stream.
    ///
    /// # Errors
    ///
    /// Those of [`ToolCalls::push`].
    pub fn push(
        calls: &mut ToolCalls,
        chunk: CreateChatCompletionStreamResponse,
    ) -> Result<Vec<ToolCallEvent>, Error> {
        let mut events = Vec::new();
        for choice in chunk.choices.into_iter().filter(|choice| choice.index == 0) {
            for call in choice.delta.tool_calls.into_iter().flatten() {
                let function = call.function.unwrap_or_default();
                let delta = ToolCallDelta::new(call.index as usize)
                    .id(call.id.unwrap_or_default())
                    .name(function.name.unwrap_or_default())
                    .arguments(function.arguments.unwrap_or_default());
                events.extend(calls.push(delta)?);
            }
            // `length` and `content_filter` mean that the last call was cut off.
            if let Some(FinishReason::ToolCalls | FinishReason::Stop) = choice.finish_reason {
                events.extend(calls.end_all());
            }
        }
        Ok(events)
    }
}

/// async-openai, responses: `ResponseStreamEvent`.
pub mod openai_responses {
    use super::ToolCallDelta;
    use async_openai::types::responses::{OutputItem, OutputStatus, ResponseStreamEvent};

    /// Returns the piece of a call in an event.
    #[must_use]
    pub fn delta(event: ResponseStreamEvent) -> Option<ToolCallDelta> {
        use ResponseStreamEvent as Event;
        match event {
            Event::ResponseOutputItemAdded(event) => match event.item {
                OutputItem::FunctionCall(call) => Some(
                    ToolCallDelta::new(event.output_index as usize)
                        .id(call.call_id)
                        .name(call.name),
                ),
                _ => None,
            },
            Event::ResponseFunctionCallArgumentsDelta(event) => {
                Some(ToolCallDelta::new(event.output_index as usize).arguments(event.delta))
            }
            Event::ResponseOutputItemDone(event) => match event.item {
                // Has the arguments once more.
                OutputItem::FunctionCall(call) if call.status != Some(OutputStatus::Incomplete) => {
                    Some(ToolCallDelta::new(event.output_index as usize).ended())
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// anthropic-ai-sdk: `StreamEvent`.
pub mod anthropic {
    use super::{Error, ToolCallDelta, ToolCallEvent, ToolCalls};
    use anthropic_ai_sdk::types::message::{
        ContentBlock, ContentBlockDelta, StopReason, StreamEvent,
    };

    /// Pushes the piece in an event of the stream.
    ///
    /// # Errors
    ///
    /// Those of [`ToolCalls::push`].
    pub fn push(calls: &mut ToolCalls, event: StreamEvent) -> Result<Vec<ToolCallEvent>, Error> {
        let delta = match event {
            StreamEvent::ContentBlockStart {
                index,
                content_block: ContentBlock::ToolUse { id, name, .. },
            } => ToolCallDelta::new(index).id(id).name(name),
            StreamEvent::ContentBlockDelta {
                index,
                delta: ContentBlockDelta::InputJsonDelta { partial_json },
            } => ToolCallDelta::new(index).arguments(partial_json),
            // A block is stopped at the token limit as well. Arguments show whether they were cut
            // off; without any, only the reason shows it.
            StreamEvent::ContentBlockStop { index } if calls.arguments(index).is_some() => {
                ToolCallDelta::new(index).ended()
            }
            StreamEvent::MessageDelta { delta, .. } => {
                return Ok(match delta.stop_reason {
                    Some(StopReason::ToolUse) => calls.end_all(),
                    _ => Vec::new(),
                });
            }
            _ => return Ok(Vec::new()),
        };
        calls.push(delta)
    }
}

/// rig: `StreamEvent`, the items of every provider.
pub mod rig {
    use super::{HashSet, ToolCallDelta};
    use rig_core::message::AssistantContent;
    use rig_core::streaming::{PartKind, StreamEvent};

    /// Returns the piece of a call in an event. `streamed` has the calls whose arguments were
    /// streamed; others have them at their end.
    #[must_use]
    pub fn delta(event: StreamEvent, streamed: &mut HashSet<usize>) -> Option<ToolCallDelta> {
        let delta = ToolCallDelta::new(event.part().index());
        match event {
            StreamEvent::Start {
                kind: PartKind::ToolCall,
                name: Some(name),
                ..
            } => Some(delta.name(name)),
            StreamEvent::Arguments { part, json } => {
                streamed.insert(part.index());
                Some(delta.arguments(json))
            }
            StreamEvent::End {
                part,
                content: AssistantContent::ToolCall(call),
            } => {
                let delta = delta
                    .id(call.id.to_string())
                    .name(call.function.name)
                    .ended();
                if streamed.contains(&part.index()) {
                    return Some(delta);
                }
                let arguments = serde_json::Value::Object(call.function.arguments);
                Some(delta.arguments(arguments.to_string()))
            }
            _ => None,
        }
    }
}

/// genai: `ChatStreamEvent`, without `capture_tool_calls`, which sends the arguments so far.
pub mod genai {
    use super::ToolCallDelta;
    use genai::chat::ChatStreamEvent;

    /// Returns the piece of a call in an event. `ids` has the ids of the calls so far: genai
    /// reports no index; if a piece has no id, genai makes one, such as `call_0`, from the index
    /// that it received.
    #[must_use]
    pub fn delta(event: ChatStreamEvent, ids: &mut Vec<String>) -> Option<ToolCallDelta> {
        let ChatStreamEvent::ToolCallChunk(chunk) = event else {
            return None;
        };
        let call = chunk.tool_call;
        let by_index = || call.call_id.strip_prefix("call_")?.parse().ok();
        let known = ids.iter().position(|id| *id == call.call_id);
        let index = known.or_else(|| by_index().filter(|index| *index < ids.len()));
        let index = index.unwrap_or_else(|| {
            ids.push(call.call_id.clone());
            ids.len() - 1
        });
        let delta = ToolCallDelta::new(index)
            .id(ids[index].clone())
            .name(call.fn_name);
        Some(match call.fn_arguments {
            // A piece of their text.
            serde_json::Value::String(text) => delta.arguments(text),
            // All of them at once.
            arguments => delta.arguments(arguments.to_string()).ended(),
        })
    }
}

/// ollama-rs: `ChatMessageResponse`, which has complete calls.
pub mod ollama {
    use super::ToolCallDelta;
    use ollama_rs::generation::chat::ChatMessageResponse;

    /// Returns the calls in a message. `count` is how many there have been.
    pub fn deltas(
        message: ChatMessageResponse,
        count: &mut usize,
    ) -> impl Iterator<Item = ToolCallDelta> {
        message.message.tool_calls.into_iter().map(|call| {
            *count += 1;
            ToolCallDelta::new(*count - 1)
                .name(call.function.name)
                .arguments(call.function.arguments.to_string())
                .ended()
        })
    }
}
