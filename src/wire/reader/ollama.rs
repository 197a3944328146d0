//! The lines of Ollama's chat API.

use super::reply::{Reply, count_of, text_of};
use crate::document::Value;
use crate::wire::{Finish, Usage};

pub(super) fn read(reply: &mut Reply, line: Value<'_>) {
    if let Some(message) = line.get("error").and_then(Value::as_str) {
        return reply.fail_with("", message);
    }
    if let Some(message) = line.get("message") {
        reply.text(text_of(message, "content"));
        let calls = message.get("tool_calls").into_iter();
        for call in calls.flat_map(Value::elements) {
            if let Some(function) = call.get("function") {
                let arguments = function.get("arguments").map_or("", Value::raw);
                let id = text_of(call, "id");
                reply.complete_call(id, text_of(function, "name"), arguments);
            }
        }
    }
    if line.get("done").and_then(Value::as_bool) == Some(true) {
        if line.get("eval_count").is_some() {
            let count = |name| count_of(Some(line), name);
            reply.usage = Some(Usage::new(count("prompt_eval_count"), count("eval_count")));
        }
        let finish = match text_of(line, "done_reason") {
            "length" => Finish::Length,
            "content_filter" => Finish::ContentFilter,
            _ => reply.stop(),
        };
        reply.finish(finish, false);
    }
}
