//! The quotes of JSON, and those that texts use in their place.

/// A kind of quote around a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    /// `"`
    Double,
    /// `'`
    Single,
    /// A single backtick.
    Backtick,
    /// One of “ ” „ ‟.
    CurlyDouble,
    /// One of ‘ ’ ‚ ‛.
    CurlySingle,
    /// `""`, as in CSV.
    Doubled,
    /// `"""`, as in Python.
    Triple,
    /// `'''`
    TripleSingle,
    /// `"` after this many backslashes: 1, or 3 for a text that was escaped twice.
    Escaped(usize),
}

impl Quote {
    /// Returns the quote of one character at `at`.
    pub(super) fn at(bytes: &[u8], at: usize) -> Option<Self> {
        match bytes.get(at..)? {
            [b'"', ..] => Some(Self::Double),
            [b'\'', ..] => Some(Self::Single),
            [b'`', b'`', b'`', ..] => None,
            [b'`', ..] => Some(Self::Backtick),
            [0xE2, 0x80, 0x9C..=0x9F, ..] => Some(Self::CurlyDouble),
            [0xE2, 0x80, 0x98..=0x9B, ..] => Some(Self::CurlySingle),
            _ => None,
        }
    }

    /// Returns the quote that starts a string at `at`.
    pub(super) fn opening(bytes: &[u8], at: usize) -> Option<Self> {
        let rest = bytes.get(at..)?;
        // After two quotes: whether this is the content of a string, rather than what follows an
        // empty string.
        let is_content = |rest: &[u8]| match rest {
            []
            | [b',' | b':' | b';' | b'=' | b'+' | b'}' | b']' | b')', ..]
            | [b'/', b'/' | b'*', ..] => false,
            [first, ..] => !first.is_ascii_whitespace(),
        };
        match rest {
            [b'\\', ..] => {
                let slashes = run(rest, b'\\', 4);
                let quote = rest.get(slashes) == Some(&b'"');
                (quote && matches!(slashes, 1 | 3)).then_some(Self::Escaped(slashes))
            }
            [b'"', b'"', ..] => match (run(rest, b'"', 7), rest) {
                // `""b""`, but not the empty string in `"", "b"`.
                (2, [_, _, rest @ ..]) if is_content(rest) => Some(Self::Doubled),
                // `""""` is the empty string in doubled quotes.
                (4, [_, _, _, _, rest @ ..]) if !is_content(rest) => Some(Self::Doubled),
                (3.., [_, _, _, inside @ ..]) if find(inside, b"\"\"\"").is_some() => {
                    Some(Self::Triple)
                }
                _ => Some(Self::Double),
            },
            [b'\'', b'\'', b'\'', inside @ ..] if find(inside, b"'''").is_some() => {
                Some(Self::TripleSingle)
            }
            _ => Self::at(bytes, at),
        }
    }

    /// Returns the length of the opening quote, in bytes.
    pub(super) const fn len(self) -> usize {
        match self {
            Self::Double | Self::Single | Self::Backtick => 1,
            Self::Doubled => 2,
            Self::CurlyDouble | Self::CurlySingle | Self::Triple | Self::TripleSingle => 3,
            Self::Escaped(slashes) => slashes + 1,
        }
    }

    /// Returns the length of the quote at `at` if it may end a string that this quote starts.
    pub(super) fn end_at(self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = bytes.get(at..)?;
        match self {
            Self::Double | Self::Single | Self::Backtick => {
                (Self::at(bytes, at)? == self).then_some(1)
            }
            Self::CurlyDouble | Self::CurlySingle => {
                let quote = Self::at(bytes, at)?;
                self.is_ended_by(quote).then_some(quote.len())
            }
            // A single quote counts as well, because the second one may be missing.
            Self::Doubled => match rest {
                [b'"', b'"', ..] => Some(2),
                [b'"', ..] => Some(1),
                _ => None,
            },
            // Of four or five quotes the last three count: `"""say "it""""`. Six are the end of
            // this string and the start of the next.
            Self::Triple => matches!(run(rest, b'"', 6), 3 | 6).then_some(3),
            Self::TripleSingle => matches!(run(rest, b'\'', 6), 3 | 6).then_some(3),
            Self::Escaped(slashes) => match rest {
                [b'"', ..] => Some(1),
                _ if run(rest, b'\\', slashes + 1) == slashes
                    && rest.get(slashes) == Some(&b'"') =>
                {
                    Some(slashes + 1)
                }
                _ => None,
            },
        }
    }

    fn is_ended_by(self, other: Self) -> bool {
        self == other
            || matches!(
                (self, other),
                (Self::CurlyDouble, Self::Double) | (Self::CurlySingle, Self::Single)
            )
    }

    /// Returns whether this kind is used in pairs around a word, unlike apostrophes.
    pub(super) const fn comes_in_pairs(self) -> bool {
        matches!(self, Self::Double | Self::CurlyDouble)
    }
}

/// Returns how often `byte` is repeated at the start, at most `most` times.
fn run(rest: &[u8], byte: u8, most: usize) -> usize {
    let rest = rest.iter().take(most);
    rest.take_while(|other| **other == byte).count()
}

/// Returns the offset of the first occurrence of `part`.
pub(super) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}
