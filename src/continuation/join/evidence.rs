//! Decides whether a match is evidence for an overlap, or may be accidental.
//!
//! A reply that continues at the exact byte matches the end of the text by accident only if the
//! document contains the same text twice in a row at the cut. In 46,546 exact cuts of captured
//! documents no accidental match was longer than three bytes; in repetitive documents there is no
//! bound. So the length of a match matters less than whether the document repeats itself.

use super::normalize::{Pattern, QuoteState, Tail};

/// Matches of fewer bytes are never evidence.
pub(crate) const SHORT: usize = 8;
/// Matches of this many bytes are evidence however often the text occurs.
const LONG: usize = 32;
/// The same for text that occurs once, in a document that repeats words.
const LONG_UNIQUE: usize = 20;
/// The same for text that may be complete elements.
const LONG_ELEMENTS: usize = 64;
/// Two different strings have fewer equal bytes at their end.
const LEAST_TEXT: usize = 3;
/// Shorter words do not count as repeated: `1.1`, `no no`.
const WORD: usize = 3;

/// Returns whether a match of the first `len` bytes of the reply with the end of the text is
/// evidence for an overlap. `shorter` are the lengths of the shorter matches.
///
/// | match | document | evidence | because |
/// | --- | --- | --- | --- |
/// | `of the` | any | no | it has fewer than 8 bytes |
/// | `Serengeti` | never repeats a word directly | yes | it would be the first repetition |
/// | `three three ` | repeats words directly | no | it may follow once more |
/// | `of the Ngorongoro Crater` | repeats words, but not this | yes | it occurs only once |
/// | `ha ha ha ha ` | any | no | it is periodic |
/// | a line of a song | has a line twice in a row | no | this line may follow once more |
///
/// Cost: linear in the searched text and the reply.
pub(crate) fn is_evident(tail: &Tail, pattern: &Pattern, len: usize, shorter: &[usize]) -> bool {
    if len < SHORT || is_periodic(tail, pattern, len, shorter) {
        return false;
    }
    if may_be_elements(tail, len) {
        return len >= LONG_ELEMENTS;
    }
    if len >= LONG {
        return true;
    }
    let (text, reply) = (&*tail.bytes, &*pattern.bytes);
    if has_square(text, len) || has_square(reply, len) {
        return false;
    }
    let occurs = |bytes: &[u8], most: usize| {
        let word = reply.get(..len).unwrap_or_default();
        bytes
            .windows(len)
            .filter(|window| *window == word)
            .nth(most)
            .is_some()
    };
    // The match itself is one occurrence, at the end of the text and at the start of the reply.
    let is_unique = || !occurs(text, 1) && !occurs(reply, 1);
    let repeats_words = repeats_a_word(text) || repeats_a_word(reply);
    !repeats_words || (len >= LONG_UNIQUE && is_unique())
}

/// Returns whether the last `len` bytes of the text may be complete elements, from any place in one
/// to the same place in the next. Equal elements often follow each other, so they are weak
/// evidence.
///
/// | text ends in | may be | because |
/// | --- | --- | --- |
/// | `ocal mark` | no | all of it is in a string |
/// | `es":[{"t` | no | the nesting is deeper at its end |
/// | `"x", 1], [` | yes | the nesting is the same |
/// | `life."},{"type":"Foo` | no | it starts with the end of a different string |
///
/// In the last row the first string does not start with `Foo`, so the two strings differ, and
/// different strings do not have the same end by accident.
fn may_be_elements(tail: &Tail, len: usize) -> bool {
    let start = tail.len().saturating_sub(len);
    let outside = |at: &usize| !tail.place(*at).is_some_and(QuoteState::is_in_string);
    let mut depth = 0_i32;
    let mut last_outside = None;
    for at in (start..tail.len()).filter(outside) {
        match tail.bytes.get(at) {
            Some(b'{' | b'[') => depth += 1,
            Some(b'}' | b']') => depth -= 1,
            _ => {}
        }
        last_outside = Some(at);
    }
    let Some(last_outside) = last_outside else {
        return false;
    };
    // The length of the open string at the end of the text, without its quote; and of the part of
    // the string before it that the reply contains.
    let begun = tail.len() - (last_outside + 1);
    let ended = (start..tail.len()).take_while(|at| !outside(at)).count();
    let is_other_string = ended >= LEAST_TEXT && begun > 0 && tail.repeats(len, len) <= begun;
    depth == 0 && !is_other_string
}

/// Returns whether the match is part of a longer periodic text, whose period is the difference to a
/// shorter match: `ha ha ` in `ha ha ha ha `. Then the match may be longer than the overlap.
fn is_periodic(tail: &Tail, pattern: &Pattern, len: usize, shorter: &[usize]) -> bool {
    shorter.iter().chain(&[0]).any(|shorter| {
        let period = len - shorter;
        shorter + tail.repeats(len, period) + pattern.repeats(len, period) > period / 2
    })
}

/// Returns whether two equal pieces of this length are next to each other.
fn has_square(bytes: &[u8], len: usize) -> bool {
    let mut run = 0;
    bytes
        .iter()
        .zip(bytes.iter().skip(len))
        .any(|(one, other)| {
            run = if one == other { run + 1 } else { 0 };
            run == len
        })
}

/// Returns whether a word is followed by the same word.
fn repeats_a_word(bytes: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
    let words = bytes.split(|byte| !is_word(byte));
    let mut words = words.filter(|word| !word.is_empty());
    let Some(mut last) = words.next() else {
        return false;
    };
    words.any(|word| {
        let repeated = word == last && word.len() >= WORD;
        last = word;
        repeated
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_equal_pieces_are_found() {
        for (text, len, expected) in [
            ("abcabc", 3, true),
            ("xabcabcx", 3, true),
            ("abcab", 3, false),
            ("aaaa", 2, true),
            ("abcdabce", 4, false),
            ("", 1, false),
        ] {
            assert_eq!(has_square(text.as_bytes(), len), expected, "{text} {len}");
        }
    }

    #[test]
    fn repeated_words_are_found() {
        for (text, expected) in [
            ("row, row", true),
            ("1.1, no no", false),
            ("gently, gently down", true),
            ("[\"true\",\"true\"]", true),
            ("gently down gently", false),
        ] {
            assert_eq!(repeats_a_word(text.as_bytes()), expected, "{text}");
        }
    }
}
