//! The UI message stream, version 1, of Vercel's AI SDK
//! (<https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol>).

use alloc::format;
use alloc::string::String;

use super::call::Call;
use super::encoder::Encoder;
use crate::wire::frame::Output;
use crate::wire::object::Object;
use crate::wire::{Finish, ReplyHead, Usage};

#[derive(Debug)]
pub(super) struct UiMessages {
    head: ReplyHead,
    /// The number of started texts; the last one is being written.
    texts: u64,
}

impl UiMessages {
    pub(super) const fn new(head: ReplyHead) -> Self {
        Self { head, texts: 0 }
    }

    fn text_part(&self, kind: &str) -> Object {
        part(kind).string("id", &format!("text-{}", self.texts))
    }
}

fn part(kind: &str) -> Object {
    Object::new().string("type", kind)
}

fn call_part(kind: &str, call: &Call) -> Object {
    part(kind)
        .string("toolCallId", &call.id)
        .string("toolName", &call.name)
}

impl Encoder for UiMessages {
    fn start(&mut self, out: &mut Output) {
        out.push(part("start").string("messageId", &self.head.id).end());
        out.push(part("start-step").end());
    }

    fn start_text(&mut self, out: &mut Output) {
        self.texts += 1;
        out.push(self.text_part("text-start").end());
    }

    fn text(&mut self, delta: &str, out: &mut Output) {
        out.push(self.text_part("text-delta").string("delta", delta).end());
    }

    fn end_text(&mut self, _cut: bool, out: &mut Output) {
        out.push(self.text_part("text-end").end());
    }

    fn start_call(&mut self, call: &Call, out: &mut Output) {
        out.push(call_part("tool-input-start", call).end());
    }

    fn arguments(&mut self, call: &Call, delta: &str, out: &mut Output) {
        let part = part("tool-input-delta").string("toolCallId", &call.id);
        out.push(part.string("inputTextDelta", delta).end());
    }

    fn end_call(&mut self, call: &Call, out: &mut Output) {
        let part = call_part("tool-input-available", call);
        out.push(part.compact("input", &call.arguments).end());
    }

    /// The state of the call becomes `output-error`; without this it stays `input-streaming`.
    fn cut_call(&mut self, call: &Call, message: &str, out: &mut Output) {
        let part = call_part("tool-input-error", call)
            .string("input", &call.arguments)
            .string("errorText", message);
        out.push(part.end());
    }

    /// A part replaces the previous one of the same name, because it has the same id.
    fn data(&mut self, name: &str, json: &str, out: &mut Output) {
        let part = part(&format!("data-{name}"))
            .string("id", name)
            .compact("data", json);
        out.push(part.end());
    }

    fn finish(&mut self, finish: Finish, usage: Option<Usage>, out: &mut Output) {
        out.push(part("finish-step").end());
        // Clients fail at any other reason.
        let reason = match finish {
            Finish::Stop => "stop",
            Finish::ToolCalls => "tool-calls",
            Finish::Length => "length",
            Finish::ContentFilter => "content-filter",
        };
        let mut part = part("finish").string("finishReason", reason);
        if let Some(usage) = usage {
            let mut tokens = Object::new()
                .number("inputTokens", usage.input_tokens)
                .number("outputTokens", usage.output_tokens)
                .number("totalTokens", usage.total_tokens());
            if usage.cached_tokens > 0 {
                tokens = tokens.number("cachedInputTokens", usage.cached_tokens);
            }
            if usage.reasoning_tokens > 0 {
                tokens = tokens.number("reasoningTokens", usage.reasoning_tokens);
            }
            part = part.object("messageMetadata", Object::new().object("usage", tokens));
        }
        out.push(part.end());
        out.push(String::from("[DONE]"));
    }

    fn fail(&mut self, _code: &str, message: &str, out: &mut Output) {
        out.push(part("error").string("errorText", message).end());
    }
}
