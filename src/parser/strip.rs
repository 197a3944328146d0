//! Control characters that the grammar does not allow.

use alloc::vec::Vec;

/// Rewrites the control characters U+0000 to U+001F that the grammar does not allow, fragment by
/// fragment.
///
/// In a string, newline, carriage return and tab are content that a model forgot to escape, so
/// they become `\n`, `\r` and `\t`. All others are removed, in strings and between tokens; white
/// space between tokens stays as it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strip {
    position: Position,
}

/// Where the next byte is.
#[derive(Clone, Copy, Debug, Default)]
enum Position {
    #[default]
    Outside,
    InString,
    /// After a backslash in a string.
    Escape,
    /// In a `\u` escape, with the number of digits that are missing.
    Digits(u8),
}

impl Strip {
    /// Returns what the document gets of a fragment.
    pub(super) fn strip(&mut self, fragment: &[u8]) -> Vec<u8> {
        let mut clean = Vec::with_capacity(fragment.len());
        for &byte in fragment {
            if byte < b' ' {
                self.control(byte, &mut clean);
            } else {
                self.position = self.position.after(byte);
                clean.push(byte);
            }
        }
        clean
    }

    fn control(&mut self, byte: u8, clean: &mut Vec<u8>) {
        let letter = match byte {
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            _ => return,
        };
        match self.position {
            // `[1,\n2]`: white space.
            Position::Outside => clean.push(byte),
            // `"a\nb"` with a line feed: content, because a model means a new line there.
            Position::InString => clean.extend([b'\\', letter]),
            // `"a\` and a line feed: an escaped line feed. The backslash may have been passed on
            // with the last fragment, so it becomes that of the escape.
            Position::Escape => {
                clean.push(letter);
                self.position = Position::InString;
            }
            // `"\u00` and a line feed and `e9"`: no content can be inside of an escape, so this
            // is a line break that was put into the text.
            Position::Digits(_) => {}
        }
    }
}

impl Position {
    /// Where the byte after this one is, which is no control character.
    const fn after(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Outside, b'"') => Self::InString,
            (Self::Escape, b'u') => Self::Digits(4),
            (Self::Digits(missing @ 2..), b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => {
                Self::Digits(missing - 1)
            }
            // A wrong digit is an error that the lexer reports, so it does not matter what follows.
            (Self::InString | Self::Digits(_), b'"') | (Self::Outside, _) => Self::Outside,
            (Self::InString, b'\\') => Self::Escape,
            (Self::InString | Self::Escape | Self::Digits(_), _) => Self::InString,
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn strip_of_every_split_is_the_same() {
        let dirty = b"\x00{\n\"a\x01\\\x02\"b\n\t\\\r\" :\x1f\r[1\x0b,\"\\u0\n0\x04e9\r\"\t]}";
        let clean = b"{\n\"a\\\"b\\n\\t\\r\" :\r[1,\"\\u00e9\\r\"\t]}";
        for split in 0..=dirty.len() {
            let mut strip = Strip::default();
            let mut text = strip.strip(&dirty[..split]);
            text.extend(strip.strip(&dirty[split..]));
            assert_eq!(
                text.escape_ascii().to_string(),
                clean.escape_ascii().to_string()
            );
        }
    }
}
