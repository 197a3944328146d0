//! The cost of lookahead and insertion, counted in tests.

/// Counts bytes that are read ahead and edits that are moved, for the test that both are linear in
/// the length of the text.
pub(super) fn count(steps: usize) {
    #[cfg(test)]
    tests::add(steps);
    #[cfg(not(test))]
    let _ = steps;
}

/// The number of bytes that may still be searched for balanced brackets, so that a text with many
/// unbalanced ones takes linear time.
#[derive(Debug)]
pub(super) struct Credit(usize);

impl Credit {
    /// Returns the credit for a text: four bytes for each of its bytes.
    pub(super) const fn of(bytes: usize) -> Self {
        Self(bytes.saturating_mul(4))
    }

    pub(super) const fn left(&self) -> usize {
        self.0
    }

    pub(super) fn take(&mut self, bytes: usize) {
        count(bytes);
        self.0 = self.0.saturating_sub(bytes);
    }
}

#[cfg(test)]
mod tests;
