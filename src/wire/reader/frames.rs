//! Splits bytes into frames: server-sent events (WHATWG HTML, section 9.2), and lines of JSON.
//!
//! | the line | example | is |
//! | --- | --- | --- |
//! | empty | `` | the end of an event |
//! | a field `data` | `data: {"a":1}` | a line of the data of the event |
//! | starts with `{` | `{"a":1}` | a frame (NDJSON) |
//! | anything else | `: ping`, `event: x` | ignored: the data has its type as well |

use alloc::vec::Vec;

use crate::error::{Error, Reason};
use crate::json::BYTE_ORDER_MARK;

/// The data of a frame.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) data: Vec<u8>,
    /// Where it starts in the body.
    pub(super) offset: usize,
}

/// The part of a frame that has been received.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    /// The incomplete line.
    line: Vec<u8>,
    /// Where it starts in the body.
    line_start: usize,
    /// The data of the incomplete event, and where it starts.
    data: Option<(Vec<u8>, usize)>,
    /// The number of bytes that have been read.
    read: usize,
    /// The last byte was a carriage return, which a line feed may belong to.
    after_return: bool,
}

impl Frames {
    /// Returns the offset in the body up to which it has been read.
    pub(super) const fn offset(&self) -> usize {
        self.read
    }

    /// Reads the next frame, and shortens `bytes` by what was read. A frame has at most `limit`
    /// bytes; after a larger one nothing can be read.
    pub(super) fn next(&mut self, bytes: &mut &[u8], limit: usize) -> Option<Result<Line, Error>> {
        while let Some(&first) = bytes.first() {
            if core::mem::take(&mut self.after_return) && first == b'\n' {
                *bytes = bytes.get(1..).unwrap_or_default();
                self.read += 1;
                self.line_start = self.read;
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (line, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            self.read += line.len();
            let size = self.line.len() + line.len() + self.data.as_ref().map_or(0, |it| it.0.len());
            if size > limit {
                let reason = Reason::DocumentTooLarge(limit as u32);
                return Some(Err(Error::new(reason, self.line_start)));
            }
            self.line.extend_from_slice(line);
            *bytes = rest;
            end?;
            let start = self.line_start;
            let mut line = core::mem::take(&mut self.line);
            self.end_line(bytes);
            let frame = self.field(&line, start);
            // The next line reuses the allocation.
            line.clear();
            self.line = line;
            if let Some(frame) = frame {
                return Some(Ok(frame));
            }
        }
        None
    }

    /// Returns the frame that the body ends in, which has no blank line after it.
    pub(super) fn finish(&mut self) -> Option<Line> {
        let line = core::mem::take(&mut self.line);
        let start = self.line_start;
        self.line_start = self.read;
        let frame = self.field(&line, start);
        frame.or_else(|| self.take_data())
    }

    /// Reads the byte that ends a line.
    fn end_line(&mut self, bytes: &mut &[u8]) {
        self.after_return = bytes.first() == Some(&b'\r');
        *bytes = bytes.get(1..).unwrap_or_default();
        self.read += 1;
        self.line_start = self.read;
    }

    /// Reads a complete line.
    fn field(&mut self, line: &[u8], start: usize) -> Option<Line> {
        let mark = if start == 0 && line.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len()
        } else {
            0
        };
        let text = line.get(mark..).unwrap_or_default();
        if text.is_empty() {
            return self.take_data();
        }
        if text.starts_with(b"{") {
            let offset = start + mark;
            return Some(Line {
                data: text.into(),
                offset,
            });
        }
        if let Some(value) = text.strip_prefix(b"data:") {
            let value = value.strip_prefix(b" ").unwrap_or(value);
            let offset = start + line.len() - value.len();
            match &mut self.data {
                Some((data, _)) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => self.data = Some((value.into(), offset)),
            }
        }
        None
    }

    fn take_data(&mut self) -> Option<Line> {
        let (data, offset) = self.data.take()?;
        (!data.is_empty()).then_some(Line { data, offset })
    }
}
