//! The state of a reply that is read, independent of the dialect.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;

use crate::document::{Kind, Value};
use crate::error::Error;
use crate::tool_call::ToolCallDelta;
use crate::wire::{Finish, Piece, Usage};

/// The part of a reply that has been read.
#[derive(Clone, Default)]
pub(super) struct Reply {
    pub(super) pieces: VecDeque<Result<Piece, Error>>,
    /// The calls by their index.
    calls: BTreeMap<usize, ReadCall>,
    /// The indexes of calls, for APIs that have only ids.
    by_id: BTreeMap<String, usize>,
    /// The call that later pieces without an id belong to.
    current: usize,
    /// The last usage.
    pub(super) usage: Option<Usage>,
    /// The reason of the end, while the usage may still follow.
    ending: Option<Finish>,
    pub(super) is_over: bool,
}

/// A call of the reply.
#[derive(Clone, Copy, Debug, Default)]
struct ReadCall {
    has_arguments: bool,
    state: ReadCallState,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ReadCallState {
    #[default]
    Open,
    /// The end of a complete reply ends it: its block has ended before any arguments, or the API
    /// reports no end of calls.
    Stopped,
    Ended,
}

impl ReadCall {
    fn stop(&mut self) {
        if self.state == ReadCallState::Open {
            self.state = ReadCallState::Stopped;
        }
    }
}

impl Reply {
    pub(super) fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.pieces.push_back(Ok(Piece::Text(text.into())));
        }
    }

    /// Adds to a call.
    pub(super) fn call(&mut self, delta: ToolCallDelta) {
        let state = self.calls.entry(delta.index).or_default();
        state.has_arguments |= !delta.arguments.trim().is_empty();
        self.pieces.push_back(Ok(Piece::Call(delta)));
    }

    /// Adds the complete arguments of a call, which are sent at its end, unless there were deltas.
    pub(super) fn all_arguments(&mut self, index: usize, arguments: &str) {
        let is_new = self
            .calls
            .get(&index)
            .is_some_and(|call| !call.has_arguments);
        if is_new && !arguments.is_empty() {
            self.call(ToolCallDelta::new(index).arguments(arguments));
        }
    }

    pub(super) fn has_call(&self, index: usize) -> bool {
        self.calls.contains_key(&index)
    }

    /// Handles the end of a call's block. A call without arguments may have been cut off before
    /// them, which only the end of the reply shows.
    pub(super) fn stop_call(&mut self, index: usize) {
        match self.calls.get_mut(&index) {
            Some(call) if call.has_arguments => self.end_call(index),
            Some(call) => call.stop(),
            None => {}
        }
    }

    /// Marks a call that the API does not end, so that the end of a complete reply ends it.
    pub(super) fn stop_call_later(&mut self, index: usize) {
        if let Some(call) = self.calls.get_mut(&index) {
            call.stop();
        }
    }

    pub(super) fn end_call(&mut self, index: usize) {
        if let Some(call) = self.calls.get_mut(&index)
            && call.state != ReadCallState::Ended
        {
            call.state = ReadCallState::Ended;
            self.pieces
                .push_back(Ok(Piece::Call(ToolCallDelta::new(index).ended())));
        }
    }

    /// Returns the index of the call with this id, for APIs that have only ids.
    pub(super) fn index_of_id(&mut self, id: &str) -> usize {
        if id.is_empty() {
            return self.current;
        }
        let next = self.by_id.len();
        let known = self.by_id.get(id).copied();
        self.current = known.unwrap_or_else(|| {
            self.by_id.insert(id.into(), next);
            next
        });
        self.current
    }

    /// Adds a call that arrives complete.
    pub(super) fn complete_call(&mut self, id: &str, name: &str, arguments: &str) {
        let delta = ToolCallDelta::new(self.calls.len()).id(id).name(name);
        let index = delta.index;
        self.call(delta.arguments(arguments).ended());
        if let Some(call) = self.calls.get_mut(&index) {
            call.state = ReadCallState::Ended;
        }
    }

    pub(super) fn data(&mut self, name: &str, value: Option<Value<'_>>) {
        let json = value.map_or("null", Value::raw);
        let (name, json) = (name.into(), json.into());
        self.pieces.push_back(Ok(Piece::Data { name, json }));
    }

    /// Returns the reason of a complete reply, for APIs without a reason for calls.
    pub(super) fn stop(&self) -> Finish {
        if self.calls.is_empty() {
            Finish::Stop
        } else {
            Finish::ToolCalls
        }
    }

    /// Ends the reply. `ends_calls` says that the API reports no other end of calls.
    pub(super) fn finish(&mut self, finish: Finish, ends_calls: bool) {
        self.finish_soon(finish, ends_calls);
        self.conclude();
    }

    /// Like [`finish`](Self::finish), for APIs whose usage may follow.
    pub(super) fn finish_soon(&mut self, finish: Finish, ends_calls: bool) {
        if !finish.is_cut() {
            let ended = |call: &ReadCall| ends_calls || call.state == ReadCallState::Stopped;
            let calls = self.calls.iter().filter(|(_, call)| ended(call));
            let calls: Vec<usize> = calls.map(|(index, _)| *index).collect();
            for index in calls {
                self.end_call(index);
            }
        }
        self.ending = Some(finish);
    }

    /// Ends the reply; nothing follows.
    pub(super) fn conclude(&mut self) {
        let Some(finish) = self.ending.filter(|_| !self.is_over) else {
            return;
        };
        if let Some(usage) = self.usage {
            self.pieces.push_back(Ok(Piece::Usage(usage)));
        }
        self.pieces.push_back(Ok(Piece::Finish(finish)));
        self.is_over = true;
    }

    /// Makes the reply fail. `error` is the error object of the API.
    pub(super) fn fail(&mut self, code: &str, error: Value<'_>) {
        self.fail_with(text_of(error, code), text_of(error, "message"));
    }

    pub(super) fn fail_with(&mut self, code: &str, message: &str) {
        let (code, message) = (code.into(), message.into());
        self.pieces.push_back(Ok(Piece::Failed { code, message }));
        self.is_over = true;
    }
}

/// Returns the count in a member, or 0 if there is none.
pub(super) fn count_of(value: Option<Value<'_>>, name: &str) -> u64 {
    let count = value.and_then(|value| value.get(name));
    count.and_then(Value::as_u64).unwrap_or_default()
}

/// Returns a member that is an object.
pub(super) fn object_of<'a>(value: Value<'a>, name: &str) -> Option<Value<'a>> {
    value.get(name).filter(|value| value.kind() == Kind::Object)
}

/// Returns the text of a member, or an empty text if there is none or it is not a string.
pub(super) fn text_of<'a>(value: Value<'a>, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the index in a member, if there is one.
pub(super) fn index_of(value: Value<'_>, name: &str) -> Option<usize> {
    value.get(name)?.as_u64()?.try_into().ok()
}
