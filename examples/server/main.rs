//! One stream of pieces, served to the clients of every dialect.
//!
//! | request | clients |
//! | --- | --- |
//! | `POST /v1/chat/completions` | OpenAI's, and all that are compatible with them |
//! | `POST /v1/responses` | OpenAI's |
//! | `POST /v1/messages` | Anthropic's |
//! | `POST /api/chat` | Ollama's; without a `model` in the body, `useChat` of Vercel's AI SDK |
//! | `POST /api/object` | `useObject` of Vercel's AI SDK |
//! | `POST /ag-ui` | AG-UI's |
//! | `POST /v1beta/models/{model}:streamGenerateContent?alt=sse` | Gemini's |
//! | `GET /v1/models` | the models, which are in `scenario.rs` |
//!
//! Where a request has no model, it is the `model` of the query, or else `kanazawa-1`.
//!
//! Run it with `cargo run --example server`, and then, for example,
//!
//! ```sh
//! curl -N http://127.0.0.1:8787/v1/chat/completions -H 'content-type: application/json' -d \
//!     '{"model": "kanazawa-1", "stream": true, "messages": [{"role": "user", "content": "Go."}]}'
//! ```

#![allow(clippy::print_stdout, reason = "the first line tells where it listens")]

mod scenario;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::{StatusCode, Uri};
use axum::response::{AppendHeaders, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::future::ready;
use futures::{StreamExt as _, TryStreamExt as _};
use json_chunks::stream::WireStreamExt as _;
use json_chunks::tool_call::{ToolCallEvent, ToolCalls};
use json_chunks::wire::{Dialect, Piece, ReplyHead, Writer};
use serde::Deserialize;
use serde_json::{Value, json};

use scenario::{MODELS, Pieces, USAGE};

/// What is used of requests, in all dialects.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Request {
    model: Option<String>,
    messages: Option<Vec<Value>>,
    stream: Option<bool>,
    stream_options: Value,
    tools: Option<Vec<Value>>,
    tool_choice: Value,
    /// The id of a chat of `useChat`.
    id: Value,
    #[serde(rename = "threadId")]
    thread: Option<String>,
    #[serde(rename = "runId")]
    run: Option<String>,
}

/// Why a request is not answered.
type Refusal = (StatusCode, String);

fn unusable(why: impl Into<String>) -> Refusal {
    (StatusCode::BAD_REQUEST, why.into())
}

impl Request {
    fn parse(body: &Bytes) -> Result<Self, Refusal> {
        serde_json::from_slice(body).map_err(|error| unusable(error.to_string()))
    }

    /// Returns the name of the tool to call: the one that is chosen, or the first.
    fn tool(&self) -> Result<Option<&str>, Refusal> {
        let names = self.tools.iter().flatten().map(|tool| {
            // As OpenAI and Ollama, Gemini, or all others have it.
            let function = [&tool["function"], &tool["functionDeclarations"][0], tool];
            function
                .iter()
                .find_map(|function| function["name"].as_str())
        });
        let names: Option<Vec<&str>> = names.collect();
        let names = names.ok_or_else(|| unusable("a tool is not a function with a name"))?;
        let choice = &self.tool_choice;
        let chosen = choice["function"]["name"]
            .as_str()
            .or(choice["name"].as_str());
        match chosen {
            _ if choice == "none" || choice["type"] == "none" => Ok(None),
            Some(name) if names.contains(&name) => Ok(Some(name)),
            Some(_) => Err(unusable("`tools` lacks the tool chosen")),
            None => Ok(names.first().copied()),
        }
    }

    /// The common fields of all frames of one reply.
    fn head(self, model: &str) -> ReplyHead {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default();
        // Clients of AG-UI choose the id.
        let id = self
            .run
            .unwrap_or_else(|| format!("reply-{:x}", now.as_nanos()));
        let mut head = ReplyHead::new(id, model).created(now.as_secs());
        head.input_tokens = USAGE.input_tokens;
        head.thread = self.thread;
        head
    }
}

