//! Naive readers of entire bodies, which fail at whatever a client would stumble over: frames out
//! of order, two parts open where only one may be, a call that ends with half its arguments.

use std::collections::BTreeMap;

use json_chunks::wire::{Dialect, Finish};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

/// What a client has of a reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) calls: Vec<Call>,
    pub(super) data: Vec<(String, Value)>,
    /// Why it ended, where the dialect says so; `Stop` where it says only that it did.
    pub(super) finish: Option<Finish>,
    /// The tokens of the request and of the reply.
    pub(super) usage: Option<(u64, u64)>,
    pub(super) error: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Call {
    /// None in a dialect that has none.
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) arguments: String,
    pub(super) ended: bool,
}

impl Reply {
    fn call(&mut self, id: &str) -> &mut Call {
        let call = self
            .calls
            .iter_mut()
            .find(|call| call.id.as_deref() == Some(id));
        let call = call.expect("the call has been started");
        assert!(!call.ended, "the call has ended");
        call
    }

    fn start_call(&mut self, id: &Value, name: &Value) {
        let (id, name) = (string(id), string(name));
        assert!(
            self.calls
                .iter()
                .all(|call| call.id.as_deref() != Some(&*id))
        );
        self.calls.push(Call {
            id: Some(id),
            name,
            ..Call::default()
        });
    }

    fn end_call(&mut self, id: &str) {
        let call = self.call(id);
        call.ended = true;
        assert!(is_json(&call.arguments), "{}", call.arguments);
    }

    fn is_over(&self) -> bool {
        self.finish.is_some() || self.error.is_some()
    }
}

/// Whether the grammar accepts a text. Unlike a `Value`, `IgnoredAny` takes surrogates that are
/// escaped alone, numbers out of the range of `f64`, and any depth: all of them are valid JSON.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

