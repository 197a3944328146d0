//! Characters that were split between two replies.
//!
//! In a reply of bytes, half a character at the end is held until the next reply has the other
//! half. In a reply that was decoded before, U+FFFD is in place of either half. It is held as well,
//! because the next reply may contain the complete character again.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::str;

use crate::json::is_partial_char;

/// What a decoder writes for half a character.
pub(crate) const LOST: char = char::REPLACEMENT_CHARACTER;

/// The part of the replies so far that is held after the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Held {
    #[default]
    Nothing,
    /// The first bytes of a character.
    Half(Vec<u8>),
    /// One U+FFFD.
    Lost,
}

/// A reply, decoded.
#[derive(Debug)]
pub(crate) struct DecodedReply<'a> {
    /// The end of a character that started in the previous reply.
    pub(crate) first: Vec<u8>,
    pub(crate) text: Cow<'a, str>,
    /// The start of a character that continues in the next reply.
    pub(crate) last: Vec<u8>,
    /// Whether there are invalid bytes between these.
    pub(crate) is_broken: bool,
}

impl<'a> DecodedReply<'a> {
    pub(crate) fn of_str(reply: &'a str) -> Self {
        Self {
            first: Vec::new(),
            text: Cow::Borrowed(reply),
            last: Vec::new(),
            is_broken: false,
        }
    }

    pub(crate) fn of_bytes(reply: &'a [u8]) -> Self {
        let continues = |byte: &&u8| matches!(**byte, 0x80..=0xBF);
        let first = reply.iter().take(3).take_while(continues).count();
        let (first, rest) = reply.split_at(first);
        let complete = match rest.utf8_chunks().last() {
            Some(chunk) if is_partial_char(chunk.invalid()) => rest.len() - chunk.invalid().len(),
            _ => rest.len(),
        };
        let (complete, last) = rest.split_at(complete);
        let text = String::from_utf8_lossy(complete);
        Self {
            first: first.to_vec(),
            is_broken: matches!(text, Cow::Owned(_)),
            text,
            last: last.to_vec(),
        }
    }
}

/// The character between the text and a reply that continues at the exact byte: U+FFFD if it is
/// damaged, because the halves do not fit. `skip` is the length of the U+FFFD that the reply has
/// for its half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CharFix {
    pub(crate) char: Option<char>,
    pub(crate) is_damaged: bool,
    pub(crate) skip: usize,
}

impl Held {
    /// Returns the held bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Nothing => &[],
            Self::Half(half) => half,
            Self::Lost => "\u{FFFD}".as_bytes(),
        }
    }

    /// Returns what is held as these bytes; `None` if they are not the start of a character.
    pub(crate) fn of_bytes(bytes: Vec<u8>) -> Option<Self> {
        if bytes.is_empty() {
            Some(Self::Nothing)
        } else if bytes == "\u{FFFD}".as_bytes() {
            Some(Self::Lost)
        } else {
            is_partial_char(&bytes).then_some(Self::Half(bytes))
        }
    }

    /// Returns the character at the cut, if the held bytes and `first` have to become one.
    pub(crate) fn fix(&self, first: &[u8], reply: &str) -> CharFix {
        let lost = reply.chars().take(3).take_while(|char| *char == LOST);
        let skip = lost.count() * LOST.len_utf8();
        let char = match self {
            Self::Nothing if first.is_empty() => return CharFix::default(),
            Self::Half(half) => {
                let bytes = [half, first].concat();
                str::from_utf8(&bytes).ok().and_then(|char| {
                    let mut chars = char.chars();
                    chars.next().filter(|_| chars.next().is_none())
                })
            }
            Self::Nothing | Self::Lost => None,
        };
        match char {
            Some(char) => CharFix {
                char: Some(char),
                is_damaged: false,
                skip: 0,
            },
            None => CharFix {
                char: Some(LOST),
                is_damaged: true,
                skip,
            },
        }
    }
}

/// Removes U+FFFD from the end of a string and returns it as held, if there is exactly one. Two or
/// more are content, because half a character is decoded as one.
pub(crate) fn take_lost(text: &mut String) -> Held {
    match text.strip_suffix(LOST) {
        Some(rest) if !rest.ends_with(LOST) => {
            text.truncate(rest.len());
            Held::Lost
        }
        _ => Held::Nothing,
    }
}
