//! The items of SDKs as [`Piece`]s: functions to copy, tested with recorded streams.
//!
//! The module of each SDK has a function `pieces`, from an item of its stream to text, pieces of
//! calls, and the reason for the end. Pieces are what [`Writer`](json_chunks::wire::Writer) and
//! `.wire()` write in the dialect of any API; for the calls alone, [`push`] passes pieces to
//! [`ToolCalls`], and `.tool_calls_from_deltas()` reads the `ToolCallDelta`s in them.
//!
//! Two rules keep half a call from being executed:
//!
//! - A call that was cut off must not be completed. So `pieces` reports the end of a call only
//!   where the API does, and only if the call has arguments. Other calls end with a complete reply.
//! - A reply that was lost must not look complete. The stream of an SDK may simply end when the
//!   server closes the connection too early, so append [`lost`] to the pieces: after a reason for
//!   the end nothing is read, and without one this is the end.
//!
//! ```
//! use futures::{StreamExt, TryStreamExt, executor::block_on, stream};
//! use json_chunks::stream::WireStreamExt;
//! use json_chunks::wire::{Dialect, ReplyHead, Writer};
//! use json_chunks_sdks::{lost, ollama};
//!
//! # let json = r#"{"model": "m", "created_at": "2026-11-22T00:00:00Z", "done": true,
//! #     "message": {"role": "assistant", "content": "Hi", "thinking": null}}"#;
//! # let sdk_stream = stream::iter([serde_json::from_str(json)?]);
//! let mut count = 0;
//! let pieces = sdk_stream
//!     .flat_map(move |message| stream::iter(ollama::pieces(message, &mut count)))
//!     .chain(stream::iter([lost()]));
//! let frames = pieces.wire(Writer::new(Dialect::OpenAiChat, ReplyHead::new("r1", "m")));
//! let body: String = block_on(frames.map_ok(String::from).try_collect())?;
//! assert!(body.contains(r#""delta":{"content":"Hi"}"#));
//! assert!(body.contains(r#""finish_reason":"stop""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The count of tokens is left out: some SDKs report it after the reason.

pub mod anthropic;
pub mod genai;
pub mod ollama;
pub mod openai_chat;
pub mod openai_responses;
pub mod rig;

use json_chunks::Error;
use json_chunks::tool_call::{ToolCallEvent, ToolCalls};
use json_chunks::wire::Piece;

/// Reads the calls in a piece. After the last one, call [`ToolCalls::finish`].
///
/// # Errors
///
/// Those of [`ToolCalls::push`].
pub fn push(calls: &mut ToolCalls, piece: Piece) -> Result<Vec<ToolCallEvent>, Error> {
    match piece {
        Piece::Call(delta) => calls.push(delta),
        // The reply is complete, so its calls are, also those without arguments.
        Piece::Finish(finish) if !finish.is_cut() => Ok(calls.end_all()),
        Piece::Failed { .. } => Ok(calls.interrupt()),
        _ => Ok(Vec::new()),
    }
}

/// What follows the last item of a stream: the end of a reply that has not ended by itself.
#[must_use]
pub fn lost() -> Piece {
    Piece::Failed {
        code: "upstream_lost".to_owned(),
        message: "the reply was lost".to_owned(),
    }
}
