//! The formats in which chunks are written.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// The chunks as they are
    Raw,
    /// One JSON string per line of input, and one for the end
    Jsonl,
    /// Server-sent events of the Partial Stream Spec
    Sse,
    /// Server-sent events as OpenAI's chat completions send them
    Openai,
}

/// Writes chunks in a format, each flushed before the next is asked for.
#[derive(Debug)]
pub(super) struct ChunkWriter<W> {
    out: W,
    state: State,
}

#[derive(Debug)]
enum State {
    Raw,
    Jsonl,
    Sse {
        /// The number of the last event.
        id: u64,
        /// All chunks so far: the last event repeats the value whole.
        value: String,
    },
    Openai(Completion),
}

/// What all frames of one chat completion have in common.
#[derive(Debug)]
struct Completion {
    id: String,
    created: u64,
}

impl Completion {
    fn now() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default();
        Self {
            id: format!("chatcmpl-{:x}", now.as_nanos()),
            created: now.as_secs(),
        }
    }

    /// One event; `delta` and `finish_reason` are JSON texts.
    fn frame(&self, delta: &str, finish_reason: &str) -> String {
        // Written out, for the order in which the service itself has the members.
        let Self { id, created } = self;
        format!(
            "data: {{\"id\":\"{id}\",\"object\":\"chat.completion.chunk\",\"created\":{created},\
             \"model\":\"json-chunks\",\"choices\":[{{\"index\":0,\"delta\":{delta},\
             \"finish_reason\":{finish_reason}}}]}}\n\n"
        )
    }

    fn start(&self) -> String {
        self.frame("{\"role\":\"assistant\",\"content\":\"\"}", "null")
    }

    fn content(&self, chunk: &str) -> String {
        self.frame(&format!("{{\"content\":{}}}", Value::from(chunk)), "null")
    }

    fn stop(&self) -> String {
        self.frame("{}", "\"stop\"")
    }
}

impl<W: Write> ChunkWriter<W> {
    pub(super) fn new(format: Format, out: W) -> Self {
        let state = match format {
            Format::Raw => State::Raw,
            Format::Jsonl => State::Jsonl,
            Format::Sse => State::Sse {
                id: 0,
                value: String::new(),
            },
            Format::Openai => State::Openai(Completion::now()),
        };
        Self { out, state }
    }

    /// What goes out before anything came in.
    pub(super) fn start(&mut self) -> io::Result<()> {
        let State::Openai(completion) = &self.state else {
            return Ok(());
        };
        self.out.write_all(completion.start().as_bytes())?;
        self.out.flush()
    }

    /// What one line of input gave, which may be nothing.
    pub(super) fn chunk(&mut self, chunk: &str) -> io::Result<()> {
        match &mut self.state {
            State::Raw => self.out.write_all(chunk.as_bytes())?,
            State::Jsonl => writeln!(self.out, "{}", Value::from(chunk))?,
            State::Sse { .. } | State::Openai(_) if chunk.is_empty() => return Ok(()),
            State::Sse { id, value } => {
                *id += 1;
                value.push_str(chunk);
                let delta = Value::from(chunk);
                writeln!(
                    self.out,
                    "id: {id}\ndata: {{\"index\":0,\"status\":\"PARTIAL\",\"delta\":{delta}}}\n"
                )?;
            }
            State::Openai(completion) => {
                self.out.write_all(completion.content(chunk).as_bytes())?;
            }
        }
        self.out.flush()
    }

    /// The end, with what was still open.
    pub(super) fn finish(&mut self, last: &str) -> io::Result<()> {
        match &mut self.state {
            State::Raw | State::Jsonl => return self.chunk(last),
            State::Sse { id, value } => {
                value.push_str(last);
                if !value.is_empty() {
                    *id += 1;
                    let delta = Value::from(last);
                    // The value goes in as the text that it is: no number loses a digit, and
                    // having no line breaks it fits in one `data:` line.
                    writeln!(
                        self.out,
                        "id: {id}\ndata: {{\"index\":0,\"status\":\"COMPLETED\",\"data\":{value},\
                         \"delta\":{delta}}}\n"
                    )?;
                }
                self.out.write_all(b"event: CLOSE\ndata: [DONE]\n\n")?;
            }
            State::Openai(completion) => {
                if !last.is_empty() {
                    self.out.write_all(completion.content(last).as_bytes())?;
                }
                // Some clients take a stream without a reason for its end as broken off.
                self.out.write_all(completion.stop().as_bytes())?;
                self.out.write_all(b"data: [DONE]\n\n")?;
            }
        }
        self.out.flush()
    }

    pub(super) fn into_inner(self) -> W {
        self.out
    }
}
