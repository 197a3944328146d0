//! The events that a push returns.

use alloc::vec::Drain;
use core::fmt;

/// Events that are taken from a machine; those that are not consumed are dropped.
pub(crate) struct Drained<'a, T>(pub(crate) Drain<'a, T>);

impl<T> Iterator for Drained<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> ExactSizeIterator for Drained<'_, T> {}

/// Omits the payload, which the `Debug` text of `Drain` contains.
impl<T> fmt::Debug for Drained<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drained")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