/// Answers a request whose URL has this model.
async fn answer(
    dialect: Dialect,
    model: Option<String>,
    request: Request,
    pace: Duration,
) -> Result<Response, Refusal> {
    if dialect != Dialect::AgUi && request.messages.as_ref().is_some_and(Vec::is_empty) {
        return Err(unusable("`messages` is empty"));
    }
    let model = model.or_else(|| request.model.clone());
    let model = model.unwrap_or_else(|| MODELS[0].0.to_owned());
    let pieces = scenario::reply(&model, request.tool()?, pace);
    let missing = || {
        (
            StatusCode::NOT_FOUND,
            format!("there is no model `{model}`"),
        )
    };
    let pieces = pieces.ok_or_else(missing)?;

    // The other ones stream unless they are asked not to.
    let asks_for_stream = matches!(
        dialect,
        Dialect::OpenAiChat | Dialect::OpenAiResponses | Dialect::Anthropic
    );
    match request.stream.unwrap_or(!asks_for_stream) {
        true => Ok(stream(dialect, &model, request, pieces)),
        false if dialect == Dialect::OpenAiChat => completion(pieces, request.head(&model)).await,
        false => Err(unusable("every reply is a stream: set `stream`")),
    }
}

fn stream(dialect: Dialect, model: &str, request: Request, pieces: Pieces) -> Response {
    // OpenAI's older clients ask for the usage.
    let has_usage =
        dialect != Dialect::OpenAiChat || request.stream_options["include_usage"] == true;
    let pieces =
        pieces.try_filter(move |piece| ready(has_usage || !matches!(piece, Piece::Usage(_))));

    // The only line that this crate needs: pieces in, frames out.
    let frames = pieces.try_wire(Writer::new(dialect, request.head(model)));

    let headers = AppendHeaders(dialect.headers().iter().copied());
    (headers, Body::from_stream(frames.map_ok(String::from))).into_response()
}

/// A chat completion in one response.
async fn completion(mut pieces: Pieces, head: ReplyHead) -> Result<Response, Refusal> {
    let failed = |message: String| (StatusCode::BAD_GATEWAY, message);
    let (mut text, mut calls, mut completed) = (String::new(), ToolCalls::new(), Vec::new());
    let mut finish = None;
    while let Some(piece) = pieces.next().await {
        match piece.map_err(|lost| failed(lost.to_string()))? {
            Piece::Text(more) => text += &more,
            Piece::Call(delta) => {
                completed.extend(
                    calls
                        .push(delta)
                        .map_err(|error| failed(error.to_string()))?,
                );
            }
            Piece::Finish(reason) => finish = Some(reason.as_str()),
            Piece::Failed { message, .. } => return Err(failed(message)),
            _ => {}
        }
    }
    completed.extend(calls.finish());
    let calls: Vec<Value> = completed
        .into_iter()
        .filter_map(|event| match event {
            ToolCallEvent::Completed(call) => Some(json!({
                "id": call.id(), "type": "function",
                "function": {"name": call.name(), "arguments": call.arguments()},
            })),
            _ => None,
        })
        .collect();
    let reason = if calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    };
    let mut message = json!({"role": "assistant", "content": text});
    if !calls.is_empty() {
        message["tool_calls"] = Value::from(calls);
    }
    let choice = json!({"index": 0, "message": message, "finish_reason": finish.unwrap_or(reason)});
    let usage = json!({"prompt_tokens": USAGE.input_tokens,
        "completion_tokens": USAGE.output_tokens, "total_tokens": USAGE.total_tokens()});
    Ok(Json(
        json!({"id": head.id, "object": "chat.completion", "created": head.created,
        "model": head.model, "choices": [choice], "usage": usage}),
    )
    .into_response())
}

