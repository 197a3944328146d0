//! One reply in every dialect, byte by byte: the frames that its clients read.

use json_chunks::wire::{Dialect, Finish, Usage};

use super::steps::{Do, arguments, body, call, fail, text};

/// Text, a call that has an index of its own and white space in its arguments, and usage.
fn reply() -> Vec<Do> {
    vec![
        text("Hi \"you\"\n"),
        text(""),
        text("!"),
        call(7, "c1", "save"),
        arguments(7, "{\"a\":"),
        arguments(7, " [1,\n2]}"),
        Do::End(7),
        Do::Finish(Finish::ToolCalls, Some(Usage::new(12, 9))),
    ]
}

#[track_caller]
fn assert_body(dialect: Dialect, steps: &[Do], expected: &str) {
    let body = body(dialect, steps);
    // Line by line, for the difference to be readable.
    for (line, expected) in body.lines().zip(expected.lines()) {
        assert_eq!(line, expected);
    }
    assert_eq!(body, expected);
}

#[test]
fn chat_completions_reply_has_the_frames_that_clients_read() {
    assert_body(
        Dialect::OpenAiChat,
        &reply(),
        r#"data: {"id":"r1","object":"chat.completion.chunk","created":1795348800,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

data: {"id":"r1","object":"chat.completion.chunk","created":1795348800,"model":"m","choices":[{"index":0,"delta":{"content":"Hi \"you\"\n"},"finish_reason":null}]}

data: {"id":"r1","object":"chat.completion.chunk","created":1795348800,"model":"m","choices":[{"index":0,"delta":{"content":"!"},"finish_reason":null}]}

data: {"id":"r1","object":"chat.completion.chunk","created":1795348800,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"save","arguments":""}}]},"finish_reason":null}]}

data: {"id":"r1","object":"chat.completion.chunk","created":1795348800,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]},"finish_reason":null}]}

data: {"id":"r1","object":"chat.completion.chunk","created":1795348800,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":" [1,\n2]}"}}]},"finish_reason":null}]}

data: {"id":"r1","object":"chat.completion.chunk","created":1795348800,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: {"id":"r1","object":"chat.completion.chunk","created":1795348800,"model":"m","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":9,"total_tokens":21}}

data: [DONE]

"#,
    );
}

