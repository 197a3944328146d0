//! The steps of a reply, as the frames of each dialect.

use alloc::boxed::Box;
use core::fmt;

use super::call::Call;
use super::{ag_ui, anthropic, chat, gemini, ollama, responses, text, ui};
use crate::wire::frame::Output;
use crate::wire::{Dialect, Finish, ReplyHead, Usage};

/// Writes the frames of one reply. The [writer](super::Writer) calls these methods in an order that
/// the dialect allows, so an encoder checks nothing:
///
/// - `start` once, before everything else; `finish` or `fail` once, after everything else;
/// - `text` and `end_text` after `start_text`; at most one text is open;
/// - `arguments` and `end_call` or `cut_call` after `start_call` of the same call;
/// - where parts don't interleave, each is ended before the next one starts, except for calls that
///   are cut off.
///
/// No delta is empty. The default methods are the steps for which a dialect may need no frame.
pub(super) trait Encoder: fmt::Debug + Send + Sync {
    fn start(&mut self, out: &mut Output);

    fn start_text(&mut self, _out: &mut Output) {}

    fn text(&mut self, delta: &str, out: &mut Output);

    /// `cut` says that the text may be incomplete.
    fn end_text(&mut self, _cut: bool, _out: &mut Output) {}

    fn start_call(&mut self, _call: &Call, _out: &mut Output) {}

    fn arguments(&mut self, _call: &Call, _delta: &str, _out: &mut Output) {}

    /// The arguments are complete.
    fn end_call(&mut self, _call: &Call, _out: &mut Output) {}

    /// Handles a call whose arguments will not be completed. Writes nothing that a client could
    /// read as the end of the call.
    fn cut_call(&mut self, _call: &Call, _message: &str, _out: &mut Output) {}

    fn data(&mut self, _name: &str, _json: &str, _out: &mut Output) {}

    fn finish(&mut self, finish: Finish, usage: Option<Usage>, out: &mut Output);

    fn fail(&mut self, code: &str, message: &str, out: &mut Output);
}

pub(super) fn encoder(dialect: Dialect, head: ReplyHead) -> Box<dyn Encoder> {
    match dialect {
        Dialect::OpenAiChat => Box::new(chat::Chat::new(&head)),
        Dialect::OpenAiResponses => Box::new(responses::Responses::new(head)),
        Dialect::Anthropic => Box::new(anthropic::Anthropic::new(head)),
        Dialect::UiMessages => Box::new(ui::UiMessages::new(head)),
        Dialect::PlainText => Box::new(text::PlainText),
        Dialect::AgUi => Box::new(ag_ui::AgUi::new(head)),
        Dialect::Ollama => Box::new(ollama::Ollama::new(&head)),
        Dialect::Gemini => Box::new(gemini::Gemini::new(head)),
    }
}
