//! AG-UI 1.0 (<https://docs.ag-ui.com/concepts/events>).

use alloc::format;
use alloc::string::String;

use super::call::Call;
use super::encoder::Encoder;
use crate::wire::frame::Output;
use crate::wire::object::Object;
use crate::wire::{Finish, ReplyHead, Usage};

#[derive(Debug)]
pub(super) struct AgUi {
    head: ReplyHead,
    /// The number of the message that is written. A message has a text and the calls after it.
    message: u64,
    /// Whether the message has a text or a call.
    has_parts: bool,
}

impl AgUi {
    pub(super) const fn new(head: ReplyHead) -> Self {
        Self {
            head,
            message: 0,
            has_parts: false,
        }
    }

    fn message_id(&self) -> String {
        format!("{}-{}", self.head.id, self.message)
    }

    fn message_event(&self, kind: &str) -> Object {
        event(kind).string("messageId", &self.message_id())
    }

    fn run_event(&self, kind: &str) -> Object {
        let thread = self.head.thread.as_ref().unwrap_or(&self.head.id);
        event(kind)
            .string("threadId", thread)
            .string("runId", &self.head.id)
    }
}

fn event(kind: &str) -> Object {
    Object::new().string("type", kind)
}

fn call_event(kind: &str, call: &Call) -> Object {
    event(kind).string("toolCallId", &call.id)
}

impl Encoder for AgUi {
    fn start(&mut self, out: &mut Output) {
        out.push(self.run_event("RUN_STARTED").end());
    }

    fn start_text(&mut self, out: &mut Output) {
        // A message can be started only once, so a text after a call is another message.
        self.message += u64::from(self.has_parts);
        self.has_parts = true;
        let event = self.message_event("TEXT_MESSAGE_START");
        out.push(event.string("role", "assistant").end());
    }

    fn text(&mut self, delta: &str, out: &mut Output) {
        let event = self.message_event("TEXT_MESSAGE_CONTENT");
        out.push(event.string("delta", delta).end());
    }

    fn end_text(&mut self, _cut: bool, out: &mut Output) {
        out.push(self.message_event("TEXT_MESSAGE_END").end());
    }

    fn start_call(&mut self, call: &Call, out: &mut Output) {
        self.has_parts = true;
        let event = call_event("TOOL_CALL_START", call)
            .string("toolCallName", &call.name)
            .string("parentMessageId", &self.message_id());
        out.push(event.end());
    }

    fn arguments(&mut self, call: &Call, delta: &str, out: &mut Output) {
        let event = call_event("TOOL_CALL_ARGS", call);
        out.push(event.string("delta", delta).end());
    }

    fn end_call(&mut self, call: &Call, out: &mut Output) {
        out.push(call_event("TOOL_CALL_END", call).end());
    }

    fn data(&mut self, name: &str, json: &str, out: &mut Output) {
        let event = event("CUSTOM").string("name", name);
        out.push(event.compact("value", json).end());
    }

    fn finish(&mut self, _finish: Finish, _usage: Option<Usage>, out: &mut Output) {
        out.push(self.run_event("RUN_FINISHED").end());
    }

    fn fail(&mut self, code: &str, message: &str, out: &mut Output) {
        let event = event("RUN_ERROR").string("message", message);
        out.push(event.string("code", code).end());
    }
}
