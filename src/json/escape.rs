//! The meaning of a string's raw text: resolving escapes, comparing two spellings.
//!
//! All of this works on text that has passed [`string_end`](super::string_end).

use alloc::borrow::Cow;
use alloc::string::String;

use super::scan::skip_plain;

const REPLACEMENT: u32 = 0xFFFD;

/// The value of each hexadecimal digit, and 0xFF for other bytes.
const HEX: [u8; 256] = {
    let mut table = [0xFF; 256];
    let mut value = 0;
    while value < 16 {
        let digits = b"0123456789abcdef";
        table[digits[value] as usize] = value as u8;
        table[digits[value].to_ascii_uppercase() as usize] = value as u8;
        value += 1;
    }
    table
};

/// The code points of a string's raw text, each with the index after it. A surrogate pair is one
/// code point; a surrogate alone, which the grammar allows, is decoded to itself.
#[derive(Clone, Debug)]
struct CodePoints<'a> {
    raw: &'a str,
    at: usize,
}

impl CodePoints<'_> {
    /// Returns the code unit of the `\u` escape at `at`, if there is one.
    fn unicode_escape(&self, at: usize) -> Option<u32> {
        let escape = self.raw.as_bytes().get(at..at + 6)?;
        let digits = escape.strip_prefix(b"\\u")?;
        let [a, b, c, d] = *digits.first_chunk()?;
        let [a, b, c, d] = [a, b, c, d].map(|digit| u32::from(HEX[usize::from(digit)]));
        // A byte that is not a digit has all bits set; a digit has at most the lowest four.
        let is_valid = a | b | c | d < 0x10;
        is_valid.then_some(a << 12 | b << 8 | c << 4 | d)
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
                (0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) => (joined(unit, low), 12),
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

/// Returns the index in `raw` after the text of `prefix`, if `raw` starts with that text, whatever
/// the spelling of either. Linear in the length of `prefix`.
pub(crate) fn decoded_prefix(raw: &str, prefix: &str) -> Option<usize> {
    let mut points = CodePoints { raw, at: 0 };
    let mut end = 0;
    for (code, _) in (CodePoints { raw: prefix, at: 0 }) {
        let (same, after) = points.next()?;
        if same != code {
            return None;
        }
        end = after;
    }
    Some(end)
}

/// Returns the text of `raw` with its escapes resolved; a surrogate alone becomes U+FFFD. Borrowed
/// where there is no escape.
pub(crate) fn decode(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    decode_into(raw, &mut text);
    Cow::Owned(text)
}

/// Appends the text of `raw` with its escapes resolved. The runs between escapes are copied.
pub(crate) fn decode_into(raw: &str, text: &mut String) {
    let bytes = raw.as_bytes();
    let mut points = CodePoints { raw, at: 0 };
    loop {
        let run = points.at;
        points.at = skip_plain(bytes, run);
        text.push_str(raw.get(run..points.at).unwrap_or_default());
        let Some((code, _)) = points.next() else {
            return;
        };
        text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
}

/// Appends the text of the string whose content starts at `at`, in one pass over it, and returns
/// the index of its closing quote. Returns `None` if the text has no complete, valid string there;
/// discard the appended text then.
pub(crate) fn unescape_string(text: &str, at: usize, out: &mut String) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut run = at;
    loop {
        let end = skip_plain(bytes, run);
        out.push_str(text.get(run..end)?);
        let [b'\\', escape, ..] = *bytes.get(end..)? else {
            return (bytes.get(end) == Some(&b'"')).then_some(end);
        };
        run = end + 2;
        let byte = match escape {
            b'"' | b'\\' | b'/' => escape,
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 0x08,
            b'f' => 0x0C,
            b'u' => {
                let points = CodePoints { raw: text, at: end };
                let mut code = points.unicode_escape(end)?;
                run = end + 6;
                if let 0xD800..=0xDBFF = code
                    && let Some(low @ 0xDC00..=0xDFFF) = points.unicode_escape(run)
                {
                    code = joined(code, low);
                    run += 6;
                }
                out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                continue;
            }
            _ => return None,
        };
        out.push(char::from(byte));
    }
}

/// The code point of a surrogate pair.
const fn joined(high: u32, low: u32) -> u32 {
    0x10000 + ((high - 0xD800) << 10 | (low - 0xDC00))
}

/// Appends `text` as a string token.
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    // Every character that needs an escape is one byte long.
    while let Some(at) = rest
        .bytes()
        .position(|byte| byte < b' ' || byte == b'"' || byte == b'\\')
    {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = special.chars();
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

/// Returns how many bytes of the raw text of a growing string cannot change: all except U+FFFD and
/// half a surrogate pair at its end, which the next snapshot may replace by another character.
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

/// Returns whether the backslash at `at` is itself the second half of an escape.
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
    fn unescape_string_agrees_with_decode_on_every_prefix() {
        let raw = r#"plain é\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx\ude00\ud83d\u0041 end"#;
        for end in (0..=raw.len()).filter(|end| raw.is_char_boundary(*end)) {
            let (prefix, rest) = raw.split_at(end);
            let text = ["\"", prefix, "\"", rest].concat();
            let mut out = String::new();
            let close = unescape_string(&text, 1, &mut out);
            let expected = crate::json::string_end(text.as_bytes(), 1).ok();
            assert_eq!(close, expected.map(|(close, _)| close), "{text}");
            if let Some(close) = close {
                assert_eq!(
                    Some(&*out),
                    text.get(1..close).map(decode).as_deref(),
                    "{text}"
                );
            }
            assert_eq!(
                unescape_string(prefix, 0, &mut String::new()),
                None,
                "{prefix}"
            );
        }
        for invalid in [r#"\x""#, r#"\u12g4""#, "\n\"", r"\", "", r"\ud83d\ude0"] {
            assert_eq!(unescape_string(invalid, 0, &mut String::new()), None);
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
