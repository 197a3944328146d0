//! OpenAI's Chat Completions: the objects `chat.completion.chunk`
//! (<https://platform.openai.com/docs/api-reference/chat-streaming>).

use alloc::string::String;

use super::call::Call;
use super::encoder::Encoder;
use crate::wire::frame::Output;
use crate::wire::object::Object;
use crate::wire::{Finish, ReplyHead, Usage};

#[derive(Debug)]
pub(super) struct Chat {
    /// The start of each frame, up to its choices.
    head: String,
}

impl Chat {
    pub(super) fn new(head: &ReplyHead) -> Self {
        let mut text = Object::new()
            .string("id", &head.id)
            .string("object", "chat.completion.chunk")
            .number("created", head.created)
            .string("model", &head.model)
            .end();
        text.pop();
        Self { head: text }
    }

    /// Writes a frame of the only choice. Clients need its `index`.
    fn choice(&self, delta: Object, finish_reason: Option<Finish>, out: &mut Output) {
        let delta = delta.end();
        let [quote, reason] = match finish_reason {
            Some(finish) => ["\"", finish.as_str()],
            None => ["", "null"],
        };
        let choices = ",\"choices\":[{\"index\":0,\"delta\":";
        let parts = [
            self.head.as_str(),
            choices,
            &delta,
            ",\"finish_reason\":",
            quote,
            reason,
            quote,
            "}]}",
        ];
        out.push(parts.concat());
    }
}

impl Encoder for Chat {
    fn start(&mut self, out: &mut Output) {
        let delta = Object::new()
            .string("role", "assistant")
            .string("content", "");
        self.choice(delta, None, out);
    }

    fn text(&mut self, delta: &str, out: &mut Output) {
        self.choice(Object::new().string("content", delta), None, out);
    }

    fn start_call(&mut self, call: &Call, out: &mut Output) {
        let function = Object::new()
            .string("name", &call.name)
            .string("arguments", "");
        let element = Object::new()
            .number("index", call.number as u64)
            .string("id", &call.id)
            .string("type", "function")
            .object("function", function);
        self.choice(Object::new().array_of("tool_calls", element), None, out);
    }

    fn arguments(&mut self, call: &Call, delta: &str, out: &mut Output) {
        let element = Object::new()
            .number("index", call.number as u64)
            .object("function", Object::new().string("arguments", delta));
        self.choice(Object::new().array_of("tool_calls", element), None, out);
    }

    fn finish(&mut self, finish: Finish, usage: Option<Usage>, out: &mut Output) {
        self.choice(Object::new(), Some(finish), out);
        if let Some(usage) = usage {
            let mut object = Object::new()
                .number("prompt_tokens", usage.input_tokens)
                .number("completion_tokens", usage.output_tokens)
                .number("total_tokens", usage.total_tokens());
            if usage.cached_tokens > 0 {
                let details = Object::new().number("cached_tokens", usage.cached_tokens);
                object = object.object("prompt_tokens_details", details);
            }
            if usage.reasoning_tokens > 0 {
                let details = Object::new().number("reasoning_tokens", usage.reasoning_tokens);
                object = object.object("completion_tokens_details", details);
            }
            let parts = [
                self.head.as_str(),
                ",\"choices\":[],\"usage\":",
                &object.end(),
                "}",
            ];
            out.push(parts.concat());
        }
        out.push(String::from("[DONE]"));
    }

    fn fail(&mut self, code: &str, message: &str, out: &mut Output) {
        let error = Object::new()
            .string("message", message)
            .string("type", "server_error")
            .json("param", "null")
            .string("code", code);
        out.push(Object::new().object("error", error).end());
    }
}
