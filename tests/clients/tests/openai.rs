//! The OpenAI-compatible example server, read by a client that was not written for it.

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::types::chat::{
    ChatChoiceStream, ChatCompletionMessageToolCalls, CreateChatCompletionRequest,
    CreateChatCompletionStreamResponse, FinishReason, FunctionType, Role,
};
use futures::TryStreamExt as _;
use json_chunks_clients::{SNAPSHOTS, Server, last_snapshot};
use serde_json::{Value, json};

fn start() -> (Server, Client<OpenAIConfig>) {
    let server = Server::start("server", &["--fast"]);
    let config = OpenAIConfig::new()
        .with_api_base(format!("{}/v1", server.url()))
        .with_api_key("none");
    (server, Client::with_config(config))
}

/// A request with the required members and these.
fn request(members: Value) -> CreateChatCompletionRequest {
    let mut request = json!({
        "model": "kanazawa-1",
        "messages": [{"role": "user", "content": "Plan three slow days in Kanazawa."}]
    });
    let Value::Object(members) = members else {
        panic!("{members} is not an object");
    };
    for (name, value) in members {
        request[name] = value;
    }
    serde_json::from_value(request).expect("it is a request")
}

fn tools(names: &[&str]) -> Value {
    let function = |name: &&str| json!({"type": "function", "function": {"name": name}});
    names.iter().map(function).collect()
}

/// Every frame, in order; a frame that the client can't read fails the test.
async fn frames(request: CreateChatCompletionRequest) -> Vec<CreateChatCompletionStreamResponse> {
    let (_server, client) = start();
    let frames = client.chat().create_stream(request).await;
    let frames = frames.expect("the server answers");
    frames.try_collect().await.expect("every frame is readable")
}

/// The one choice of each frame.
fn choices(frames: &[CreateChatCompletionStreamResponse]) -> Vec<&ChatChoiceStream> {
    frames
        .iter()
        .map(|frame| match frame.choices.as_slice() {
            [choice] => choice,
            choices => panic!("{} choices in one frame", choices.len()),
        })
        .collect()
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("what was streamed is JSON")
}

#[tokio::test]
async fn streamed_text_adds_up_to_the_last_snapshot() {
    let frames = frames(request(json!({}))).await;
    let choices = choices(&frames);

    let (first, deltas) = choices.split_first().expect("there are frames");
    assert_eq!(first.delta.role, Some(Role::Assistant));
    let (last, deltas) = deltas.split_last().expect("there is a last frame");
    assert_eq!(last.finish_reason, Some(FinishReason::Stop));
    assert_eq!(last.delta.content, None);

    assert!(deltas.len() > SNAPSHOTS.lines().count() / 2, "it streams");
    assert!(deltas.iter().all(|choice| choice.finish_reason.is_none()));
    let contents = deltas.iter().map(|choice| choice.delta.content.as_deref());
    let text: Option<String> = contents.collect();
    let text = text.expect("every delta between them is of text");
    assert_eq!(parse(&text), last_snapshot());
}

#[tokio::test]
async fn frames_of_one_answer_belong_together() {
    let frames = frames(request(json!({}))).await;
    let [first, rest @ ..] = frames.as_slice() else {
        panic!("there are frames");
    };
    assert_eq!(first.object, "chat.completion.chunk");
    for frame in rest {
        assert_eq!(frame.id, first.id);
        assert_eq!(frame.created, first.created);
        assert_eq!(frame.model, "kanazawa-1");
        assert_eq!(frame.object, first.object);
    }
}

