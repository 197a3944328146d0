//! Random documents, and their snapshots while a model writes them.
//!
//! The progress is a number of steps: every value and every character takes one. A snapshot is the
//! document after some number of steps.

use json_chunks_testing::byte_source::{ByteSource, SeededRng};
use json_chunks_testing::json::{
    Json, REPLACEMENT, Text, is_high_surrogate, is_low_surrogate, text,
};

/// The behavior of a producer.
#[derive(Clone, Copy)]
pub(crate) struct Writing {
    /// The seed of the order in which members are written; 0 for the order of the snapshots.
    order: u8,
    /// Numbers grow digit by digit.
    pub(crate) growing_numbers: bool,
    /// Members that are not written yet are null.
    pub(crate) null_filled: bool,
}

/// What a decoder shows for an incomplete character.
#[derive(Clone, Copy)]
enum Half {
    Nothing,
    /// This many U+FFFD.
    Replacement(usize),
    /// The first half of a surrogate pair.
    Surrogate,
}

impl Writing {
    pub(crate) fn of(source: &mut ByteSource<'_>) -> Self {
        Self {
            order: source.byte(),
            growing_numbers: source.one_in(3),
            null_filled: source.one_in(3),
        }
    }

    /// Returns the snapshots, and whether there is one for every step.
    pub(crate) fn values(
        self,
        document: &Json,
        every_step: bool,
        source: &mut ByteSource<'_>,
    ) -> (Vec<Json>, bool) {
        let mut left = usize::MAX;
        self.shown(document, &mut left, Half::Nothing);
        let steps = usize::MAX - left;
        // Dozens of snapshots find as much as hundreds.
        let every_step = every_step && steps < 60;
        let mut values = Vec::new();
        let mut at = 1 + if every_step { 0 } else { source.below(8) };
        while at < steps {
            let half = match source.below(8) {
                6 => Half::Replacement(1 + source.below(3)),
                7 => Half::Surrogate,
                _ => Half::Nothing,
            };
            let mut left = at;
            values.extend(self.shown(document, &mut left, half));
            at += if every_step {
                [1, 1, 1, 0][source.below(4)]
            } else if values.len() < 30 {
                [1, 2, 0, 3, 5, 9, 20, 60][source.below(8)]
            } else {
                1 + steps / 8
            };
        }
        values.push(document.clone());
        (values, every_step)
    }

    /// Returns the snapshot of `value` after `left` steps, which are consumed.
    fn shown(self, value: &Json, left: &mut usize, half: Half) -> Option<Json> {
        *left = left.checked_sub(1)?;
        Some(match value {
            Json::Null | Json::Bool(_) => value.clone(),
            Json::Num(number) => Json::Num(self.digits(number, left)),
            Json::Str(text) => Json::Str(characters(text, left, half)),
            Json::Arr(elements) => Json::Arr(
                elements
                    .iter()
                    .map_while(|element| self.shown(element, left, half))
                    .collect(),
            ),
            Json::Obj(members) => {
                let mut shown: Vec<Option<Json>> = vec![None; members.len()];
                for turn in self.turns(members.len()) {
                    let (_, value) = &members[turn];
                    shown[turn] = self.shown(value, left, half);
                }
                let unwritten = self.null_filled.then_some(Json::Null);
                let names = members.iter().map(|(name, _)| name.clone());
                let values = shown.into_iter().map(|value| value.or(unwritten.clone()));
                Json::Obj(
                    names
                        .zip(values)
                        .filter_map(|(name, value)| Some((name, value?)))
                        .collect(),
                )
            }
        })
    }

    /// Returns the order in which `count` members are written.
    fn turns(self, count: usize) -> Vec<usize> {
        let mut rng = SeededRng::new(self.order);
        let mut turns: Vec<usize> = (0..count).collect();
        for place in (1..count).rev() {
            turns.swap(place, place - rng.below(place + 1));
        }
        turns
    }

    fn digits(self, number: &str, left: &mut usize) -> String {
        if !self.growing_numbers {
            return number.to_owned();
        }
        // Only prefixes that are numbers: they do not end with a sign, a point or an `e`.
        let numbers: Vec<&str> = (1..=number.len())
            .filter_map(|length| number.get(..length))
            .filter(|start| start.ends_with(|last: char| last.is_ascii_digit()))
            .collect();
        let more = (*left).min(numbers.len() - 1);
        *left -= more;
        numbers[more].to_owned()
    }
}

