//! The dialects in which clients of language models read a reply over HTTP.
//!
//! [`Writer`] turns text and tool calls into the frames of a [`Dialect`]: OpenAI's Chat Completions
//! and Responses, Anthropic's Messages, the UI message stream and the text stream of Vercel's AI
//! SDK, AG-UI, Ollama and Gemini.
//!
//! ```
//! use json_chunks::Chunker;
//! use json_chunks::wire::{Dialect, Finish, ReplyHead, Writer};
//!
//! let mut chunker = Chunker::new();
//! let mut writer = Writer::new(Dialect::Anthropic, ReplyHead::new("msg_1", "kanazawa-1"));
//! for snapshot in [r#"{"city":"Kana"}"#, r#"{"city":"Kanazawa"}"#] {
//!     writer.text(&chunker.push(snapshot)?)?;
//! }
//! writer.text(&chunker.finish())?;
//! writer.finish(Finish::Stop, None)?;
//! let names: Vec<_> = writer.frames().filter_map(|frame| frame.name()).collect();
//! assert_eq!(
//!     names,
//!     [
//!         "message_start",
//!         "content_block_start",
//!         "content_block_delta",
//!         "content_block_delta",
//!         "content_block_delta",
//!         "content_block_stop",
//!         "message_delta",
//!         "message_stop"
//!     ]
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Reader`] turns the body of a reply back into [`Piece`]s, which a [`Writer`] of another dialect
//! [accepts](Writer::push).
#![cfg_attr(
    feature = "stream",
    doc = "On streams, see [`WireStreamExt`](crate::stream::WireStreamExt)."
)]
//!
//! # Clients
//!
//! The tests serve each dialect to these clients. Each client reads text, a structured reply and
//! parallel calls with their usage, and reports replies that were cut off, failed or were lost.
//!
//! | dialect | clients |
//! | --- | --- |
//! | `OpenAiChat`, `OpenAiResponses` | `openai` 6, 7 (npm), 3 (PyPI), AI SDK 6, 7, `async-openai` |
//! | `Anthropic` | `@anthropic-ai/sdk` 1, `anthropic` 2 (PyPI), AI SDK 6, 7 |
//! | `UiMessages` | `useChat` and `readUIMessageStream` of AI SDK 6, 7 |
//! | `PlainText` | `useObject` and `useCompletion` of AI SDK 6, 7 |
//! | `AgUi` | `@ag-ui/client` 1 |
//! | `Ollama` | `ollama` 0.6 (npm, PyPI) |
//! | `Gemini` | `@google/genai` 2, 3 (npm), `google-genai` 3 (PyPI) |

mod dialect;
mod error;
mod frame;
mod object;
mod piece;
mod reader;
mod reply;
mod writer;

pub use dialect::{Dialect, ParseDialectError};
pub use error::{Aborted, WriteError};
pub use frame::Frame;
pub use piece::Piece;
pub use reader::Reader;
pub use reply::{Finish, ReplyHead, Usage};
pub use writer::Writer;
