//! An OpenAI-compatible server in front of a model that returns snapshots.
//!
//! `POST /v1/chat/completions` answers with text, or with a tool call if the request has tools;
//! with `"stream": true` the answer is streamed. `GET /v1/models` lists the model.
//!
//! Run it with `cargo run --example openai_server`, and then, for example,
//!
//! ```sh
//! curl -N http://127.0.0.1:8787/v1/chat/completions -H 'content-type: application/json' -d \
//!     '{"model": "kanazawa-1", "stream": true, "messages": [{"role": "user", "content": "Go."}]}'
//! ```

#![allow(clippy::print_stdout, reason = "the first line tells where it listens")]

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::Body;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{AppendHeaders, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::{Stream, StreamExt as _, TryStreamExt as _, stream};
use json_chunks::stream::{SnapshotStreamExt as _, WireStreamExt as _};
use json_chunks::tool_call::ToolCallDelta;
use json_chunks::wire::{Aborted, Dialect, Piece, ReplyHead, Usage, Writer};
use serde::Deserialize;
use serde_json::{Value, json};

const MODEL: &str = "kanazawa-1";

/// A stand-in for the model: growing JSON values.
fn generate() -> impl Stream<Item = &'static str> {
    let snapshots = tokio_stream::iter(include_str!("data/itinerary.jsonl").lines());
    tokio_stream::StreamExt::throttle(snapshots, Duration::from_millis(10))
}

/// The part of a request that is used.
#[derive(Deserialize)]
struct Request {
    model: String,
    messages: Vec<Value>,
    stream: Option<bool>,
    stream_options: Option<Value>,
    tools: Option<Vec<Value>>,
    #[serde(default)]
    tool_choice: Value,
}

/// How the model's JSON is sent: as text, or as the arguments of this function.
enum Answer {
    Text,
    Call(String),
}

impl Answer {
    fn new(request: &Request) -> Result<Self, &'static str> {
        let tools = request.tools.iter().flatten();
        let names = tools.map(|tool| tool["function"]["name"].as_str());
        let names: Option<Vec<&str>> = names.collect();
        let names = names.ok_or("a tool is not a function with a name")?;
        let called = match request.tool_choice["function"]["name"].as_str() {
            _ if request.tool_choice == "none" => None,
            Some(name) if !names.contains(&name) => return Err("`tools` lacks the tool chosen"),
            Some(name) => Some(name),
            None => names.first().copied(),
        };
        Ok(called.map_or(Self::Text, |name| Self::Call(name.to_owned())))
    }

    fn message(&self, text: &str) -> Value {
        match self {
            Self::Text => json!({"role": "assistant", "content": text}),
            Self::Call(name) => json!({"role": "assistant", "content": null, "tool_calls": [
                {"index": 0, "id": "call_1", "type": "function",
                 "function": {"name": name, "arguments": text}}
            ]}),
        }
    }

    /// What precedes the model's JSON in a streamed answer.
    fn start(&self) -> Option<Piece> {
        match self {
            Self::Text => None,
            Self::Call(name) => Some(ToolCallDelta::new(0).id("call_1").name(name).into()),
        }
    }

    fn piece(&self, chunk: String) -> Piece {
        match self {
            Self::Text => Piece::Text(chunk),
            Self::Call(_) => ToolCallDelta::new(0).arguments(chunk).into(),
        }
    }

    fn finish_reason(&self) -> &'static str {
        match self {
            Self::Text => "stop",
            Self::Call(_) => "tool_calls",
        }
    }
}

async fn complete(request: Result<Json<Request>, JsonRejection>) -> Response {
    let request = match request {
        Ok(Json(request)) => request,
        Err(rejection) => return error(StatusCode::BAD_REQUEST, &rejection.body_text()),
    };
    if request.messages.is_empty() {
        return error(StatusCode::BAD_REQUEST, "`messages` is empty");
    }
    if request.model != MODEL {
        let message = format!("there is no model `{}`, only `{MODEL}`", request.model);
        return error(StatusCode::NOT_FOUND, &message);
    }
    let answer = match Answer::new(&request) {
        Ok(answer) => answer,
        Err(message) => return error(StatusCode::BAD_REQUEST, message),
    };
    if request.stream == Some(true) {
        let options = request.stream_options.unwrap_or_default();
        let frames = frames(answer, options["include_usage"] == true);
        let headers = AppendHeaders(Dialect::OpenAiChat.headers().iter().copied());
        (headers, Body::from_stream(frames)).into_response()
    } else {
        let text: String = generate().json_chunks().collect().await;
        let head = head();
        let choice = json!({"index": 0, "message": answer.message(&text),
                            "finish_reason": answer.finish_reason()});
        let body = json!({"id": head.id, "object": "chat.completion", "created": head.created,
                          "model": head.model, "choices": [choice], "usage": tokens()});
        Json(body).into_response()
    }
}

/// The frames of the answer as it arrives.
fn frames(answer: Answer, with_usage: bool) -> impl Stream<Item = Result<String, Aborted>> {
    let usage = with_usage.then(|| Piece::Usage(Usage::new(0, 0)));
    let start = answer.start();

    // The only line that this crate needs: snapshots in, chunks out.
    let chunks = generate().json_chunks();

    stream::iter(start)
        .chain(chunks.map(move |chunk| answer.piece(chunk)))
        .chain(stream::iter(usage))
        .wire(Writer::new(Dialect::OpenAiChat, head()))
        .map_ok(String::from)
}

/// The common fields of all frames of one answer.
fn head() -> ReplyHead {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let id = format!("chatcmpl-{:x}", now.as_nanos());
    ReplyHead::new(id, MODEL).created(now.as_secs())
}

/// A model would count its tokens.
fn tokens() -> Value {
    json!({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0})
}

async fn models() -> Json<Value> {
    let model = json!({"id": MODEL, "object": "model", "created": 0, "owned_by": "json-chunks"});
    Json(json!({"object": "list", "data": [model]}))
}

fn error(status: StatusCode, message: &str) -> Response {
    let kind = "invalid_request_error";
    let error = json!({"message": message, "type": kind, "param": null, "code": null});
    (status, Json(json!({"error": error}))).into_response()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let port = match arguments.as_slice() {
        [] => 8787,
        [flag, port] if flag == "--port" => port.parse()?,
        _ => return Err("usage: openai_server [--port N], where 0 is any free port".into()),
    };
    let no_such_route = async || error(StatusCode::NOT_FOUND, "there is no such route");
    let routes = Router::new()
        .route("/v1/chat/completions", post(complete))
        .route("/v1/models", get(models))
        .fallback(no_such_route)
        .method_not_allowed_fallback(no_such_route);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("http://{}/v1", listener.local_addr()?);
    Ok(axum::serve(listener, routes).await?)
}
