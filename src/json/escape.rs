//! What the raw text of a string says: its escapes resolved, two spellings compared.
//!
//! All of this works on text that has passed [`string_end`](super::string_end).

use alloc::borrow::Cow;
use alloc::string::String;

const REPLACEMENT: u32 = 0xFFFD;

/// The code points of a string's raw text, each with the index behind it. A surrogate pair is one
/// code point; a surrogate alone, which the grammar allows, stands for itself.
#[derive(Clone, Debug)]
struct CodePoints<'a> {
    raw: &'a str,
    at: usize,
}

impl CodePoints<'_> {
    /// The code unit of the `\u` escape at `at`, if there is one.
    fn unicode_escape(&self, at: usize) -> Option<u32> {
        let escape = self.raw.as_bytes().get(at..at + 6)?;
        let digits = escape.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |unit, digit| {
            Some(unit << 4 | char::from(*digit).to_digit(16)?)
        })
    }
}

impl Iterator for CodePoints<'_> {
    type Item = (u32, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.raw.as_bytes();
        let (code, len) = if *bytes.get(self.at)? != b'\\' {
            let char = self.raw.get(self.at..)?.chars().next()?;
            (u32::from(char), char.len_utf8())
        } else if let Some(unit) = self.unicode_escape(self.at) {
            match (unit, self.unicode_escape(self.at + 6)) {
                (0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) => {
                    (0x10000 + ((unit - 0xD800) << 10 | (low - 0xDC00)), 12)
                }
                _ => (unit, 6),
            }
        } else {
            let byte = match *bytes.get(self.at + 1)? {
                b'b' => 0x08,
                b'f' => 0x0C,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                itself => itself,
            };
            (u32::from(byte), 2)
        };
        self.at += len;
        Some((code, self.at))
    }
}

/// Where in `raw` the text ends that `prefix` says, if `raw` says that and then perhaps more,
/// whatever the spelling of either. Linear in the length of `prefix`.
pub(crate) fn decoded_prefix(raw: &str, prefix: &str) -> Option<usize> {
    let mut points = CodePoints { raw, at: 0 };
    let mut end = 0;
    for (code, _) in (CodePoints { raw: prefix, at: 0 }) {
        let (same, behind) = points.next()?;
        if same != code {
            return None;
        }
        end = behind;
    }
    Some(end)
}

/// What `raw` says; a surrogate alone becomes U+FFFD. Borrowed where there is no escape.
pub(crate) fn decode(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    text.extend(
        (CodePoints { raw, at: 0 })
            .map(|(code, _)| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)),
    );
    Cow::Owned(text)
}

/// Appends a string token that says `text`.
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    // Whatever needs an escape is one byte long.
    while let Some(at) = rest
        .bytes()
        .position(|byte| byte < b' ' || byte == b'"' || byte == b'\\')
    {
        let (plain, behind) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = behind.chars();
        match chars.next() {
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some(special @ ('"' | '\\')) => out.extend(['\\', special]),
            Some(control) => {
                let digit = |n| char::from_digit(n, 16).unwrap_or_default();
                let code = u32::from(control);
                out.push_str("\\u00");
                out.extend([digit(code >> 4), digit(code & 15)]);
            }
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// How much of the raw text of a growing string is sure to stay: all but U+FFFD and half
/// surrogate pairs at its very end, which the next snapshot may complete to another character.
pub(crate) fn stable_len(raw: &str) -> usize {
    let mut len = raw.len();
    loop {
        let Some(head) = raw.get(..len) else {
            return len;
        };
        if let Some(shorter) = head.strip_suffix(char::REPLACEMENT_CHARACTER) {
            len = shorter.len();
            continue;
        }
        let Some(start) = len.checked_sub(6) else {
            return len;
        };
        match (CodePoints { raw: head, at: 0 }).unicode_escape(start) {
            Some(0xD800..=0xDBFF | REPLACEMENT) if !is_escaped(head.as_bytes(), start) => {
                len = start;
            }
            _ => return len,
        }
    }
}

/// Whether the backslash at `at` is itself the second half of an escape.
fn is_escaped(raw: &[u8], at: usize) -> bool {
    let backslashes = raw[..at].iter().rev().take_while(|byte| **byte == b'\\');
    backslashes.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decode_resolves_every_escape() {
        for (raw, text) in [
            ("plain", "plain"),
            (r#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t"),
            (r"\u00e9\u00E9é", "ééé"),
            (r"\ud83d\ude00", "😀"),
            (r"\ud83d", "\u{FFFD}"),
            (r"\ude00\ud83dx", "\u{FFFD}\u{FFFD}x"),
            (r"\\ud83d", "\\ud83d"),
        ] {
            assert_eq!(decode(raw), text, "{raw}");
        }
    }

    #[test]
    fn what_is_written_reads_the_same() {
        let mut text: String = (0..0x80).map(char::from).collect();
        text.push_str("é\u{2028}😀\"");
        let mut token = String::new();
        write_string(&text, &mut token);
        assert_eq!(serde_json::from_str::<String>(&token).unwrap(), text);
        assert!(
            token.starts_with(r#""\u0000\u0001"#) && token.contains(r"\t\n\u000b\u000c\r\u000e")
        );
    }

    #[test]
    fn decoded_prefix_sees_through_spelling() {
        for (raw, prefix, end) in [
            ("abc", "ab", Some(2)),
            ("abc", "", Some(0)),
            ("abc", "abc", Some(3)),
            ("abc", "abd", None),
            ("ab", "abc", None),
            (r"\u00e9t\u00e9", "ét", Some(7)),
            ("été", r"\u00E9t", Some(3)),
            (r"a\/b", "a/", Some(3)),
            (r"\ud83d\ude00!", "😀", Some(12)),
            (r"\ud83d\ude00!", r"\ud83d", None),
        ] {
            assert_eq!(decoded_prefix(raw, prefix), end, "{raw} {prefix}");
        }
    }

    #[test]
    fn stable_len_holds_back_halves() {
        for (raw, stable) in [
            ("", ""),
            ("abc", "abc"),
            ("abc\u{FFFD}", "abc"),
            ("a\u{FFFD}b", "a\u{FFFD}b"),
            ("\u{FFFD}\u{FFFD}", ""),
            (r"a\ufffd\uFFFD", "a"),
            (r"a\ud83d", "a"),
            (r"a\uD83D", "a"),
            (r"a\ude00", r"a\ude00"),
            (r"a\ud83d\ude00", r"a\ud83d\ude00"),
            (r"a\\ud83d", r"a\\ud83d"),
            (r"a\\\ud83d", r"a\\"),
        ] {
            assert_eq!(raw.get(..stable_len(raw)), Some(stable), "{raw}");
        }
    }
}
