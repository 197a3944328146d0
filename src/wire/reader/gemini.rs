//! The responses of Gemini.

use super::reply::{Reply, count_of, object_of, text_of};
use crate::document::Value;
use crate::wire::{Finish, Usage};

pub(super) fn read(reply: &mut Reply, response: Value<'_>) {
    if let Some(error) = object_of(response, "error") {
        return reply.fail("status", error);
    }
    if let Some(usage) = object_of(response, "usageMetadata") {
        let count = |name| count_of(Some(usage), name);
        // `candidatesTokenCount` excludes the tokens of the reasoning.
        let reasoning = count("thoughtsTokenCount");
        let output = count("candidatesTokenCount") + reasoning;
        let tokens = Usage::new(count("promptTokenCount"), output);
        let tokens = tokens.cached_tokens(count("cachedContentTokenCount"));
        reply.usage = Some(tokens.reasoning_tokens(reasoning));
    }
    let feedback = object_of(response, "promptFeedback");
    if feedback.is_some_and(|feedback| !text_of(feedback, "blockReason").is_empty()) {
        return reply.finish_soon(Finish::ContentFilter, false);
    }
    let candidates = response.get("candidates").into_iter();
    let Some(candidate) = candidates.flat_map(Value::elements).next() else {
        return;
    };
    let content = object_of(candidate, "content").and_then(|content| content.get("parts"));
    for part in content.into_iter().flat_map(Value::elements) {
        if part.get("thought").and_then(Value::as_bool) == Some(true) {
            continue;
        }
        reply.text(text_of(part, "text"));
        if let Some(call) = object_of(part, "functionCall") {
            let arguments = call.get("args").map_or("{}", Value::raw);
            reply.complete_call(text_of(call, "id"), text_of(call, "name"), arguments);
        }
    }
    match text_of(candidate, "finishReason") {
        "" => {}
        "STOP" => reply.finish_soon(reply.stop(), false),
        "MAX_TOKENS" => reply.finish_soon(Finish::Length, false),
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "IMAGE_SAFETY" => {
            reply.finish_soon(Finish::ContentFilter, false);
        }
        // For example `MALFORMED_FUNCTION_CALL`: the reply is unusable.
        other => reply.fail_with(other, "the model has not finished its reply"),
    }
}
