//! What the frames of a reply add to it, in the terms of all dialects.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;

use crate::document::{Kind, Value};
use crate::error::Error;
use crate::tool_call::ToolCallDelta;
use crate::wire::{Finish, Piece, Usage};

/// What has been read of a reply.
#[derive(Clone, Default)]
pub(super) struct Reply {
    pub(super) pieces: VecDeque<Result<Piece, Error>>,
    /// The calls by their index.
    calls: BTreeMap<usize, CallState>,
    /// The index of the calls of an API that has only ids.
    by_id: BTreeMap<String, usize>,
    /// The call that later pieces without an id belong to.
    current: usize,
    /// The last usage.
    pub(super) usage: Option<Usage>,
    /// The reason for an end after which the usage may follow.
    ending: Option<Finish>,
    pub(super) is_over: bool,
}

/// What is known of a call.
#[derive(Clone, Copy, Debug, Default)]
struct CallState {
    has_arguments: bool,
    /// Its block has ended before its first argument, or it has no end of its own.
    has_stopped: bool,
    has_ended: bool,
}

impl Reply {
    pub(super) fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.pieces.push_back(Ok(Piece::Text(text.into())));
        }
    }

    /// More of a call.
    pub(super) fn call(&mut self, delta: ToolCallDelta) {
        let state = self.calls.entry(delta.index).or_default();
        state.has_arguments |= !delta.arguments.trim().is_empty();
        self.pieces.push_back(Ok(Piece::Call(delta)));
    }

    /// The arguments of a call that are sent again at its end; the only ones if there were no
    /// deltas.
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

    /// The block of a call has ended. One without arguments may have been cut off before the first
    /// one, which only the end of the reply shows.
    pub(super) fn stop_call(&mut self, index: usize) {
        match self.calls.get_mut(&index) {
            Some(call) if call.has_arguments => self.end_call(index),
            Some(call) => call.has_stopped = true,
            None => {}
        }
    }

    /// The call has no end of its own, so a reply that is complete ends it.
    pub(super) fn stop_call_later(&mut self, index: usize) {
        if let Some(call) = self.calls.get_mut(&index) {
            call.has_stopped = true;
        }
    }

    pub(super) fn end_call(&mut self, index: usize) {
        if let Some(call) = self.calls.get_mut(&index)
            && !call.has_ended
        {
            call.has_ended = true;
            self.pieces
                .push_back(Ok(Piece::Call(ToolCallDelta::new(index).ended())));
        }
    }

    /// The index of the call with this id, in APIs that have only ids.
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

    /// A call that arrives complete.
    pub(super) fn complete_call(&mut self, id: &str, name: &str, arguments: &str) {
        let delta = ToolCallDelta::new(self.calls.len()).id(id).name(name);
        let index = delta.index;
        self.call(delta.arguments(arguments).ended());
        if let Some(call) = self.calls.get_mut(&index) {
            call.has_ended = true;
        }
    }

    pub(super) fn data(&mut self, name: &str, value: Option<Value<'_>>) {
        let json = value.map_or("null", Value::raw);
        let (name, json) = (name.into(), json.into());
        self.pieces.push_back(Ok(Piece::Data { name, json }));
    }

    /// How a complete reply has ended, where the API has no word for calls.
    pub(super) fn stop(&self) -> Finish {
        if self.calls.is_empty() {
            Finish::Stop
        } else {
            Finish::ToolCalls
        }
    }

    /// The reply has ended. `ends_calls` says that the API has no other end of calls.
    pub(super) fn finish(&mut self, finish: Finish, ends_calls: bool) {
        self.finish_soon(finish, ends_calls);
        self.conclude();
    }

    /// As [`finish`](Self::finish), where the usage may follow.
    pub(super) fn finish_soon(&mut self, finish: Finish, ends_calls: bool) {
        if !finish.is_cut() {
            let ended = |call: &CallState| ends_calls || call.has_stopped;
            let calls = self.calls.iter().filter(|(_, call)| ended(call));
            let calls: Vec<usize> = calls.map(|(index, _)| *index).collect();
            for index in calls {
                self.end_call(index);
            }
        }
        self.ending = Some(finish);
    }

    /// Nothing follows the end.
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

    /// The reply has failed. `error` is the object that says how.
    pub(super) fn fail(&mut self, code: &str, error: Value<'_>) {
        self.fail_with(text_of(error, code), text_of(error, "message"));
    }

    pub(super) fn fail_with(&mut self, code: &str, message: &str) {
        let (code, message) = (code.into(), message.into());
        self.pieces.push_back(Ok(Piece::Failed { code, message }));
        self.is_over = true;
    }
}

/// The count in a member; 0 if it is not there.
pub(super) fn count_of(value: Option<Value<'_>>, name: &str) -> u64 {
    let count = value.and_then(|value| value.get(name));
    count.and_then(Value::as_u64).unwrap_or_default()
}

/// The members that an object has, `null` not being one.
pub(super) fn object_of<'a>(value: Value<'a>, name: &str) -> Option<Value<'a>> {
    value.get(name).filter(|value| value.kind() == Kind::Object)
}

/// The text of a member; empty if it is not there or no string.
pub(super) fn text_of<'a>(value: Value<'a>, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The index in a member, if there is one.
pub(super) fn index_of(value: Value<'_>, name: &str) -> Option<usize> {
    value.get(name)?.as_u64()?.try_into().ok()
}
