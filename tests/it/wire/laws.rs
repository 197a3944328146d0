//! R1 to R9 over random replies: texts and calls in any order, errors, cuts, and mistakes of the
//! caller in between.

use json_chunks::wire::{Dialect, Finish, Usage, Writer};
use json_chunks_testing::byte_source::ByteSource;
use json_chunks_testing::config;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use serde_json::Value;

use super::naive::{Call, Reply, read};
use super::steps::{Do, arguments, call, fail, text, writer};

/// A reply as the caller knows it, built up with the steps that write it.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) steps: Vec<Do>,
    pub(super) text: String,
    /// The calls in the order in which they were started, with the caller's index of each.
    pub(super) calls: Vec<(usize, Call)>,
    pub(super) data: Vec<(String, Value)>,
    /// What is left to write of each call.
    left: Vec<String>,
}

const TEXTS: [&str; 8] = [
    "a",
    "Hi \"you\"",
    "\n\n",
    "data: [DONE]\r\n\r\n",
    "é",
    "😀\u{2028}",
    "",
    "{\"x\":",
];

const ARGUMENTS: [&str; 9] = [
    "{}",
    "{\"a\":1}",
    " {\"city\": \"Kana\\nzawa\", \"days\":\r\n [1, 2]} ",
    "",
    "  ",
    "{\"a\":{\"b\":[{}, \"} ]\\\"\", -1.5e3, null]}}\n",
    "[1]",
    "true",
    "\"x\\ud83d\\ude00\"",
];

impl Script {
    /// A reply of at most 20 steps, which may be in the middle of calls at the end.
    pub(super) fn random(source: &mut ByteSource<'_>) -> Self {
        let mut script = Self::default();
        for _ in 0..source.below(21) {
            match source.below(9) {
                0..=2 => script.add_text(source),
                3 => script.start_call(source),
                4..=6 => script.add_arguments(source),
                7 => script.end_call(source),
                _ => script.add_data(source),
            }
        }
        script
    }

    fn add_text(&mut self, source: &mut ByteSource<'_>) {
        let delta = source.choose(&TEXTS);
        self.text.push_str(delta);
        self.steps.push(text(delta));
    }

    fn add_data(&mut self, source: &mut ByteSource<'_>) {
        let json = *source.choose(&["1", " {\"a\": [\n1]} ", "\"data: \\n\""]);
        self.steps.push(Do::Data("x".to_owned(), json.to_owned()));
        let value = serde_json::from_str(json).unwrap();
        self.data.push(("x".to_owned(), value));
    }

    fn start_call(&mut self, source: &mut ByteSource<'_>) {
        // Indexes have gaps and any order.
        let index = [0, 3, 1, 9, 4, 7][self.calls.len() % 6] + 10 * (self.calls.len() / 6);
        let name = *source.choose(&["save", "load it", "é"]);
        let id = format!("c{}", self.calls.len());
        self.steps.push(call(index, &id, name));
        self.left.push((*source.choose(&ARGUMENTS)).to_owned());
        let call = Call {
            id: Some(id),
            name: name.to_owned(),
            ..Call::default()
        };
        self.calls.push((index, call));
    }

    fn pick(&self, source: &mut ByteSource<'_>) -> Option<usize> {
        let open: Vec<usize> = (0..self.calls.len())
            .filter(|n| !self.calls[*n].1.ended)
            .collect();
        (!open.is_empty()).then(|| *source.choose(&open))
    }

    fn add_arguments(&mut self, source: &mut ByteSource<'_>) {
        let Some(n) = self.pick(source) else { return };
        let left = &mut self.left[n];
        let mut length = (source.below(12) + 1).min(left.len());
        while !left.is_char_boundary(length) {
            length += 1;
        }
        let rest = left.split_off(length);
        let delta = std::mem::replace(left, rest);
        self.calls[n].1.arguments.push_str(&delta);
        self.steps.push(arguments(self.calls[n].0, &delta));
    }

