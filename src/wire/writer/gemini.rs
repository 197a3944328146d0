//! Gemini's `streamGenerateContent` with `alt=sse`: objects `GenerateContentResponse`
//! (<https://ai.google.dev/api/generate-content>).

use super::call::Call;
use super::encoder::Encoder;
use crate::wire::frame::Output;
use crate::wire::object::Object;
use crate::wire::{Finish, ReplyHead, Usage};

#[derive(Debug)]
pub(super) struct Gemini {
    head: ReplyHead,
}

impl Gemini {
    pub(super) const fn new(head: ReplyHead) -> Self {
        Self { head }
    }

    fn response(
        &self,
        part: Object,
        finish: Option<&str>,
        usage: Option<Object>,
        out: &mut Output,
    ) {
        let content = Object::new()
            .array_of("parts", part)
            .string("role", "model");
        let mut candidate = Object::new().object("content", content).number("index", 0);
        if let Some(reason) = finish {
            candidate = candidate.string("finishReason", reason);
        }
        let mut response = Object::new().array_of("candidates", candidate);
        if let Some(usage) = usage {
            response = response.object("usageMetadata", usage);
        }
        let response = response
            .string("modelVersion", &self.head.model)
            .string("responseId", &self.head.id);
        out.push(response.end());
    }
}

impl Encoder for Gemini {
    fn start(&mut self, _out: &mut Output) {}

    fn text(&mut self, delta: &str, out: &mut Output) {
        self.response(Object::new().string("text", delta), None, None, out);
    }

    fn end_call(&mut self, call: &Call, out: &mut Output) {
        let call = Object::new()
            .string("id", &call.id)
            .string("name", &call.name)
            .compact("args", &call.arguments);
        self.response(Object::new().object("functionCall", call), None, None, out);
    }

    fn finish(&mut self, finish: Finish, usage: Option<Usage>, out: &mut Output) {
        let reason = match finish {
            // No reason is needed for calls: the calls themselves show that the model waits for
            // results.
            Finish::Stop | Finish::ToolCalls => "STOP",
            Finish::Length => "MAX_TOKENS",
            Finish::ContentFilter => "SAFETY",
        };
        let usage = usage.map(|usage| {
            // `candidatesTokenCount` excludes the tokens of the reasoning.
            let candidates = usage.output_tokens.saturating_sub(usage.reasoning_tokens);
            let mut tokens = Object::new()
                .number("promptTokenCount", usage.input_tokens)
                .number("candidatesTokenCount", candidates)
                .number("totalTokenCount", usage.total_tokens());
            if usage.cached_tokens > 0 {
                tokens = tokens.number("cachedContentTokenCount", usage.cached_tokens);
            }
            if usage.reasoning_tokens > 0 {
                tokens = tokens.number("thoughtsTokenCount", usage.reasoning_tokens);
            }
            tokens
        });
        self.response(Object::new().string("text", ""), Some(reason), usage, out);
    }

    fn fail(&mut self, code: &str, message: &str, out: &mut Output) {
        let error = Object::new()
            .number("code", 500)
            .string("message", message)
            .string("status", code);
        out.push(Object::new().object("error", error).end());
    }
}
