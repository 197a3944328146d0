//! OpenAI's Responses: events with a `type` and a `sequence_number`
//! (<https://platform.openai.com/docs/api-reference/responses-streaming>).
//!
//! The last event repeats all items, and clients read parsed values, usage and status only from
//! that event; so the encoder keeps the items that it has written.

use alloc::format;
use alloc::string::String;

use super::call::Call;
use super::encoder::Encoder;
use crate::wire::frame::Output;
use crate::wire::object::Object;
use crate::wire::{Finish, ReplyHead, Usage};

#[derive(Debug)]
pub(super) struct Responses {
    head: ReplyHead,
    sequence_number: u64,
    /// The index of the item that is being written, or of the last one.
    output_index: u64,
    /// The id of that item.
    item_id: String,
    /// The number of started items.
    started: u64,
    /// The text of that item, if it is a message.
    text: String,
    /// The ended items, separated by commas.
    output: String,
}

impl Responses {
    pub(super) const fn new(head: ReplyHead) -> Self {
        Self {
            head,
            sequence_number: 0,
            output_index: 0,
            item_id: String::new(),
            started: 0,
            text: String::new(),
            output: String::new(),
        }
    }

    fn event(&mut self, name: &'static str) -> Object {
        let number = self.sequence_number;
        self.sequence_number += 1;
        Object::new()
            .string("type", name)
            .number("sequence_number", number)
    }

    /// Writes an event about the response.
    fn response(
        &mut self,
        name: &'static str,
        status: &str,
        details: [&str; 2],
        usage: &str,
        out: &mut Output,
    ) {
        let [error, incomplete_details] = details;
        let response = Object::new()
            .string("id", &self.head.id)
            .string("object", "response")
            .number("created_at", self.head.created)
            .string("status", status)
            .json("error", error)
            .json("incomplete_details", incomplete_details)
            .json("instructions", "null")
            .json("metadata", "{}")
            .string("model", &self.head.model)
            .json("output", &["[", &self.output, "]"].concat())
            .json("parallel_tool_calls", "true")
            .json("temperature", "1")
            .string("tool_choice", "auto")
            .json("tools", "[]")
            .json("top_p", "1")
            .json("usage", usage);
        let event = self.event(name).object("response", response);
        out.push_named(Some(name), event.end());
    }

    /// Writes an event about a piece of the item that is being written.
    fn piece(&mut self, name: &'static str) -> Object {
        let (id, index) = (core::mem::take(&mut self.item_id), self.output_index);
        let event = self.event(name);
        let event = event.string("item_id", &id).number("output_index", index);
        self.item_id = id;
        event
    }

    /// Writes an event about an item.
    fn item(&mut self, name: &'static str, item: &str, out: &mut Output) {
        let index = self.output_index;
        let event = self.event(name).number("output_index", index);
        out.push_named(Some(name), event.json("item", item).end());
    }

    /// Starts the next item, whose id has this prefix.
    fn start_item(&mut self, prefix: &str) {
        self.output_index = self.started;
        self.started += 1;
        self.item_id = format!("{prefix}_{}_{}", self.head.id, self.output_index);
    }

    fn end_item(&mut self, item: &str, out: &mut Output) {
        self.item("response.output_item.done", item, out);
        if !self.output.is_empty() {
            self.output.push(',');
        }
        self.output.push_str(item);
    }

    fn message(&self, status: &str, content: &str) -> String {
        Object::new()
            .string("id", &self.item_id)
            .string("type", "message")
            .string("status", status)
            .string("role", "assistant")
            .json("content", content)
            .end()
    }

    fn function_call(&self, call: &Call, status: &str, arguments: &str) -> String {
        Object::new()
            .string("id", &self.item_id)
            .string("type", "function_call")
            .string("status", status)
            .string("call_id", &call.id)
            .string("name", &call.name)
            .string("arguments", arguments)
            .end()
    }
}

fn output_text(text: &str) -> String {
    Object::new()
        .string("type", "output_text")
        .string("text", text)
        .json("annotations", "[]")
        .json("logprobs", "[]")
        .end()
}

