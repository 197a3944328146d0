//! The events of Anthropic's Messages.

use super::reply::{Reply, count_of, index_of, object_of, text_of};
use crate::document::Value;
use crate::tool_call::ToolCallDelta;
use crate::wire::{Finish, Usage};

pub(super) fn read(reply: &mut Reply, frame: Value<'_>) {
    let index = index_of(frame, "index").unwrap_or_default();
    match text_of(frame, "type") {
        "message_start" => {
            let message = object_of(frame, "message");
            reply.usage = message.and_then(|message| usage(message, None));
        }
        "content_block_start" => {
            let Some(block) = frame.get("content_block") else {
                return;
            };
            match text_of(block, "type") {
                "text" => reply.text(text_of(block, "text")),
                "tool_use" => {
                    let input = block.get("input").filter(|input| !input.is_empty());
                    reply.call(
                        ToolCallDelta::new(index)
                            .id(text_of(block, "id"))
                            .name(text_of(block, "name"))
                            .arguments(input.map_or("", Value::raw)),
                    );
                }
                _ => {}
            }
        }
        "content_block_delta" => {
            let Some(delta) = frame.get("delta") else {
                return;
            };
            match text_of(delta, "type") {
                "text_delta" => reply.text(text_of(delta, "text")),
                // Calls of tools that run on the server are ignored.
                "input_json_delta" if reply.has_call(index) => {
                    let json = text_of(delta, "partial_json");
                    reply.call(ToolCallDelta::new(index).arguments(json));
                }
                _ => {}
            }
        }
        "content_block_stop" => reply.stop_call(index),
        "message_delta" => {
            let delta = frame.get("delta");
            let finish = match delta.map_or("", |delta| text_of(delta, "stop_reason")) {
                "" => return,
                "max_tokens" | "model_context_window_exceeded" => Finish::Length,
                "refusal" => Finish::ContentFilter,
                "tool_use" => Finish::ToolCalls,
                _ => Finish::Stop,
            };
            reply.usage = usage(frame, reply.usage).or(reply.usage);
            reply.finish(finish, false);
        }
        "error" => reply.fail("type", frame.get("error").unwrap_or(frame)),
        _ => {}
    }
}

/// Returns the counts so far. `input_tokens` excludes the tokens read from a cache; a frame without
/// a count does not change it. The usage is `None` until a count is not 0, because writers without
/// counts send zeros.
fn usage(frame: Value<'_>, before: Option<Usage>) -> Option<Usage> {
    let usage = object_of(frame, "usage")?;
    let count = |name| count_of(Some(usage), name);
    let output = count("output_tokens");
    let next = if usage
        .get("input_tokens")
        .is_some_and(|count| !count.is_null())
    {
        let cached = count("cache_read_input_tokens");
        let input = count("input_tokens") + cached + count("cache_creation_input_tokens");
        Usage::new(input, output).cached_tokens(cached)
    } else {
        let before = before.unwrap_or_default();
        Usage::new(before.input_tokens, output).cached_tokens(before.cached_tokens)
    };
    (next != Usage::default()).then_some(next)
}
