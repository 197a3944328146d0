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
    /// The innermost containers, at most 64, the innermost in the lowest bit; 1 is an object.
    inner: u64,
    /// The other containers, 64 in each word.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_containers_of_any_depth_close_in_reverse_order() {
        let container = |n: u32| match n.count_ones() % 2 {
            0 => Container::Array,
            _ => Container::Object,
        };
        for depth in [1, 63, 64, 65, 128, 129, 500] {
            let mut open = OpenContainers::default();
            for n in 0..depth {
                open.push(container(n));
            }
            for n in (0..depth).rev() {
                assert_eq!(open.innermost(), Some(container(n)), "{n} of {depth}");
                open.pop();
            }
            assert_eq!((open.innermost(), open.depth), (None, 0));
            assert!(open.outer.is_empty());
        }
    }
}
