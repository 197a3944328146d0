//! The text alone. It has no frames, so it cannot report that it is incomplete: see
//! [`Writer::must_abort`](super::Writer::must_abort).

use alloc::borrow::ToOwned as _;

use super::encoder::Encoder;
use crate::wire::frame::Output;
use crate::wire::{Finish, Usage};

#[derive(Debug)]
pub(super) struct PlainText;

impl Encoder for PlainText {
    fn start(&mut self, _out: &mut Output) {}

    fn text(&mut self, delta: &str, out: &mut Output) {
        out.push(delta.to_owned());
    }

    fn finish(&mut self, _finish: Finish, _usage: Option<Usage>, _out: &mut Output) {}

    fn fail(&mut self, _code: &str, _message: &str, _out: &mut Output) {}
}
