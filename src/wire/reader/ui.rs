//! The parts of the UI message stream of Vercel's AI SDK.

use super::reply::{Reply, count_of, object_of, text_of};
use crate::document::Value;
use crate::tool_call::ToolCallDelta;
use crate::wire::{Finish, Usage};

pub(super) fn read(reply: &mut Reply, part: Value<'_>) {
    let kind = text_of(part, "type");
    let id = text_of(part, "toolCallId");
    match kind {
        "text-delta" => reply.text(text_of(part, "delta")),
        "tool-input-start" => start(reply, part),
        "tool-input-delta" => {
            let index = reply.index_of_id(id);
            let json = text_of(part, "inputTextDelta");
            reply.call(ToolCallDelta::new(index).arguments(json));
        }
        "tool-input-available" => {
            let index = reply.index_of_id(id);
            if !reply.has_call(index) {
                start(reply, part);
            }
            reply.all_arguments(index, part.get("input").map_or("", Value::raw));
            reply.stop_call(index);
        }
        "error" => reply.fail_with("", text_of(part, "errorText")),
        "abort" => reply.fail_with("abort", "the reply was aborted"),
        "finish" => {
            let metadata = object_of(part, "messageMetadata");
            reply.usage = metadata.and_then(usage);
            let finish = match text_of(part, "finishReason") {
                "" => reply.stop(),
                "length" => Finish::Length,
                "content-filter" => Finish::ContentFilter,
                "tool-calls" => Finish::ToolCalls,
                "error" => return reply.fail_with("error", "the reply has failed"),
                _ => Finish::Stop,
            };
            reply.finish(finish, false);
        }
        _ => {
            if let Some(name) = kind.strip_prefix("data-") {
                reply.data(name, part.get("data"));
            }
        }
    }
}

fn start(reply: &mut Reply, part: Value<'_>) {
    let id = text_of(part, "toolCallId");
    let delta = ToolCallDelta::new(reply.index_of_id(id)).id(id);
    reply.call(delta.name(text_of(part, "toolName")));
}

fn usage(metadata: Value<'_>) -> Option<Usage> {
    let usage = object_of(metadata, "usage")?;
    let count = |name| count_of(Some(usage), name);
    let tokens = Usage::new(count("inputTokens"), count("outputTokens"));
    let tokens = tokens.cached_tokens(count("cachedInputTokens"));
    Some(tokens.reasoning_tokens(count("reasoningTokens")))
}
