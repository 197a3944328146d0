//! The events of OpenAI's Responses.

use super::reply::{Reply, count_of, index_of, object_of, text_of};
use crate::document::Value;
use crate::tool_call::ToolCallDelta;
use crate::wire::{Finish, Usage};

pub(super) fn read(reply: &mut Reply, frame: Value<'_>) {
    let index = index_of(frame, "output_index").unwrap_or_default();
    let item = frame
        .get("item")
        .filter(|item| text_of(*item, "type") == "function_call");
    let response = frame.get("response");
    match (text_of(frame, "type"), item, response) {
        ("response.output_text.delta", _, _) => reply.text(text_of(frame, "delta")),
        ("response.output_item.added", Some(item), _) => reply.call(start(index, item)),
        ("response.function_call_arguments.delta", _, _) => {
            reply.call(ToolCallDelta::new(index).arguments(text_of(frame, "delta")));
        }
        ("response.function_call_arguments.done", _, _) => {
            reply.all_arguments(index, text_of(frame, "arguments"));
        }
        ("response.output_item.done", Some(item), _) => {
            if !reply.has_call(index) {
                reply.call(start(index, item));
            }
            reply.all_arguments(index, text_of(item, "arguments"));
            if text_of(item, "status") != "incomplete" {
                reply.stop_call(index);
            }
        }
        ("response.completed", _, _) => {
            reply.usage = response.and_then(usage);
            reply.finish(reply.stop(), false);
        }
        ("response.incomplete", _, _) => {
            let details = response.and_then(|response| response.get("incomplete_details"));
            reply.usage = response.and_then(usage);
            let reason = details.map_or("", |details| text_of(details, "reason"));
            let finish = match reason {
                "content_filter" => Finish::ContentFilter,
                _ => Finish::Length,
            };
            reply.finish(finish, false);
        }
        ("error", _, _) => reply.fail("code", frame.get("error").unwrap_or(frame)),
        ("response.failed", _, Some(response)) => {
            reply.fail("code", response.get("error").unwrap_or(response));
        }
        _ => {}
    }
}

fn start(index: usize, item: Value<'_>) -> ToolCallDelta {
    ToolCallDelta::new(index)
        .id(text_of(item, "call_id"))
        .name(text_of(item, "name"))
        .arguments(text_of(item, "arguments"))
}

fn usage(response: Value<'_>) -> Option<Usage> {
    let usage = object_of(response, "usage")?;
    let details = |name| object_of(usage, name);
    let cached = count_of(details("input_tokens_details"), "cached_tokens");
    let reasoning = count_of(details("output_tokens_details"), "reasoning_tokens");
    let [input, output] = ["input_tokens", "output_tokens"].map(|name| count_of(Some(usage), name));
    let usage = Usage::new(input, output).cached_tokens(cached);
    Some(usage.reasoning_tokens(reasoning))
}