#[test]
fn responses_reply_has_the_frames_that_clients_read() {
    assert_body(
        Dialect::OpenAiResponses,
        &reply(),
        r#"event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"r1","object":"response","created_at":1795348800,"status":"in_progress","error":null,"incomplete_details":null,"instructions":null,"metadata":{},"model":"m","output":[],"parallel_tool_calls":true,"temperature":1,"tool_choice":"auto","tools":[],"top_p":1,"usage":null}}

event: response.output_item.added
data: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_r1_0","type":"message","status":"in_progress","role":"assistant","content":[]}}

event: response.content_part.added
data: {"type":"response.content_part.added","sequence_number":2,"item_id":"msg_r1_0","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}}

event: response.output_text.delta
data: {"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_r1_0","output_index":0,"content_index":0,"delta":"Hi \"you\"\n","logprobs":[]}

event: response.output_text.delta
data: {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_r1_0","output_index":0,"content_index":0,"delta":"!","logprobs":[]}

event: response.output_text.done
data: {"type":"response.output_text.done","sequence_number":5,"item_id":"msg_r1_0","output_index":0,"content_index":0,"text":"Hi \"you\"\n!","logprobs":[]}

event: response.content_part.done
data: {"type":"response.content_part.done","sequence_number":6,"item_id":"msg_r1_0","output_index":0,"content_index":0,"part":{"type":"output_text","text":"Hi \"you\"\n!","annotations":[],"logprobs":[]}}

event: response.output_item.done
data: {"type":"response.output_item.done","sequence_number":7,"output_index":0,"item":{"id":"msg_r1_0","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi \"you\"\n!","annotations":[],"logprobs":[]}]}}

event: response.output_item.added
data: {"type":"response.output_item.added","sequence_number":8,"output_index":1,"item":{"id":"fc_r1_1","type":"function_call","status":"in_progress","call_id":"c1","name":"save","arguments":""}}

event: response.function_call_arguments.delta
data: {"type":"response.function_call_arguments.delta","sequence_number":9,"item_id":"fc_r1_1","output_index":1,"delta":"{\"a\":"}

event: response.function_call_arguments.delta
data: {"type":"response.function_call_arguments.delta","sequence_number":10,"item_id":"fc_r1_1","output_index":1,"delta":" [1,\n2]}"}

event: response.function_call_arguments.done
data: {"type":"response.function_call_arguments.done","sequence_number":11,"item_id":"fc_r1_1","output_index":1,"name":"save","arguments":"{\"a\": [1,\n2]}"}

event: response.output_item.done
data: {"type":"response.output_item.done","sequence_number":12,"output_index":1,"item":{"id":"fc_r1_1","type":"function_call","status":"completed","call_id":"c1","name":"save","arguments":"{\"a\": [1,\n2]}"}}

event: response.completed
data: {"type":"response.completed","sequence_number":13,"response":{"id":"r1","object":"response","created_at":1795348800,"status":"completed","error":null,"incomplete_details":null,"instructions":null,"metadata":{},"model":"m","output":[{"id":"msg_r1_0","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi \"you\"\n!","annotations":[],"logprobs":[]}]},{"id":"fc_r1_1","type":"function_call","status":"completed","call_id":"c1","name":"save","arguments":"{\"a\": [1,\n2]}"}],"parallel_tool_calls":true,"temperature":1,"tool_choice":"auto","tools":[],"top_p":1,"usage":{"input_tokens":12,"input_tokens_details":{"cached_tokens":0},"output_tokens":9,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":21}}}

"#,
    );
}

#[test]
fn messages_reply_has_the_frames_that_clients_read() {
    assert_body(
        Dialect::Anthropic,
        &reply(),
        r#"event: message_start
data: {"type":"message_start","message":{"id":"r1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"output_tokens":0}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi \"you\"\n"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"!"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"save","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":" [1,\n2]}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":12,"output_tokens":9}}

event: message_stop
data: {"type":"message_stop"}

"#,
    );
}

#[test]
fn ui_message_stream_reply_has_the_frames_that_clients_read() {
    assert_body(
        Dialect::UiMessages,
        &reply(),
        r#"data: {"type":"start","messageId":"r1"}

data: {"type":"start-step"}

data: {"type":"text-start","id":"text-1"}

data: {"type":"text-delta","id":"text-1","delta":"Hi \"you\"\n"}

data: {"type":"text-delta","id":"text-1","delta":"!"}

data: {"type":"text-end","id":"text-1"}

data: {"type":"tool-input-start","toolCallId":"c1","toolName":"save"}

data: {"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":"{\"a\":"}

data: {"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":" [1,\n2]}"}

data: {"type":"tool-input-available","toolCallId":"c1","toolName":"save","input":{"a":[1,2]}}

data: {"type":"finish-step"}

data: {"type":"finish","finishReason":"tool-calls","messageMetadata":{"usage":{"inputTokens":12,"outputTokens":9,"totalTokens":21}}}

data: [DONE]

"#,
    );
}

#[test]
fn ag_ui_reply_has_the_frames_that_clients_read() {
    assert_body(
        Dialect::AgUi,
        &reply(),
        r#"data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}

data: {"type":"TEXT_MESSAGE_START","messageId":"r1-0","role":"assistant"}

data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"r1-0","delta":"Hi \"you\"\n"}

data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"r1-0","delta":"!"}

data: {"type":"TEXT_MESSAGE_END","messageId":"r1-0"}

data: {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"save","parentMessageId":"r1-0"}

data: {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"a\":"}

data: {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":" [1,\n2]}"}

data: {"type":"TOOL_CALL_END","toolCallId":"c1"}

data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}

"#,
    );
}

#[test]
fn ollama_reply_has_the_frames_that_clients_read() {
    assert_body(
        Dialect::Ollama,
        &reply(),
        r#"{"model":"m","created_at":"2026-11-22T12:00:00Z","message":{"role":"assistant","content":"Hi \"you\"\n"},"done":false}
{"model":"m","created_at":"2026-11-22T12:00:00Z","message":{"role":"assistant","content":"!"},"done":false}
{"model":"m","created_at":"2026-11-22T12:00:00Z","message":{"role":"assistant","content":"","tool_calls":[{"function":{"index":0,"name":"save","arguments":{"a":[1,2]}}}]},"done":false}
{"model":"m","created_at":"2026-11-22T12:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":12,"eval_count":9}
"#,
    );
}

