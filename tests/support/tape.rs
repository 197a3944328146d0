//! Random choices that shrink.

/// Choices read from random bytes. Zero is always the plainest choice, and so is every choice
/// behind the end, so whatever shortens or lowers the bytes makes the case simpler.
pub(crate) struct Tape<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Tape<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes: bytes.iter(),
        }
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    /// A number below `bound`, which is at most 256; 0 where there is no choice.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        if bound < 2 {
            return 0;
        }
        usize::from(self.byte()) * bound / 256
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// One of these.
    pub(crate) fn one_of<'b, T>(&mut self, choices: &'b [T]) -> &'b T {
        &choices[self.below(choices.len())]
    }
}

/// Many choices out of one, where there are too many to read each from the tape. The seed 0 makes
/// only plain ones.
pub(crate) struct Dice(Option<u64>);

impl Dice {
    pub(crate) fn new(seed: u8) -> Self {
        Self((seed != 0).then(|| u64::from(seed)))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let Some(state) = &mut self.0 else { return 0 };
        // SplitMix64.
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = *state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        (mixed >> 33) as usize % bound
    }
}