fn characters(text: &[u32], left: &mut usize, half: Half) -> Text {
    let length = text.len().min(*left);
    *left -= length;
    let (shown, hidden) = text.split_at(length);
    let half = match (half, hidden.first()) {
        (Half::Replacement(times), Some(0x80..)) => vec![REPLACEMENT; times],
        (Half::Surrogate, Some(next @ 0x1_0000..)) => vec![0xD800 + ((next - 0x1_0000) >> 10)],
        _ => Vec::new(),
    };
    [shown, &half].concat()
}

/// Returns a random JSON value.
pub(crate) fn document(source: &mut ByteSource<'_>) -> Json {
    value(source, 4)
}

/// Returns a random value with at most this many levels of objects and arrays.
fn value(source: &mut ByteSource<'_>, levels: usize) -> Json {
    match source.below(if levels == 0 { 8 } else { 16 }) {
        0 => Json::Null,
        1 => Json::Bool(source.one_in(2)),
        2 | 3 => Json::Num(number(source)),
        4..=7 => Json::Str(string(source)),
        8..=10 => {
            let count = source.below(6);
            Json::Arr((0..count).map(|_| value(source, levels - 1)).collect())
        }
        _ => object(source, levels),
    }
}

fn object(source: &mut ByteSource<'_>, levels: usize) -> Json {
    // Wide objects are searched in a different way.
    let (count, wide) = match source.below(8) {
        7 => (12 + source.below(20), true),
        count => (count, false),
    };
    let mut members: Vec<(Text, Json)> = Vec::new();
    for index in 0..count {
        let name = if wide {
            text(&format!("{index} of the names"))
        } else {
            name(source)
        };
        let levels = if wide { 0 } else { levels - 1 };
        if members.iter().all(|(other, _)| *other != name) {
            members.push((name, value(source, levels)));
        }
    }
    Json::Obj(members)
}

fn name(source: &mut ByteSource<'_>) -> Text {
    const NAMES: &[&str] = &[
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "",
        ".",
        "a.b",
        "\"",
        "\\",
        "/",
        "~1",
        "\u{0}",
        "é",
        "😀",
        "0",
        // Around sixteen bytes, the length of the prefix by which names are compared first.
        "title",
        "of sixteen byte",
        "of sixteen bytes",
        "of sixteen byt\"",
        "of sixteen byt\"s",
        "of more than sixteen bytes",
    ];
    match source.below(NAMES.len() + 1) {
        0 => string(source),
        index => text(NAMES[index - 1]),
    }
}

fn number(source: &mut ByteSource<'_>) -> String {
    const NUMBERS: &[&str] = &[
        "0",
        "-0",
        "1.10",
        "1e400",
        "-1E-7",
        "0.000e+00",
        "9007199254740993",
        "123456789012345678901234567890",
    ];
    match source.below(NUMBERS.len() + 4) {
        index @ 4.. => NUMBERS[index - 4].to_owned(),
        _ => i16::from_le_bytes([source.byte(), source.byte()]).to_string(),
    }
}

fn string(source: &mut ByteSource<'_>) -> Text {
    const AWKWARD: &[u32] = &[
        0x22,
        0x5C,
        0x2F,
        0x0A,
        0x01,
        0x7F,
        0x20,
        0x7E,
        0x75,
        0xE9,
        0x4E2D,
        0x2028,
        0x1_F600,
        0x1_D11E,
        0x10_FFFF,
        REPLACEMENT,
        0xD83D,
        0xDE00,
        0xFEFF,
        0xFFFF,
    ];
    let length = match source.below(12) {
        11 => 11 + source.below(80),
        length => length,
    };
    let mut text = Text::new();
    for _ in 0..length {
        let byte = source.byte();
        let next = match AWKWARD.get(usize::from(byte >> 3)) {
            Some(awkward) if byte & 7 > 3 => *awkward,
            _ => u32::from(b'a' + byte % 26),
        };
        let meets = text.last().copied().is_some_and(is_high_surrogate);
        // Two adjacent halves would be one character.
        if !(meets && is_low_surrogate(next)) {
            text.push(next);
        }
    }
    text
}
