//! Documents, and what a model shows of them while it writes.
//!
//! How much is written is one number: every value and every character takes one step of it. What
//! is shown is what the document looks like after so many steps.

use crate::support::json::{Json, REPLACEMENT, Text, is_high_surrogate, is_low_surrogate, text};
use crate::support::tape::{Dice, Tape};

/// How a model writes, and how it shows what it has written.
#[derive(Clone, Copy)]
pub(crate) struct Writing {
    /// In which order it writes members; 0 for the order in which they are shown.
    order: u8,
    /// Numbers grow digit by digit.
    pub(crate) growing_numbers: bool,
    /// Members that are not written yet show as null.
    pub(crate) null_filled: bool,
}

/// A decoder that was cut inside a character shows what it has of it.
#[derive(Clone, Copy)]
enum Half {
    Nothing,
    /// U+FFFD, so many times.
    Replacement(usize),
    /// The first half of a surrogate pair.
    Surrogate,
}

impl Writing {
    pub(crate) fn of(tape: &mut Tape<'_>) -> Self {
        Self {
            order: tape.byte(),
            growing_numbers: tape.once_in(3),
            null_filled: tape.once_in(3),
        }
    }

    /// What is shown from the first step to the last, and whether every step is.
    pub(crate) fn values(
        self,
        document: &Json,
        every_step: bool,
        tape: &mut Tape<'_>,
    ) -> (Vec<Json>, bool) {
        let mut left = usize::MAX;
        self.shown(document, &mut left, Half::Nothing);
        let steps = usize::MAX - left;
        // Dozens of snapshots tell as much as hundreds.
        let every_step = every_step && steps < 60;
        let mut values = Vec::new();
        let mut at = 1 + if every_step { 0 } else { tape.below(8) };
        while at < steps {
            let half = match tape.below(8) {
                6 => Half::Replacement(1 + tape.below(3)),
                7 => Half::Surrogate,
                _ => Half::Nothing,
            };
            let mut left = at;
            values.extend(self.shown(document, &mut left, half));
            at += if every_step {
                [1, 1, 1, 0][tape.below(4)]
            } else if values.len() < 30 {
                [1, 2, 0, 3, 5, 9, 20, 60][tape.below(8)]
            } else {
                1 + steps / 8
            };
        }
        values.push(document.clone());
        (values, every_step)
    }

    /// What is shown of `whole` when `left` steps may be made; they are used up.
    fn shown(self, whole: &Json, left: &mut usize, half: Half) -> Option<Json> {
        *left = left.checked_sub(1)?;
        Some(match whole {
            Json::Null | Json::Bool(_) => whole.clone(),
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

    /// In which order so many members are written.
    fn turns(self, count: usize) -> Vec<usize> {
        let mut dice = Dice::new(self.order);
        let mut turns: Vec<usize> = (0..count).collect();
        for place in (1..count).rev() {
            turns.swap(place, place - dice.below(place + 1));
        }
        turns
    }

    fn digits(self, number: &str, left: &mut usize) -> String {
        if !self.growing_numbers {
            return number.to_owned();
        }
        // What is a number already: not up to a sign, a point or an `e`.
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

/// Any JSON value.
pub(crate) fn document(tape: &mut Tape<'_>) -> Json {
    value(tape, 4)
}

/// A value of at most so many levels of objects and arrays.
fn value(tape: &mut Tape<'_>, levels: usize) -> Json {
    match tape.below(if levels == 0 { 8 } else { 16 }) {
        0 => Json::Null,
        1 => Json::Bool(tape.once_in(2)),
        2 | 3 => Json::Num(number(tape)),
        4..=7 => Json::Str(string(tape)),
        8..=10 => {
            let count = tape.below(6);
            Json::Arr((0..count).map(|_| value(tape, levels - 1)).collect())
        }
        _ => object(tape, levels),
    }
}

fn object(tape: &mut Tape<'_>, levels: usize) -> Json {
    // Wide ones are searched in another way than narrow ones.
    let (count, wide) = match tape.below(8) {
        7 => (12 + tape.below(20), true),
        count => (count, false),
    };
    let mut members: Vec<(Text, Json)> = Vec::new();
    for index in 0..count {
        let name = if wide {
            text(&format!("{index} of the names"))
        } else {
            name(tape)
        };
        let levels = if wide { 0 } else { levels - 1 };
        if members.iter().all(|(other, _)| *other != name) {
            members.push((name, value(tape, levels)));
        }
    }
    Json::Obj(members)
}

fn name(tape: &mut Tape<'_>) -> Text {
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
        // Around the sixteen bytes by which names are told apart first.
        "title",
        "of sixteen byte",
        "of sixteen bytes",
        "of sixteen byt\"",
        "of sixteen byt\"s",
        "of more than sixteen bytes",
    ];
    match tape.below(NAMES.len() + 1) {
        0 => string(tape),
        index => text(NAMES[index - 1]),
    }
}

fn number(tape: &mut Tape<'_>) -> String {
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
    match tape.below(NUMBERS.len() + 4) {
        index @ 4.. => NUMBERS[index - 4].to_owned(),
        _ => i16::from_le_bytes([tape.byte(), tape.byte()]).to_string(),
    }
}

fn string(tape: &mut Tape<'_>) -> Text {
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
    let length = match tape.below(12) {
        11 => 11 + tape.below(80),
        length => length,
    };
    let mut text = Text::new();
    for _ in 0..length {
        let byte = tape.byte();
        let next = match AWKWARD.get(usize::from(byte >> 3)) {
            Some(awkward) if byte & 7 > 3 => *awkward,
            _ => u32::from(b'a' + byte % 26),
        };
        let meets = text.last().copied().is_some_and(is_high_surrogate);
        // Two halves that meet would be one character.
        if !(meets && is_low_surrogate(next)) {
            text.push(next);
        }
    }
    text
}
