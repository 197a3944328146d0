//! async-openai, responses: `ResponseStreamEvent`.

use std::collections::HashSet;

use async_openai::types::responses::{OutputItem, OutputStatus, ResponseStreamEvent};
use json_chunks::tool_call::ToolCallDelta;
use json_chunks::wire::{Finish, Piece};

/// Returns the piece in an event. `with_arguments` has the calls with arguments so far.
#[must_use]
pub fn pieces(event: ResponseStreamEvent, with_arguments: &mut HashSet<u32>) -> Option<Piece> {
    use ResponseStreamEvent as Event;
    let delta = |index: u32| ToolCallDelta::new(index as usize);
    let piece = match event {
        Event::ResponseOutputTextDelta(event) => Piece::Text(event.delta),
        Event::ResponseOutputItemAdded(event) => match event.item {
            OutputItem::FunctionCall(call) => {
                let delta = delta(event.output_index);
                delta.id(call.call_id).name(call.name).into()
            }
            _ => return None,
        },
        Event::ResponseFunctionCallArgumentsDelta(event) => {
            with_arguments.insert(event.output_index);
            delta(event.output_index).arguments(event.delta).into()
        }
        Event::ResponseOutputItemDone(event) => match event.item {
            OutputItem::FunctionCall(call) => {
                let mut delta = delta(event.output_index);
                // Has all arguments once more; the only ones if the server sends no deltas.
                if with_arguments.insert(event.output_index) {
                    delta = delta.arguments(call.arguments);
                }
                delta.ended = call.status != Some(OutputStatus::Incomplete);
                delta.into()
            }
            _ => return None,
        },
        Event::ResponseCompleted(event) => {
            let output = &event.response.output;
            let is_call = |item: &OutputItem| matches!(item, OutputItem::FunctionCall(_));
            Piece::Finish(match output.iter().any(is_call) {
                true => Finish::ToolCalls,
                false => Finish::Stop,
            })
        }
        Event::ResponseIncomplete(event) => {
            Piece::Finish(match event.response.incomplete_details {
                Some(details) if details.reason == "content_filter" => Finish::ContentFilter,
                _ => Finish::Length,
            })
        }
        Event::ResponseError(error) => failed(error.code.unwrap_or_default(), error.message),
        Event::ResponseFailed(event) => match event.response.error {
            Some(error) => failed("response_failed".to_owned(), error.message),
            None => failed(
                "response_failed".to_owned(),
                "the reply has failed".to_owned(),
            ),
        },
        _ => return None,
    };
    Some(piece)
}

fn failed(code: String, message: String) -> Piece {
    Piece::Failed { code, message }
}
