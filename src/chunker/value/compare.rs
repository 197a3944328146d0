//! Strings and integers of a value, compared with the JSON text of the last snapshot.

use crate::json::{HIGHS, ONES};

/// Whether two texts of the same length are the same.
///
/// Texts of 16 to 127 bytes are compared in four blocks that may overlap, because the processor
/// mispredicts the end of a loop over the blocks of texts of different lengths. Where `text` is a
/// constant, such as the name of a field, one comparison is left.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "names of fields are constants where this is inlined"
)]
pub(super) fn is_same(raw: &[u8], text: &[u8]) -> bool {
    match text.len() {
        ..4 => raw.iter().zip(text).all(|(raw, byte)| raw == byte),
        4..8 => has_same_ends::<4>(raw, text),
        8..16 => has_same_ends::<8>(raw, text),
        16..64 => has_same_blocks::<16>(raw, text),
        64..128 => has_same_blocks::<32>(raw, text),
        // Larger blocks would be a call of the library.
        _ => {
            let mut blocks = raw.as_chunks::<32>().0.iter().zip(text.as_chunks().0);
            blocks.all(|(raw, text)| raw == text)
                && raw.last_chunk::<32>() == text.last_chunk::<32>()
        }
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "as the caller")]
fn has_same_ends<const N: usize>(raw: &[u8], text: &[u8]) -> bool {
    raw.first_chunk::<N>() == text.first_chunk::<N>()
        && raw.last_chunk::<N>() == text.last_chunk::<N>()
}

/// Whether two texts of `N` to `4 * N` bytes are the same.
#[inline(always)]
#[expect(clippy::inline_always, reason = "as the caller")]
fn has_same_blocks<const N: usize>(raw: &[u8], text: &[u8]) -> bool {
    let (Some(raw), Some(text)) = (blocks::<N>(raw), blocks::<N>(text)) else {
        return false;
    };
    // All of them, with one branch at the end.
    let mut differences = [0; N];
    for (raw, text) in raw.into_iter().zip(text) {
        for (difference, (raw, text)) in differences.iter_mut().zip(raw.iter().zip(text)) {
            *difference |= raw ^ text;
        }
    }
    differences == [0; N]
}

/// Returns four blocks that cover a text of `N` to `4 * N` bytes: the first and the last of each
/// half.
#[inline(always)]
#[expect(clippy::inline_always, reason = "as the caller")]
fn blocks<const N: usize>(text: &[u8]) -> Option<[&[u8; N]; 4]> {
    let half = text.len().div_ceil(2).max(N);
    let start = text.get(..half)?.last_chunk()?;
    let end = text.get(text.len() - half..)?.first_chunk()?;
    Some([text.first_chunk()?, start, end, text.last_chunk()?])
}

/// Returns how many quotes and backslashes there are.
pub(in crate::chunker) fn count_marks(text: &[u8]) -> usize {
    // Short enough for a sum in one byte, which is vectorized.
    const BLOCK: usize = 240;
    let count = |block: &[u8]| {
        let marks = block
            .iter()
            .map(|byte| u8::from(matches!(byte, b'"' | b'\\')));
        usize::from(marks.sum::<u8>())
    };
    text.chunks(BLOCK).map(count).sum()
}

/// Reads an integer of less than 8 digits, after which there are more bytes. Returns the integer
/// and how many digits it has.
#[inline]
pub(super) fn short_integer(text: &[u8]) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(*text.first_chunk()?);
    // Digits become 0 to 9, every other byte more. From 10 on, adding 0x76 sets the highest bit,
    // unless it was set before. A carry may mark bytes after a true hit, never before.
    let value = word ^ (ONES * u64::from(b'0'));
    let others = (value.wrapping_add(ONES * 0x76) | value) & HIGHS;
    let bits = others.trailing_zeros() & !7;
    if bits == 0 || bits == 64 {
        return None;
    }
    // Zeros before the first digit. Then pairs of digits, of pairs, and of those are added.
    let digits = value << (64 - bits);
    let pairs = digits.wrapping_mul(10 << 8 | 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100 << 16 | 1) >> 16 & 0x0000_ffff_0000_ffff;
    let integer = fours.wrapping_mul(10_000 << 32 | 1) >> 32;
    Some((integer, bits as usize / 8))
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn same_texts_are_the_same_at_every_length() {
        for len in 0..200 {
            let text: Vec<u8> = (b'a'..=b'z').cycle().take(len).collect();
            assert!(is_same(&text, &text), "{len}");
            for place in 0..len {
                let mut other = text.clone();
                other[place] ^= 1;
                assert!(!is_same(&text, &other), "{len} {place}");
            }
        }
    }

    #[test]
    fn marks_are_quotes_and_backslashes() {
        for len in [0, 1, 16, 239, 240, 241, 1000] {
            let plain = "é/'".repeat(len).into_bytes();
            assert_eq!(count_marks(&plain), 0);
            assert_eq!(count_marks(&b"\"a\\".repeat(len)), 2 * len);
            assert_eq!(count_marks(&b"\"".repeat(len)), len);
        }
    }

    #[test]
    fn short_integers_are_read_to_their_last_digit() {
        for integer in (0..20_000).chain([99_999, 123_456, 9_999_999]) {
            for after in [",1234567", "}\u{7f}\u{ff}12345", "e5123456", ".5123456"] {
                let text = format!("{integer}{after}");
                let len = text.len() - after.len();
                assert_eq!(short_integer(text.as_bytes()), Some((integer, len)));
            }
        }
        for text in [
            "",
            "1",
            "1234567",
            "12345678",
            "123456789,",
            "-1234567",
            ",1234567",
        ] {
            assert_eq!(short_integer(text.as_bytes()), None, "{text}");
        }
    }
}
