//! Control characters that strict JSON has no place for.

use alloc::vec::Vec;

/// Removes the control characters U+0000 to U+001F that the grammar refuses: all of them in
/// strings, all but white space elsewhere. Knows strings across fragments.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strip {
    place: Place,
}

#[derive(Clone, Copy, Debug, Default)]
enum Place {
    #[default]
    Outside,
    InString,
    /// Behind a backslash in a string.
    Escaped,
}

impl Strip {
    /// What is left of a fragment.
    pub(super) fn strip(&mut self, fragment: &[u8]) -> Vec<u8> {
        let mut keep = |byte: u8| {
            let refused = match self.place {
                Place::Outside => !matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..),
                Place::InString | Place::Escaped => byte < 0x20,
            };
            if !refused {
                self.place = match (self.place, byte) {
                    (Place::Outside, b'"') | (Place::Escaped, _) => Place::InString,
                    (Place::InString, b'"') => Place::Outside,
                    (Place::InString, b'\\') => Place::Escaped,
                    (place, _) => place,
                };
            }
            !refused
        };
        fragment
            .iter()
            .copied()
            .filter(|byte| keep(*byte))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_grammar_refuses_goes_whatever_the_split() {
        let dirty = b"\x00{\n\"a\x01\\\x02\"b\n\t\" :\x1f\r[1\x0b]}";
        let clean = b"{\n\"a\\\"b\" :\r[1]}";
        for split in 0..=dirty.len() {
            let mut strip = Strip::default();
            let mut text = strip.strip(&dirty[..split]);
            text.extend(strip.strip(&dirty[split..]));
            assert_eq!(text, clean);
        }
    }
}
