//! Overlaps of the end of one text with the start of another, by the algorithm of Knuth, Morris and
//! Pratt: linear time for all texts.

use alloc::vec::Vec;

/// The occurrences of a pattern in a text, and of its prefixes at the end of the text.
#[derive(Debug)]
pub(crate) struct Overlaps {
    /// For each prefix of the pattern, the length of its longest border: a shorter prefix that it
    /// ends with.
    borders: Vec<u32>,
    /// The length of the longest prefix of the pattern that the text ends with.
    longest: usize,
    /// The first occurrence of the entire pattern that is not at the end of the text.
    pub(crate) inside: Option<usize>,
}

impl Overlaps {
    /// Returns the overlaps. Occurrences of the entire pattern count only where `allowed` is true.
    pub(crate) fn of(pattern: &[u8], text: &[u8], allowed: impl Fn(usize) -> bool) -> Self {
        let mut overlaps = Self {
            borders: borders(pattern),
            longest: 0,
            inside: None,
        };
        if pattern.is_empty() {
            return overlaps;
        }
        let mut matched = 0;
        for (at, byte) in text.iter().enumerate() {
            if matched == pattern.len() {
                let start = at - matched;
                if overlaps.inside.is_none() && allowed(start) {
                    overlaps.inside = Some(start);
                }
                matched = overlaps.border(matched);
            }
            while matched > 0 && pattern[matched] != *byte {
                matched = overlaps.border(matched);
            }
            if pattern[matched] == *byte {
                matched += 1;
            }
        }
        overlaps.longest = matched;
        overlaps
    }

    /// Returns the lengths of all prefixes of the pattern that the text ends with, the longest
    /// first.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = usize> + '_ {
        let first = (self.longest > 0).then_some(self.longest);
        core::iter::successors(first, |len| {
            let shorter = self.border(*len);
            (shorter > 0).then_some(shorter)
        })
    }

    fn border(&self, len: usize) -> usize {
        let before = len.checked_sub(1);
        before.map_or(0, |before| self.borders[before] as usize)
    }
}

/// Returns the length of the longest border of each prefix.
fn borders(pattern: &[u8]) -> Vec<u32> {
    let mut borders = Vec::with_capacity(pattern.len());
    let mut matched = 0_usize;
    for (at, byte) in pattern.iter().enumerate() {
        while matched > 0 && pattern[matched] != *byte {
            matched = borders[matched - 1] as usize;
        }
        if at > 0 && pattern[matched] == *byte {
            matched += 1;
        }
        borders.push(matched as u32);
    }
    borders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(letters: &[u8], longest: usize) -> Vec<Vec<u8>> {
        let mut words = alloc::vec![Vec::new()];
        let mut from = 0;
        for _ in 0..longest {
            let to = words.len();
            for word in from..to {
                for letter in letters {
                    let mut longer = words[word].clone();
                    longer.push(*letter);
                    words.push(longer);
                }
            }
            from = to;
        }
        words
    }

    #[test]
    fn overlaps_of_short_texts_agree_with_naive_search() {
        let (patterns, texts) = (words(b"ab", 5), words(b"ab", 7));
        for pattern in &patterns {
            for text in &texts {
                let overlaps = Overlaps::of(pattern, text, |_| true);
                let naive = (1..=pattern.len()).rev();
                let naive = naive.filter(|len| text.ends_with(&pattern[..*len]));
                assert!(overlaps.lengths().eq(naive), "{pattern:?} {text:?}");
                let mut inside = (0..text.len()).filter(|_| !pattern.is_empty());
                let inside = inside
                    .find(|at| text[*at..].starts_with(pattern) && at + pattern.len() < text.len());
                assert_eq!(overlaps.inside, inside, "{pattern:?} {text:?}");
            }
        }
    }
}