    /// Ends a call, after what is left of its arguments.
    fn end_call(&mut self, source: &mut ByteSource<'_>) {
        let Some(n) = self.pick(source) else { return };
        self.end(n);
    }

    fn end(&mut self, n: usize) {
        let left = std::mem::take(&mut self.left[n]);
        let (index, call) = &mut self.calls[n];
        call.arguments.push_str(&left);
        call.ended = true;
        self.steps.push(arguments(*index, &left));
        self.steps.push(Do::End(*index));
        if call.arguments.trim().is_empty() {
            call.arguments.push_str("{}");
        }
    }

    pub(super) fn end_all(&mut self) {
        for n in 0..self.calls.len() {
            if !self.calls[n].1.ended {
                self.end(n);
            }
        }
    }

    pub(super) fn steps(&self, dialect: Dialect) -> Vec<Do> {
        known(dialect, &self.steps)
    }
}

/// Without what the dialect has no frame for.
fn known(dialect: Dialect, steps: &[Do]) -> Vec<Do> {
    let has_data = matches!(dialect, Dialect::UiMessages | Dialect::AgUi);
    let has_frame = |step: &&Do| match step {
        Do::Text(_) => true,
        Do::Data(..) => has_data,
        _ => dialect != Dialect::PlainText,
    };
    steps.iter().filter(has_frame).cloned().collect()
}

fn write(writer: &mut Writer, steps: &[Do]) -> String {
    for step in steps {
        step.apply(writer).unwrap();
    }
    writer.take_body()
}

/// Whether the arguments read are those written: the text itself, or, where the dialect has it only
/// as a value, that value. Where only one part may be open, white space at the end is lost if it
/// arrives after another part.
fn assert_arguments(dialect: Dialect, read: &str, written: &str) {
    match dialect {
        Dialect::Ollama | Dialect::Gemini => {
            let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            assert_eq!(value(read), value(written));
        }
        Dialect::OpenAiChat | Dialect::OpenAiResponses | Dialect::Anthropic => {
            assert_eq!(read.trim_end(), written.trim_end());
        }
        _ => assert_eq!(read, written),
    }
}

/// Whether what a client has of an incomplete reply is a part of what was written.
fn assert_part(dialect: Dialect, read: &Reply, script: &Script) {
    assert!(script.text.starts_with(&read.text));
    for call in &read.calls {
        let written = (script.calls.iter().map(|(_, written)| written))
            .find(|written| call.id.is_none() || call.id == written.id);
        let written = written.expect("the call was written");
        if call.id.is_some() && !call.ended {
            assert!(written.arguments.starts_with(&call.arguments));
        }
        if call.ended && call.id.is_some() && written.ended {
            assert_arguments(dialect, &call.arguments, &written.arguments);
        }
    }
}

