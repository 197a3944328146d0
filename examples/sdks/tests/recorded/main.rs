//! Recorded streams of each SDK, through its conversion: one reply per line of a table.

mod anthropic;
mod genai;
mod ollama;
mod openai_chat;
mod openai_responses;
mod rig;

use json_chunks::tool_call::{ToolCallEvent, ToolCalls};
use json_chunks::wire::{Dialect, Finish, Piece, Reader, ReplyHead, Writer};
use json_chunks_sdks::{lost, push};

/// What a program learns from a reply.
#[derive(Debug, Default, PartialEq)]
struct Reply {
    text: String,
    /// The calls that may be executed, as `id name arguments`.
    completed: Vec<String>,
    /// How many calls must not be executed.
    failed: usize,
    /// The reason, or the code of an error, that a client of this reply receives.
    end: Option<Result<Finish, String>>,
}

/// A reply of these texts and calls.
fn reply(text: &str, completed: &[&str], failed: usize, end: Result<Finish, &str>) -> Reply {
    Reply {
        text: text.to_owned(),
        completed: completed.iter().map(|&call| call.to_owned()).collect(),
        failed,
        end: Some(end.map_err(str::to_owned)),
    }
}

/// Reads the calls in the pieces of a stream, and serves the pieces to a client.
fn read(pieces: impl IntoIterator<Item = Piece>) -> Reply {
    let mut calls = ToolCalls::new();
    let mut events = Vec::new();
    let mut writer = Writer::new(Dialect::OpenAiResponses, ReplyHead::new("r1", "m"));
    for piece in pieces.into_iter().chain([lost()]) {
        let is_end = matches!(piece, Piece::Finish(_) | Piece::Failed { .. });
        events.extend(push(&mut calls, piece.clone()).expect("the piece is usable"));
        if let Err(error) = writer.push(piece) {
            // A call that is broken, or the rest of its reply.
            let _ = writer.fail("invalid_reply", &error.to_string());
        }
        if is_end {
            break;
        }
    }
    events.extend(calls.finish());

    let mut reply = Reply::default();
    for event in events {
        match event {
            ToolCallEvent::Completed(call) => reply.completed.push(format!(
                "{} {} {}",
                call.id().unwrap_or("-"),
                call.name(),
                call.arguments()
            )),
            ToolCallEvent::Failed { .. } => reply.failed += 1,
            _ => {}
        }
    }
    let mut reader = Reader::new(Dialect::OpenAiResponses);
    let body = writer.take_body();
    let pieces: Vec<_> = reader.push(&body).collect();
    for piece in pieces.into_iter().chain(reader.finish()) {
        match piece.expect("the body was written by the writer") {
            Piece::Text(text) => reply.text += &text,
            Piece::Finish(finish) => reply.end = Some(Ok(finish)),
            Piece::Failed { code, .. } => reply.end = Some(Err(code)),
            _ => {}
        }
    }
    reply
}

/// Parses the items of a stream, one per line.
fn items<T: serde::de::DeserializeOwned>(lines: &str) -> Vec<T> {
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|line| match serde_json::from_str(line) {
            Ok(item) => item,
            Err(error) => panic!("{line}: {error}"),
        })
        .collect()
}
