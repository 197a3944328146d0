//! Where arrays and objects start and end in the text.

/// Finds the brackets of text that is JSON, across fragments: the parser's events say that there
/// is one, this says where.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Brackets {
    #[default]
    Outside,
    InString,
    /// Behind a backslash in a string.
    Escaped,
}

impl Brackets {
    /// The index of the first bracket at or after `at`; the end of the text if there is none.
    pub(super) fn next(&mut self, text: &str, at: usize) -> usize {
        let bytes = text.as_bytes().get(at..).unwrap_or_default();
        let bracket = bytes.iter().position(|byte| {
            *self = match (*self, *byte) {
                (Self::Outside, b'{' | b'[' | b'}' | b']') => return true,
                (Self::Outside, b'"') | (Self::Escaped, _) => Self::InString,
                (Self::InString, b'"') => Self::Outside,
                (Self::InString, b'\\') => Self::Escaped,
                (state, _) => state,
            };
            false
        });
        bracket.map_or(text.len(), |bracket| at + bracket)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn brackets_in_strings_are_none_whatever_the_split() {
        let text = r#"[ "]\"[\\", {"{":1}, "}"]"#;
        for split in 0..=text.len() {
            let (head, tail) = text.split_at(split);
            let mut brackets = Brackets::default();
            let mut found = Vec::new();
            for (fragment, start) in [(head, 0), (tail, split)] {
                let mut at = brackets.next(fragment, 0);
                while at < fragment.len() {
                    found.push(start + at);
                    at = brackets.next(fragment, at + 1);
                }
            }
            assert_eq!(found, [0, 12, 18, 24], "{split}");
        }
    }
}
