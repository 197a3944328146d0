//! The parts of a reply, texts and calls: which one is open, and which wait for its end.

use alloc::string::String;

use super::Writer;
use super::call::{CallState, Completeness};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text,
    /// The call with this number.
    Call(usize),
}

#[derive(Debug)]
pub(super) enum WaitingPart {
    Text(String),
    /// The call with this number, which keeps its arguments.
    Call(usize),
}

impl WaitingPart {
    pub(super) const fn is_call(&self) -> bool {
        matches!(self, Self::Call(_))
    }
}

impl Writer {
    pub(super) fn open_text(&mut self, delta: &str) {
        self.open = Some(Part::Text);
        self.encoder.start_text(&mut self.out);
        self.encoder.text(delta, &mut self.out);
    }

    pub(super) fn close_text(&mut self, cut: bool) {
        if self.open == Some(Part::Text) {
            self.open = None;
            self.encoder.end_text(cut, &mut self.out);
        }
    }

    /// Writes the first frame of a call and the arguments that have been received.
    pub(super) fn open_call(&mut self, number: usize) {
        let Some(call) = self.calls.get_mut(number) else {
            return;
        };
        let was = core::mem::replace(&mut call.state, CallState::Open);
        self.encoder.start_call(call, &mut self.out);
        self.add_arguments(number, "");
        if was == (CallState::Waiting { ended: true }) {
            self.close_call(number, true);
        }
    }

    /// Adds checked arguments and, if the call is open, writes all that have not been written.
    pub(super) fn add_arguments(&mut self, number: usize, delta: &str) {
        let keeps = self.rules.keeps_arguments;
        let Some(call) = self.calls.get_mut(number) else {
            return;
        };
        match call.state {
            CallState::Waiting { .. } => call.arguments.push_str(delta),
            CallState::Open => {
                call.arguments.push_str(delta);
                if !call.unsent().is_empty() {
                    self.encoder.arguments(call, call.unsent(), &mut self.out);
                }
                if !keeps {
                    call.arguments.clear();
                }
                call.sent = call.arguments.len();
            }
            // White space after terminated arguments, which the check allows.
            CallState::Closed { .. } => {}
        }
    }

    /// Ends a call whose arguments are complete, now or when it is no longer waiting.
    pub(super) fn end_call(&mut self, number: usize) {
        let Some(call) = self.calls.get_mut(number) else {
            return;
        };
        if !call.has_ended() && call.check.completeness() == Completeness::Blank {
            self.add_arguments(number, "{}");
        }
        let Some(call) = self.calls.get_mut(number) else {
            return;
        };
        match call.state {
            CallState::Waiting { .. } => call.state = CallState::Waiting { ended: true },
            CallState::Open => self.close_call(number, true),
            CallState::Closed { .. } => call.state = CallState::Closed { ended: true },
        }
    }

    /// Writes the last frame of an open call.
    pub(super) fn close_call(&mut self, number: usize, ended: bool) {
        if let Some(call) = self.calls.get_mut(number) {
            debug_assert_eq!(call.state, CallState::Open, "only what is open is closed");
            self.encoder.end_call(call, &mut self.out);
            call.state = CallState::Closed { ended };
            call.arguments = String::new();
            call.sent = 0;
        }
        if self.open == Some(Part::Call(number)) {
            self.open = None;
        }
    }

    pub(super) fn cut_call(&mut self, number: usize, message: &str) {
        if let Some(call) = self.calls.get_mut(number)
            && call.state == CallState::Open
        {
            self.encoder.cut_call(call, message, &mut self.out);
        }
    }

    /// Opens waiting parts until one of them has not ended. Takes constant time if nothing waits.
    pub(super) fn advance(&mut self) {
        while !self.waiting.is_empty() {
            match self.open {
                None => {}
                Some(Part::Text) => self.close_text(false),
                Some(Part::Call(number)) => {
                    // `{"a":1}` and then another part: its source has no frame for the end of a
                    // call, as in Chat Completions, and nothing can be added to the object.
                    let call = self.calls.get(number);
                    let check = call.map(|call| call.check.completeness());
                    if check != Some(Completeness::Terminated) {
                        return;
                    }
                    self.close_call(number, false);
                }
            }
            match self.waiting.pop_front() {
                Some(WaitingPart::Text(text)) => self.open_text(&text),
                Some(WaitingPart::Call(number)) => {
                    self.open = Some(Part::Call(number));
                    self.open_call(number);
                }
                None => {}
            }
        }
    }
}
