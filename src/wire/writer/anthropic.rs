//! Anthropic's Messages: named events about content blocks
//! (<https://docs.anthropic.com/en/api/messages-streaming>).

use super::call::Call;
use super::encoder::Encoder;
use crate::wire::frame::Output;
use crate::wire::object::Object;
use crate::wire::{Finish, ReplyHead, Usage};

#[derive(Debug)]
pub(super) struct Anthropic {
    head: ReplyHead,
    /// The number of started blocks; the last one is being written.
    blocks: u64,
}

impl Anthropic {
    pub(super) const fn new(head: ReplyHead) -> Self {
        Self { head, blocks: 0 }
    }

    fn start_block(&mut self, block: Object, out: &mut Output) {
        self.blocks += 1;
        let event = self.block_event("content_block_start");
        push(
            "content_block_start",
            event.object("content_block", block),
            out,
        );
    }

    fn delta(&self, delta: Object, out: &mut Output) {
        let event = self.block_event("content_block_delta");
        push("content_block_delta", event.object("delta", delta), out);
    }

    fn end_block(&self, out: &mut Output) {
        push(
            "content_block_stop",
            self.block_event("content_block_stop"),
            out,
        );
    }

    fn block_event(&self, name: &str) -> Object {
        let index = self.blocks.saturating_sub(1);
        Object::new().string("type", name).number("index", index)
    }
}

/// Clients dispatch on the name: without it, the client for JavaScript finds no event at all, and
/// the client for Python misses errors.
fn push(name: &'static str, event: Object, out: &mut Output) {
    out.push_named(Some(name), event.end());
}

impl Encoder for Anthropic {
    fn start(&mut self, out: &mut Output) {
        let usage = Object::new()
            .number("input_tokens", self.head.input_tokens)
            .number("output_tokens", 0);
        let message = Object::new()
            .string("id", &self.head.id)
            .string("type", "message")
            .string("role", "assistant")
            .string("model", &self.head.model)
            .json("content", "[]")
            .json("stop_reason", "null")
            .json("stop_sequence", "null")
            .object("usage", usage);
        let event = Object::new().string("type", "message_start");
        push("message_start", event.object("message", message), out);
    }

    fn start_text(&mut self, out: &mut Output) {
        let block = Object::new().string("type", "text").string("text", "");
        self.start_block(block, out);
    }

    fn text(&mut self, delta: &str, out: &mut Output) {
        let delta = Object::new()
            .string("type", "text_delta")
            .string("text", delta);
        self.delta(delta, out);
    }

    fn end_text(&mut self, _cut: bool, out: &mut Output) {
        self.end_block(out);
    }

    fn start_call(&mut self, call: &Call, out: &mut Output) {
        let block = Object::new()
            .string("type", "tool_use")
            .string("id", &call.id)
            .string("name", &call.name)
            .json("input", "{}");
        self.start_block(block, out);
    }

    fn arguments(&mut self, _call: &Call, delta: &str, out: &mut Output) {
        let delta = Object::new()
            .string("type", "input_json_delta")
            .string("partial_json", delta);
        self.delta(delta, out);
    }

    fn end_call(&mut self, _call: &Call, out: &mut Output) {
        self.end_block(out);
    }

    fn finish(&mut self, finish: Finish, usage: Option<Usage>, out: &mut Output) {
        let reason = match finish {
            Finish::Stop => "end_turn",
            Finish::ToolCalls => "tool_use",
            Finish::Length => "max_tokens",
            Finish::ContentFilter => "refusal",
        };
        let delta = Object::new()
            .string("stop_reason", reason)
            .json("stop_sequence", "null");
        let tokens = match usage {
            Some(usage) => {
                // `input_tokens` excludes the tokens read from a cache.
                let uncached = usage.input_tokens.saturating_sub(usage.cached_tokens);
                let mut tokens = Object::new().number("input_tokens", uncached);
                if usage.cached_tokens > 0 {
                    tokens = tokens.number("cache_read_input_tokens", usage.cached_tokens);
                }
                tokens.number("output_tokens", usage.output_tokens)
            }
            None => Object::new().number("output_tokens", 0),
        };
        let event = Object::new().string("type", "message_delta");
        let event = event.object("delta", delta).object("usage", tokens);
        push("message_delta", event, out);
        let event = Object::new().string("type", "message_stop");
        push("message_stop", event, out);
    }

    fn fail(&mut self, code: &str, message: &str, out: &mut Output) {
        // The codes of Anthropic are `overloaded_error`, `rate_limit_error` and the like; this one
        // replaces all others.
        let code = if code.ends_with("_error") {
            code
        } else {
            "api_error"
        };
        let error = Object::new()
            .string("type", code)
            .string("message", message);
        let event = Object::new().string("type", "error");
        push("error", event.object("error", error), out);
    }
}
