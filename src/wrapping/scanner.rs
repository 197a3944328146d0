//! The resumable scanner for markers.

use super::Context;
use super::marker::{Fence, Language, TAGS, Tag};

/// A longer run of backticks is not a fence.
pub(super) const LONGEST_FENCE: usize = 64;
/// The longest name of a language, and the most spaces after it, in bytes.
pub(super) const LONGEST_INFO: usize = 32;

/// The start of a text, classified by a [`Scanner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scan {
    /// Content of the current context, with its length.
    Content(usize),
    /// A marker, with its length. The context of the scanner is now the one after it.
    Marker(usize),
    /// A byte at which the caller wants to stop.
    Stop,
    /// A prefix of a marker: more text is needed.
    NeedMore,
}

/// The place of a scanner in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinePlace {
    /// At the start of the text or of a line, or first after a marker.
    Own,
    /// After a colon on the same line: `The answer: `.
    AfterColon,
    /// After anything else on the same line.
    Inline,
}

/// Divides a text that arrives in pieces into markers and content.
#[derive(Clone, Debug)]
pub(crate) struct Scanner {
    context: Context,
    /// The current line contains only spaces so far.
    at_line_start: bool,
    /// The content since the last marker contains no bracket and no quote.
    words_only: bool,
    /// The caller reads the JSON itself.
    outside_json: bool,
    /// The last byte of the content that is not white space; 0 if there is none.
    last_solid: u8,
    /// The last byte of the content.
    last: u8,
    /// The last marker, if it was a tag.
    pub(super) tag: Option<Tag>,
}

/// A possible marker at the start of the text, with its length.
enum Recognized {
    No,
    /// More text is needed.
    Unknown,
    Fence(Fence, usize),
    Tag(Tag, usize),
}

impl Scanner {
    /// Returns a scanner at the start of a text, for a caller that passes all of it.
    pub(crate) const fn new() -> Self {
        Self {
            context: Context::Text,
            at_line_start: true,
            words_only: true,
            outside_json: false,
            last_solid: 0,
            last: 0,
            tag: None,
        }
    }

    /// Returns a scanner for a caller that reads the JSON itself. The text starts in `context`.
    pub(crate) const fn outside_json(context: Context) -> Self {
        Self {
            context,
            outside_json: true,
            ..Self::new()
        }
    }

    /// Returns the context of the content after this place.
    pub(crate) const fn context(&self) -> Context {
        self.context
    }

    /// Returns whether there was only white space since the start or the last marker.
    pub(crate) const fn is_first(&self) -> bool {
        self.last_solid == 0
    }

    /// Returns whether an ASCII word or a closing parenthesis directly precedes.
    pub(crate) const fn is_in_word(&self) -> bool {
        self.last.is_ascii_alphanumeric() || matches!(self.last, b'_' | b')')
    }

    /// Returns the place of the scanner in the text.
    pub(crate) const fn place(&self) -> LinePlace {
        match self.last_solid {
            _ if self.at_line_start => LinePlace::Own,
            0 => LinePlace::Own,
            b':' => LinePlace::AfterColon,
            _ => LinePlace::Inline,
        }
    }

    /// Scans the start of `rest`, the text after the part that was scanned before. `is_end` says
    /// that no more text follows.
    ///
    /// The cost is linear in the returned length, plus a bounded lookahead.
    pub(crate) fn scan(&mut self, rest: &[u8], is_end: bool) -> Scan {
        self.scan_until(rest, is_end, |_| false)
    }

    /// Scans like [`scan`](Self::scan), up to a byte for which `stops` is true and that starts no
    /// marker. To continue after it, [`pass`](Self::pass) it.
    pub(crate) fn scan_until(
        &mut self,
        rest: &[u8],
        is_end: bool,
        stops: impl Fn(u8) -> bool,
    ) -> Scan {
        let mut at = 0;
        while let Some(&byte) = rest.get(at) {
            let ahead = rest.get(at..).unwrap_or_default();
            match self.recognize(byte, ahead, is_end) {
                Recognized::No if stops(byte) => {
                    return match at {
                        0 => Scan::Stop,
                        _ => Scan::Content(at),
                    };
                }
                Recognized::No => {
                    self.pass(byte);
                    at += 1;
                }
                _ if at > 0 => return Scan::Content(at),
                Recognized::Unknown => return Scan::NeedMore,
                Recognized::Fence(fence, len) => {
                    self.enter(match self.context {
                        Context::Fenced(open) if fence.closes(open) => Context::Text,
                        _ => Context::Fenced(fence),
                    });
                    let marker = rest.get(..len).unwrap_or_default();
                    self.at_line_start = marker.ends_with(b"\n");
                    return Scan::Marker(len);
                }
                Recognized::Tag(tag, len) => {
                    self.enter(match tag {
                        Tag::ReasoningStart => Context::Reasoning,
                        Tag::CallStart => Context::Call,
                        Tag::ReasoningEnd | Tag::End => Context::Text,
                    });
                    self.tag = Some(tag);
                    return Scan::Marker(len);
                }
            }
        }
        if at > 0 {
            Scan::Content(at)
        } else {
            Scan::NeedMore
        }
    }

