//! Markers: fence lines, and the tags of model families.

/// The line that opens or closes a code fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    /// A backtick or a tilde.
    pub(super) mark: u8,
    pub(super) len: usize,
    pub(crate) language: Language,
}

/// The language of a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    None,
    /// `json`, `jsonc`, `json5`, `jsonl`, `ndjson`, in any case.
    Json,
    Other,
}

impl Language {
    /// Returns the language of the info string of a fence.
    pub(super) fn of(info: &[u8]) -> Self {
        const JSON: [&[u8]; 6] = [
            b"json",
            b"jsonc",
            b"json5",
            b"jsonl",
            b"ndjson",
            b"application/json",
        ];
        if info.is_empty() {
            Self::None
        } else if JSON.iter().any(|json| json.eq_ignore_ascii_case(info)) {
            Self::Json
        } else {
            Self::Other
        }
    }
}

impl Fence {
    /// Returns whether this fence line closes the fence `open`.
    pub(super) fn closes(self, open: Self) -> bool {
        self.mark == open.mark && self.len >= open.len && self.language == Language::None
    }
}

/// The meaning of a tag for the text after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    ReasoningStart,
    ReasoningEnd,
    CallStart,
    /// The end of a call, or of the turn of the model.
    End,
}

/// The tags of model families.
pub(super) const TAGS: &[(&[u8], Tag)] = &[
    // DeepSeek R1, Qwen 3 and most others that think.
    (b"<think>", Tag::ReasoningStart),
    (b"</think>", Tag::ReasoningEnd),
    // Prompts that ask for reasoning.
    (b"<thinking>", Tag::ReasoningStart),
    (b"</thinking>", Tag::ReasoningEnd),
    (b"<reasoning>", Tag::ReasoningStart),
    (b"</reasoning>", Tag::ReasoningEnd),
    // Magistral.
    (b"[THINK]", Tag::ReasoningStart),
    (b"[/THINK]", Tag::ReasoningEnd),
    // gpt-oss (the Harmony format).
    (b"<|channel|>analysis<|message|>", Tag::ReasoningStart),
    (b"<|channel|>final<|message|>", Tag::ReasoningEnd),
    // Hermes, Qwen.
    (b"<tool_call>", Tag::CallStart),
    (b"</tool_call>", Tag::End),
    (b"<function_call>", Tag::CallStart),
    (b"</function_call>", Tag::End),
    // Mistral.
    (b"[TOOL_CALLS]", Tag::CallStart),
    (b"</s>", Tag::End),
    // Llama 3.
    (b"<|python_tag|>", Tag::CallStart),
    (b"<|eom_id|>", Tag::End),
    (b"<|eot_id|>", Tag::End),
    // Granite, Phi.
    (b"<|tool_call|>", Tag::CallStart),
    (b"<|/tool_call|>", Tag::End),
    // ChatML and others: the end of a turn.
    (b"<|im_end|>", Tag::End),
    (b"<|end|>", Tag::End),
];
