//! Ollama's chat API: a JSON object a line
//! (<https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion>).

use alloc::format;
use alloc::string::String;

use super::call::Call;
use super::encoder::Encoder;
use crate::wire::frame::Output;
use crate::wire::object::Object;
use crate::wire::{Finish, ReplyHead, Usage};

#[derive(Debug)]
pub(super) struct Ollama {
    model: String,
    created_at: String,
}

impl Ollama {
    pub(super) fn new(head: &ReplyHead) -> Self {
        Self {
            model: head.model.clone(),
            created_at: timestamp(head.created),
        }
    }

    fn line(&self, message: Object) -> Object {
        Object::new()
            .string("model", &self.model)
            .string("created_at", &self.created_at)
            .object("message", message)
    }
}

fn message(content: &str) -> Object {
    Object::new()
        .string("role", "assistant")
        .string("content", content)
}

impl Encoder for Ollama {
    fn start(&mut self, _out: &mut Output) {}

    fn text(&mut self, delta: &str, out: &mut Output) {
        out.push(self.line(message(delta)).json("done", "false").end());
    }

    fn end_call(&mut self, call: &Call, out: &mut Output) {
        let function = Object::new()
            .number("index", call.number as u64)
            .string("name", &call.name)
            .compact("arguments", &call.arguments);
        let call = Object::new().object("function", function);
        let message = message("").array_of("tool_calls", call);
        out.push(self.line(message).json("done", "false").end());
    }

    fn finish(&mut self, finish: Finish, usage: Option<Usage>, out: &mut Output) {
        let reason = match finish {
            // No reason is needed for calls: the calls themselves show that the model waits for
            // results.
            Finish::Stop | Finish::ToolCalls => "stop",
            Finish::Length => "length",
            Finish::ContentFilter => "content_filter",
        };
        let mut line = self
            .line(message(""))
            .json("done", "true")
            .string("done_reason", reason);
        if let Some(usage) = usage {
            line = line
                .number("prompt_eval_count", usage.input_tokens)
                .number("eval_count", usage.output_tokens);
        }
        out.push(line.end());
    }

    fn fail(&mut self, _code: &str, message: &str, out: &mut Output) {
        out.push(Object::new().string("error", message).end());
    }
}

/// Returns seconds since 1970-01-01T00:00:00Z as RFC 3339 writes them.
fn timestamp(seconds: u64) -> String {
    // Counts years from March, so that a leap day is the last day of its year.
    const DAYS_TO_1970: u64 = 719_468;
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let days = days + DAYS_TO_1970;
    let (era, day) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    let year = era * 400 + year + next_year;
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamp_is_that_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(seconds), text);
        }
    }
}