    fn enter(&mut self, context: Context) {
        self.context = context;
        self.at_line_start = false;
        self.words_only = true;
        self.last_solid = 0;
        self.last = 0;
        self.tag = None;
    }

    /// Continues after this byte of the content.
    pub(crate) fn pass(&mut self, byte: u8) {
        self.last = byte;
        match byte {
            b'\n' => self.at_line_start = true,
            b' ' | b'\t' | b'\r' => {}
            _ => {
                self.at_line_start = false;
                self.last_solid = byte;
                self.words_only &=
                    self.outside_json || !matches!(byte, b'{' | b'}' | b'[' | b']' | b'"');
            }
        }
    }

    /// Returns whether a marker starts at `ahead`, which is between two tokens of the JSON that the
    /// caller reads. JSON has no such byte there, so the JSON ends here. `None` if more text is
    /// needed.
    pub(crate) fn is_cut(&mut self, ahead: &[u8], is_end: bool) -> Option<bool> {
        let words_only = core::mem::replace(&mut self.words_only, false);
        let first = ahead.first().copied().unwrap_or_default();
        let recognized = self.recognize(first, ahead, is_end);
        self.words_only = words_only;
        match recognized {
            Recognized::No => Some(false),
            Recognized::Unknown => None,
            Recognized::Fence(..) | Recognized::Tag(..) => Some(true),
        }
    }

    fn recognize(&self, byte: u8, ahead: &[u8], is_end: bool) -> Recognized {
        match byte {
            // Only the start of a run may be a fence.
            b'`' | b'~' if byte != self.last => self.fence(byte, ahead, is_end),
            b'<' | b'[' => self.tag(ahead, is_end),
            _ => Recognized::No,
        }
    }

    /// Returns whether the last byte that is not white space is a closing bracket.
    const fn is_after_closer(&self) -> bool {
        matches!(self.last_solid, b'}' | b']')
    }

    fn fence(&self, mark: u8, ahead: &[u8], is_end: bool) -> Recognized {
        let len = ahead.iter().take(LONGEST_FENCE + 1);
        let len = len.take_while(|byte| **byte == mark).count();
        let is_cut = |at: usize| at == ahead.len();
        if len > LONGEST_FENCE || (len < 3 && !is_cut(len)) {
            return Recognized::No;
        }
        let inside = self.words_only || self.is_after_closer();
        let here = self.at_line_start || (mark == b'`' && inside);
        if !here || self.context == Context::Reasoning {
            // The entire run is needed nevertheless, because its rest is not a fence.
            return if is_cut(len) && !is_end {
                Recognized::Unknown
            } else {
                Recognized::No
            };
        }
        let rest = ahead.get(len..).unwrap_or_default();
        let is_info = |byte: &&u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b'.' | b'/')
        };
        let info = rest.iter().take(LONGEST_INFO + 1).take_while(is_info);
        let info = rest.get(..info.count()).unwrap_or_default();
        let rest = rest.get(info.len()..).unwrap_or_default();
        let blank = rest.iter().take(LONGEST_INFO + 1);
        let blank = blank.take_while(|byte| matches!(byte, b' ' | b'\t'));
        let blank = blank.count();
        if info.len() > LONGEST_INFO || blank > LONGEST_INFO {
            return Recognized::No;
        }
        let end = len + info.len() + blank;
        let fence = Fence {
            mark,
            len,
            language: Language::of(info),
        };
        match ahead.get(end..).unwrap_or_default() {
            [] | [b'\r'] if !is_end => Recognized::Unknown,
            // `␊``` ` at the end of a truncated reply is a fence. After words or a bracket it may
            // be in a truncated string: `{"a": "{x}``` `.
            [] | [b'\r'] if len >= 3 && self.at_line_start => Recognized::Fence(fence, ahead.len()),
            [b'\n', ..] => Recognized::Fence(fence, end + 1),
            [b'\r', b'\n', ..] => Recognized::Fence(fence, end + 2),
            // ```` ```{"a": 1}``` ````, ```` ```json {"a": 1} ``` ````: a fence on one line.
            [b'{' | b'[', ..] if self.words_only => Recognized::Fence(fence, end),
            // ```` ```json , 3]} ``` ````: the same with the rest of a document.
            [b'}' | b']' | b',' | b':' | b'"', ..]
                if self.words_only && fence.language == Language::Json =>
            {
                Recognized::Fence(fence, end)
            }
            _ => Recognized::No,
        }
    }

    fn tag(&self, ahead: &[u8], is_end: bool) -> Recognized {
        let counts = |tag: Tag| {
            let is_end_tag = tag == Tag::End;
            if self.context == Context::Reasoning {
                tag == Tag::ReasoningEnd
            } else {
                self.at_line_start || self.words_only || (self.is_after_closer() && is_end_tag)
            }
        };
        for (text, tag) in TAGS.iter().copied().filter(|(_, tag)| counts(*tag)) {
            if ahead.starts_with(text) {
                return Recognized::Tag(tag, text.len());
            }
            if !is_end && text.starts_with(ahead) {
                return Recognized::Unknown;
            }
        }
        Recognized::No
    }
}
