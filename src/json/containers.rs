//! The containers around a place of a text.

use alloc::vec::Vec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    Array,
    Object,
}

impl Container {
    pub(crate) const fn closer(self) -> u8 {
        match self {
            Self::Array => b']',
            Self::Object => b'}',
        }
    }
}

/// The open containers, one bit each, so that a copy costs next to nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenContainers {
    pub(super) depth: u32,
    /// The innermost up to 64, the last one lowest; 1 is an object.
    inner: u64,
    /// The others, 64 each.
    outer: Vec<u64>,
}

impl OpenContainers {
    #[inline]
    pub(super) fn push(&mut self, container: Container) {
        if self.depth > 0 && self.depth.is_multiple_of(u64::BITS) {
            self.outer.push(self.inner);
        }
        self.inner = self.inner << 1 | u64::from(container == Container::Object);
        self.depth += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        debug_assert!(self.depth > 0, "only what is open is closed");
        self.depth -= 1;
        self.inner >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(u64::BITS) {
            self.inner = self.outer.pop().unwrap_or_default();
        }
    }

    #[inline]
    pub(super) fn innermost(&self) -> Option<Container> {
        match (self.depth, self.inner & 1) {
            (0, _) => None,
            (_, 0) => Some(Container::Array),
            (_, _) => Some(Container::Object),
        }
    }
}
