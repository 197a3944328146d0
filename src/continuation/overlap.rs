//! Where the start of one text is the end of another: Knuth, Morris and Pratt's way, in linear
//! time whatever the texts are.

use alloc::vec::Vec;

/// How the start of `pattern` lies in `text`.
#[derive(Debug)]
pub(super) struct Overlaps {
    /// Of each length of the pattern's start the length of the longest shorter start that it ends
    /// in.
    borders: Vec<u32>,
    /// The longest start of the pattern that the text ends in.
    longest: usize,
    /// Where all of the pattern is in the text, but at its end.
    pub(super) inside: Option<usize>,
}

impl Overlaps {
    /// Of the places where all of the pattern is, `allowed` says which count.
    pub(super) fn of(pattern: &[u8], text: &[u8], allowed: impl Fn(usize) -> bool) -> Self {
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

    /// The lengths of all starts of the pattern that the text ends in, the longest first.
    pub(super) fn lengths(&self) -> impl Iterator<Item = usize> + '_ {
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
    fn every_short_pattern_lies_in_every_short_text_as_the_naive_search_finds_it() {
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
