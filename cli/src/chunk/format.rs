//! The formats in which chunks are written.
//!
//! # For maintainers
//!
//! A format is a variant of [`Format`], whose docs are its help. The format of an API needs only a
//! dialect of the library in [`ChunkWriter::new`]; any other format needs a variant of [`State`],
//! with its output for each chunk and at the end.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use json_chunks::Limits;
use json_chunks::entity::{EntityDetector, EntityEvent, EntityMode};
use json_chunks::sse::SseEvent;
use json_chunks::wire::{Dialect, Finish, ReplyHead, Writer};
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// The chunks as they are
    Raw,
    /// One JSON string per snapshot, and one for the end
    Jsonl,
    /// Server-sent events of the Partial Stream Spec, with the document as one entity
    Sse,
    /// Server-sent events of OpenAI's Chat Completions
    Openai,
    /// Server-sent events of OpenAI's Responses
    Responses,
    /// Server-sent events of Anthropic's Messages
    Anthropic,
    /// The UI message stream of Vercel's AI SDK
    Ui,
    /// The text stream of Vercel's AI SDK: as `raw`, but not completed if the input is lost
    Text,
    /// Server-sent events of AG-UI
    Agui,
    /// JSON lines of Ollama's chat API
    Ollama,
    /// Server-sent events of Gemini's `streamGenerateContent`
    Gemini,
}

/// The model in the frames of APIs.
const MODEL: &str = "json-chunks";

/// Writes chunks in a format, and flushes after each.
#[derive(Debug)]
pub(super) struct ChunkWriter<W> {
    out: W,
    state: State,
}

#[derive(Debug)]
enum State {
    Raw,
    Jsonl,
    Sse(Box<Events>),
    Reply(Box<Writer>),
}

/// The document of the chunks, as the one entity of the Partial Stream Spec.
#[derive(Debug)]
struct Events {
    document: EntityDetector,
    /// Whether a chunk has arrived.
    has_started: bool,
    /// The number of the last event.
    id: u64,
}

impl Events {
    fn new() -> Self {
        // The chunker has applied the limits to the snapshots. Restated members make the text of
        // the chunks longer than that of a snapshot, which must not end the events.
        let unlimited = Limits::default()
            .max_depth(u32::MAX)
            .max_token_bytes(u32::MAX)
            .max_document_bytes(u32::MAX);
        let document = EntityDetector::new(EntityMode::Realtime).single_entity(true);
        Self {
            document: document.limits(unlimited),
            has_started: false,
            id: 0,
        }
    }

    /// Returns the frames of the changes that a chunk makes.
    fn chunk(&mut self, chunk: &str) -> String {
        if chunk.is_empty() {
            return String::new();
        }
        self.has_started = true;
        frames(self.document.push(chunk), &mut self.id)
    }

    /// Returns the frames of the end. A number as the document is complete only now.
    fn finish(&mut self) -> String {
        let mut frames = if self.has_started {
            frames(self.document.finish(), &mut self.id)
        } else {
            String::new()
        };
        frames.push_str(&SseEvent::close().to_string());
        frames
    }
}

fn frames(events: impl Iterator<Item = EntityEvent>, id: &mut u64) -> String {
    events
        .map(|event| {
            *id += 1;
            SseEvent::from(event).with_id(id.to_string()).to_string()
        })
        .collect()
}

/// Returns the writer of a reply whose text is the chunks.
fn reply(dialect: Dialect, id_prefix: &str) -> Writer {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.unwrap_or_default();
    let id = format!("{id_prefix}{:x}", now.as_nanos());
    Writer::new(dialect, ReplyHead::new(id, MODEL).created(now.as_secs()))
}

impl<W: Write> ChunkWriter<W> {
    pub(super) fn new(format: Format, out: W) -> Self {
        let reply = |dialect, id_prefix| State::Reply(Box::new(reply(dialect, id_prefix)));
        let state = match format {
            Format::Raw => State::Raw,
            Format::Jsonl => State::Jsonl,
            Format::Sse => State::Sse(Box::new(Events::new())),
            Format::Openai => reply(Dialect::OpenAiChat, "chatcmpl-"),
            Format::Responses => reply(Dialect::OpenAiResponses, "resp_"),
            Format::Anthropic => reply(Dialect::Anthropic, "msg_"),
            Format::Ui => reply(Dialect::UiMessages, "msg-"),
            Format::Text => reply(Dialect::PlainText, ""),
            Format::Agui => reply(Dialect::AgUi, "run-"),
            Format::Ollama => reply(Dialect::Ollama, ""),
            Format::Gemini => reply(Dialect::Gemini, ""),
        };
        Self { out, state }
    }

    /// Writes the frames before the first chunk.
    pub(super) fn start(&mut self) -> io::Result<()> {
        if let State::Reply(reply) = &mut self.state {
            reply.start().map_err(io::Error::other)?;
            self.out.write_all(reply.take_body().as_bytes())?;
        }
        self.out.flush()
    }

    /// Writes the chunk of one snapshot, which may be empty.
    pub(super) fn chunk(&mut self, chunk: &str) -> io::Result<()> {
        match &mut self.state {
            State::Raw => self.out.write_all(chunk.as_bytes())?,
            State::Jsonl => writeln!(self.out, "{}", Value::from(chunk))?,
            State::Sse(events) => self.out.write_all(events.chunk(chunk).as_bytes())?,
            State::Reply(reply) => {
                reply.text(chunk).map_err(io::Error::other)?;
                self.out.write_all(reply.take_body().as_bytes())?;
            }
        }
        self.out.flush()
    }

    /// Writes the last chunk, which closes the open values, and the end.
    pub(super) fn finish(&mut self, last: &str) -> io::Result<()> {
        self.chunk(last)?;
        match &mut self.state {
            State::Raw | State::Jsonl => {}
            State::Sse(events) => self.out.write_all(events.finish().as_bytes())?,
            State::Reply(reply) => {
                reply.finish(Finish::Stop, None).map_err(io::Error::other)?;
                self.out.write_all(reply.take_body().as_bytes())?;
            }
        }
        self.out.flush()
    }

    /// Ends the output after the input was lost. A reply of an API ends with an error, because
    /// clients would take any other end for the end of the document; the text stream has no error,
    /// and stops. The other formats end with the last chunk, so that the output is complete JSON.
    pub(super) fn fail(&mut self, last: &str, message: &str) -> io::Result<()> {
        match &mut self.state {
            State::Raw | State::Jsonl | State::Sse(_) => self.finish(last),
            State::Reply(reply) => {
                reply
                    .fail("input_lost", message)
                    .map_err(io::Error::other)?;
                self.out.write_all(reply.take_body().as_bytes())?;
                self.out.flush()
            }
        }
    }

    pub(super) fn into_inner(self) -> W {
        self.out
    }
}