#[tokio::test]
async fn a_tool_call_streams_its_arguments() {
    let tools = tools(&["save_itinerary", "forget_it"]);
    let frames = frames(request(json!({ "tools": tools }))).await;
    let choices = choices(&frames);

    let (start, calls) = choices.split_first().expect("there are frames");
    assert_eq!(start.delta.role, Some(Role::Assistant));
    let (last, calls) = calls.split_last().expect("there is a last frame");
    assert_eq!(last.finish_reason, Some(FinishReason::ToolCalls));
    let calls: Vec<_> = calls
        .iter()
        .map(|choice| match choice.delta.tool_calls.as_deref() {
            Some([call]) => call,
            other => panic!("not one call in a delta: {other:?}"),
        })
        .collect();
    assert!(calls.iter().all(|call| call.index == 0));

    let (first, deltas) = calls.split_first().expect("there is a first call");
    assert_eq!(first.id.as_deref(), Some("call_1"));
    assert_eq!(first.r#type, Some(FunctionType::Function));
    let function = first.function.as_ref().expect("it has a function");
    assert_eq!(function.name.as_deref(), Some("save_itinerary"));
    assert_eq!(function.arguments.as_deref(), Some(""));

    assert!(deltas.len() > SNAPSHOTS.lines().count() / 2, "it streams");
    let arguments: Option<String> = deltas
        .iter()
        .map(|call| {
            assert_eq!((&call.id, &call.r#type), (&None, &None));
            let function = call.function.as_ref()?;
            assert_eq!(function.name, None);
            function.arguments.as_deref()
        })
        .collect();
    let arguments = arguments.expect("every later delta is of arguments");
    assert_eq!(parse(&arguments), last_snapshot());
}

#[tokio::test]
async fn usage_comes_last_and_only_when_asked_for() {
    let without = frames(request(json!({}))).await;
    assert!(without.iter().all(|frame| frame.usage.is_none()));

    let with = frames(request(json!({"stream_options": {"include_usage": true}}))).await;
    let (last, before) = with.split_last().expect("there are frames");
    assert!(last.usage.is_some() && last.choices.is_empty());
    assert!(before.iter().all(|frame| frame.usage.is_none()));
    let finished = before
        .last()
        .and_then(|frame| frame.choices[0].finish_reason);
    assert_eq!(finished, Some(FinishReason::Stop));
}

#[tokio::test]
async fn an_answer_may_come_whole() {
    let (_server, client) = start();
    let response = client.chat().create(request(json!({}))).await;
    let response = response.expect("the server answers");
    let choice = &response.choices[0];
    assert_eq!(choice.finish_reason, Some(FinishReason::Stop));
    let text = choice.message.content.as_deref().expect("it is a text");
    assert_eq!(parse(text), last_snapshot());
}

#[tokio::test]
async fn a_tool_call_may_come_whole() {
    let (_server, client) = start();
    let chosen = json!({
        "tools": tools(&["forget_it", "save_itinerary"]),
        "tool_choice": {"type": "function", "function": {"name": "save_itinerary"}}
    });
    let response = client.chat().create(request(chosen)).await;
    let response = response.expect("the server answers");
    let choice = &response.choices[0];
    assert_eq!(choice.finish_reason, Some(FinishReason::ToolCalls));
    let calls = choice.message.tool_calls.as_deref();
    let Some([ChatCompletionMessageToolCalls::Function(call)]) = calls else {
        panic!("not one call of a function: {calls:?}");
    };
    assert_eq!(call.function.name, "save_itinerary");
    assert_eq!(parse(&call.function.arguments), last_snapshot());
}

#[tokio::test]
async fn a_request_that_cannot_be_answered_says_why() {
    let (_server, client) = start();
    let cases = [
        (json!({"messages": []}), 400, "`messages` is empty"),
        (json!({"model": "gpt"}), 404, "there is no model `gpt`"),
        (
            json!({"tools": tools(&["save"]), "tool_choice":
                {"type": "function", "function": {"name": "load"}}}),
            400,
            "`tools` lacks the tool chosen",
        ),
    ];
    for (members, status, message) in cases {
        let whole = client.chat().create(request(members.clone())).await;
        assert_error(whole.map(|_| ()), status, message);
        let streamed = client.chat().create_stream(request(members)).await;
        let streamed = match streamed {
            Ok(frames) => frames.try_collect::<Vec<_>>().await.map(|_| ()),
            Err(error) => Err(error),
        };
        assert_error(streamed, status, message);
    }
}

fn assert_error(result: Result<(), OpenAIError>, status: u16, message: &str) {
    match result {
        Err(OpenAIError::ApiError(error)) => {
            assert_eq!(error.status_code.as_u16(), status);
            assert_eq!(error.api_error.message, message);
            let kind = error.api_error.r#type.as_deref();
            assert_eq!(kind, Some("invalid_request_error"));
        }
        other => panic!("expected the error `{message}`, got {other:?}"),
    }
}

#[tokio::test]
async fn models_are_listed() {
    let (_server, client) = start();
    let models = client.models().list().await.expect("the server answers");
    let ids: Vec<&str> = models.data.iter().map(|model| model.id.as_str()).collect();
    assert_eq!(ids[..2], ["kanazawa-1", "text"]);
}