#[test]
fn gemini_reply_has_the_frames_that_clients_read() {
    assert_body(
        Dialect::Gemini,
        &reply(),
        r#"data: {"candidates":[{"content":{"parts":[{"text":"Hi \"you\"\n"}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"r1"}

data: {"candidates":[{"content":{"parts":[{"text":"!"}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"r1"}

data: {"candidates":[{"content":{"parts":[{"functionCall":{"id":"c1","name":"save","args":{"a":[1,2]}}}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"r1"}

data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0,"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":9,"totalTokenCount":21},"modelVersion":"m","responseId":"r1"}

"#,
    );
}

#[test]
fn plain_text_reply_is_the_text() {
    let steps = [
        text("Hi \"you\"\n"),
        text(""),
        text("\r!"),
        Do::Finish(Finish::Stop, None),
    ];
    assert_body(Dialect::PlainText, &steps, "Hi \"you\"\n\r!");
}

/// What follows the frames of a reply that broke off inside of the arguments of a call.
#[track_caller]
fn assert_end(dialect: Dialect, last: Do, expected: &str) {
    let mut steps = vec![text("Hi"), call(0, "c1", "save"), arguments(0, "{\"a\":")];
    let before = body(dialect, &steps);
    steps.push(last);
    let after = body(dialect, &steps);
    assert_eq!(after.strip_prefix(&before), Some(expected));
}

#[test]
fn failed_reply_ends_with_the_error_and_closes_nothing() {
    let lost = || fail("overloaded_error", "too much");
    assert_end(
        Dialect::OpenAiChat,
        lost(),
        r#"data: {"error":{"message":"too much","type":"server_error","param":null,"code":"overloaded_error"}}

"#,
    );
    assert_end(
        Dialect::OpenAiResponses,
        lost(),
        r#"event: error
data: {"type":"error","sequence_number":9,"code":"overloaded_error","message":"too much","param":null}

event: response.failed
data: {"type":"response.failed","sequence_number":10,"response":{"id":"r1","object":"response","created_at":1795348800,"status":"failed","error":{"code":"overloaded_error","message":"too much"},"incomplete_details":null,"instructions":null,"metadata":{},"model":"m","output":[{"id":"msg_r1_0","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi","annotations":[],"logprobs":[]}]}],"parallel_tool_calls":true,"temperature":1,"tool_choice":"auto","tools":[],"top_p":1,"usage":null}}

"#,
    );
    assert_end(
        Dialect::Anthropic,
        lost(),
        r#"event: error
data: {"type":"error","error":{"type":"overloaded_error","message":"too much"}}

"#,
    );
    assert_end(
        Dialect::UiMessages,
        lost(),
        r#"data: {"type":"tool-input-error","toolCallId":"c1","toolName":"save","input":"{\"a\":","errorText":"too much"}

data: {"type":"error","errorText":"too much"}

"#,
    );
    assert_end(
        Dialect::AgUi,
        lost(),
        r#"data: {"type":"RUN_ERROR","message":"too much","code":"overloaded_error"}

"#,
    );
    assert_end(
        Dialect::Ollama,
        lost(),
        r#"{"error":"too much"}
"#,
    );
    assert_end(
        Dialect::Gemini,
        lost(),
        r#"data: {"error":{"code":500,"message":"too much","status":"overloaded_error"}}

"#,
    );
}

#[test]
fn reply_cut_off_inside_a_call_does_not_end_the_call() {
    let cut = || Do::Finish(Finish::Length, None);
    assert_end(
        Dialect::OpenAiChat,
        cut(),
        r#"data: {"id":"r1","object":"chat.completion.chunk","created":1795348800,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}

data: [DONE]

"#,
    );
    assert_end(
        Dialect::OpenAiResponses,
        cut(),
        r#"event: response.incomplete
data: {"type":"response.incomplete","sequence_number":9,"response":{"id":"r1","object":"response","created_at":1795348800,"status":"incomplete","error":null,"incomplete_details":{"reason":"max_output_tokens"},"instructions":null,"metadata":{},"model":"m","output":[{"id":"msg_r1_0","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi","annotations":[],"logprobs":[]}]}],"parallel_tool_calls":true,"temperature":1,"tool_choice":"auto","tools":[],"top_p":1,"usage":null}}

"#,
    );
    assert_end(
        Dialect::Anthropic,
        cut(),
        r#"event: error
data: {"type":"error","error":{"type":"api_error","message":"the reply was cut off by the limit of its tokens"}}

"#,
    );
    assert_end(
        Dialect::UiMessages,
        cut(),
        r#"data: {"type":"tool-input-error","toolCallId":"c1","toolName":"save","input":"{\"a\":","errorText":"the reply was cut off by the limit of its tokens"}

data: {"type":"finish-step"}

data: {"type":"finish","finishReason":"length"}

data: [DONE]

"#,
    );
    assert_end(
        Dialect::AgUi,
        cut(),
        r#"data: {"type":"RUN_ERROR","message":"the reply was cut off by the limit of its tokens","code":"length"}

"#,
    );
    assert_end(
        Dialect::Ollama,
        cut(),
        r#"{"model":"m","created_at":"2026-11-22T12:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"length"}
"#,
    );
    assert_end(
        Dialect::Gemini,
        cut(),
        r#"data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0,"finishReason":"MAX_TOKENS"}],"modelVersion":"m","responseId":"r1"}

"#,
    );
}

/// OpenAI's client for JavaScript ends a call, and parses its arguments, when the next one starts.
#[test]
fn complete_call_after_a_cut_one_fails_where_the_next_call_ends_the_one_before() {
    let steps = [
        call(0, "c1", "save"),
        arguments(0, "{\"a\":"),
        call(1, "c2", "save"),
        arguments(1, "{}"),
        Do::Finish(Finish::Length, None),
    ];
    for (dialect, fails) in [
        (Dialect::OpenAiChat, true),
        (Dialect::OpenAiResponses, false),
        (Dialect::Anthropic, true),
        (Dialect::UiMessages, false),
    ] {
        let body = body(dialect, &steps);
        assert_eq!(body.contains("\"error\":{"), fails, "{dialect}: {body}");
        assert_eq!(body.contains("c2"), !fails, "{dialect}: {body}");
    }
}
