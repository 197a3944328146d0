//! The events of AG-UI.

use super::reply::{Reply, text_of};
use crate::document::Value;
use crate::tool_call::ToolCallDelta;
use crate::wire::Finish;

pub(super) fn read(reply: &mut Reply, event: Value<'_>) {
    let id = text_of(event, "toolCallId");
    let delta = text_of(event, "delta");
    match text_of(event, "type") {
        "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => reply.text(delta),
        "TOOL_CALL_START" => start(reply, event, ""),
        "TOOL_CALL_ARGS" => {
            let index = reply.index_of_id(id);
            reply.call(ToolCallDelta::new(index).arguments(delta));
        }
        // The short form: the id and the name are in the first chunk, and only the end of the run
        // ends the call.
        "TOOL_CALL_CHUNK" => {
            start(reply, event, delta);
            let index = reply.index_of_id(id);
            reply.stop_call_later(index);
        }
        "TOOL_CALL_END" => {
            let index = reply.index_of_id(id);
            reply.stop_call(index);
        }
        "CUSTOM" => reply.data(text_of(event, "name"), event.get("value")),
        "RUN_FINISHED" => reply.finish(reply.stop(), false),
        "RUN_ERROR" => {
            let message = text_of(event, "message");
            match text_of(event, "code") {
                // AG-UI has no finish reasons; these are the codes that the writer uses in their
                // place.
                "length" => reply.finish(Finish::Length, false),
                "content_filter" => reply.finish(Finish::ContentFilter, false),
                code => reply.fail_with(code, message),
            }
        }
        _ => {}
    }
}

fn start(reply: &mut Reply, event: Value<'_>, arguments: &str) {
    let id = text_of(event, "toolCallId");
    let delta = ToolCallDelta::new(reply.index_of_id(id)).id(id);
    let delta = delta.name(text_of(event, "toolCallName"));
    reply.call(delta.arguments(arguments));
}