impl Encoder for Responses {
    fn start(&mut self, out: &mut Output) {
        let details = ["null", "null"];
        self.response("response.created", "in_progress", details, "null", out);
    }

    fn start_text(&mut self, out: &mut Output) {
        self.start_item("msg");
        let item = self.message("in_progress", "[]");
        self.item("response.output_item.added", &item, out);
        let name = "response.content_part.added";
        let event = self.piece(name).number("content_index", 0);
        out.push_named(Some(name), event.json("part", &output_text("")).end());
    }

    fn text(&mut self, delta: &str, out: &mut Output) {
        self.text.push_str(delta);
        let name = "response.output_text.delta";
        let event = self.piece(name).number("content_index", 0);
        let event = event.string("delta", delta).json("logprobs", "[]");
        out.push_named(Some(name), event.end());
    }

    fn end_text(&mut self, cut: bool, out: &mut Output) {
        let text = core::mem::take(&mut self.text);
        let name = "response.output_text.done";
        let event = self.piece(name).number("content_index", 0);
        let event = event.string("text", &text).json("logprobs", "[]");
        out.push_named(Some(name), event.end());

        let part = output_text(&text);
        let name = "response.content_part.done";
        let event = self.piece(name).number("content_index", 0);
        out.push_named(Some(name), event.json("part", &part).end());

        let status = if cut { "incomplete" } else { "completed" };
        let item = self.message(status, &["[", &part, "]"].concat());
        self.end_item(&item, out);
    }

    fn start_call(&mut self, call: &Call, out: &mut Output) {
        self.start_item("fc");
        let item = self.function_call(call, "in_progress", "");
        self.item("response.output_item.added", &item, out);
    }

    fn arguments(&mut self, _call: &Call, delta: &str, out: &mut Output) {
        let name = "response.function_call_arguments.delta";
        let event = self.piece(name).string("delta", delta);
        out.push_named(Some(name), event.end());
    }

    fn end_call(&mut self, call: &Call, out: &mut Output) {
        let name = "response.function_call_arguments.done";
        let event = self.piece(name).string("name", &call.name);
        out.push_named(Some(name), event.string("arguments", &call.arguments).end());
        let item = self.function_call(call, "completed", &call.arguments);
        self.end_item(&item, out);
    }

    fn finish(&mut self, finish: Finish, usage: Option<Usage>, out: &mut Output) {
        let usage = usage.map(|usage| {
            let cached = Object::new().number("cached_tokens", usage.cached_tokens);
            let reasoning = Object::new().number("reasoning_tokens", usage.reasoning_tokens);
            Object::new()
                .number("input_tokens", usage.input_tokens)
                .object("input_tokens_details", cached)
                .number("output_tokens", usage.output_tokens)
                .object("output_tokens_details", reasoning)
                .number("total_tokens", usage.total_tokens())
                .end()
        });
        let usage = usage.as_deref().unwrap_or("null");
        let (name, status, details) = match finish {
            Finish::Stop | Finish::ToolCalls => {
                ("response.completed", "completed", ["null", "null"])
            }
            Finish::Length => (
                "response.incomplete",
                "incomplete",
                ["null", "{\"reason\":\"max_output_tokens\"}"],
            ),
            Finish::ContentFilter => (
                "response.incomplete",
                "incomplete",
                ["null", "{\"reason\":\"content_filter\"}"],
            ),
        };
        self.response(name, status, details, usage, out);
    }

    /// Two events, because at `response.failed` alone the client for JavaScript resolves without an
    /// error, with the status `failed`.
    fn fail(&mut self, code: &str, message: &str, out: &mut Output) {
        let name = "error";
        let event = self.event(name).string("code", code);
        let event = event.string("message", message).json("param", "null");
        out.push_named(Some(name), event.end());
        let error = Object::new()
            .string("code", code)
            .string("message", message);
        let details = [&*error.end(), "null"];
        self.response("response.failed", "failed", details, "null", out);
    }
}
