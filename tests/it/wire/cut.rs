//! Replies of Anthropic's API that were cut off inside of a call: it still stops the block.

use json_chunks::wire::{Dialect, Reader, ReplyHead, WriteError, Writer};

/// A reply with this reason for its end, whose arguments are incomplete, in another dialect; or
/// why it can't be written, at the piece that can't.
fn serve(stop_reason: &str, dialect: Dialect) -> Result<String, WriteError> {
    let frames = [
        r#"{"type":"message_start","message":{"usage":{"input_tokens":12,"output_tokens":1}}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"pay","input":{}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"to\":\"bob\""}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        &format!(
            r#"{{"type":"message_delta","delta":{{"stop_reason":"{stop_reason}"}},"usage":{{"output_tokens":9}}}}"#
        ),
        r#"{"type":"message_stop"}"#,
    ];
    let body = frames.map(|frame| format!("data: {frame}\n\n")).concat();
    let mut reader = Reader::new(Dialect::Anthropic);
    let mut writer = Writer::new(dialect, ReplyHead::new("r1", "m"));
    let mut pieces: Vec<_> = reader.push(&body).collect();
    pieces.extend(reader.finish());
    for piece in pieces {
        writer.push(piece.unwrap())?;
    }
    Ok(writer.take_body())
}

#[test]
fn cut_reply_keeps_its_reason_and_ends_no_call() {
    for (dialect, reason, end_of_call) in [
        (
            Dialect::OpenAiChat,
            r#""finish_reason":"length""#,
            "\"tool_calls\"}",
        ),
        (
            Dialect::OpenAiResponses,
            r#""reason":"max_output_tokens""#,
            "function_call_arguments.done",
        ),
        (
            Dialect::UiMessages,
            r#""finishReason":"length""#,
            "tool-input-available",
        ),
        // Its clients would close the brackets.
        (
            Dialect::Anthropic,
            "cut off by the limit of its tokens",
            "content_block_stop",
        ),
        (Dialect::Gemini, r#""finishReason":"MAX_TOKENS""#, "bob"),
        (Dialect::Ollama, r#""done_reason":"length""#, "bob"),
    ] {
        let body = serve("max_tokens", dialect).unwrap();
        assert!(body.contains(reason), "{dialect}: {body}");
        assert!(!body.contains(end_of_call), "{dialect}: {body}");
    }
}

#[test]
fn complete_reply_with_incomplete_arguments_is_refused() {
    for dialect in Dialect::ALL {
        if dialect == Dialect::PlainText {
            continue;
        }
        let error = serve("tool_use", dialect).unwrap_err();
        let is_incomplete = matches!(error, WriteError::Arguments { index: 0, .. });
        assert!(is_incomplete, "{dialect}: {error}");
    }
}
