//! Characters that a cut goes through.
//!
//! Of a reply in bytes, half a character at its end waits for the other half at the start of the
//! next. Of a reply that somebody has decoded before, there is U+FFFD in the place of either half:
//! that waits, too, because the next reply may have the whole character again.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::str;

pub(super) const LOST: char = char::REPLACEMENT_CHARACTER;

/// What of the replies so far waits behind the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Held {
    #[default]
    Nothing,
    /// The first bytes of a character.
    Half(Vec<u8>),
    /// One U+FFFD.
    Lost,
}

/// A reply, decoded.
#[derive(Debug)]
pub(super) struct Decoded<'a> {
    /// The end of a character that has begun before.
    pub(super) first: Vec<u8>,
    pub(super) text: Cow<'a, str>,
    /// The start of a character.
    pub(super) last: Vec<u8>,
    /// Whether there are wrong bytes in between.
    pub(super) is_broken: bool,
}

impl<'a> Decoded<'a> {
    pub(super) fn of_str(reply: &'a str) -> Self {
        Self {
            first: Vec::new(),
            text: Cow::Borrowed(reply),
            last: Vec::new(),
            is_broken: false,
        }
    }

    pub(super) fn of_bytes(reply: &'a [u8]) -> Self {
        let continues = |byte: &&u8| matches!(**byte, 0x80..=0xBF);
        let first = reply.iter().take(3).take_while(continues).count();
        let (first, rest) = reply.split_at(first);
        let whole = match rest.utf8_chunks().last() {
            Some(chunk) if is_half(chunk.invalid()) => rest.len() - chunk.invalid().len(),
            _ => rest.len(),
        };
        let (whole, last) = rest.split_at(whole);
        let text = String::from_utf8_lossy(whole);
        Self {
            first: first.to_vec(),
            is_broken: matches!(text, Cow::Owned(_)),
            text,
            last: last.to_vec(),
        }
    }
}

fn is_half(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// What stands between the text and a reply that goes on right behind it: the character, if there
/// is one, whether it is not what was cut, and how many bytes of the reply are in its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mend {
    pub(super) char: Option<char>,
    pub(super) is_damaged: bool,
    pub(super) skip: usize,
}

impl Held {
    /// The bytes that wait.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Nothing => &[],
            Self::Half(half) => half,
            Self::Lost => "\u{FFFD}".as_bytes(),
        }
    }

    /// What waits as these bytes, if they may.
    pub(super) fn of_bytes(bytes: Vec<u8>) -> Option<Self> {
        if bytes.is_empty() {
            Some(Self::Nothing)
        } else if bytes == "\u{FFFD}".as_bytes() {
            Some(Self::Lost)
        } else {
            is_half(&bytes).then_some(Self::Half(bytes))
        }
    }

    /// How the text goes on where it was cut.
    pub(super) fn mend(&self, first: &[u8], reply: &str) -> Mend {
        let lost = reply.chars().take(3).take_while(|char| *char == LOST);
        let skip = lost.count() * LOST.len_utf8();
        let char = match self {
            Self::Nothing if first.is_empty() => return Mend::default(),
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
            Some(char) => Mend {
                char: Some(char),
                is_damaged: false,
                skip: 0,
            },
            None => Mend {
                char: Some(LOST),
                is_damaged: true,
                skip,
            },
        }
    }
}

/// Takes U+FFFD off the end of a string, if it is one and no more.
pub(super) fn take_lost(text: &mut String) -> Held {
    match text.strip_suffix(LOST) {
        Some(rest) if !rest.ends_with(LOST) => {
            text.truncate(rest.len());
            Held::Lost
        }
        _ => Held::Nothing,
    }
}
