//! ollama-rs: `ChatMessageResponse`, which has complete calls.

use json_chunks::tool_call::ToolCallDelta;
use json_chunks::wire::{Finish, Piece};
use ollama_rs::generation::chat::ChatMessageResponse;

/// Returns the pieces in a message. `count` is how many calls there have been.
///
/// ollama-rs drops the `done_reason`, so text that was cut off by `num_predict` is reported as
/// complete. Compare `eval_count` with that limit, if you set it.
#[must_use]
pub fn pieces(response: ChatMessageResponse, count: &mut usize) -> Vec<Piece> {
    let mut pieces = vec![Piece::Text(response.message.content)];
    for call in response.message.tool_calls {
        let delta = ToolCallDelta::new(*count).name(call.function.name);
        let arguments = call.function.arguments.to_string();
        pieces.push(delta.arguments(arguments).ended().into());
        *count += 1;
    }
    if response.done {
        pieces.push(Piece::Finish(match *count {
            0 => Finish::Stop,
            _ => Finish::ToolCalls,
        }));
    }
    pieces
}
