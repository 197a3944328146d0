//! The example server, read by a client in Rust.

use async_openai::Client as OpenAi;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::types::chat::CreateChatCompletionRequest;
use async_openai::types::responses::{
    CreateResponse, OutputItem, OutputStatus, Response, ResponseStreamEvent,
};
use futures::StreamExt as _;
use json_chunks_clients::Server;
use json_chunks_clients::outcome::Cell::{Cut, Ends, Fails};
use json_chunks_clients::outcome::{Case, Client, assert_table};
use serde_json::{Value, json};

/// An outcome as far as it is known.
fn outcome(client: &str, case: Case) -> Value {
    json!({"client": client, "case": case.as_str(), "text": "", "value": null, "calls": [],
        "usage": null, "finish": null, "error": null})
}

fn add_text(outcome: &mut Value, delta: &str) {
    let text = outcome["text"].as_str().expect("it is a text");
    outcome["text"] = Value::from([text, delta].concat());
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    let arguments: Value = serde_json::from_str(arguments).expect("the call is complete");
    json!({"id": id, "name": name, "arguments": arguments})
}

/// The variant and the message of an error.
fn words(error: &OpenAIError) -> String {
    match error {
        OpenAIError::ApiError(error) => format!("ApiError: {}", error.api_error.message),
        OpenAIError::JSONDeserialize(_, text) => format!("JSONDeserialize: {text}"),
        error => error.to_string(),
    }
}

async fn chat(client: &OpenAi<OpenAIConfig>, case: Case) -> Result<Value, (Value, OpenAIError)> {
    let mut outcome = outcome("async-openai chat", case);
    let request: CreateChatCompletionRequest = serde_json::from_value(json!({
        "model": case.as_str(), "messages": [{"role": "user", "content": "Plan three slow days."}],
        "stream_options": {"include_usage": true}
    }))
    .expect("it is a request");
    let mut frames = match client.chat().create_stream(request).await {
        Ok(frames) => frames,
        Err(error) => return Err((outcome, error)),
    };
    let (mut calls, mut finish) = (Vec::new(), None);
    while let Some(frame) = frames.next().await {
        let frame = match frame {
            Ok(frame) => frame,
            Err(error) => return Err((outcome, error)),
        };
        if let Some(usage) = frame.usage {
            outcome["usage"] = json!([usage.prompt_tokens, usage.completion_tokens]);
        }
        for choice in frame.choices {
            add_text(
                &mut outcome,
                choice.delta.content.as_deref().unwrap_or_default(),
            );
            for piece in choice.delta.tool_calls.into_iter().flatten() {
                let function = piece.function.unwrap_or_default();
                if let (Some(id), Some(name)) = (piece.id, function.name) {
                    calls.push((id, name, String::new()));
                }
                let (_, _, arguments) = calls.last_mut().expect("a call starts with its name");
                *arguments += &function.arguments.unwrap_or_default();
            }
            finish = choice.finish_reason.or(finish);
        }
    }
    outcome["finish"] = json!(finish);
    if outcome["finish"] == "tool_calls" {
        let calls = calls
            .iter()
            .map(|(id, name, arguments)| call(id, name, arguments));
        outcome["calls"] = calls.collect();
    }
    Ok(outcome)
}

async fn responses(
    client: &OpenAi<OpenAIConfig>,
    case: Case,
) -> Result<Value, (Value, OpenAIError)> {
    let mut outcome = outcome("async-openai responses", case);
    let request = json!({"model": case.as_str(), "input": "Plan three slow days."});
    let request: CreateResponse = serde_json::from_value(request).expect("it is a request");
    let mut events = match client.responses().create_stream(request).await {
        Ok(events) => events,
        Err(error) => return Err((outcome, error)),
    };
    while let Some(event) = events.next().await {
        match event {
            Ok(ResponseStreamEvent::ResponseOutputTextDelta(event)) => {
                add_text(&mut outcome, &event.delta);
            }
            Ok(ResponseStreamEvent::ResponseError(event)) => {
                outcome["error"] = Value::from(format!("ResponseError: {}", event.message));
            }
            Ok(ResponseStreamEvent::ResponseCompleted(event)) => {
                end(&mut outcome, &event.response);
            }
            Ok(ResponseStreamEvent::ResponseIncomplete(event)) => {
                end(&mut outcome, &event.response);
            }
            Ok(_) => {}
            Err(error) => return Err((outcome, error)),
        }
    }
    Ok(outcome)
}

fn end(outcome: &mut Value, response: &Response) {
    outcome["finish"] = json!(response.status);
    let usage = response.usage.as_ref().expect("the server counts tokens");
    outcome["usage"] = json!([usage.input_tokens, usage.output_tokens]);
    let calls = response.output.iter().filter_map(|item| match item {
        OutputItem::FunctionCall(item) if item.status == Some(OutputStatus::Completed) => {
            Some(call(&item.call_id, &item.name, &item.arguments))
        }
        _ => None,
    });
    outcome["calls"] = calls.collect();
}

#[tokio::test]
async fn async_openai_reads_chat_completions_and_responses() {
    let server = Server::start("server", &["--fast"]);
    let config = OpenAIConfig::new().with_api_base(format!("{}/v1", server.url()));
    let client = OpenAi::with_config(config.with_api_key("none"));
    let mut lines = Vec::new();
    for case in Case::ALL {
        for outcome in [chat(&client, case).await, responses(&client, case).await] {
            let outcome = outcome.unwrap_or_else(|(mut outcome, error)| {
                outcome["error"] = Value::from(words(&error));
                outcome
            });
            lines.push(outcome.to_string());
        }
    }
    let row = |name, cells| Client {
        name,
        has_ids: true,
        has_usage: true,
        has_values: false,
        cells,
    };
    let unknown = Fails("ApiError: there is no model `unknown`");
    let table = [
        row(
            "async-openai chat",
            [
                Ends("stop"),
                Ends("stop"),
                Ends("tool_calls"),
                Cut("length"),
                Cut("length"),
                // It has no type for an error in the stream.
                Fails("JSONDeserialize: {\"error\":{\"message\":\"the model is overloaded\"…"),
                Fails("JSONDeserialize: {\"error\":{\"message\":\"the reply was lost\"…"),
                unknown,
            ],
        ),
        row(
            "async-openai responses",
            [
                Ends("completed"),
                Ends("completed"),
                Ends("completed"),
                Cut("incomplete"),
                Cut("incomplete"),
                Fails("ResponseError: the model is overloaded"),
                Fails("ResponseError: the reply was lost"),
                unknown,
            ],
        ),
    ];
    assert_table(&table, &lines);
}
