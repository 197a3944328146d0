//! What a program does with a writer.

use json_chunks::wire::{Dialect, Finish, ReplyHead, Usage, WriteError, Writer};

/// One call of a method of a writer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Do {
    Text(String),
    Call(usize, String, String),
    Arguments(usize, String),
    End(usize),
    Data(String, String),
    Finish(Finish, Option<Usage>),
    Fail(String, String),
}

pub(super) fn text(delta: &str) -> Do {
    Do::Text(delta.to_owned())
}

pub(super) fn call(index: usize, id: &str, name: &str) -> Do {
    Do::Call(index, id.to_owned(), name.to_owned())
}

pub(super) fn arguments(index: usize, delta: &str) -> Do {
    Do::Arguments(index, delta.to_owned())
}

pub(super) fn fail(code: &str, message: &str) -> Do {
    Do::Fail(code.to_owned(), message.to_owned())
}

impl Do {
    pub(super) fn apply(&self, writer: &mut Writer) -> Result<(), WriteError> {
        match self {
            Self::Text(delta) => writer.text(delta),
            Self::Call(index, id, name) => writer.call(*index, id, name),
            Self::Arguments(index, delta) => writer.arguments(*index, delta),
            Self::End(index) => writer.call_end(*index),
            Self::Data(name, json) => writer.data(name, json),
            Self::Finish(finish, usage) => writer.finish(*finish, *usage),
            Self::Fail(code, message) => writer.fail(code, message),
        }
    }
}

/// A writer whose reply is `r1`, by the model `m`, created 2026-11-22 at noon.
pub(super) fn writer(dialect: Dialect) -> Writer {
    let head = ReplyHead::new("r1", "m").created(1_795_348_800);
    Writer::new(dialect, head.thread("t1").input_tokens(12))
}

/// The body of the reply that these steps write.
pub(super) fn body(dialect: Dialect, steps: &[Do]) -> String {
    let mut writer = writer(dialect);
    for step in steps {
        step.apply(&mut writer).unwrap();
    }
    writer.take_body()
}
