//! What waits in an open object, in the words of the rules.

use crate::chunker::state::Unemitted;
use crate::chunker::tree::NodeId;

/// Which members wait in an object.
#[derive(Clone, Copy, Default)]
pub(super) struct Waiting(u8);

impl Waiting {
    pub(super) fn add(&mut self, unemitted: Unemitted) {
        self.0 |= 1 << unemitted as u8;
    }

    pub(super) fn has(self, unemitted: Unemitted) -> bool {
        self.0 & 1 << unemitted as u8 != 0
    }

    pub(super) fn has_new(self) -> bool {
        self.has(Unemitted::NewLiteral)
            || self.has(Unemitted::NewNumber)
            || self.has(Unemitted::NewGrowable)
    }
}

/// How many there are, and which one if there is only one.
#[derive(Clone, Copy)]
pub(super) enum AtMostOne {
    None,
    One(NodeId),
    Many,
}

impl AtMostOne {
    pub(super) fn add(&mut self, id: NodeId) {
        *self = match self {
            Self::None => Self::One(id),
            Self::One(_) | Self::Many => Self::Many,
        };
    }
}