/// Mistakes of a caller, which must change nothing.
fn mistakes(script: &Script) -> Vec<Do> {
    let mut mistakes = vec![
        call(0, "id", ""),
        arguments(99, "{}"),
        Do::End(98),
        Do::Data("x".to_owned(), "{".to_owned()),
        Do::Data("x".to_owned(), "{} {}".to_owned()),
    ];
    for (index, written) in &script.calls {
        if !written.ended {
            mistakes.push(call(*index, "twice", "twice"));
        }
        mistakes.push(arguments(*index, "\u{1}"));
        let is_number = written
            .arguments
            .ends_with(|end: char| end.is_ascii_digit());
        if (is_number || serde_json::from_str::<Value>(&written.arguments).is_err())
            && !written.arguments.trim().is_empty()
        {
            mistakes.push(Do::End(*index));
            mistakes.push(Do::Finish(Finish::Stop, None));
            mistakes.push(Do::Finish(Finish::ToolCalls, None));
        }
    }
    mistakes
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn finished_reply_is_read_as_it_was_written(bytes in any::<Vec<u8>>()) {
        let mut source = ByteSource::new(&bytes);
        let mut script = Script::random(&mut source);
        let ended_by_finish = source.one_in(2);
        let unended = script.steps.len();
        script.end_all();
        if ended_by_finish {
            // The finish ends the calls.
            let kept = |(n, step): &(usize, &Do)| *n < unended || !matches!(step, Do::End(_));
            let steps = script.steps.iter().enumerate().filter(kept);
            script.steps = steps.map(|(_, step)| step.clone()).collect();
        }
        let finish = if script.calls.is_empty() { Finish::Stop } else { Finish::ToolCalls };
        let usage = source.one_in(2).then(|| Usage::new(20, 7).cached_tokens(5).reasoning_tokens(3));
        for dialect in Dialect::ALL {
            let mut writer = writer(dialect);
            let mut steps = script.steps(dialect);
            steps.push(Do::Finish(finish, usage));
            let reply = read(dialect, &write(&mut writer, &steps));
            prop_assert_eq!(&reply.text, &script.text);
            prop_assert_eq!(&reply.error, &None);
            prop_assert!(!writer.must_abort());
            if dialect == Dialect::PlainText {
                continue;
            }
            let has_data = matches!(dialect, Dialect::UiMessages | Dialect::AgUi);
            prop_assert_eq!(&reply.data[..], if has_data { &script.data[..] } else { &[] });
            prop_assert_eq!(reply.calls.len(), script.calls.len());
            let mut read_calls = reply.calls;
            if matches!(dialect, Dialect::Ollama | Dialect::Gemini) {
                // There they are written as they end.
                let order = |call: &Call| {
                    let place = script.calls.iter().position(|(_, written)| written.id == call.id);
                    place.unwrap_or_default()
                };
                read_calls.sort_by_key(order);
            }
            for (call, (_, written)) in read_calls.iter().zip(&script.calls) {
                prop_assert!(call.ended);
                if dialect == Dialect::Ollama {
                    let value = |call: &Call| serde_json::from_str::<Value>(&call.arguments).unwrap();
                    let is_same = |written: &Call| {
                        call.name == written.name && value(call) == value(written)
                    };
                    prop_assert!(script.calls.iter().any(|(_, written)| is_same(written)));
                    continue;
                }
                prop_assert_eq!(&call.id, &written.id);
                prop_assert_eq!(&call.name, &written.name);
                assert_arguments(dialect, &call.arguments, &written.arguments);
            }
            // Where there is no word for calls, the end is an end.
            let known = match dialect {
                Dialect::OpenAiResponses | Dialect::AgUi | Dialect::Ollama | Dialect::Gemini => Finish::Stop,
                _ => finish,
            };
            prop_assert_eq!(reply.finish, Some(known));
            let tokens = usage.map(|usage| (usage.input_tokens, usage.output_tokens));
            let has_usage = dialect != Dialect::AgUi;
            prop_assert_eq!(reply.usage, tokens.filter(|_| has_usage));
        }
    }

    #[test]
    fn lost_reply_never_ends_cleanly(bytes in any::<Vec<u8>>()) {
        let mut source = ByteSource::new(&bytes);
        let script = Script::random(&mut source);
        let is_dropped = source.one_in(2);
        for dialect in Dialect::ALL {
            let mut writer = writer(dialect);
            let mut steps = script.steps(dialect);
            if !is_dropped {
                steps.push(fail("PRODUCER_LOST", "the model was lost"));
            }
            let reply = read(dialect, &write(&mut writer, &steps));
            prop_assert_eq!(reply.finish, None);
            assert_part(dialect, &reply, &script);
            match (dialect, is_dropped) {
                (_, true) => prop_assert_eq!(reply.error, None),
                (Dialect::PlainText, false) => prop_assert!(writer.must_abort()),
                (_, false) => {
                    prop_assert_eq!(reply.error.as_deref(), Some("the model was lost"));
                    prop_assert!(!writer.must_abort());
                }
            }
            for call in &reply.calls {
                prop_assert!(!call.ended || serde_json::from_str::<Value>(&call.arguments).is_ok());
            }
        }
    }

    #[test]
    fn cut_reply_says_so_and_ends_no_incomplete_call(bytes in any::<Vec<u8>>()) {
        let mut source = ByteSource::new(&bytes);
        let script = Script::random(&mut source);
        let finish = *source.choose(&[Finish::Length, Finish::ContentFilter]);
        for dialect in Dialect::ALL {
            let mut writer = writer(dialect);
            let mut steps = script.steps(dialect);
            steps.push(Do::Finish(finish, None));
            let reply = read(dialect, &write(&mut writer, &steps));
            assert_part(dialect, &reply, &script);
            let is_error = reply.error.is_some() || writer.must_abort();
            prop_assert_eq!(reply.finish, Some(finish).filter(|_| !is_error));
            let always_error = matches!(dialect, Dialect::AgUi | Dialect::PlainText);
            let may_be_error = matches!(dialect, Dialect::Anthropic | Dialect::OpenAiChat);
            prop_assert!(is_error == always_error || may_be_error);
            if !is_error {
                prop_assert_eq!(&reply.text, &script.text);
            }
        }
    }

    #[test]
    fn mistake_writes_nothing_and_changes_nothing(bytes in any::<Vec<u8>>()) {
        let mut source = ByteSource::new(&bytes);
        let mut script = Script::random(&mut source);
        let stop = source.below(script.steps.len() + 1);
        let steps = script.steps.split_off(stop);
        // The script as it was before the mistakes.
        let mut before = Script::default();
        for step in &script.steps {
            match step {
                Do::Call(index, id, name) => {
                    let (id, name) = (Some(id.clone()), name.clone());
                    before.calls.push((*index, Call { id, name, ..Call::default() }));
                }
                Do::Arguments(index, delta) => {
                    let call = before.calls.iter_mut().find(|(known, _)| known == index);
                    call.unwrap().1.arguments.push_str(delta);
                }
                Do::End(index) => {
                    let call = before.calls.iter_mut().find(|(known, _)| known == index);
                    call.unwrap().1.ended = true;
                }
                _ => {}
            }
        }
        for dialect in Dialect::ALL.into_iter().filter(|dialect| *dialect != Dialect::PlainText) {
            let (mut plain, mut mistaken) = (writer(dialect), writer(dialect));
            let (start, rest) = (known(dialect, &script.steps), known(dialect, &steps));
            prop_assert_eq!(write(&mut plain, &start), write(&mut mistaken, &start));
            for mistake in mistakes(&before) {
                prop_assert!(mistake.apply(&mut mistaken).is_err(), "{:?}", mistake);
                prop_assert_eq!(mistaken.take_body(), "", "{:?}", mistake);
            }
            prop_assert_eq!(write(&mut plain, &rest), write(&mut mistaken, &rest));
            let end = [fail("x_error", "y")];
            prop_assert_eq!(write(&mut plain, &end), write(&mut mistaken, &end));
            for step in start.iter().chain(&rest).chain(&end) {
                prop_assert!(step.apply(&mut plain).is_err(), "nothing follows the end");
                prop_assert_eq!(plain.take_body(), "");
            }
        }
    }

    #[test]
    fn text_never_waits_where_parts_interleave(bytes in any::<Vec<u8>>()) {
        let mut source = ByteSource::new(&bytes);
        let script = Script::random(&mut source);
        for dialect in Dialect::ALL {
            let mut writer = writer(dialect);
            let (mut body, mut text) = (String::new(), String::new());
            let mut open_calls = 0;
            for step in script.steps(dialect) {
                body += &write(&mut writer, std::slice::from_ref(&step));
                match step {
                    Do::Text(delta) => text += &delta,
                    Do::Call(..) => open_calls += 1,
                    Do::End(_) => open_calls -= 1,
                    _ => {}
                }
                let interleaves = !matches!(
                    dialect,
                    Dialect::OpenAiChat | Dialect::OpenAiResponses | Dialect::Anthropic
                );
                if interleaves || open_calls == 0 {
                    prop_assert_eq!(&read(dialect, &body).text, &text);
                }
            }
        }
    }
}