#[track_caller]
fn string(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

/// The frames of a body: the name and the data of each. The bytes are as R4 has them.
fn frames(dialect: Dialect, body: &str) -> Vec<(Option<&str>, &str)> {
    if dialect == Dialect::Ollama {
        return body
            .split_terminator('\n')
            .map(|line| (None, line))
            .collect();
    }
    assert!(!body.contains('\r'), "LF only");
    let mut frames = Vec::new();
    for frame in body.split_terminator("\n\n") {
        let lines: Vec<&str> = frame.split('\n').collect();
        let (name, data) = match lines.as_slice() {
            [data] => (None, data),
            [name, data] => (Some(name.strip_prefix("event: ").expect("a name")), data),
            _ => panic!("{frame}"),
        };
        let has_names = matches!(dialect, Dialect::OpenAiResponses | Dialect::Anthropic);
        assert_eq!(name.is_some(), has_names, "{frame}");
        frames.push((name, data.strip_prefix("data: ").expect("data")));
    }
    assert!(body.is_empty() || body.ends_with("\n\n"));
    frames
}

/// Reads a body, which may break off between two frames.
pub(super) fn read(dialect: Dialect, body: &str) -> Reply {
    if dialect == Dialect::PlainText {
        return Reply {
            text: body.to_owned(),
            ..Reply::default()
        };
    }
    let mut reply = Reply::default();
    let mut open = Open::default();
    let mut done = false;
    for (n, (name, data)) in frames(dialect, body).into_iter().enumerate() {
        assert!(!done, "nothing follows the end: {data}");
        if data == "[DONE]" {
            assert!(matches!(dialect, Dialect::OpenAiChat | Dialect::UiMessages));
            assert!(reply.finish.is_some(), "a clean end has a reason");
            done = true;
            continue;
        }
        let frame: Value = serde_json::from_str(data).unwrap();
        if let Some(name) = name {
            assert_eq!(frame["type"], name);
        }
        let over = reply.is_over();
        match dialect {
            Dialect::OpenAiChat => chat(&frame, n, &mut reply),
            Dialect::OpenAiResponses => responses(&frame, n, &mut open, &mut reply),
            Dialect::Anthropic => anthropic(&frame, n, &mut open, &mut reply),
            Dialect::UiMessages => ui(&frame, n, &mut open, &mut reply),
            Dialect::AgUi => ag_ui(&frame, n, &mut open, &mut reply),
            Dialect::Ollama => ollama(&frame, &mut reply),
            Dialect::Gemini => gemini(&frame, &mut reply),
            other => panic!("{other}"),
        }
        if over {
            let usage = dialect == Dialect::OpenAiChat && frame["choices"] == json!([]);
            let failed = frame["type"] == "response.failed" && reply.error.is_some();
            let stop = frame["type"] == "message_stop";
            assert!(usage || failed || stop, "nothing follows the end: {frame}");
        }
    }
    reply
}

/// What of a reply is open.
#[derive(Default)]
struct Open {
    text: Option<String>,
    /// The item or block that is open, where only one may be.
    part: Option<u64>,
    /// How many of them have been started, and have ended.
    parts: u64,
    /// By the number of the part.
    calls: BTreeMap<u64, String>,
    items: Vec<Value>,
    /// A call was cut off, so its item stays open.
    cut: bool,
}

const FINISH: [Finish; 4] = [
    Finish::Stop,
    Finish::ToolCalls,
    Finish::Length,
    Finish::ContentFilter,
];

fn finish(reason: &Value, names: [&str; 4]) -> Finish {
    let at = names.iter().position(|name| reason == name);
    FINISH[at.unwrap_or_else(|| panic!("{reason}"))]
}

fn chat(frame: &Value, n: usize, reply: &mut Reply) {
    if frame["error"].is_object() {
        reply.error = Some(string(&frame["error"]["message"]));
        return;
    }
    assert_eq!(frame["object"], "chat.completion.chunk");
    assert!(frame["id"].is_string() && frame["model"].is_string() && frame["created"].is_u64());
    let choices = frame["choices"].as_array().unwrap();
    let [choice] = choices.as_slice() else {
        let usage = &frame["usage"];
        let count = |name: &str| usage[name].as_u64().unwrap();
        assert!(reply.finish.is_some() && choices.is_empty());
        assert_eq!(
            count("total_tokens"),
            count("prompt_tokens") + count("completion_tokens")
        );
        reply.usage = Some((count("prompt_tokens"), count("completion_tokens")));
        return;
    };
    assert_eq!(choice["index"], 0);
    let delta = &choice["delta"];
    assert_eq!(n == 0, delta["role"] == "assistant");
    if let Some(text) = delta["content"].as_str() {
        assert!(n == 0 || !text.is_empty());
        reply.text.push_str(text);
    }
    for call in delta["tool_calls"].as_array().into_iter().flatten() {
        let index = usize::try_from(call["index"].as_u64().unwrap()).unwrap();
        let function = &call["function"];
        if index == reply.calls.len() {
            assert_eq!(call["type"], "function");
            // Where the next call starts, a client parses the arguments of the one before.
            assert!(reply.calls.iter().all(|call| is_json(&call.arguments)));
            reply.start_call(&call["id"], &function["name"]);
            assert_eq!(function["arguments"], "");
        } else {
            assert!(call["id"].is_null() && function["name"].is_null());
            assert_eq!(index + 1, reply.calls.len(), "no other call has begun");
            let arguments = string(&function["arguments"]);
            assert!(!arguments.is_empty());
            reply.calls[index].arguments.push_str(&arguments);
        }
    }
    if !choice["finish_reason"].is_null() {
        let names = ["stop", "tool_calls", "length", "content_filter"];
        let finish = finish(&choice["finish_reason"], names);
        for call in &mut reply.calls {
            call.ended = is_json(&call.arguments);
            assert!(call.ended || finish.is_cut());
        }
        reply.finish = Some(finish);
    }
}

fn responses(frame: &Value, n: usize, open: &mut Open, reply: &mut Reply) {
    assert_eq!(frame["sequence_number"], n);
    let kind = frame["type"].as_str().unwrap();
    assert_eq!(n == 0, kind == "response.created");
    let index = frame["output_index"].as_u64();
    if matches!(kind, "response.output_item.added") {
        assert_eq!(index, Some(open.parts), "indexes have no gaps");
        if let Some(part) = open.part {
            // Only a call that was cut off stays open.
            assert!(open.calls.contains_key(&part));
            open.cut = true;
        }
        open.parts += 1;
        open.part = index;
    } else if index.is_some() {
        assert_eq!(index, open.part, "one item is open at a time");
    }
    match kind {
        "response.created" => assert_eq!(frame["response"]["status"], "in_progress"),
        "response.output_item.added" => {
            let item = &frame["item"];
            assert_eq!(item["status"], "in_progress");
            open.text = item["id"].as_str().map(str::to_owned);
            if item["type"] == "function_call" {
                assert_eq!(item["arguments"], "");
                reply.start_call(&item["call_id"], &item["name"]);
                open.calls.insert(open.parts - 1, string(&item["call_id"]));
            } else {
                assert_eq!(item["content"], json!([]));
            }
        }
        "response.content_part.added" => assert_eq!(frame["part"]["text"], ""),
        "response.output_text.delta" => {
            assert_eq!(frame["item_id"].as_str(), open.text.as_deref());
            reply.text.push_str(frame["delta"].as_str().unwrap());
        }
        "response.output_text.done" => {
            assert!(reply.text.ends_with(frame["text"].as_str().unwrap()));
        }
        "response.content_part.done" => assert_eq!(frame["part"]["type"], "output_text"),
        "response.function_call_arguments.delta" => {
            let id = open.calls[&open.part.unwrap()].clone();
            assert_eq!(frame["item_id"].as_str(), open.text.as_deref());
            let arguments = &mut reply.call(&id).arguments;
            arguments.push_str(frame["delta"].as_str().unwrap());
        }
        "response.function_call_arguments.done" => {
            let id = open.calls[&open.part.unwrap()].clone();
            assert_eq!(frame["arguments"], reply.call(&id).arguments);
        }
        "response.output_item.done" => {
            let item = &frame["item"];
            open.part = None;
            open.items.push(item.clone());
            if item["type"] == "function_call" {
                assert_eq!(item["status"], "completed");
                let id = string(&item["call_id"]);
                assert_eq!(item["arguments"], reply.call(&id).arguments);
                reply.end_call(&id);
            }
        }
        "response.completed" | "response.incomplete" => {
            let response = &frame["response"];
            assert_eq!(response["output"], json!(open.items), "every item again");
            let reason = &response["incomplete_details"]["reason"];
            let names = ["stop", "tool_calls", "max_output_tokens", "content_filter"];
            reply.finish = Some(match kind {
                "response.completed" => Finish::Stop,
                _ => finish(reason, names),
            });
            assert!(kind == "response.incomplete" || (open.part.is_none() && !open.cut));
            if let Some(tokens) = response["usage"]["input_tokens"].as_u64() {
                reply.usage = Some((tokens, response["usage"]["output_tokens"].as_u64().unwrap()));
            }
        }
        "error" => reply.error = Some(string(&frame["message"])),
        "response.failed" => {
            assert_eq!(frame["response"]["status"], "failed");
            assert_eq!(frame["response"]["output"], json!(open.items));
        }
        other => panic!("{other}"),
    }
}

fn anthropic(frame: &Value, n: usize, open: &mut Open, reply: &mut Reply) {
    let kind = frame["type"].as_str().unwrap();
    assert_eq!(n == 0, kind == "message_start");
    let index = frame["index"].as_u64();
    match kind {
        "message_start" => assert_eq!(frame["message"]["content"], json!([])),
        "content_block_start" => {
            assert_eq!((index, open.part), (Some(open.parts), None));
            open.part = index;
            open.parts += 1;
            let block = &frame["content_block"];
            if block["type"] == "tool_use" {
                assert_eq!(block["input"], json!({}));
                reply.start_call(&block["id"], &block["name"]);
                open.calls.insert(open.parts - 1, string(&block["id"]));
            }
        }
        "content_block_delta" => {
            assert_eq!(index, open.part);
            let delta = &frame["delta"];
            match open.calls.get(&open.part.unwrap()) {
                Some(id) => {
                    let arguments = &mut reply.call(id).arguments;
                    arguments.push_str(delta["partial_json"].as_str().unwrap());
                }
                None => reply.text.push_str(delta["text"].as_str().unwrap()),
            }
        }
        "content_block_stop" => {
            assert_eq!(index, open.part);
            if let Some(id) = open.calls.get(&open.part.unwrap()) {
                reply.end_call(id);
            }
            open.part = None;
        }
        "message_delta" => {
            assert_eq!(open.part, None, "all blocks have ended");
            let names = ["end_turn", "tool_use", "max_tokens", "refusal"];
            reply.finish = Some(finish(&frame["delta"]["stop_reason"], names));
            let count = |name: &str| frame["usage"][name].as_u64().unwrap_or(0);
            let input = count("input_tokens") + count("cache_read_input_tokens");
            reply.usage = Some((input, count("output_tokens"))).filter(|usage| *usage != (0, 0));
        }
        "message_stop" => {}
        "error" => reply.error = Some(string(&frame["error"]["message"])),
        other => panic!("{other}"),
    }
}

fn ui(frame: &Value, n: usize, open: &mut Open, reply: &mut Reply) {
    let kind = frame["type"].as_str().unwrap();
    assert_eq!(n == 0, kind == "start");
    assert_eq!(n == 1, kind == "start-step");
    let id = frame["id"].as_str();
    let call = frame["toolCallId"].as_str();
    match kind {
        "start" | "start-step" => {}
        "text-start" => assert_eq!(open.text.replace(string(&frame["id"])), None),
        "text-delta" => {
            assert_eq!(id, open.text.as_deref());
            reply.text.push_str(frame["delta"].as_str().unwrap());
        }
        "text-end" => assert_eq!(id, open.text.take().as_deref()),
        "tool-input-start" => reply.start_call(&frame["toolCallId"], &frame["toolName"]),
        "tool-input-delta" => {
            let arguments = &mut reply.call(call.unwrap()).arguments;
            arguments.push_str(frame["inputTextDelta"].as_str().unwrap());
        }
        "tool-input-available" => {
            let arguments = &reply.call(call.unwrap()).arguments;
            // What only the grammar accepts has no `Value` to compare with.
            if let Ok(input) = serde_json::from_str::<Value>(arguments) {
                assert_eq!(frame["input"], input);
            }
            reply.end_call(call.unwrap());
        }
        "tool-input-error" => {
            let arguments = &reply.call(call.unwrap()).arguments;
            assert_eq!(frame["input"], **arguments);
            open.cut = true;
        }
        "finish-step" => {
            assert_eq!(open.text, None, "all texts have ended");
            assert!(open.cut || reply.calls.iter().all(|call| call.ended));
        }
        "finish" => {
            let names = ["stop", "tool-calls", "length", "content-filter"];
            reply.finish = Some(finish(&frame["finishReason"], names));
            let usage = &frame["messageMetadata"]["usage"];
            if let Some(tokens) = usage["inputTokens"].as_u64() {
                reply.usage = Some((tokens, usage["outputTokens"].as_u64().unwrap()));
            }
        }
        "error" => reply.error = Some(string(&frame["errorText"])),
        data => {
            let name = data
                .strip_prefix("data-")
                .unwrap_or_else(|| panic!("{data}"));
            reply.data.push((name.to_owned(), frame["data"].clone()));
        }
    }
}

fn ag_ui(frame: &Value, n: usize, open: &mut Open, reply: &mut Reply) {
    let kind = frame["type"].as_str().unwrap();
    assert_eq!(n == 0, kind == "RUN_STARTED");
    let message = frame["messageId"].as_str();
    let call = frame["toolCallId"].as_str();
    match kind {
        "RUN_STARTED" => assert!(frame["threadId"].is_string() && frame["runId"].is_string()),
        "TEXT_MESSAGE_START" => {
            assert_eq!(open.text.replace(string(&frame["messageId"])), None);
            let started = open.items.iter().any(|id| *id == frame["messageId"]);
            assert!(!started, "a message starts once");
            open.items.push(frame["messageId"].clone());
        }
        "TEXT_MESSAGE_CONTENT" => {
            assert_eq!(message, open.text.as_deref());
            reply.text.push_str(frame["delta"].as_str().unwrap());
        }
        "TEXT_MESSAGE_END" => assert_eq!(message, open.text.take().as_deref()),
        "TOOL_CALL_START" => {
            reply.start_call(&frame["toolCallId"], &frame["toolCallName"]);
            open.items.push(frame["parentMessageId"].clone());
        }
        "TOOL_CALL_ARGS" => {
            let arguments = &mut reply.call(call.unwrap()).arguments;
            arguments.push_str(frame["delta"].as_str().unwrap());
        }
        "TOOL_CALL_END" => reply.end_call(call.unwrap()),
        "RUN_FINISHED" => {
            assert_eq!(open.text, None, "all texts have ended");
            assert!(reply.calls.iter().all(|call| call.ended));
            reply.finish = Some(Finish::Stop);
        }
        "RUN_ERROR" => reply.error = Some(string(&frame["message"])),
        "CUSTOM" => {
            let value = frame["value"].clone();
            reply.data.push((string(&frame["name"]), value));
        }
        other => panic!("{other}"),
    }
}

fn ollama(line: &Value, reply: &mut Reply) {
    if let Some(error) = line["error"].as_str() {
        reply.error = Some(error.to_owned());
        return;
    }
    assert!(line["model"].is_string() && line["created_at"].is_string());
    assert_eq!(line["message"]["role"], "assistant");
    let text = line["message"]["content"].as_str().unwrap();
    reply.text.push_str(text);
    for call in line["message"]["tool_calls"]
        .as_array()
        .into_iter()
        .flatten()
    {
        let function = &call["function"];
        reply.calls.push(Call {
            id: None,
            name: string(&function["name"]),
            arguments: function["arguments"].to_string(),
            ended: true,
        });
    }
    if line["done"].as_bool().unwrap() {
        let names = ["stop", "", "length", "content_filter"];
        reply.finish = Some(finish(&line["done_reason"], names));
        if let Some(tokens) = line["prompt_eval_count"].as_u64() {
            reply.usage = Some((tokens, line["eval_count"].as_u64().unwrap()));
        }
    }
}

fn gemini(frame: &Value, reply: &mut Reply) {
    if frame["error"].is_object() {
        reply.error = Some(string(&frame["error"]["message"]));
        return;
    }
    let candidate = &frame["candidates"][0];
    assert_eq!(candidate["content"]["role"], "model");
    for part in candidate["content"]["parts"].as_array().unwrap() {
        if let Some(text) = part["text"].as_str() {
            reply.text.push_str(text);
        } else {
            let call = &part["functionCall"];
            reply.calls.push(Call {
                id: Some(string(&call["id"])),
                name: string(&call["name"]),
                arguments: call["args"].to_string(),
                ended: true,
            });
        }
    }
    if !candidate["finishReason"].is_null() {
        let names = ["STOP", "", "MAX_TOKENS", "SAFETY"];
        reply.finish = Some(finish(&candidate["finishReason"], names));
        let usage = &frame["usageMetadata"];
        if let Some(tokens) = usage["promptTokenCount"].as_u64() {
            let thoughts = usage["thoughtsTokenCount"].as_u64().unwrap_or(0);
            let tokens_out = usage["candidatesTokenCount"].as_u64().unwrap() + thoughts;
            reply.usage = Some((tokens, tokens_out));
        }
    }
}