/// An error before the first frame, as the clients of a dialect read it.
fn refused(dialect: Dialect, (status, message): Refusal) -> Response {
    let [openai, anthropic, gemini] = match status {
        StatusCode::NOT_FOUND => ["invalid_request_error", "not_found_error", "NOT_FOUND"],
        StatusCode::BAD_GATEWAY => ["server_error", "api_error", "INTERNAL"],
        _ => [
            "invalid_request_error",
            "invalid_request_error",
            "INVALID_ARGUMENT",
        ],
    };
    let body = match dialect {
        Dialect::OpenAiChat | Dialect::OpenAiResponses => {
            json!({"error": {"message": message, "type": openai, "param": null, "code": null}})
        }
        Dialect::Anthropic => {
            json!({"type": "error", "error": {"type": anthropic, "message": message}})
        }
        Dialect::Gemini => {
            json!({"error": {"code": status.as_u16(), "message": message, "status": gemini}})
        }
        Dialect::Ollama => json!({"error": message}),
        _ => return (status, message).into_response(),
    };
    (status, Json(body)).into_response()
}

/// The `model` of a query.
fn model_in(uri: &Uri) -> Option<String> {
    let mut members = uri.query()?.split('&');
    members.find_map(|member| member.strip_prefix("model=").map(str::to_owned))
}

async fn reply(
    dialect: Dialect,
    model: Option<String>,
    request: Result<Request, Refusal>,
    pace: Duration,
) -> Response {
    let answer = match request {
        Ok(request) => answer(dialect, model, request, pace).await,
        Err(refusal) => Err(refusal),
    };
    answer.unwrap_or_else(|refusal| refused(dialect, refusal))
}

/// The routes of all dialects. Each reply has one piece every `pace`.
fn routes(pace: Duration) -> Router {
    let at = |dialect| {
        post(async move |uri: Uri, body: Bytes| {
            reply(dialect, model_in(&uri), Request::parse(&body), pace).await
        })
    };
    let api_chat = post(async move |uri: Uri, body: Bytes| {
        let request = Request::parse(&body);
        let is_ollama = |request: &Request| request.model.is_some() && request.id.is_null();
        let dialect = match &request {
            Ok(request) if !is_ollama(request) => Dialect::UiMessages,
            _ => Dialect::Ollama,
        };
        reply(dialect, model_in(&uri), request, pace).await
    });
    // The body of `useObject` is what its page submits.
    let api_object = post(async move |uri: Uri| {
        reply(
            Dialect::PlainText,
            model_in(&uri),
            Ok(Request::default()),
            pace,
        )
        .await
    });
    let gemini =
        post(
            async move |Path(call): Path<String>, body: Bytes| match call.split_once(':') {
                Some((model, "streamGenerateContent")) => {
                    let model = Some(model.to_owned());
                    reply(Dialect::Gemini, model, Request::parse(&body), pace).await
                }
                _ => refused(Dialect::Gemini, no_such_route()),
            },
        );
    let fallback = async || refused(Dialect::OpenAiChat, no_such_route());
    Router::new()
        .route("/v1/chat/completions", at(Dialect::OpenAiChat))
        .route("/v1/responses", at(Dialect::OpenAiResponses))
        .route("/v1/messages", at(Dialect::Anthropic))
        .route("/api/chat", api_chat)
        .route("/api/object", api_object)
        .route("/ag-ui", at(Dialect::AgUi))
        .route("/v1/models/{call}", gemini.clone())
        .route("/v1beta/models/{call}", gemini)
        .route("/v1/models", get(models))
        .fallback(fallback)
        .method_not_allowed_fallback(fallback)
}

fn no_such_route() -> Refusal {
    (StatusCode::NOT_FOUND, "there is no such route".to_owned())
}

async fn models() -> Json<Value> {
    let model = |&(id, description): &(&str, &str)| {
        json!({"id": id, "object": "model", "created": 0, "owned_by": "json-chunks",
            "description": description})
    };
    let models: Value = MODELS.iter().map(model).collect();
    Json(json!({"object": "list", "data": models}))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut port, mut pace) = (8787, Duration::from_millis(10));
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--port" => port = arguments.next().ok_or("`--port` has no number")?.parse()?,
            "--fast" => pace = Duration::ZERO,
            _ => return Err("usage: server [--port N] [--fast]; port 0 is any free port".into()),
        }
    }
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, routes(pace)).await?)
}
