//! Lines of raw text, for diagnostics.

use json_chunks::Error;

/// Finds the line of a byte in the last fragment, without a copy of the text before it.
#[derive(Debug, Default)]
pub(super) struct TextPosition {
    /// The bytes and the line ends before the last fragment.
    bytes_before: usize,
    lines_before: u64,
    /// The last fragment: its size, and the offsets of its line ends from the start of the input.
    size: usize,
    line_ends: Vec<usize>,
    /// The first byte that is not white space.
    first: Option<u8>,
    /// At most two bytes.
    start: Vec<u8>,
}

impl TextPosition {
    /// Adds a fragment.
    pub(super) fn push(&mut self, fragment: &[u8]) {
        self.bytes_before += self.size;
        self.lines_before += self.line_ends.len() as u64;
        self.size = fragment.len();
        self.line_ends.clear();
        let start = self.bytes_before;
        let line_ends = fragment
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n');
        self.line_ends.extend(line_ends.map(|(at, _)| start + at));
        let missing = 2_usize.saturating_sub(self.start.len());
        self.start.extend(fragment.iter().take(missing));
        if self.first.is_none() {
            self.first = fragment.trim_ascii_start().first().copied();
        }
    }

    /// Returns the line of the byte at `offset` of the input, from 1.
    ///
    /// An error in a token that started in an earlier fragment may have an offset before the last
    /// one. It has the line in which the last fragment starts: no token contains a line end.
    fn line(&self, offset: usize) -> u64 {
        let line_ends = self.line_ends.partition_point(|at| *at < offset);
        1 + self.lines_before + line_ends as u64
    }

    /// Returns the line of an error at `offset` of the input.
    pub(super) fn line_of(&self, offset: usize, error: &Error) -> u64 {
        // Text that is cut off ends in the line of its last byte, even if that is a line end.
        let end = usize::from(error.is_incomplete());
        self.line(offset.saturating_sub(end))
    }

    /// Returns the first two bytes of the text, as far as they have arrived.
    pub(super) fn start(&self) -> &[u8] {
        &self.start
    }

    /// Returns the first byte of the text that is not white space.
    pub(super) fn first_byte(&self) -> Option<u8> {
        self.first
    }
}

#[cfg(test)]
mod tests {
    use super::TextPosition;

    #[test]
    fn line_of_byte_is_the_same_for_every_split() {
        let text = b"{\n\"a\":\r\n\n1}\n";
        for split in 0..=text.len() {
            let (left, right) = text.split_at(split);
            let mut position = TextPosition::default();
            position.push(left);
            position.push(right);
            for offset in split..=text.len() {
                let line = text[..offset].split(|byte| *byte == b'\n').count();
                assert_eq!(position.line(offset), line as u64, "{split} {offset}");
            }
        }
    }

    #[test]
    fn first_byte_is_found_after_white_space() {
        let mut position = TextPosition::default();
        position.push(b" \n");
        assert_eq!(position.first_byte(), None);
        position.push(b"\t[1");
        position.push(b"]");
        assert_eq!(position.first_byte(), Some(b'['));
    }
}
