//! The chunks of OpenAI's Chat Completions, and of the many compatible servers.

use super::reply::{Reply, count_of, index_of, object_of, text_of};
use crate::document::{Kind, Value};
use crate::tool_call::ToolCallDelta;
use crate::wire::{Finish, Usage};

pub(super) fn read(reply: &mut Reply, frame: Value<'_>) {
    // {"error":{"message":"…","code":"…"}}
    if let Some(error) = frame
        .get("error")
        .filter(|error| error.kind() == Kind::Object)
    {
        return reply.fail("code", error);
    }
    if let Some(usage) = object_of(frame, "usage") {
        let details = |name| object_of(usage, name);
        let cached = count_of(details("prompt_tokens_details"), "cached_tokens");
        let reasoning = count_of(details("completion_tokens_details"), "reasoning_tokens");
        let [input, output] =
            ["prompt_tokens", "completion_tokens"].map(|name| count_of(Some(usage), name));
        let usage = Usage::new(input, output).cached_tokens(cached);
        reply.usage = Some(usage.reasoning_tokens(reasoning));
    }
    let Some(choices) = frame.get("choices") else {
        return;
    };
    let is_first = |choice: &Value<'_>| index_of(*choice, "index").unwrap_or(0) == 0;
    let Some(choice) = choices.elements().find(is_first) else {
        return;
    };
    // A reply that was not streamed has a message instead.
    if let Some(delta) = choice.get("delta").or_else(|| choice.get("message")) {
        reply.text(text_of(delta, "content"));
        let calls = delta
            .get("tool_calls")
            .into_iter()
            .flat_map(Value::elements);
        for (position, call) in calls.enumerate() {
            let index = index_of(call, "index").unwrap_or(position);
            if let Some(function) = call.get("function") {
                reply.call(function_delta(index, text_of(call, "id"), function));
            }
        }
        // The older form, for a single call.
        if let Some(function) = delta.get("function_call").filter(|call| !call.is_null()) {
            reply.call(function_delta(0, "", function));
        }
    }
    match text_of(choice, "finish_reason") {
        "" => {}
        "length" => reply.finish_soon(Finish::Length, false),
        "content_filter" => reply.finish_soon(Finish::ContentFilter, false),
        "tool_calls" | "function_call" => reply.finish_soon(Finish::ToolCalls, true),
        "stop" => reply.finish_soon(Finish::Stop, true),
        // An unknown reason of another server may mean that the reply was cut off, so it ends no
        // call.
        _ => reply.finish_soon(Finish::Stop, false),
    }
}

fn function_delta(index: usize, id: &str, function: Value<'_>) -> ToolCallDelta {
    ToolCallDelta::new(index)
        .id(id)
        .name(text_of(function, "name"))
        .arguments(text_of(function, "arguments"))
}
