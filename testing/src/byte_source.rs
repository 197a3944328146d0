//! Random choices that shrink.

/// A source of choices, read from random bytes. A zero byte is always the simplest choice, and so
/// is every choice after the end, so that shorter input and lower bytes give simpler cases.
pub struct ByteSource<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> ByteSource<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes: bytes.iter(),
        }
    }

    pub fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    /// Returns a number below `bound`, which is at most 256; 0 if `bound` is less than 2.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound < 2 {
            return 0;
        }
        usize::from(self.byte()) * bound / 256
    }

    /// Returns true with probability 1 / `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// Returns one of the choices.
    pub fn choose<'b, T>(&mut self, choices: &'b [T]) -> &'b T {
        &choices[self.below(choices.len())]
    }
}

/// A random number generator seeded by one byte, for cases with too many choices to read each from
/// the source. The seed 0 always gives 0.
pub struct SeededRng(Option<u64>);

impl SeededRng {
    pub fn new(seed: u8) -> Self {
        Self((seed != 0).then(|| u64::from(seed)))
    }

    pub fn below(&mut self, bound: usize) -> usize {
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
